"""Positions divided into parts, and what parts have to do with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ggp.machine import Rows


@dataclass(frozen=True)
class Division:
    """All keys in `2 ** bits` parts, by the first bits of their first words.

    Within a part keys are without these bits, which come back when they are asked for: so that
    they still differ in their first bits.
    """

    bits: int = 0

    @property
    def parts(self) -> int:
        """How many there are."""
        return 1 << self.bits

    def of(self, keys: Rows) -> NDArray[np.int64]:
        """The number of the part of each key."""
        if not self.bits:
            return np.zeros(len(keys), dtype=np.int64)
        return (keys[:, 0] >> np.uint64(64 - self.bits)).astype(np.int64)

    def inside(self, keys: Rows) -> Rows:
        """The keys as they are within their part, in place."""
        if self.bits:
            keys[:, 0] <<= np.uint64(self.bits)
        return keys

    def whole(self, keys: Rows, part: int) -> Rows:
        """The keys of a part as they are among all, as a copy."""
        found = np.array(keys, dtype=np.uint64, order="C")
        if self.bits:
            found[:, 0] >>= np.uint64(self.bits)
            found[:, 0] |= np.uint64(part << (64 - self.bits))
        return found


class Peers(Protocol):
    """The other parts, as one of them sees them."""

    def enter(self, part: int, to: int, source: int, keys: Rows) -> None:
        """Have keys entered that the caller's rank `source` comes to in rank `to`; see `arrived`.

        Sorted, each once, and as they are within the part.
        """

    def arrived(self) -> None:
        """Wait until all that was given to `enter` is on the shelves of those it is for."""

    def codes(self, wanted: Sequence[tuple[int, int, Rows]]) -> list[NDArray[np.uint8]]:
        """The codes of keys, for each part and rank that is asked, as `Part.codes` gives them."""


@dataclass
class Traffic:
    """What a part sent to others and got from them: `keys` and `codes` in bytes, and `messages`
    both ways."""

    keys: int = 0
    codes: int = 0
    messages: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(
            self.keys + other.keys, self.codes + other.codes, self.messages + other.messages
        )


@dataclass(frozen=True)
class Expanded:
    """What came of the positions of one rank: how many there are, their joint moves, and the
    results of those that are ends, as `Part` numbers them."""

    positions: int
    moves: int
    results: frozenset[int]
