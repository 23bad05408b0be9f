"""Heaps whose values repeat for ever from some size on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence


class Periodic(ABC):
    """A game of heaps with a proved period; where none is known, asking raises `ValueError`."""

    @property
    @abstractmethod
    def _periodicity(self) -> tuple[int, int]:
        """Preperiod and period, in sizes above the least."""

    @property
    def period(self) -> int:
        """The length after which the values repeat, proved."""
        return self._periodicity[1]

    @property
    def preperiod(self) -> int:
        """The number of sizes, from the least, before the periodic part begins; proved."""
        return self._periodicity[0]


def proved_period(values: Sequence[Hashable], most: int, parts: int = 2) -> tuple[int, int] | None:
    """Preperiod and period of what heaps are worth, where these values prove them for ever; the
    least period that does. At most `most` tokens are taken, at most `parts` heaps are left.

    If the values of n and n + p agree for n₀ ≤ n < m·n₀ + (m − 1)·p + k, n₀ > 0, k being the most
    that is taken and m the most heaps that are left, they always do from n₀ on: of the heaps that
    a larger one is left as, n + p − t tokens in all, the largest has n₀ + p at least, and may be
    made less by p; the largest of n − t has n₀ at least, and may be made more (m = 2: R. Guy and
    C. Smith 1956; of misère quotients: T. Plambeck, Integers 5, 2005, G5; m = 1: a window of k).
    """
    count = len(values)
    for period in range(1, count):
        # The first size from which on all that is known repeats.
        start = count - period
        while start and values[start - 1] == values[start - 1 + period]:
            start -= 1
        # A heap that is left is never made less to nothing, which may not be left.
        if parts * max(start, 1) + (parts - 1) * period + most <= count - period:
            return start, period
    return None
