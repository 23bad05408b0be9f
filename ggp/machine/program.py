"""Circuits in the order in which they are computed, as numbered rows for an interpreter.

Gates come in depth-first order from the outputs, so that operands are used soon after they are
made. Inverters cost nothing: of each gate that polarity is kept which its operation gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ggp.machine.circuit import Circuit, Loop
from ggp.machine.frames import FIRST, ONE, ZERO


class Operation(IntEnum):
    """What a gate does with the rows of its operands."""

    AND = 0
    ANDN = 1
    """the second and not the first"""
    OR = 2
    XOR = 3


@dataclass(frozen=True)
class Section:
    """Gates (nodes) in order; those of a loop are repeated until its variables are stable."""

    nodes: tuple[int, ...]
    loop: Loop | None = None


@dataclass(frozen=True)
class Schedule:
    """The needed gates of a circuit in order: `main` for all outputs before the tail."""

    main: tuple[Section, ...]
    tail: tuple[Section, ...]


def schedule(circuit: Circuit) -> Schedule:
    """An order in which operands come before what uses them, and whole loops one after another."""
    order = _Order(circuit)
    main = order.sections(circuit.outputs[: circuit.tail])
    tail = order.sections(circuit.outputs[circuit.tail :]) if circuit.tail is not None else ()
    return Schedule(main, tail)


class _Order:
    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.done = bytearray(len(circuit.first))
        self.loop_of = {v: loop for loop in circuit.loops for v in loop.variables}
        self.finished: list[Section] = []
        self.current: list[int] = []

    def sections(self, outputs: Iterable[int]) -> tuple[Section, ...]:
        """The sections that give these outputs, but for what is there already."""
        self.finished = []
        for literal in outputs:
            self._emit(literal >> 1)
        self._flush()
        return tuple(self.finished)

    def _flush(self) -> None:
        if self.current:
            self.finished.append(Section(tuple(self.current)))
            self.current = []

    def _emit(self, root: int) -> None:
        """All gates below `root`, and itself, that are not there yet."""
        first, second, done = self.circuit.first, self.circuit.second, self.done
        todo = [root]
        while todo:
            node = todo[-1]
            if done[node]:
                todo.pop()
                continue
            a, b = first[node], second[node]
            if a == b:
                loop = self.loop_of.get(node)
                if loop is not None:
                    self._emit_loop(loop)
                done[node] = 1
                todo.pop()
                continue
            below = [x >> 1 for x in (b, a) if not done[x >> 1]]
            if below:
                todo.extend(below)
            else:
                done[node] = 1
                self.current.append(node)
                todo.pop()

    def _emit_loop(self, loop: Loop) -> None:
        """What the loop needs from outside, then the loop as a section of its own."""
        inside = self._inside(loop)
        for node in sorted(inside):
            for operand in (self.circuit.first[node], self.circuit.second[node]):
                if operand >> 1 not in inside and operand >> 1 not in loop.variables:
                    self._emit(operand >> 1)
        for value in loop.values:
            if value >> 1 not in inside and value >> 1 not in loop.variables:
                self._emit(value >> 1)
        for variable in loop.variables:
            self.done[variable] = 1
        self._flush()
        # Nodes are numbered so that operands come first.
        nodes = tuple(sorted(inside))
        for node in nodes:
            self.done[node] = 1
        self.finished.append(Section(nodes, loop))

    def _inside(self, loop: Loop) -> set[int]:
        """The gates of the loop's values that depend on its variables."""
        first, second = self.circuit.first, self.circuit.second
        variables = set(loop.variables)
        depends: dict[int, bool] = {}
        for root in loop.values:
            todo = [root >> 1]
            while todo:
                node = todo[-1]
                if node in depends:
                    todo.pop()
                elif first[node] == second[node]:
                    depends[node] = node in variables
                    todo.pop()
                else:
                    below = (first[node] >> 1, second[node] >> 1)
                    missing = [n for n in below if n not in depends]
                    if missing:
                        todo.extend(missing)
                    else:
                        depends[node] = depends[below[0]] or depends[below[1]]
                        todo.pop()
        return {n for n, is_inside in depends.items() if is_inside and n not in variables}


@dataclass(frozen=True)
class Gate:
    """One operation on the rows of two nodes, `first` and `second`; its result may be inverted."""

    operation: Operation
    first: int
    second: int


class Polarity:
    """Which nodes are kept inverted, so that no gate needs an inverter.

    An AND of two inverted operands is computed as their OR, and kept as its negation.
    """

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.is_inverted = bytearray(len(circuit.first))

    def literal(self, literal: int) -> int:
        """A literal in terms of what is kept: node, and whether that must be inverted."""
        return literal ^ self.is_inverted[literal >> 1]

    def gate(self, node: int) -> Gate:
        """The operation that computes a node; its operands must have had theirs before."""
        a, b = self.circuit.first[node], self.circuit.second[node]
        is_xor = a > b
        a, b = self.literal(a), self.literal(b)
        if is_xor:
            self.is_inverted[node] = (a ^ b) & 1
            return Gate(Operation.XOR, a >> 1, b >> 1)
        if a & b & 1:
            self.is_inverted[node] = 1
            return Gate(Operation.OR, a >> 1, b >> 1)
        if (a | b) & 1:
            return Gate(Operation.ANDN, *((a >> 1, b >> 1) if a & 1 else (b >> 1, a >> 1)))
        return Gate(Operation.AND, a >> 1, b >> 1)


@dataclass(frozen=True, eq=False)
class Program:
    """A circuit for an interpreter that works on a frame of rows.

    `code`: (n, 4) operation, rows of its operands, row of its result. `sections`: (k, 4) a range of
    `code`, and the range of the assignments to loop variables that follow it, which is empty but
    for loops. The first `main` sections give all outputs before the tail. `rows`: of the frame.
    """

    code: NDArray[np.int32]
    sections: NDArray[np.int32]
    main: int
    rows: int
    inputs: int
    outputs: int

    @property
    def first_output(self) -> int:
        """The row of the first output."""
        return FIRST + self.inputs


def assemble(circuit: Circuit) -> Program:
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

    def program(self) -> Program:
        circuit, (main, tail) = self.circuit, (self.schedule.main, self.schedule.tail)
        split = len(circuit.outputs) if circuit.tail is None else circuit.tail
        sections = [*main, *tail]
        self.last_use = self._last_uses(sections, len(main), split)
        self._sections(main, 0)
        self._store(range(split), len(main))
        count = len(self.ranges)
        self._sections(tail, len(main) + 1)
        self._store(range(split, len(circuit.outputs)), len(sections) + 1)
        return Program(
            np.array(self.code, dtype=np.int32).reshape(-1, 4),
            np.array(self.ranges, dtype=np.int32).reshape(-1, 4),
            count,
            self.rows,
            len(circuit.inputs),
            len(circuit.outputs),
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
