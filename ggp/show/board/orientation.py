"""How a board is held: which axis is vertical, which end is up, whether cells are hexagons."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ggp.show.board.families import Row
from ggp.show.board.model import Board, Cells
from ggp.show.board.pieces import Content

FAR = 0.4
"""The part of a board by which the homes of two roles must lie apart."""


def turned(board: Board, states: Sequence[Sequence[Cells]], owned: Mapping[Content, int]) -> Board:
    """A board with two axes the right way up: by gravity, by homes, or so that it is not higher
    than wide. `states`: what lies on it, layer by layer; `owned`: whose it is."""
    row = board.row
    if row is None or board.slices:
        return board
    fallen = _gravity(board, states)
    if fallen is None:
        fallen = _homes(board, states[0], owned)
    if fallen is not None:
        axis, from_end = fallen
        board = replace(board, row=axis, column=1 - axis, upright=True)
        # The first name lies at the bottom unless things fall to the last one.
        return board if from_end else _flipped(board, axis)
    if len(board.rows) > len(board.columns):
        return replace(board, row=board.column, column=row)
    return board


def _flipped(board: Board, axis: int) -> Board:
    axes = list(board.axes)
    axes[axis] = axes[axis][::-1]
    return replace(board, axes=tuple(axes))


def _gravity(board: Board, states: Sequence[Sequence[Cells]]) -> tuple[int, bool] | None:
    """The axis along which things always lie on each other or on one end, and whether that is
    the last one; None where there is none, or both axes are so."""
    filled = [{key for layer in own for key in layer} for own in states]
    if max(map(len, filled), default=0) < 3 or all(own == filled[0] for own in filled):
        return None
    found = [
        (axis, from_end)
        for axis in (0, 1)
        for from_end in (False, True)
        if _falls(board, filled, axis, from_end)
    ]
    return found[0] if len(found) == 1 else None


def _falls(board: Board, filled: Sequence[Collection[Row]], axis: int, from_end: bool) -> bool:
    names = board.axes[axis][::-1] if from_end else board.axes[axis]
    below = dict(zip(names[1:], names, strict=False))
    for own in filled:
        for key in own:
            name = below.get(key[axis])
            if name is not None:
                under = (name, key[1]) if axis == 0 else (key[0], name)
                if under in board.keys and under not in own:
                    return False
    return True


def _homes(
    board: Board, cells: Sequence[Cells], owned: Mapping[Content, int]
) -> tuple[int, bool] | None:
    """The axis along which the pieces of two roles begin apart, and whether those of the first
    role begin at its last names."""
    places: dict[int, list[Row]] = {}
    for at, own in enumerate(cells):
        for key, contents in own.items():
            for content in contents:
                if (at, content) in owned:
                    places.setdefault(owned[at, content], []).append(key)
    if len(places) != 2:
        return None
    first, second = (places[role] for role in sorted(places))
    gaps = []
    for axis in (0, 1):
        rank = {name: i for i, name in enumerate(board.axes[axis])}
        means = [sum(rank[key[axis]] for key in own) / len(own) for own in (first, second)]
        gaps.append((means[0] - means[1]) / max(1, len(rank) - 1))
    axis = 0 if abs(gaps[0]) > abs(gaps[1]) else 1
    if abs(gaps[axis]) < FAR or abs(gaps[1 - axis]) > abs(gaps[axis]) / 2:
        return None
    return axis, gaps[axis] > 0
