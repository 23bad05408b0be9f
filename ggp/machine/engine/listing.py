"""What is to be done for a circuit, in order, and when what is made is used."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import Int64s
from ggp.machine.engine.instructions import Number
from ggp.machine.engine.polarity import ANDN, OR, XOR

OUT, HEAD, ZERO, NEW, OLD, JUMP, KEEP, SEGMENT, END, THREE, NONE = range(XOR + 1, XOR + 12)
"""Beside gates (`d = a op b`): store node `a`, inverted if `b`, in row `d` of base `base`; a loop
begins; its variable `d` is false; its next value is node `a`, inverted if `b`, kept in row `base`
until `OLD` makes it that of variable `d`; go back if a variable changed; node `a` is needed until
here; what follows is other code, for which all values are in rows; the function ends; a function of
nodes `a`, `b` and `base`, bit `4 a + 2 b + c` of `table`; nothing."""

NEVER = 1 << 60


class Listing(NamedTuple):
    """What is to be done, in order: see above for the columns (n,)."""

    kind: Int64s
    a: Int64s
    b: Int64s
    d: Int64s
    base: Int64s
    table: Int64s


@array_kernel
def next_uses(listing: Listing, nodes: Number) -> Int64s:
    """Of each instruction when its nodes `a`, `b`, `d` and `base` are used next: (4, n)."""
    count = len(listing.kind)
    again = np.full((4, count), NEVER, dtype=np.int64)
    last = np.full(nodes, NEVER, dtype=np.int64)
    for i in range(count - 1, -1, -1):
        kind = listing.kind[i]
        if kind <= XOR:
            a, b, d = listing.a[i], listing.b[i], listing.d[i]
            again[2, i] = last[d]
            again[0, i], again[1, i] = last[a], last[b]
            last[a] = i
            last[b] = i
        elif kind == THREE:
            a, b, c = listing.a[i], listing.b[i], listing.base[i]
            again[2, i] = last[listing.d[i]]
            again[0, i], again[1, i], again[3, i] = last[a], last[b], last[c]
            last[a] = i
            last[b] = i
            last[c] = i
        elif kind in (OUT, NEW, KEEP):
            a = listing.a[i]
            again[0, i] = last[a]
            last[a] = i
    return again


@array_kernel
def fuse(listing: Listing, nodes: Number) -> None:
    """Make one instruction of two gates where nothing else uses what the first gives, as AVX-512
    can (`vpternlogq`)."""
    count = len(listing.kind)
    uses = np.zeros(nodes, dtype=np.int64)
    made = np.full(nodes, -1, dtype=np.int64)
    for i in range(count):
        kind = listing.kind[i]
        if kind <= XOR:
            uses[listing.a[i]] += 1
            uses[listing.b[i]] += 1
        elif kind in (OUT, NEW, KEEP):
            uses[listing.a[i]] += 1
    begun = 0
    for i in range(count):
        kind = listing.kind[i]
        if kind > XOR:
            if kind not in (OUT, KEEP):
                begun = i
            continue
        a, b = listing.a[i], listing.b[i]
        made[listing.d[i]] = i
        x, other, is_first = a, b, True
        if uses[x] != 1 or made[x] < begun or (uses[b] == 1 and made[b] > made[a]):
            x, other, is_first = b, a, False
        if uses[x] != 1 or made[x] < begun or listing.kind[made[x]] > XOR:
            continue
        before = made[x]
        p, q = listing.a[before], listing.b[before]
        if other in (p, q):
            continue
        table: Number = 0
        for k in range(8):
            inner = _value(listing.kind[before], k >> 2 & 1, k >> 1 & 1)
            outer = k & 1
            if is_first:
                table |= _value(kind, inner, outer) << k
            else:
                table |= _value(kind, outer, inner) << k
        listing.kind[before] = NONE
        listing.kind[i], listing.a[i], listing.b[i] = THREE, p, q
        listing.base[i], listing.table[i] = other, table


@kernel
def _value(kind: Number, a: Number, b: Number) -> Number:
    """A gate of two bits."""
    if kind == ANDN:
        return (1 - a) & b
    if kind == OR:
        return a | b
    if kind == XOR:
        return a ^ b
    return a & b
