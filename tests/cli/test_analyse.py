"""`ggp analyse`: a summary, one order, some properties alone, many files, what interrupts it."""

from __future__ import annotations

import csv
import io
import sys

import pytest

import ggp
from ggp.analysis.findings import ORDER
from ggp.analysis.relations.symmetries import igraph_or_none
from ggp.show import summary
from tests.conftest import GAMES, nightly

KAYLES = str(GAMES / "kayles/kayles-7.kif")
TIC_TAC_TOE = str(GAMES / "tic-tac-toe/tic-tac-toe.kif")


def test_a_summary_comes_first(ggp_) -> None:
    _, output, _ = ggp_("analyse", KAYLES)
    assert output.splitlines()[1:5] == [
        "A game of left and right, who move in turn: normal play, impartial.",
        "It ends after 4 to 7 moves; there are 222 positions; each end is a win or a loss.",
        "left, the player to move, wins under best play.",
        "",
    ]


def test_brief_is_the_summary(ggp_) -> None:
    _, whole, _ = ggp_("analyse", TIC_TAC_TOE)
    _, brief, _ = ggp_("analyse", TIC_TAC_TOE, "--brief")
    assert whole.startswith(brief)
    assert len(brief.splitlines()) == 4


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        ("puzzles/hanoi", "A game for player."),
        (
            "simultaneous/rock-paper-scissors",
            "A game of left and right, who move at the same time.",
        ),
        ("bisimulation/chain-and-fork", "But not every player can reach their best goal."),
    ],
)
def test_sentences(sheet, sentence) -> None:
    assert sentence in summary(ggp.games.load(sheet).analyse())


def test_findings_have_one_order_whatever_is_found_first() -> None:
    for sheet in (
        "kayles/kayles-7.kif",
        "tic-tac-toe/tic-tac-toe.kif",
        "puzzles/lights-out-3x3.kif",
    ):
        made: list[str] = []
        findings = ggp.load(GAMES / sheet).analyse(
            report=lambda f, made=made: made.append(f.property)
        )
        names = [finding.property for finding in findings]
        assert names == sorted(made, key=ORDER.index) != made


@pytest.mark.parametrize("sheet", ["kayles/kayles-7.kif", *nightly(["subtraction/sg-12-15.kif"])])
def test_a_property_alone_is_what_it_is_among_all(sheet) -> None:
    game = ggp.load(GAMES / sheet)
    for finding in game.analyse():
        (alone,) = ggp.load(GAMES / sheet).analyse(only=[finding.property])
        assert (alone.property, alone.value) == (finding.property, finding.value)
        assert alone.certainty == finding.certainty


def test_only_does_not_solve(ggp_) -> None:
    code, output, _ = ggp_("analyse", KAYLES, "--only", "all-small", "--only", "form")
    assert code == 0
    lines = output.splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == ["form", "all small"]
    code, output, _ = ggp_("analyse", str(GAMES / "puzzles/lights-out-3x3.kif"), "--only", "form")
    assert "form: has no sense for this game" in output


def test_an_unknown_property_is_refused_with_those_that_there_are(ggp_) -> None:
    code, _, errors = ggp_("analyse", KAYLES, "--only", "fair")
    assert code == 2
    assert "no property fair (there are: players, deterministic, turns" in errors


def test_many_files_are_a_line_each(ggp_, tmp_path) -> None:
    faulty = tmp_path / "faulty.kif"
    faulty.write_text("(role a)")
    code, output, errors = ggp_("analyse", KAYLES, str(faulty), TIC_TAC_TOE)
    assert code == 1
    assert [line.partition(": ")[0] for line in output.splitlines()] == [KAYLES, TIC_TAC_TOE]
    assert "faulty.kif" in errors


def test_a_table_of_many_files(ggp_) -> None:
    _, output, _ = ggp_("analyse", KAYLES, TIC_TAC_TOE, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(output)))
    values = {(row["file"], row["property"]): (row["value"], row["certainty"]) for row in rows}
    assert values[KAYLES, "impartial"] == ("yes", "proved")
    assert values[TIC_TAC_TOE, "impartial"] == ("no", "refuted")
    assert values[TIC_TAC_TOE, "result"] == ("draw", "exhaustive")


@pytest.mark.parametrize("misere", ["false", "true"])
def test_what_theory_tells_was_not_looked_at(ggp_, misere) -> None:
    """Nine rows of Nim have 185,794,560 positions."""
    rows = ["games/nim/rows.kif.jinja", "--set", "rows=9", "--set", f"misere={misere}"]
    _, output, _ = ggp_("analyse", *rows, "--format", "csv", "--positions", "1000")
    [row] = [r for r in csv.DictReader(io.StringIO(output)) if r["property"] == "result"]
    assert (row["value"], row["certainty"]) == ("left", "proved")


@pytest.mark.parametrize("option", [["--report", "x.md"], ["--certificate", "x.json"]])
def test_files_are_written_of_one_whole_analysis(ggp_, option, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ggp_("analyse", KAYLES, TIC_TAC_TOE, *option)[0] == 2
    assert ggp_("analyse", KAYLES, "--only", "form", *option)[0] == 2
    assert not list(tmp_path.iterdir())


def test_what_stopped_says_in_which_step(ggp_) -> None:
    code, output, _ = ggp_("analyse", "clobber-4x4", "--positions", "100")
    assert code == 3
    assert "unknown    enumeration: limit reached: positions = 100" in output


def test_what_was_found_is_printed_when_interrupted(ggp_, monkeypatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    # The module, not the verb of the same name in it.
    monkeypatch.setattr(sys.modules["ggp.analysis.claims.length"], "longest_from", interrupted)
    code, output, errors = ggp_("analyse", TIC_TAC_TOE)
    assert code == 130
    assert "all small          yes" in output
    assert "interrupted" in errors


def unloadable(*_: object) -> None:
    raise ImportError("wrong machine")


def test_without_the_library_symmetries_are_not_looked_for(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    game = ggp.load(GAMES / "kayles/kayles.kif.jinja", n=14)
    findings = game.analyse()
    assert findings["symmetries"].certainty == "unknown"
    assert "ggp[symmetry]" in findings["symmetries"].evidence.why
    assert "roles_exchangeable" not in findings
    monkeypatch.delitem(sys.modules, "igraph")
    # Nor where it is there and does not load.
    for name in [name for name in sys.modules if name.startswith("igraph")]:
        monkeypatch.delitem(sys.modules, name)
    with monkeypatch.context() as broken:
        broken.setattr("_imp.create_dynamic", unloadable)
        assert igraph_or_none() is None
        assert "igraph._igraph" not in sys.modules
    with_it = ggp.load(GAMES / "kayles/kayles.kif.jinja", n=14)
    assert game.solve().best(game.initial) == with_it.solve().best(with_it.initial)


@pytest.mark.parametrize("form", ["json", *nightly(["text", "csv"])])
def test_files_side_by_side_are_told_in_their_order(ggp_, form) -> None:
    command = ["analyse", "tic-tac-toe", "no-such-sheet", "nim/rows", "--only", "impartial"]
    one = ggp_(*command, "--format", form)
    assert one[0] == 2
    assert ggp_(*command, "--format", form, "--jobs", "2") == one
    assert ggp_("analyse", "nim/rows", "--jobs", "2")[0] == 2
