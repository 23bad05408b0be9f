"""Scenes as text: within the width, inert, and with all that lies on the board."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest
from rich.cells import cell_len

import ggp
from ggp import State
from ggp.show.board import plan_of, scene_of, scene_svg, scene_text
from ggp.show.board.pieces import abbreviations
from tests.show.board.sheets import NAMES, game

WIDTHS = (20, 60, 80, 200)

HOSTILE = {
    "escapes": "\x1b[31mred\x1b[0m",
    "markup": "[bold]x[/bold]",
    "broken-markup": "[/]",
    "html": "<script>alert</script>",
    "quotes": "\"'--`",
    "null": "a\0b\x7f\x9b",
    "wide": "金将銀将桂馬香車",
    "combining": "e\u0301\u0327\u0308\u0300",
    "emoji": "👩\u200d🚀🏽",
    "right-to-left": "\u202eאבגד",
    "arabic": "مرحبا",
    "full-width-number": "123456789",
    "arabic-number": "٣٤٥٦٧",
    "space": "a\u00a0b\u3000c\u2028d",
    "percent": "%s%d{}",
}
"""Names that a sheet may have."""


def lines_of(state: State, width: int, *, ascii: bool) -> list[str]:
    """The text of a state, which must keep to its width and be safe for terminals."""
    text = scene_text(scene_of(state), width, ascii=ascii).plain
    assert all(c == "\n" or c.isprintable() for c in text)
    assert text.isascii() or not ascii
    lines = text.split("\n")
    assert max(map(cell_len, lines)) <= width
    return lines


def four(*names: str) -> ggp.Game:
    """A row of places with these names, on each of which a piece of the same name can be put."""
    facts = " ".join(f"(place {name}) (init (on {name} none))" for name in names)
    return ggp.parse(
        f"""(role white) (role black) (init (control white)) {facts}
        (<= (legal ?r (put ?p ?c)) (true (control ?r)) (place ?c) (true (on ?p none)))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (next (on ?p ?c)) (does ?r (put ?p ?c)))
        (<= (touched ?p) (does ?r (put ?p ?c)))
        (<= (next (on ?p ?c)) (true (on ?p ?c)) (not (touched ?p)))
        (<= (next (control ?r)) (role ?r) (not (true (control ?r))))
        (<= open (true (on ?p none))) (<= terminal (not open))
        (<= (goal ?r 50) (role ?r))"""
    )


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_longer_than_the_width(name: str) -> None:
    states = [state for state, _ in game(name).random_playout(seed=2)]
    for state in {states[0], states[len(states) // 2], states[-1]}:
        for width in WIDTHS:
            lines_of(state, width, ascii=False)
            lines_of(state, width, ascii=True)


@pytest.mark.parametrize("ascii", [False, True])
def test_all_that_lies_on_the_board_is_there(ascii: bool) -> None:
    state = game("clobber/clobber-4x4.kif").initial
    for width in WIDTHS:
        lines = lines_of(state, width, ascii=ascii)
        white, black = ("w", "b") if ascii else ("○", "●")
        grid = "".join(lines[2:6])
        assert grid.count(white) == grid.count(black) == 8


@pytest.mark.parametrize("kind", HOSTILE)
def test_names_are_inert(kind: str) -> None:
    name = HOSTILE[kind]
    sheet = four(name, f"{name}2", "x", "10")
    for state, _ in sheet.random_playout(seed=1):
        for width in WIDTHS:
            lines_of(state, width, ascii=False)
            lines_of(state, width, ascii=True)


@pytest.mark.parametrize("kind", HOSTILE)
def test_columns_stay_in_line(kind: str) -> None:
    name = HOSTILE[kind]
    sheet = ggp.parse(
        f"""(role white) (row a) (row {name}) (row c) (column 1) (column {name}z) (column 3)
        (<= (init (on ?x ?y none)) (row ?x) (column ?y))
        (<= (legal white (put ?x ?y)) (true (on ?x ?y none)))
        (<= (next (on ?x ?y stone)) (does white (put ?x ?y)))
        (<= (next (on ?x ?y ?c)) (true (on ?x ?y ?c)) (not (does white (put ?x ?y))))
        (<= open (true (on ?x ?y none))) (<= terminal (not open)) (goal white 100)"""
    )
    lines = lines_of(sheet.initial, 80, ascii=False)
    stones = [line for line in lines if line.count("○") == 3]
    assert len(stones) == 3
    places = [[cell_len(line[:i]) for i, c in enumerate(line) if c == "○"] for line in stones]
    assert places[0] == places[1] == places[2]


def test_names_of_nearly_a_megabyte() -> None:
    huge, other = "a" * 450_000, "a" * 449_999 + "b"
    sheet = four(huge, other, "x", "y")
    for state, _ in sheet.random_playout(seed=1):
        assert len("\n".join(lines_of(state, 80, ascii=False))) < 2_000
    assert all(len(m.title) <= 60 for own in plan_of(sheet).marks for m in own.values())


def test_long_names_that_are_nearly_alike_have_marks_of_their_own() -> None:
    same = "n" * 500
    sheet = four(f"{same}a{same}", f"{same}b{same}", f"{same}c{same}", "x")
    (marks,) = plan_of(sheet).marks
    assert len({mark.text for mark in marks.values()}) == len(marks)


def text(name: str, *moves: str, width: int = 80, ascii: bool = False) -> str:
    before, state = None, game(name).initial
    for move in moves:
        before, state = state, state.play(move)
    return scene_text(scene_of(state, before), width, ascii=ascii).plain


def test_tic_tac_toe_as_text() -> None:
    assert text("tic-tac-toe/tic-tac-toe.kif", "(mark 1 2)", "(mark 3 3)", ascii=True) == (
        "turn: xplayer\n   1 2 3\n1  . x .\n2  . . .\n3  . .[o]"
    )


def test_connect_four_as_text() -> None:
    assert text("connect-four/connect-four.kif.jinja", "(drop 2)", "(drop 2)", "(drop 4)") == (
        "turn: yellow\n4  · · · ·\n3  · · · ·\n2  · ● · ·\n1  · ○ ·[○]\n   1 2 3 4\n○ red  ● yellow"
    )


def test_nim_as_text() -> None:
    assert text("nim/rows.kif.jinja", ascii=True, width=20) == (
        "turn: left\nrow\n1 o 1\n2 ooo 3\n3 ooooo 5"
    )


def test_skittles_as_text() -> None:
    assert text("kayles/kayles-7.kif", "(double 3)") == (
        "turn: right\n 1 2 3 4 5 6 7\n ○ ○[●|●]○ ○ ○\n○ up  ● down"
    )


def test_what_there_is_no_room_for_in_a_cell_is_listed() -> None:
    sheet = ggp.parse(
        """(role robot) (row 1) (row 2) (kind knight) (kind king) (kind queen) (kind rook)
        (<= (init (cell ?x ?y floor)) (row ?x) (row ?y)) (init (piece 1 1 king))
        (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)))
        (<= (next (piece ?x ?y ?k)) (true (piece ?x ?y ?k)))
        (<= (next (piece ?x ?y ?k)) (does robot (put ?x ?y ?k)) (true (cell ?x ?y floor)))
        (<= (legal robot (put ?x ?y ?k)) (true (cell ?x ?y floor)) (kind ?k))
        (<= terminal (true (piece 1 1 king)) (true (piece 1 1 queen)) (true (piece 2 2 rook)))
        (goal robot 0)"""
    )
    kinds = ["king", "knight", "queen", "rook"]
    facts = [f"(piece 2 1 {kind})" for kind in kinds] + ["(cell 1 1 floor)", "(cell 2 1 floor)"]
    lines = "\n".join(lines_of(sheet.state(facts), 80, ascii=False))
    marks = {m.title: m.text for own in plan_of(sheet).marks for m in own.values()}
    assert all(f" {marks[kind]}" in lines for kind in kinds)


def test_a_knight_beside_a_king_is_n() -> None:
    pieces = [f"{side}{kind}" for side in ("black", "white") for kind in ("King", "Knight", "Pawn")]
    assert abbreviations(pieces) == ["bK", "bN", "bP", "wK", "wN", "wP"]


def test_a_legend_says_how_many_marks_it_leaves_out() -> None:
    own = four(*(f"piece-{number}" for number in range(30)))
    facts = [f"(on piece-{number} piece-{number})" for number in range(30)]
    text = scene_text(scene_of(own.state(facts)), 100).plain
    assert text.endswith("and 6 more marks")


def test_places_whose_names_begin_alike_have_labels_of_their_own() -> None:
    own = ggp.parse(
        """(role p) (col column1) (col column2) (row position1) (row position2)
        (init (heap heap-number-one 3)) (init (heap heap-number-two 3)) (lower 3 2) (lower 2 1)
        (<= (init (cell ?x ?y b)) (col ?x) (row ?y)) (legal p wait)
        (<= (legal p (put ?x ?y)) (true (cell ?x ?y b)))
        (<= (legal p (take ?h ?k)) (true (heap ?h ?n)) (lower ?n ?k))
        (<= (next (heap ?h ?k)) (does p (take ?h ?k)))
        (<= (less ?h) (does p (take ?h ?k)))
        (<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (less ?h)))
        (<= (next (cell ?x ?y x)) (does p (put ?x ?y)))
        (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (does p (put ?x ?y))))
        (<= open (true (cell ?x ?y b))) (<= terminal (not open)) (goal p 100)"""
    )
    lines = [line.split() for line in lines_of(own.initial, 80, ascii=True)]
    assert ["1", "2"] in lines
    assert {line[0] for line in lines} >= {"1", "2", "one", "two"}
    picture = fromstring(scene_svg(scene_of(own.initial)))
    told = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"one", "two"} <= set(told)
    assert [told.count(label) for label in ("column1", "column2", "1", "2")] == [1, 1, 1, 1]


def test_ends_say_who_has_what() -> None:
    """Two ends with the same board are told apart; at the end nobody is to move."""
    state = game("kayles/kayles-7.kif").initial
    while not state.terminal:
        state = state.play(state.legal(state.control)[0])
    told = scene_text(scene_of(state)).plain.splitlines()[0]
    assert told == "over: " + ", ".join(f"{role} {goal}" for role, goal in state.goals.items())
    assert "turn:" not in scene_text(scene_of(state)).plain


def wide_grid(columns: int) -> ggp.Game:
    """Rows a to c of so many numbered columns, on each of which a stone can be put."""
    places = [f"(init (on {row} {i} none))" for row in "abc" for i in range(1, columns + 1)]
    return ggp.parse(
        f"""(role white) (role black) (init (control white)) {" ".join(places)}
        (<= (legal ?r (put ?x ?y)) (true (control ?r)) (true (on ?x ?y none)))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (next (on ?x ?y stone)) (does ?r (put ?x ?y)))
        (<= (next (on ?x ?y ?c)) (true (on ?x ?y ?c)) (not (changed ?x ?y)))
        (<= (changed ?x ?y) (does ?r (put ?x ?y)))
        (<= (next (control ?r)) (role ?r) (not (true (control ?r))))
        (<= open (true (on ?x ?y none))) (<= terminal (not open)) (succ a b) (succ b c)
        (<= (goal ?r 50) (role ?r))"""
    )


def after(sheet: ggp.Game, move: str, width: int) -> list[str]:
    """The text of the state after a move from the initial one."""
    state = sheet.initial
    return scene_text(scene_of(state.play(move), state), width, ascii=True).plain.splitlines()


@pytest.mark.parametrize(("columns", "width"), [(14, 20), (30, 20)])
def test_what_a_move_changed_is_told_where_there_is_no_room_for_brackets(columns, width) -> None:
    lines = after(wide_grid(columns), "(put b 12)", width)
    assert "changed  [b 12]" in lines
    assert not any("changed" in line for line in after(wide_grid(columns), "(put b 12)", 200))


def test_numbers_of_narrow_columns_are_written_downwards() -> None:
    lines = after(wide_grid(12), "(put b 12)", 30)
    assert lines[1:4] == [
        "                     1 1 1",
        "   1 2 3 4 5 6 7 8 9 0 1 2",
        "a  o o o o o o o o o o o o",
    ]
    assert after(wide_grid(12), "(put b 12)", 60)[1].split() == [str(i) for i in range(1, 13)]
