"""Which moves are meant by cells that are clicked one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.show.board.families import Row
from ggp.show.board.scene import Move

Spot = tuple[int, Row]
"""A cell: the number of its board, and its names."""


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
