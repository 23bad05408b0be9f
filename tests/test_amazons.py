"""Amazons from its sheet against a program of its own: moves, and how many plays there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import ggp
from ggp.solver.valued import PieceValues, values

Board = tuple[str, ...]
Move = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]

WAYS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
NAMES = {"W": "white", "B": "black", "X": "arrow", "_": "empty"}


def reached(board: Board, square: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The squares a queen can go to, rows and columns from 0."""
    for down, right in WAYS:
        r, c = square[0] + down, square[1] + right
        while 0 <= r < len(board) and 0 <= c < len(board[0]) and board[r][c] == "_":
            yield r, c
            r, c = r + down, c + right


def put(board: Board, square: tuple[int, int], what: str) -> Board:
    rows = [list(row) for row in board]
    rows[square[0]][square[1]] = what
    return tuple("".join(row) for row in rows)


def moves(board: Board, side: str) -> dict[Move, Board]:
    """All moves of a side, with the boards that they lead to."""
    found = {}
    for r, row in enumerate(board):
        for c, what in enumerate(row):
            if what == side:
                lifted = put(board, (r, c), "_")
                for to in reached(board, (r, c)):
                    for hit in reached(put(lifted, to, side), to):
                        found[(r, c), to, hit] = put(put(lifted, to, side), hit, "X")
    return found


def perft(board: Board, plies: int) -> list[int]:
    """The positions after each number of moves, each counted once."""
    layer, counts = {board}, [1]
    for ply in range(plies):
        layer = {after for one in layer for after in moves(one, "WB"[ply % 2]).values()}
        counts.append(len(layer))
    return counts


def written(move: Move) -> str:
    return f"(move {' '.join(str(1 + n) for square in move for n in square)})"


@pytest.mark.parametrize(
    "board", [("W__", "__B"), ("W_X_", "_BW_", "___B"), ("_W__", "___B", "B___", "__W_")]
)
def test_moves_are_those_of_the_rules(board) -> None:
    game = ggp.games.load("amazons/amazons", board=list(board))
    for seed in range(3):
        here = board
        for ply, (state, joint) in enumerate(game.random_playout(seed=seed)):
            side = "WB"[ply % 2]
            facts = {
                f"(cell {r + 1} {c + 1} {NAMES[what]})"
                for r, row in enumerate(here)
                for c, what in enumerate(row)
            }
            role = NAMES[side]
            assert set(map(str, state.facts)) == facts | {f"(control {role})"}
            own = moves(here, side)
            assert state.terminal is (not own)
            if state.terminal:
                assert state.goals == {role: 0, NAMES["BW"["WB".index(side)]]: 100}
                break
            assert set(map(str, state.legal(role))) == set(map(written, own))
            assert joint is not None
            here = next(own[move] for move in own if written(move) == str(joint[role]))


@pytest.mark.slow
def test_as_many_positions_as_by_another_program() -> None:
    board = ("W__", "___", "__B")
    game = ggp.games.load("amazons/amazons", board=list(board))
    layer, counts = {game.initial}, [1]
    for _ in range(3):
        layer = {
            state.play(move)
            for state in layer
            if not state.terminal
            for move in state.legal(str(state.control))
        }
        counts.append(len(layer))
    assert counts == perft(board, 3)


def test_a_position_is_the_sum_of_what_arrows_divide() -> None:
    """Two rooms, three squares and two: who is alone in a room has as many moves as it has room."""
    game = ggp.games.load("amazons/amazons", board=["W__X_B"])
    found = values(game)
    assert isinstance(found, PieceValues)
    assert str(found.whole) == "1"
