"""Octal and hexadecimal games: from a heap, take k tokens if digit k of the code allows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from operator import xor
from typing import ClassVar

from ggp.theory.nimbers import mex
from ggp.theory.periodic import Periodic, proved_period


class CodeGame(Periodic):
    """Heaps of a code, `d0.d1d2d3…`, under normal play.

    Digit k says what may be left when k tokens are taken: nothing (1), one heap (2), two (4),
    three (8), none of them empty, or sums of these. Digit 0 splits a heap and takes nothing, so
    that it has neither 1 nor 2. `look` is called now and then in long work, and may raise.
    """

    DIGITS: ClassVar[str]
    NAME: ClassVar[str]
    """Of the code."""

    MAX_PERIOD_SEARCH = 20_000
    """Sizes up to which a period is sought; the work grows with their square."""

    floor = 0

    def __init__(self, code: str, look: Callable[[], object] | None = None) -> None:
        head, _, tail = code.upper().partition(".")
        rest = tail.rstrip("0")
        splits = list(self.DIGITS[::4])
        known = head in splits and tail and not set(tail) - set(self.DIGITS)
        if not known or not (head + rest).strip("0"):
            raise ValueError(f"no {self.NAME} code: {code} (one is like 0.137)")
        self.code = f"{head}.{rest or '0'}"
        self._digits = [int(digit, 16) for digit in head + rest]
        self._look = look
        self._values: list[int] = []
        self._twos: list[set[int]] = []
        self._threes: dict[int, set[int]] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code!r})"

    @property
    def most(self) -> int:
        """How many tokens are taken at the most."""
        return len(self._digits) - 1

    @property
    def parts(self) -> int:
        """How many heaps are left of one at the most."""
        return max(digit.bit_length() for digit in self._digits) - 1

    def options(self, size: int) -> Iterator[tuple[int, ...]]:
        """The heaps that may be left of one, none of them empty, the smaller first."""
        for taken, digit in enumerate(self._digits[: size + 1]):
            left = size - taken
            if digit & 1 and not left:
                yield ()
            if digit & 2 and left:
                yield (left,)
            if digit & 4:
                for one in range(1, left // 2 + 1):
                    yield one, left - one
            if digit & 8:
                for one in range(1, left // 3 + 1):
                    for two in range(one, (left - one) // 2 + 1):
                        yield one, two, left - one - two

    def _extend(self, count: int) -> list[int]:
        """Nim-values of the sizes below `count`, at least."""
        values = self._values
        while len(values) < count:
            size = len(values)
            if self._look and not size % 64:
                self._look()
            found: set[int] = set()
            for taken, digit in enumerate(self._digits[: size + 1]):
                left = size - taken
                if digit & 1 and not left:
                    found.add(0)
                if digit & 2 and left:
                    found.add(values[left])
                if digit & 4:
                    found |= self._two(left)
                if digit & 8:
                    found |= self._three(left)
            values.append(mex(found))
        return values

    def _two(self, total: int) -> set[int]:
        """The nim-values of two heaps of so many tokens."""
        values, twos = self._values, self._twos
        while len(twos) <= total:
            n = len(twos)
            half = n // 2
            twos.append(set(map(xor, values[1 : half + 1], values[n - 1 : n - half - 1 : -1])))
        return twos[total]

    def _three(self, total: int) -> set[int]:
        """The nim-values of three heaps of so many tokens."""
        if total not in self._threes:
            values = self._values
            self._threes[total] = {
                values[one] ^ two for one in range(1, total - 1) for two in self._two(total - one)
            }
        return self._threes[total]

    def nim_values(self, size: int) -> list[int]:
        """The nim-values of the sizes 0, 1, …, `size`."""
        return self._extend(size + 1)[: size + 1]

    @cached_property
    def _periodicity(self) -> tuple[int, int]:
        count = 64
        while count <= self.MAX_PERIOD_SEARCH:
            found = proved_period(self._extend(count)[:count], self.most, max(self.parts, 1))
            if found:
                return found
            count *= 2
        # Of some hexadecimal games the values grow for ever, by as much from period to period.
        raise ValueError(
            f"{self.code}: no period found within {self.MAX_PERIOD_SEARCH:,} sizes "
            "(arithmetic periods are not looked for)"
        )

    @property
    def exceptions(self) -> dict[int, int]:
        """The sizes before the periodic part whose nim-values are not those that the period, gone
        through backwards, would give them, with these values; size 0 is not one.

        >>> OctalGame("0.53").exceptions
        {6: 0, 10: 0}
        """
        preperiod, period = self._periodicity
        values = self.nim_values(preperiod + period)
        return {
            size: values[size]
            for size in range(1, preperiod)
            if values[size] != values[preperiod + (size - preperiod) % period]
        }

    def nim_value(self, size: int) -> int:
        """The nim-value of a heap of any size; of a large one raises `ValueError` where no period
        is known."""
        if size < 0:
            raise ValueError(f"a heap of {size} tokens")
        if size >= 1024:
            size = self.preperiod + (size - self.preperiod) % self.period
        return self._extend(size + 1)[size]


class OctalGame(CodeGame):
    """Heaps of an octal code (R. Guy and C. Smith, Proc. Cambridge Phil. Soc. 52, 1956).

    >>> kayles = OctalGame("0.77")
    >>> kayles.nim_values(9)
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]
    >>> kayles.preperiod, kayles.period, kayles.nim_value(10**18)
    (71, 12, 1)
    >>> OctalGame("4.3").nim_values(9)                          # split a heap, or take 1 of it
    [0, 1, 2, 0, 2, 0, 2, 0, 2, 0]
    """

    DIGITS, NAME = "01234567", "octal"


class HexadecimalGame(CodeGame):
    """Heaps of a hexadecimal code, whose digits 8 to F allow three heaps to be left (Winning Ways,
    chapter 4).

    >>> HexadecimalGame("0.8").nim_values(12)
    [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]

    A period is found as of octal games. Values that grow for ever, as often here, are not repeated,
    and nothing is claimed of them.
    """

    DIGITS, NAME = "0123456789ABCDEF", "hexadecimal"
    MAX_PERIOD_SEARCH = 1_024
