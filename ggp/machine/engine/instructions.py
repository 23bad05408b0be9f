"""Instructions of x86-64 on vector registers, as bytes.

Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. What is written
here is numbers of registers and rows alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import kernel
from ggp.machine.engine.frames import WORDS, Int64s

Bytes = NDArray[np.uint8]
Number = int | np.signedinteger[Any]

FRAME, BEFORE, AFTER = range(3)
"""Bases of rows: what the three arguments of a function point to."""

AT = 0
"""The counter of bytes, first of the counters `at` that all of this takes."""

_ROW = 8 * WORDS


@kernel
def byte(code: Bytes, at: Int64s, value: Number) -> None:
    """One byte."""
    code[at[AT]] = value
    at[AT] += 1


@kernel
def int32(code: Bytes, at: Int64s, value: Number) -> None:
    """Four bytes, the lowest first."""
    for k in range(4):
        byte(code, at, (value >> (8 * k)) & 255)


@kernel
def vector(
    code: Bytes,
    at: Int64s,
    width: Number,
    prefix: Number,
    opcode: Number,
    target: Number,
    source: Number,
    register: Number,
    base: Number,
    row: Number,
) -> None:
    """One instruction on vectors: `target`, `source` and either a register or, where that is below
    0, a row. `prefix` 1: 0x66; 2: 0xF3, of moves, which have no `source` (0). `opcode`: 0x300 more
    after 0x0F3A, of AVX-512 alone."""
    wide = width == 8
    inner = register if register >= 0 else (7, 6, 2)[base]
    if wide:
        byte(code, at, np.int64(0x62))
        high = 0 if register < 0 else inner >> 4 & 1
        byte(
            code,
            at,
            (1 - (target >> 3 & 1)) << 7
            | (1 - high) << 6
            | (1 - (inner >> 3 & 1)) << 5
            | (1 - (target >> 4 & 1)) << 4
            | (1 if opcode < 256 else 3),
        )
        byte(code, at, 0x84 | (15 - (source & 15)) << 3 | prefix)
        byte(code, at, 0x40 | (1 - (source >> 4)) << 3)
    elif inner < 8:
        byte(code, at, np.int64(0xC5))
        low = (15 - source) << 3 | (4 if width == 4 else 0) | prefix
        byte(code, at, (1 - (target >> 3)) << 7 | low)
    else:
        byte(code, at, np.int64(0xC4))
        byte(code, at, (1 - (target >> 3)) << 7 | 0x41)
        byte(code, at, (15 - source) << 3 | (4 if width == 4 else 0) | prefix)
    byte(code, at, opcode & 255)
    if register >= 0:
        byte(code, at, 0xC0 | (target & 7) << 3 | inner & 7)
    else:
        place = row * _ROW
        if wide and -128 <= row < 128:
            byte(code, at, 0x40 | (target & 7) << 3 | inner)
            byte(code, at, row & 255)
        elif not wide and -128 <= place < 128:
            byte(code, at, 0x40 | (target & 7) << 3 | inner)
            byte(code, at, place & 255)
        else:
            byte(code, at, 0x80 | (target & 7) << 3 | inner)
            int32(code, at, place)


@kernel
def move(
    code: Bytes,
    at: Int64s,
    width: Number,
    opcode: Number,
    register: Number,
    base: Number,
    row: Number,
) -> None:
    """A load (`opcode` 0x6F) or a store (0x7F) of a row."""
    vector(code, at, width, np.int64(2), opcode, register, np.int64(0), np.int64(-1), base, row)


@kernel
def store(
    code: Bytes, at: Int64s, width: Number, register: Number, base: Number, row: Number
) -> None:
    """Store a register in a row."""
    move(code, at, width, np.int64(0x7F), register, base, row)


@kernel
def xor_row(
    code: Bytes, at: Int64s, width: Number, target: Number, source: Number, row: Number
) -> None:
    """`target` is `source` other than a row."""
    one, opcode = np.int64(1), np.int64(0xEF)
    vector(code, at, width, one, opcode, target, source, np.int64(-1), np.int64(FRAME), row)


@kernel
def clear(code: Bytes, at: Int64s, width: Number, register: Number) -> None:
    """A register of zeros."""
    one, opcode, zero = np.int64(1), np.int64(0xEF), np.int64(0)
    vector(code, at, width, one, opcode, register, register, register, zero, zero)


@kernel
def move_on(code: Bytes, at: Int64s, by: Number) -> None:
    """Add to the three bases."""
    for operand in (0xC7, 0xC6, 0xC2):
        byte(code, at, np.int64(0x48))
        byte(code, at, np.int64(0x81))
        byte(code, at, operand)
        int32(code, at, by)


@kernel
def finish_segment(code: Bytes, at: Int64s, begin: Number, width: Number, chunks: Number) -> None:
    """The same once more for each further vector of the rows."""
    if chunks == 1:
        return
    move_on(code, at, 8 * width)
    byte(code, at, np.int64(0xFF))  # dec ecx
    byte(code, at, np.int64(0xC9))
    jump_if_not_zero(code, at, begin)
    move_on(code, at, -8 * width * chunks)


@kernel
def jump_if_not_zero(code: Bytes, at: Int64s, target: Number) -> None:
    """Go back to a place where the last comparison says so."""
    byte(code, at, np.int64(0x0F))
    byte(code, at, np.int64(0x85))
    int32(code, at, target - (at[AT] + 4))


@kernel
def begin_segment(code: Bytes, at: Int64s, chunks: Number) -> Number:
    """Code that is run for one part of the words after the other begins; where."""
    if chunks > 1:
        byte(code, at, np.int64(0xB9))  # mov ecx
        int32(code, at, chunks)
    end: Number = at[AT]
    return end


@kernel
def test(code: Bytes, at: Int64s, width: Number, register: Number) -> None:
    """Whether a register, the last but one, is all zeros, for a jump."""
    if width == 8:
        # vptestmq k1; kortestw k1
        for one in (0x62, 0x92, 0x8D, 0x40, 0x27, 0xC0 | 8 | register & 7):
            byte(code, at, one)
        for one in (0xC5, 0xF8, 0x98, 0xC9):
            byte(code, at, one)
    else:  # vptest
        for one in (0xC4, 0x42, 0x7D if width == 4 else 0x79, 0x17, 0xC0 | 9 * (register & 7)):
            byte(code, at, one)
