"""Moves are told by clicks on places that are there, or else listed."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ggp import State
from ggp.show.board import scene_of, scene_svg
from ggp.show.board.data import scene_json
from tests.show.board.sheets import NAMES, game

AMBIGUOUS = ("kayles/", "colouring/", "bisimulation/", "puzzles/sudoku")
"""Sheets with different moves at one place: one skittle or two, another colour, the vertex that a
token goes to, the number that is put there."""


def states_of(name: str) -> list[State]:
    """Some states of a play."""
    return [state for state, _ in game(name).random_playout(seed=3)][:8]


@pytest.mark.parametrize("name", NAMES)
def test_clicked_places_are_on_the_board(name: str) -> None:
    for state in states_of(name):
        scene = scene_of(state, moves=True)
        legal = [] if state.terminal else [m for r in state.game.roles for m in state.legal(r)]
        assert [move.text for move in scene.moves] == legal
        for move in scene.moves:
            for board, keys in move.clicks:
                assert keys
                assert keys <= scene.grounds[board].keys


@pytest.mark.parametrize("name", NAMES)
def test_places_of_pictures_have_the_numbers_of_the_data(name: str) -> None:
    scene = scene_of(game(name).initial)
    told = scene_json(scene)["boards"]
    root = ElementTree.fromstring(scene_svg(scene))
    drawn = [own for own in root.iter() if own.get("class") == "place"]
    assert len(drawn) == sum(len(board["places"]) for board in told)
    for own in drawn:
        place = told[int(own.get("data-board"))]["places"][int(own.get("data-place"))]
        assert own[0].text.startswith(f"{' '.join(place)}: ")


def test_a_pile_is_clicked_and_drawn_with_its_number() -> None:
    scene = scene_of(game("nim/rows.kif.jinja").initial, moves=True)
    (ground,) = scene.grounds
    for move in scene.moves:
        if move.clicks:
            ((number, (key,)),) = move.clicks
            assert (number, key) == (0, move.text.args[:1])
    root = ElementTree.fromstring(scene_svg(scene))
    drawn = {own[0].text: own for own in root.iter() if own.get("class") == "place pile"}
    for key, place in ground.numbers.items():
        own = next(pile for title, pile in drawn.items() if title.startswith(f"{key[0]}: "))
        assert (own.get("data-board"), own.get("data-place")) == ("0", str(place))


TOLD_APART = [name for name in NAMES if not name.startswith(AMBIGUOUS)]


@pytest.mark.parametrize("name", TOLD_APART)
def test_clicks_tell_the_moves_of_a_role_apart(name: str) -> None:
    for state in states_of(name):
        scene = scene_of(state, moves=True)
        # A pile does not tell how many are taken.
        on_boards = range(len(scene.boards))
        moves = [m for m in scene.moves if m.clicks and all(b in on_boards for b, _ in m.clicks)]
        assert len({(move.role, move.clicks) for move in moves}) == len(moves)


def test_moves_at_one_place_are_all_listed() -> None:
    moves = scene_of(game("kayles/kayles-7.kif").initial, moves=True).moves
    at_one = [str(m.text) for m in moves if any("1" in map(str, k) for _, (k,) in m.clicks)]
    assert at_one == ["(double 1)", "(single 1)"]


@pytest.mark.parametrize("name", ["clobber/clobber-4x4.kif", "fox-and-geese/fox-and-geese.kif"])
def test_pieces_are_clicked_first_and_then_where_they_go(name: str) -> None:
    for state, joint in game(name).random_playout(seed=5):
        for move in scene_of(state, moves=True).moves if joint else ():
            if len(move.clicks) < 2:
                continue
            scene = scene_of(state)
            (_, (start,)), (_, (end,)) = move.clicks
            cells = scene.boards[0].cells
            assert [mark.owner for mark in cells[start]] == [move.role]
            assert all(mark.owner != move.role for mark in cells.get(end, ()))


def test_a_column_is_all_of_its_places() -> None:
    scene = scene_of(game("connect-four/connect-four.kif.jinja").initial, moves=True)
    drops = [move for move in scene.moves if move.clicks]
    assert len(drops) == 4
    assert all(len(keys) == 4 for move in drops for _, keys in move.clicks)


def test_only_what_a_move_changed_is_shown_as_changed() -> None:
    start = game("tic-tac-toe/tic-tac-toe.kif").initial
    after = start.play("(mark 2 3)")
    (drawn,) = scene_of(after, start).boards
    assert [" ".join(map(str, key)) for key in drawn.changed] == ["2 3"]
    (drawn,) = scene_of(after).boards
    assert drawn.changed == frozenset()
