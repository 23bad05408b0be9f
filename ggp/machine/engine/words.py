"""Parts of kernels that look at one word: its bits in a range, and words drawn at random."""

from __future__ import annotations

from typing import cast

import numpy as np
from numba import njit

from ggp.kernel import Function, note_source

STEP = 0x9E3779B97F4A7C15
"""What is between two words that `mixed` makes random ones of."""


def inlined(function: Function) -> Function:
    """A part of kernels: calls of something so short would take longer than it does."""
    note_source(function)
    return cast(Function, njit(inline="always")(function))


@inlined
def mixed(word: np.uint64) -> np.uint64:
    """A word whose bits all hang on all bits of another (splitmix64; Steele, Lea, Flood 2014)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inlined
def part_of(word: np.uint64, k: int, begin: int, end: int) -> np.uint64:
    """Those of the bits of word `k` that lie from `begin` to `end` of all bits."""
    if begin > 64 * k:
        word &= ~np.uint64(0) << np.uint64(begin - 64 * k)
    if end < 64 * k + 64:
        word &= (np.uint64(1) << np.uint64(end - 64 * k)) - np.uint64(1)
    return word
