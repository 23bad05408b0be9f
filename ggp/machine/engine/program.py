"""Circuits as programs for an interpreter, on numbered rows that are used again and again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import Circuit, Loop
from ggp.circuits.polarity import Operation, Polarity
from ggp.machine.engine.frames import FIRST, ONE, ZERO
from ggp.machine.engine.schedule import Section, schedule


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
        self.schedule = schedule(circuit)
        self.polarity = Polarity(circuit)
        self.row: dict[int, int] = {0: ZERO}
        self.row.update((node, FIRST + i) for i, node in enumerate(circuit.inputs))
        self.fixed = FIRST + len(circuit.inputs) + len(circuit.outputs)
        self.free: list[int] = []
        self.rows = self.fixed
        self.code: list[tuple[int, int, int, int]] = []
        self.ranges: list[tuple[int, int, int, int]] = []

    def program(self) -> FrameProgram:
        circuit, (main, tail) = self.circuit, (self.schedule.main, self.schedule.tail)
        split = len(circuit.outputs) if circuit.tail is None else circuit.tail
        sections = [*main, *tail]
        self.last_use = self._last_uses(sections, len(main), split)
        self._sections(main, 0)
        self._store(range(split), len(main))
        count = len(self.ranges)
        self._sections(tail, len(main) + 1)
        self._store(range(split, len(circuit.outputs)), len(sections) + 1)
        return FrameProgram(
            np.array(self.code, dtype=np.int32).reshape(-1, 4),
            np.array(self.ranges, dtype=np.int32).reshape(-1, 4),
            count,
            self.rows,
        )

    def _last_uses(
        self, sections: list[Section], main: int, split: int
    ) -> Mapping[int, tuple[int, int]]:
        """For each gate the section, and the place in it, at which it is needed last.

        What a loop takes from outside, and the new values of its variables, are needed until its
        end. Sections are numbered so that the outputs come after those that they belong to.
        """
        first, second = self.circuit.first, self.circuit.second
        last: dict[int, tuple[int, int]] = {}
        for i, section in enumerate(sections):
            number = i + (i >= main)
            inside = set(section.nodes) if section.loop else ()
            end = len(section.nodes)
            for place, node in enumerate(section.nodes):
                for operand in (first[node] >> 1, second[node] >> 1):
                    outlasts = section.loop and operand not in inside
                    last[operand] = (number, end if outlasts else place)
            if section.loop:
                for value in section.loop.values:
                    last[value >> 1] = (number, end)
                for variable in section.loop.variables:
                    last[variable] = max(last.get(variable, (0, 0)), (number, end))
        for j, literal in enumerate(self.circuit.outputs):
            last[literal >> 1] = max(
                last.get(literal >> 1, (0, 0)),
                (main if j < split else len(sections) + 1, 0),
            )
        return last

    def _sections(self, sections: Iterable[Section], number: int) -> None:
        for section in sections:
            if section.loop:
                self._begin_loop(section.loop)
            start = len(self.code)
            for place, node in enumerate(section.nodes):
                self._gate(node, (number, place))
            stop = len(self.code)
            if section.loop:
                self._end_loop(section, number)
            self.ranges.append((start, stop, stop, len(self.code)))
            number += 1

    def _gate(self, node: int, now: tuple[int, int]) -> None:
        gate = self.polarity.gate(node)
        a, b = self.row[gate.first], self.row[gate.second]
        for operand in {gate.first, gate.second}:
            self._release(operand, now)
        self.row[node] = self._take()
        self.code.append((gate.operation, a, b, self.row[node]))

    def _take(self) -> int:
        if self.free:
            return self.free.pop()
        self.rows += 1
        return self.rows - 1

    def _release(self, node: int, now: tuple[int, int]) -> None:
        if self.last_use[node] == now and self.row[node] >= self.fixed:
            self.free.append(self.row[node])

    def _begin_loop(self, loop: Loop) -> None:
        start = len(self.code)
        for variable in loop.variables:
            self.row[variable] = self._take()
            self.code.append((Operation.AND, ZERO, ZERO, self.row[variable]))
        self.ranges.append((start, len(self.code), len(self.code), len(self.code)))

    def _end_loop(self, section: Section, number: int) -> None:
        assert section.loop is not None
        first, second = self.circuit.first, self.circuit.second
        touched = {v >> 1 for v in section.loop.values} | set(section.loop.variables)
        for variable, value in zip(section.loop.variables, section.loop.values, strict=True):
            self._copy(value, self.row[variable])
        for node in section.nodes:
            touched.update((node, first[node] >> 1, second[node] >> 1))
        for node in touched:
            self._release(node, (number, len(section.nodes)))

    def _copy(self, literal: int, row: int) -> None:
        kept = self.polarity.literal(literal)
        source = self.row[kept >> 1]
        if kept & 1:
            self.code.append((Operation.XOR, source, ONE, row))
        else:
            self.code.append((Operation.OR, source, source, row))

    def _store(self, outputs: Sequence[int], number: int) -> None:
        """Copy outputs to their rows, in a section of their own."""
        start = len(self.code)
        for j in outputs:
            self._copy(self.circuit.outputs[j], FIRST + len(self.circuit.inputs) + j)
        for node in {self.circuit.outputs[j] >> 1 for j in outputs}:
            self._release(node, (number, 0))
        self.ranges.append((start, len(self.code), len(self.code), len(self.code)))
