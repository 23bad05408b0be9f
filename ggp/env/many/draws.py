"""Legal moves drawn at random, the same whatever the order in which games are looked at."""

from __future__ import annotations

from typing import cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ggp.machine.engine.frames import Words
from ggp.machine.engine.intrinsics import Function, lowest, ones

SEATS = 1024
"""Seats of one game at the most."""


def inlined(function: Function) -> Function:
    """A part of kernels: calls of something so short would take longer than it does."""
    return cast(Function, njit(inline="always")(function))


@inlined
def mixed(word: np.uint64) -> np.uint64:
    """A word whose bits all hang on all bits of another (splitmix64, Steele et al. 2014)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inlined
def _within(word: np.uint64, start: int, first: int, count: int) -> np.uint64:
    """The bits of a word, whose first one has the number `start`, that are among some bits."""
    if start < first:
        word &= ~np.uint64(0) << np.uint64(first - start)
    if start + 64 > first + count:
        word &= (np.uint64(1) << np.uint64(first + count - start)) - np.uint64(1)
    return word


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
        total += ones(_within(words[row, k], 64 * k, first, count))
    left = np.int64(((random >> np.uint64(32)) * np.uint64(total)) >> np.uint64(32))
    for k in range(begin, end):
        word = _within(words[row, k], 64 * k, first, count)
        here = ones(word)
        if left < here:
            return 64 * k + _nth(word, np.uint64(left)) - first
        left -= here
    return -1


@inlined
def leading(words: Words, row: int, first: int, count: int) -> int:
    """The place of the first set bit among `count` bits of a row from `first` on; -1 if none."""
    for k in range(first >> 6, (first + count + 63) >> 6):
        word = _within(words[row, k], 64 * k, first, count)
        if word:
            return 64 * k + int(lowest(word)) - first
    return -1


@inlined
def draw(legal: Words, key: np.uint64, game: int, seat: int, first: int, count: int) -> int:
    """A move of a seat in a game, uniformly at random: its place among the `count` from `first`."""
    place = np.uint64(game * SEATS + seat + 1)
    return drawn(legal, game, first, count, mixed(key + place * np.uint64(0x9E3779B97F4A7C15)))
