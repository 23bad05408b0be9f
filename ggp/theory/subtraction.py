"""Subtraction games: from a heap of n, take d tokens for a d in the subtraction set."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from ggp.theory.nimbers import mex
from ggp.theory.periodic import Periodic


class SubtractionGame(Periodic):
    """One heap under normal play. `floor` is the size below which a heap cannot fall.

    >>> game = SubtractionGame({1, 2, 5})
    >>> game.nim_values(8)
    [0, 1, 2, 0, 1, 2, 0, 1, 2]
    >>> game.preperiod, game.period, game.nim_value(10**18)
    (0, 3, 1)
    """

    MAX_PERIOD_SEARCH = 2_000_000

    def __init__(self, subtraction_set: Iterable[int], floor: int = 0) -> None:
        self.subtraction_set = tuple(sorted(set(subtraction_set)))
        self.floor = floor
        if not self.subtraction_set or self.subtraction_set[0] < 1:
            raise ValueError("a subtraction set holds positive integers, at least one")
        self._values: list[int] = []

    def __repr__(self) -> str:
        floor = f", floor={self.floor}" if self.floor else ""
        return f"SubtractionGame({set(self.subtraction_set)}{floor})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SubtractionGame):
            return NotImplemented
        return (self.subtraction_set, self.floor) == (other.subtraction_set, other.floor)

    def __hash__(self) -> int:
        return hash((self.subtraction_set, self.floor))

    def options(self, size: int) -> list[int]:
        """The sizes that a heap can be left with, descending."""
        return [size - d for d in self.subtraction_set if size - d >= self.floor]

    def _extend(self, count: int) -> list[int]:
        """Nim-values of the first `count` sizes from the floor upward, at least."""
        values = self._values
        while len(values) < count:
            n = len(values)
            values.append(mex(values[n - d] for d in self.subtraction_set if d <= n))
        return values

    def nim_values(self, size: int) -> list[int]:
        """The nim-values of the sizes `floor`, `floor + 1`, …, `size`."""
        return self._extend(size - self.floor + 1)[: max(0, size - self.floor + 1)]

    @cached_property
    def _periodicity(self) -> tuple[int, int]:
        """Preperiod and period, in sizes above the floor.

        A value depends on the max(S) values before it only, so that the first repetition of a
        window of max(S) consecutive values proves the period for ever (Winning Ways, chapter 4).
        """
        width = self.subtraction_set[-1]
        first_seen: dict[bytes, int] = {}
        for n in range(self.MAX_PERIOD_SEARCH):
            values = self._extend(n + width)
            window = b"".join(v.to_bytes(4, "little") for v in values[n : n + width])
            if window in first_seen:
                return self._minimal(first_seen[window], n - first_seen[window])
            first_seen[window] = n
        raise ValueError(f"no period found within {self.MAX_PERIOD_SEARCH:,} sizes")

    def _minimal(self, preperiod: int, period: int) -> tuple[int, int]:
        """Shorten a proved preperiod as far as the values themselves repeat."""
        values = self._extend(preperiod + 2 * period)
        while preperiod and values[preperiod - 1] == values[preperiod - 1 + period]:
            preperiod -= 1
        return preperiod, period

    def nim_value(self, size: int) -> int:
        """The nim-value of a heap of any size at or above the floor, however large."""
        n = size - self.floor
        if n < 0:
            raise ValueError(f"a heap of {size} lies below the floor {self.floor}")
        if n >= self.preperiod + self.period:
            n = self.preperiod + (n - self.preperiod) % self.period
        return self._extend(n + 1)[n]
