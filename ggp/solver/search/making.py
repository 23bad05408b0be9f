"""All children of a position made at once, a lane of the circuit each."""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.machine.engine.frames import FIRST, Running, Words
from ggp.machine.engine.intrinsics import call, kernel, lowest
from ggp.machine.engine.kernels import interpret, transpose
from ggp.machine.engine.words import part_of
from ggp.solver.layers.kernels import least_images, look, mix
from ggp.solver.search.data import CircuitRules, Nodes


@kernel
def make(rules: CircuitRules, running: Running, nodes: Nodes, node: int, top: int) -> int:
    """Make the children of a position at the places from `top` on; the place after them.

    -1 where there is no room, or, for a child at `p` with which something is wrong, `-2 - p`.
    """
    count = nodes.degree[node]
    if top + count > len(nodes.rows):
        return -1
    frame, one = rules.frame, np.uint64(1)
    words = nodes.rows.shape[1]
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
    block = np.empty(64, dtype=np.uint64)
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
        for k in range(words + nodes.packed.shape[1]):
            for i in range(64):
                inside = 64 * k + i < rules.results
                block[i] = frame[output + 64 * k + i, 0] if inside else np.uint64(0)
            transpose(block)
            for i in range(size):
                if k < words:
                    nodes.rows[start + i, k] = block[i]
                else:
                    nodes.packed[start + i, k - words] = block[i]
    for i in range(top, made):
        for k in range(words):
            nodes.keys[i, k] = nodes.rows[i, k]
    if len(rules.tables):
        least_images(nodes.keys[top:made], rules.windows, rules.tables)
    mix(nodes.keys[top:made])
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
    return made if fault < 0 else -2 - (top + (fault >> 3))


@kernel
def first_bit(packed: Words, i: int, begin: int, end: int) -> int:
    """The first set bit of a row from `begin` to `end`, where there is one."""
    for k in range(begin >> 6, (end + 63) >> 6):
        word = part_of(packed[i, k], k, begin, end)
        if word:
            return 64 * k + np.int64(lowest(word))
    return -1
