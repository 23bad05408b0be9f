"""What is so of a game, asked fact by fact, each as narrowly as possible."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ggp.analysis import Enumeration, Finding, Findings, analyse
from ggp.analysis.finding import Certainty
from ggp.errors import GgpError, LimitReached, NotSolvable
from ggp.facts.format import PROPERTIES, SOLUTION
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.machine import perft
from ggp.solver import GameSolution, NimSolution, Solution, solve
from ggp.solver.valued import NoValue, PieceValues, values

FOR_SOLVING = frozenset(("turns", "form", "impartial", "heaps"))
"""Findings that the choice of a way to solve rests on."""

IF_FOUND = frozenset(
    ("sum", "octal_code", "length_bound", "step_counters", "arithmetic", "symmetries",
     "roles_exchangeable")
)  # fmt: skip
"""Properties that are named where they are found; that they are not says nothing."""

OF_TURNS = frozenset(("form", "impartial", "all_small", "passes", "heaps"))
"""Properties of which nothing is said where it is not known whose turn it is."""


@dataclass(frozen=True)
class FactAnswer:
    """What was found of a fact, and how certain that is; a value of None is none.

    `positions`: how many were enumerated, where that is what it rests on.
    """

    value: Any
    certainty: Certainty
    why: str
    positions: int | None = None


class Inquiry:
    """Questions about one game: `names` are those that will be asked, on the account `budget`."""

    def __init__(self, game: Game, names: Collection[str], budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self._names = frozenset(names)

    def answer(self, name: str, plies: int = 0) -> FactAnswer:
        """What is found of a fact; for `perft` of so many plies.

        Unknown where a limit was passed. Raises what else keeps the question from being answered:
        `NotSolvable`, or a fault of the rules.
        """
        with self.budget.in_force():
            try:
                return self._answer(name, plies)
            except (LimitReached, MemoryError) as error:
                return FactAnswer(None, "unknown", str(error) or "limit reached: memory")

    def _answer(self, name: str, plies: int) -> FactAnswer:
        if name == "roles":
            return FactAnswer(list(self.game.roles), "proved", "role facts")
        if name == "perft":
            return self._perft(plies)
        if name == "heaps":
            return self._heaps()
        if name == "value":
            return self._value()
        if name in PROPERTIES:
            return self._property(name)
        assert name in SOLUTION
        return self._solved(_OF_SOLUTION[name])

    def _perft(self, plies: int) -> FactAnswer:
        game = self.game
        found = perft(game.machine, game.initial.bits, plies, self.budget)
        counts = [count for count, _, _ in found]
        return FactAnswer(counts, "exhaustive", "counted", sum(counts))

    @cached_property
    def findings(self) -> Findings:
        """The findings that are asked for, and those that they are understood by."""
        names = self._names & (PROPERTIES | {"heaps"})
        if names & OF_TURNS:
            names |= {"turns"}
        if "nim_value" in self._names:
            names |= FOR_SOLVING
        return analyse(self.game, only=names, budget=self.budget)

    def _property(self, name: str) -> FactAnswer:
        if name in self.findings:
            return _as_answer(self.findings[name])
        if name in IF_FOUND or (name in OF_TURNS and self.findings.value("turns") is None):
            return FactAnswer(None, "unknown", "nothing of the kind was found")
        return FactAnswer(None, "proved", "the question has no sense for this game")

    def _heaps(self) -> FactAnswer:
        found = self._property("heaps")
        if found.certainty == "unknown":
            return found
        heaps = [heap.as_json() for heap in self.findings.heaps]
        listed = [{"fluent": heap.pop("heap"), **heap} for heap in heaps]
        return FactAnswer(listed, found.certainty, found.why, found.positions)

    def _value(self) -> FactAnswer:
        try:
            found = values(self.game, budget=self.budget)
        except NoValue as error:
            return FactAnswer(None, "proved", str(error))
        if isinstance(found, PieceValues):
            return FactAnswer(
                str(found.whole), "proved", f"by the values of {found.count:,} pieces"
            )
        return FactAnswer(str(found.whole), "exhaustive", "from the ends upward", found.count)

    @cached_property
    def _solution(self) -> Solution[State, Term] | GgpError:
        """The solution, or why there is none: what fails once is not tried again."""
        # A few findings would pass for all that can be known.
        known = self.findings if all(n in self.findings for n in FOR_SOLVING) else None
        try:
            return solve(self.game, budget=self.budget, findings=known)
        except GgpError as error:
            return error

    def _solved(self, question: Callable[[Solution[State, Term], Game], Any]) -> FactAnswer:
        found = self._solution
        if isinstance(found, GgpError):
            raise found
        value = question(found, self.game)
        why = found.method + (f", {found.reason}" if found.reason else "")
        if found.engine == "nim-values":
            return FactAnswer(value, "proved", why)
        return FactAnswer(value, "exhaustive", why, found.positions)


def _as_answer(finding: Finding) -> FactAnswer:
    evidence = finding.evidence
    positions = evidence.positions if isinstance(evidence, Enumeration) else None
    return FactAnswer(finding.value, finding.certainty, evidence.why, positions)


def _goals(solution: Solution[State, Term], game: Game) -> dict[str, float] | None:
    _require_unique(solution, game)
    return solution.value(game.initial)


def _outcome(solution: Solution[State, Term], game: Game) -> str | None:
    return solution.outcome(game.initial)


def _require_unique(solution: Solution[State, Term], game: Game) -> None:
    if not solution.unique(game.initial):
        raise NotSolvable("goals under best play hang on what an indifferent player chooses")


def _best(solution: Solution[State, Term], game: Game) -> list[str]:
    _require_unique(solution, game)
    return [str(move) for move in solution.best(game.initial)]


def _nim_value(solution: Solution[State, Term], game: Game) -> int | None:
    if isinstance(solution, NimSolution | GameSolution):
        return solution.nim_value(game.initial)
    return None


def _shortest_solution(solution: Solution[State, Term], game: Game) -> int:
    if len(game.roles) > 1:
        raise NotSolvable("a shortest solution is that of a single player")
    return solution.strategy(game.roles[0]).positions - 1


_OF_SOLUTION: dict[str, Callable[[Solution[State, Term], Game], Any]] = {
    "goals": _goals,
    "outcome": _outcome,
    "best": _best,
    "nim_value": _nim_value,
    "shortest_solution": _shortest_solution,
}
