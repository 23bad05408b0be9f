"""Bits of lanes turned over: from rows of a frame to bytes for each lane."""

# The functions below are read by numba, which gives them their types.
# ruff: noqa: ANN001, ANN201, ANN202
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ggp.kernel import kernel
from ggp.machine.engine.frames import WORDS, Int32s, Words

_WORD = ir.IntType(64)
_ROW = ir.VectorType(_WORD, WORDS)
_BITS = ir.VectorType(ir.IntType(1), 64)
_BYTES = ir.VectorType(ir.IntType(8), 64)


@intrinsic
def spread(typing, word, address):
    """Write the bits of a word as 64 bytes, 0 or 1, the lowest first."""

    def generate(context, builder, signature, arguments):
        word, address = arguments
        held = builder.zext(builder.bitcast(word, _BITS), _BYTES)
        builder.store(held, builder.inttoptr(address, ir.PointerType()), align=1)
        return context.get_dummy_value()

    return types.void(types.uint64, types.int64), generate


@intrinsic
def mark(typing, word, value, address):
    """Write a byte wherever a bit of a word is set, the lowest first; others stay as they are."""

    def generate(context, builder, signature, arguments):
        word, value, address = arguments
        place = builder.inttoptr(address, ir.PointerType())
        before = builder.load(place, typ=_BYTES, align=1)
        index, byte = ir.IntType(32), builder.trunc(value, ir.IntType(8))
        one = builder.insert_element(ir.Constant(_BYTES, ir.Undefined), byte, index(0))
        every = builder.shuffle_vector(
            one, one, ir.Constant(ir.VectorType(index, 64), [index(0)] * 64)
        )
        held = builder.select(builder.bitcast(word, _BITS), every, before)
        builder.store(held, place, align=1)
        return context.get_dummy_value()

    return types.void(types.uint64, types.int64, types.int64), generate


@intrinsic
def exchange(typing, first, second, width, mask):
    """Swap bits of two rows, given by their addresses: a step of turning squares of bits over."""

    def generate(context, builder, signature, arguments):
        def every(value):
            one = builder.insert_element(ir.Constant(_ROW, ir.Undefined), value, ir.IntType(32)(0))
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), WORDS), [ir.IntType(32)(0)] * WORDS)
            return builder.shuffle_vector(one, one, zeros)

        a, b = (builder.inttoptr(place, ir.PointerType()) for place in arguments[:2])
        width, mask = map(every, arguments[2:])
        x, y = (builder.load(place, typ=_ROW, align=8) for place in (a, b))
        swapped = builder.and_(builder.xor(builder.lshr(x, width), y), mask)
        builder.store(builder.xor(x, builder.shl(swapped, width)), a, align=8)
        builder.store(builder.xor(y, swapped), b, align=8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.uint64, types.uint64), generate


@kernel
def turn(block: Words) -> None:
    """Turn eight squares of 64 x 64 bits over, which lie side by side in a block (64, 8)."""
    address = block.ctypes.data
    width = np.uint64(32)
    mask = np.uint64(0x00000000FFFFFFFF)
    while width:
        step = int(width)
        k = 0
        while k < 64:
            exchange(address + (k << 6), address + ((k + step) << 6), width, mask)
            k = (k + step + 1) & ~step
        width >>= np.uint64(1)
        mask ^= mask << width


@kernel
def gather(frame: Words, order: Int32s, count: int, block: Words, packed: Words) -> None:
    """The bits of some rows of a frame, lane by lane: `count` lanes of `packed` (512, words)."""
    for k in range(packed.shape[1]):
        used = min(64, len(order) - 64 * k)
        for i in range(used):
            for w in range(WORDS):
                block[i, w] = frame[order[64 * k + i], w]
        for i in range(used, 64):
            for w in range(WORDS):
                block[i, w] = 0
        turn(block)
        for lane in range(count):
            packed[lane, k] = block[lane & 63, lane >> 6]


@kernel
def write(packed: Words, first: int, count: int, width: int, result: int) -> None:
    """The first `width` bits of each of `count` rows, from `first` on, as bytes to an address.

    Up to 64 bytes behind the last one are written over.
    """
    for lane in range(count):
        place = result + lane * width
        for k in range((width + 63) >> 6):
            spread(packed[first + lane, k], place + 64 * k)
