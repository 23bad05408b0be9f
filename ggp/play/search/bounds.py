"""What each role gets in a position of the tree at the least and at the most.

Bounds go up from ends: score-bounded Monte-Carlo tree search (Cazenave and Saffidine, CG 2010),
which finds exact values as MCTS-Solver does (Winands, Björnsson and Saito, CG 2008).
"""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.play.search.tree import EACH, FINDS, FIRST, HIGH, LOW, OPEN, SearchRules, Tree

NEAR, MOVES = 256, 2_048
"""Positions that are looked at again after each batch, and the moves of all of them: three
hundredths of its time in Connect-four, less than one where there are many moves (measured)."""


@kernel
def low_of(tree: Tree, node: int, role: int) -> float:
    """What a role gets at the least."""
    return tree.stat[node, FIRST + EACH * role + LOW]


@kernel
def high_of(tree: Tree, node: int, role: int) -> float:
    """What a role gets at the most."""
    return tree.stat[node, FIRST + EACH * role + HIGH]


@kernel
def is_solved(tree: Tree, node: int, roles: int) -> bool:
    """Whether it is known what every role gets."""
    for r in range(roles):  # noqa: SIM110 - numba knows no generators
        if low_of(tree, node, r) != high_of(tree, node, r):
            return False
    return True


@kernel
def is_solved_for_one(tree: Tree, node: int, roles: int) -> bool:
    """Whether it is known what some role gets."""
    for r in range(roles):  # noqa: SIM110 - numba knows no generators
        if low_of(tree, node, r) == high_of(tree, node, r):
            return True
    return False


@kernel
def joint_moves(tree: Tree, node: int, roles: int) -> int:
    """How many joint moves an open position has."""
    count = 1
    for r in range(roles):
        count *= tree.counts[node, r]
    return count


@kernel
def tighten(tree: Tree, node: int, rules: SearchRules) -> bool:
    """Work out the bounds of a position from what it leads to; whether they are better now."""
    roles = len(rules.worst)
    mover, slot = tree.mover[node], tree.first_slot[node]
    count = joint_moves(tree, node, roles)
    is_better, is_choice = False, mover >= 0 and mover != rules.chance
    sure = -1.0
    if is_choice:
        sure = most = np.float64(rules.worst[mover])
        for i in range(count):
            child = tree.slots[slot + i]
            sure = max(sure, low_of(tree, child, mover))
            most = max(most, high_of(tree, child, mover))
        is_better |= narrow(tree, node, mover, sure, most)
    for r in range(roles):
        if r == mover and is_choice:
            continue
        if rules.opposed and is_choice:
            low = rules.both - high_of(tree, node, mover)
            high = rules.both - low_of(tree, node, mover)
            is_better |= narrow(tree, node, r, low, high)
            continue
        low, high = np.float64(rules.best[r]), np.float64(rules.worst[r])
        for i in range(count):
            child = tree.slots[slot + i]
            # Nobody goes where they get less than they can be sure of.
            if sure < 0 or high_of(tree, child, mover) >= sure:
                low = min(low, low_of(tree, child, r))
                high = max(high, high_of(tree, child, r))
        is_better |= narrow(tree, node, r, low, high)
    return is_better


@array_kernel
def look_again(tree: Tree, root: int, rules: SearchRules) -> None:
    """Work out anew the bounds of some positions next to one, farther ones first: what they lead to
    may have been come to another way. Of many moves other ones each time."""
    if tree.kind[root] != OPEN:
        return
    near = np.empty(NEAR, dtype=np.int32)
    near[0] = root
    size, roles = 1, len(rules.worst)
    looked = joint_moves(tree, root, roles)
    for i in range(NEAR):
        if i == size:
            break
        count, slot = joint_moves(tree, near[i], roles), tree.first_slot[near[i]]
        begin = np.int64(tree.used[FINDS]) % count
        for n in range(count):
            if size == NEAR or looked > MOVES:
                break
            child = tree.slots[slot + (begin + n) % count]
            if tree.kind[child] == OPEN and not is_solved(tree, child, roles):
                near[size] = child
                size += 1
                looked += joint_moves(tree, child, roles)
    for i in range(size - 1, -1, -1):
        tighten(tree, near[i], rules)


@kernel
def narrow(tree: Tree, node: int, role: int, low: float, high: float) -> bool:
    """Take bounds that are better than those that are known; whether any is."""
    place = FIRST + EACH * role
    is_better = False
    if low > tree.stat[node, place + LOW]:
        tree.stat[node, place + LOW] = min(low, tree.stat[node, place + HIGH])
        tree.used[FINDS] += 1
        tree.since[node, role] = tree.used[FINDS]
        is_better = True
    if high < tree.stat[node, place + HIGH]:
        tree.stat[node, place + HIGH] = max(high, tree.stat[node, place + LOW])
        is_better = True
    return is_better
