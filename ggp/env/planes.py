"""States as planes: a board's contents as channels of rows and columns.

The board is the one that `ggp board` draws, found from the rules alone; where a game has several
grids their channels follow one another, and smaller ones are filled up with zeros below and to the
right. A channel is one content of one grid, in the order of the text of the contents. What lies on
no grid (whose turn it is, counters, piles) has one channel for each fluent, all ones or all zeros.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError
from ggp.game import Game
from ggp.kif import Term
from ggp.rules import signature
from ggp.show.board import plan_of
from ggp.show.board.families import Row, pick
from ggp.show.board.model import Board, Layout

NONE = -1
"""No fluent: a place that no board has."""

Place = tuple[int, int]
"""A row and a column."""

Channel = tuple[int, Row, int, Row]
"""The number of a board, the names of one of its grids, the number of a layer, a content."""


@dataclass(frozen=True, eq=False)
class Planes:
    """`fluents` (channels, rows, columns): the fluent whose truth each place shows, or `NONE`.

    `names`: what each channel is.
    """

    fluents: NDArray[np.int64]
    names: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """(channels, rows, columns)."""
        return self.fluents.shape


def planes(game: Game) -> Planes:
    """The planes of a game; raises `InputError` where the rules have no board of rows and columns.

    Raises `LimitReached` without a ground form.
    """
    layout = plan_of(game).layout
    grids = [board for board in layout.boards if not board.points]
    if not grids:
        raise InputError(f"{game.name} has no board of rows and columns: planes show nothing")
    rows = max(max(1, len(board.rows)) for board in grids)
    columns = max(len(board.columns) for board in grids)
    places: dict[Channel, dict[Place, int]] = {}
    loose: list[int] = []
    for number, fluent in enumerate(game.net.fluents):
        found = _place(layout, fluent)
        if found is None:
            loose.append(number)
        else:
            # What is on a board are all arguments of a fluent: no other one has this place.
            places.setdefault(found[0], {})[found[1]] = number
    fluents = np.full((len(places) + len(loose), rows, columns), NONE, dtype=np.int64)
    names = []
    for i, channel in enumerate(sorted(places, key=_rank)):
        for place, number in places[channel].items():
            fluents[(i, *place)] = number
        names.append(_name(layout, channel))
    for i, number in enumerate(loose, start=len(places)):
        fluents[i] = number
        names.append(str(game.net.fluents[number]))
    return Planes(fluents, tuple(names))


def _place(layout: Layout, fluent: Term) -> tuple[Channel, Place] | None:
    """The channel of a fluent, and the row and column; None if it lies on no grid."""
    family = layout.families.get(signature(fluent))
    if family is None or not family.fits(fluent):
        return None
    row = family.row(fluent)
    for number, board in enumerate(layout.boards):
        for at, layer in enumerate(board.layers):
            if layer.family is not family or board.points:
                continue
            key = pick(row, layer.places)
            if key in board.keys:
                grid = tuple(key[axis] for axis in board.slices)
                return (number, grid, at, pick(row, layer.content)), _row_and_column(board, key)
    return None


def _row_and_column(board: Board, key: Row) -> Place:
    column = board.columns.index(key[board.column])
    return (0 if board.row is None else board.rows.index(key[board.row])), column


def _rank(channel: Channel) -> tuple[int, tuple[str, ...], int, tuple[str, ...]]:
    board, grid, layer, content = channel
    return board, tuple(map(str, grid)), layer, tuple(map(str, content))


def _name(layout: Layout, channel: Channel) -> str:
    """The relation of a channel, its content, and its grid where there are several."""
    board, grid, layer, content = channel
    relation = layout.boards[board].layers[layer].family.relation[0]
    return " ".join([relation, *map(str, content), *(f"@{name}" for name in grid)])
