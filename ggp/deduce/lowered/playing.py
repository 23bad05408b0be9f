"""Questions for the machine of `running`, and plays by chance, which are many of them."""

# Arrays of numba have no types.
# mypy: disable-error-code="no-any-return,return-value"

from __future__ import annotations

from ggp.deduce.lowered.memory import (
    BASE,
    COLUMNS,
    FRAME,
    LOWEST,
    MIXED,
    NONE,
    OPEN,
    PC,
    PHASE,
    PLIES,
    SPAN,
    Memory,
    Numbers,
    enter,
)
from ggp.deduce.lowered.running import DONE, ENDED, LONG, STUCK, drawn, run
from ggp.kernel import kernel


@kernel
def begin(m: Memory, start: int, key: Numbers, size: int) -> None:
    """Ask a question that stands at `start`; `run` is to follow, the answer is `registers[0]`."""
    m.at[PC] = start
    m.at[FRAME] = m.at[BASE] = m.at[OPEN] = m.at[MIXED] = 0
    m.frames[0, LOWEST] = NONE
    m.frames[0, SPAN] = 1 + size
    for i in range(size):
        m.registers[1 + i] = key[i]


@kernel
def collect(m: Memory, rows: Numbers) -> int:
    """The first column of the answers to the question that was asked last; how many they are."""
    cell, count = m.registers[0], 0
    while cell != 0:
        if count < len(rows):
            rows[count] = m.cells[cell + COLUMNS]
        count += 1
        cell = m.cells[cell]
    return count


@kernel
def play(m: Memory, starts: Numbers, plies: int) -> int:
    """Go on with random play from the state that is asked about, in which a play begins if
    `at[PHASE]` is 0: `ENDED`, `STUCK`, `LONG`, or `PAUSED` or `FULL` to go on with.

    `starts`: where it is asked whether play is over, what is legal and what comes next.
    """
    roles, none = len(m.roles), m.roles
    while True:
        phase = m.at[PHASE]
        if phase == 0:
            begin(m, starts[0], none, 0)
            m.at[PHASE] = 1
        status = run(m)
        if status != DONE:
            return status
        if phase <= 1:
            if m.registers[0] != 0 or m.at[PLIES] >= plies:
                m.at[PHASE] = 0
                return ENDED if m.registers[0] != 0 else LONG
            role = 0
        elif phase <= 1 + roles:
            count = collect(m, m.chosen[:0])
            if count == 0:
                m.at[PHASE] = 0
                return STUCK
            cell = m.registers[0]
            for _ in range(drawn(m.random, count)):
                cell = m.cells[cell]
            m.chosen[phase - 2] = m.cells[cell + COLUMNS]
            role = phase - 1
        else:
            enter(m, m.spare[: collect(m, m.spare)])
            m.at[PLIES] += 1
            m.at[PHASE] = 0
            continue
        if role < roles:
            begin(m, starts[1], m.roles[role:], 1)
        else:
            begin(m, starts[2], none, 0)
        m.at[PHASE] = role + 2
