"""Finite commutative monoids as they are learned from the outcomes of sums."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Word = tuple[int, ...]
"""A sum of parts by their numbers, sorted."""


@dataclass(frozen=True)
class Monoid:
    """`product` of elements by number, `words` for them (0 is that of no parts), and
    whether each is `lost` for the player to move. `times`: for each generator the products with it.
    `tests`: words that tell the elements apart."""

    words: tuple[Word, ...]
    product: tuple[tuple[int, ...], ...]
    lost: tuple[bool, ...]
    tests: tuple[Word, ...]
    rows: dict[tuple[bool, ...], int]
    times: dict[int, tuple[int, ...]]

    def run(self, word: Word, at: int = 0) -> int:
        """The element of a word of generators, times another."""
        for generator in word:
            at = self.times[generator][at]
        return at

    def image(self, elements: Iterable[int]) -> int:
        """The product of some elements."""
        found = 0
        for element in elements:
            found = self.product[found][element]
        return found
