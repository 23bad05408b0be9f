"""Depth-first proof-number search, which can be left after any position and gone on with."""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import Int64s, Running
from ggp.solver.layers.kernels import FORCED
from ggp.solver.search.data import (
    COUNT,
    DEPTH,
    ENTER,
    FAULT,
    FULL,
    INFINITE,
    MADE,
    NO,
    PAUSED,
    PHASE,
    PLACE,
    QUESTION,
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
def numbers(
    rules: CircuitRules,
    nodes: Nodes,
    table: TranspositionTable,
    score: int,
    i: int,
    question: int,
    found: Int64s,
) -> None:
    """The proof and the disproof number of a position: at first one, and the number of moves, or of
    those that are worth a look."""
    answer = known(rules, nodes, table, score, i)
    if answer == YES:
        found[0], found[1] = 0, INFINITE
        return
    if answer == NO:
        found[0], found[1] = INFINITE, 0
        return
    slot = slot_of(table, nodes.keys, i)
    if slot >= 0 and table.asked[slot] == question:
        found[0], found[1] = table.proof[slot], table.disproof[slot]
    elif nodes.order[i] >= 0:
        # Lost from the table since; without them the same would be searched for ever.
        found[0], found[1] = nodes.order[i], nodes.cost[i]
    elif nodes.mover[i] == rules.first:
        found[0], found[1] = 1, replies(nodes, i)
    else:
        found[0], found[1] = replies(nodes, i), 1


@array_kernel
def proof_numbers(
    rules: CircuitRules,
    running: Running,
    nodes: Nodes,
    table: TranspositionTable,
    frames: Frames,
    score: int,
    top_score: int,
    most: int,
    piece: int,
) -> int:
    """The same by depth-first proof-number search (df-pn).

    The child that is easiest to prove is gone into until another is easier by more than a quarter.
    """
    at = frames.at
    depth, phase = at[DEPTH], at[PHASE]
    found = np.empty(2, dtype=np.int64)
    while True:
        node, start = frames.node[depth], frames.start[depth]
        if phase == ENTER:
            if at[COUNT] >= most or at[SPENT] >= piece or at[MADE] > at[ROOM]:
                at[DEPTH], at[PHASE] = depth, phase
                return PAUSED
            at[COUNT] += 1
            stop = make(rules, running, nodes, node, start)
            if stop < 0:
                at[PLACE] = -2 - stop
                return FULL if stop == -1 else FAULT
            at[MADE] += stop - start
            at[SPENT] += cost_of(rules, nodes, node)
            frames.many[depth] = stop - start
            frames.opened[depth] = at[COUNT]
            for i in range(start, stop):
                nodes.order[i] = -1
            if depth + 2 >= len(frames.node):
                at[PLACE] = node
                return FULL
        is_or = nodes.mover[node] == rules.first or nodes.mover[node] == FORCED
        # Of the side that chooses the least number; of the other the greatest, and one more for
        # each further child: a sum would count again and again what lines of play share.
        least, second, greatest, others, best = INFINITE + 1, INFINITE + 1, 0, -1, -1
        for i in range(start, start + frames.many[depth]):
            numbers(rules, nodes, table, score, i, at[QUESTION], found)
            own, other = (found[0], found[1]) if is_or else (found[1], found[0])
            if other:
                greatest = max(greatest, other)
                others += 1
            if own < least:
                least, second = own, least
                best = i
            elif own < second:
                second = own
        # Open positions are not taken for answered, however large their numbers are.
        total = 0 if least >= INFINITE else min(INFINITE - 1, greatest + max(0, others))
        proof, disproof = (least, total) if is_or else (total, least)
        if least == 0:
            proof, disproof = (0, INFINITE) if is_or else (INFINITE, 0)
        is_known = proof == 0 or disproof == 0
        if is_known or proof >= frames.proof[depth] or disproof >= frames.disproof[depth]:
            work = at[COUNT] - frames.opened[depth] + 1
            if is_known:
                note(nodes, table, node, score, top_score, YES if proof == 0 else NO, work)
                if depth == 0:
                    return YES if proof == 0 else NO
            else:
                slot = place_for(table, nodes.keys, node, top_score)
                table.proof[slot], table.disproof[slot] = proof, disproof
                table.asked[slot] = at[QUESTION]
                table.work[slot] = max(np.int64(table.work[slot]), size_of(work))
            nodes.order[node], nodes.cost[node] = proof, disproof
            depth -= 1
            phase = RETURN
            continue
        mine, theirs = frames.proof[depth], frames.disproof[depth]
        if not is_or:
            mine, theirs = theirs, mine
        limit = min(mine, second + 1 + second // 4)
        rest = theirs - max(0, others)
        frames.proof[depth + 1] = limit if is_or else rest
        frames.disproof[depth + 1] = rest if is_or else limit
        frames.start[depth + 1] = start + frames.many[depth]
        frames.node[depth + 1] = best
        depth += 1
        phase = ENTER
