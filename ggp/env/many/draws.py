"""Legal moves drawn at random, the same whatever the order in which games are looked at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.machine.engine.frames import Words
from ggp.machine.engine.intrinsics import lowest, ones
from ggp.machine.engine.words import STEP, inlined, mixed, part_of

SEATS = 1024
"""Seats of one game at the most."""


def _places() -> NDArray[np.uint8]:
    """For each rank and each byte the place of its set bit of that rank, at `256 * rank + byte`."""
    found = np.zeros((8, 256), dtype=np.uint8)
    for byte in range(256):
        for rank, place in enumerate(i for i in range(8) if byte >> i & 1):
            found[rank, byte] = place
    return found.reshape(-1)


_PLACES = _places()


@inlined
def _nth(word: np.uint64, rank: np.uint64) -> int:
    """The place of the set bit of a word of some rank, from 0 (Vigna, WEA 2008, select9)."""
    sums = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    sums = (sums & np.uint64(0x3333333333333333)) + (
        (sums >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    sums = (sums + (sums >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    every, high = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
    sums *= every
    place = np.uint64(ones((((rank * every) | high) - sums) & high)) << np.uint64(3)
    left = rank - (((sums << np.uint64(8)) >> place) & np.uint64(255))
    byte = (word >> place) & np.uint64(255)
    return int(place) + int(_PLACES[np.int64((left << np.uint64(8)) | byte)])


@inlined
def drawn(words: Words, row: int, first: int, count: int, random: np.uint64) -> int:
    """The place of one of the set bits among `count` bits of a row from `first` on; -1 if none."""
    begin, end = first >> 6, (first + count + 63) >> 6
    total = 0
    for k in range(begin, end):
        total += ones(part_of(words[row, k], k, first, first + count))
    left = np.int64(((random >> np.uint64(32)) * np.uint64(total)) >> np.uint64(32))
    for k in range(begin, end):
        word = part_of(words[row, k], k, first, first + count)
        here = ones(word)
        if left < here:
            return 64 * k + _nth(word, np.uint64(left)) - first
        left -= here
    return -1


@inlined
def leading(words: Words, row: int, first: int, count: int) -> int:
    """The place of the first set bit among `count` bits of a row from `first` on; -1 if none."""
    for k in range(first >> 6, (first + count + 63) >> 6):
        word = part_of(words[row, k], k, first, first + count)
        if word:
            return 64 * k + int(lowest(word)) - first
    return -1


@inlined
def draw(legal: Words, key: np.uint64, game: int, seat: int, first: int, count: int) -> int:
    """A move of a seat in a game, uniformly at random: its place among the `count` from `first`."""
    place = np.uint64(game * SEATS + seat + 1)
    return drawn(legal, game, first, count, mixed(key + place * np.uint64(STEP)))
