"""The order in which the gates of a circuit are computed.

Depth first from the outputs, so that operands are used soon after they are made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import Circuit, Loop
from ggp.later import Later

if TYPE_CHECKING:
    from ggp.machine.engine import arranging
else:
    arranging = Later("ggp.machine.engine.arranging")

Nodes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Section:
    """Gates (nodes) in order; those of a loop are repeated until its variables are stable."""

    nodes: Nodes
    loop: Loop | None = None


@dataclass(frozen=True, eq=False)
class Schedule:
    """The needed gates of a circuit in order: `main` for all outputs before the tail."""

    main: tuple[Section, ...]
    tail: tuple[Section, ...]


def schedule(circuit: Circuit, first: Nodes, second: Nodes) -> Schedule:
    """An order in which operands come before what uses them, and whole loops one after another.

    `first`, `second`: the operands of the circuit's nodes.
    """
    order = _Order(circuit, first, second)
    main = order.sections(circuit.outputs[: circuit.tail])
    tail = order.sections(circuit.outputs[circuit.tail :]) if circuit.tail is not None else ()
    return Schedule(main, tail)


class _Order:
    def __init__(self, circuit: Circuit, first: Nodes, second: Nodes) -> None:
        self.circuit, self.first, self.second = circuit, first, second
        self.loop_of = {v: loop for loop in circuit.loops for v in loop.variables}
        self.state = np.full(len(first), arranging.OPEN, dtype=np.uint8)
        self.state[list(self.loop_of)] = arranging.VARIABLE
        # A way down comes by no node twice, and leaves at most one more operand of each open.
        self.todo = np.zeros(2 * len(first) + 2, dtype=np.int32)
        self.order = np.zeros(len(first), dtype=np.int32)
        self.count = self.begun = self.depth = 0
        self.finished: list[Section] = []

    def sections(self, outputs: Iterable[int]) -> tuple[Section, ...]:
        """The sections that give these outputs, but for what is there already."""
        self.finished = []
        for literal in outputs:
            self._emit(literal >> 1)
        self._flush()
        return tuple(self.finished)

    def _flush(self, loop: Loop | None = None) -> None:
        """End a section."""
        if self.count > self.begun or loop:
            self.finished.append(Section(self.order[self.begun : self.count], loop))
            self.begun = self.count

    def _emit(self, root: int) -> None:
        """All gates below `root`, and itself, that are not there yet."""
        if self.state[root] == arranging.DONE:
            return
        base = self.depth
        self.todo[base] = root
        self.depth = base + 1
        while self.depth > base:
            self.depth, self.count = arranging.walk(
                self.first, self.second, self.state, self.todo, base, self.depth,
                self.order, self.count,
            )  # fmt: skip
            if self.depth > base:
                self._emit_loop(self.loop_of[int(self.todo[self.depth - 1])])

    def _emit_loop(self, loop: Loop) -> None:
        """What the loop needs from outside, then the loop as a section of its own."""
        inside = self._inside(loop)
        own = inside.union(loop.variables)
        nodes = sorted(inside)
        for node in nodes:
            for operand in (self.circuit.first[node], self.circuit.second[node]):
                if operand >> 1 not in own:
                    self._emit(operand >> 1)
        for value in loop.values:
            if value >> 1 not in own:
                self._emit(value >> 1)
        self._flush()
        self.state[[*loop.variables, *nodes]] = arranging.DONE
        self.order[self.count : self.count + len(nodes)] = nodes
        self.count += len(nodes)
        self._flush(loop)

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
