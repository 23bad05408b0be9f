"""The loop of random play, compiled by numba once for each machine."""

from __future__ import annotations

import numpy as np

from ggp.machine.frames import (
    CHECK,
    CLOCK,
    FIRST,
    LEFT,
    LONG,
    PLIES,
    SIDE,
    STUCK,
    WORDS,
    Int64s,
    Layout,
    Running,
    Tally,
    Words,
)
from ggp.machine.intrinsics import kernel, leading, lowest, ones
from ggp.machine.kernels import run


@kernel
def randomise(rows: Words, seeds: Words) -> None:
    """Fill rows with random words: xoroshiro128++ (Blackman and Vigna, ACM TOMS 2021).

    `seeds` (2, 8): the state of one generator for each word of a row.
    """
    for row in range(len(rows)):
        for w in range(WORDS):
            a, b = seeds[0, w], seeds[1, w]
            total = a + b
            rows[row, w] = ((total << np.uint64(17)) | (total >> np.uint64(47))) + a
            b ^= a
            seeds[0, w] = ((a << np.uint64(49)) | (a >> np.uint64(15))) ^ b ^ (b << np.uint64(21))
            seeds[1, w] = (b << np.uint64(28)) | (b >> np.uint64(36))


@kernel
def play(
    frame: Words,
    address: int,
    running: Running,
    layout: Layout,
    seeds: Words,
    active: Words,
    since: Int64s,
    tally: Tally,
    steps: int,
) -> bool:
    """Play on in all lanes, at most `steps` moves; whether some lane is still active.

    `active` (8,), `since` (512,): the lanes that play, and the step at which each began.
    """
    counters, values, reached, lengths = tally
    fluents, random, goals = layout
    longest = len(lengths) - 1
    state = FIRST
    anew = state + 2 * fluents
    following = anew + 1 + random
    ended = following + fluents
    reach = ended + 2
    for _ in range(steps):
        randomise(frame[anew + 1 : following], seeds)
        before = address + (state << 6)
        after = address + (following << 6)
        if counters[SIDE]:
            before, after = after, before
        run(address, running, 0, before, after)
        if len(running.compiled):
            counters[SIDE] ^= 1
        else:
            frame[state : state + fluents] = frame[following : following + fluents]
        finished = np.uint64(0)
        for w in range(WORDS):
            finished |= frame[ended, w] & active[w]
        if finished:
            run(address, running, 1, before, after)
        counters[CLOCK] += 1
        clock = counters[CLOCK]
        too_long = clock >= counters[CHECK]
        oldest = clock
        going = np.uint64(0)
        for w in range(WORDS):
            playing = active[w]
            counters[PLIES] += ones(playing)
            stuck = frame[ended + 1, w] & playing
            over = frame[ended, w] & playing & ~stuck
            if over:
                for i in range(goals):
                    held = frame[reach + i, w] & over
                    values[i] += ones(held)
                    reached[i, w] |= held
                left = over
                while left:
                    lane = 64 * w + lowest(left)
                    left &= left - np.uint64(1)
                    lengths[clock - since[lane]] += 1
            counters[STUCK] += ones(stuck)
            gone = stuck | over
            if too_long:
                left = playing & ~gone
                while left:
                    lane = 64 * w + lowest(left)
                    bit = left & (~left + np.uint64(1))
                    left ^= bit
                    if clock - since[lane] >= longest:
                        gone |= bit
                        counters[LONG] += 1
                    else:
                        oldest = min(oldest, since[lane])
            again = gone
            while counters[LEFT] < ones(again):
                again ^= np.uint64(1) << np.uint64(63 - leading(again))
            counters[LEFT] -= ones(again)
            frame[anew, w] = again
            active[w] = playing & (~gone | again)
            going |= active[w]
            while again:
                since[64 * w + lowest(again)] = clock
                again &= again - np.uint64(1)
        if too_long:
            counters[CHECK] = oldest + longest
        if not going:
            return False
    return True
