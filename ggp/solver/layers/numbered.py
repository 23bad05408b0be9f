"""All positions of a game by their numbers: a byte for each number that a position may have.

Where many of the settings of the fields are positions, a byte each takes less than their keys, and
nothing is sorted. Forward a byte says that a position was found, back what its value is (two-bit
and byte tables by perfect hashing: Edelkamp, Sulewski and Yücel, "Perfect hashing for state space
exploration on the GPU", ICAPS 2010).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.later import Later
from ggp.limits import Budget
from ggp.machine import Progress, Rows
from ggp.solver.layers.division import Expanded
from ggp.solver.layers.keys import Layer, mixed, sorted_set, unmixed
from ggp.solver.layers.moving import Moving, NotRanked
from ggp.solver.layers.numbering import Numbering
from ggp.solver.layers.payoffs import Payoffs
from ggp.solver.layers.workers import Workers

if TYPE_CHECKING:
    from ggp.solver.layers import kernels, number_kernels
else:
    kernels = Later("ggp.solver.layers.kernels")
    number_kernels = Later("ggp.solver.layers.number_kernels")

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NumberedLayer:
    """Positions of a rank, so many of them, in the array that is `kept` of all numbers."""

    numbering: Numbering
    rank: int
    kept: NDArray[np.uint8]
    count: int

    def __len__(self) -> int:
        return self.count

    @property
    def places(self) -> int:
        """Positions have places below this."""
        first, stop = self.numbering.bounds(self.rank)
        return stop - first

    def look_up(self, wanted: Rows) -> tuple[NDArray[np.uint8], int]:
        """The codes of wanted keys; how many of these are not there. See `Layer`."""
        return self.numbering.ask(unmixed(wanted), self.kept)

    def find(self, wanted: Rows) -> tuple[Numbers, int]:
        """The places of wanted keys; how many of these are not there."""
        rows = unmixed(wanted)
        numbers = self.numbering.numbers(rows)
        missing = int((self.kept[numbers] < number_kernels.VALUED).sum())
        return numbers - self.numbering.bounds(self.rank)[0], missing

    def codes(self, places: Numbers) -> NDArray[np.uint8]:
        """The codes of the positions at some places."""
        first, _ = self.numbering.bounds(self.rank)
        found: NDArray[np.uint8] = self.kept[first + places] - np.uint8(number_kernels.VALUED)
        return found

    def pieces(self, size: int) -> Iterator[tuple[Numbers, Rows]]:
        """The places of all positions, and their keys, so many at a time."""
        first, _ = self.numbering.bounds(self.rank)
        for numbers in listed(self.numbering, self.kept, self.rank, size):
            yield numbers - first, mixed(self.numbering.rows(numbers, self.rank))

    def sorted(self) -> Layer:
        """The positions in order of their keys."""
        parts = [keys for _, keys in self.pieces(1 << 16)]
        keys = sorted_set(parts, parts[0].shape[1] if parts else 1)
        return Layer.of(keys, self.look_up(keys)[0])


def listed(
    numbering: Numbering, kept: NDArray[np.uint8], rank: int, size: int
) -> Iterator[Numbers]:
    """The numbers of a rank that positions have, ascending, so many at a time."""
    start, stop = numbering.bounds(rank)
    while start < stop:
        numbers = np.empty(size, dtype=np.int64)
        count, start = number_kernels.list_kept(kept, start, stop, numbers)
        if count:
            yield numbers[:count]


class Numbered:
    """The positions of a game, each by its number, in this process; see `Parts`.

    `tell` is told how many positions were found, and how many of these are done.
    """

    def __init__(
        self,
        moving: Moving,
        numbering: Numbering,
        budget: Budget,
        workers: Workers,
        *,
        swapped: bool = False,
        tell: Progress | None = None,
    ) -> None:
        self._moving, self._numbering, self._budget = moving, numbering, budget
        self._workers, self._tell = workers, tell
        self._payoffs = Payoffs(moving.game, swapped)
        budget.check(f"one byte for each of {numbering.size:,} numbers", numbering.size)
        self._kept = np.zeros(numbering.size, dtype=np.uint8)
        self._is_reached = np.zeros(numbering.spread, dtype=np.uint8)
        self._found = self._done = 0

    def begin(self, rows: Rows) -> None:
        """Enter the rows that play starts from."""
        self._numbering.enter(rows, self._numbering.ranks.stop, self._kept, self._is_reached)

    def next_rank(self, below: int | None) -> int | None:
        """The highest rank that positions are known of, of those below the one that is given."""
        ranks = self._numbering.ranks
        reached = np.flatnonzero(self._is_reached) + ranks.start
        left = reached if below is None else reached[reached < below]
        return int(left[-1]) if len(left) else None

    def expand(self, rank: int) -> list[Expanded]:
        """Enter what the positions of a rank lead to, all of which are known by now."""
        positions = moves = 0
        results: set[int] = set()
        for count, edges, ends in self._workers.in_order(self._moved, self._chunks(rank)):
            positions += count
            moves += edges
            results |= ends
            self._budget.spend(self._found + positions)
            if self._tell:
                self._tell(self._found + positions, self._found + positions)
        self._found += positions
        return [Expanded(positions, moves, frozenset(results))]

    def _chunks(self, rank: int) -> Iterator[tuple[int, Numbers]]:
        size = self._moving.machine.batch
        return ((rank, numbers) for numbers in listed(self._numbering, self._kept, rank, size))

    def _moved(self, case: tuple[int, Numbers]) -> tuple[int, int, set[int]]:
        """How many positions there are, their joint moves, and results at the ends, all that they
        lead to being entered."""
        rank, numbers = case
        rows = self._numbering.rows(numbers, rank)
        packed, looked = self._moving.look(rows)
        ends = looked.mover == kernels.OVER
        for _, after in self._moving.after(rows, packed, looked):
            if not self._numbering.enter(after, rank, self._kept, self._is_reached):
                raise NotRanked
        results = self._payoffs.results(looked.goals[ends])
        return len(rows), int(looked.degree.sum()), results

    def turned(self) -> None:
        """All positions are known; from now on they are valued."""

    def value(self, rank: int, scores: Numbers) -> None:
        """Value the positions of a rank, all that they lead to being valued."""

        def value(case: tuple[int, Numbers]) -> int:
            return self._value(*case, scores)

        for count in self._workers.in_order(value, self._chunks(rank)):
            self._done += count
            self._budget.check(f"{self._done:,} positions valued")
            if self._tell:
                self._tell(self._found, self._done)

    def _value(self, rank: int, numbers: Numbers, scores: Numbers) -> int:
        """Value some positions of a rank; how many they are."""
        rows = self._numbering.rows(numbers, rank)
        packed, looked = self._moving.look(rows)
        ends = looked.mover == kernels.OVER
        codes = np.full(len(rows), kernels.MISSING, dtype=np.uint8)
        codes[ends] = self._payoffs.codes(looked.goals[ends], scores)
        is_low = self._payoffs.is_low(looked.mover)
        for here, after in self._moving.after(rows, packed, looked):
            found, missing = self._numbering.ask(after, self._kept)
            assert not missing
            kernels.choose(looked.degree[here], is_low[here], found, codes[here])
        self._kept[numbers] = codes + np.uint8(number_kernels.VALUED)
        return len(rows)

    def layers(self, sizes: Mapping[int, int]) -> dict[int, NumberedLayer]:
        """The layers, all being valued, of ranks with so many positions."""
        return {
            rank: NumberedLayer(self._numbering, rank, self._kept, count)
            for rank, count in sizes.items()
        }
