"""All children of a position made at once, a lane of the circuit each."""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import FIRST, Running, Words
from ggp.machine.engine.intrinsics import call, lowest
from ggp.machine.engine.kernels import interpret, transpose
from ggp.machine.engine.words import part_of
from ggp.solver.layers.kernels import OVER, least_images, look, mix
from ggp.solver.search.data import CircuitRules, Nodes

MOST_COMPARED = 512
"""Children of a position of which each is compared with each."""


@array_kernel
def make(rules: CircuitRules, running: Running, nodes: Nodes, node: int, top: int) -> int:
    """Make the children of a position at the places from `top` on; the place after them.

    Where who is to move wins by the next move, a child is taken for the end that play then comes
    to. -1 where there is no room, or, for a child at `p` with which something is wrong, `-2 - p`.
    """
    count = nodes.degree[node]
    if top + count > len(nodes.rows):
        return -1
    frame, one = rules.frame, np.uint64(1)
    words = nodes.rows.shape[1]
    keys = words + nodes.packed.shape[1]
    blocks = keys + (nodes.keys.shape[1] if len(rules.masks) else min(1, len(rules.won)))
    move_row = FIRST + rules.bits
    output = move_row + rules.moves
    for b in range(rules.bits):
        frame[FIRST + b, 0] = np.uint64(0) - (nodes.rows[node, b >> 6] >> np.uint64(b & 63) & one)
    roles = len(rules.bounds) - 1
    free = max(nodes.mover[node], 0)
    made = top
    for k in range(rules.bounds[free] >> 6, (rules.bounds[free + 1] + 63) >> 6):
        word = part_of(nodes.packed[node, k], k, rules.bounds[free], rules.bounds[free + 1])
        while word:
            nodes.move[made] = 64 * k + np.int64(lowest(word))
            made += 1
            word &= word - one
    block, wins = np.empty(64, dtype=np.uint64), np.empty(made - top, dtype=np.uint64)
    for start in range(top, made, 64):
        size = min(64, made - start)
        for i in range(size):
            frame[move_row + nodes.move[start + i], 0] |= one << np.uint64(i)
        for j in range(roles):
            if j != free:
                only = first_bit(nodes.packed, node, rules.bounds[j], rules.bounds[j + 1])
                frame[move_row + only, 0] = ~np.uint64(0)
        for i in range(len(running.compiled)):
            call(running.compiled[i], rules.address, rules.address, rules.address)
        if not len(running.compiled):
            interpret(rules.address, running.code, running.sections, 0, len(running.sections))
        for i in range(size):
            frame[move_row + nodes.move[start + i], 0] = 0
        for j in range(roles):
            if j != free:
                only = first_bit(nodes.packed, node, rules.bounds[j], rules.bounds[j + 1])
                frame[move_row + only, 0] = 0
        for k in range(blocks):
            for i in range(64):
                inside = 64 * k + i < rules.results
                block[i] = frame[output + 64 * k + i, 0] if inside else np.uint64(0)
            transpose(block)
            for i in range(size):
                if k < words:
                    nodes.rows[start + i, k] = block[i]
                elif k < keys:
                    nodes.packed[start + i, k - words] = block[i]
                elif len(rules.won):
                    wins[start - top + i] = block[i]
                else:
                    nodes.keys[start + i, k - keys] = block[i]
    fault = look(
        nodes.packed[top:made],
        rules.bounds,
        rules.moves,
        rules.goal_bounds,
        rules.goal_values,
        nodes.mover[top:made],
        nodes.goals[top:made],
        nodes.degree[top:made],
    )
    if fault >= 0:
        return -2 - (top + (fault >> 3))
    for i in range(top, made):
        for role in range(len(rules.won)):
            if wins[i - top] >> np.uint64(role) & one and nodes.mover[i] != OVER:
                nodes.mover[i] = OVER
                nodes.goals[i, rules.paid] = rules.won[role]
        nodes.pressed[i] = 0
        if len(rules.won) and nodes.mover[i] >= 0:
            waiting = len(rules.won) - 1 - nodes.mover[i]
            nodes.pressed[i] = wins[i - top] >> np.uint64(len(rules.won) + waiting) & one
    if len(rules.masks) == 0:
        for i in range(top, made):
            for k in range(words):
                nodes.keys[i, k] = nodes.rows[i, k]
    elif made - top <= MOST_COMPARED:
        made = leave_out(rules, nodes, top, made, is_first=nodes.mover[node] == rules.first)
    if len(rules.tables):
        least_images(nodes.keys[top:made], rules.windows, rules.tables)
    mix(nodes.keys[top:made])
    return made


@kernel
def replies(nodes: Nodes, i: int) -> int:
    """About how many moves of a position are worth a look."""
    return 1 if nodes.pressed[i] else nodes.degree[i]


@kernel
def cost_of(rules: CircuitRules, nodes: Nodes, node: int) -> int:
    """The work of making all children of a position."""
    count = nodes.degree[node]
    cost = rules.of_pass * ((count + 63) >> 6) + rules.of_child * count
    if len(rules.masks) and count <= MOST_COMPARED:
        cost += count * count * nodes.keys.shape[1] >> 6
    return cost


@kernel
def leave_out(rules: CircuitRules, nodes: Nodes, top: int, made: int, is_first: bool) -> int:
    """Leave out each child than which another is at least as good for who moves to it, and of
    those that are alike all but one; the place after the last one that is left."""
    left = top
    for i in range(top, made):
        is_left = True
        # Those that were left out before say nothing that those that are left do not say.
        for j in range(top, left):
            if is_as_good(rules.masks, nodes.keys, j, i, is_first):
                is_left = False
                break
        for j in range(i + 1, made):
            if not is_left:
                break
            if is_as_good(rules.masks, nodes.keys, j, i, is_first) and not is_as_good(
                rules.masks, nodes.keys, i, j, is_first
            ):
                is_left = False
        if is_left:
            if left < i:
                move_to(nodes, i, left)
            left += 1
    return left


@kernel
def is_as_good(masks: Words, keys: Words, i: int, j: int, is_first: bool) -> bool:
    """Whether one position is at least as good as another for the first player, or the second."""
    if not is_first:
        i, j = j, i
    for k in range(keys.shape[1]):
        more, fewer = keys[i, k] & ~keys[j, k], keys[j, k] & ~keys[i, k]
        if more & (masks[0, k] | masks[2, k]) or fewer & (masks[0, k] | masks[1, k]):
            return False
    return True


@kernel
def move_to(nodes: Nodes, i: int, place: int) -> None:
    """Put a child at another place."""
    # numba takes 2 s more to compile a row that is assigned as a whole.
    for k in range(nodes.rows.shape[1]):
        nodes.rows[place, k] = nodes.rows[i, k]
    for k in range(nodes.packed.shape[1]):
        nodes.packed[place, k] = nodes.packed[i, k]
    for k in range(nodes.keys.shape[1]):
        nodes.keys[place, k] = nodes.keys[i, k]
    nodes.mover[place] = nodes.mover[i]
    for k in range(nodes.goals.shape[1]):
        nodes.goals[place, k] = nodes.goals[i, k]
    nodes.pressed[place] = nodes.pressed[i]
    nodes.degree[place] = nodes.degree[i]
    nodes.move[place] = nodes.move[i]


@kernel
def first_bit(packed: Words, i: int, begin: int, end: int) -> int:
    """The first set bit of a row from `begin` to `end`, where there is one."""
    for k in range(begin >> 6, (end + 63) >> 6):
        word = part_of(packed[i, k], k, begin, end)
        if word:
            return 64 * k + np.int64(lowest(word))
    return -1
