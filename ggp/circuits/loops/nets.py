"""Gates of a net to gates of a circuit by loops: what `ggp.circuits.lowering` makes of them."""

# The functions below are read by numba, which gives them their types.
# ruff: noqa: ANN001, ANN201
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.circuits.loops.cubes import LENGTH, LITERALS, START, TABLE, disjunction
from ggp.circuits.loops.gates import ASKED, KNOWN, LONGEST, NODES, Int64s, ascend
from ggp.kernel import kernel

UNKNOWN = -1
"""Of a node of a net: that it has no literal yet."""


class RuleRows(NamedTuple):
    """The gates of a net, see `ggp.ground.gates.Gates`; the first one is the node `first_gate`."""

    first_gate: int
    first_body: Int64s
    first_literal: Int64s
    literals: Int64s


@kernel
def take_cube(body, rules, value, cubes, size, mask, rows):
    """Put an alternative of a gate of the net after so many cubes, with so many literals: those of
    the circuit, ascending, each once, true ones left out.

    How many literals the cube has, or -1 where it is false or there already. `mask`: places of the
    table of cubes, less 1.
    """
    start, length, literals, table = rows[START], rows[LENGTH], rows[LITERALS], rows[TABLE]
    end, is_false = size, False
    for j in range(rules.first_literal[body], rules.first_literal[body + 1]):
        literal = rules.literals[j]
        told = value[abs(literal)] ^ (literal < 0)
        is_false |= told == 0
        if told != 1:
            literals[end] = told
            end += 1
    if end == size:
        return 0
    ascend(literals, size, end)
    kept, word = size + 1, np.uint64(literals[size])
    for j in range(size + 1, end):
        last = literals[kept - 1]
        is_false |= literals[j] ^ 1 == last
        if literals[j] != last:
            literals[kept] = literals[j]
            word = (word ^ np.uint64(literals[j])) * np.uint64(0x9E3779B97F4A7C15)
            word ^= word >> np.uint64(29)
            kept += 1
    if is_false:
        return -1
    place = np.int64(word & np.uint64(mask))
    while table[place] >= 0:
        cube = table[place]
        own = kept - size if length[cube] == kept - size else 0
        alike = 0
        while alike < own and literals[start[cube] + alike] == literals[size + alike]:
            alike += 1
        if alike == kept - size:
            return -1
        place = (place + 1) & mask
    table[place], start[cubes], length[cubes] = cubes, size, kept - size
    return kept - size


@kernel
def gate(node, value, rules, scratch, made):
    """The literal of a gate of the net: `Factoring.disjunction`."""
    first = rules.first_body[node - rules.first_gate]
    last = rules.first_body[node - rules.first_gate + 1]
    rows, places, cubes, size = scratch.rows, 2, 0, 0
    while places < 2 * (last - first):
        places *= 2
    for place in range(places):
        rows[TABLE, place] = -1
    for body in range(first, last):
        added = take_cube(body, rules, value, cubes, size, places - 1, rows)
        if added == 0:
            return np.int64(1)
        if added > 0:
            cubes += 1
            size += added
    made.counts[ASKED] += size
    return disjunction(cubes, scratch, made) if cubes else np.int64(0)


@kernel
def lower(nodes, begin, work, value, rules, scratch, made):
    """Give gates of a net their literals, `value` (nodes of the net + 1,), from number `begin` of
    `nodes` on: operands first. The number of the gate at which it ended.

    It ends after `work` literals of the net, or where the circuit or its table may have no room.
    """
    done = 0
    for i in range(begin, len(nodes)):
        own = nodes[i] - rules.first_gate
        first, last = rules.first_body[own], rules.first_body[own + 1]
        size = rules.first_literal[last] - rules.first_literal[first]
        room = 2 * (size + last - first) + LONGEST
        made_nodes, known = made.counts[NODES], made.counts[KNOWN]
        is_full = made_nodes + room > len(made.nodes) or 2 * (known + room) > len(made.table)
        if is_full or done > work:
            return i
        done += size
        value[nodes[i]] = gate(nodes[i], value, rules, scratch, made)
    return len(nodes)
