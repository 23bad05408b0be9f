"""Loops that write pieces down, so that those that are alike are written alike.

A name stands for a written form, which is compared as a whole. Colours that are worked out on the
way (refinement by neighbours, as in B. McKay, Practical graph isomorphism, 1981) only say in what
order to write: a bad order makes two names of one piece, and never one of two.
"""

# The functions below are read by numba, which gives them their types.
# ruff: noqa: ANN001, ANN201, ANN202, D103
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

import numpy as np

from ggp.kernel import kernel
from ggp.solver.pieces.frames import (
    EITHER,
    FLUENT,
    GATE_AND,
    GATE_XOR,
    NAMES,
    OPTION,
    TOKENS,
    YES,
)
from ggp.solver.pieces.settling import find, of

_A, _B = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


@kernel
def _mix(a, b):
    word = (a ^ (b + np.uint64(_A) + (a << np.uint64(6)) + (a >> np.uint64(2)))) * np.uint64(_B)
    return word ^ (word >> np.uint64(29))


@kernel
def hash_row(row, count):
    word = np.uint64(count)
    for i in range(count):
        word = _mix(word, np.uint64(row[i]))
    return word


@kernel
def local_slot(tables, row, width):
    """The place of a key in the hash table: of its own, or of a free slot."""
    size = len(tables.local_slot)
    slot = np.int64(hash_row(row, width) & np.uint64(size - 1))
    while tables.local_slot[slot] >= 0:
        known = tables.local_slot[slot]
        same = True
        for i in range(width):
            if tables.keys[known, i] != row[i]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & (size - 1)
    return slot


@kernel
def name_of(tables, text, length):
    """The name of a written form, new or known."""
    size = len(tables.name_slot)
    slot = np.int64(hash_row(text, length) & np.uint64(size - 1))
    while tables.name_slot[slot] >= 0:
        known = tables.name_slot[slot]
        start = tables.token_start[known]
        if tables.token_start[known + 1] - start == length:
            same = True
            for i in range(length):
                if tables.tokens[start + i] != text[i]:
                    same = False
                    break
            if same:
                return known
        slot = (slot + 1) & (size - 1)
    name = np.int32(tables.counts[NAMES])
    tables.name_slot[slot] = name
    start = tables.token_start[name]
    for i in range(length):
        tables.tokens[start + i] = text[i]
    tables.token_start[name + 1] = start + length
    tables.counts[NAMES] += 1
    tables.counts[TOKENS] = start + length
    return name


@kernel
def _colour(colours, literal):
    if literal < 2:
        return np.uint64(literal + 1)
    return _mix(colours[(literal >> 1) - 1], np.uint64(11 + (literal & 1)))


@kernel
def _tell(following, literal, word):
    """Let a neighbour know."""
    if literal >= 2:
        following[(literal >> 1) - 1] += _mix(word, np.uint64(17 + (literal & 1)))


@kernel
def _refine(scratch, vertices, hypers):
    """One round of refinement: each vertex takes in its neighbours' colours."""
    colours, following = scratch.colours, scratch.following
    for v in range(vertices):
        following[v] = np.uint64(0)
    for v in range(vertices):
        kind = scratch.kinds[v]
        if kind < GATE_AND:
            continue
        low, high = scratch.low[v], scratch.high[v]
        a, b, own = _colour(colours, low), _colour(colours, high), colours[v]
        if kind < OPTION:
            following[v] += _mix(a + b, a ^ b)
            _tell(following, low, _mix(own, b))
            _tell(following, high, _mix(own, a))
        else:
            following[v] += _mix(a, np.uint64(3)) + _mix(b, np.uint64(5))
            _tell(following, low, _mix(own, np.uint64(7)))
            _tell(following, high, _mix(own, np.uint64(9)))
    for h in range(hypers):
        option, fluent, value = scratch.hyper[h, 0], scratch.hyper[h, 1], scratch.hyper[h, 2]
        o, f, x = colours[option], colours[fluent], _colour(colours, value)
        following[option] += _mix(f, x)
        following[fluent] += _mix(_mix(o, np.uint64(13)), x)
        _tell(following, value, _mix(_mix(o, np.uint64(15)), f))
    for v in range(vertices):
        colours[v] = _mix(colours[v], following[v])


@kernel
def _distinct(colours, order, vertices):
    """Sort vertices by colour; how many colours there are, and the first colour that is shared.

    By steps that get shorter (Shell, CACM 1959; Knuth's steps): a tenth of what numba takes to
    compile a sort of its own.
    """
    step = 1
    while step < vertices // 3:
        step = 3 * step + 1
    for v in range(vertices):
        order[v] = v
    while step:
        for i in range(step, vertices):
            v, place = order[i], i
            while place >= step and colours[order[place - step]] > colours[v]:
                order[place] = order[place - step]
                place -= step
            order[place] = v
        step //= 3
    count, shared = min(vertices, 1), -1
    for i in range(1, vertices):
        if colours[order[i]] != colours[order[i - 1]]:
            count += 1
        elif shared < 0:
            shared = order[i - 1]
    return count, shared


@kernel
def arrange(scratch, vertices, hypers):
    """Leave in `scratch.order` an order of the vertices that does not hang on their numbers, but
    where vertices cannot be told apart by their neighbours; the steps that it took."""
    _refine(scratch, vertices, hypers)
    steps = vertices + hypers
    known = 0
    while True:
        _refine(scratch, vertices, hypers)
        steps += vertices + hypers
        count, shared = _distinct(scratch.colours, scratch.order, vertices)
        if count == vertices:
            return steps
        if count == known:
            # Choose one of those that look alike: mostly it does not matter which.
            scratch.colours[shared] = _mix(scratch.colours[shared], np.uint64(1))
            known = 0
        else:
            known = count


@kernel
def residual(rules, scratch, live, gates, root):
    """The residual circuit of a piece as a graph: how many vertices, and changes."""
    values, base = scratch.values, 1 + rules.fluents
    nodes = base + len(rules.first)
    parent, resolved, kinds, colours = (
        scratch.parent,
        scratch.resolved,
        scratch.kinds,
        scratch.colours,
    )
    count = 0
    for f in range(rules.fluents):
        if scratch.opened[f] and find(parent, 1 + f) == root:
            kinds[count] = FLUENT + 1 if scratch.board[f] == YES else FLUENT
            count += 1
            resolved[1 + f] = 2 * count
    for i in range(gates):
        g = scratch.needed[i]
        node = base + g
        if not scratch.marks[node] or values[node] != EITHER or find(parent, node) != root:
            continue
        a, b = rules.first[g], rules.second[g]
        if values[a >> 1] == EITHER and values[b >> 1] == EITHER:
            x, y = resolved[a >> 1] ^ (a & 1), resolved[b >> 1] ^ (b & 1)
            sign = 0
            kinds[count] = GATE_AND
            if rules.is_xor[g]:
                kinds[count] = GATE_XOR
                sign = (x ^ y) & 1
                x, y = x & ~1, y & ~1
            scratch.low[count], scratch.high[count] = x, y
            count += 1
            resolved[node] = 2 * count + sign
        else:
            # True and x, false xor x; or true xor x.
            other, constant = (a, b) if values[a >> 1] == EITHER else (b, a)
            flip = 1 if rules.is_xor[g] and of(values, constant) == YES else 0
            resolved[node] = resolved[other >> 1] ^ (other & 1) ^ flip
    hypers = 0
    for k in range(live):
        if find(parent, nodes + k) != root:
            continue
        o = scratch.live[k]
        kinds[count] = OPTION + rules.side[o]
        scratch.low[count] = _resolved(rules, scratch, rules.rule[o])
        scratch.high[count] = _resolved(rules, scratch, rules.again[o])
        scratch.first_hyper[count] = hypers
        for c in range(rules.change_start[o], rules.change_start[o + 1]):
            f = rules.change_fluent[c]
            if scratch.opened[f]:
                scratch.hyper[hypers, 0] = count
                scratch.hyper[hypers, 1] = (resolved[1 + f] >> 1) - 1
                scratch.hyper[hypers, 2] = _resolved(rules, scratch, rules.change_value[c])
                hypers += 1
        count += 1
    for v in range(count):
        colours[v] = np.uint64(kinds[v])
    return count, hypers


@kernel
def _resolved(rules, scratch, literal):
    """A literal as one of vertices: 0 and 1, or twice a vertex (from 1), plus one if inverted."""
    value = of(scratch.values, literal)
    if value != EITHER:
        return np.int32(value == YES)
    return np.int32(scratch.resolved[literal >> 1] ^ (literal & 1))


@kernel
def written(scratch, vertices, hypers):
    """Write a graph in the order of its vertices into `scratch.text`; the length."""
    place, text, order = scratch.place, scratch.text, scratch.order
    for i in range(vertices):
        place[order[i]] = i
    at = 0
    for i in range(vertices):
        v = order[i]
        kind = scratch.kinds[v]
        text[at] = kind
        at += 1
        if kind < GATE_AND:
            continue
        x = _placed(place, scratch.low[v])
        y = _placed(place, scratch.high[v])
        if kind < OPTION and x > y:
            x, y = y, x
        text[at], text[at + 1] = x, y
        at += 2
        if kind >= OPTION:
            first = at
            h = scratch.first_hyper[v]
            while h < hypers and scratch.hyper[h, 0] == v:
                f = place[scratch.hyper[h, 1]]
                value = _placed(place, scratch.hyper[h, 2])
                k = at
                while k > first and text[k - 2] > f:
                    text[k], text[k + 1] = text[k - 2], text[k - 1]
                    k -= 2
                text[k], text[k + 1] = f, value
                at += 2
                h += 1
            text[at] = -1
            at += 1
    return at


@kernel
def _placed(place, literal):
    if literal < 2:
        return np.int64(literal)
    return np.int64(2 * place[(literal >> 1) - 1] + 2 + (literal & 1))
