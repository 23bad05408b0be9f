"""Rules without recursion as clauses for a SAT solver, which is asked about thousands of times.

What such rules derive is what their completion says: an atom holds where one of its bodies does
(Clark, "Negation as failure", 1978; Fages 1994). clingo prepares itself anew for each question, for
milliseconds in a program of a million literals; a SAT solver does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pysat.solvers import Solver

from ggp.ground.asking import Answer
from ggp.limits import look
from ggp.work import count_work

TELL, ASK, PROPAGATE, CONFLICT = 5e-7, 2e-5, 7e-8, 1e-5
"""Work for a literal of a clause, for a question, for a propagation of the solver, for a
conflict."""

PIECE = 400_000
"""Propagations between two looks at the accounts of time and memory."""


class Clauses:
    """Rules that can be added to between questions, as `asking.Program`; none recursive, and all
    rules of an atom added at once."""

    def __init__(self) -> None:
        self._solver = Solver(name="glucose4")
        self._atoms = 0

    @contextmanager
    def rules(self) -> Iterator[ClarkCompletion]:
        """To add rules with while this lasts."""
        rules = ClarkCompletion(self._atoms)
        yield rules
        rules.complete()
        self._atoms = rules.atoms
        for clause in rules.clauses:
            self._solver.add_clause(clause)
        count_work(TELL * sum(map(len, rules.clauses)))

    def ask(self, assumed: Sequence[int], work: float, *, shown: Sequence[int] = ()) -> Answer:
        """Whether there is a model in which all literals of `assumed` hold, and which of `shown`.

        Within so much `work`. Raises `BudgetSpent` where an account that is in force is spent.
        """
        solver, left = self._solver, work - ASK
        if left <= 0:
            return Answer()
        count_work(ASK)
        known = solver.accum_stats()
        while True:
            # Without `expect_interrupt` the library jumps out of the solver on Ctrl-C, with an
            # error of its own; so Python sees to it after each piece.
            solver.prop_budget(min(PIECE, 1 + int(left / PROPAGATE)))
            solver.conf_budget(min(PIECE, 1 + int(left / CONFLICT)))
            found = solver.solve_limited(assumptions=list(assumed), expect_interrupt=True)
            now = solver.accum_stats()
            done = PROPAGATE * (now["propagations"] - known["propagations"])
            done += CONFLICT * (now["conflicts"] - known["conflicts"])
            known, left = now, left - done
            count_work(done)
            if found is not None:
                break
            look("solver")
            if left <= 0:
                return Answer()
        if not found:
            return Answer(core=frozenset(solver.get_core() or ()))
        model = solver.get_model()
        return Answer(holds=tuple((model[abs(x) - 1] > 0) == (x > 0) for x in shown))

    def __del__(self) -> None:
        self._solver.delete()


class ClarkCompletion:
    """Adds atoms and rules, and makes clauses of them."""

    def __init__(self, atoms: int) -> None:
        self.atoms = atoms
        self.clauses: list[list[int]] = []
        self._bodies: dict[int, list[Sequence[int]]] = {}

    def atom(self) -> int:
        """A new atom: it holds by its rules alone, which are to be added before `complete`."""
        self.atoms += 1
        self._bodies[self.atoms] = []
        return self.atoms

    def _variable(self) -> int:
        self.atoms += 1
        return self.atoms

    def add(self, head: Sequence[int], body: Sequence[int] = (), *, choice: bool = False) -> None:
        """A rule; without a head its body is excluded."""
        if choice:
            for atom in head:
                del self._bodies[atom]
        elif head:
            self._bodies[head[0]].append(body)
        else:
            self.clauses.append([-x for x in body])

    def add_weighted(self, atom: int, bound: int, body: Sequence[tuple[int, int]]) -> None:
        """An atom that holds where so many of the literals do; they have the weight 1."""
        del self._bodies[atom]
        self._define(atom, self._counted(bound, [x for x, _ in body]))

    def add_group(self, atom: int, literals: Sequence[int], *, exact: bool) -> None:
        """An atom that does not hold unless of some literals at most one does, or just one where it
        is `exact`; where it is not assumed nothing follows."""
        del self._bodies[atom]
        if exact:
            self.clauses.append([-atom, *literals])
        before = literals[0]
        for x in literals[1:]:
            self.clauses.append([-atom, -before, -x])
            after = self._variable()
            self.clauses += [[after, -before], [after, -x]]
            before = after

    def complete(self) -> None:
        """Say of each atom that it holds just where one of its bodies does."""
        for atom, bodies in self._bodies.items():
            self._define(atom, [self._all_of(body) for body in bodies])
        self._bodies = {}

    def _all_of(self, body: Sequence[int]) -> int | None:
        """A literal that holds where all literals of a body do; None where it always does."""
        if not body:
            return None
        if len(body) == 1:
            return body[0]
        whole = self._variable()
        self.clauses += [[-whole, x] for x in body]
        self.clauses.append([whole, *(-x for x in body)])
        return whole

    def _define(self, atom: int, bodies: Sequence[int | None]) -> None:
        """Say that an atom holds just where one of some literals does; None always does."""
        if None in bodies:
            self.clauses.append([atom])
            return
        known = [x for x in bodies if x is not None]
        self.clauses += [[atom, -x] for x in known]
        self.clauses.append([-atom, *known])

    def _counted(self, bound: int, literals: Sequence[int]) -> list[int | None]:
        """Literals one of which holds just where at least `bound` of some do (a sequential counter;
        Sinz, CP 2005)."""
        if bound <= 0:
            return [None]
        if bound == 1:
            return list(literals)
        # At place j: whether j + 1 of those before hold; what is not there does not.
        before: list[int] = []
        found: list[int | None] = []
        for x in literals:
            if len(before) >= bound - 1:
                found.append(self._all_of([before[bound - 2], x]))
            after = []
            for j in range(min(len(before) + 1, bound - 1)):
                here = self._variable()
                more = x if j == 0 else self._all_of([before[j - 1], x])
                self._define(here, [more, *before[j : j + 1]])
                after.append(here)
            before = after
        return found
