"""Claims about every state of play of any game, whoever moves: that roles can move, and the goals.

The rules of one state are one circuit over all fluents; questions about it are asked under the
groups that legal play keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations, product

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.boards.boards import Circuits, Frame, Option, Side
from ggp.analysis.invariants.bounds import Bound, BoundSearch, kinds_by_groups
from ggp.analysis.invariants.linear import Sum
from ggp.analysis.questions.question import Question
from ggp.analysis.questions.sat import Spend
from ggp.analysis.questions.summands import summands, summands_of_equals
from ggp.analysis.states.assumed import Assumed
from ggp.analysis.states.faults import CircuitView, faults, form_faults
from ggp.analysis.states.guesses import Cube, related
from ggp.analysis.states.moves import choices, somebodys_turn, turn_of
from ggp.analysis.states.reachability import LegalStep, Reachability, outside_of
from ggp.analysis.states.values import StateValues
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.circuits.lowering import Lowering
from ggp.ground import Group, Net, Turns
from ggp.work import work_done

MAX_LITERALS = 1_000_000
"""Of nets that are made circuits here."""

MAX_STEP = 200_000
"""Literals of nets of which a state and the next one are looked at together."""

MAX_AFTER = 600_000
"""Literals of nets of which what is wrong with the next state is looked at."""

MAX_SEARCH = 100_000
"""Literals of nets in which cubes that no play reaches are looked for."""

TOGETHER = 2.0
"""Work for a question about all faults at once, before each is one of its own."""

ALONE = 1.0
"""Work for a question whether any state at all has a fault."""

MAX_GOALS = 400
"""Ways to give each role one of its goals up to which each is asked about."""


class Whole:
    """The rules of one state as a circuit, with `groups` that hold in every state of legal play.

    `turns`: what tells whose turn it is, and has one of its settings in every state of play.
    What cannot be proved of every state at once is tried by induction: of a state that some legal
    joint move leads to, from one where play goes on and nothing is wrong. For that the initial
    state must be no end of play and nothing wrong with it: `starts_well`.
    """

    def __init__(
        self, net: Net, groups: Iterable[Group], turns: Turns | None, *, starts_well: bool
    ) -> None:
        self.net = net
        self.turns = turns
        self.groups = list(groups)
        self.starts_well = starts_well
        self.builder = Builder()
        self._fluents = self.builder.inputs(len(net.fluents))
        self.now = CircuitView.of(net, self.builder, self._fluents)
        self._question = Question(self.builder, dict(enumerate(self._fluents)), self.groups)
        self._require_turn(self._question)
        self._sums = Assumed[Sum]()
        self._outside = Assumed[list[Cube]]()
        self._within = Assumed[Bound]()
        self._values = StateValues(net, self.builder, self.groups)
        self._never: list[Cube] = []
        """All cubes that were found not to be reached."""
        self._bounding: BoundSearch | None = None
        """The search for bounds, which may be taken up again."""

    @cached_property
    def _moves(self) -> list[int]:
        return self.builder.inputs(len(self.net.legal))

    @cached_property
    def _next(self) -> list[int]:
        """The fluents after a joint move."""
        lowering = Lowering(self.net, self.builder, self._fluents, self._moves)
        return lowering.literals(self.net.next)

    @cached_property
    def _after(self) -> CircuitView:
        """The state after a joint move."""
        return CircuitView.of(self.net, self.builder, self._next)

    @cached_property
    def step_question(self) -> Question:
        """The one that all claims about two states are asked of."""
        return self.new_step_question()

    def new_step_question(self) -> Question:
        """Questions about states and joint moves, of which each role makes just one."""
        inputs = dict(enumerate([*self._fluents, *self._moves]))
        question = Question(self.builder, inputs, [*self.groups, *choices(self.net)])
        self._require_turn(question)
        return question

    @cached_property
    def _somebodys_turn(self) -> int:
        """A literal that what tells whose turn it is has one of its settings; in every state of
        play it has."""
        return somebodys_turn(self.builder, self.net, self.turns, self._fluents)

    def _require_turn(self, question: Question) -> None:
        if self._somebodys_turn != TRUE:
            question.require(self._somebodys_turn)

    @cached_property
    def _step(self) -> list[int]:
        """Literals of all legal joint moves while play goes on: a move that is made is legal."""
        pairs = zip(self._moves, chain(*self.now.legal), strict=True)
        return [self.now.terminal ^ 1, *(self.builder.conj(m, x ^ 1) ^ 1 for m, x in pairs)]

    def assume(self, sums: Sequence[Sum]) -> None:
        """Ask from now on only of states in which all of these sums are what they should be."""
        for question in (self._question, self.step_question):
            atoms = {}
            for one in sums:
                terms = summands(self.builder, self._fluents, one.weights, self.groups)
                atoms[question.equals(terms, one.value)] = one
            self._sums.add(question, atoms)

    @property
    def relied(self) -> set[Sum]:
        """The sums that proofs made here used."""
        return set(self._sums.used)

    @property
    def step(self) -> LegalStep:
        """A legal joint move, for a search."""
        return LegalStep(
            self.builder,
            self._fluents,
            self._moves,
            self._next,
            self._step,
            [*self.groups, *choices(self.net)],
            [self._somebodys_turn],
            related(self.net, self.groups),
        )

    def search(
        self,
        reached: NDArray[np.bool_],
        roles: Sequence[int],
        work: float,
        spend: Spend,
    ) -> bool:
        """Look for cubes that no play reaches, and without which none reaches a fault for `roles`.

        `reached`: states that play reaches, the initial one first, and which fluents hold there.
        Both are by one induction. Where such cubes are found and proved once more within
        so much `work`, they are assumed from now on. `spend` may end the search.
        """
        if not self.starts_well or self.net.literals > MAX_SEARCH:
            return False
        search = Reachability(self.step, reached, spend)
        try:
            found = search.invariant(*self._any_fault(roles))
        finally:
            search.close()
        if found is None:
            return False
        needed, self._never = found
        return self._exclude(needed, roles, work)

    def exclude_all(self, roles: Sequence[int], work: float) -> bool:
        """Assume all cubes that the search found; says whether there are any, and proved."""
        return bool(self._never) and self._exclude(self._never, roles, work)

    def _exclude(self, cubes: list[Cube], roles: Sequence[int], work: float) -> bool:
        """Assume cubes from now on, if it is proved once more that no move leads into one, nor to a
        fault."""
        now, after = self._any_fault(roles)
        outside = outside_of(self.builder, cubes, self._fluents)
        wrong = self.builder.disj(after, outside_of(self.builder, cubes, self._next) ^ 1)
        if not self.step_question.is_impossible([*self._step, now ^ 1, outside, wrong], work):
            return False
        for question in (self._question, self.step_question):
            self._outside.add(question, {question.atom(outside): cubes})
        return True

    def bound(
        self,
        roles: Sequence[int],
        groups: Sequence[Group],
        exact: Sequence[Group],
        seen: Iterable[tuple[tuple[int, int], ...]],
        work: float,
    ) -> bool:
        """Look for bounds without which play reaches no fault for `roles`; says if there are any.

        `groups`: more groups of states of play. `exact`: those of all groups that are tried as
        exact ones. `seen`: what moves did. The bounds are proved by one induction with that there
        are no faults, and are assumed from now on, as `groups` are. Where none are found the search
        may be taken up again by `bound_further`.
        """
        if not self.starts_well:
            return False
        until = work_done() + work
        now = faults(self.now, roles)
        pairs = zip(now, faults(self._after, roles), strict=True)
        open_ = [
            x
            for fault, x in pairs
            if not self._is_impossible([fault], min(ALONE, until - work_done()))
        ]
        question = self.new_step_question()
        self._require_groups(question, groups)
        question.assume([question.atom(self.builder.disj_all(now) ^ 1)])
        self._values.tell(question, self._next)
        known = [*self.groups, *groups]
        kinds = kinds_by_groups(self.net, known)
        self._bounding = BoundSearch(self.net, self.joint_move(), question, known, kinds)
        found = self._bounding.against(open_, exact, seen, until - work_done())
        return self._within_bounds(found, groups)

    def bound_further(self, groups: Sequence[Group], work: float) -> bool:
        """The same from where `bound` ended, of the same groups, with so much work more."""
        if self._bounding is None:
            return False
        return self._within_bounds(self._bounding.go_on(work), groups)

    def _within_bounds(self, found: list[Bound] | None, groups: Sequence[Group]) -> bool:
        """Assume bounds, if they were found."""
        if found is None:
            return False
        known = [*self.groups, *groups]
        for asked in (self._question, self.step_question):
            self._require_groups(asked, groups)
            atoms = {}
            for one in found:
                listed = summands_of_equals(self.builder, self._fluents, one.weights, known)
                atoms[-asked.at_least(listed, one.most + 1)] = one
            self._within.add(asked, atoms)
        return True

    def _require_groups(self, question: Question, groups: Iterable[Group]) -> None:
        for group in groups:
            question.require_one([self._fluents[f] for f in group.fluents], exact=group.exact)

    @property
    def relied_bounds(self) -> list[Bound]:
        """The bounds that are assumed, all of them if a proof used one."""
        return list(dict.fromkeys(self._within.all)) if self._within.used else []

    def _any_fault(self, roles: Sequence[int]) -> tuple[int, int]:
        """Literals that a state has a fault, and that the next one has."""
        return (
            self.builder.disj_all(faults(self.now, roles)),
            self.builder.disj_all(faults(self._after, roles)),
        )

    @property
    def relied_excluded(self) -> list[Cube]:
        """The cubes that are assumed and that a proof used."""
        return list(dict.fromkeys(chain.from_iterable(self._outside.used)))

    def _is_impossible(self, literals: list[int], work: float) -> bool:
        return self._question.is_impossible(literals, work)

    def _never_follows(self, literals: list[int], given: list[int], work: float) -> bool:
        """Whether no legal joint move leads to a state with these literals; `given` before it."""
        asked = [*self._step, *given, *literals]
        return self.starts_well and self.step_question.is_impossible(asked, work)

    def is_playable(self, roles: Sequence[int], work: float) -> bool:
        """Whether it is proved that every role can always move, and that each of `roles` has just
        one goal at every end."""
        until = work_done() + work
        now = faults(self.now, roles)
        self._values.tell(self._question, self._fluents)
        if self._is_impossible([self.builder.disj_all(now)], min(TOGETHER, work / 4)):
            return True
        half = work_done() + work / 2
        return self._is_never(now, lambda: faults(self._after, roles), half, until)

    def _is_never(
        self, now: list[int], after: Callable[[], list[int]], first: float, until: float
    ) -> bool:
        """Whether it is proved that no state of play satisfies one of the literals `now`.

        Because no state at all does, asked until `first`; or because none follows, by a legal move,
        from a state that satisfies none of them. `after`: the same literals of the next state.
        """
        open_ = [i for i, x in enumerate(now) if not self._is_impossible([x], first - work_done())]
        if not open_:
            return True
        if not self.starts_well or self.net.literals > MAX_AFTER:
            return False
        given, following = [x ^ 1 for x in now], after()
        self._values.tell(self.step_question, self._next)
        return all(self._never_follows([following[i]], given, until - work_done()) for i in open_)

    def possible_goals(self, roles: Sequence[int], work: float) -> set[tuple[int, ...]] | None:
        """Goals of `roles` that are not proved to be impossible at the end of play.

        None where there are too many to ask about each. Where the game is playable.
        """
        until = work_done() + work
        count = 1
        for role in roles:
            count *= len(self.now.goals[role])
        if count > MAX_GOALS:
            return None
        found = set()
        inductive = self.starts_well and self.net.literals <= MAX_STEP
        given = [x ^ 1 for x in faults(self.now, roles)]
        for places in product(*(range(len(self.now.goals[role])) for role in roles)):
            left = until - work_done()
            now = [self.now.goals[r][i][1] for r, i in zip(roles, places, strict=True)]
            if self._is_impossible([self.now.terminal, *now], min(1.0, left)):
                continue
            if inductive:
                after = [self._after.goals[r][i][1] for r, i in zip(roles, places, strict=True)]
                if self._never_follows([self._after.terminal, *after], given, left):
                    continue
            values = (self.now.goals[r][i][0] for r, i in zip(roles, places, strict=True))
            found.add(tuple(values))
        return found

    def joint_move(self) -> Circuits:
        """All that legal joint moves can do, as the one option of one side."""
        own = {f: x for f, x in enumerate(self._next) if x != self._fluents[f]}
        legal = self.builder.conj_all(self._step)
        side = Side(
            self.now.terminal, (), (Option(0, legal, legal, Frame(0, {}), own, FALSE),), legal
        )
        return Circuits(self.net, self.builder, dict(enumerate(self._fluents)), (side,))

    def has_one_chooser(self, work: float, chance: int | None) -> bool:
        """Whether it is proved that never two roles have a choice at once."""
        until = work_done() + work
        return all(
            self._is_impossible([self.now.terminal ^ 1, a, b], until - work_done())
            for a, b in combinations(self.now.choices(chance), 2)
        )

    def _turn_of(self, role: int, turns: Turns, fluents: Sequence[int]) -> int:
        """A literal of the states in which it is the turn of a role."""
        return turn_of(self.builder, self.net, turns, role, fluents)

    def hands_on(self, turns: Turns, following: Mapping[int, int], work: float) -> bool:
        """Whether it is proved that each role always hands the turn on to the one after it."""
        if self.net.literals > MAX_STEP:
            return False
        until = work_done() + work
        for role, other in following.items():
            now = self._turn_of(role, turns, self._fluents)
            wrong = self._turn_of(other, turns, self._next) ^ 1
            left = until - work_done()
            if not self.step_question.is_impossible([*self._step, now, wrong], left):
                return False
        return True

    def has_form(
        self, turns: Turns, goals: Sequence[tuple[int, ...]], work: float, *, loses: bool
    ) -> bool:
        """Whether it is proved that play ends exactly where the role to move has no move, and then
        has its worst goal, the other its best; or, unless it `loses`, the other way round.

        `goals`: for each of two roles its goal values of the rules, ascending.
        """
        until = work_done() + work

        def wrong(view: CircuitView, fluents: Sequence[int]) -> list[int]:
            roles = range(len(self.net.roles))
            own = [self._turn_of(role, turns, fluents) for role in roles]
            return form_faults(view, own, goals, loses=loses)

        now = wrong(self.now, self._fluents)
        return self._is_never(now, lambda: wrong(self._after, self._next), until, until)
