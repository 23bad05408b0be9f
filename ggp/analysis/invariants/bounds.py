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

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ggp.analysis.boards.boards import Circuits
from ggp.analysis.invariants.ranking import Weights, counterexamples, lowest, of_kinds
from ggp.analysis.questions.question import Question
from ggp.circuits.circuit import Builder
from ggp.errors import BudgetSpent, LimitReached
from ggp.ground import Group, Net
from ggp.kif import Term
from ggp.rules import Signature, signature
from ggp.work import work_done

FEW = 4
"""Values of an argument up to which they tell kinds of fluents apart, where no group does."""

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


def terms(
    builder: Builder, fluents: Sequence[int], bound: Bound, groups: Iterable[Group]
) -> list[tuple[int, int]]:
    """Literals with weights of the same sum; `fluents`: the literal of each fluent.

    What of a group has one weight counts once, as "one of these": a solver that adds up literals
    sees then at once that four groups count for four at the most.
    """
    left = dict(bound.weights)
    found = []
    for group in sorted(groups, key=lambda group: -len(group.fluents)):
        of_weight: dict[int, list[int]] = {}
        for f in group.fluents:
            if f in left:
                of_weight.setdefault(left[f], []).append(f)
        for weight, own in of_weight.items():
            if len(own) > 1:
                found.append((builder.disj_all(fluents[f] for f in own), weight))
                for f in own:
                    del left[f]
    return [*found, *((fluents[f], w) for f, w in left.items())]


def find_bounds(
    net: Net,
    circuits: Circuits,
    question: Question,
    faults: Iterable[int],
    kinds: Sequence[int],
    seen: Iterable[tuple[tuple[int, int], ...]],
    groups: Sequence[Group],
    exact: Iterable[Group],
    work: float,
) -> list[Bound] | None:
    """Bounds without which no move leads to a fault; None where none are found with so much `work`.

    `circuits`: all legal joint moves as one option of one side. `faults`: literals of what
    must not be after it. `question`: what is assumed there is assumed of the state before the move.
    `kinds`: a number for each fluent; those of one kind have one weight. `seen`: what moves did.
    `groups`: those that hold in all states.
    `exact`: groups that are tried as exact ones, of which at most one fluent holds.
    """
    try:
        return _Search(net, circuits, question, faults, kinds, seen, groups, exact, work).run()
    except BudgetSpent:
        raise
    except LimitReached:
        return None


class _Search:
    def __init__(
        self,
        net: Net,
        circuits: Circuits,
        question: Question,
        faults: Iterable[int],
        kinds: Sequence[int],
        seen: Iterable[tuple[tuple[int, int], ...]],
        groups: Sequence[Group],
        exact: Iterable[Group],
        work: float,
    ) -> None:
        self._groups = groups
        self._initial = net.initial
        self._circuits, self._question, self._kinds = circuits, question, kinds
        self._until = work_done() + work
        self._seen = of_kinds(((0, change) for change in seen), kinds)
        self._of_kind: dict[int, list[int]] = {}
        for f, kind in enumerate(kinds):
            self._of_kind.setdefault(kind, []).append(f)
        [side] = circuits.sides
        [option] = side.options
        self._inputs = [circuits.inputs[f] for f in range(len(net.fluents))]
        self._found: list[Bound] = []
        conj = circuits.builder.conj
        self._wrong = [question.atom(conj(option.legal, fault)) for fault in faults]
        after = option.after(circuits.inputs)
        for group in exact:
            lost = [after.get(f, self._inputs[f]) ^ 1 for f in group.fluents]
            literal = circuits.builder.conj_all([option.legal, *lost])
            self._wrong.append(question.atom(literal))
            self._assume(Bound(tuple((f, -1) for f in group.fluents), -1))

    def run(self) -> list[Bound] | None:
        """Bound after bound, until no move leads to a fault."""
        for wrong in self._wrong:
            # What is impossible stays so with more bounds.
            while True:
                held = self._question.possible(wrong, self._left, self._inputs)
                if held is None:
                    break
                weights = self._below(held)
                if weights is None:
                    return None
                self._assume(Bound.of(weights, self._initial))
        return self._found

    @property
    def _left(self) -> float:
        return self._until - work_done()

    def _assume(self, bound: Bound) -> None:
        """Ask from now on only of states that keep a bound."""
        listed = terms(self._circuits.builder, self._inputs, bound, self._groups)
        self._question.assume([-self._question.at_least(listed, bound.most + 1)])
        self._found.append(bound)

    def _below(self, held: Sequence[bool]) -> Weights | None:
        """Weights whose sum no move raises, and that is higher in a state than at the start."""
        state = {f for f, holds in enumerate(held) if holds}
        changed = tuple((f, 1 if f in self._initial else -1) for f in sorted(state ^ self._initial))
        bad = of_kinds([(BAD, changed)], self._kinds)
        known = list(self._seen)
        while self._left > 0:
            found = lowest([*known, *bad], (BAD,), min(LINEAR, self._left))
            if found is None:
                return None
            weights = {f: w for kind, w in found.items() for f in self._of_kind[kind]}
            raising = list(counterexamples(self._circuits, self._question, weights, (), self._left))
            if not raising:
                return weights
            known += of_kinds(raising, self._kinds)
        return None


def kinds_by_groups(net: Net, groups: Iterable[Group]) -> list[int]:
    """A number for each fluent: the same for those of one relation that differ only in arguments
    that tell where something is, not what.

    What something is are arguments that vary within groups of the whole relation, and roles;
    without groups arguments with few values.
    """
    of: dict[Signature, list[int]] = {}
    for f, fluent in enumerate(net.fluents):
        of.setdefault(signature(fluent), []).append(f)
    telling = {own: _varying(net, members, groups) for own, members in of.items()}
    values: dict[tuple[Signature, int], set[Term]] = {}
    for fluent in net.fluents:
        for place, argument in enumerate(fluent.args):
            values.setdefault((signature(fluent), place), set()).add(argument)
    numbers: dict[tuple[Signature, tuple[Term | None, ...]], int] = {}
    found = []
    for fluent in net.fluents:
        own = signature(fluent)
        known = telling[own]
        told = tuple(
            x if x in net.roles or (p in known if known else len(values[own, p]) <= FEW) else None
            for p, x in enumerate(fluent.args)
        )
        found.append(numbers.setdefault((own, told), len(numbers)))
    return found


def _varying(net: Net, members: Collection[int], groups: Iterable[Group]) -> tuple[int, ...]:
    """The fewest arguments that vary within groups which together are a relation; or none."""
    covered: dict[tuple[int, ...], set[int]] = {}
    for group in groups:
        if group.fluents[0] in members and group.fluents[-1] in members:
            columns = zip(*(net.fluents[f].args for f in group.fluents), strict=True)
            places = tuple(p for p, column in enumerate(columns) if len(set(column)) > 1)
            covered.setdefault(places, set()).update(group.fluents)
    whole = [places for places, own in covered.items() if own.issuperset(members)]
    return min(whole, key=lambda places: (len(places), places), default=())
