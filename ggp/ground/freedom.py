"""Which roles can be free to act in some state in which some fluents are as given.

Such states need not be reachable. What folding the constants tells is not asked of a solver, nor
what the initial state shows with those fluents put to it: of most sheets the solver is not needed,
for which all rules had to be written down.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ggp.ground.groups import Group
from ggp.ground.net import Net
from ggp.ground.query import Query

MAX_WAITING = 16
"""Moves that a role which is not marked may seem to have."""


class Freedom:
    """Asks about all states in which `groups` hold; `given` are literals of `fluents`, all told.

    Raises `LimitReached` where a question would take more than so much `work` altogether.
    """

    def __init__(
        self, net: Net, fluents: tuple[int, ...], work: float, groups: tuple[Group, ...] = ()
    ) -> None:
        self.net, self.work, self.groups = net, work, groups
        self.cone = net.cone([net.terminal, *net.legal, *(net.first_fluent + i for i in fluents)])
        effective = net.cone(x for i, x in enumerate(net.next) if i not in fluents)
        self.own: list[list[int]] = []
        self.effective: list[list[int]] = []
        for offset, moves in zip(net.move_offset, net.moves, strict=True):
            own = range(offset, offset + len(moves))
            self.own.append([net.legal[i] for i in own])
            some = [net.legal[i] for i in own if net.first_move + i in effective]
            self.effective.append(some)
        self._folded: dict[tuple[int, ...], dict[int, bool]] = {}

    def roles(self, given: list[int]) -> list[int]:
        """The roles that can be free where the literals `given` hold.

        A role is free if it can have more than one legal move. Where no role can, it is free if it
        has a move on which the next board depends at all, the marker apart.
        """
        roles = range(len(self.own))
        free = [r for r in roles if self._can_choose(given, r)]
        return free or [r for r in roles if self._can_act(given, r)]

    def others_act(self, given: list[int], role: int) -> bool:
        """Whether another role may have a legal move that does anything to the board."""
        return any(self._can_act(given, r) for r in range(len(self.own)) if r != role)

    def is_over(self, given: list[int]) -> bool:
        """Whether play is over wherever the literals `given` hold."""
        return not self._can(given, [-self.net.terminal])

    def others_wait(self, given: list[int], marked: int, *, on: bool = False) -> bool:
        """Whether each role but one has just one and always the same legal move, play being over
        or not (going on, if `on`), as far as is cheap to tell."""
        going = [-self.net.terminal] if on else []
        known = self._under([*given, *going])
        for role, own in enumerate(self.own):
            if role != marked:
                open_ = [x for x in own if known.get(x) is not False]
                if len(open_) > MAX_WAITING:
                    return False
                possible = [x for x in open_ if self._can(given, [*going, x])]
                if len(possible) != 1 or self._can(given, [*going, -possible[0]]):
                    return False
        return True

    def _can_choose(self, given: list[int], role: int) -> bool:
        """Whether the role can have two legal moves while play goes on."""
        return self._can_have(given, self.own[role], 2, lambda: self._choice[role])

    def _can_act(self, given: list[int], role: int) -> bool:
        """Whether the role can have a legal move that matters while play goes on."""
        return self._can_have(given, self.effective[role], 1, lambda: self._effect[role])

    def _can_have(
        self, given: list[int], legal: list[int], count: int, node: Callable[[], int]
    ) -> bool:
        """Whether so many of some moves can be legal while play goes on; `node` is of the query."""
        going = -self.net.terminal
        shown = self._shown_by_start(given)
        if shown.get(going) and sum(shown.get(x, False) for x in legal) >= count:
            return True
        known = self._under([*given, going])
        if sum(known.get(x, True) for x in legal) < count:
            return False
        return self._query.refute([*given, going, node()]) is None

    def _can(self, given: list[int], literals: list[int]) -> bool:
        """Whether some state has the literals `given` and these, of the end and of moves."""
        shown = self._shown_by_start(given)
        if all(shown.get(x) for x in literals):
            return True
        for i, x in enumerate(literals):
            if self._under([*given, *literals[:i]]).get(x) is False:
                return False
        return self._query.refute([*given, *literals]) is None

    def _under(self, given: list[int]) -> dict[int, bool]:
        """What holds of the end and of moves wherever the literals `given` do, as far as constants
        fold."""
        key = tuple(given)
        if key not in self._folded:
            net = self.net
            known = net.under(given, [net.terminal, *net.legal])
            self._folded[key] = known | {-x: not holds for x, holds in known.items()}
        return self._folded[key]

    def _shown_by_start(self, given: list[int]) -> dict[int, bool]:
        """What holds in the initial state with the fluents put as `given`, if groups hold there."""
        net = self.net
        held = {net.first_fluent + f for f in net.initial}
        held = (held - {abs(x) for x in given}) | {x for x in given if x > 0}
        for group in self.groups:
            count = sum(net.first_fluent + f in held for f in group.fluents)
            if count > 1 or (group.exact and count == 0):
                return {}
        others = [net.first_fluent + f for f in range(len(net.fluents))]
        told = {abs(x) for x in given}
        return self._under([*given, *(x if x in held else -x for x in others if x not in told)])

    @cached_property
    def _query(self) -> Query:
        net = self.net
        query = Query(net, self.work, self.cone)
        for group in self.groups:
            members = [net.first_fluent + i for i in group.fluents]
            known = [n for n in members if n in self.cone]
            if len(known) > 1:
                query.require(-query.at_least(2, known))
            if group.exact and len(known) == len(members):
                query.require(*known)
        return query

    @cached_property
    def _choice(self) -> list[int]:
        return [self._query.at_least(2, own) for own in self.own]

    @cached_property
    def _effect(self) -> list[int]:
        return [self._query.at_least(1, some) for some in self.effective]
