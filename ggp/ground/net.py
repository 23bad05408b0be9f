"""The ground form of a game: fluents, moves, and gates between them.

Nodes are numbered from 1. Node 1 is always true; then come the fluents, then the moves of all
roles in order, then the gates. A literal is a node or its negative. The value of a gate is an OR
over its bodies, each of which is an AND of literals; a gate depends only on earlier blocks, except
that the gates of a recursive block depend on one another and take their least fixpoint.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.ground.gates import Bodies, Gates, Ints, spread
from ggp.kif import Term
from ggp.later import Later
from ggp.rules import Signature

if TYPE_CHECKING:
    from ggp.ground import folding
else:
    folding = Later("ggp.ground.folding")

TRUE = 1
FALSE = -1

MANY = 20_000
"""Literals of a net from which on arrays are searched sooner than tuples."""


@dataclass(frozen=True)
class Block:
    """Gates `start` to `stop` (exclusive, as nodes); recursive ones are solved together."""

    start: int
    stop: int
    recursive: bool


@dataclass(frozen=True, eq=False)
class Net:
    """A grounded game. Fluents are sorted by their text, the moves of each role likewise.

    `recursive`: runs of gates (first node, last node + 1) that depend on one another. `initial`:
    indices of the fluents that hold at first. `next`: a literal for each fluent;
    `legal`: a literal for each move, in the order of the move nodes. `goals`: for each role its
    possible values, ascending, each with a literal; `sees` likewise its percepts, sorted by their
    text. `statics`: the tuples of every binary relation
    that depends neither on the state nor on the moves.
    """

    roles: tuple[Term, ...]
    fluents: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]
    initial: frozenset[int]
    gates: Gates
    recursive: tuple[tuple[int, int], ...]
    next: tuple[int, ...]
    legal: tuple[int, ...]
    goals: tuple[tuple[tuple[int, int], ...], ...]
    sees: tuple[tuple[tuple[Term, int], ...], ...]
    terminal: int
    statics: Mapping[Signature, frozenset[tuple[Term, Term]]] = field(default_factory=dict)
    ground_rules: int = 0

    def beyond(
        self, base: Collection[tuple[Term, ...]], inputs: Collection[tuple[Term, ...]]
    ) -> tuple[str, ...]:
        """Fluents and moves (each with its role) that rows of `base` and `input` do not list; of a
        relation without rows none."""
        known, makeable = set(base), set(inputs)
        fluents = [str(f) for f in self.fluents if known and (f,) not in known]
        moves = [
            f"{role} {move}"
            for role, own in zip(self.roles, self.moves, strict=True)
            for move in own
            if makeable and (role, move) not in makeable
        ]
        return (*fluents, *moves)

    @property
    def first_fluent(self) -> int:
        """Node of the first fluent."""
        return 2

    @property
    def first_move(self) -> int:
        """Node of the first move of the first role."""
        return 2 + len(self.fluents)

    @cached_property
    def first_gate(self) -> int:
        """Node of the first gate."""
        return self.first_move + sum(map(len, self.moves))

    @property
    def size(self) -> int:
        """The largest node."""
        return self.first_gate + len(self.gates) - 1

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All gates in order: recursive ones together, the others one by one."""
        stops = dict(self.recursive)
        blocks, node, size = [], self.first_gate, self.size
        while node <= size:
            stop = stops.get(node, node + 1)
            blocks.append(Block(node, stop, recursive=node in stops))
            node = stop
        return tuple(blocks)

    @cached_property
    def move_offset(self) -> tuple[int, ...]:
        """Index of each role's first move in `legal`."""
        offsets, total = [], 0
        for moves in self.moves:
            offsets.append(total)
            total += len(moves)
        return tuple(offsets)

    @cached_property
    def fluent_index(self) -> dict[Term, int]:
        """Index of each fluent."""
        return {fluent: i for i, fluent in enumerate(self.fluents)}

    @cached_property
    def move_index(self) -> tuple[dict[Term, int], ...]:
        """For each role the index of each move in `legal`."""
        return tuple(
            {move: offset + i for i, move in enumerate(moves)}
            for offset, moves in zip(self.move_offset, self.moves, strict=True)
        )

    def bodies(self, node: int) -> Bodies:
        """The alternatives of the gate `node`; empty for an input."""
        return self.gates.bodies[node - self.first_gate] if node >= self.first_gate else ()

    def cone(self, literals: Iterable[int]) -> frozenset[int]:
        """All nodes that the values of `literals` depend on, inputs among them."""
        if self.literals >= MANY:
            return frozenset(self.below(literals).tolist())
        found = {abs(literal) for literal in literals}
        todo = list(found)
        while todo:
            for body in self.bodies(todo.pop()):
                for literal in body:
                    node = abs(literal)
                    if node not in found:
                        found.add(node)
                        todo.append(node)
        return frozenset(found)

    def cut(self, gates: Sequence[int]) -> Iterator[tuple[Sequence[int], Block | None]]:
        """Some gates, ascending, up to the first recursive block that has one of them, with that
        block; those up to the next one; and what is left, with None."""
        done = 0
        for start, stop in self.recursive:
            first, last = bisect_left(gates, start), bisect_left(gates, stop)
            if first < last:
                yield gates[done:first], Block(start, stop, recursive=True)
                done = last
        yield gates[done:], None

    def below(self, literals: Iterable[int], known: NDArray[np.bool_] | None = None) -> Ints:
        """The same as nodes in ascending order; without those that are `known` (nodes + 1,), and
        what only they depend on."""
        found = np.zeros(self.size + 1, dtype=np.bool_) if known is None else known.copy()
        wanted = np.abs(np.fromiter(literals, np.int64))
        reached = spread(wanted, found, self.first_gate, self.gates.spans, self.gates.literals)
        return np.flatnonzero(reached)

    def under(self, given: Iterable[int], wanted: Iterable[int]) -> dict[int, bool]:
        """What is known of `wanted` where the literals `given` hold, all else being unknown.

        Ternary: a literal that is missing may be true or false, as far as gate by gate tells.
        """
        if self.literals >= MANY:
            return self._folded(given, wanted)
        # Of literals of either sign, so that nothing is worked out for those of a body.
        values: dict[int, bool] = {TRUE: True, FALSE: False}
        for x in given:
            values[x], values[-x] = True, False
        told = values.get
        asked = list(wanted)
        recursive = {node for start, stop in self.recursive for node in range(start, stop)}
        for node in sorted(self.cone(asked)):
            if node in values or node < self.first_gate or node in recursive:
                continue
            is_open = False
            for body in self.bodies(node):
                is_known = True
                for x in body:
                    value = told(x)
                    if value is False:
                        break
                    if value is None:
                        is_known = False
                else:
                    is_open = True
                    if is_known:
                        values[node], values[-node] = True, False
                        break
            if not is_open:
                values[node], values[-node] = False, True
        return {x: values[x] for x in asked if x in values}

    def _folded(self, given: Iterable[int], wanted: Iterable[int]) -> dict[int, bool]:
        """The same by a compiled loop over all gates."""
        known = np.zeros(self.size + 1, dtype=np.int8)
        known[TRUE] = folding.HOLDS
        for x in given:
            known[abs(x)] = folding.HOLDS if x > 0 else folding.FAILS
        gates, loops = self.gates, np.array(self.recursive, dtype=np.int64).reshape(-1, 2)
        folding.fold(
            known, self.first_gate, gates.first_body, gates.first_literal, gates.literals, loops
        )
        told = {x: int(known[abs(x)]) * (1 if x > 0 else -1) for x in wanted}
        return {x: value == folding.HOLDS for x, value in told.items() if value != folding.OPEN}

    @property
    def literals(self) -> int:
        """Number of literals in all gates, the usual measure of a net's size."""
        return len(self.gates.literals)
