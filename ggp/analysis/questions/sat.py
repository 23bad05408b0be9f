"""Circuits asked of a SAT solver, for searches that ask tens of thousands of small questions.

`question` asks clingo, which knows sums and gives the proofs; but it prepares itself anew whenever
it is told of more.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from pysat.solvers import Solver

from ggp.circuits.circuit import Builder

PAIRS = 6
"""Fluents of a group up to which each two are excluded by a clause of their own."""

MAX_CONFLICTS = 20_000
"""Of the solver, for one question."""

PROPAGATIONS = 1_000
"""Of the solver, that count as one unit of work; so does each question."""

Spend = Callable[[int], None]
"""Called with the work that each question took; raises `LimitReached` to end the search."""


class TooHard(Exception):
    """A question was too hard."""


class CircuitSolver:
    """An incremental solver that is told of gates when they are asked about."""

    def __init__(self, builder: Builder, spend: Spend) -> None:
        self._builder = builder
        self._spend = spend
        self._solver = Solver(name="glucose4")
        self._variable: dict[int, int] = {}
        self._count = 1
        self._solver.add_clause([1])
        self._variable[0] = -1

    def close(self) -> None:
        """Let go of the solver."""
        self._solver.delete()

    def new(self) -> int:
        """A new variable."""
        self._count += 1
        return self._count

    def require(self, *literals: int) -> None:
        """A clause of the solver's literals."""
        self._solver.add_clause(list(literals))

    def literal(self, literal: int) -> int:
        """The solver's literal for one of the circuit."""
        known, first, second = self._variable, self._builder.first, self._builder.second
        todo = [literal >> 1]
        while todo:
            node = todo[-1]
            if node in known:
                todo.pop()
                continue
            a, b = first[node], second[node]
            if a == b:
                known[node] = self.new()
                continue
            missing = [x >> 1 for x in (a, b) if x >> 1 not in known]
            if missing:
                todo += missing
                continue
            x, y = (known[z >> 1] * (-1 if z & 1 else 1) for z in (a, b))
            out = known[node] = self.new()
            if a < b:
                self.require(-out, x)
                self.require(-out, y)
                self.require(out, -x, -y)
            else:
                self.require(-out, x, y)
                self.require(-out, -x, -y)
                self.require(out, -x, y)
                self.require(out, x, -y)
        return known[literal >> 1] * (-1 if literal & 1 else 1)

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Of these no more than one holds; a ladder where they are many (Gent and Nightingale)."""
        if len(literals) <= PAIRS:
            for a, b in itertools.combinations(literals, 2):
                self.require(-a, -b)
            return
        before = literals[0]
        for x in literals[1:]:
            self.require(-before, -x)
            now = self.new()
            self.require(-before, now)
            self.require(-x, now)
            before = now

    def is_possible(
        self, assumed: Sequence[int], conflicts: int = MAX_CONFLICTS, piece: int = MAX_CONFLICTS
    ) -> bool:
        """Whether all of these can hold; raises `TooHard` where that takes more conflicts.

        After each `piece` of the conflicts the account is looked at.
        """
        solver = self._solver
        before = solver.accum_stats()["propagations"]
        for left in range(conflicts, 0, -piece):
            solver.conf_budget(min(piece, left))
            # Without `expect_interrupt` the library jumps out of the solver on Ctrl-C, with an
            # error of its own; so Python sees to it when the piece, which is bounded, is done.
            answer = solver.solve_limited(assumptions=list(assumed), expect_interrupt=True)
            after = solver.accum_stats()["propagations"]
            self._spend(1 + (after - before) // PROPAGATIONS)
            before = after
            if answer is not None:
                return bool(answer)
        raise TooHard

    def implied(self, assumed: Sequence[int], among: set[int]) -> set[int] | None:
        """Of some literals those that follow by unit propagation from what is assumed, and did not
        before; None where that comes to a contradiction."""
        is_open, found = self._solver.propagate(assumptions=list(assumed))
        return among.intersection(found) if is_open else None

    def core(self) -> set[int]:
        """Of what was assumed, what together is impossible."""
        return set(self._solver.get_core() or ())

    def model(self) -> list[int]:
        """The literals of the last answer that something is possible; of variable i at i - 1."""
        found: list[int] = self._solver.get_model()
        return found
