"""The loops over a tree: down by upper confidence bounds, up with what came of it.

Choice of moves: UCT (Kocsis and Szepesvári, ECML 2006), for each role by itself where several have
a choice (decoupled UCT; Finnsson and Björnsson, AAAI 2008), the value of a move being that of the
position it leads to, wherever that was come to from (UCT2; Childs, Brodeur and Kocsis, CIG 2008).
Descents under way count as lost (virtual loss; Chaslot, Winands and van den Herik, CG 2008).
Bounds of what each role gets: score-bounded Monte-Carlo tree search (Cazenave and Saffidine, CG
2010), which finds exact values as MCTS-Solver does (Winands, Björnsson and Saito, CG 2008).
"""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.machine.engine.frames import Int32s, Int64s, Words
from ggp.machine.engine.intrinsics import kernel
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
    SINCE,
    SLOTS,
    TOTAL,
    VISITS,
    Bytes,
    Doubles,
    Int16s,
    Paths,
    Rules,
    Style,
    Tree,
)


@kernel
def random_below(state: Words, bound: int) -> int:
    """A random number below a bound; `state` (1,): of splitmix64 (Steele, Lea, Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64((z >> np.uint64(33)) % np.uint64(bound))


@kernel
def hashed(row: Words) -> np.uint64:
    """A number for a row."""
    z = np.uint64(0)
    for k in range(len(row)):
        z ^= row[k]
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return z


@kernel
def find(tree: Tree, row: Words) -> int:
    """The number of the position with this row, or minus one less than the bucket for it."""
    mask = np.uint64(len(tree.buckets) - 1)
    place = hashed(row) & mask
    while True:
        node = tree.buckets[place]
        if node < 0:
            return -1 - np.int64(place)
        is_same = True
        for k in range(len(row)):
            if tree.rows[node, k] != row[k]:
                is_same = False
                break
        if is_same:
            return node
        place = (place + np.uint64(1)) & mask


@kernel
def low_of(tree: Tree, node: int, role: int) -> float:
    """What a role gets at the least."""
    return tree.stat[node, FIRST + EACH * role + LOW]


@kernel
def high_of(tree: Tree, node: int, role: int) -> float:
    """What a role gets at the most."""
    return tree.stat[node, FIRST + EACH * role + HIGH]


@kernel
def enter(tree: Tree, row: Words, rules: Rules) -> int:
    """The number of the position with this row, a new leaf if there is none; -1: no room."""
    found = find(tree, row)
    if found >= 0:
        return found
    node = tree.used[NODES]
    if node >= len(tree.kind):
        return -1
    tree.used[NODES] += 1
    tree.buckets[-1 - found] = node
    for k in range(len(row)):
        tree.rows[node, k] = row[k]
    tree.kind[node] = LEAF
    tree.stat[node, VISITS] = tree.stat[node, PENDING] = 0.0
    for r in range(len(rules.worst)):
        place = FIRST + EACH * r
        tree.stat[node, place + TOTAL] = 0.0
        tree.stat[node, place + LOW] = rules.worst[r]
        tree.stat[node, place + SINCE] = 0.0
        tree.stat[node, place + HIGH] = rules.best[r]
    return node


@kernel
def is_solved(tree: Tree, node: int, roles: int) -> bool:
    """Whether it is known what every role gets."""
    for r in range(roles):  # noqa: SIM110 - numba knows no generators
        if low_of(tree, node, r) != high_of(tree, node, r):
            return False
    return True


@kernel
def choose_turn(tree: Tree, node: int, role: int, style: Style) -> int:
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
        value += scale / np.sqrt(tree.tried[start + i] + 1.0)
        if value > best:
            best, found = value, i
    if found < 0:
        for i in range(tree.counts[node, role]):
            value = low_of(tree, tree.slots[slot + i], role)
            if value > best:
                best, found = value, i
    return start + found


@kernel
def choose_free(tree: Tree, node: int, start: int, count: int, style: Style) -> int:
    """The arm of one of several roles with a choice: all that counts is what it came to itself."""
    visits = tree.stat[node, VISITS] + tree.stat[node, PENDING] + 1.0
    scale = style.explore * np.sqrt(np.log(visits))
    best, found = -1e30, -1
    for arm in range(start, start + count):
        value = (tree.won[arm] + 0.5 * style.trust) / (tree.tried[arm] + style.trust)
        value += scale / np.sqrt(tree.tried[arm] + 1.0)
        if value > best:
            best, found = value, arm
    return found


@kernel
def descend(
    tree: Tree,
    root: int,
    rules: Rules,
    style: Style,
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
            if tree.kind[node] == LEAF and (depth == 1 or tree.stat[node, VISITS] + 1 >= ready):
                if asked < len(wanted):
                    tree.kind[node] = AWAITED
                    wanted[asked] = node
                    asked += 1
                break
            if tree.kind[node] != OPEN or depth >= paths.node.shape[1]:
                break
            if depth > 1 and is_solved(tree, node, roles):
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
                        picked = choose_free(tree, node, arm, count, style)
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
def attach(
    tree: Tree,
    rules: Rules,
    nodes: Int32s,
    counts: Int32s,
    first: Int64s,
    legal: Int32s,
    bounds: Int64s,
    rows: Words,
    terminal: Bytes,
    goals: Int16s,
) -> None:
    """Open leaves: `counts` (n, roles), `first` (n + 1,) and `legal` say what moves they have as in
    a `View`, `bounds` (n + 1,) where the positions that joint moves lead to stand in the rest.
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
        for j in range(begin, end):
            before = tree.used[NODES]
            child = enter(tree, rows[j], rules)
            tree.slots[slot + j - begin] = child
            if child != before:
                continue
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
def settle(tree: Tree, paths: Paths, reward: Doubles) -> None:
    """Where a descent ended at a position of which all is known, what every role gets there."""
    roles = reward.shape[1]
    for k in range(len(paths.length)):
        leaf = paths.node[k, paths.length[k] - 1]
        if is_solved(tree, leaf, roles):
            for r in range(roles):
                reward[k, r] = low_of(tree, leaf, r) * 0.01


@kernel
def tighten(tree: Tree, node: int, rules: Rules) -> bool:
    """Work out the bounds of a position from what it leads to; whether they are better now."""
    roles = len(rules.worst)
    mover, slot = tree.mover[node], tree.first_slot[node]
    count = 1
    for r in range(roles):
        count *= tree.counts[node, r]
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


@kernel
def narrow(tree: Tree, node: int, role: int, low: float, high: float) -> bool:
    """Take bounds that are better than those that are known; whether any is."""
    place = FIRST + EACH * role
    is_better = False
    if low > tree.stat[node, place + LOW]:
        tree.stat[node, place + LOW] = min(low, tree.stat[node, place + HIGH])
        tree.used[FINDS] += 1
        tree.stat[node, place + SINCE] = tree.used[FINDS]
        is_better = True
    if high < tree.stat[node, place + HIGH]:
        tree.stat[node, place + HIGH] = max(high, tree.stat[node, place + LOW])
        is_better = True
    return is_better


@kernel
def back_up(tree: Tree, paths: Paths, rules: Rules, reward: Doubles) -> None:
    """Enter what descents came to: `reward` (k, roles), parts of 100."""
    roles = reward.shape[1]
    for k in range(len(paths.length)):
        last = paths.length[k] - 1
        leaf = paths.node[k, last]
        is_news = tree.kind[leaf] == OPEN or is_solved(tree, leaf, roles)
        for d in range(last, -1, -1):
            node = paths.node[k, d]
            tree.stat[node, PENDING] -= 1.0
            tree.stat[node, VISITS] += 1.0
            for r in range(roles):
                tree.stat[node, FIRST + EACH * r + TOTAL] += reward[k, r]
                if d < last:
                    arm = paths.arm[k, d, r]
                    tree.won[arm] += reward[k, r]
            if is_news and d < last:
                is_news = tighten(tree, node, rules)


@kernel
def keep(old: Tree, root: int, new: Tree) -> None:
    """Copy what can be come to from a position of one tree into another, empty one of its size."""
    roles, words = old.counts.shape[1], old.rows.shape[1]
    number = np.full(old.used[NODES], -1, dtype=np.int32)
    order = np.empty(old.used[NODES], dtype=np.int32)
    number[root], order[0] = 0, root
    count, done = 1, 0
    mask = np.uint64(len(new.buckets) - 1)
    while done < count:
        node = order[done]
        here = done
        done += 1
        for k in range(words):
            new.rows[here, k] = old.rows[node, k]
        place = hashed(old.rows[node]) & mask
        while new.buckets[place] >= 0:
            place = (place + np.uint64(1)) & mask
        new.buckets[place] = here
        new.kind[here] = old.kind[node] if old.kind[node] != AWAITED else LEAF
        new.mover[here] = old.mover[node]
        for i in range(old.stat.shape[1]):
            new.stat[here, i] = old.stat[node, i]
        new.stat[here, PENDING] = 0.0
        arms, slots = 0, 1
        for r in range(roles):
            new.counts[here, r] = old.counts[node, r]
            arms += old.counts[node, r]
            slots *= old.counts[node, r]
        if old.kind[node] != OPEN:
            continue
        arm, slot = new.used[ARMS], new.used[SLOTS]
        new.first_arm[here], new.first_slot[here] = arm, slot
        for a in range(arms):
            new.move[arm + a] = old.move[old.first_arm[node] + a]
            new.tried[arm + a] = old.tried[old.first_arm[node] + a]
            new.won[arm + a] = old.won[old.first_arm[node] + a]
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
    new.used[FINDS] = old.used[FINDS]
