"""Frames: what circuits run on, and what the compiled loops over them take.

A frame is an array of rows of eight 64-bit words: 512 lanes, one bit each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

WORDS = 8
"""Words of a row."""

LANES = 64 * WORDS
"""Lanes of a row."""

ZERO, ONE, SCRATCH, FIRST = range(4)
"""Rows of every frame: the constants, one for loops, and the first input. The inputs are followed
by the outputs, and these by all the rest."""

Words = NDArray[np.uint64]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]


class Running(NamedTuple):
    """A circuit to be run: a program, see `Program`, and the addresses of compiled pieces.

    Of the pieces the first `compiled_main` are not the tail; without any the program is
    interpreted.
    """

    code: Int32s
    sections: Int32s
    main: int
    compiled: Int64s
    compiled_main: int


class FrameLayout(NamedTuple):
    """Rows of the frame of random play: state and what is kept beside it, start, where to begin
    anew, random bits, favoured moves; next state and what is kept, end, stuck, goals."""

    fluents: int
    kept: int
    random: int
    favoured: int
    goals: int


class Tally(NamedTuple):
    """What playouts came to.

    `counters`: as named below. `values` (goals,): how often each goal held at an end; `reached`
    (goals, 8): in which lanes, or (0, 8) where that is not asked for; `lengths` (longest + 1,): how
    many ended after so many moves.
    """

    counters: Int64s
    values: Int64s
    reached: Words
    lengths: Int64s


CLOCK, LEFT, SIDE, STUCK, LONG, PLIES, CHECK = range(7)
"""Counters of a block of playouts: steps so far; playouts that are still to be begun; which of two
places holds the state; playouts ended without a legal move, and without an end; joint moves; the
step at which some playout may be too long."""


def new_frame(rows: int) -> Words:
    """A frame of so many rows, all false but the constant true, on a 64-byte boundary."""
    raw = np.zeros((rows + 1) * WORDS, dtype=np.uint64)
    skipped = (-raw.ctypes.data // 8) % WORDS
    frame = raw[skipped : skipped + rows * WORDS].reshape(rows, WORDS)
    frame[ONE] = ~np.uint64(0)
    return frame


def enlarged(frame: Words, rows: int) -> Words:
    """A frame with the same content and at least `rows` rows."""
    if len(frame) >= rows:
        return frame
    larger = new_frame(rows)
    larger[: len(frame)] = frame
    return larger
