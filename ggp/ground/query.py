"""Questions about all states at once: a net given to clingo as ground rules.

Every fluent may hold or not and every role makes one legal move; what is asked is added as atoms.
UNSAT is a proof over all states that satisfy what was assumed, reachable or not.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import clingo

from ggp.errors import LimitReached
from ggp.ground.net import FALSE, TRUE, Net


class Query:
    """An incremental question about one net, within `seconds` of solving altogether."""

    def __init__(self, net: Net, seconds: float) -> None:
        self.net = net
        self.seconds = seconds
        self._until = time.monotonic() + seconds
        self._control = clingo.Control(["--warn=none"], logger=lambda code, text: None)
        with self._control.backend() as backend:
            self._atom: list[int] = [0] + [backend.add_atom() for _ in range(net.size)]
            backend.add_rule([self._atom[TRUE]])
            backend.add_rule(self._atom[net.first_fluent : net.first_gate], choice=True)
            for atom, bodies in zip(self._atom[net.first_gate :], net.gates.bodies, strict=True):
                for body in bodies:
                    backend.add_rule([atom], [self._program(x) for x in body])

    def _program(self, literal: int) -> int:
        return self._atom[literal] if literal > 0 else -self._atom[-literal]

    def add(self, bodies: Iterable[Sequence[int]]) -> int:
        """A new node that holds if all literals of one of `bodies` do; returns it."""
        with self._control.backend() as backend:
            atom = backend.add_atom()
            for body in bodies:
                backend.add_rule([atom], [self._program(x) for x in body])
        return self._new(atom)

    def at_least(self, count: int, literals: Iterable[int]) -> int:
        """A new node that holds if at least `count` of `literals` do; returns it."""
        with self._control.backend() as backend:
            atom = backend.add_atom()
            weighted = [(self._program(x), 1) for x in literals if x != FALSE]
            backend.add_weight_rule([atom], count, weighted)
        return self._new(atom)

    def _new(self, atom: int) -> int:
        self._atom.append(atom)
        return len(self._atom) - 1

    def require(self, *clause: int) -> None:
        """Demand that one of the literals of `clause` holds."""
        with self._control.backend() as backend:
            backend.add_rule([], [-self._program(x) for x in clause])

    def require_joint_move(self) -> None:
        """Demand a state that is not terminal and one legal move of each role."""
        net = self.net
        self.require(-net.terminal)
        for offset, moves in zip(net.move_offset, net.moves, strict=True):
            nodes = [net.first_move + offset + i for i in range(len(moves))]
            self.require(self.at_least(1, nodes))
            self.require(-self.at_least(2, nodes))
            for i, node in enumerate(nodes):
                self.require(-node, net.legal[offset + i])

    def require_no_move(self) -> None:
        """Demand that no move is made, for questions about a state alone."""
        for i in range(len(self.net.legal)):
            self.require(-(self.net.first_move + i))

    def find(
        self, assumptions: Iterable[int], wanted: Sequence[int], seconds: float | None = None
    ) -> dict[int, bool] | None:
        """Values of the nodes `wanted` in some solution where `assumptions` hold, or None.

        Raises `LimitReached` where the time of all questions, or `seconds` for this one, is over
        before the answer is known.
        """
        left = max(0.0, self._until - time.monotonic())
        patience = left if seconds is None else min(left, seconds)
        chosen = [self._program(x) for x in assumptions]
        with self._control.solve(assumptions=chosen, yield_=True, async_=True) as handle:
            if not handle.wait(patience):
                handle.cancel()
                raise LimitReached("seconds", self.seconds, "solver")
            model = handle.model()
            if model is None:
                return None
            return {x: model.is_true(self._program(x)) for x in wanted}
