"""Loops over pieces of positions, compiled by numba once for each machine.

Every move is made on a piece, what remains is split, and what it falls into gets names: numbers
that are equal for pieces that are written alike, whatever their fluents and moves are called.
"""

# The functions below are read by numba, which gives them their types.
# ruff: noqa: ANN001, ANN202
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import Int32s, Int64s, Words
from ggp.solver.pieces.frames import (
    CHILDREN,
    LOCALS,
    NAMES,
    OPTIONS,
    STEPS,
    TOKENS,
    UNNAMED,
    YES,
    PieceRules,
    PieceTables,
    Scratch,
)
from ggp.solver.pieces.settling import find, link, load, need, of, settle, simulate
from ggp.solver.pieces.writing import arrange, hash_row, local_slot, name_of, residual, written


@kernel
def _take_down(rules, scratch, tables, live, gates, board, largest):
    """Name each piece of what was split, and note the names as children; the steps it took.

    Where a piece that has no name yet has more than `largest` fluents, `UNNAMED` is all that is
    noted.
    """
    base, parent, piece_of, rows = 1 + rules.fluents, scratch.parent, scratch.piece_of, scratch.rows
    nodes = base + len(rules.first)
    width = tables.keys.shape[1]
    option_words = width - rules.reads.shape[1]
    pieces = 0
    for f in range(rules.fluents):
        # The root of a set is its least member.
        if scratch.opened[f] and find(parent, 1 + f) == 1 + f:
            piece_of[f] = pieces
            scratch.sizes[pieces] = 0
            for i in range(width):
                rows[pieces, i] = np.uint64(0)
            pieces += 1
        if scratch.opened[f]:
            scratch.sizes[piece_of[find(parent, 1 + f) - 1]] += 1
    for k in range(live if pieces else 0):
        piece = piece_of[find(parent, nodes + k) - 1]
        o = scratch.live[k]
        rows[piece, o >> 6] |= np.uint64(1) << np.uint64(o & 63)
        for i in range(option_words, width):
            rows[piece, i] |= rules.reads[o, i - option_words]
    for piece in range(pieces):
        for i in range(option_words, width):
            rows[piece, i] &= board[i - option_words]
        if scratch.sizes[piece] > largest:
            slot = local_slot(tables, rows[piece], width)
            if tables.local_slot[slot] < 0:
                tables.children[tables.counts[CHILDREN]] = UNNAMED
                tables.counts[CHILDREN] += 1
                return 0
    steps = 0
    piece = -1
    for f in range(rules.fluents):
        if not scratch.opened[f] or find(parent, 1 + f) != 1 + f:
            continue
        piece += 1
        slot = local_slot(tables, rows[piece], width)
        if tables.local_slot[slot] < 0:
            vertices, hypers = residual(rules, scratch, live, gates, 1 + f)
            steps += arrange(scratch, vertices, hypers)
            length = written(scratch, vertices, hypers)
            known = tables.counts[NAMES]
            name = name_of(tables, scratch.text, length)
            own = np.int32(tables.counts[LOCALS])
            tables.counts[LOCALS] += 1
            tables.local_slot[slot] = own
            tables.name_of[own] = name
            for i in range(width):
                tables.keys[own, i] = rows[piece, i]
            if name == known:
                tables.local_of[name] = own
                tables.size_of[name] = scratch.sizes[piece]
        tables.children[tables.counts[CHILDREN]] = tables.name_of[tables.local_slot[slot]]
        tables.counts[CHILDREN] += 1
    return steps


@kernel
def fall(
    rules: PieceRules, scratch: Scratch, tables: PieceTables, board: Words, largest: int
) -> None:
    """Split a board with all its options; the names of the pieces follow as children, just
    `UNNAMED` if a new one would have more than `largest` fluents."""
    count = len(rules.rule)
    for o in range(count):
        scratch.options[o] = o
    gates = need(rules, scratch, count)
    load(rules, scratch, board)
    live, steps = settle(rules, scratch, count, gates)
    link(rules, scratch, live, gates)
    steps += _take_down(rules, scratch, tables, live, gates, board, largest)
    tables.counts[STEPS] += steps + len(rules.first)


@kernel
def has_room(tables: PieceTables, pieces: int, longest: int) -> bool:
    """Whether there is room for so many `pieces`, the written forms of which are at most so long
    together."""
    counts = tables.counts
    return bool(
        counts[LOCALS] + pieces <= len(tables.keys)
        and 2 * (counts[LOCALS] + pieces) <= len(tables.local_slot)
        and 2 * (counts[NAMES] + pieces) <= len(tables.name_slot)
        and counts[NAMES] + pieces + 1 < len(tables.token_start)
        and counts[TOKENS] + longest <= len(tables.tokens)
        and counts[OPTIONS] + 2 < len(tables.child_start)
        and counts[CHILDREN] + pieces <= len(tables.children)
    )


@kernel
def fall_each(
    rules: PieceRules,
    scratch: Scratch,
    tables: PieceTables,
    boards: Words,
    largest: int,
    steps: int,
    pieces: int,
    longest: int,
    ends: Int64s,
) -> int:
    """The same for some boards, until so many `steps` were made or there is no room (see
    `has_room`); on how many. `ends`: up to where the children of each go.

    Once something new has a name, nothing else gets one.
    """
    names, until = tables.counts[NAMES], tables.counts[STEPS] + steps
    done = 0
    while done < len(boards) and has_room(tables, pieces, longest):
        if tables.counts[STEPS] > until:
            break
        limit = largest if tables.counts[NAMES] == names else 0
        fall(rules, scratch, tables, boards[done], limit)
        ends[done] = tables.counts[CHILDREN]
        done += 1
    return done


@kernel
def rehash(tables: PieceTables) -> None:
    """Fill the empty hash tables with what there is."""
    for slots in (tables.local_slot, tables.name_slot):
        for i in range(len(slots)):
            slots[i] = -1
    width = tables.keys.shape[1]
    for local in range(tables.counts[LOCALS]):
        tables.local_slot[local_slot(tables, tables.keys[local], width)] = local
    size = len(tables.name_slot)
    for name in range(tables.counts[NAMES]):
        start, stop = tables.token_start[name], tables.token_start[name + 1]
        slot = np.int64(hash_row(tables.tokens[start:stop], stop - start) & np.uint64(size - 1))
        while tables.name_slot[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        tables.name_slot[slot] = name


@array_kernel
def upward(tables: PieceTables, start: int, order: Int32s) -> int:
    """Put the names from `start` on into `order`, each after those that it leads to.

    How many there are before play goes in circles, which names that are expanded never do if no
    board comes up twice.
    """
    count = tables.counts[NAMES]
    left = np.zeros(count, dtype=np.int64)
    before = np.zeros(count + 1, dtype=np.int64)
    for name in range(start, count):
        for c in range(
            tables.child_start[tables.option_start[name]],
            tables.child_start[tables.option_start[name + 1]],
        ):
            if tables.children[c] >= start:
                left[name] += 1
                before[tables.children[c] + 1] += 1
    for name in range(count):
        before[name + 1] += before[name]
    into = np.empty(before[count], dtype=np.int32)
    at = before[:count].copy()
    for name in range(start, count):
        for c in range(
            tables.child_start[tables.option_start[name]],
            tables.child_start[tables.option_start[name + 1]],
        ):
            child = tables.children[c]
            if child >= start:
                into[at[child]] = name
                at[child] += 1
    done = ready = 0
    for name in range(start, count):
        if not left[name]:
            order[ready] = name
            ready += 1
    while done < ready:
        name = order[done]
        done += 1
        for i in range(before[name], before[name + 1]):
            left[into[i]] -= 1
            if not left[into[i]]:
                order[ready] = into[i]
                ready += 1
    return done


@array_kernel
def expand(
    rules: PieceRules,
    scratch: Scratch,
    tables: PieceTables,
    name: int,
    steps: int,
    pieces: int,
    longest: int,
) -> int:
    """Make every move on the pieces of names from `name` on, and name what they fall into.

    Stops after some `steps`, at the last name, or where there is no room for what one more move may
    lead to (see `has_room`), in the midst of the moves of a name too; the name to go on from.
    """
    counts, keys = tables.counts, tables.keys
    option_words = keys.shape[1] - rules.reads.shape[1]
    board = np.empty(rules.reads.shape[1], dtype=np.uint64)
    after = np.empty(rules.reads.shape[1], dtype=np.uint64)
    made = np.empty(len(rules.rule), dtype=np.int32)
    until = counts[STEPS] + steps
    changes = np.empty((len(rules.rule), rules.reads.shape[1]), dtype=np.uint64)
    while name < counts[NAMES]:
        local = tables.local_of[name]
        count = 0
        for o in range(len(rules.rule)):
            if keys[local, o >> 6] >> np.uint64(o & 63) & np.uint64(1):
                scratch.options[count] = o
                count += 1
        for i in range(len(board)):
            board[i] = keys[local, option_words + i]
        gates = need(rules, scratch, count)
        load(rules, scratch, board)
        simulate(rules, scratch, gates)
        counts[STEPS] += gates
        legal = 0
        for k in range(count):
            o = scratch.options[k]
            if of(scratch.values, rules.rule[o]) != YES:
                continue
            made[legal] = o
            for i in range(len(board)):
                changes[legal, i] = board[i]
            for c in range(rules.change_start[o], rules.change_start[o + 1]):
                f = rules.change_fluent[c]
                bit = np.uint64(1) << np.uint64(f & 63)
                if of(scratch.values, rules.change_value[c]) == YES:
                    changes[legal, f >> 6] |= bit
                else:
                    changes[legal, f >> 6] &= ~bit
            legal += 1
        for k in range(counts[OPTIONS] - tables.option_start[name], legal):
            if counts[STEPS] > until or not has_room(tables, pieces, longest):
                return name
            for i in range(len(board)):
                after[i] = changes[k, i]
            load(rules, scratch, after)
            live, more = settle(rules, scratch, count, gates)
            link(rules, scratch, live, gates)
            tables.side[counts[OPTIONS]] = rules.side[made[k]]
            more += _take_down(rules, scratch, tables, live, gates, after, rules.fluents)
            counts[STEPS] += more
            counts[OPTIONS] += 1
            tables.child_start[counts[OPTIONS]] = counts[CHILDREN]
        name += 1
        tables.option_start[name] = counts[OPTIONS]
    return name
