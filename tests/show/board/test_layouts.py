"""What a person would draw for the sheets of this project."""

from __future__ import annotations

import pytest

import ggp
from ggp.show.board import plan_of, scene_of
from ggp.show.board.model import Board
from tests.show.board.sheets import game

ONE_BOARD = {
    # Columns and rows, from the left and from the top.
    "tic-tac-toe/tic-tac-toe.kif": ("1 2 3", "1 2 3"),
    "connect-four/connect-four.kif.jinja": ("1 2 3 4", "4 3 2 1"),
    "clobber/clobber-4x4.kif": ("1 2 3 4", "1 2 3 4"),
    "domineering/domineering-3x4.kif": ("1 2 3 4", "1 2 3"),
    "col/col.kif.jinja": ("1 2 3", "1 2"),
    "snort/snort.kif.jinja": ("1 2 3", "1 2"),
    "colouring/colouring.kif.jinja": ("1 2 3", "1 2 3"),
    "amazons/amazons.kif.jinja": ("1 2 3 4", "1 2 3"),
    "fox-and-geese/fox-and-geese.kif": ("1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8"),
    "puzzles/lights-out-3x3.kif": ("1 2 3", "1 2 3"),
    "puzzles/hanoi.kif.jinja": ("1 2 3", ""),
    "kayles/kayles-7.kif": ("1 2 3 4 5 6 7", ""),
    "turtles/turtles-13.kif": ("1 2 3 4 5 6 7 8 9 10 11 12 13", ""),
    "toads-and-frogs/toads-and-frogs.kif.jinja": ("1 2 3 4 5 6", ""),
    "elephants-and-rhinos/elephants-and-rhinos.kif.jinja": ("1 2 3 4 5 6 7 8 9", ""),
}

BLANK = {
    "tic-tac-toe/tic-tac-toe.kif": "b",
    "connect-four/connect-four.kif.jinja": "blank",
    "clobber/clobber-4x4.kif": "empty",
    "colouring/colouring.kif.jinja": "free",
    "amazons/amazons.kif.jinja": "empty",
    "fox-and-geese/fox-and-geese.kif": "empty",
    # All lights are on at first, all skittles up: as the rules say it, things may as well be put
    # there as be taken away.
    "puzzles/lights-out-3x3.kif": None,
    "kayles/kayles-7.kif": None,
    "turtles/turtles-13.kif": None,
    "domineering/domineering-3x4.kif": None,
    "toads-and-frogs/toads-and-frogs.kif.jinja": "empty",
    "puzzles/hanoi.kif.jinja": None,  # No peg is none.
    "bisimulation/exits.kif": None,
}

OWNERS = {
    "tic-tac-toe/tic-tac-toe.kif": {"x": 0, "o": 1},
    "connect-four/connect-four.kif.jinja": {"red": 0, "yellow": 1},
    "clobber/clobber-4x4.kif": {"white": 0, "black": 1},
    "amazons/amazons.kif.jinja": {"white": 0, "black": 1, "arrow": None},
    "fox-and-geese/fox-and-geese.kif": {"fox": 0, "goose": 1},
    "toads-and-frogs/toads-and-frogs.kif.jinja": {"toad": 0, "frog": 1},
    "col/col.kif.jinja": {"left": 0, "right": 1},
    "kayles/kayles-7.kif": {"up": None, "down": None},
    "puzzles/lights-out-3x3.kif": {"on": None, "off": None},
    "puzzles/hanoi.kif.jinja": {"a": None, "b": None, "c": None},
}

CLICKS = {
    # For each kind of move the arguments that name a place, one place after the other.
    "tic-tac-toe/tic-tac-toe.kif": {"mark": [(0, 1)]},
    "connect-four/connect-four.kif.jinja": {"drop": [(0, None)]},
    "clobber/clobber-4x4.kif": {"move": [(0, 1), (2, 3)]},
    "fox-and-geese/fox-and-geese.kif": {"move": [(0, 1), (2, 3)]},
    "amazons/amazons.kif.jinja": {"move": [(0, 1), (2, 3), (4, 5)]},
    "toads-and-frogs/toads-and-frogs.kif.jinja": {"move": [(0,), (1,)]},
    "puzzles/lights-out-3x3.kif": {"press": [(0, 1)]},
    "kayles/kayles-7.kif": {"single": [(0,)], "double": [(0,)]},
    "puzzles/hanoi.kif.jinja": {},  # Its moves name pegs, and places are disks.
}

PILES = {
    # Places and counts.
    "nim/rows.kif.jinja": ("1 2 3", "0 1 2 3 4 5"),
    "subtraction/sg-125.kif": ("1 2 3", "0 1 2 3 4 5 6 7 8 9 10 11 12"),
    "subtraction/sg-157-floor-2.kif": ("1 2 3", "0 1 2 3 4 5 6 7 8 9 10 11 12"),
    "hackenbush/stalks.kif.jinja": ("1 2", "0 1 2 3"),
    "simultaneous/rock-paper-scissors.kif": ("left right", "0 1 2"),
}


def words(names) -> str:
    return " ".join(map(str, names))


def board_of(name: str) -> Board:
    (board,) = plan_of(game(name)).layout.boards
    return board


@pytest.mark.parametrize("name", ONE_BOARD)
def test_one_board_of_columns_and_rows(name: str) -> None:
    board = board_of(name)
    assert (words(board.columns), words(board.rows)) == ONE_BOARD[name]
    assert (board.slices, board.lean, board.points) == ((), 0, {})


def test_only_what_falls_or_begins_apart_is_upright() -> None:
    upright = {name for name in ONE_BOARD if board_of(name).upright}
    assert upright == {"connect-four/connect-four.kif.jinja", "fox-and-geese/fox-and-geese.kif"}


def test_the_first_role_begins_at_the_bottom() -> None:
    scene = scene_of(game("fox-and-geese/fox-and-geese.kif").initial)
    (drawn,) = scene.boards
    (fox,) = (key for key, (mark,) in drawn.cells.items() if mark.owner == 0)
    assert fox[drawn.board.row] == drawn.board.rows[-1]


@pytest.mark.parametrize("name", BLANK)
def test_what_stands_for_an_empty_place(name: str) -> None:
    (layer,) = board_of(name).layers
    assert (layer.blank and words(layer.blank)) == BLANK[name]


@pytest.mark.parametrize("name", OWNERS)
def test_whose_the_contents_are(name: str) -> None:
    (marks,) = plan_of(game(name)).marks
    assert {words(content): m.owner for (_, content), m in marks.items()} == OWNERS[name]


@pytest.mark.parametrize("name", CLICKS)
def test_where_to_click(name: str) -> None:
    clicks = plan_of(game(name)).clicks
    found = {
        relation: [tuple(path and path[0] for path in click.paths) for click in own]
        for (relation, _), own in clicks.items()
    }
    assert found == CLICKS[name]


@pytest.mark.parametrize("name", PILES)
def test_piles(name: str) -> None:
    layout = plan_of(game(name)).layout
    (piles,) = layout.piles
    assert (words(key[0] for key in piles.keys), words(piles.counts)) == PILES[name]
    assert layout.boards == ()


def test_piles_are_as_high_as_they_are() -> None:
    ((name, piles),) = scene_of(game("nim/rows.kif.jinja").initial).piles
    assert name == "row"
    assert [(p.name, p.count, p.height, p.most) for p in piles] == [
        ("1", "1", 1, 5),
        ("2", "3", 3, 5),
        ("3", "5", 5, 5),
    ]


def test_a_single_heap_is_a_value() -> None:
    scene = scene_of(game("subtraction/sg-123-21.kif").initial)
    assert (scene.boards, scene.piles, scene.values) == ((), (), (("heap", "21/21"),))


def test_whose_turn_it_is_is_no_fact_to_list() -> None:
    for name in ONE_BOARD:
        initial = game(name).initial
        scene = scene_of(initial)
        assert scene.facts == ()
        assert scene.roles[scene.turn] == initial.control


def test_nobody_alone_has_the_turn_where_all_move_at_once() -> None:
    assert scene_of(game("simultaneous/rock-paper-scissors.kif").initial).turn is None


HEX = """
(role red) (role blue) (init (control red)) (succ 1 2) (succ 2 3) (succ 3 4)
(index 1) (index 2) (index 3) (index 4)
(<= (init (cell ?x ?y free)) (index ?x) (index ?y))
(<= (legal ?r (put ?x ?y)) (true (control ?r)) (true (cell ?x ?y free)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control ?r)) (role ?r) (not (true (control ?r))))
(<= (next (cell ?x ?y ?r)) (does ?r (put ?x ?y)))
(<= (hit ?x ?y) (does ?r (put ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (hit ?x ?y)))
(<= (near ?x ?y ?x ?v) (index ?x) (succ ?y ?v))
(<= (near ?x ?y ?x ?v) (index ?x) (succ ?v ?y))
(<= (near ?x ?y ?u ?y) (index ?y) (succ ?x ?u))
(<= (near ?x ?y ?u ?y) (index ?y) (succ ?u ?x))
(<= (near ?x ?y ?u ?v) (succ ?x ?u) DIAGONAL)
(<= (near ?x ?y ?u ?v) (succ ?u ?x) LANOGAID)
(<= (joined ?x ?y ?u ?v) (true (cell ?x ?y ?r)) (true (cell ?u ?v ?r)) (near ?x ?y ?u ?v))
(<= terminal (true (cell 1 1 red)) (joined 1 1 1 2)) (goal red 50) (goal blue 50)
"""


@pytest.mark.parametrize(("up", "lean"), [(True, 1), (False, -1)])
def test_hexagons_lean_to_the_side_where_no_neighbour_is(up: bool, lean: int) -> None:
    ways = ("(succ ?v ?y)", "(succ ?y ?v)")
    one, other = ways if up else ways[::-1]
    sheet = ggp.parse(HEX.replace("DIAGONAL", one).replace("LANOGAID", other))
    (board,) = plan_of(sheet).layout.boards
    assert board.lean == lean


def test_squares_do_not_lean() -> None:
    lines = [line for line in HEX.splitlines() if "DIAGONAL" not in line and "LANOG" not in line]
    sheet = ggp.parse("\n".join(lines))
    (board,) = plan_of(sheet).layout.boards
    assert board.lean == 0


def test_hex() -> None:
    """A public sheet of Hex: its cells have six neighbours, so its rows lean."""
    board, *_ = plan_of(game("hex")).layout.boards
    assert abs(board.lean) == 1
    assert len(board.columns) == len(board.rows) == 9


BOXES = """
(role robot) (index 1) (index 2) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (init (cell ?a ?b ?c ?d b)) (index ?a) (index ?b) (index ?c) (index ?d))
(<= (legal robot (fill ?a ?b ?c ?d ?n)) (true (cell ?a ?b ?c ?d b)) (index ?n)
    (not (row ?a ?b ?n)) (not (column ?c ?d ?n)) (not (box ?a ?c ?n)))
(<= (row ?a ?b ?n) (index ?n) (true (cell ?a ?b ?c ?d ?n)))
(<= (column ?c ?d ?n) (index ?n) (true (cell ?a ?b ?c ?d ?n)))
(<= (box ?a ?c ?n) (index ?n) (true (cell ?a ?b ?c ?d ?n)))
(<= (next (cell ?a ?b ?c ?d ?n)) (does robot (fill ?a ?b ?c ?d ?n)))
(<= (hit ?a ?b ?c ?d) (does robot (fill ?a ?b ?c ?d ?n)))
(<= (next (cell ?a ?b ?c ?d ?n)) (true (cell ?a ?b ?c ?d ?n)) (not (hit ?a ?b ?c ?d)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4))) (goal robot 0)
"""


def test_boxes_lie_where_their_rows_and_columns_do() -> None:
    """Sudoku, its rows named by two arguments, a band and a row within it, and so its columns."""
    (board,) = plan_of(ggp.parse(BOXES)).layout.boards
    assert board.slices == (0, 2)
    assert (board.row, board.column) == (1, 3)


def wandering(places: str, facts: str, *ways: str) -> ggp.Game:
    """A stone that goes from place to place, each of one letter, where one of some ways leads."""
    rest = " ".join(f"(init (on {one} none))" for one in places[1:])
    steps = " ".join(f"(<= (near ?x ?y) {way})" for way in ways)
    return ggp.parse(
        f"""(role white) {facts} (init (on a stone)) {rest} {steps}
        (<= (legal white (move ?x ?y)) (true (on ?x stone)) (near ?x ?y))
        (<= (next (on ?y stone)) (does white (move ?x ?y)))
        (<= (next (on ?x none)) (does white (move ?x ?y)))
        (<= (next (on ?z none)) (true (on ?z none)) (does white (move ?x ?y)) (distinct ?z ?y))
        (<= terminal (true (on d stone))) (goal white 100)"""
    )


def test_places_joined_by_several_relations() -> None:
    """A ring of six places that two static relations of three arguments join, by role."""
    ring = "abcdef"
    steps = " ".join(
        f"(to white {one} {other}) (fro white {other} {one})"
        for one, other in zip(ring, ring[1:] + ring[0], strict=True)
    )
    facts = f"{steps} (join to) (join fro)"
    sheet = wandering(ring, facts, "(to white ?x ?y)", "(fro white ?x ?y)")
    (board,) = plan_of(sheet).layout.boards
    assert set(words(key[0] for key in board.points)) >= set(ring)
    far = {
        key[0].name: sorted(
            (x - u) ** 2 + (y - v) ** 2 for other, (u, v) in board.points.items() if other != key
        )
        for key, (x, y) in board.points.items()
    }
    # Each has two neighbours, as near as each other.
    assert all(0.8 < own[1] / own[0] < 1.25 for own in far.values())


CUBE = [(i, j) for i in range(8) for j in range(8) if (i ^ j).bit_count() == 1]


def test_places_that_lie_in_no_one_plane_are_not_drawn_in_one() -> None:
    """Of a cube three directions are equally wide: which two are drawn, the arithmetic of the
    machine would choose, so that the same game in other words was drawn otherwise."""
    places = "abcdefgh"
    steps = " ".join(f"(step {places[i]} {places[j]})" for i, j in CUBE)
    (board,) = plan_of(wandering(places, steps, "(step ?x ?y)")).layout.boards
    assert not board.points
