"""Machine code of x86-64 for circuits, written gate by gate: a loop of numba over arrays.

Straight-line code on vector registers. Of values that do not fit, the one that is used again last
goes to a row of the frame (Belady, IBM Systems Journal 5, 1966): all uses are known. Encodings:
Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. What is written here is
numbers of registers and rows alone; nothing of it comes from the text of a rule sheet.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import kernel
from ggp.machine.engine.frames import ONE, WORDS, Int64s
from ggp.machine.engine.polarity import ANDN, OR, XOR

OUT, HEAD, ZERO, NEW, OLD, JUMP, KEEP, SEGMENT, END = range(XOR + 1, XOR + 10)
"""Beside gates (`d = a op b`): store node `a`, inverted if `b`, in row `d` of base `base`; a loop
begins; its variable `d` is false; its next value is node `a`, inverted if `b`, kept in row `base`
until `OLD` makes it that of variable `d`; go back if a variable changed; node `a` is needed until
here; what follows is other code, for which all values are in rows; the function ends."""

FRAME, BEFORE, AFTER = range(3)
"""Bases of rows: what the three arguments of a function point to."""

Bytes = NDArray[np.uint8]
Number = int | np.signedinteger[Any]

NEVER = 1 << 60
NEAR = 64
"""Instructions within which a row that is used again is loaded, not read twice."""

MOST_BYTES = 72
"""Of one instruction of a circuit, at the most, without what is put away at a boundary."""

_ROW = 8 * WORDS


class Listing(NamedTuple):
    """What is to be done, in order: see above for the columns (n,)."""

    kind: Int64s
    a: Int64s
    b: Int64s
    d: Int64s
    base: Int64s


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


AT, FREE, ROWS, ENDS = range(4)


@kernel
def _byte(code: Bytes, at: Int64s, value: Number) -> None:
    code[at[AT]] = value
    at[AT] += 1


@kernel
def _int32(code: Bytes, at: Int64s, value: Number) -> None:
    for k in range(4):
        _byte(code, at, (value >> (8 * k)) & 255)


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
    0, a row. `prefix` 1: 0x66; 2: 0xF3, of moves, which have no `source` (0)."""
    wide = width == 8
    inner = register if register >= 0 else (7, 6, 2)[base]
    if wide:
        _byte(code, at, np.int64(0x62))
        high = 0 if register < 0 else inner >> 4 & 1
        _byte(
            code,
            at,
            (1 - (target >> 3 & 1)) << 7
            | (1 - high) << 6
            | (1 - (inner >> 3 & 1)) << 5
            | (1 - (target >> 4 & 1)) << 4
            | 1,
        )
        _byte(code, at, 0x84 | (15 - (source & 15)) << 3 | prefix)
        _byte(code, at, 0x40 | (1 - (source >> 4)) << 3)
    elif inner < 8:
        _byte(code, at, np.int64(0xC5))
        low = (15 - source) << 3 | (4 if width == 4 else 0) | prefix
        _byte(code, at, (1 - (target >> 3)) << 7 | low)
    else:
        _byte(code, at, np.int64(0xC4))
        _byte(code, at, (1 - (target >> 3)) << 7 | 0x41)
        _byte(code, at, (15 - source) << 3 | (4 if width == 4 else 0) | prefix)
    _byte(code, at, opcode)
    if register >= 0:
        _byte(code, at, 0xC0 | (target & 7) << 3 | inner & 7)
    else:
        place = row * _ROW
        if wide and -128 <= row < 128:
            _byte(code, at, 0x40 | (target & 7) << 3 | inner)
            _byte(code, at, row & 255)
        elif not wide and -128 <= place < 128:
            _byte(code, at, 0x40 | (target & 7) << 3 | inner)
            _byte(code, at, place & 255)
        else:
            _byte(code, at, 0x80 | (target & 7) << 3 | inner)
            _int32(code, at, place)


@kernel
def _move(
    code: Bytes,
    at: Int64s,
    width: Number,
    opcode: Number,
    register: Number,
    base: Number,
    row: Number,
) -> None:
    vector(code, at, width, np.int64(2), opcode, register, np.int64(0), np.int64(-1), base, row)


@kernel
def _load(code: Bytes, where: Allocation, width: Number, target: Number, node: Number) -> None:
    _move(code, where.at, width, np.int64(0x6F), target, where.base[node], where.row[node])


@kernel
def _store(
    code: Bytes, at: Int64s, width: Number, register: Number, base: Number, row: Number
) -> None:
    _move(code, at, width, np.int64(0x7F), register, base, row)


@kernel
def _xor_row(
    code: Bytes, at: Int64s, width: Number, target: Number, source: Number, row: Number
) -> None:
    one, opcode = np.int64(1), np.int64(0xEF)
    vector(code, at, width, one, opcode, target, source, np.int64(-1), np.int64(FRAME), row)


@kernel
def _clear(code: Bytes, at: Int64s, width: Number, register: Number) -> None:
    one, opcode, zero = np.int64(1), np.int64(0xEF), np.int64(0)
    vector(code, at, width, one, opcode, register, register, register, zero, zero)


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
        _store(code, at, width, register, np.int64(FRAME), where.row[node])
    where.register[node] = -1
    where.node[register] = -1


@kernel
def _take(code: Bytes, where: Allocation, width: Number, x: Number, y: Number) -> Number:
    """A register that is free, or is made so; neither `x` nor `y`."""
    latest, found = -1, -1
    for r in range(len(where.node)):
        if r in (x, y):
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


@kernel
def _move_on(code: Bytes, at: Int64s, by: Number) -> None:
    """Add to the three bases."""
    for operand in (0xC7, 0xC6, 0xC2):
        _byte(code, at, np.int64(0x48))
        _byte(code, at, np.int64(0x81))
        _byte(code, at, operand)
        _int32(code, at, by)


@kernel
def _finish_segment(code: Bytes, at: Int64s, begin: Number, width: Number, chunks: Number) -> None:
    """The same once more for each further vector of the rows."""
    if chunks == 1:
        return
    _move_on(code, at, 8 * width)
    _byte(code, at, np.int64(0xFF))  # dec ecx
    _byte(code, at, np.int64(0xC9))
    _jump_if_not_zero(code, at, begin)
    _move_on(code, at, -8 * width * chunks)


@kernel
def _jump_if_not_zero(code: Bytes, at: Int64s, target: Number) -> None:
    _byte(code, at, np.int64(0x0F))
    _byte(code, at, np.int64(0x85))
    _int32(code, at, target - (at[AT] + 4))


@kernel
def _begin_segment(code: Bytes, at: Int64s, chunks: Number) -> Number:
    if chunks > 1:
        _byte(code, at, np.int64(0xB9))  # mov ecx
        _int32(code, at, chunks)
    end: Number = at[AT]
    return end


@kernel
def next_uses(listing: Listing, nodes: Number) -> Int64s:
    """Of each instruction when its nodes `a`, `b` and `d` are used next: (3, n)."""
    count = len(listing.kind)
    again = np.full((3, count), NEVER, dtype=np.int64)
    last = np.full(nodes, NEVER, dtype=np.int64)
    for i in range(count - 1, -1, -1):
        kind = listing.kind[i]
        if kind <= XOR:
            a, b, d = listing.a[i], listing.b[i], listing.d[i]
            again[2, i] = last[d]
            again[0, i], again[1, i] = last[a], last[b]
            last[a] = i
            last[b] = i
        elif kind in (OUT, NEW, KEEP):
            a = listing.a[i]
            again[0, i] = last[a]
            last[a] = i
    return again


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
    begin = _begin_segment(code, at, chunks)
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
                ra = _take(code, where, width, rb, rb)
                _load(code, where, width, ra, a)
                where.node[ra], where.register[a], where.again[ra] = a, ra, next_a
            if rb < 0 and next_b - i < NEAR:
                rb = _take(code, where, width, ra, ra)
                _load(code, where, width, rb, b)
                where.node[rb], where.register[b], where.again[rb] = b, rb, next_b
            if next_a == NEVER:
                rd = ra
            elif rb >= 0 and next_b == NEVER:
                rd = rb
            else:
                rd = _take(code, where, width, ra, rb)
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
        elif kind in (OUT, NEW):
            register = where.register[a]
            if register < 0:
                _load(code, where, width, moment, a)
                register = moment
            if b:
                _xor_row(code, at, width, moment, register, np.int64(ONE))
                register = moment
            if kind == OUT:
                _store(code, at, width, register, listing.base[i], d)
            else:
                _store(code, at, width, register, np.int64(FRAME), listing.base[i])
                _xor_row(code, at, width, moment, register, where.row[d])
                one, opcode, zero = np.int64(1), np.int64(0xEB), np.int64(0)
                vector(code, at, width, one, opcode, changed, changed, moment, zero, zero)
            _used(where, a, again[0, i])
        elif kind == KEEP:
            _used(where, a, again[0, i])
        elif kind == ZERO:
            _clear(code, at, width, moment)
            _store(code, at, width, moment, np.int64(FRAME), where.row[d])
        elif kind == OLD:
            _move(code, at, width, np.int64(0x6F), moment, np.int64(FRAME), listing.base[i])
            _store(code, at, width, moment, np.int64(FRAME), where.row[d])
            if where.register[d] >= 0:
                where.node[where.register[d]] = -1
                where.register[d] = -1
        else:
            _put_all_away(code, where, width)
            if kind == HEAD:
                head = at[AT]
                _clear(code, at, width, changed)
            elif kind == JUMP:
                _test(code, at, width, changed)
                _jump_if_not_zero(code, at, head)
            else:
                _finish_segment(code, at, begin, width, chunks)
                if kind == END:
                    for byte in (0xC5, 0xF8, 0x77, 0xC3):  # vzeroupper, ret
                        _byte(code, at, byte)
                    at[ENDS] += 1
                    at[ENDS + at[ENDS]] = at[AT]
                begin = _begin_segment(code, at, chunks)
    end: Number = at[AT]
    return end


@kernel
def _test(code: Bytes, at: Int64s, width: Number, register: Number) -> None:
    """Whether a register, the last but one, is all zeros, for a jump."""
    if width == 8:
        # vptestmq k1; kortestw k1
        for byte in (0x62, 0x92, 0x8D, 0x40, 0x27, 0xC0 | 8 | register & 7):
            _byte(code, at, byte)
        for byte in (0xC5, 0xF8, 0x98, 0xC9):
            _byte(code, at, byte)
    else:  # vptest
        for byte in (0xC4, 0x42, 0x7D if width == 4 else 0x79, 0x17, 0xC0 | 9 * (register & 7)):
            _byte(code, at, byte)
