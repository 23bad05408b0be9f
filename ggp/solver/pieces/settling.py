"""Loops that find what can still change on a board, and what hangs together.

Values of nodes are sets of truth values, so that a fluent that may change makes all that hangs on
it open.
"""

# The functions below are read by numba, which gives them their types.
# ruff: noqa: ANN001, ANN201, ANN202, D103
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

import numpy as np

from ggp.kernel import kernel
from ggp.solver.pieces.frames import EITHER, NO, YES


@kernel
def find(parent, node):
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@kernel
def _join(parent, a, b):
    a, b = find(parent, a), find(parent, b)
    if a < b:
        parent[b] = a
    else:
        parent[a] = b


@kernel
def of(values, literal):
    value = values[literal >> 1]
    return (value >> 1 | value << 1) & 3 if literal & 1 else value


@kernel
def need(rules, scratch, count):
    """List the gates that the first `count` of `scratch.options` depend on."""
    base = 1 + rules.fluents
    marks = scratch.marks
    marks[:] = 0
    for k in range(count):
        o = scratch.options[k]
        marks[rules.rule[o] >> 1] = 1
        marks[rules.again[o] >> 1] = 1
        for c in range(rules.change_start[o], rules.change_start[o + 1]):
            marks[rules.change_value[c] >> 1] = 1
    found = 0
    for g in range(len(rules.first) - 1, -1, -1):
        if marks[base + g]:
            marks[rules.first[g] >> 1] = 1
            marks[rules.second[g] >> 1] = 1
            found += 1
    at = found
    for g in range(len(rules.first) - 1, -1, -1):
        if marks[base + g]:
            at -= 1
            scratch.needed[at] = g
    return found


@kernel
def simulate(rules, scratch, gates):
    """Work out the values of the needed gates."""
    values, base = scratch.values, 1 + rules.fluents
    for i in range(gates):
        g = scratch.needed[i]
        p = of(values, rules.first[g])
        q = of(values, rules.second[g])
        if rules.is_xor[g]:
            value = 0
            if p & q:
                value |= NO
            if (p & 1 and q & 2) or (p & 2 and q & 1):
                value |= YES
        else:
            value = (p & q & 2) | ((p | q) & 1)
        values[base + g] = value


@kernel
def load(rules, scratch, board):
    """The fluents of a board, as words, as values."""
    for f in range(rules.fluents):
        bit = board[f >> 6] >> np.uint64(f & 63) & np.uint64(1)
        scratch.values[1 + f] = YES if bit else NO
        scratch.board[f] = scratch.values[1 + f]
        scratch.opened[f] = 0


@kernel
def settle(rules, scratch, count, gates):
    """Open the fluents that the first `count` of `scratch.options` may still change.

    Leaves the options that may still be made in `scratch.live`; how many, and the gates looked at.
    """
    opened, values, board = scratch.opened, scratch.values, scratch.board
    steps = 0
    while True:
        simulate(rules, scratch, gates)
        steps += gates + count
        grown = False
        live = 0
        for k in range(count):
            o = scratch.options[k]
            if not of(values, rules.rule[o]) & YES:
                continue
            scratch.live[live] = o
            live += 1
            for c in range(rules.change_start[o], rules.change_start[o + 1]):
                f = rules.change_fluent[c]
                if not opened[f] and of(values, rules.change_value[c]) != board[f]:
                    opened[f] = 1
                    grown = True
        if not grown:
            return live, steps
        for f in range(rules.fluents):
            if opened[f]:
                values[1 + f] = EITHER


@kernel
def link(rules, scratch, live, gates):
    """Join what depends on each other: fluents, gates, and options (beyond the nodes)."""
    values, marks, parent, base = scratch.values, scratch.marks, scratch.parent, 1 + rules.fluents
    nodes = base + len(rules.first)
    for i in range(nodes + live):
        parent[i] = i
    marks[:] = 0
    passing = False
    for k in range(live):
        o, own = scratch.live[k], nodes + k
        for literal in (rules.rule[o], rules.again[o]):
            if values[literal >> 1] == EITHER:
                marks[literal >> 1] = 1
                _join(parent, own, literal >> 1)
        changing = False
        for c in range(rules.change_start[o], rules.change_start[o + 1]):
            f = rules.change_fluent[c]
            if scratch.opened[f]:
                changing = True
                _join(parent, own, 1 + f)
                node = rules.change_value[c] >> 1
                if values[node] == EITHER:
                    marks[node] = 1
                    _join(parent, own, node)
        passing = passing or not changing
    for i in range(gates - 1, -1, -1):
        g = scratch.needed[i]
        if marks[base + g]:
            for literal in (rules.first[g], rules.second[g]):
                if values[literal >> 1] == EITHER:
                    marks[literal >> 1] = 1
                    _join(parent, base + g, literal >> 1)
    if passing:
        some = -1
        for f in range(rules.fluents):
            if scratch.opened[f]:
                if some >= 0:
                    _join(parent, 1 + some, 1 + f)
                some = f
        for k in range(live if some >= 0 else 0):
            # A move that changes nothing is a part of all.
            _join(parent, nodes + k, 1 + some)
