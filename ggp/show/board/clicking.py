"""Which moves are meant by cells that are clicked one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import GgpError
from ggp.game import State
from ggp.show.board.families import Row
from ggp.show.board.scene import Move, Scene, scene_of

Spot = tuple[int, Row]
"""A cell: the number of its board, and its names."""

MAX_CLICKED = 20_000
"""Moves of a state beyond which cells are not asked for: the list is there."""


def offered(
    state: State, before: State | None, role: str | None
) -> tuple[Scene | None, tuple[Move, ...]]:
    """The scene of a state, None where nothing can be drawn, and the moves of a role, if one is
    given; `before` as of `scene_of`."""
    legal = state.legal(role) if role else ()
    try:
        scene = scene_of(state, before, moves=0 < len(legal) <= MAX_CLICKED)
    except GgpError:
        # No plan of a board: the rules go wrong in some plays, or take too long.
        scene = None
    own = state.game.role_index(role) if role else -1
    moves = tuple(move for move in scene.moves if move.role == own) if scene else ()
    return scene, moves or tuple(Move(own, move, ()) for move in legal)


def meant(moves: Sequence[Move], clicked: Sequence[Spot]) -> list[Move]:
    """The moves whose clicks begin with these."""
    return [move for move in moves if _begins(move, clicked)]


def click(moves: Sequence[Move], clicked: Sequence[Spot], spot: Spot) -> tuple[Spot, ...]:
    """What is clicked after one more click: a cell that leads nowhere begins anew, or undoes all
    if it was clicked before or begins nothing."""
    further = (*clicked, spot)
    if meant(moves, further):
        return further
    return (spot,) if spot not in clicked and meant(moves, [spot]) else ()


def complete(moves: Sequence[Move], clicked: Sequence[Spot]) -> list[Move]:
    """The moves that are meant, if none of them needs another click."""
    found = meant(moves, clicked)
    return found if clicked and all(len(m.clicks) == len(clicked) for m in found) else []


def targets(moves: Sequence[Move], clicked: Sequence[Spot]) -> set[Spot]:
    """The cells that can be clicked next."""
    at = len(clicked)
    return {
        (move.clicks[at][0], key)
        for move in meant(moves, clicked)
        if len(move.clicks) > at
        for key in move.clicks[at][1]
    }


def _begins(move: Move, clicked: Sequence[Spot]) -> bool:
    return len(move.clicks) >= len(clicked) and all(
        board == own and key in keys
        for (board, key), (own, keys) in zip(clicked, move.clicks, strict=False)
    )
