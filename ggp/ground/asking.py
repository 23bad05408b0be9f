"""Programs for clingo that grow, and questions about them whose work is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import clingo
from clingo import _internal

from ggp.limits import look, time_left
from ggp.work import count_work

SOLVER_OPTIONS = ("--warn=none", "--trans-ext=no")
"""For clingo. Its translation of weight rules is off: beside a bound on seven atoms or more,
version 5.8.3 may take a rule for true whose body has a false literal."""

TELL, ASK, READ, CHOICE, CONFLICT, LEARN = 1e-6, 7e-4, 1.5e-8, 1.2e-6, 9e-6, 5e-10
"""Work for a literal of a rule, for a question, for each literal of the program that it is put to,
for a choice of the solver, for a conflict, and for a conflict and each of these literals. Fitted to
what 27,800 questions about six games took, of 40 to 1.4 million literals."""

MOST = 1 << 31
"""Conflicts of one question."""

PATIENCE = 0.2
"""Seconds between two looks at the accounts of time and memory."""


@dataclass(frozen=True)
class Answer:
    """What came of a question: whether some literals hold in a model that was found; or those of
    the assumed literals that together have no model; or neither."""

    holds: tuple[bool, ...] | None = None
    core: frozenset[int] | None = None


class Program:
    """Ground rules that can be added to between questions."""

    def __init__(self) -> None:
        self._control = clingo.Control(list(SOLVER_OPTIONS), logger=lambda code, text: None)
        self.size = 0

    @contextmanager
    def rules(self) -> Iterator[Rules]:
        """To add rules with while this lasts."""
        with self._control.backend() as backend:
            rules = Rules(backend)
            yield rules
        self.size += rules.literals
        count_work(TELL * rules.literals)

    def ask(
        self,
        assumed: Sequence[int],
        work: float,
        *,
        shown: Sequence[int] = (),
        conflicts: int | None = None,
    ) -> Answer:
        """Whether there is a model in which all literals of `assumed` hold, and which of `shown`.

        Within so much `work`, and so many conflicts of the solver. Raises `BudgetSpent` where an
        account that is in force is spent.
        """
        left = work - ASK - READ * self.size
        if left <= 0:
            return Answer()
        count_work(work - left)
        rate = CONFLICT + LEARN * self.size
        most = min(1 + int(left / rate), MOST if conflicts is None else conflicts)
        limit = self._control.configuration.solve
        assert isinstance(limit, clingo.Configuration)
        limit.solve_limit = str(most)
        with self._control.solve(assumptions=list(assumed), yield_=True, async_=True) as handle:
            while not handle.wait(max(0.0, min(PATIENCE, time_left()))):
                try:
                    look("solver")
                except BaseException:
                    handle.cancel()
                    raise
            model = handle.model()
            if model is not None:
                answer = Answer(holds=tuple(model.is_true(x) for x in shown))
            elif handle.get().unsatisfiable:
                answer = Answer(core=frozenset(handle.core()))
            else:
                answer = Answer()
        choices, conflicts_met = (self._solved(name) for name in ("choices", "conflicts"))
        count_work(CHOICE * choices + rate * conflicts_met)
        return answer

    def _solved(self, name: str) -> float:
        """A figure of the last question: `Control.statistics` reads all hundred of them, which
        takes longer than most questions. Where the library has other insides, it is read so."""
        internal: Any = _internal
        try:
            call, lib = internal._c_call, internal._lib
        except AttributeError:
            return float(self._control.statistics["solving"]["solvers"][name])
        figures = call("clingo_statistics_t*", lib.clingo_control_statistics, self._control._rep)
        key = call("uint64_t", lib.clingo_statistics_root, figures)
        for step in ("solving", "solvers", name):
            key = call("uint64_t", lib.clingo_statistics_map_at, figures, key, step.encode())
        return float(call("double", lib.clingo_statistics_value_get, figures, key))


class Rules:
    """Adds atoms and rules to a program and counts their literals."""

    def __init__(self, backend: clingo.Backend) -> None:
        self._backend = backend
        self.literals = 0

    def atom(self) -> int:
        """A new atom."""
        return int(self._backend.add_atom())

    def add(self, head: Sequence[int], body: Sequence[int] = (), *, choice: bool = False) -> None:
        """A rule; without a head its body is excluded."""
        self.literals += 1 + len(body)
        self._backend.add_rule(head, body, choice)

    def add_weighted(self, atom: int, bound: int, body: Sequence[tuple[int, int]]) -> None:
        """An atom that holds where those literals that do have weights of at least the bound."""
        self.literals += 1 + len(body)
        self._backend.add_weight_rule([atom], bound, body)
