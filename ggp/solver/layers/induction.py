"""Backward induction on layers of packed positions: forward once for the positions, and back for
their values, the moves being made again.

A layer holds the positions of one rank, a weighted sum of fluents that falls with every move; that
it does is looked at with each move that is made, so that nothing hangs on how the weights were
found. Each layer is sorted once (`keys`). Two passes of moves and no edges: Romein and Bal,
"Solving Awari with parallel retrograde analysis", IEEE Computer 36, 2003; Edelkamp and Kissmann,
"On the complexity of BDDs for state space search: a case study in Connect Four", AAAI 2011, for
general games.

The positions may be divided into parts, which work on each layer side by side (`part`); here is
what leads them from layer to layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ggp.errors import NotSolvable
from ggp.limits import Budget
from ggp.machine import Rows
from ggp.solver.layers.division import Expanded
from ggp.solver.layers.keys import Layer

MAX_SCORES = 250
"""Different results of play, of which a byte holds the number."""


class Valued(Protocol):
    """The positions of one rank, valued."""

    def __len__(self) -> int: ...

    def look_up(self, wanted: Rows) -> tuple[NDArray[np.uint8], int]:
        """The codes of wanted keys; how many of these are not there. See `Layer`."""


@runtime_checkable
class Near(Valued, Protocol):
    """The positions of one rank, valued, in this process: each at a place of its own."""

    @property
    def places(self) -> int:
        """Positions have places below this."""

    def find(self, wanted: Rows) -> tuple[NDArray[np.int64], int]:
        """The places of wanted keys; how many of these are not there."""

    def codes(self, places: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The codes of the positions at some places."""

    def pieces(self, size: int) -> Iterator[tuple[NDArray[np.int64], Rows]]:
        """The places of all positions, and their keys, so many at a time."""

    def sorted(self) -> Layer:
        """The positions in order of their keys."""


@dataclass(frozen=True, eq=False)
class Layers:
    """A game solved: for each rank that positions have the layer of them.

    `scores`: payoffs of the first player, ascending, of which the codes are numbers; `total`: what
    two players have together, None for a single one. `moves`: joint moves between the positions.
    """

    ranks: tuple[int, ...]
    layers: Mapping[int, Valued]
    scores: tuple[int, ...]
    total: int | None
    moves: int

    def __len__(self) -> int:
        return sum(map(len, self.layers.values()))

    @property
    def near(self) -> dict[int, Near]:
        """The layers that are in this process."""
        return {rank: layer for rank, layer in self.layers.items() if isinstance(layer, Near)}


class Parts(Protocol):
    """All parts of the positions of a game, each step being made by all of them before the next."""

    def begin(self, rows: Rows) -> None:
        """Enter the rows that play starts from."""

    def next_rank(self, below: int | None) -> int | None:
        """The highest rank that a part has positions of, of those below the one that is given."""

    def expand(self, rank: int) -> Sequence[Expanded]:
        """Enter what the positions of a rank lead to."""

    def turned(self) -> None:
        """All positions are known; from now on they are valued."""

    def value(self, rank: int, scores: NDArray[np.int64]) -> None:
        """Value the positions of a rank."""

    def layers(self, sizes: Mapping[int, int]) -> Mapping[int, Valued]:
        """The layers, all being valued, of ranks with so many positions."""


class Induction:
    """Solves what some rows lead to, of which `parts` have the positions.

    `players`: how many. Raises `LimitReached`.
    """

    def __init__(self, parts: Parts, players: int, budget: Budget) -> None:
        self._parts, self._players, self._budget = parts, players, budget

    def run(self, rows: Rows) -> Layers:
        """All positions that the rows lead to, solved."""
        parts = self._parts
        parts.begin(rows)
        sizes: dict[int, int] = {}
        results: set[int] = set()
        moves = 0
        rank = parts.next_rank(None)
        while rank is not None:
            found = parts.expand(rank)
            sizes[rank] = sum(one.positions for one in found)
            moves += sum(one.moves for one in found)
            results.update(*(one.results for one in found))
            self._budget.spend(sum(sizes.values()))
            rank = parts.next_rank(rank)
        scores, total = self._scores(results)
        parts.turned()
        for rank in reversed(sizes):
            parts.value(rank, scores)
        layers = parts.layers(dict(reversed(sizes.items())))
        return Layers(tuple(sizes), layers, tuple(scores.tolist()), total, moves)

    def _scores(self, results: set[int]) -> tuple[NDArray[np.int64], int | None]:
        """Payoffs of the first player, and the sum of both."""
        first = sorted({result >> 32 for result in results})
        if len(first) > MAX_SCORES:
            raise NotSolvable(f"layers: more than {MAX_SCORES} different results of play")
        if self._players == 1:
            return np.array(first, dtype=np.int64), None
        totals = {(result >> 32) + (result & 0xFFFFFFFF) for result in results}
        if len(totals) != 1:
            raise NotSolvable("layers: the interests of the two roles are not opposed")
        return np.array(first, dtype=np.int64), totals.pop()
