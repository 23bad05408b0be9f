"""Nets to circuits: every gate factored, recursive blocks as loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ggp.circuits import bulk
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.circuits.factor import Factoring
from ggp.ground import Block, Net
from ggp.limits import look

LOOK = 64
"""Gates between two looks at the limits."""


class Lowering:
    """Builds functions of one state, and perhaps of one joint move, of a net.

    `fluents`, `moves`: literals of the circuit for those of the net. With `one_move` just one of
    the moves of each role is made in every case that matters. `is_plain`: nothing is factored.
    `is_unrolled`: gates that rest on each other are made as often as there are of them, which
    gives their least fixpoint with no loop.
    """

    def __init__(
        self,
        net: Net,
        builder: Builder,
        fluents: Sequence[int],
        moves: Sequence[int] = (),
        *,
        one_move: bool = True,
        is_plain: bool = False,
        is_unrolled: bool = False,
    ) -> None:
        self.net = net
        self.builder = builder
        choices: list[Sequence[int]] = []
        if moves and one_move:
            bounds = zip(net.move_offset, net.moves, strict=True)
            choices = [moves[first : first + len(own)] for first, own in bounds]
        self._factoring = Factoring(builder, choices, is_plain=is_plain)
        self._is_unrolled = is_unrolled
        self._value: list[int | None] = [None] * (net.size + 1)
        self._value[1] = TRUE
        self._value[net.first_fluent : net.first_move] = fluents
        self._value[net.first_move : net.first_gate] = moves or [FALSE] * len(net.legal)

    def literals(self, wanted: Iterable[int]) -> list[int]:
        """The circuit's literals for some literals of the net."""
        asked = list(wanted)
        for nodes, block in self.net.cut(self._missing(asked)):
            self._lower(nodes)
            if block:
                self._lower_loop(block)
        return [self._literal(x) for x in asked]

    def _missing(self, wanted: Iterable[int]) -> list[int]:
        """The nodes that have no literal yet of which some literals of the net hang, ascending."""
        value, bodies = self._value, self.net.bodies
        if self.net.literals >= bulk.MANY:
            known = np.array([own is not None for own in value], dtype=np.bool_)
            return list(map(int, self.net.below(wanted, known)))
        todo = list({abs(x) for x in wanted if value[abs(x)] is None})
        found = set(todo)
        while todo:
            for body in bodies(todo.pop()):
                for literal in body:
                    node = abs(literal)
                    if value[node] is None and node not in found:
                        found.add(node)
                        todo.append(node)
        return sorted(found)

    def _lower(self, nodes: Sequence[int]) -> None:
        """Some gates that do not rest on each other in a circle."""
        if not self._factoring.is_plain and bulk.pays(self.net, nodes):
            bulk.lower(self.net, nodes, self._value, self.builder, self._factoring)
            return
        for i, node in enumerate(nodes):
            if i % LOOK == 0:
                look("making circuits")
            self._value[node] = self._gate(node)

    def _literal(self, literal: int) -> int:
        value = self._value[abs(literal)]
        assert value is not None
        return value if literal > 0 else value ^ 1

    def _gate(self, node: int) -> int:
        literal = self._literal
        return self._factoring.disjunction(
            [[literal(x) for x in body] for body in self.net.bodies(node)]
        )

    def _lower_loop(self, block: Block) -> None:
        nodes = range(block.start, block.stop)
        if self._is_unrolled:
            self._value[block.start : block.stop] = [FALSE] * len(nodes)
            for _ in nodes:
                before = self._value[block.start : block.stop]
                for node in nodes:
                    self._value[node] = self._gate(node)
                if self._value[block.start : block.stop] == before:
                    break
            return
        variables = self.builder.inputs(len(nodes))
        self._value[block.start : block.stop] = variables
        self.builder.loop(variables, [self._gate(node) for node in nodes])
