"""Heaps whose values repeat for ever from some size on."""

from __future__ import annotations

from abc import ABC, abstractmethod


class Periodic(ABC):
    """A game of heaps with a proved period; where none is known, asking raises `ValueError`."""

    @property
    @abstractmethod
    def _periodicity(self) -> tuple[int, int]:
        """Preperiod and period, in sizes above the least."""

    @property
    def period(self) -> int:
        """The length after which the nim-values repeat, proved."""
        return self._periodicity[1]

    @property
    def preperiod(self) -> int:
        """The number of sizes, from the least, before the periodic part begins; proved."""
        return self._periodicity[0]


def proved_period(values: list[int], most: int) -> tuple[int, int] | None:
    """Preperiod and period of what the heaps of an octal game are worth, where these values prove
    them for ever; the least period that does.

    If the values of n and n + p agree for n₀ ≤ n < 2n₀ + p + k, k being the most that is taken,
    they always do from n₀ on: an option of a larger heap has a part so large that it may be made
    less by p (Guy and Smith 1956; of misère quotients: T. Plambeck, Integers 5, 2005, G5).
    """
    count = len(values)
    for period in range(1, count):
        # The first size from which on all that is known repeats.
        start = count - period
        while start and values[start - 1] == values[start - 1 + period]:
            start -= 1
        if 2 * start + period + most <= count - period:
            return start, period
    return None
