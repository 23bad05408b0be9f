"""Gates that are made by loops: what `ggp.circuits.circuit.Builder` makes, in the same order."""

# The functions below are read by numba, which gives them their types.
# ruff: noqa: ANN001, ANN201
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import kernel

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]

NODES, KNOWN, ASKED, CHAIN = range(4)
"""Counts: nodes of the circuit, gates in the table, gates that were asked for; then scratch."""

LONGEST = 64
"""Conjunctions that turn out to be one another of which all are noted."""


class Made(NamedTuple):
    """A circuit under construction, as a `Builder` is.

    `nodes` (n, 2): operands. `table` (n, 2): a hash table of the conjunctions and exclusive
    disjunctions that are known, by their operands; free places have the key 0. `counts`
    (CHAIN + LONGEST,).
    """

    nodes: Int32s
    table: Int64s
    counts: Int64s


@kernel
def place_of(key, table):
    """Where a key stands in the table, or its free place."""
    mask = len(table) - 1
    word = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    place = np.int64(word >> np.uint64(32)) & mask
    while table[place, 0] != 0 and table[place, 0] != key:
        place = (place + 1) & mask
    return place


@kernel
def fill(known, table):
    """Put keys with their values (n, 2) into a table."""
    for i in range(len(known)):
        if known[i, 0] != 0:
            place = place_of(known[i, 0], table)
            table[place, 0], table[place, 1] = known[i, 0], known[i, 1]


@kernel
def conj(a, b, made):
    """Both literals: `Builder.conj`."""
    nodes, table, counts = made.nodes, made.table, made.counts
    a, b = np.int64(a), np.int64(b)
    depth, result, most = 0, np.int64(-1), len(table) // 4 * 3
    while result < 0:
        counts[ASKED] += 1
        if a > b:
            a, b = b, a
        if a < 2:
            result = b if a else np.int64(0)
            break
        if a ^ b < 2:
            result = a if a == b else np.int64(0)
            break
        key = a << 32 | b
        place = place_of(key, table)
        if table[place, 0] == key:
            result = table[place, 1]
            break
        if depth == 0 or (depth < LONGEST and counts[KNOWN] + depth < most):
            counts[CHAIN + depth] = key
            depth += 1
        again = False
        x, y = a, b
        for _ in range(2):
            p, q = np.int64(nodes[x >> 1, 0]), np.int64(nodes[x >> 1, 1])
            if p < q:
                if x & 1:
                    if y == p ^ 1 or y == q ^ 1:
                        result = y
                    elif y == p:
                        a, b, again = y, q ^ 1, True
                    elif y == q:
                        a, b, again = y, p ^ 1, True
                elif y in (p, q):
                    result = x
                elif y ^ 1 == p or y ^ 1 == q:
                    result = np.int64(0)
                if again or result >= 0:
                    break
            x, y = y, x
        if again or result >= 0:
            continue
        if not (a | b) & 1:
            p, q = nodes[a >> 1, 0], nodes[a >> 1, 1]
            r, s = nodes[b >> 1, 0], nodes[b >> 1, 1]
            if p < q and r < s and (p ^ 1 == r or p ^ 1 == s or q ^ 1 == r or q ^ 1 == s):
                result = np.int64(0)
                break
        node = counts[NODES]
        nodes[node, 0], nodes[node, 1] = a, b
        counts[NODES] = node + 1
        result = 2 * node
    for i in range(depth):
        key = counts[CHAIN + i]
        place = place_of(key, table)
        table[place, 0], table[place, 1] = key, result
    counts[KNOWN] += depth
    return result


@kernel
def ascend(values, start, stop):
    """Sort a part of an array (Shell, CACM 1959; Knuth's steps): a tenth of what numba takes to
    compile a sort of its own."""
    step = 1
    while step < (stop - start) // 3:
        step = 3 * step + 1
    while step:
        for i in range(start + step, stop):
            value, place = values[i], i
            while place >= start + step and values[place - step] > value:
                values[place] = values[place - step]
                place -= step
            values[place] = value
        step //= 3


@kernel
def conj_all(literals, start, stop, made):
    """All of some ascending literals."""
    result = np.int64(1)
    for i in range(start, stop):
        result = conj(result, literals[i], made)
    return result


@kernel
def disj_all(literals, start, stop, made):
    """One of some literals, which are inverted and put into order."""
    for i in range(start, stop):
        literals[i] ^= 1
    ascend(literals, start, stop)
    return conj_all(literals, start, stop, made) ^ 1
