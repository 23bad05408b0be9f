"""What is known of positions: entered and found in a table where each has a few places."""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.kernel import kernel
from ggp.machine.engine.frames import Words
from ggp.solver.layers.kernels import OVER
from ggp.solver.search.data import CUT, NO, WAYS, YES, CircuitRules, Nodes, TranspositionTable


@kernel
def slot_of(table: TranspositionTable, keys: Words, i: int) -> int:
    """Where the table knows a position, or -1."""
    first = np.int64(keys[i, 0] >> np.uint64(table.shift)) * WAYS
    for slot in range(first, first + WAYS):
        if table.work[slot]:
            is_same = True
            for k in range(keys.shape[1]):
                is_same = is_same and table.keys[slot, k] == keys[i, k]
            if is_same:
                return slot
    return -1


@kernel
def place_for(table: TranspositionTable, keys: Words, i: int, top: int) -> int:
    """The entry of a position, by default a new one in place of that with the least work."""
    slot = slot_of(table, keys, i)
    if slot >= 0:
        return slot
    first = np.int64(keys[i, 0] >> np.uint64(table.shift)) * WAYS
    slot = first
    for other in range(first + 1, first + WAYS):
        if table.work[other] < table.work[slot]:
            slot = other
    for k in range(keys.shape[1]):
        table.keys[slot, k] = keys[i, k]
    table.low[slot] = 0
    table.high[slot] = top
    table.work[slot] = 1
    table.asked[slot] = 0
    return slot


@kernel
def known(rules: CircuitRules, nodes: Nodes, table: TranspositionTable, score: int, i: int) -> int:
    """Whether a position is known to give the first player so much: `YES`, `NO`, or `CUT`."""
    if nodes.mover[i] == OVER:
        return YES if rules.code[nodes.goals[i, rules.paid]] >= score else NO
    slot = slot_of(table, nodes.keys, i)
    if slot >= 0:
        if table.low[slot] >= score:
            return YES
        if table.high[slot] < score:
            return NO
    return CUT


@kernel
def size_of(work: int) -> int:
    """How many binary digits a number has."""
    size = 0
    while work > 0:
        work >>= 1
        size += 1
    return size


@kernel
def note(
    nodes: Nodes, table: TranspositionTable, i: int, score: int, top: int, answer: int, work: int
) -> None:
    """Enter an answer about a position, and how many positions that took."""
    slot = place_for(table, nodes.keys, i, top)
    if answer == YES:
        table.low[slot] = max(np.int64(table.low[slot]), score)
    else:
        table.high[slot] = min(np.int64(table.high[slot]), score - 1)
    table.work[slot] = max(np.int64(table.work[slot]), size_of(work))
