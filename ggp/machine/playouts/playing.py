"""The loop of random play, compiled by numba once for each machine."""

from __future__ import annotations

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import (
    CHECK,
    CLOCK,
    FIRST,
    LEFT,
    LONG,
    PLIES,
    SIDE,
    STUCK,
    WORDS,
    FrameLayout,
    Int64s,
    Running,
    Tally,
    Words,
)
from ggp.machine.engine.intrinsics import call, leading, lowest, ones, random_row
from ggp.machine.engine.kernels import interpret


@kernel
def finish(terminal: Words, active: Words, stuck: Words, ends: Words) -> bool:
    """Fill `ends` with the lanes whose play is over, and say whether there are any; all (8,)."""
    finished = np.uint64(0)
    for w in range(WORDS):
        ends[w] = terminal[w] & active[w] & ~stuck[w]
        finished |= ends[w]
    return bool(finished)


@kernel
def score(held: Words, ends: Words, values: Int64s, reached: Words) -> None:
    """Count the goals that hold (goals, 8) in the lanes whose play is over, as `Tally` has them."""
    for i in range(len(held)):
        total = 0
        for w in range(WORDS):
            total += ones(held[i, w] & ends[w])
        values[i] += total
    for i in range(len(reached)):
        for w in range(WORDS):
            reached[i, w] |= held[i, w] & ends[w]


@kernel
def settle(
    counters: Int64s,
    lengths: Int64s,
    since: Int64s,
    active: Words,
    ends: Words,
    stuck: Words,
    anew: Words,
) -> bool:
    """Count a move of all lanes that play, and see which of them go on; whether some lane does.

    `ends`, `stuck` (8,): the lanes whose play is over, and those where a role had no legal move.
    `anew` (8,): filled with the lanes that begin another play.
    """
    counters[CLOCK] += 1
    clock, left, plies = counters[CLOCK], counters[LEFT], counters[PLIES]
    longest = len(lengths) - 1
    too_long = clock >= counters[CHECK]
    oldest = clock
    going = np.uint64(0)
    for w in range(WORDS):
        playing = active[w]
        plies += ones(playing)
        over = ends[w]
        unable = stuck[w] & playing
        gone = over | unable
        rest = over
        while rest:
            lane = np.uint64(w << 6) | lowest(rest)
            rest &= rest - np.uint64(1)
            lengths[np.uint64(clock - since[lane])] += 1
            since[lane] = clock
        if unable or too_long:
            counters[STUCK] += ones(unable)
            rest = playing & ~over
            while rest:
                lane = np.uint64(w << 6) | lowest(rest)
                bit = rest & (~rest + np.uint64(1))
                rest ^= bit
                if clock - since[lane] >= longest and not bit & unable:
                    gone |= bit
                    counters[LONG] += 1
                if bit & gone:
                    since[lane] = clock
                else:
                    oldest = min(oldest, since[lane])
        again = gone
        while left < ones(again):
            again ^= np.uint64(1) << np.uint64(63 - leading(again))
        left -= ones(again)
        anew[w] = again
        active[w] = playing & (~gone | again)
        going |= active[w]
    if too_long:
        counters[CHECK] = oldest + longest
    counters[LEFT], counters[PLIES] = left, plies
    return bool(going)


@array_kernel
def play(
    frame: Words,
    address: int,
    running: Running,
    layout: FrameLayout,
    seeds: Words,
    active: Words,
    since: Int64s,
    tally: Tally,
    steps: int,
) -> bool:
    """Play on in all lanes, at most `steps` moves; whether some lane is still active.

    `seeds` (2, 8): the state of a random number generator, xoroshiro128++ (Blackman and Vigna, ACM
    TOMS 2021), for each word of a row. `active` (8,), `since` (512,): the lanes that play, and the
    step at which each began.
    """
    counters, values, reached, lengths = tally
    fluents, kept, random, favoured, goals = layout
    code, sections, main, compiled, compiled_main = running
    state = FIRST
    both = fluents + kept
    anew = state + both + fluents
    following = anew + 1 + random + favoured
    ended = following + both
    reach = ended + 2
    generators = seeds.ctypes.data
    ends = np.zeros(WORDS, dtype=np.uint64)
    for _ in range(steps):
        for row in range(anew + 1, anew + 1 + random):
            random_row(address + (row << 6), generators)
        before = address + (state << 6)
        after = address + (following << 6)
        if counters[SIDE]:
            before, after = after, before
        if len(compiled):
            for i in range(compiled_main):
                call(compiled[i], address, before, after)
            counters[SIDE] ^= 1
        else:
            interpret(address, code, sections, 0, main)
            for i in range(both):
                for w in range(WORDS):
                    frame[state + i, w] = frame[following + i, w]
        if finish(frame[ended], active, frame[ended + 1], ends):
            for i in range(compiled_main, len(compiled)):
                call(compiled[i], address, before, after)
            if not len(compiled):
                interpret(address, code, sections, main, len(sections))
            score(frame[reach : reach + goals], ends, values, reached)
        if not settle(counters, lengths, since, active, ends, frame[ended + 1], frame[anew]):
            return False
    return True
