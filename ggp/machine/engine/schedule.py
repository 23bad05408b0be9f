"""The order in which the gates of a circuit are computed.

Depth first from the outputs, so that operands are used soon after they are made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ggp.circuits.circuit import Circuit, Loop


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
        own = inside.union(loop.variables)
        for node in sorted(inside):
            for operand in (self.circuit.first[node], self.circuit.second[node]):
                if operand >> 1 not in own:
                    self._emit(operand >> 1)
        for value in loop.values:
            if value >> 1 not in own:
                self._emit(value >> 1)
        for variable in loop.variables:
            self.done[variable] = 1
        self._flush()
        nodes = tuple(sorted(inside))
        for node in nodes:
            self.done[node] = 1
        self.finished.append(Section(nodes, loop))

    def _inside(self, loop: Loop) -> set[int]:
        """The gates of the loop's values that depend on its variables."""
        first, second = self.circuit.first, self.circuit.second
        variables = set(loop.variables)
        # Nodes are numbered so that operands come first.
        earliest = min(variables)
        depends: dict[int, bool] = {}
        for root in loop.values:
            todo = [root >> 1]
            while todo:
                node = todo[-1]
                if node in depends:
                    todo.pop()
                elif node < earliest or first[node] == second[node]:
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
