"""Circuits as programs for an interpreter, on numbered rows that are used again and again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import Circuit, Loop
from ggp.later import Later
from ggp.machine.engine.frames import FIRST, ONE, ZERO
from ggp.machine.engine.polarity import AND, OR, XOR, Polarity
from ggp.machine.engine.schedule import Section, schedule

if TYPE_CHECKING:
    from ggp.machine.engine import arranging
else:
    arranging = Later("ggp.machine.engine.arranging")


@dataclass(frozen=True, eq=False)
class FrameProgram:
    """A circuit for an interpreter that works on a frame of rows.

    `code`: (n, 4) operation, rows of its operands, row of its result. `sections`: (k, 4) a range of
    `code`, and the range of the assignments to loop variables that follow it, which is empty but
    for loops. The first `main` sections give all outputs before the tail. `rows`: of the frame.
    """

    code: NDArray[np.int32]
    sections: NDArray[np.int32]
    main: int
    rows: int


def assemble(circuit: Circuit) -> FrameProgram:
    """The program of a circuit; rows are used again when their values are not needed any more."""
    return _Assembler(circuit).program()


class _Assembler:
    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.polarity = Polarity(circuit)
        self.schedule = schedule(circuit, self.polarity.first, self.polarity.second)
        self.nodes = len(self.polarity.first)
        self.row = np.full(self.nodes, ZERO, dtype=np.int32)
        self.row[list(circuit.inputs)] = range(FIRST, FIRST + len(circuit.inputs))
        self.fixed = FIRST + len(circuit.inputs) + len(circuit.outputs)
        self.free = np.zeros(self.nodes, dtype=np.int32)
        # Of the free rows, and of all.
        self.counts = np.array([0, self.fixed], dtype=np.int64)
        self.code: list[NDArray[np.int32]] = []
        self.length = 0
        self.ranges: list[tuple[int, int, int, int]] = []

    def program(self) -> FrameProgram:
        circuit, (main, tail) = self.circuit, (self.schedule.main, self.schedule.tail)
        split = len(circuit.outputs) if circuit.tail is None else circuit.tail
        sections = [*main, *tail]
        self.last_use = self._last_uses(sections, len(main), split)
        self._sections(main, 0)
        self._store(0, split, len(main))
        count = len(self.ranges)
        self._sections(tail, len(main) + 1)
        self._store(split, len(circuit.outputs), len(sections) + 1)
        return FrameProgram(
            np.concatenate([np.zeros((0, 4), dtype=np.int32), *self.code]),
            np.array(self.ranges, dtype=np.int32).reshape(-1, 4),
            count,
            int(self.counts[1]),
        )

    def _last_uses(self, sections: Sequence[Section], main: int, split: int) -> NDArray[np.int64]:
        """For each node the section, and the place in it, at which it is needed last (see `_at`).

        What a loop takes from outside, and the new values of its variables, are needed until its
        end. Sections are numbered so that the outputs come after those that they belong to.
        """
        first, second = self.polarity.first, self.polarity.second
        last = np.zeros(self.nodes, dtype=np.int64)
        inside = np.full(self.nodes, -1, dtype=np.int32)
        for i, section in enumerate(sections):
            number = i + (i >= main)
            if section.loop:
                inside[section.nodes] = number
            arranging.note_uses(section.nodes, first, second, number, inside, last)
            if section.loop:
                values = [value >> 1 for value in section.loop.values]
                last[values] = end = _at(number, len(section.nodes))
                variables = list(section.loop.variables)
                last[variables] = np.maximum(last[variables], end)
        outputs = np.array(self.circuit.outputs, dtype=np.int64) >> 1
        for nodes, number in ((outputs[:split], main), (outputs[split:], len(sections) + 1)):
            last[nodes] = np.maximum(last[nodes], _at(number, 0))
        return last

    def _say(self, code: NDArray[np.int32]) -> None:
        self.code.append(code)
        self.length += len(code)

    def _sections(self, sections: Iterable[Section], number: int) -> None:
        polarity = self.polarity
        for section in sections:
            if section.loop:
                self._begin_loop(section.loop)
            start = self.length
            code = np.zeros((len(section.nodes), 4), dtype=np.int32)
            arranging.take_rows(
                section.nodes, number, polarity.operation, polarity.left, polarity.right,
                self.last_use, self.row, self.free, self.counts, self.fixed, code,
            )  # fmt: skip
            self._say(code)
            stop = self.length
            if section.loop:
                self._end_loop(section, section.loop, number)
            self.ranges.append((start, stop, stop, self.length))
            number += 1

    def _take(self) -> int:
        if self.counts[0]:
            self.counts[0] -= 1
            return int(self.free[self.counts[0]])
        self.counts[1] += 1
        return int(self.counts[1]) - 1

    def _release(self, nodes: NDArray[np.int64], now: int) -> None:
        """Give the rows of some nodes free that are not needed after a place."""
        rows = self.row[nodes[self.last_use[nodes] == now]]
        rows = rows[rows >= self.fixed]
        count = int(self.counts[0])
        self.free[count : count + len(rows)] = rows
        self.counts[0] += len(rows)

    def _begin_loop(self, loop: Loop) -> None:
        start = self.length
        rows = [self._take() for _ in loop.variables]
        self.row[list(loop.variables)] = rows
        self._say(np.array([(AND, ZERO, ZERO, row) for row in rows], dtype=np.int32).reshape(-1, 4))
        self.ranges.append((start, self.length, self.length, self.length))

    def _end_loop(self, section: Section, loop: Loop, number: int) -> None:
        first, second = self.polarity.first, self.polarity.second
        self._say(self._copies(loop.values, self.row[list(loop.variables)]))
        touched = [section.nodes, first[section.nodes] >> 1, second[section.nodes] >> 1]
        values = np.array(loop.values, dtype=np.int64) >> 1
        ends = np.unique(np.concatenate([*touched, loop.variables, values]).astype(np.int64))
        self._release(ends, _at(number, len(section.nodes)))

    def _copies(self, literals: Sequence[int], rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Instructions that copy literals to rows."""
        wanted = np.array(literals, dtype=np.int64)
        nodes = wanted >> 1
        is_inverted = (wanted ^ self.polarity.is_inverted[nodes]) & 1
        source = self.row[nodes]
        code = np.empty((len(nodes), 4), dtype=np.int32)
        code[:, 0] = np.where(is_inverted, XOR, OR)
        code[:, 1], code[:, 2], code[:, 3] = source, np.where(is_inverted, ONE, source), rows
        return code

    def _store(self, begin: int, end: int, number: int) -> None:
        """Copy outputs to their rows, in a section of their own."""
        start, before = self.length, FIRST + len(self.circuit.inputs)
        outputs = self.circuit.outputs[begin:end]
        self._say(self._copies(outputs, np.arange(before + begin, before + end, dtype=np.int32)))
        self._release(np.unique(np.array(outputs, dtype=np.int64) >> 1), _at(number, 0))
        self.ranges.append((start, self.length, self.length, self.length))


def _at(number: int, place: int) -> int:
    """A place in a section, as a number that grows with both."""
    return number << 32 | place
