"""A number for each packed position, without gaps where fields are free: by rank, and in it by the
codes of the fields.

Enumerative coding: the number of a position is how many there are before it, counted field by field
from tables of how many ways the fields that follow have to a sum of weights (Cover, "Enumerative
source encoding", IEEE Transactions on Information Theory 19, 1973). What it takes to find it, or to
find the position of a number, hangs on the fields alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.later import Later
from ggp.machine import Coding, Field, Rows
from ggp.solver.layers.ranks import Ranks
from ggp.solver.layers.windows import windows

if TYPE_CHECKING:
    from ggp.solver.layers import number_kernels
else:
    number_kernels = Later("ggp.solver.layers.number_kernels")

MAX_TABLE = 1 << 22
"""Entries of the table of positions before a value."""

WIDTH = 8
"""Bits of a window, unless one field has more: for these few tables fit a cache."""


class Numbering:
    """The bijection from all settings of a coding's fields to the numbers below `size`.

    Of those of one rank the numbers follow one another, and lower ranks come first. Ranks are
    counted from `lowest`.
    """

    def __init__(self, coding: Coding, ranks: Ranks) -> None:
        self._words = coding.words
        self._windows = windows(coding, range(len(coding.fields)), WIDTH)
        fields = [_weights_of(field, ranks.weights) for field in coding.fields]
        spread = 1 + sum(max(weights) - min(weights) for weights in fields)
        places = sum(1 << width for _, width, _ in self._windows.tolist())
        self._weights = np.zeros(places, dtype=np.int32)
        self._before = np.zeros((spread, places), dtype=np.int64)
        # Ways that windows from some one on have to a sum; beyond the last there is one, to zero.
        ways = np.zeros(2 * spread, dtype=np.int64)
        ways[0] = 1
        for first, width, place in reversed(self._windows.tolist()):
            values = np.arange(1 << width)
            weights = np.zeros(1 << width, dtype=np.int64)
            is_setting = np.ones(1 << width, dtype=np.bool_)
            for field, own in zip(coding.fields, fields, strict=True):
                if first <= field.first < first + width:
                    codes = values >> (field.first - first) & ((1 << field.width) - 1)
                    is_setting &= codes < len(own)
                    weights += (np.array(own) - min(own))[np.minimum(codes, len(own) - 1)]
            # At negative places of `ways`, in its upper half, there is none.
            weights[~is_setting] = spread
            counts = ways[np.arange(spread)[:, None] - weights]
            ends = np.cumsum(counts, axis=1)
            self._weights[place : place + len(values)] = weights
            self._before[:, place : place + len(values)] = ends - counts
            ways[:spread] = ends[:, -1]
        self._starts = np.concatenate([[0], np.cumsum(ways[:spread])])
        self.size = int(self._starts[-1])
        # As the sums are told elsewhere: what always holds may weigh something there.
        self.lowest = 0
        self.lowest = int(ranks(self.rows(np.zeros(1, dtype=np.int64), 0))[0])

    @classmethod
    def of(cls, coding: Coding, ranks: Ranks, most: int) -> Numbering | None:
        """The numbering, if there are at most so many numbers and it takes small tables."""
        fields = [_weights_of(field, ranks.weights) for field in coding.fields]
        spread = 1 + sum(max(weights) - min(weights) for weights in fields)
        cut = windows(coding, range(len(fields)), WIDTH)
        places = sum(1 << width for _, width, _ in cut.tolist())
        is_small = prod(map(len, fields)) <= most and places * spread <= MAX_TABLE
        return cls(coding, ranks) if is_small else None

    @property
    def spread(self) -> int:
        """How many ranks there may be."""
        return len(self._starts) - 1

    @property
    def ranks(self) -> range:
        """All ranks that there may be."""
        return range(self.lowest, self.lowest + self.spread)

    def bounds(self, rank: int) -> tuple[int, int]:
        """The first number of a rank, and the one after its last."""
        own = rank - self.lowest
        return int(self._starts[own]), int(self._starts[own + 1])

    def numbers(self, rows: Rows) -> NDArray[np.int64]:
        """The number of each row."""
        out = np.empty(len(rows), dtype=np.int64)
        number_kernels.numbers_of(rows, *self._tables, out)
        return out

    def rows(self, numbers: NDArray[np.int64], rank: int) -> Rows:
        """The rows of some numbers of a rank."""
        rows = np.zeros((len(numbers), self._words), dtype=np.uint64)
        own = rank - self.lowest
        number_kernels.rows_of(
            numbers, own, self._windows, self._weights, self._before, self._starts, rows
        )
        return rows

    def enter(
        self, rows: Rows, below: int, kept: NDArray[np.uint8], is_reached: NDArray[np.uint8]
    ) -> bool:
        """Mark rows as found in an array (`size`,), and their ranks, counted from the lowest, in
        another; whether all are below a rank: if not, some may not be marked."""
        own = below - self.lowest
        return bool(number_kernels.enter(rows, *self._tables, own, kept, is_reached))

    def ask(self, rows: Rows, kept: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], int]:
        """The codes that an array (`size`,) has of rows, `MISSING` for those without, whose number
        comes second."""
        found = np.empty(len(rows), dtype=np.uint8)
        return found, int(number_kernels.ask(rows, *self._tables, kept, found))

    @property
    def _tables(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
        return self._windows, self._weights, self._before, self._starts


def _weights_of(field: Field, weights: Mapping[int, int]) -> list[int]:
    """The weight of each code of a field; of code 0 without a fluent it is 0."""
    found = [0] * (field.codes[-1][1] + 1)
    for fluent, code in field.codes:
        found[code] = weights.get(fluent, 0)
    return found
