"""Loops over numbers of packed positions, compiled by numba once for each machine."""

from __future__ import annotations

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import Int32s, Int64s, Words
from ggp.solver.layers.kernels import MISSING, Bytes, cut, place_in

ABSENT, FOUND, VALUED = 0, 1, 2
"""What is kept of each number: that of no position known, of one without a value, and from here on
codes of values."""


@kernel
def number_of(
    rows: Words, i: int, cuts: Words, weights: Int32s, before: Int64s, starts: Int64s, below: int
) -> tuple[np.int64, np.int64]:
    """The number of row `i`, and its rank; -1 where that is not below a rank. See `cut`."""
    left, number = np.int64(0), np.int64(0)
    j = np.uint64(len(cuts))
    while j > np.uint64(0):
        j -= np.uint64(1)
        place = place_in(rows, i, cuts, j)
        left += weights[place]
        if left >= below:
            return np.int64(-1), left
        number += before[np.uint64(left), place]
    return number + starts[np.uint64(left)], left


@array_kernel
def numbers_of(
    rows: Words, windows: Int64s, weights: Int32s, before: Int64s, starts: Int64s, out: Int64s
) -> None:
    """The number of each row."""
    cuts = cut(windows)
    for i in range(len(rows)):
        out[i], _ = number_of(rows, i, cuts, weights, before, starts, before.shape[0])


@array_kernel
def enter(
    rows: Words,
    windows: Int64s,
    weights: Int32s,
    before: Int64s,
    starts: Int64s,
    below: int,
    kept: Bytes,
    is_reached: Bytes,
) -> bool:
    """Mark rows as found, and their ranks as reached; whether all are below a rank.

    Threads may do so at once: what they write is the same.
    """
    cuts = cut(windows)
    for i in range(len(rows)):
        number, rank = number_of(rows, i, cuts, weights, before, starts, below)
        if number < 0:
            return False
        if kept[np.uint64(number)] == ABSENT:
            kept[np.uint64(number)] = FOUND
            is_reached[np.uint64(rank)] = 1
    return True


@array_kernel
def ask(
    rows: Words,
    windows: Int64s,
    weights: Int32s,
    before: Int64s,
    starts: Int64s,
    kept: Bytes,
    found: Bytes,
) -> int:
    """The codes of the values of rows, `MISSING` for those without, whose number is returned."""
    cuts = cut(windows)
    missing = 0
    for i in range(len(rows)):
        number, _ = number_of(rows, i, cuts, weights, before, starts, before.shape[0])
        code = kept[np.uint64(number)] if number >= 0 else np.uint8(ABSENT)
        if code >= VALUED:
            found[i] = code - np.uint8(VALUED)
        else:
            found[i] = MISSING
            missing += 1
    return missing


@kernel
def list_kept(kept: Bytes, start: int, stop: int, out: Int64s) -> tuple[int, int]:
    """Numbers from `start` to `stop` that positions have, as many as `out` takes; how many they
    are, and where to go on."""
    count = 0
    number = start
    while number < stop and count < len(out):
        if kept[np.uint64(number)] != ABSENT:
            out[count] = number
            count += 1
        number += 1
    return count, number


@kernel
def rows_of(
    numbers: Int64s,
    rank: int,
    windows: Int64s,
    weights: Int32s,
    before: Int64s,
    starts: Int64s,
    rows: Words,
) -> None:
    """The rows, all bits of which are zero, of numbers of a rank."""
    for i in range(len(numbers)):
        left = np.int64(rank)
        number = numbers[i] - starts[left]
        for j in range(len(windows)):
            place = windows[j, 2]
            # The last value with no more before it: others have no positions.
            value, step = np.int64(0), (np.int64(1) << windows[j, 1]) >> 1
            while step:
                if before[left, place + value + step] <= number:
                    value += step
                step >>= 1
            number -= before[left, place + value]
            left -= weights[place + value]
            first = windows[j, 0]
            word, shift = first >> 6, first & 63
            rows[i, word] |= np.uint64(value) << np.uint64(shift)
            if shift + windows[j, 1] > 64:
                rows[i, word + 1] |= np.uint64(value) >> np.uint64(64 - shift)
