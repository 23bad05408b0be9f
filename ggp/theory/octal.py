"""Octal games: from a heap of n, take k tokens if digit k of the code allows it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ggp.theory.nimbers import mex, nim_sum


class OctalGame:
    """Heaps of an octal code, `0.d1d2d3…`, under normal play.

    Digit k says what may be left when k tokens are taken: nothing (1), one heap (2), two (4), or
    sums of these (R. Guy and C. Smith, Proc. Cambridge Phil. Soc. 52, 1956).

    >>> kayles = OctalGame("0.77")
    >>> kayles.nim_values(9)
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]
    >>> kayles.preperiod, kayles.period, kayles.nim_value(10**18)
    (71, 12, 1)
    """

    MAX_PERIOD_SEARCH = 20_000
    """Sizes up to which a period is sought; the work grows with their square."""

    floor = 0

    def __init__(self, code: str) -> None:
        head, _, digits = code.partition(".")
        if head != "0" or not digits or set(digits) - set("01234567") or not digits.strip("0"):
            raise ValueError(f"no octal code: {code} (one is like 0.137)")
        self.code = f"0.{digits.rstrip('0')}"
        self._digits = [0, *map(int, digits.rstrip("0"))]
        self._values: list[int] = []

    def __repr__(self) -> str:
        return f"OctalGame({self.code!r})"

    @property
    def most(self) -> int:
        """How many tokens are taken at the most."""
        return len(self._digits) - 1

    def options(self, size: int) -> Iterator[tuple[int, ...]]:
        """The heaps that may be left of one, none of them empty, the smaller first."""
        for taken in range(1, min(size, self.most) + 1):
            digit, left = self._digits[taken], size - taken
            if not left:
                if digit & 1:
                    yield ()
                continue
            if digit & 2:
                yield (left,)
            if digit & 4:
                for one in range(1, left // 2 + 1):
                    yield one, left - one

    def _extend(self, count: int) -> list[int]:
        """Nim-values of the sizes below `count`, at least."""
        values = self._values
        while len(values) < count:
            n = len(values)
            values.append(mex(self._sum(option) for option in self.options(n)))
        return values

    def _sum(self, heaps: tuple[int, ...]) -> int:
        return nim_sum(map(self._values.__getitem__, heaps))

    def nim_values(self, size: int) -> list[int]:
        """The nim-values of the sizes 0, 1, …, `size`."""
        return self._extend(size + 1)[: size + 1]

    @cached_property
    def _periodicity(self) -> tuple[int, int]:
        count = 64
        while count <= self.MAX_PERIOD_SEARCH:
            found = proved_period(self._extend(count)[:count], self.most)
            if found:
                return found
            count *= 2
        raise ValueError(f"{self.code}: no period found within {self.MAX_PERIOD_SEARCH:,} sizes")

    @property
    def period(self) -> int:
        """The length after which the nim-values repeat, proved; raises `ValueError`."""
        return self._periodicity[1]

    @property
    def preperiod(self) -> int:
        """The number of sizes before the periodic part begins, proved; raises `ValueError`."""
        return self._periodicity[0]

    def nim_value(self, size: int) -> int:
        """The nim-value of a heap of any size; of a large one raises `ValueError` where no period
        is known."""
        if size < 0:
            raise ValueError(f"a heap of {size} tokens")
        if size >= 1024:
            size = self.preperiod + (size - self.preperiod) % self.period
        return self._extend(size + 1)[size]


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
