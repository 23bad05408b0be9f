"""`ggp value`: what it prints, draws and writes."""

from __future__ import annotations

import csv
import json
import re
from xml.etree import ElementTree

import pytest

from ggp.theory import ShortGame

DOMINEERING = "domineering/domineering"


def test_a_value_with_its_moves(ggp_) -> None:
    code, output, _ = ggp_("value", "kayles/kayles-7", "--format", "json", "--moves")
    data = json.loads(output)
    assert code == 0
    assert (data["value"], data["outcome"], data["temperature"]) == ("*2", "N", "0")
    assert (data["left"], data["right"], data["legitimate"]) == ("left", "right", True)
    assert {"(double 2)", "(double 5)", "(single 4)"} <= set(data["left_moves"])
    zero = {m["move"] for m in data["moves"] if m["role"] == "right" and m["value"] == "0"}
    assert zero == {"(double 2)", "(double 5)", "(single 4)"}


def test_a_position_of_ones_own(ggp_) -> None:
    facts = "(height 1 1) (height 2 0) (control right)"
    code, output, _ = ggp_("value", "hackenbush/stalks", "--at", facts, "--format", "json")
    assert code == 0
    assert json.loads(output)["value"] == "1"


def test_the_atlas_counts_boards_by_value(ggp_, tmp_path) -> None:
    file = tmp_path / "atlas.csv"
    two = ("--set", "rows=2", "--set", "columns=2")
    code, output, _ = ggp_(
        "value", DOMINEERING, *two, "--all", "--format", "json", "--table", str(file)
    )
    data = json.loads(output)
    assert code == 0
    with open(file, encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    assert len(rows) == data["boards"] == sum(one["boards"] for one in data["atlas"])
    assert {row["value"] for row in rows} == {one["value"] for one in data["atlas"]}


def strips(at: str) -> ShortGame:
    """The value of a strip of toads and frogs by its definition (Winning Ways, chapter 1)."""
    sides: tuple[list[str], list[str]] = [], []
    for i, animal in enumerate(at):
        step = {"T": 1, "F": -1}.get(animal)
        for width in (1, 2) if step else ():
            to = i + width * step
            jumped = at[i + step] if 0 <= i + step < len(at) else ""
            if 0 <= to < len(at) and at[to] == "_" and (width == 1 or jumped not in ("_", animal)):
                after = list(at)
                after[i], after[to] = "_", animal
                sides[animal == "F"].append("".join(after))
    return ShortGame(map(strips, sides[0]), map(strips, sides[1]))


def test_the_atlas_of_any_board_is_that_of_the_definition(ggp_, tmp_path) -> None:
    file = tmp_path / "atlas.csv"
    strip = "toads-and-frogs/toads-and-frogs", "--set", "board=TT__FF"
    code, output, _ = ggp_("value", *strip, "--any", "--format", "json", "--table", str(file))
    assert code == 0
    data = json.loads(output)
    with open(file, encoding="utf-8") as text:
        rows = {row["board"]: row["value"] for row in csv.DictReader(text)}
    reached = json.loads(ggp_("value", *strip, "--all", "--format", "json")[1])["boards"]
    assert len(rows) == data["boards"] > 2 * reached
    letters = {"toad": "T", "frog": "F", "empty": "_"}
    for board, value in rows.items():
        cells = sorted(re.findall(r"\(cell (\d) (\w+)\)", board))
        assert [int(place) for place, _ in cells] == [1, 2, 3, 4, 5, 6]
        assert str(strips("".join(letters[what] for _, what in cells))) == value, board


def test_any_board_needs_proofs(ggp_) -> None:
    """Of these graphs the conditions are only looked at, on the boards that moves lead to."""
    code, _, errors = ggp_("value", "bisimulation/chain-and-fork", "--any")
    assert code == 1
    assert "not proved" in errors


def test_the_atlas_is_drawn(ggp_, tmp_path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "atlas.svg"
    size = ("--set", "rows=2", "--set", "columns=2")
    assert ggp_("value", DOMINEERING, *size, "--all", "--plot", str(file))[0] == 0
    assert "6 boards, 4 values" in file.read_text("utf-8")
    before = file.read_bytes()
    assert ggp_("value", DOMINEERING, *size, "--plot", str(file))[0] == 0
    assert file.read_bytes() == before


def test_the_thermograph_is_drawn(ggp_, tmp_path) -> None:
    file = tmp_path / "out.svg"
    code, output, _ = ggp_("value", "snort/snort", "--thermograph", str(file))
    assert code == 0
    root = ElementTree.fromstring(file.read_text("utf-8"))
    (title,) = [e.text for e in root if e.tag.endswith("title")]
    assert title == "thermograph: mean 0, temperature 9/4, stops 1 and -1"
    assert "temperature" in output


def test_games_without_values(ggp_) -> None:
    code, output, _ = ggp_("value", "tic-tac-toe/tic-tac-toe", "--format", "json")
    data = json.loads(output)
    assert code == 1
    assert (data["value"], data["legitimate"]) == (None, False)
    assert data["why_not"].startswith("condition 4")
    assert data["facts"]
    code, output, _ = ggp_("value", "puzzles/lights-out-3x3")
    assert code == 1
    assert "condition 1" in output


CIRCLE = """(role left) (role right) (init (at a)) (init (control left)) (step a b) (step b a)
(<= (legal ?p (go ?y)) (true (control ?p)) (true (at ?x)) (step ?x ?y))
(<= (legal ?p noop) (role ?p) (not (true (control ?p)))) (<= (next (at ?y)) (does ?p (go ?y)))
(<= (next (control left)) (true (control right))) (<= (next (control right)) (true (control left)))
(<= can (legal ?p (go ?y))) (<= terminal (not can))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""


def test_what_comes_up_again_is_a_loopy_game(ggp_, tmp_path) -> None:
    file = tmp_path / "circle.kif"
    file.write_text(CIRCLE, "utf-8")
    code, output, _ = ggp_("value", str(file), "--format", "json")
    data = json.loads(output)
    assert (code, data["value"], data["why_not"][:11]) == (1, None, "condition 5")
    assert data["loopy"] == {
        "value": "dud", "outcome": "D", "onside": "on", "offside": "off", "boards": 2,
        "why_not": None,
    }  # fmt: skip
    assert "as a loopy game  dud" in ggp_("value", str(file))[1]


@pytest.mark.parametrize("option", ["--thermograph", "--table", "--plot"])
def test_wrong_files(ggp_, tmp_path, option) -> None:
    assert ggp_("value", "kayles/kayles-7", option, str(tmp_path / "x.txt"))[0] == 2


def test_limits(ggp_) -> None:
    code, _, errors = ggp_("value", "clobber/clobber-4x4", "--all", "--positions", "100")
    assert code == 3
    assert "positions" in errors


TOADS = "toads-and-frogs/toads-and-frogs"


@pytest.mark.parametrize("board", ["T", "F", "_", "TF", "TTT", "__", "FFFFFFF"])
def test_strips_on_which_nobody_can_move_are_0(ggp_, board) -> None:
    code, output, _ = ggp_("value", TOADS, "--set", f"board={board}", "--format", "json", "--all")
    data = json.loads(output)
    assert (code, data["value"], data["boards"], data["unvalued"]) == (0, "0", 1, 0)
    assert data["turn"] == {"left": ["(control left)"], "right": ["(control right)"]}
    assert data["left_moves"] == data["right_moves"] == []


def test_few_pieces(ggp_, tmp_path) -> None:
    """Those of all boards that have at most three stones."""
    file = tmp_path / "few.csv"
    wide = ("value", "clobber/clobber", "--set", "rows=2", "--set", "columns=3")
    code, output, _ = ggp_(
        *wide, "--all", "--pieces", "3", "--table", str(file), "--format", "json"
    )
    assert code == 0
    with open(file, encoding="utf-8") as text:
        few = list(csv.DictReader(text))
    assert ggp_(*wide, "--table", str(file))[0] == 0
    with open(file, encoding="utf-8") as text:
        every = list(csv.DictReader(text))
    stones = [len(re.findall("white|black", row["board"])) for row in every]
    wanted = [row for row, count in zip(every, stones, strict=True) if count <= 3]
    assert few == wanted
    assert len(few) == json.loads(output)["boards"] < len(every)
    assert ggp_(*wide, "--pieces", "3")[0] == 2


def test_few_pieces_of_any_board(ggp_) -> None:
    """Stones of clobber are independent: 1 board without, 12 with one."""
    two = ("--set", "rows=2", "--set", "columns=3", "--any", "--pieces", "1", "--format", "json")
    code, output, _ = ggp_("value", "clobber/clobber", *two)
    assert (code, json.loads(output)["boards"]) == (0, 13)


def test_unicode(ggp_) -> None:
    code, output, _ = ggp_("value", "kayles/kayles-7", "--unicode", "--moves", "--all")
    assert code == 0
    assert "∗2" in output
    assert "*" not in output


def test_whose_turn_it_is_does_not_matter(ggp_) -> None:
    facts = "(height 1 1) (height 2 0)"
    code, output, _ = ggp_("value", "hackenbush/stalks", "--at", facts, "--format", "json")
    assert (code, json.loads(output)["value"]) == (0, "1")


def test_a_position_out_of_play_is_noted(ggp_) -> None:
    rest = " ".join(f"(cell {n} empty)" for n in range(2, 7))
    two = f"(cell 1 toad) (cell 1 frog) {rest}"
    assert "note: no play comes to this position" in ggp_("value", TOADS, "--at", two)[2]
    assert "note" not in ggp_("value", TOADS, "--at", f"(cell 1 toad) {rest}")[2]


def test_what_any_boards_found_before_a_limit_is_told(ggp_) -> None:
    wide = ("--set", "rows=2", "--set", "columns=4", "--any", "--positions", "300")
    code, output, errors = ggp_("value", "clobber/clobber", *wide)
    assert code == 3
    assert "positions = 300" in errors
    assert "boards" in output


OVER = CIRCLE.replace("(step a b) (step b a)", "(step right a b) (step right b a)").replace(
    "(step ?x ?y)", "(step ?p ?x ?y)"
)


def test_boards_without_values_are_listed_with_their_options(ggp_, tmp_path) -> None:
    """over = {0|over}: Left can end play at once, Right goes round (Conway 1978)."""
    file, table = tmp_path / "over.kif", tmp_path / "over.csv"
    file.write_text(OVER + "(step left a 0) (step left b 0)", "utf-8")
    code, output, _ = ggp_("value", str(file), "--all", "--format", "json", "--table", str(table))
    data = json.loads(output)
    assert (code, data["boards"], data["unvalued"]) == (1, 3, 2)
    assert data["loopy"]["value"] == "over"
    assert data["atlas"] == [{"value": "0", "boards": 1, "birthday": 0, "outcome": "P"}]
    with open(table, encoding="utf-8") as text:
        rows = {row["board"]: row for row in csv.DictReader(text)}
    assert {board: row["value"] for board, row in rows.items()} == {
        "(at 0)": "0", "(at a)": "", "(at b)": "",
    }  # fmt: skip
    assert (rows["(at a)"]["left_options"], rows["(at a)"]["right_options"]) == ("0", "(at b)")
    assert "no value" in ggp_("value", str(file), "--all")[1]


def test_facts_beyond_what_play_comes_to(ggp_) -> None:
    """Two stones of the same colour side by side, where the start has one alone."""
    facts = "(cell 1 toad) (cell 2 toad) (cell 3 empty)"
    one = ("--set", "board=T_F", "--format", "json")
    code, output, _ = ggp_("value", TOADS, *one, "--at", facts)
    assert (code, json.loads(output)["value"]) == (0, str(strips("TT_")))
