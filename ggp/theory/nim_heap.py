"""Heaps from which as much may be taken as one likes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NimHeap:
    """A heap of which any number may be taken, `least` or more, so that `floor` or more are left.

    A heap of n is the nim-heap of (n - floor) // least, rounded down: whatever is left from there
    is one of all smaller ones, each of them occurs, and so on down (C. L. Bouton, Nim, a game with
    a complete mathematical theory, Annals of Mathematics 3, 1901). So it is under misère play too.

    >>> NimHeap().nim_value(10**18), NimHeap(least=3).nim_values(7)
    (1000000000000000000, [0, 0, 0, 1, 1, 1, 2, 2])
    """

    least: int = 1
    floor: int = 0

    def __post_init__(self) -> None:
        if self.least < 1:
            raise ValueError("something is taken: one at the least")

    def options(self, size: int) -> range:
        """The sizes that a heap can be left with, descending."""
        return range(size - self.least, self.floor - 1, -1)

    def nim_value(self, size: int) -> int:
        """The nim-value of a heap of any size at or above the floor, however large."""
        if size < self.floor:
            raise ValueError(f"a heap of {size} lies below the floor {self.floor}")
        return (size - self.floor) // self.least

    def nim_values(self, size: int) -> list[int]:
        """The nim-values of the sizes `floor`, `floor + 1`, …, `size`."""
        return list(map(self.nim_value, range(self.floor, size + 1)))

    def leaving(self, size: int, value: int) -> range:
        """The sizes of nim-value `value` that a heap can be left with, descending."""
        first = self.floor + value * self.least
        return range(min(first + self.least - 1, size - self.least), first - 1, -1)
