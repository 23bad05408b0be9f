"""What proofs about a game rest on: circuits of its moves, parts of its board, proved groups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any

from ggp.analysis.boards.boards import Boards, NotApplicable
from ggp.analysis.boards.parts import PartSimulation, Split, split
from ggp.analysis.invariants.bounds import Bound, kinds_by_groups
from ggp.analysis.invariants.counters import Counter, counters
from ggp.analysis.invariants.linear import Sum, Sums, find_sums
from ggp.analysis.invariants.tables import find_sums_of_kinds
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.questions.question import Question
from ggp.analysis.states.guesses import Cube
from ggp.analysis.states.whole import MAX_LITERALS, MAX_STEP, Whole
from ggp.circuits.circuit import FALSE
from ggp.errors import BudgetSpent, LimitReached
from ggp.game import Game
from ggp.ground import (
    Group,
    Marker,
    Net,
    Proved,
    candidates,
    independent,
    joined,
    lasting,
    unbroken,
    unrolled,
)
from ggp.limits import Budget

WORK = 10.0
"""For each claim that needs the solver."""

GROUPS = 20.0
"""For groups of fluents of legal play."""

EASY = 3.0
"""The same with those groups only that were proved without a solver."""

MANY_OPTIONS = 2_500
"""Moves of both players from which on sums that never change are looked for by tables first."""

MAX_JOINT = 500_000
"""Literals of nets without a turn marker up to which sums that never change are looked for."""

SUMS = 20.0
"""For sums that never change."""

MAX_CHANGES = 2_000_000
"""Changes of all moves together up to which sums that never change are looked for."""

BOUNDS, MORE_BOUNDS = 6.0, 24.0
"""For bounds of sums without which there are no faults: at first, and where nothing else helps."""

SHARE = 0.2
"""Of the work for claims, sums and bounds, where enumeration settles what is not proved."""

SEARCH = 100_000
"""Work for states that no play reaches: questions, and thousands of propagations."""

MAX_BUILD = 30.0
"""For building the circuits, and for finding the parts of the board; no more than a third of the
seconds of the account, as if they were work."""


class Proofs:
    """Made for one game, each part when it is first asked for, within one budget."""

    def __init__(self, game: Game, samples: Sampled, budget: Budget) -> None:
        self.game = game
        self.samples = samples
        self.budget = budget
        self.memo: dict[Any, Any] = {}
        self._share = 1.0
        self._whole_made: Whole | None = None
        self._relied: list[Group] = []

    @property
    def work(self) -> float:
        """The work for one step; raises `BudgetSpent` when time or memory are."""
        self.budget.check("proofs")
        return self._share * WORK

    @contextmanager
    def sparing(self) -> Iterator[None]:
        """Give each step less work while this lasts: enumeration settles what is not proved."""
        self._share = SHARE
        try:
            yield
        finally:
            self._share = 1.0

    @property
    def _building(self) -> float:
        """The work for building something; likewise."""
        self.budget.check("proofs")
        return min(MAX_BUILD, self.budget.limits.seconds / 3)

    @cached_property
    def net(self) -> Net:
        """The game without gates that rest on themselves, if that is not too large."""
        return unrolled(self.game.net, MAX_LITERALS) or self.game.net

    @cached_property
    def boards(self) -> Boards | None:
        """What each player can do, None where the rules are of another shape or too large."""
        try:
            return Boards(self.net, self.game.marker, self._building)
        except (NotApplicable, LimitReached):
            return None

    @cached_property
    def counters(self) -> list[Counter]:
        """The step counters of the game."""
        return counters(self.net)

    @cached_property
    def whole(self) -> Whole | None:
        """The rules of one state, with groups of legal play; None where they are too large."""
        net = self.net
        if net.recursive or net.literals > MAX_LITERALS:
            return None
        plays = self.samples.plays
        starts_well = not plays.terminal[0] and not self.samples.met_a_fault
        made = Whole(net, self.play_groups, self.game.turns, starts_well=starts_well)
        self._whole_made = made
        return made

    @cached_property
    def play_groups(self) -> list[Group]:
        """Groups of legal play."""
        found = self._proved_groups if self.boards is None else self.groups
        self._relied += found
        return [*found, *self._turn_group]

    @cached_property
    def _proved_groups(self) -> list[Group]:
        """Of `_proved` disjoint groups that save most; they rest on no others."""
        return self._proved.few

    @cached_property
    def _proved(self) -> Proved:
        """Groups that are kept by every move, and by giving the turn to another player.

        Those that random play did not break, of which none has fluents of the marker and of the
        board.
        """
        net, marker = self.net, self.game.marker
        states = self.samples.some_states
        wanted = unbroken([*candidates(net), *lasting(net)], states)
        wanted += joined(net, wanted, states)
        wanted = [g for g in wanted if not marker or _survives_flips(g, marker)]
        self.budget.check("groups of fluents")
        return Proved(net, wanted, GROUPS)

    @cached_property
    def constant_sums(self) -> Sums:
        """Sums that never change, whichever player moves; of fluents that mark nobody."""
        none, net, boards = Sums((), ()), self.net, self.boards
        self.budget.check("sums that never change")
        changes, work = self.samples.joint_changes(), self._share * SUMS
        if boards is not None:
            if boards.size > MAX_CHANGES:
                return none
            groups = self.groups
            if sum(len(side.options) for side in boards.sides) >= MANY_OPTIONS:
                kinds, alone = kinds_by_groups(net, groups), independent(net)
                found = find_sums_of_kinds(boards, kinds, groups, net.initial, changes, work, alone)
                if found.found:
                    return found
            return find_sums(
                boards, lambda: self.question(groups), groups, net.initial, changes, work
            )
        whole = self.whole
        if whole is None or net.literals > MAX_JOINT:
            return none
        marker = self.game.marker
        return find_sums(
            whole.joint_move(),
            whole.new_step_question,
            whole.groups,
            net.initial,
            changes,
            work,
            [f for f in range(len(net.fluents)) if marker and marker.mask >> f & 1],
        )

    @cached_property
    def whole_with_sums(self) -> Whole | None:
        """The rules of one state in which sums that never change are right, if there are any."""
        if self.whole is None or not self.constant_sums.found:
            return None
        self.whole.assume(self.constant_sums.found)
        return self.whole

    @cached_property
    def excluded(self) -> bool:
        """Whether states were found that no play reaches, without which there are no faults.

        They are assumed from then on in all claims about states of play.
        """
        whole, work = self.whole, 0

        def spend(cost: int) -> None:
            nonlocal work
            work += cost
            if work > SEARCH:
                raise LimitReached("work", SEARCH, "states that no play reaches")
            self.budget.check("states that no play reaches")

        if whole is None:
            return False
        try:
            return whole.search(self.samples.reached, self.game.player_indices, self.work, spend)
        except LimitReached as error:
            if error.limit != "work":
                raise
            return False

    @cached_property
    def all_excluded(self) -> bool:
        """Whether more states are assumed not to be reached than `playable` needs: all found."""
        whole = self.whole if self.excluded else None
        return whole is not None and whole.exclude_all(self.game.player_indices, self.work)

    @cached_property
    def bounded(self) -> bool:
        """Whether bounds were found without which there are no faults.

        They are assumed from then on in all claims about states of play.
        """
        whole = self.whole
        if whole is None or self.net.literals > MAX_STEP:
            return False
        loose = {g.fluents for g in [*whole.groups, *self._more_groups] if not g.exact}
        states = self.samples.some_states
        tried = [g for g in unbroken(candidates(self.net), states) if g.exact]
        tried = [g for g in tried if g.fluents in loose]
        self.budget.check("bounds")
        seen = self.samples.joint_changes()
        roles, work = self.game.player_indices, self._share * BOUNDS
        return self._relying(whole.bound(roles, self._more_groups, tried, seen, work))

    @cached_property
    def bounded_at_last(self) -> bool:
        """The same with more work."""
        if self.bounded or self.whole is None:
            return self.bounded
        self.budget.check("bounds")
        work = self._share * MORE_BOUNDS
        return self._relying(self.whole.bound_further(self._more_groups, work))

    @cached_property
    def _more_groups(self) -> list[Group]:
        """Proved groups of states of play that the rules of one state are not told of, as others
        are enough there."""
        known = self.whole.groups if self.whole else []
        exact = {g.fluents for g in known if g.exact}
        return [g for g in self._proved.all if g not in known and g.fluents not in exact]

    def _relying(self, found: bool) -> bool:
        """Note the groups that bounds rest on, if there are any."""
        self._relied += self._proved.resting_on(self._more_groups) if found else []
        return found

    @property
    def assumed_bounds(self) -> list[Bound]:
        """The bounds that proofs made so far rest on."""
        return self._whole_made.relied_bounds if self._whole_made else []

    @property
    def assumed_sums(self) -> list[Sum]:
        """All sums that the proofs made so far rest on."""
        whole = self._whole_made
        return self.constant_sums.resting_on(whole.relied) if whole and whole.relied else []

    @property
    def assumed_excluded(self) -> list[Cube]:
        """The states, cube by cube, that proofs made so far take not to be reached."""
        return self._whole_made.relied_excluded if self._whole_made else []

    @property
    def assumed(self) -> list[Group]:
        """All groups that the proofs made so far rest on."""
        found: list[Group] = []
        # What was not made before time ran out is no part of any proof.
        with suppress(LimitReached):
            found += [Group(c.fluents, exact=True) for c in self.counters]
        with suppress(LimitReached):
            found += self._own_groups if self.boards is not None else []
        found += self._relied
        found += self.game.marker.support if self.game.marker else ()
        return list(dict.fromkeys([*found, *self._turn_group]))

    @property
    def _turn_group(self) -> list[Group]:
        """The fluents that tell whose turn it is, where just one of them holds."""
        turns = self.game.turns
        if turns is None or any(bits.bit_count() != 1 for bits, _ in turns.settings):
            return []
        return [Group(tuple(sorted(b.bit_length() - 1 for b, _ in turns.settings)), exact=True)]

    def is_impossible(self, literals: list[int], *, cheap: bool = False) -> bool:
        """Whether it is proved in time that no board satisfies all literals; `cheap`: without the
        solver."""
        if FALSE in literals:
            return True
        if cheap:
            return False
        if self._easy.is_impossible(literals, EASY):
            return True
        return not self._all_are_own and self._hard.is_impossible(literals, self.work)

    @cached_property
    def _easy(self) -> Question:
        """Questions about boards with the groups that cost nothing to prove."""
        return self.question(self._own_groups)

    @cached_property
    def _hard(self) -> Question:
        """Questions about boards with all proved groups."""
        return self.question(self.groups)

    def question(self, groups: list[Group]) -> Question:
        """Questions about boards on which some groups hold; there must be boards."""
        assert self.boards is not None
        return Question(self.boards.builder, self.boards.inputs, groups)

    @cached_property
    def parts(self) -> PartSimulation:
        """The board, part by part; there must be boards."""
        assert self.boards is not None
        return PartSimulation(self.boards, self._building)

    @cached_property
    def split(self) -> Split:
        """The board as parts that are proved groups."""
        marker = self.game.marker
        mask = marker.mask if marker else 0
        groups = [
            group for group in candidates(self.net) if not any(mask >> i & 1 for i in group.fluents)
        ]
        return split(self.parts, groups)

    @property
    def _own_groups(self) -> list[Group]:
        """Those that cost nothing to prove; none where there are too many to try."""
        try:
            return [Group(part.fluents, part.exact) for part in self.split]
        except BudgetSpent:
            raise
        except LimitReached:
            return []

    @cached_property
    def _all_are_own(self) -> bool:
        """Whether every fluent of the board is in a group that cost nothing to prove."""
        assert self.boards is not None
        known = {f for group in self._own_groups for f in group.fluents}
        return len(known) == len(self.boards.inputs)

    @cached_property
    def groups(self) -> list[Group]:
        """Groups that hold on every board that arises if either player may move at each turn."""
        if not self._all_are_own:
            self._relied += self._proved_groups
            return [*self._own_groups, *self._proved_groups]
        return self._own_groups


def _survives_flips(group: Group, marker: Marker) -> bool:
    """Whether a group of a state is one of the state with its marker on any role as well."""
    inside = [bool(marker.mask >> i & 1) for i in group.fluents]
    if not any(inside):
        return True
    held = [sum(bits >> i & 1 for i in group.fluents) for bits, _ in marker.settings]
    return all(inside) and all(n == 1 or (n == 0 and not group.exact) for n in held)
