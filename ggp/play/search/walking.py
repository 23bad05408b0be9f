"""The loops over a tree: down by upper confidence bounds, up with what came of it.

Choice of moves: UCT (Kocsis and Szepesvári, ECML 2006), for each role by itself where several have
a choice (decoupled UCT; Finnsson and Björnsson, AAAI 2008), the value of a move being that of the
position it leads to, wherever that was come to from (UCT2; Childs, Brodeur and Kocsis, CIG 2008).
Descents under way count as lost (virtual loss; Chaslot, Winands and van den Herik, CG 2008).
"""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.kernel import kernel
from ggp.machine.engine.frames import Int32s, Words
from ggp.machine.engine.words import STEP, mixed
from ggp.play.search.bounds import high_of, is_solved, look_again, low_of, tighten
from ggp.play.search.tree import (
    AWAITED,
    EACH,
    FIRST,
    HIGH,
    LEAF,
    LOW,
    OPEN,
    PENDING,
    TOTAL,
    VISITS,
    Doubles,
    Paths,
    SearchRules,
    SearchStyle,
    Tree,
)


@kernel
def random_below(state: Words, bound: int) -> int:
    """A random number below a bound; `state` (1,): of splitmix64 (Steele, Lea, Flood 2014)."""
    state[0] += np.uint64(STEP)
    return np.int64((mixed(state[0]) >> np.uint64(33)) % np.uint64(bound))


@kernel
def choose_turn(tree: Tree, node: int, role: int, style: SearchStyle) -> int:
    """The arm of the only role with a choice."""
    start = tree.first_arm[node]
    for r in range(role):
        start += tree.counts[node, r]
    slot = tree.first_slot[node]
    place = FIRST + EACH * role
    visits = tree.stat[node, VISITS]
    scale = style.explore * np.sqrt(np.log(visits + tree.stat[node, PENDING] + 1.0))
    mean = tree.stat[node, place + TOTAL] / visits if visits else 0.5
    sure = tree.stat[node, place + LOW]
    is_open = sure != tree.stat[node, place + HIGH]
    best, found = -1e30, -1
    for i in range(tree.counts[node, role]):
        child = tree.slots[slot + i]
        low, high = tree.stat[child, place + LOW], tree.stat[child, place + HIGH]
        # What cannot be better than what is sure already need not be looked at.
        if high <= sure and is_open:
            continue
        if low == high:
            value = low * 0.01
        else:
            value = (tree.stat[child, place + TOTAL] + style.trust * mean) / (
                tree.stat[child, VISITS] + tree.stat[child, PENDING] + style.trust
            )
            value = min(max(value, low * 0.01), high * 0.01)
        value += scale * tree.bias[start + i] / np.sqrt(tree.tried[start + i] + 1.0)
        if value > best:
            best, found = value, i
    if found < 0:
        for i in range(tree.counts[node, role]):
            value = low_of(tree, tree.slots[slot + i], role)
            if value > best:
                best, found = value, i
    return start + found


@kernel
def choose_free(
    tree: Tree, node: int, start: int, count: int, style: SearchStyle, random: Words
) -> int:
    """The arm of one of several roles with a choice: all that counts is what it came to itself.

    Which of equal ones is drawn: two roles that both took the first would try the same pairs of
    moves again and again.
    """
    visits = tree.stat[node, VISITS] + tree.stat[node, PENDING] + 1.0
    scale = style.explore * np.sqrt(np.log(visits))
    best, found, equal = -1e30, -1, 0
    for arm in range(start, start + count):
        value = (tree.won[arm] + 0.5 * style.trust) / (tree.tried[arm] + style.trust)
        value += scale * tree.bias[arm] / np.sqrt(tree.tried[arm] + 1.0)
        if value > best:
            best, found, equal = value, arm, 1
        elif value == best:
            equal += 1
            if random_below(random, equal) == 0:
                found = arm
    return found


@kernel
def descend(
    tree: Tree,
    root: int,
    rules: SearchRules,
    style: SearchStyle,
    paths: Paths,
    wanted: Int32s,
    random: Words,
) -> int:
    """So many descents as there are paths, each to a leaf, an end or a solved position; how many
    leaves are to be expanded, whose numbers are put into `wanted`."""
    roles = len(rules.worst)
    asked = 0
    for k in range(len(paths.length)):
        node, depth, ready = root, 0, style.expand_at
        while True:
            paths.node[k, depth] = node
            tree.stat[node, PENDING] += 1.0
            depth += 1
            if depth > 1 and is_solved(tree, node, roles):
                break
            if tree.kind[node] == LEAF and (depth == 1 or tree.stat[node, VISITS] + 1 >= ready):
                if asked < len(wanted):
                    tree.kind[node] = AWAITED
                    wanted[asked] = node
                    asked += 1
                break
            if tree.kind[node] != OPEN or depth >= paths.node.shape[1]:
                break
            mover, arm = tree.mover[node], tree.first_arm[node]
            slot, slots = 0, 1
            for r in range(roles):
                count = tree.counts[node, r]
                slots *= count
                picked = arm
                if count > 1:
                    if r == rules.chance:
                        picked = arm + random_below(random, count)
                    elif mover == r:
                        picked = choose_turn(tree, node, r, style)
                    else:
                        picked = choose_free(tree, node, arm, count, style, random)
                slot = slot * count + picked - arm
                tree.tried[picked] += 1
                paths.arm[k, depth - 1, r] = picked
                arm += count
            node = tree.slots[tree.first_slot[node] + slot]
            # Where much has to be made it is made later.
            ready = max(style.expand_at, slots // style.wide)
        paths.length[k] = depth
    return asked


@kernel
def settle(tree: Tree, paths: Paths, reward: Doubles) -> None:
    """Where a descent ended at a position of which all is known, what every role gets there."""
    roles = reward.shape[1]
    for k in range(len(paths.length)):
        leaf = paths.node[k, paths.length[k] - 1]
        if is_solved(tree, leaf, roles):
            for r in range(roles):
                reward[k, r] = low_of(tree, leaf, r) * 0.01


@kernel
def undo(tree: Tree, paths: Paths, k: int, roles: int) -> None:
    """Forget a descent of which nothing came."""
    for d in range(paths.length[k]):
        tree.stat[paths.node[k, d], PENDING] -= 1.0
        for r in range(roles):
            if d < paths.length[k] - 1:
                tree.tried[paths.arm[k, d, r]] -= 1


@kernel
def back_up(tree: Tree, paths: Paths, rules: SearchRules, reward: Doubles) -> int:
    """Enter what descents came to: `reward` (k, roles), parts of 100, less than 0 where that is not
    known; of how many it was.

    On the way up it counts for no more and no less than what is sure of a position: whoever moves
    there need not follow the descent. Positions near the first one are looked at again, as their
    bounds may be known by other ways.
    """
    roles = reward.shape[1]
    count = 0
    for k in range(len(paths.length)):
        if reward[k, 0] < 0:
            undo(tree, paths, k, roles)
            continue
        count += 1
        last = paths.length[k] - 1
        leaf = paths.node[k, last]
        is_news = tree.kind[leaf] == OPEN or is_solved(tree, leaf, roles)
        for d in range(last, -1, -1):
            node = paths.node[k, d]
            tree.stat[node, PENDING] -= 1.0
            tree.stat[node, VISITS] += 1.0
            if is_news and d < last:
                is_news = tighten(tree, node, rules)
            for r in range(roles):
                if d < last:
                    arm = paths.arm[k, d, r]
                    tree.won[arm] += reward[k, r]
                least, most = low_of(tree, node, r) * 0.01, high_of(tree, node, r) * 0.01
                reward[k, r] = min(max(reward[k, r], least), most)
                tree.stat[node, FIRST + EACH * r + TOTAL] += reward[k, r]
    look_again(tree, paths.node[0, 0], rules)
    return count
