"""Bounds: weights on fluents whose sum no move raises, so that it stays at most what it is first.

Such as "no more was captured than moves were made". They are looked for where they are wanted: a
solver finds a state from which a move leads to a fault; a linear program gives weights that no move
so far raises and under which that state is above the start; the solver looks for a move that raises
the sum, which is one more row of the program, until there is none, and the state is no state of
play. All bounds that were found, and that groups are exact which no play broke, are proved by one
induction (invariants from linear constraints: Colón, Sankaranarayanan and Sipma, CAV 2003; by
counterexamples: Solar-Lezama et al., ASPLOS 2006).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass

from ggp.analysis.boards.boards import Circuits
from ggp.analysis.invariants.ranking import (
    Change,
    Weights,
    counterexamples,
    kinds,
    lowest,
    of_kinds,
)
from ggp.analysis.questions.question import Question
from ggp.analysis.questions.summands import summands_of_equals
from ggp.errors import BudgetSpent, LimitReached
from ggp.ground import Group, Net
from ggp.rules import Signature, signature
from ggp.work import work_done

LINEAR = 5.0
"""Work for one linear program."""

BAD = 1
"""In place of a role, for what must fall from a state that is no state of play to the start."""


@dataclass(frozen=True)
class Bound:
    """Fluents (by index, ascending) with integer weights: those that hold sum to `most` at most."""

    weights: tuple[tuple[int, int], ...]
    most: int

    @staticmethod
    def of(weights: Weights, initial: Collection[int]) -> Bound:
        """The bound of a sum that never rises."""
        listed = tuple(sorted((f, w) for f, w in weights.items() if w))
        return Bound(listed, sum(w for f, w in listed if f in initial))


class BoundSearch:
    """Looks for bounds of states of play, each where it is wanted.

    `circuits`: all legal joint moves as one option of one side. `question`: what is assumed there
    is assumed of the state before the move, and `groups` hold there. `kinds`: a number for each
    fluent; those of one kind have one weight.
    """

    def __init__(
        self,
        net: Net,
        circuits: Circuits,
        question: Question,
        groups: Sequence[Group],
        kinds: Sequence[int],
    ) -> None:
        self._initial = net.initial
        self._circuits, self._question = circuits, question
        self._groups, self._kinds = groups, kinds
        self._of_kind: dict[int, list[int]] = {}
        for f, kind in enumerate(kinds):
            self._of_kind.setdefault(kind, []).append(f)
        self._inputs = [circuits.inputs[f] for f in range(len(net.fluents))]
        [side] = circuits.sides
        [self._option] = side.options
        self._after = self._option.after(circuits.inputs)
        self._kept = net.initial - self._after.keys()
        self._wrong: list[int] = []
        """What must not be after a move and may be, as far as is proved."""
        self._seen: list[Change] = []
        """What moves did, of kinds."""
        self._raised: dict[Change, frozenset[int]] = {}
        """What moves can do, of kinds, each from a state that keeps all bounds so far, with what no
        move changes as it is at the start. They lead the linear program and prove nothing."""
        self._found: list[Bound] = []
        self._until = 0.0

    def against(
        self,
        faults: Iterable[int],
        exact: Iterable[Group],
        seen: Iterable[tuple[tuple[int, int], ...]],
        work: float,
    ) -> list[Bound] | None:
        """Bounds without which no move leads to a fault; None where none are found with `work`.

        `faults`: literals of what must not be after a move. `exact`: groups that are tried as exact
        ones, of which at most one fluent holds. `seen`: what moves did.
        """
        self._seen = of_kinds(((0, change) for change in seen), self._kinds)
        builder = self._circuits.builder
        self._wrong = [builder.conj(self._option.legal, fault) for fault in faults]
        for group in exact:
            lost = [self._after.get(f, self._inputs[f]) ^ 1 for f in group.fluents]
            self._wrong.append(builder.conj_all([self._option.legal, *lost]))
            self._assume(Bound(tuple((f, -1) for f in group.fluents), -1))
        return self.go_on(work)

    def go_on(self, work: float) -> list[Bound] | None:
        """The same from where the search ended, with so much work more."""
        self._until = work_done() + work
        try:
            # What is impossible stays so with more bounds.
            while self._wrong and self._is_never(self._question.atom(self._wrong[0])):
                del self._wrong[0]
        except BudgetSpent:
            raise
        except LimitReached:
            return None
        return None if self._wrong else self._found

    def _is_never(self, wrong: int) -> bool:
        """Whether bound after bound keeps all moves from what an atom says."""
        while True:
            held = self._question.possible(wrong, self._left, self._inputs)
            if held is None:
                return True
            weights = self._below(held)
            if weights is None:
                return False
            self._assume(Bound.of(weights, self._initial))

    @property
    def _left(self) -> float:
        return self._until - work_done()

    def _assume(self, bound: Bound) -> None:
        """Ask from now on only of states that keep a bound."""
        listed = summands_of_equals(
            self._circuits.builder, self._inputs, bound.weights, self._groups
        )
        self._question.assume([-self._question.at_least(listed, bound.most + 1)])
        self._found.append(bound)
        self._raised = {
            change: state
            for change, state in self._raised.items()
            if sum(w for f, w in bound.weights if f in state) <= bound.most
        }

    def _below(self, held: Sequence[bool]) -> Weights | None:
        """Weights whose sum no move raises, and that is higher in a state than at the start."""
        state = {f for f, holds in enumerate(held) if holds}
        changed = tuple((f, 1 if f in self._initial else -1) for f in sorted(state ^ self._initial))
        bad = of_kinds([(BAD, changed)], self._kinds)
        while self._left > 0:
            found = lowest([*self._seen, *self._raised, *bad], (BAD,), min(LINEAR, self._left))
            if found is None:
                return None
            weights = {f: w for kind, w in found.items() for f in self._of_kind[kind]}
            raising = list(counterexamples(self._circuits, self._question, weights, (), self._left))
            if not raising:
                return weights
            for change, before in raising:
                for row in of_kinds([change], self._kinds):
                    self._raised[row] = before | self._kept
        return None


def kinds_by_groups(net: Net, groups: Iterable[Group]) -> list[int]:
    """A number for each fluent: the same for those of one relation that differ only in arguments
    that tell where something is, not what.

    What something is are arguments that vary within groups of the whole relation, and roles;
    without groups arguments with few values.
    """
    of: dict[Signature, set[int]] = {}
    for f, fluent in enumerate(net.fluents):
        of.setdefault(signature(fluent), set()).add(f)
    telling = {own: _varying(net, members, groups) for own, members in of.items()}
    return kinds({own: places for own, places in telling.items() if places}, net.fluents, net.roles)


def _varying(net: Net, members: Set[int], groups: Iterable[Group]) -> tuple[int, ...]:
    """The fewest arguments that vary within groups which together are a relation; or none."""
    covered: dict[tuple[int, ...], set[int]] = {}
    for group in groups:
        if members >= set(group.fluents):
            columns = zip(*(net.fluents[f].args for f in group.fluents), strict=True)
            places = tuple(p for p, column in enumerate(columns) if len(set(column)) > 1)
            covered.setdefault(places, set()).update(group.fluents)
    whole = [places for places, own in covered.items() if own == members]
    return min(whole, key=lambda places: (len(places), places), default=())
