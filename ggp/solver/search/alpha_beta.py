"""Alpha-beta search with a null window, which can be left after any position and gone on with."""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.kernel import kernel
from ggp.machine.engine.frames import Int32s, Int64s, Running
from ggp.solver.layers.kernels import FORCED
from ggp.solver.search.data import (
    COUNT,
    CUT,
    DEPTH,
    ENTER,
    FAULT,
    FULL,
    MADE,
    NO,
    PAUSED,
    PHASE,
    PLACE,
    QUESTION,
    RESULT,
    RETURN,
    ROOM,
    SPENT,
    YES,
    CircuitRules,
    Frames,
    Nodes,
    TranspositionTable,
)
from ggp.solver.search.making import cost_of, make, replies
from ggp.solver.search.table import known, note, place_for, size_of, slot_of


@kernel
def tried_at(nodes: Nodes, table: TranspositionTable, i: int, question: int) -> int:
    """One more than the moves to which a position was searched without an answer."""
    slot = slot_of(table, nodes.keys, i)
    if slot >= 0 and table.asked[slot] == question:
        return np.int64(table.proof[slot])
    return 0


@kernel
def note_open(
    nodes: Nodes, table: TranspositionTable, i: int, top: int, tried: int, question: int
) -> None:
    """Enter that a search had no answer about a position."""
    slot = place_for(table, nodes.keys, i, top)
    if table.asked[slot] == question:
        tried = max(tried, np.int64(table.proof[slot]))
    table.proof[slot], table.asked[slot] = tried, question


@kernel
def sort_children(nodes: Nodes, start: int, count: int) -> None:
    """Put those children first that cost least."""
    for i in range(start + 1, start + count):
        child = nodes.order[i]
        cost = nodes.cost[child]
        j = i
        while j > start and nodes.cost[nodes.order[j - 1]] > cost:
            nodes.order[j] = nodes.order[j - 1]
            j -= 1
        nodes.order[j] = child


@kernel
def alpha_beta(
    rules: CircuitRules,
    running: Running,
    nodes: Nodes,
    table: TranspositionTable,
    frames: Frames,
    history: Int64s,
    killers: Int32s,
    score: int,
    top_score: int,
    limit: int,
    most: int,
    piece: int,
) -> int:
    """Whether the first player can have at least `score`: alpha-beta search with a null window.

    Until `most` positions were looked at in all, or so much work was done in one `piece`. `limit`
    is the depth; the table's proof numbers hold how deep positions were searched without an answer,
    and one more.
    """
    at = frames.at
    depth, phase, result = at[DEPTH], at[PHASE], at[RESULT]
    while True:
        if phase == ENTER:
            if at[COUNT] >= most or at[SPENT] >= piece or at[MADE] > at[ROOM]:
                at[DEPTH], at[PHASE], at[RESULT] = depth, phase, result
                return PAUSED
            node = frames.node[depth]
            at[COUNT] += 1
            phase = RETURN
            start = frames.start[depth]
            stop = make(rules, running, nodes, node, start)
            if stop < 0:
                at[PLACE] = -2 - stop
                return FULL if stop == -1 else FAULT
            at[MADE] += stop - start
            at[SPENT] += cost_of(rules, nodes, node)
            aim = YES if nodes.mover[node] == rules.first or nodes.mover[node] == FORCED else NO
            count = is_open = 0
            result = CUT
            left = limit - depth
            for i in range(start, stop):
                answer = known(rules, nodes, table, score, i)
                if answer == aim:
                    result = answer
                    break
                if answer == CUT and (left <= 1 or tried_at(nodes, table, i, at[QUESTION]) >= left):
                    is_open = 1
                elif answer == CUT:
                    move = nodes.move[i]
                    cost = 16 * replies(nodes, i) - 12 * size_of(history[move])
                    if killers[depth] == move:
                        cost -= 48
                    nodes.cost[i] = cost
                    nodes.order[start + count] = i
                    count += 1
            if result == aim:
                note(nodes, table, node, score, top_score, result, 1)
                continue
            if count == 0 and is_open:
                result = CUT
                note_open(nodes, table, node, top_score, left + 1, at[QUESTION])
                continue
            if count == 0:
                result = YES + NO - aim
                note(nodes, table, node, score, top_score, result, 1)
                continue
            if depth + 2 >= len(frames.node):
                at[PLACE] = node
                return FULL
            sort_children(nodes, start, count)
            frames.many[depth] = count
            frames.next[depth] = 0
            frames.open[depth] = is_open
            frames.opened[depth] = at[COUNT]
            frames.start[depth + 1] = stop
            frames.node[depth + 1] = nodes.order[start]
            depth += 1
            phase = ENTER
            continue
        if depth == 0:
            return result
        depth -= 1
        node, start = frames.node[depth], frames.start[depth]
        aim = YES if nodes.mover[node] == rules.first or nodes.mover[node] == FORCED else NO
        if result == aim:
            move = nodes.move[frames.node[depth + 1]]
            history[move] += 1
            killers[depth] = move
            note(nodes, table, node, score, top_score, result, at[COUNT] - frames.opened[depth])
            continue
        if result == CUT:
            frames.open[depth] = 1
        # Others may have been answered on the way.
        while True:
            frames.next[depth] += 1
            if frames.next[depth] >= frames.many[depth]:
                break
            child = nodes.order[start + frames.next[depth]]
            answer = known(rules, nodes, table, score, child)
            if answer == CUT and tried_at(nodes, table, child, at[QUESTION]) >= limit - depth:
                frames.open[depth] = 1
                continue
            if answer == CUT:
                frames.node[depth + 1] = child
                break
            if answer == aim:
                frames.next[depth] = -1
                break
        if frames.next[depth] < 0:
            result = aim
        elif frames.next[depth] < frames.many[depth]:
            depth += 1
            phase = ENTER
            continue
        else:
            result = CUT if frames.open[depth] else YES + NO - aim
        if result == CUT:
            note_open(nodes, table, node, top_score, limit - depth + 1, at[QUESTION])
        else:
            note(nodes, table, node, score, top_score, result, at[COUNT] - frames.opened[depth])
