"""Games solved in layers by this process alone."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import inf

import numpy as np
from numpy.typing import NDArray

from ggp.limits import Budget
from ggp.machine import Progress, Rows
from ggp.solver.layers.division import Expanded
from ggp.solver.layers.induction import Induction, Layers
from ggp.solver.layers.keys import Layer
from ggp.solver.layers.moving import Moving
from ggp.solver.layers.numbered import Numbered
from ggp.solver.layers.numbering import Numbering
from ggp.solver.layers.part import Part
from ggp.solver.layers.shelf import InMemory, Shelf
from ggp.solver.layers.workers import Workers

SPARSE = 4
"""Positions are kept by their numbers where keys come to take this part of the bytes that these
take, one for each setting of the fields."""

SHARE = 2
"""This part of the memory may be taken by these bytes."""


def solve(
    moving: Moving,
    shelf: Shelf,
    budget: Budget,
    rows: Rows,
    *,
    swapped: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
) -> Layers:
    """All positions that the rows lead to, solved; the outcome does not hang on `threads`.

    In memory positions are kept by their keys first, and by their numbers as soon as these are
    better. Raises `LimitReached`, `NotRanked`.
    """
    players = len(moving.game.players)
    numbering = None
    if isinstance(shelf, InMemory):
        most = budget.limits.memory // SHARE
        numbering = Numbering.of(moving.machine.coding, moving.ranks, most)
    with Workers(threads) as workers:
        top = int(moving.ranks(rows).max())
        part = Part(moving, shelf, budget, top, workers, swapped=swapped, tell=progress)
        if numbering is None:
            return Induction(OnePart(part), players, budget).run(rows)
        with suppress(Crowded):
            whole = OnePart(part, numbering.size // SPARSE)
            return Induction(whole, players, budget).run(rows)
        shelf.close()
        numbered = Numbered(moving, numbering, budget, workers, swapped=swapped, tell=progress)
        return Induction(numbered, players, budget).run(rows)


class Crowded(Exception):
    """Keys take more bytes than they are to take."""


class OnePart:
    """The part of all positions; see `Parts`. Raises `Crowded` above so many bytes, `most`."""

    def __init__(self, part: Part, most: float = inf) -> None:
        self._part, self._most = part, most

    def begin(self, rows: Rows) -> None:
        """Enter the rows that play starts from."""
        self._part.begin(rows)

    def next_rank(self, below: int | None) -> int | None:
        """The highest rank that positions are known of, of those below the one that is given."""
        return self._part.next_rank(below)

    def expand(self, rank: int) -> list[Expanded]:
        """Enter what the positions of a rank lead to."""
        found = self._part.expand(rank)
        if self._part.shelf.nbytes > self._most:
            raise Crowded
        return [found]

    def turned(self) -> None:
        """All positions are known; from now on they are valued."""
        self._part.turned()

    def value(self, rank: int, scores: NDArray[np.int64]) -> None:
        """Value the positions of a rank."""
        self._part.value(rank, scores)

    def layers(self, sizes: Mapping[int, int]) -> dict[int, Layer]:
        """The layers, all being valued, of ranks with so many positions."""
        return {rank: self._part.layer(rank) for rank in sizes}
