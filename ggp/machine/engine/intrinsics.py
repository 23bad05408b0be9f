"""Operations that numba lacks, as LLVM instructions: on rows by their addresses, and on words.

A row is eight 64-bit words: 512 lanes, one bit each.
"""

# The functions below are read by numba, which gives them their types.
# ruff: noqa: ANN001, ANN201, ANN202
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ggp.machine.engine.frames import WORDS

_ALIGN = 64
_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, WORDS)


def _at(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    return builder.inttoptr(address, ir.PointerType())


def _spread(builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    index = ir.IntType(32)
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, index(0))
    zeros = ir.Constant(ir.VectorType(index, WORDS), [index(0)] * WORDS)
    return builder.shuffle_vector(one, one, zeros)


@intrinsic
def combine(typing, a, b, result, both, left, right):
    """`both & a & b ^ left & a ^ right & b` of the rows at three addresses: any gate, no branch."""

    def generate(context, builder, signature, arguments):
        a, b, result, *masks = arguments
        x = builder.load(_at(builder, a), typ=_VECTOR, align=_ALIGN)
        y = builder.load(_at(builder, b), typ=_VECTOR, align=_ALIGN)
        both, left, right = (_spread(builder, mask) for mask in masks)
        value = builder.and_(builder.and_(x, y), both)
        value = builder.xor(value, builder.and_(x, left))
        value = builder.xor(value, builder.and_(y, right))
        builder.store(value, _at(builder, result), align=_ALIGN)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 6), generate


@intrinsic
def differs(typing, a, b):
    """Whether two rows, given by their addresses, differ: 0 or 1."""

    def generate(context, builder, signature, arguments):
        rows = [builder.load(_at(builder, a), typ=_VECTOR, align=_ALIGN) for a in arguments]
        unequal = builder.icmp_unsigned("!=", *rows)
        bits = builder.bitcast(unequal, ir.IntType(WORDS))
        return builder.zext(builder.icmp_unsigned("!=", bits, bits.type(0)), _WORD)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def common(typing, a, b):
    """In which words the rows at two addresses have a bit in common: bit `w` for word `w`."""

    def generate(context, builder, signature, arguments):
        rows = [builder.load(_at(builder, a), typ=_VECTOR, align=_ALIGN) for a in arguments]
        met = builder.icmp_unsigned("!=", builder.and_(*rows), ir.Constant(_VECTOR, [0] * WORDS))
        return builder.zext(builder.bitcast(met, ir.IntType(WORDS)), _WORD)

    return types.uint64(types.int64, types.int64), generate


@intrinsic
def merge(typing, row, other, mask):
    """Make the row at an address that of another one in the lanes of a mask, all by addresses."""

    def generate(context, builder, signature, arguments):
        place = _at(builder, arguments[0])
        row, other, mask = (
            builder.load(_at(builder, x), typ=_VECTOR, align=_ALIGN) for x in arguments
        )
        changed = builder.and_(builder.xor(row, other), mask)
        builder.store(builder.xor(row, changed), place, align=_ALIGN)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@intrinsic
def call(typing, function, frame, before, after):
    """Call the compiled circuit at an address: frame, first row of the state, and of the next."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.VoidType(), [_WORD] * 3)
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4), generate


@intrinsic
def random_row(typing, row, seeds):
    """Fill the row at an address with random words: one step of xoroshiro128++ for each word.

    `seeds`: the address of two rows, the state of a generator for each word.
    """

    def generate(context, builder, signature, arguments):
        def rotated(words, by):
            kept = builder.shl(words, ir.Constant(_VECTOR, [by] * WORDS))
            return builder.or_(kept, builder.lshr(words, ir.Constant(_VECTOR, [64 - by] * WORDS)))

        row, seeds = arguments
        places = [_at(builder, seeds), _at(builder, builder.add(seeds, _WORD(8 * WORDS)))]
        a, b = (builder.load(place, typ=_VECTOR, align=8) for place in places)
        words = builder.add(rotated(builder.add(a, b), 17), a)
        builder.store(words, _at(builder, row), align=_ALIGN)
        b = builder.xor(b, a)
        shifted = builder.shl(b, ir.Constant(_VECTOR, [21] * WORDS))
        a = builder.xor(builder.xor(rotated(a, 49), b), shifted)
        builder.store(a, places[0], align=8)
        builder.store(rotated(b, 28), places[1], align=8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def ones(typing, word):
    """The number of one bits of a 64-bit word."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def lowest(typing, word):
    """The place of the lowest one bit of a 64-bit word that is not zero."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.uint64(types.uint64), generate


@intrinsic
def leading(typing, word):
    """The number of zero bits above the highest one bit of a 64-bit word that is not zero."""

    def generate(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.uint64), generate
