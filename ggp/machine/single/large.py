"""Single states of large nets: the machine as an evaluator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ggp.kif import Term
from ggp.machine.engine.by_definition import Interpreter
from ggp.machine.machine import Machine
from ggp.machine.view import MANY_GOALS, NO_GOAL, View

LARGE = 30_000
"""Literals of a net from which on its circuits, made first, answer sooner than the net itself."""


class SingleStates(Interpreter):
    """An `Evaluator` that asks a machine; its positions are those of the reference interpreter."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine.net)
        self.machine = machine
        self.engine = "llvm" if machine.choice == "llvm" else "interpreter"
        self._seen: tuple[int, View] | None = None

    def _view(self, state: int) -> View:
        """What holds in a state; the last answer is kept, for questions come in threes."""
        if self._seen is None or self._seen[0] != state:
            self._seen = state, self.machine.view(self.machine.rows([state]))
        return self._seen[1]

    def legal(self, state: int) -> list[list[int]]:
        """For each role the indices of its legal moves (positions in `net.legal`), ascending."""
        view = self._view(state)
        return [view.moves(0, role).tolist() for role in range(len(self.roles))]

    def terminal(self, state: int) -> bool:
        """Whether play ends in this state."""
        return bool(self._view(state).terminal[0])

    def goals(self, state: int) -> list[list[int]]:
        """For each role the goal values that hold, ascending; one if the rules are right."""
        values = self._view(state).goals[0].tolist()
        if MANY_GOALS in values:
            return super().goals(state)
        return [[] if value == NO_GOAL else [value] for value in values]

    def next(self, state: int, moves: Sequence[int]) -> int:
        """The state after one move of each role (indices into `net.legal`)."""
        joint = np.array([moves], dtype=np.int32)
        return self.machine.states(self.machine.next(self.machine.rows([state]), joint))[0]

    def percepts(self, state: int, moves: Sequence[int]) -> list[tuple[Term, ...]]:
        """For each role what it sees of one move of each role, sorted by text."""
        joint = np.array([moves], dtype=np.int32)
        seen = self.machine.percepts(self.machine.rows([state]), joint)
        return [
            tuple(percept for (percept, _), holds in zip(role, own[0], strict=True) if holds)
            for role, own in zip(self.net.sees, seen, strict=True)
        ]
