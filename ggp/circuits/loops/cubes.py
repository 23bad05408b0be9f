"""OR-of-ANDs to few gates by loops: those of `ggp.circuits.factor.Factoring`, in its order."""

# The functions below are read by numba, which gives them their types.
# ruff: noqa: ANN001, ANN201
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.circuits.loops.gates import Int32s, Int64s, conj, conj_all, disj_all
from ggp.kernel import kernel

(START, LENGTH, LITERALS, ORDER, NEW_ORDER, IS_TAKEN, LOCAL, TIMES, BOUNDS, WHERE,
 GROUP, GROUP_BEGIN, GROUP_END, PARTS, SINGLES, CHOSEN, NEXT_GROUP, LAST_GROUP, FIRST_PART,
 TABLE, ROWS) = range(21)  # fmt: skip
"""Rows of the scratch, as many as ROWS.

Cube `i` is the literals LITERALS[START[i]:START[i] + LENGTH[i]], ascending. ORDER: cubes in parts
that share a literal, the rest after them. GROUP: such a literal, or -1, and its places in ORDER.
NEXT_GROUP to FIRST_PART: of a disjunction that is being made, the groups that are still to be made,
and the first of the PARTS made so far. TABLE: cubes by their literals, two places for each.
"""


MOST = 1 << 30
"""More than there are alternatives of a gate."""


class CubeScratch(NamedTuple):
    """What a gate is made with: for as many alternatives (cubes) and literals as it has.

    `rows` (ROWS, n); `heap` (n,); `slot` (literals,): -1. `of`: for the first literals of the
    circuit the choice that they belong to, of whose members just one holds in every case that
    matters, or -1; the members of choice `i` are `sets[sets[i]:sets[i + 1]]`, ascending.
    """

    rows: Int32s
    heap: Int64s
    slot: Int32s
    of: Int32s
    sets: Int32s


@kernel
def sift(heap, place, size):
    """Let what is at a place of a heap, the least on top, sink to where it belongs."""
    key = heap[place]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = key


@kernel
def divide(low, high, groups, scratch):
    """Put the cubes at some places of the order into parts: those that share a literal, which is
    taken from them, and those that share none. How many groups there are then."""
    rows, heap, slot = scratch.rows, scratch.heap, scratch.slot
    start, length, literals, order = rows[START], rows[LENGTH], rows[LITERALS], rows[ORDER]
    times, bounds, where, is_taken = rows[TIMES], rows[BOUNDS], rows[WHERE], rows[IS_TAKEN]
    many = 0
    for i in range(low, high):
        is_taken[i] = 0
        begin = start[order[i]]
        for j in range(begin, begin + length[order[i]]):
            literal = literals[j]
            k = slot[literal]
            if k < 0:
                k = many
                slot[literal], rows[LOCAL, k], times[k] = k, literal, 0
                many += 1
            times[k] += 1
    end, size = 0, 0
    for k in range(many):
        if times[k] > 1:
            # Those that come but once are never looked for.
            heap[size] = (MOST - np.int64(times[k])) << 32 | rows[LOCAL, k]
            end += times[k]
            size += 1
        bounds[k] = end
    for i in range(high - 1, low - 1, -1):
        begin = start[order[i]]
        for j in range(begin, begin + length[order[i]]):
            k = slot[literals[j]]
            if times[k] > 1:
                bounds[k] -= 1
                where[bounds[k]] = i
    for i in range(size // 2 - 1, -1, -1):
        sift(heap, i, size)
    done = low
    while size:
        literal = np.int32(heap[0] & 0xFFFFFFFF)
        k = slot[literal]
        count = MOST - (heap[0] >> 32)
        is_new = times[k] == count
        if is_new or times[k] < 2:
            size -= 1
            heap[0] = heap[size]
        else:
            heap[0] = (MOST - np.int64(times[k])) << 32 | literal
        sift(heap, 0, size)
        if not is_new:
            continue
        rows[GROUP, groups], rows[GROUP_BEGIN, groups] = literal, done
        place = bounds[k]
        while count:
            i = where[place]
            place += 1
            if is_taken[i]:
                continue
            count -= 1
            is_taken[i] = 1
            rows[NEW_ORDER, done] = order[i]
            done += 1
            begin = start[order[i]]
            kept, end = begin, begin + length[order[i]]
            length[order[i]] -= 1
            for j in range(begin, end):
                other = literals[j]
                times[slot[other]] -= 1
                if other != literal:
                    literals[kept] = other
                    kept += 1
        rows[GROUP_END, groups] = done
        groups += 1
    rows[GROUP, groups], rows[GROUP_BEGIN, groups], rows[GROUP_END, groups] = -1, done, high
    for i in range(low, high):
        if not is_taken[i]:
            rows[NEW_ORDER, done] = order[i]
            done += 1
    for i in range(low, high):
        order[i] = rows[NEW_ORDER, i]
    for k in range(many):
        slot[rows[LOCAL, k]] = -1
    return groups + 1


@kernel
def add_choice(first, singles, parts, choice, scratch, made):
    """Add to the parts the disjunction of those of the single literals, from the first of them on,
    that are of one choice, by those that are not where these are fewer: see `Factoring`."""
    of, sets, slot = scratch.of, scratch.sets, scratch.slot
    single, chosen = scratch.rows[SINGLES], scratch.rows[CHOSEN]
    count = 0
    for j in range(first, singles):
        other = single[j]
        if 0 <= other < len(of) and of[other] == choice:
            chosen[count] = other
            count += 1
            slot[other] = 1
            single[j] = -1
    begin, end = sets[choice], sets[choice + 1]
    is_inverted = end - begin - count < count
    if is_inverted:
        count = 0
        for j in range(begin, end):
            if slot[sets[j]] < 0:
                chosen[count] = sets[j]
                count += 1
    for j in range(begin, end):
        slot[sets[j]] = -1
    result = disj_all(chosen, 0, count, made)
    scratch.rows[PARTS, parts] = result ^ 1 if is_inverted else result


@kernel
def add_rest(low, high, parts, scratch, made):
    """Add to the parts the cubes at some places, which share nothing: how many there are then."""
    rows, singles = scratch.rows, 0
    for i in range(low, high):
        cube = rows[ORDER, i]
        begin, size = rows[START, cube], rows[LENGTH, cube]
        if size == 1:
            rows[SINGLES, singles] = rows[LITERALS, begin]
            singles += 1
        else:
            rows[PARTS, parts] = conj_all(rows[LITERALS], begin, begin + size, made)
            parts += 1
    for i in range(singles):
        literal = rows[SINGLES, i]
        if literal < 0:
            continue  # of a choice that is done
        if literal < len(scratch.of) and scratch.of[literal] >= 0:
            add_choice(i, singles, parts, scratch.of[literal], scratch, made)
        else:
            rows[PARTS, parts] = literal
        parts += 1
    return parts


@kernel
def disjunction(cubes, scratch, made):
    """The disjunction of the first so many cubes, at least one: `Factoring._disjunction`."""
    rows = scratch.rows
    for i in range(cubes):
        rows[ORDER, i] = i
    depth, groups, parts, low, high = 0, 0, 0, 0, cubes
    while True:
        result = -1
        if high - low == 1:
            cube = rows[ORDER, low]
            begin = rows[START, cube]
            result = conj_all(rows[LITERALS], begin, begin + rows[LENGTH, cube], made)
        else:
            rows[NEXT_GROUP, depth] = groups
            groups = divide(low, high, groups, scratch)
            rows[LAST_GROUP, depth], rows[FIRST_PART, depth] = groups, parts
            depth += 1
        while True:
            if result >= 0:
                if depth == 0:
                    return result
                literal = rows[GROUP, rows[NEXT_GROUP, depth - 1] - 1]
                rows[PARTS, parts] = conj(literal, result, made)
                parts += 1
                result = -1
            frame = depth - 1
            group = rows[NEXT_GROUP, frame]
            if group == rows[LAST_GROUP, frame]:
                begin = rows[FIRST_PART, frame]
                result = disj_all(rows[PARTS], begin, parts, made)
                parts, depth = begin, frame
                groups = rows[LAST_GROUP, frame - 1] if frame else 0
                continue
            rows[NEXT_GROUP, frame] += 1
            low, high = rows[GROUP_BEGIN, group], rows[GROUP_END, group]
            if rows[GROUP, group] < 0:
                parts = add_rest(low, high, parts, scratch, made)
                continue
            is_empty = False
            for i in range(low, high):
                if rows[LENGTH, rows[ORDER, i]] == 0:
                    is_empty = True
            if not is_empty:
                break
            result = 1
