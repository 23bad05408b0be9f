"""Loops of the search for whether the first player can have at least so much.

All children of a position are made at once, a lane of the circuit each. Both searches keep what
they know in one table of positions, and can be left after any position and gone on with.
"""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.machine.engine.frames import FIRST, Int32s, Int64s, Running, Words
from ggp.machine.engine.intrinsics import call, kernel, lowest
from ggp.machine.engine.kernels import interpret, transpose
from ggp.solver.layers.kernels import FORCED, OVER, least_images, look, mix, part_of

Bytes = NDArray[np.uint8]
Int16s = NDArray[np.int16]
UInt16s = NDArray[np.uint16]
UInt32s = NDArray[np.uint32]

NO, YES, CUT, PAUSED, FULL, FAULT = 0, 1, 2, 3, 4, 5
"""What a search comes to: the answer, open as far as the depth goes, to be gone on with, no room
for so many positions on one line of play, something wrong with the rules."""

INFINITE = 1 << 30
"""The proof number of what is disproved."""

WAYS = 4
"""Entries of the table that a position can be in."""

DEPTH, PHASE, RESULT, COUNT, PLACE, MADE, QUESTION = range(7)
"""Places in the array that says where a search stands: how deep, what is next, what came of the
last position, positions looked at, the place of a fault, positions made, the question's number."""

ENTER, RETURN = 0, 1


class Rules(NamedTuple):
    """A circuit from a state and moves to the next state and what holds there, and its meaning.

    `first`: the number of the first player's role; `code`: for each goal value of that role (or of
    the other, where payoffs are exchanged, `paid`) the number of the score.
    """

    frame: Words
    address: int
    bits: int
    moves: int
    results: int
    bounds: Int64s
    goal_bounds: Int64s
    goal_values: Int16s
    first: int
    paid: int
    code: Bytes
    windows: Int64s
    tables: Words


class Nodes(NamedTuple):
    """Positions of the line of play that is looked at, and all children of each.

    `order` and `cost` are the children in the order in which alpha-beta search looks at them, and
    what puts them in it; proof-number search has the numbers of each there (-1: none yet)."""

    rows: Words
    packed: Words
    keys: Words
    mover: Int16s
    goals: Int16s
    degree: Int64s
    move: Int32s
    order: Int64s
    cost: Int64s


class Table(NamedTuple):
    """What is known of positions: the least and the greatest score that they can have, how much
    work that was (0: an empty place), and for one question, whose number is `asked`, the proof
    numbers. The place of a key begins with what `shift` leaves of its first word."""

    keys: Words
    low: Bytes
    high: Bytes
    work: Bytes
    proof: UInt32s
    disproof: UInt32s
    asked: UInt16s
    shift: int


class Frames(NamedTuple):
    """The line of play: at each depth a position, and which of its children are left.

    `proof` and `disproof` are the thresholds of proof-number search."""

    at: Int64s
    node: Int64s
    start: Int64s
    many: Int64s
    next: Int64s
    open: Int64s
    opened: Int64s
    proof: Int64s
    disproof: Int64s


@kernel
def make(rules: Rules, running: Running, nodes: Nodes, node: int, top: int) -> int:
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


@kernel
def slot_of(table: Table, keys: Words, i: int) -> int:
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
def place_for(table: Table, keys: Words, i: int, top: int) -> int:
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
def known(rules: Rules, nodes: Nodes, table: Table, score: int, i: int) -> int:
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
def note(nodes: Nodes, table: Table, i: int, score: int, top: int, answer: int, work: int) -> None:
    """Enter an answer about a position, and how many positions that took."""
    slot = place_for(table, nodes.keys, i, top)
    if answer == YES:
        table.low[slot] = max(np.int64(table.low[slot]), score)
    else:
        table.high[slot] = min(np.int64(table.high[slot]), score - 1)
    table.work[slot] = max(np.int64(table.work[slot]), size_of(work))


@kernel
def tried_at(nodes: Nodes, table: Table, i: int, question: int) -> int:
    """One more than the moves to which a position was searched without an answer."""
    slot = slot_of(table, nodes.keys, i)
    if slot >= 0 and table.asked[slot] == question:
        return np.int64(table.proof[slot])
    return 0


@kernel
def note_open(nodes: Nodes, table: Table, i: int, top: int, tried: int, question: int) -> None:
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
    rules: Rules,
    running: Running,
    nodes: Nodes,
    table: Table,
    frames: Frames,
    history: Int64s,
    killers: Int32s,
    score: int,
    top_score: int,
    limit: int,
    most: int,
) -> int:
    """Whether the first player can have at least `score`: alpha-beta search with a null window.

    Until `most` positions were looked at in all. `limit` is the depth; the table's proof numbers
    hold how deep positions were searched without an answer, and one more.
    """
    at = frames.at
    depth, phase, result = at[DEPTH], at[PHASE], at[RESULT]
    while True:
        if phase == ENTER:
            if at[COUNT] >= most:
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
                    cost = 16 * nodes.degree[i] - 12 * size_of(history[move])
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


@kernel
def numbers(
    rules: Rules, nodes: Nodes, table: Table, score: int, i: int, question: int, found: Int64s
) -> None:
    """The proof and the disproof number of a position."""
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
        found[0], found[1] = 1, nodes.degree[i]
    else:
        found[0], found[1] = nodes.degree[i], 1


@kernel
def proof_numbers(
    rules: Rules,
    running: Running,
    nodes: Nodes,
    table: Table,
    frames: Frames,
    score: int,
    top_score: int,
    most: int,
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
            if at[COUNT] >= most:
                at[DEPTH], at[PHASE] = depth, phase
                return PAUSED
            at[COUNT] += 1
            stop = make(rules, running, nodes, node, start)
            if stop < 0:
                at[PLACE] = -2 - stop
                return FULL if stop == -1 else FAULT
            at[MADE] += stop - start
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
