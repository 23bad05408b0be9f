"""Genera of heaps, of any size where they repeat for ever, and whether all heaps are tame."""

from __future__ import annotations

from functools import cached_property

from ggp.theory.genus import Genus
from ggp.theory.heap_quotient import HeapGame, as_heaps
from ggp.theory.impartial import ImpartialGame
from ggp.theory.periodic import Periodic, proved_period
from ggp.theory.subtraction import SubtractionGame


class HeapGenera(Periodic):
    """The genera of the heaps of a code or a subtraction game.

    >>> from ggp.theory import OctalGame
    >>> kayles = HeapGenera(OctalGame("0.77"))
    >>> print(kayles.genus(4), kayles.genus(5), kayles.first_wild)
    1^{031} 4^{146} 5
    >>> takes = HeapGenera(SubtractionGame({1, 2, 5}))
    >>> print(takes.genus(10**18), takes.first_wild, takes.preperiod, takes.period)
    1^{031} None 0 3

    The genus of a heap hangs on those of its options, and those of sums on those of their parts
    where all are tame. So a period is proved as one of nim-values is (`proved_period`) where moves
    leave one heap, or where all heaps that are looked at are tame: then all are. Else genera are
    worked out by all sums that can come of a heap. A period need not exist even where one heap is
    left (M. Allen, Integers 7, 2007, G4).
    """

    def __init__(
        self, game: HeapGame | SubtractionGame, *, max_size: int = 1_000, max_sums: int = 1_000_000
    ) -> None:
        self._heaps, self._max_size = as_heaps(game), max_size
        self._rule = ImpartialGame(self._heaps.options, max_sums=max_sums)

    def genus(self, size: int) -> Genus:
        """The genus of a heap. Raises `ValueError` for a large one where no period is known, and
        `GameLimit` where too many sums can come of it."""
        if size < self._heaps.floor:
            raise ValueError(f"a heap of {size} lies below the floor {self._heaps.floor}")
        if size > self._max_size:
            start = self._heaps.floor + self.preperiod
            size = start + (size - start) % self.period
        return self._rule.genus(size)

    @cached_property
    def first_wild(self) -> int | None:
        """The least heap that is not tame with all that can come of it; None if it is proved that
        there is none. Raises `ValueError` where neither was found."""
        for size in range(self._heaps.floor, self._max_size + 1):
            if not self._rule.is_tame(size):
                return size
            if self._is_time(size) and self._proved(size):
                return None
        raise ValueError(f"heaps up to {self._max_size:,} are tame, and no period was found")

    @cached_property
    def _periodicity(self) -> tuple[int, int]:
        for size in range(self._heaps.floor, self._max_size + 1):
            if self._heaps.parts > 1 and not self._rule.is_tame(size):
                raise ValueError(f"no period of genera is known: the heap of {size} is wild")
            if self._is_time(size) and (found := self._proved(size)):
                return found
        raise ValueError(f"no period of genera found within {self._max_size:,} sizes")

    def _is_time(self, size: int) -> bool:
        """Whether to look for a period."""
        return size % 64 == 63 or size == self._max_size

    def _proved(self, size: int) -> tuple[int, int] | None:
        """The period of genera up to a size, if it is proved."""
        genera = [self._rule.genus(n) for n in range(self._heaps.floor, size + 1)]
        return proved_period(genera, self._heaps.most, max(self._heaps.parts, 1))
