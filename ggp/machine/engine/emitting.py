"""Machine code of x86-64 for circuits, written gate by gate: a loop of numba over arrays.

Straight-line code on vector registers. Of values that do not fit, the one that is used again last
goes to a row of the frame (Belady, IBM Systems Journal 5, 1966): all uses are known. Nothing of the
text of a rule sheet comes into the code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import ONE, Int64s
from ggp.machine.engine.instructions import (
    AT,
    FRAME,
    Bytes,
    Number,
    begin_segment,
    byte,
    clear,
    finish_segment,
    jump_if_not_zero,
    move,
    store,
    test,
    vector,
    xor_row,
)
from ggp.machine.engine.listing import (
    END,
    HEAD,
    JUMP,
    KEEP,
    NEVER,
    NEW,
    NONE,
    OLD,
    OUT,
    THREE,
    ZERO,
    Listing,
)
from ggp.machine.engine.polarity import ANDN, OR, XOR

NEAR = 64
"""Instructions within which a row that is used again is loaded, not read twice."""

MOST_BYTES = 72
"""Of one instruction of a circuit, at the most, without what is put away at a boundary."""


class Allocation(NamedTuple):
    """Where values are: of each node its register (-1: none), base and row (-1: none), and whether
    the row is one that is to be free again; of each register its node (-1) and when that is used
    next; rows that are free; counters (`AT`, `FREE`, `ROWS`), of functions (`ENDS`), and where each
    ends."""

    register: Int64s
    base: Int64s
    row: Int64s
    is_slot: Int64s
    node: Int64s
    again: Int64s
    free: Int64s
    at: Int64s


FREE, ROWS, ENDS = range(AT + 1, AT + 4)


@kernel
def _load(code: Bytes, where: Allocation, width: Number, target: Number, node: Number) -> None:
    move(code, where.at, width, np.int64(0x6F), target, where.base[node], where.row[node])


@kernel
def _put_away(code: Bytes, where: Allocation, width: Number, register: Number) -> None:
    """Make a register free; its value is in a row afterwards."""
    node = where.node[register]
    at = where.at
    if where.row[node] < 0:
        if at[FREE]:
            at[FREE] -= 1
            where.row[node] = where.free[at[FREE]]
        else:
            where.row[node] = at[ROWS]
            at[ROWS] += 1
        where.base[node], where.is_slot[node] = FRAME, 1
        store(code, at, width, register, np.int64(FRAME), where.row[node])
    where.register[node] = -1
    where.node[register] = -1


@kernel
def _take(code: Bytes, where: Allocation, width: Number, x: Number, y: Number, z: Number) -> Number:
    """A register that is free, or is made so; none of `x`, `y` and `z`."""
    latest, found = -1, -1
    for r in range(len(where.node)):
        if r in (x, y, z):
            continue
        if where.node[r] < 0:
            return r
        if where.again[r] > latest:
            latest, found = where.again[r], r
    _put_away(code, where, width, found)
    return found


@kernel
def _used(where: Allocation, node: Number, again: Number) -> None:
    """Note when a node is used next; where it is not, its register and row are free."""
    register = where.register[node]
    if again < NEVER:
        if register >= 0:
            where.again[register] = again
        return
    if register >= 0:
        where.node[register] = -1
        where.register[node] = -1
    if where.is_slot[node]:
        where.free[where.at[FREE]] = where.row[node]
        where.at[FREE] += 1
        where.is_slot[node] = 0
        where.row[node] = -1


@kernel
def _put_all_away(code: Bytes, where: Allocation, width: Number) -> None:
    for r in range(len(where.node)):
        if where.node[r] >= 0:
            _put_away(code, where, width, r)


@array_kernel
def _three(
    listing: Listing, again: Int64s, where: Allocation, width: Number, code: Bytes, i: Number
) -> None:
    """A function of three nodes: of one in the register that takes the result, of one in another,
    and of one there or in a row."""
    node = np.array([listing.a[i], listing.b[i], listing.base[i]])
    used = np.array([again[0, i], again[1, i], again[3, i]])
    reg = np.array([where.register[n] for n in node])
    # The last is the one in a row that is used latest, or any in a register.
    order = np.array([0, 1, 2])
    for k in range(2):
        m, n = order[2], order[k]
        if reg[n] < 0 and (reg[m] >= 0 or used[n] > used[m]):
            order[2], order[k] = n, m
    # The first is lost: one that is not used any more, if there is one in a register.
    for k in (1, 2):
        m, n = order[0], order[k]
        if reg[n] >= 0 and used[n] == NEVER and not (reg[m] >= 0 and used[m] == NEVER):
            order[0], order[k] = n, m
    first, second, third = order[0], order[1], order[2]
    if reg[second] < 0:
        r = _take(code, where, width, reg[first], reg[third], reg[third])
        _load(code, where, width, r, node[second])
        where.node[r], where.register[node[second]] = node[second], r
        where.again[r] = used[second]
        reg[second] = r
    rd = reg[first]
    if rd < 0 or used[first] < NEVER:
        rd = _take(code, where, width, reg[first], reg[second], reg[third])
        if reg[first] < 0:
            _load(code, where, width, rd, node[first])
        else:
            zero, two, opcode = np.int64(0), np.int64(2), np.int64(0x6F)
            vector(code, where.at, width, two, opcode, rd, zero, reg[first], zero, zero)
    table = 0
    for k in range(8):
        bits = (k >> 2 & 1) << (2 - first) | (k >> 1 & 1) << (2 - second) | (k & 1) << (2 - third)
        table |= (listing.table[i] >> bits & 1) << k
    base, row = where.base[node[third]], where.row[node[third]]
    one, opcode = np.int64(1), np.int64(0x325)
    vector(code, where.at, width, one, opcode, rd, reg[second], reg[third], base, row)
    byte(code, where.at, np.int64(table))
    for k in range(3):
        _used(where, node[k], used[k])
    if again[2, i] < NEVER:
        d = listing.d[i]
        where.node[rd], where.register[d], where.again[rd] = d, rd, again[2, i]


@kernel
def emit(
    listing: Listing, again: Int64s, where: Allocation, width: Number, chunks: Number, code: Bytes
) -> Number:
    """Write the code of a listing, as many bytes as are told; `where` says where inputs are.

    The two last registers of `where` are not its own: what a loop changed, and one that is used for
    a moment.
    """
    at = where.at
    changed = len(where.node)
    moment = changed + 1
    head = 0
    begin = begin_segment(code, at, chunks)
    for i in range(len(listing.kind)):
        kind, a, b, d = listing.kind[i], listing.a[i], listing.b[i], listing.d[i]
        if kind <= XOR:
            next_a, next_b = again[0, i], again[1, i]
            if kind != ANDN:
                ra, rb = where.register[a], where.register[b]
                if ra < 0 and (rb >= 0 or next_b < next_a):
                    a, b, next_a, next_b = b, a, next_b, next_a
            ra, rb = where.register[a], where.register[b]
            if ra < 0:
                ra = _take(code, where, width, rb, rb, rb)
                _load(code, where, width, ra, a)
                where.node[ra], where.register[a], where.again[ra] = a, ra, next_a
            if rb < 0 and next_b - i < NEAR:
                rb = _take(code, where, width, ra, ra, ra)
                _load(code, where, width, rb, b)
                where.node[rb], where.register[b], where.again[rb] = b, rb, next_b
            if next_a == NEVER:
                rd = ra
            elif rb >= 0 and next_b == NEVER:
                rd = rb
            else:
                rd = _take(code, where, width, ra, rb, rb)
            opcode = np.int64(0xDB)
            if kind == ANDN:
                opcode = np.int64(0xDF)
            elif kind == OR:
                opcode = np.int64(0xEB)
            elif kind == XOR:
                opcode = np.int64(0xEF)
            vector(code, at, width, np.int64(1), opcode, rd, ra, rb, where.base[b], where.row[b])
            # Not before: a row that is free may be taken for what has to make room.
            _used(where, a, next_a)
            _used(where, b, next_b)
            if again[2, i] < NEVER:
                where.node[rd], where.register[d], where.again[rd] = d, rd, again[2, i]
        elif kind == THREE:
            _three(listing, again, where, width, code, i)
        elif kind == NONE:
            continue
        elif kind in (OUT, NEW):
            register = where.register[a]
            if register < 0:
                _load(code, where, width, moment, a)
                register = moment
            if b:
                xor_row(code, at, width, moment, register, np.int64(ONE))
                register = moment
            if kind == OUT:
                store(code, at, width, register, listing.base[i], d)
            else:
                store(code, at, width, register, np.int64(FRAME), listing.base[i])
                xor_row(code, at, width, moment, register, where.row[d])
                one, opcode, zero = np.int64(1), np.int64(0xEB), np.int64(0)
                vector(code, at, width, one, opcode, changed, changed, moment, zero, zero)
            _used(where, a, again[0, i])
        elif kind == KEEP:
            _used(where, a, again[0, i])
        elif kind == ZERO:
            clear(code, at, width, moment)
            store(code, at, width, moment, np.int64(FRAME), where.row[d])
        elif kind == OLD:
            move(code, at, width, np.int64(0x6F), moment, np.int64(FRAME), listing.base[i])
            store(code, at, width, moment, np.int64(FRAME), where.row[d])
            if where.register[d] >= 0:
                where.node[where.register[d]] = -1
                where.register[d] = -1
        else:
            _put_all_away(code, where, width)
            if kind == HEAD:
                head = at[AT]
                clear(code, at, width, changed)
            elif kind == JUMP:
                test(code, at, width, changed)
                jump_if_not_zero(code, at, head)
            else:
                finish_segment(code, at, begin, width, chunks)
                if kind == END:
                    for each in (0xC5, 0xF8, 0x77, 0xC3):  # vzeroupper, ret
                        byte(code, at, each)
                    at[ENDS] += 1
                    at[ENDS + at[ENDS]] = at[AT]
                begin = begin_segment(code, at, chunks)
    end: Number = at[AT]
    return end
