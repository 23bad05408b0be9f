"""Sets of small numbers as the bits of an integer."""

from __future__ import annotations

from collections.abc import Iterator


def bits_of(word: int) -> Iterator[int]:
    """The places of the bits that are set, ascending."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low
