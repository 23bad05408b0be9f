"""The rules of a state as an answer-set program, copy by copy, as they stand.

Every gate is a rule for each of its bodies; positive recursion means what it means in the program.
Copies share the fluents of the board, so that what two players can do on one board is one question.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import clingo

from ggp.errors import LimitReached
from ggp.ground import SOLVER_OPTIONS, Net

CONFLICTS = 20_000
"""Conflicts of the solver for a question about all moves at once, before it is asked move by move.
"""


class EncodedProgram:
    """A program about one set of fluents, any of which may hold; `until` ends all solving."""

    def __init__(self, net: Net, until: float, seconds: float) -> None:
        self.net, self.until, self.seconds = net, until, seconds
        self.control = clingo.Control(list(SOLVER_OPTIONS), logger=lambda code, text: None)
        with self.control.backend() as backend:
            self.fluents = [backend.add_atom() for _ in net.fluents]
            backend.add_rule(self.fluents, choice=True)

    def at_least(self, count: int, atoms: Iterable[int]) -> int:
        """An atom that holds where so many literals do."""
        return self.weighs(count, [(x, 1) for x in atoms])

    def weighs(self, bound: int, terms: Sequence[tuple[int, int]]) -> int:
        """An atom that holds where the weights of the literals that hold reach `bound`."""
        positive = [(x if w > 0 else -x, abs(w)) for x, w in terms if w]
        bound -= sum(w for _, w in terms if w < 0)
        with self.control.backend() as backend:
            atom = int(backend.add_atom())
            if bound <= 0:
                backend.add_rule([atom])
            else:
                backend.add_weight_rule([atom], bound, positive)
        return atom

    def some(self, bodies: Iterable[Sequence[int]]) -> int:
        """An atom that holds where all literals of one body do."""
        with self.control.backend() as backend:
            atom = int(backend.add_atom())
            for body in bodies:
                backend.add_rule([atom], list(body))
        return atom

    def require(self, *clause: int) -> None:
        """Leave only states in which one of the literals holds."""
        with self.control.backend() as backend:
            backend.add_rule([], [-x for x in clause])

    def is_possible(self, *literals: int) -> bool:
        """Whether all literals can hold; raises `LimitReached` when time is up."""
        found = self._solve(literals)
        if found is None:
            raise LimitReached("time", self.seconds, "checking a certificate")
        return found

    def is_any_possible(
        self,
        literals: Sequence[int],
        cases: Sequence[Sequence[int]],
        given: Sequence[int] = (),
    ) -> bool:
        """Whether one of some literals can hold where all of `given` do; of each list of cases
        always one holds.

        They are asked one after the other, and from the first one that takes long all together,
        case by case. Raises `LimitReached` when time is up.
        """
        for place, literal in enumerate(literals):
            if not cases:
                found: bool | None = self.is_possible(*given, literal)
            else:
                found = self._solve([*given, literal], CONFLICTS)
            if found is None:
                return self._in_a_case(literals[place:], cases, given)
            if found:
                return True
        return False

    def _in_a_case(
        self, literals: Sequence[int], cases: Sequence[Sequence[int]], given: Sequence[int]
    ) -> bool:
        """The same case by case, of all literals at once."""
        one = self.some([x] for x in literals)
        for case in cases[0]:
            now = [*given, case]
            found = self._solve([*now, one], CONFLICTS)
            if found is None:
                found = self.is_any_possible(literals, cases[1:], now)
            if found:
                return True
        return False

    def _solve(self, literals: Iterable[int], conflicts: int | None = None) -> bool | None:
        """Whether all literals can hold; None if that is not known in time, or with so many
        conflicts."""
        seconds = self.until - time.monotonic()
        if seconds <= 0:
            return None
        limit = self.control.configuration.solve
        assert isinstance(limit, clingo.Configuration)
        limit.solve_limit = "umax" if conflicts is None else str(conflicts)
        with self.control.solve(assumptions=list(literals), async_=True) as handle:
            if not handle.wait(seconds):
                handle.cancel()
                return None
            result = handle.get()
            return None if result.unknown else bool(result.satisfiable)


class Copy:
    """The rules once more, on the fluents of a program but for those of `fixed` (index, value);
    with `fluents` on these literals of the program instead."""

    def __init__(
        self,
        program: EncodedProgram,
        fixed: dict[int, bool] | None = None,
        fluents: Sequence[int] | None = None,
    ) -> None:
        net = self.net = program.net
        self.program = program
        with program.control.backend() as backend:
            atoms = self.atoms = [0] * (net.size + 1)
            atoms[1] = backend.add_atom()
            backend.add_rule([atoms[1]])
            for i in range(len(net.fluents)):
                atoms[net.first_fluent + i] = (fluents or program.fluents)[i]
            for i, value in (fixed or {}).items():
                atoms[net.first_fluent + i] = backend.add_atom()
                if value:
                    backend.add_rule([atoms[net.first_fluent + i]])
            for node in range(net.first_move, net.size + 1):
                atoms[node] = backend.add_atom()
            for node in range(net.first_gate, net.size + 1):
                for body in net.bodies(node):
                    backend.add_rule([atoms[node]], [self.of(x) for x in body])

    def of(self, literal: int) -> int:
        """The program's literal for one of the net."""
        return self.atoms[literal] if literal > 0 else -self.atoms[-literal]

    @property
    def terminal(self) -> int:
        """That play is over."""
        return self.of(self.net.terminal)

    def legal(self, role: int) -> list[int]:
        """That each move of a role is legal."""
        offset = self.net.move_offset[role]
        return [self.of(x) for x in self.net.legal[offset : offset + len(self.net.moves[role])]]

    def made(self, role: int) -> list[int]:
        """That each move of a role is made."""
        first = self.net.first_move + self.net.move_offset[role]
        return self.atoms[first : first + len(self.net.moves[role])]

    def after(self, fluent: int) -> int:
        """That a fluent holds in the next state."""
        return self.of(self.net.next[fluent])

    def goal(self, role: int) -> list[tuple[int, int]]:
        """The values of a role's goal, each with that it has it."""
        return [(value, self.of(x)) for value, x in self.net.goals[role]]

    def choose(self, role: int) -> None:
        """Let a role make one of its legal moves; where it has none, any of its moves."""
        made, legal = self.made(role), self.legal(role)
        if not made:
            return
        with self.program.control.backend() as backend:
            backend.add_rule(made, choice=True)
        self.program.require(-self.program.at_least(2, made))
        self.program.require(self.program.at_least(1, made))
        able = self.program.at_least(1, legal)
        for move, is_legal in zip(made, legal, strict=True):
            self.program.require(-move, is_legal, -able)
