"""`ggp table`, and what `ggp solve` says of all positions."""

from __future__ import annotations

import csv
import json
import sys

import pytest

import ggp
from ggp.cli import sweeping
from ggp.errors import BudgetSpent, LimitReached
from ggp.limits import Budget
from ggp.solver.methods import METHODS
from tests.cli.test_json import checked
from tests.conftest import GAMES

MULTIPLES = GAMES / "multiples" / "multiples.kif.jinja"
KAYLES = str(GAMES / "kayles" / "kayles-7.kif")
BOTH = ["--vary", "heap 1=0..12", "--vary", "heap 2=0..12"]


def test_the_golden_ratio_is_found_in_the_heaps_by_multiples(ggp_) -> None:
    arguments = ["--vary", "heap 1=0..30", "--vary", "heap 2=0..60"]
    code, output, _ = ggp_("table", str(MULTIPLES), *arguments)
    assert code == 0
    assert ": 1/phi (conjecture; holds for 0 to 30)" in output
    assert ": phi (conjecture; holds for 0 to 30)" in output
    assert "1,891 starts" in output


def test_a_sum_of_heaps_by_theory(ggp_) -> None:
    sheet = str(GAMES / "subtraction" / "sg-125.kif")
    _, output, _ = ggp_(
        "table", sheet, "--vary", "heap 1=0..9", "--vary", "heap 2=0..9", "--what", "nim_value"
    )
    rows = [line.split()[1:] for line in output.splitlines()[2:12]]
    # The third heap, of 12, has the nim-value 0.
    assert rows == [[str(a % 3 ^ b % 3) for b in range(10)] for a in range(10)]


def test_draws_and_parameters(ggp_) -> None:
    code, output, _ = ggp_("table", "kayles/kayles", "--sweep", "n=2..7", "--what", "nim_value")
    assert code == 0
    # Kayles: 0 1 2 3 1 4 3 2 (Guy and Smith 1956).
    assert [line.split() for line in output.splitlines()[1:7]] == [
        ["2", "2"], ["3", "3"], ["4", "1"], ["5", "4"], ["6", "3"], ["7", "2"],
    ]  # fmt: skip
    _, output, _ = ggp_("table", "tic-tac-toe", "--vary", "cell 2 2=b,o", "--what", "result")
    assert output.splitlines()[1:3] == ["       b      =", "       o      ="]


def test_the_data_of_a_table(ggp_) -> None:
    code, output, _ = ggp_("table", str(MULTIPLES), *BOTH, "--format", "json")
    assert code == 0
    data = checked(output, "table")
    assert len(data["cells"]) == 169
    assert data["axes"][0]["values"] == [str(n) for n in range(13)]
    [cell] = (c for c in data["cells"] if c["at"] == ["5", "9"])
    assert (cell["outcome"], cell["best"]) == ("N", ["(take 2 5)"])
    assert data["sequences"]["b(n)"]["forms"][0]["kind"] == "floor"


def test_a_band_is_told_only_by_what_is_known_of_its_ends(ggp_) -> None:
    _, output, _ = ggp_("table", str(MULTIPLES), *BOTH)
    assert "b(n): floor" in output
    few = ["--vary", "heap 1=0..3", "--vary", "heap 2=0..3"]
    _, output, _ = ggp_("table", str(MULTIPLES), *few)
    assert "b(n)" not in output


@pytest.mark.parametrize("suffix", [".csv", ".txt", ".svg", ".png", ".parquet"])
def test_files_of_a_table(ggp_, tmp_path, suffix) -> None:
    if suffix == ".parquet":
        pytest.importorskip("polars")
    file = tmp_path / f"table{suffix}"
    code, output, _ = ggp_("table", str(MULTIPLES), *BOTH, "--output", str(file))
    assert code == 0
    assert "169 starts" in output
    data = file.read_bytes()
    if suffix == ".csv":
        lines = data.decode().splitlines()
        assert lines[0] == "heap 1,heap 2,outcome,result,goal left,goal right,nim_value,best"
        assert len(lines) == 170
    if suffix == ".parquet":
        frame = sys.modules["polars"].read_parquet(file)
        assert frame.columns[:4] == ["heap 1", "heap 2", "outcome", "result"]
        assert frame.shape == (169, 8)
    ggp_("table", str(MULTIPLES), *BOTH, "--output", str(file))
    assert file.read_bytes() == data, "equal tables are equal files"


def test_names_that_look_like_formulas_are_drawn_as_they_are(ggp_, tmp_path) -> None:
    sheet = tmp_path / "odd.kif"
    sheet.write_text(
        "(role $x$) (init (p$\\frac 1)) (<= (legal $x$ go) (true (p$\\frac ?n)))"
        "(<= (next (p$\\frac 2)) (does $x$ go)) (<= terminal (true (p$\\frac 2)))"
        "(goal $x$ 100)"
    )
    file = tmp_path / "odd.svg"
    code, _, _ = ggp_("table", str(sheet), "--vary", "p$\\frac=1,2", "--output", str(file))
    assert code == 0
    assert file.exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "needs --vary"),
        (["--vary", "heap 1"], "expected FACT=VALUES"),
        (["--vary", "pile=1"], "no fact of the start"),
        (["--vary", "heap 1=x"], "says nothing of x"),
        (["--sweep", "first"], "expected NAME=VALUES"),
        (["--sweep", "third=1..2"], "no parameter third"),
        (["--sweep", "first=1..2", "--sweep", "first=3..4"], "first is swept twice"),
        (["--sweep", "first=1..2", "--set", "first=3"], "first is both set and swept"),
        (["--vary", "heap 1=1", "--output", "x.json"], "written as one of"),
        (["--vary", "heap 1=1..3", "--from", "(heap 1"], "cannot read the facts"),
    ],
)
def test_wrong_use(ggp_, arguments, why) -> None:
    code, output, error = ggp_("table", str(MULTIPLES), *arguments)
    assert code == 2
    assert why in error
    assert not output


def test_a_template_is_made_large_enough(ggp_) -> None:
    """Its default chain ends at 8."""
    code, output, _ = ggp_("table", str(MULTIPLES), "--vary", "heap 1=20", "--vary", "heap 2=13,33")
    assert code == 0
    assert output.splitlines()[2].split() == ["20", "P", "N"]


def test_all_positions_of_a_solved_game(ggp_, tmp_path) -> None:
    file = tmp_path / "all.csv"
    code, output, _ = ggp_(
        "solve", KAYLES, "--statistics", "--table", str(file), "--format", "json"
    )
    assert code == 0
    data = checked(output, "solve")
    count = data["statistics"]["positions"]
    assert data["table"] == {"file": str(file), "positions": count}
    assert sum(data["statistics"]["plies"]) == count
    assert len(ggp.tablebase(file)) == count
    code, output, _ = ggp_("solve", KAYLES, "--statistics")
    assert f"{count:,}" in output
    assert json.loads(json.dumps(data["statistics"]))["sides"].keys() == {"left", "right"}


def test_a_start_that_play_does_not_come_to(ggp_) -> None:
    sheet = str(MULTIPLES)
    code, output, _ = ggp_("solve", sheet, "--from", "(heap 1 7) (heap 2 3) (control left)")
    assert code == 0
    assert "winning moves of left: (take 1 3)" in output
    code, _, error = ggp_("solve", sheet, "--from", "(heap 1 9) (heap 2 3) (control left)")
    assert code == 2
    assert "says nothing of 9" in error


def test_the_list_of_methods(ggp_) -> None:
    code, output, _ = ggp_("solve", "--method", "help")
    assert code == 0
    assert [line.split()[0] for line in output.splitlines() if line[0] != " "] == list(METHODS)


def test_what_cannot_be_written_is_told_before_the_work(ggp_, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for arguments in (
        ["solve", KAYLES, "--table", "x.parquet"],
        ["solve", KAYLES, "--table", "x.json"],
        ["table", str(MULTIPLES), *BOTH, "--output", "x.png"],
    ):
        code, output, error = ggp_(*arguments)
        assert code == 2
        assert not output
        assert "ggp[table]" in error or ".csv or .parquet" in error


def test_interrupted_it_prints_what_is_solved_and_writes_it_too(
    ggp_, monkeypatch, tmp_path
) -> None:
    """Ctrl-C comes when the second of three sheets is asked for."""
    solve = sweeping.sweep
    asked = []

    def interrupted(*arguments, **options):
        if asked:
            raise KeyboardInterrupt
        asked.append(1)
        return solve(*arguments, **options)

    monkeypatch.setattr(sweeping, "sweep", interrupted)
    file = tmp_path / "table.csv"
    command = ["table", "kayles/kayles", "--sweep", "n=2..4", "--what", "nim_value"]
    code, output, errors = ggp_(*command, "--output", str(file))
    assert (code, errors) == (130, "interrupted\n")
    assert output.splitlines()[1:4] == ["2         2", "3         .", "4         ."]
    assert output.splitlines()[4].endswith(" s, interrupted")
    assert [line.split(",")[0:2] for line in file.read_text().splitlines()[1:]] == [
        ["2", "N"],
        ["3", ""],
        ["4", ""],
    ]
    asked.clear()
    code, output, _ = ggp_(*command, "--format", "json")
    data = checked(output, "table")
    assert (code, data["interrupted"], data["sequences"]) == (130, True, {})
    assert [cell["at"] for cell in data["cells"]] == [["2"]]
    assert ggp_(*command)[:2] == (130, ""), "nothing is solved"


def test_a_table_that_is_too_large_is_refused_before_anything_is_solved(ggp_, monkeypatch) -> None:
    monkeypatch.setattr(sweeping, "sweep", None)
    code, _, errors = ggp_(
        "table", str(MULTIPLES), "--vary", "heap 1=0..999", "--vary", "heap 2=0..999"
    )
    assert code == 3
    assert "cells = 100,000 (of a table, not 1,000,000)" in errors


def test_an_error_names_the_sheet_of_a_sweep_that_it_is_of(ggp_) -> None:
    code, _, errors = ggp_("table", "kayles/kayles", "--sweep", "n=4..1:-1")
    assert code == 2
    assert errors.startswith("ggp: n=1: ")


LIMITED = ["table", "kayles/kayles", "--sweep", "n=2..4", "--what", "nim_value"]
"""With `limited`, of which the second sheet has no answer."""


@pytest.fixture
def limited(monkeypatch) -> None:
    """A limit ends the sheet of three pins."""
    solve = sweeping.sweep

    def until_limit(game, *arguments, **options):
        if len(game.net.legal) == len(ggp.load("kayles/kayles", n=3).net.legal):
            raise LimitReached("positions", 7)
        return solve(game, *arguments, **options)

    monkeypatch.setattr(sweeping, "sweep", until_limit)


@pytest.mark.usefixtures("limited")
def test_a_sheet_that_a_limit_ends_leaves_the_others(ggp_) -> None:
    code, output, _ = ggp_(*LIMITED)
    lines = output.splitlines()
    assert (code, lines[1:4]) == (3, ["2         2", "3         .", "4         1"])
    assert lines[4] == "n=3: limit reached: positions = 7"
    code, output, _ = ggp_(*LIMITED, "--format", "json")
    data = checked(output, "table")
    assert (code, [cell["at"] for cell in data["cells"]]) == (3, [["2"], ["4"]])
    assert data["limits"] == [{"sheet": {"n": "3"}, "reason": "limit reached: positions = 7"}]
    assert (data["sequences"], data["band"], data["interrupted"]) == ({}, None, False)


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize("suffix", [".csv", ".txt", ".svg"])
def test_its_cells_are_empty_in_a_file(ggp_, tmp_path, suffix) -> None:
    file = tmp_path / f"table{suffix}"
    assert ggp_(*LIMITED, "--output", str(file))[0] == 3
    if suffix == ".csv":
        rows = list(csv.DictReader(file.read_text().splitlines()))
        assert [(row["n"], row["nim_value"]) for row in rows] == [("2", "2"), ("3", ""), ("4", "1")]
    assert file.stat().st_size


@pytest.mark.usefixtures("limited")
def test_where_no_sheet_has_an_answer_the_limit_is_told(ggp_) -> None:
    command = [*LIMITED[:3], "n=3", "--format", "json"]
    code, output, _ = ggp_(*command)
    assert (code, json.loads(output)["error"]["kind"]) == (3, "LimitReached")


def test_a_spent_account_leaves_what_was_solved(ggp_, monkeypatch) -> None:
    """The account is looked at after each sheet, and is spent after the second of three."""
    check, looked = Budget.check, []

    def spent(budget, detail, planned=0):
        if detail.endswith(" of 3 sheets"):
            looked.append(detail)
            if len(looked) == 2:
                raise BudgetSpent("time", 1.0, detail)
        check(budget, detail, planned)

    monkeypatch.setattr(Budget, "check", spent)
    code, output, _ = ggp_("table", "kayles/kayles", "--sweep", "n=2..4", "--format", "json")
    data = checked(output, "table")
    assert (code, [cell["at"] for cell in data["cells"]]) == (3, [["2"], ["3"]])
    reason = "limit reached: time = 1 (2 of 3 sheets)"
    assert data["limits"] == [{"sheet": {"n": "4"}, "reason": reason}]


def test_sheets_side_by_side_are_the_same_table(ggp_) -> None:
    command = ["table", "nim/rows", "--sweep", "rows=1..3", "--format", "json"]
    assert ggp_(*command, "--jobs", "2") == ggp_(*command)


def test_the_first_sheet_without_an_answer_decides(ggp_) -> None:
    command = ["table", "kayles/kayles", "--sweep", "n=2,x,y", "--format", "json"]
    code, output, errors = ggp_(*command)
    assert (code, "cannot read x" in errors) == (2, True)
    assert ggp_(*command, "--jobs", "2") == (code, output, errors)


def test_where_there_are_no_nim_values_it_says_so(ggp_) -> None:
    sheet = str(GAMES / "nim" / "rows.kif.jinja")
    vary = ("--set", "heaps=[2,2]", "--vary", "row 1=0..2", "--what", "nim_value")
    assert "no nim-values" not in ggp_("table", sheet, *vary)[1]
    assert "no nim-values: they are of impartial play" in ggp_("table", sheet, *vary, "--misere")[1]


UNDETERMINED = """
(role a) (role b) (init (n 0))
(<= (legal ?r go) (role ?r)) (<= (legal ?r stay) (role ?r))
(<= same (does a ?m) (does b ?m))
(<= (next (n 1)) (true (n 0))) (<= (next (n 2)) (true (n 1)))
(<= (next met) same (true (n 0))) (<= (next met) (true met))
(<= (next up) (does a go) (true (n 0))) (<= (next up) (true up))
(<= terminal (true (n 2)))
(<= (goal ?r 70) (role ?r) (true met) (not (true up)))
(<= (goal a 50) (true met) (true up)) (<= (goal b 90) (true met) (true up))
(<= (goal ?r 30) (role ?r) (not (true met)))
"""
"""Both want to meet, but not in the same place; after the first move nothing hangs on them."""


def test_a_start_without_one_outcome_leaves_the_others(ggp_, tmp_path) -> None:
    sheet = tmp_path / "meeting.kif"
    sheet.write_text(UNDETERMINED)
    code, output, _ = ggp_("table", str(sheet), "--vary", "n=0,1,2")
    assert code == 0
    assert (
        "1 of 3 starts have no value, the first 0: not determined: pure equilibria differ" in output
    )
    assert output.count("30 30") == 2
    _, output, _ = ggp_("table", str(sheet), "--vary", "n=0,1", "--format", "json")
    cells = json.loads(output)["cells"]
    assert [cell["goals"] for cell in cells] == [None, {"a": 30, "b": 30}]
    assert [cell["undetermined"] is None for cell in cells] == [False, True]
    code, _, errors = ggp_("table", str(sheet), "--vary", "n=0")
    assert (code, "not determined: pure equilibria differ" in errors) == (1, True)


def test_a_table_whose_last_lost_position_is_at_its_edge(ggp_) -> None:
    """Two heaps of one at the most, misère: (0, 1) and (1, 0) are lost, which are pairs p, q, but
    the last that is lost in the first row may not be the last of all."""
    sheet = str(GAMES / "subtraction" / "subtraction.kif.jinja")
    given = ("--set", "heaps=[1,1]", "--set", "take=[1]", "--set", "misere=true")
    both = ("--vary", "heap 1=0..1", "--vary", "heap 2=0..1")
    code, output, _ = ggp_("table", sheet, *given, *both, "--format", "json")
    found = json.loads(output)
    assert code == 0
    assert [cell["outcome"] for cell in found["cells"]] == ["N", "P", "P", "N"]
    assert found["band"] is None
