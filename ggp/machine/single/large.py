"""Single states of large nets: the machine as an evaluator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ggp.bits import bits_of
from ggp.ground import TRUE, Block
from ggp.kif import Term
from ggp.later import Later
from ggp.machine.engine.by_definition import ByDefinition
from ggp.machine.machine import Machine
from ggp.machine.view import MANY_GOALS, NO_GOAL, View

if TYPE_CHECKING:
    from ggp.machine.single import settling
else:
    settling = Later("ggp.machine.single.settling")

LARGE = 30_000
"""Literals of a net from which on its circuits, made first, answer sooner than the net itself."""

SETTLED = 100_000
"""Literals from which on a compiled loop over all gates answers sooner than those that are needed
do one by one in Python: some hundredths of a second for millions of them."""

PATIENCE = 1_000
"""Questions that are answered by definition before circuits are made, which takes as long as some
dozens of them, or hundreds: a match is over before, so that no move of it waits for circuits."""
BATCH = 4096
"""Joint moves that are made at a time."""


class SingleStates(ByDefinition):
    """An `Evaluator` that asks a machine; its positions are those of the reference engine.

    The first questions, as many as there is `patience`, are answered by definition: circuits of
    large rules take long to make, and few states may be asked about.
    """

    def __init__(self, machine: Machine, patience: int = PATIENCE) -> None:
        super().__init__(machine.net)
        self.machine = machine
        self.engine = "llvm" if machine.choice == "llvm" else "interpreter"
        self._patience = patience
        self._seen: tuple[int, View] | None = None

    def _needed(self, literals: Iterable[int]) -> list[Block]:
        """None of a net that is computed as a whole."""
        return [] if self.net.literals >= SETTLED else super()._needed(literals)

    def _values(self, state: int, moves: Iterable[int], blocks: Iterable[Block]) -> bytearray:
        """The value of every literal that is needed, see `ByDefinition`."""
        net = self.net
        if net.literals < SETTLED:
            return super()._values(state, moves, blocks)
        values = np.zeros(net.size + 1, dtype=np.uint8)
        values[TRUE] = 1
        fluents = [net.first_fluent + i for i in bits_of(state)]
        values[fluents + [net.first_move + move for move in moves]] = 1
        gates, recursive = net.gates, np.array(net.recursive, dtype=np.int64).reshape(-1, 2)
        settling.settle(
            values, net.first_gate, gates.first_body, gates.first_literal, gates.literals, recursive
        )
        # Literal `x` is at index `x`, negative ones from the end.
        return bytearray(np.concatenate([values, 1 - values[:0:-1]]).tobytes())

    def _are_few(self, questions: int = 1) -> bool:
        """Whether some more questions are few enough to be answered by definition."""
        self._patience -= questions
        return self._patience >= 0

    def _is_early(self, questions: int = 1) -> bool:
        """The same of what circuits answer that may be there already."""
        return self._are_few(questions) and not self.machine.has_circuits

    def _view(self, state: int) -> View:
        """What holds in a state; the last answer is kept, for questions come in threes."""
        if self._seen is None or self._seen[0] != state:
            self._seen = state, self.machine.view(self.machine.rows([state]))
        return self._seen[1]

    def legal(self, state: int) -> list[list[int]]:
        """For each role the indices of its legal moves (positions in `net.legal`), ascending."""
        if self._is_early():
            return super().legal(state)
        view = self._view(state)
        return [view.moves(0, role).tolist() for role in range(len(self.roles))]

    def terminal(self, state: int) -> bool:
        """Whether play ends in this state."""
        if self._is_early():
            return super().terminal(state)
        return bool(self._view(state).terminal[0])

    def goals(self, state: int) -> list[list[int]]:
        """For each role the goal values that hold, ascending; one if the rules are right."""
        if self._is_early():
            return super().goals(state)
        values = self._view(state).goals[0].tolist()
        if MANY_GOALS in values:
            return super().goals(state)
        return [[] if value == NO_GOAL else [value] for value in values]

    def next(self, state: int, moves: Sequence[int]) -> int:
        """The state after one move of each role (indices into `net.legal`)."""
        if self._is_early():
            return super().next(state, moves)
        joint = np.array([moves], dtype=np.int32)
        return self.machine.states(self.machine.next(self.machine.rows([state]), joint))[0]

    def next_each(self, state: int, joints: Sequence[Sequence[int]]) -> list[int]:
        """The states after each of some joint moves, in their order; many of them at a time."""
        if self._is_early(len(joints)):
            return [super(SingleStates, self).next(state, moves) for moves in joints]
        rows, found = self.machine.rows([state]), []
        for start in range(0, len(joints), BATCH):
            joint = np.array(joints[start : start + BATCH], dtype=np.int32)
            lanes = np.zeros(len(joint), dtype=np.int64)
            found += self.machine.states(self.machine.next(rows, joint, lanes))
        return found

    def percepts(self, state: int, moves: Sequence[int]) -> list[tuple[Term, ...]]:
        """For each role what it sees of one move of each role, sorted by text."""
        if self._are_few():
            return super().percepts(state, moves)
        joint = np.array([moves], dtype=np.int32)
        seen = self.machine.percepts(self.machine.rows([state]), joint)
        return [
            tuple(percept for (percept, _), holds in zip(role, own[0], strict=True) if holds)
            for role, own in zip(self.net.sees, seen, strict=True)
        ]
