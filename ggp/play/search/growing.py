"""How a tree gets its positions: entered once each, opened, and kept from move to move."""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import Int32s, Int64s, Words
from ggp.machine.space.hashing import place_of
from ggp.play.search.bounds import is_solved_for_one, joint_moves, narrow, tighten
from ggp.play.search.tree import (
    ARMS,
    AWAITED,
    CLOSED,
    EACH,
    END,
    FINDS,
    FIRST,
    HIGH,
    LEAF,
    LOW,
    NOBODY,
    NODES,
    OPEN,
    PENDING,
    SLOTS,
    TOTAL,
    VISITS,
    Bytes,
    Doubles,
    Int16s,
    SearchRules,
    Tree,
)

MOST_VISITS = 1 << 16
"""Visits of a position that are told apart where a tree is thinned out."""


@kernel
def find(tree: Tree, row: Words) -> int:
    """The number of the position with this row, -1 if there is none."""
    return np.int64(tree.buckets[place_of(row, tree.rows, tree.buckets)])


@kernel
def enter(tree: Tree, row: Words, rules: SearchRules) -> int:
    """The number of the position with this row, a new leaf if there is none; -1: no room."""
    bucket = place_of(row, tree.rows, tree.buckets)
    if tree.buckets[bucket] >= 0:
        return np.int64(tree.buckets[bucket])
    node = tree.used[NODES]
    if node >= len(tree.kind):
        return -1
    tree.used[NODES] += 1
    tree.buckets[bucket] = node
    for k in range(len(row)):
        tree.rows[node, k] = row[k]
    tree.kind[node] = LEAF
    tree.stat[node, VISITS] = tree.stat[node, PENDING] = 0.0
    for r in range(len(rules.worst)):
        place = FIRST + EACH * r
        tree.stat[node, place + TOTAL] = 0.0
        tree.stat[node, place + LOW] = rules.worst[r]
        tree.since[node, r] = 0.0
        tree.stat[node, place + HIGH] = rules.best[r]
    return node


@kernel
def win(tree: Tree, node: int, role: int, rules: SearchRules) -> None:
    """Take it for known that a role gets its highest goal."""
    most = np.float64(rules.best[role])
    narrow(tree, node, role, most, most)
    if rules.opposed:
        for r in range(len(rules.worst)):
            if r != role and r != rules.chance:
                narrow(tree, node, r, rules.both - most, rules.both - most)


@kernel
def attach(
    tree: Tree,
    rules: SearchRules,
    nodes: Int32s,
    counts: Int32s,
    first: Int64s,
    legal: Int32s,
    bounds: Int64s,
    rows: Words,
    terminal: Bytes,
    goals: Int16s,
    bias: Doubles,
    winner: Int16s,
) -> None:
    """Open leaves.

    `counts` (n, roles), `first` (n + 1,) and `legal` say what moves they have as in a `View`,
    `bias` how keen the search is to try each; `bounds` (n + 1,) where the positions that joint
    moves lead to stand in the rest. `winner`: the role that can win in one move from there, or
    `NOBODY`, as far as is known.
    """
    roles = counts.shape[1]
    for i in range(len(nodes)):
        node = nodes[i]
        begin, end = bounds[i], bounds[i + 1]
        arms = 0
        for r in range(roles):
            arms += counts[i, r]
        is_full = (
            tree.used[ARMS] + arms > len(tree.move)
            or tree.used[SLOTS] + end - begin > len(tree.slots)
            or tree.used[NODES] + end - begin > len(tree.kind)
        )
        if is_full or begin == end:
            tree.kind[node] = LEAF if is_full else CLOSED
            continue
        arm, slot = tree.used[ARMS], tree.used[SLOTS]
        tree.used[ARMS] += arms
        tree.used[SLOTS] += end - begin
        tree.first_arm[node], tree.first_slot[node] = arm, slot
        mover, choices = NOBODY, 0
        for r in range(roles):
            tree.counts[node, r] = counts[i, r]
            if counts[i, r] > 1:
                mover = r
                choices += 1
        tree.mover[node] = mover if choices == 1 else NOBODY
        for a in range(arms):
            tree.move[arm + a] = legal[first[i] + a]
            tree.tried[arm + a] = 0
            tree.won[arm + a] = 0.0
            tree.bias[arm + a] = bias[first[i] + a]
        for j in range(begin, end):
            before = tree.used[NODES]
            child = enter(tree, rows[j], rules)
            tree.slots[slot + j - begin] = child
            if child != before:
                continue
            if winner[j] != NOBODY:
                win(tree, child, winner[j], rules)
            for r in range(roles):
                place = FIRST + EACH * r
                if terminal[j]:
                    tree.kind[child] = END
                    # What the rules leave open counts as even.
                    goal = np.float64(goals[j, r]) if goals[j, r] >= 0 else 50.0
                    tree.stat[child, place + LOW] = tree.stat[child, place + HIGH] = goal
        tree.kind[node] = OPEN
        tighten(tree, node, rules)


@kernel
def decide(tree: Tree, nodes: Int32s, goals: Doubles) -> None:
    """Take it for known what every role gets in some positions: `goals` (n, roles)."""
    for i in range(len(nodes)):
        node = nodes[i]
        tree.kind[node] = END
        for r in range(goals.shape[1]):
            place = FIRST + EACH * r
            tree.used[FINDS] += 1
            tree.stat[node, place + LOW] = tree.stat[node, place + HIGH] = goals[i, r]
            tree.since[node, r] = tree.used[FINDS]


@kernel
def forget(tree: Tree, node: int, rules: SearchRules) -> None:
    """Make a position that is decided a leaf again, of which nothing is sure."""
    tree.kind[node] = LEAF
    for r in range(len(rules.worst)):
        tree.stat[node, FIRST + EACH * r + LOW] = rules.worst[r]
        tree.stat[node, FIRST + EACH * r + HIGH] = rules.best[r]


@array_kernel
def reach(tree: Tree, root: int) -> Bytes:
    """Which positions can be come to from one (n,): 0 or 1."""
    roles = tree.counts.shape[1]
    found = np.zeros(tree.used[NODES], dtype=np.uint8)
    order = np.empty(tree.used[NODES], dtype=np.int32)
    found[root], order[0] = 1, root
    count, done = 1, 0
    while done < count:
        node = order[done]
        done += 1
        if tree.kind[node] != OPEN:
            continue
        slots = 1
        for r in range(roles):
            slots *= tree.counts[node, r]
        for s in range(slots):
            child = tree.slots[tree.first_slot[node] + s]
            if not found[child]:
                found[child] = 1
                order[count] = child
                count += 1
    return found


@array_kernel
def least_visits(tree: Tree, found: Bytes, room: float) -> float:
    """How often open positions have to have been come to, that all those of `found` (n,) which were
    lead to no more than `room` others; 0 where all of them do."""
    sizes = np.zeros(MOST_VISITS, dtype=np.int64)
    for node in range(len(found)):
        if found[node] and tree.kind[node] == OPEN:
            visits = min(np.int64(tree.stat[node, VISITS]), MOST_VISITS - 1)
            sizes[visits] += joint_moves(tree, node, tree.counts.shape[1])
    total = 0
    for visits in range(MOST_VISITS - 1, -1, -1):
        total += sizes[visits]
        if total > room:
            return visits + 1.0
    return 0.0


@kernel
def keep(
    old: Tree, new: Tree, least: float, number: Int32s, order: Int32s, done: int, steps: int
) -> int:
    """Copy what can be come to from a position of one tree into another of its size, of which it is
    the first then: so many positions from `done` on; how many are done, all if they are as many as
    the other tree has. Positions that were come to less than `least` times, and of which
    it is not known what any role gets, are leaves again.

    `order` (n,): the positions in the order of their new numbers, the first one given; `number`
    (n,): the new number of each, -1 of others.
    """
    roles, words = old.counts.shape[1], old.rows.shape[1]
    if not done:
        number[order[0]] = 0
        new.used[NODES] = 1
        new.used[FINDS] = old.used[FINDS]
    count = new.used[NODES]
    stop = done + steps
    while done < min(count, stop):
        node, here = order[done], done
        done += 1
        new.buckets[place_of(old.rows[node], new.rows, new.buckets)] = here
        for k in range(words):
            new.rows[here, k] = old.rows[node, k]
        new.kind[here] = old.kind[node] if old.kind[node] != AWAITED else LEAF
        new.mover[here] = old.mover[node]
        for i in range(old.stat.shape[1]):
            new.stat[here, i] = old.stat[node, i]
        new.stat[here, PENDING] = 0.0
        arms, slots = 0, 1
        for r in range(roles):
            new.since[here, r] = old.since[node, r]
            new.counts[here, r] = old.counts[node, r]
            arms += old.counts[node, r]
            slots *= old.counts[node, r]
        if old.kind[node] != OPEN:
            continue
        if here and old.stat[node, VISITS] < least and not is_solved_for_one(old, node, roles):
            new.kind[here] = LEAF
            continue
        arm, slot = new.used[ARMS], new.used[SLOTS]
        new.first_arm[here], new.first_slot[here] = arm, slot
        for a in range(arms):
            new.move[arm + a] = old.move[old.first_arm[node] + a]
            new.tried[arm + a] = old.tried[old.first_arm[node] + a]
            new.won[arm + a] = old.won[old.first_arm[node] + a]
            new.bias[arm + a] = old.bias[old.first_arm[node] + a]
        for s in range(slots):
            child = old.slots[old.first_slot[node] + s]
            if number[child] < 0:
                number[child] = count
                order[count] = child
                count += 1
            new.slots[slot + s] = number[child]
        new.used[ARMS] += arms
        new.used[SLOTS] += slots
    new.used[NODES] = count
    return done
