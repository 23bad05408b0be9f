"""Loops that bring the gates of a circuit into order, and give them rows.

Compiled by numba once for each machine. A circuit is given by the operands of its nodes, `first`
and `second` (nodes,), as in `ggp.circuits.circuit.Circuit`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import kernel
from ggp.machine.engine.frames import Int32s, Int64s
from ggp.machine.engine.polarity import AND, ANDN, OR, XOR

Bytes = NDArray[np.uint8]

OPEN, DONE, VARIABLE = 0, 1, 2
"""Of a node: that it has no place in the order yet, that it has one, and that it is a variable of a
loop that has none."""


@kernel
def operate(
    first: Int32s, second: Int32s, operation: Bytes, left: Int32s, right: Int32s, inverted: Bytes
) -> None:
    """Fill in what each gate does with the rows of which nodes, and which nodes are kept inverted,
    so that no gate needs an inverter."""
    for node in range(len(first)):
        a, b = first[node], second[node]
        if a == b:
            continue
        x, y = a ^ inverted[a >> 1], b ^ inverted[b >> 1]
        left[node], right[node] = x >> 1, y >> 1
        if a > b:
            operation[node] = XOR
            inverted[node] = (x ^ y) & 1
        elif x & y & 1:
            operation[node] = OR
            inverted[node] = 1
        elif (x | y) & 1:
            operation[node] = ANDN
            if not x & 1:
                left[node], right[node] = y >> 1, x >> 1
        else:
            operation[node] = AND


@kernel
def walk(
    first: Int32s,
    second: Int32s,
    state: Bytes,
    todo: Int32s,
    base: int,
    depth: int,
    order: Int32s,
    count: int,
) -> tuple[int, int]:
    """Give places in the `order` (nodes,), which has so many, to the gates that are needed for
    those on a stack `todo` from `base` to `depth`, operands first: the new depth, and count.

    Ends at a variable of a loop that has no place yet, which is then on top.
    """
    while depth > base:
        node = todo[depth - 1]
        if state[node] == VARIABLE:
            break
        x, y = first[node] >> 1, second[node] >> 1
        if state[node] == DONE or first[node] == second[node]:
            state[node] = DONE
            depth -= 1
        elif state[x] == DONE and state[y] == DONE:
            state[node] = DONE
            order[count] = node
            count += 1
            depth -= 1
        else:
            if state[y] != DONE:
                todo[depth] = y
                depth += 1
            if state[x] != DONE:
                todo[depth] = x
                depth += 1
    return depth, count


@kernel
def note_uses(
    nodes: Int32s, first: Int32s, second: Int32s, number: int, inside: Int32s, last: Int64s
) -> None:
    """Note the operands of some gates as used `last` by section `number`, at the place of the gate;
    at the end of the section if it is a loop and they are not `inside` (nodes,: -1, or the number
    of the loop)."""
    is_loop = len(nodes) > 0 and inside[nodes[0]] == number
    for place in range(len(nodes)):
        node = nodes[place]
        for operand in (first[node] >> 1, second[node] >> 1):
            outlasts = is_loop and inside[operand] != number
            last[operand] = np.int64(number) << 32 | (len(nodes) if outlasts else place)


@kernel
def take_rows(
    nodes: Int32s,
    number: int,
    operation: Bytes,
    left: Int32s,
    right: Int32s,
    last: Int64s,
    row: Int32s,
    free: Int32s,
    counts: Int64s,
    fixed: int,
    code: Int32s,
) -> None:
    """Write the instructions (n, 4) of a section's gates, each with a row for its result.

    `row` (nodes,): of what was computed so far. `free`: rows that can be used again, `counts[0]` of
    them; `counts[1]`: rows in all. The first `fixed` rows are never used again.
    """
    unused, rows = counts[0], counts[1]
    for place in range(len(nodes)):
        node = nodes[place]
        a, b = left[node], right[node]
        now = np.int64(number) << 32 | place
        code[place, 0] = operation[node]
        code[place, 1] = row[a]
        code[place, 2] = row[b]
        if last[a] == now and row[a] >= fixed:
            free[unused] = row[a]
            unused += 1
        if b != a and last[b] == now and row[b] >= fixed:
            free[unused] = row[b]
            unused += 1
        if unused:
            unused -= 1
            row[node] = free[unused]
        else:
            row[node] = rows
            rows += 1
        code[place, 3] = row[node]
    counts[0], counts[1] = unused, rows
