"""Loops over frames, compiled by numba once for each machine: programs run, bits turned over.

A frame is an array of rows of eight 64-bit words: 512 lanes, one bit each. Programs and compiled
circuits reach it by its address.
"""

from __future__ import annotations

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import FIRST, SCRATCH, Int32s, Int64s, Running, Words
from ggp.machine.engine.intrinsics import call, combine, differs, lowest, ones


@kernel
def execute(frame: int, code: Int32s, start: int, stop: int) -> None:
    """Run instructions `start` to `stop` on the frame at this address."""
    for i in range(start, stop):
        operation = code[i, 0]
        combine(
            frame + (np.int64(code[i, 1]) << 6),
            frame + (np.int64(code[i, 2]) << 6),
            frame + (np.int64(code[i, 3]) << 6),
            -np.int64(operation != 3),
            -np.int64(operation >= 2),
            -np.int64(operation >= 1),
        )


@kernel
def assign(frame: int, code: Int32s, start: int, stop: int) -> int:
    """Run instructions that only copy, and say whether one of them changes a row."""
    changed = 0
    for i in range(start, stop):
        operation = code[i, 0]
        a, b = frame + (np.int64(code[i, 1]) << 6), frame + (np.int64(code[i, 2]) << 6)
        scratch, result = frame + (SCRATCH << 6), frame + (np.int64(code[i, 3]) << 6)
        both, left = -np.int64(operation != 3), -np.int64(operation >= 2)
        right = -np.int64(operation >= 1)
        combine(a, b, scratch, both, left, right)
        changed |= differs(scratch, result)
        combine(scratch, scratch, result, -1, 0, 0)
    return changed


@kernel
def interpret(frame: int, code: Int32s, sections: Int32s, first: int, last: int) -> None:
    """Run some sections of a program, loops until they change nothing more."""
    for s in range(first, last):
        execute(frame, code, sections[s, 0], sections[s, 1])
        while assign(frame, code, sections[s, 2], sections[s, 3]):
            execute(frame, code, sections[s, 0], sections[s, 1])


@kernel
def transpose(block: Words) -> None:
    """Turn a square of 64 x 64 bits over (Warren, Hacker's Delight, 7-3)."""
    width = np.uint64(32)
    mask = np.uint64(0x00000000FFFFFFFF)
    while width:
        step = int(width)
        k = 0
        while k < 64:
            swapped = ((block[k] >> width) ^ block[k + step]) & mask
            block[k] ^= swapped << width
            block[k + step] ^= swapped
            k = (k + step + 1) & ~step
        width >>= np.uint64(1)
        mask ^= mask << width


@array_kernel
def turn(rows: Words, bits: int, frame: Words) -> None:
    """Put the first `bits` bits of each of up to 512 rows in as many rows of a frame: lane `i` has
    those of row `i`, and a lane without a row zeros."""
    block = np.empty(64, dtype=np.uint64)
    for w in range(frame.shape[1]):
        begin = 64 * w
        used = max(0, min(64, len(rows) - begin))
        for k in range((bits + 63) >> 6):
            block[:] = 0
            for i in range(used):
                block[i] = rows[begin + i, k]
            transpose(block)
            for i in range(min(64, bits - 64 * k)):
                frame[64 * k + i, w] = block[i]


@array_kernel
def evaluate(
    rows: Words,
    lanes: Int64s,
    joint: Int32s,
    frame: Words,
    address: int,
    running: Running,
    words: int,
    bits: int,
    moves: int,
    results: int,
    result: Words,
) -> None:
    """The outputs of a circuit for many states, as `results` bits packed into rows of `result`.

    Case `i` is row `lanes[i]` of `rows`, where the moves `joint[i]` are made; 64 cases for each of
    `words` at a time. Inputs of the circuit are the `bits` of a state, then `moves` moves.
    """
    state = FIRST
    move = state + bits
    output = move + moves
    code, sections, _, compiled, _ = running
    block = np.empty(64, dtype=np.uint64)
    one = np.uint64(1)
    for start in range(0, len(lanes), 64 * words):
        count = min(64 * words, len(lanes) - start)
        for w in range((count + 63) >> 6):
            begin = start + 64 * w
            used = min(64, len(lanes) - begin)
            for k in range(rows.shape[1]):
                for i in range(used):
                    block[i] = rows[lanes[begin + i], k]
                transpose(block)
                for i in range(min(64, bits - 64 * k)):
                    frame[state + 64 * k + i, w] = block[i]
        for i in range(count):
            for role in range(joint.shape[1]):
                frame[move + joint[start + i, role], i >> 6] |= one << np.uint64(i & 63)
        for i in range(len(compiled)):
            call(compiled[i], address, address, address)
        if not len(compiled):
            interpret(address, code, sections, 0, len(sections))
        for i in range(count):
            for role in range(joint.shape[1]):
                frame[move + joint[start + i, role], i >> 6] = 0
        for w in range((count + 63) >> 6):
            begin = start + 64 * w
            used = min(64, len(lanes) - begin)
            for k in range(result.shape[1]):
                block[:] = 0
                for i in range(min(64, results - 64 * k)):
                    block[i] = frame[output + 64 * k + i, w]
                transpose(block)
                for i in range(used):
                    result[begin + i, k] = block[i]


@kernel
def copy_rows(rows: Words, into: Words) -> None:
    """Copy rows into as many others. (An assignment of numba makes a message of shapes that do not
    fit, which takes a third of all the time that its loop takes to compile.)"""
    for i in range(len(rows)):
        for w in range(rows.shape[1]):
            into[i, w] = rows[i, w]


@kernel
def count_bits(packed: Words, bounds: Int64s, counts: Int32s) -> None:
    """How many of the bits `bounds[j]` to `bounds[j + 1]` are set in each row: (n, parts)."""
    for i in range(len(packed)):
        for j in range(len(bounds) - 1):
            total = 0
            for k in range(bounds[j] >> 6, (bounds[j + 1] + 63) >> 6):
                word = packed[i, k]
                if bounds[j] > 64 * k:
                    word &= ~np.uint64(0) << np.uint64(bounds[j] - 64 * k)
                if bounds[j + 1] < 64 * k + 64:
                    word &= (np.uint64(1) << np.uint64(bounds[j + 1] - 64 * k)) - np.uint64(1)
                total += ones(word)
            counts[i, j] = total


@kernel
def list_bits(packed: Words, count: int, found: Int32s) -> None:
    """The numbers of the set ones of the first `count` bits, row after row."""
    place = 0
    for i in range(len(packed)):
        for k in range((count + 63) >> 6):
            word = packed[i, k]
            if count < 64 * k + 64:
                word &= (np.uint64(1) << np.uint64(count - 64 * k)) - np.uint64(1)
            while word:
                found[place] = 64 * k + np.int64(lowest(word))
                place += 1
                word &= word - np.uint64(1)
