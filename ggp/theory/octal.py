"""Octal games: from a heap of n, take k tokens if digit k of the code allows it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ggp.theory.nimbers import mex, nim_sum
from ggp.theory.periodic import Periodic, proved_period


class OctalGame(Periodic):
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

    def nim_value(self, size: int) -> int:
        """The nim-value of a heap of any size; of a large one raises `ValueError` where no period
        is known."""
        if size < 0:
            raise ValueError(f"a heap of {size} tokens")
        if size >= 1024:
            size = self.preperiod + (size - self.preperiod) % self.period
        return self._extend(size + 1)[size]
