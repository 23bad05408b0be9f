"""The turn marker: fluents, one for each role, that say who may choose a move.

Found from behaviour and proved from the rules, never from the words `control` or `noop`: exactly
one of them holds in every state, and while a role's fluent holds no other role ever has more than
one legal move (or, where nobody ever has, no other role has a move that does anything). A single
fluent that flips with every move marks one role by its absence.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from ggp.errors import LimitReached
from ggp.ground.groups import Group, candidates, prove, prove_by_others
from ggp.ground.net import Net
from ggp.ground.query import Query

MAX_SUPPORTED = 12
"""Sets of fluents that are tried as markers that rest on other groups."""

MAX_PROPOSITIONS = 24
"""Propositions up to which all small sets of them are tried as markers."""


@dataclass(frozen=True)
class Marker:
    """For each role the bits of the fluents that mark it; `mask` has all of them.

    `alternating` is true if the marker goes round all roles in a circle, whatever is played.
    `support`: groups of other fluents that the proof of it rests on.
    """

    bits: tuple[int, ...]
    alternating: bool
    support: tuple[Group, ...] = ()

    @property
    def mask(self) -> int:
        """The bits of all marker fluents."""
        return sum(set(self.bits))

    def role(self, state: int) -> int | None:
        """The index of the role that is marked in a state, or None if none or several are."""
        shown = state & self.mask
        return self.bits.index(shown) if shown in self.bits else None

    def board(self, state: int) -> int:
        """A state without its marker."""
        return state & ~self.mask

    def place(self, board: int, role: int) -> int:
        """A board with the marker on a role."""
        return self.board(board) | self.bits[role]


def find_marker(net: Net, seconds: float = 10.0) -> Marker | None:
    """The marker of a net, or None where there is none or no proof within `seconds`."""
    if len(net.roles) < 2:
        return None
    try:
        for wanted in (_circles(net), _families(net)):
            for group in prove(net, wanted, seconds) if wanted else ():
                marker = _by_fluents(net, group, seconds) if group.exact else None
                if marker:
                    return marker
        return next(_by_absence(net, seconds), None) or _supported(net, seconds)
    except LimitReached:
        return None


def _supported(net: Net, seconds: float) -> Marker | None:
    """A marker whose fluents are a group because other fluents are groups.

    None of these has fluents of the marker, so that they hold wherever the turn is given.
    """
    until = time.monotonic() + seconds
    for group in [g for g in _families(net) if g.exact][:MAX_SUPPORTED]:
        if time.monotonic() > until:
            return None
        marker = _by_fluents(net, group, seconds)
        if marker:
            others = [g for g in candidates(net) if set(group.fluents).isdisjoint(g.fluents)]
            support = prove_by_others(net, group, others, until - time.monotonic())
            if support is not None:
                return replace(marker, support=support)
    return None


def _families(net: Net) -> list[Group]:
    """As many fluents as roles that are of one relation, or propositions without arguments."""
    size = len(net.roles)
    loose = [i for i, fluent in enumerate(net.fluents) if not fluent.args]
    sets = combinations(loose, size) if len(loose) <= MAX_PROPOSITIONS else ()
    started = [s for s in sets if len(net.initial.intersection(s)) == 1]
    found = [g for g in candidates(net) if g.exact and len(g.fluents) == size]
    return [*found, *(Group(members, exact=True) for members in started)]


def _circles(net: Net) -> list[Group]:
    """As many fluents as roles that hand one truth value on in a circle, whatever is played."""
    size = len(net.roles)
    found = set()
    source = {i: x - net.first_fluent for i, x in enumerate(net.next) if x > 0}
    for start in source:
        circle = [start]
        while source.get(circle[-1]) is not None and len(circle) <= size:
            following = source[circle[-1]]
            if following == start:
                break
            circle.append(following)
        closed = len(circle) == size and source.get(circle[-1]) == start
        if closed and len(net.initial.intersection(circle)) == 1:
            found.add(Group(tuple(sorted(circle)), exact=True))
    return sorted(found, key=lambda g: g.fluents)


def _by_fluents(net: Net, group: Group, seconds: float) -> Marker | None:
    """The marker made of a proved group, if each of its fluents leaves one role free to act."""
    nodes = [net.first_fluent + i for i in group.fluents]
    cases = [[x, *(-y for y in nodes if y != x)] for x in nodes]
    roles = _assign(net, cases, group.fluents, seconds)
    if roles is None:
        return None
    bits = [0] * len(net.roles)
    for role, i in zip(roles, group.fluents, strict=True):
        bits[role] = sum(1 << j for j in (i, *_echoes(net, i, group.fluents)))
    return Marker(tuple(bits), _is_alternating(net, group.fluents))


def _echoes(net: Net, fluent: int, group: tuple[int, ...]) -> list[int]:
    """Fluents beside the marker that always hold exactly when `fluent` of the marker does.

    Both are handed on in circles of the same length, whatever is played, and step together.
    """
    if not all(net.next[i] - net.first_fluent in group for i in group):
        return []
    found = []
    for circle in _circles(net):
        if set(circle.fluents).isdisjoint(group) and len(circle.fluents) == len(group):
            mine = next(i for i in group if i in net.initial)
            other = next(i for i in circle.fluents if i in net.initial)
            while mine != fluent:
                mine = net.next[mine] - net.first_fluent
                other = net.next[other] - net.first_fluent
            found.append(other)
    return found


def _by_absence(net: Net, seconds: float) -> Iterator[Marker]:
    """Markers of two roles that are a single fluent whose next value is its negation."""
    for i, following in enumerate(net.next):
        node = net.first_fluent + i
        if len(net.roles) == 2 and following == -node:
            roles = _assign(net, [[node], [-node]], (i,), seconds)
            if roles is not None:
                bits = (1 << i, 0) if roles[0] == 0 else (0, 1 << i)
                yield Marker(bits, alternating=True)


def _assign(
    net: Net, cases: list[list[int]], fluents: tuple[int, ...], seconds: float
) -> list[int] | None:
    """The role that is free to act in each case, all different, or None; `fluents` mark the cases.

    One case in which nobody ever is free, such as a player without any moves, gets the role that is
    left over.
    """
    freedom = _Freedom(net, fluents, seconds)
    free = [freedom.roles(case) for case in cases]
    left = [r for r in range(len(net.roles)) if all(r not in roles for roles in free)]
    found = [roles or left for roles in free]
    if any(len(roles) != 1 for roles in found) or len({roles[0] for roles in found}) < len(found):
        return None
    return [roles[0] for roles in found]


class _Freedom:
    """Which roles can be free to act in some state, reachable or not."""

    def __init__(self, net: Net, fluents: tuple[int, ...], seconds: float) -> None:
        self.query = Query(net, seconds)
        self.query.require(-net.terminal)
        effective = net.cone(x for i, x in enumerate(net.next) if i not in fluents)
        self.choice, self.effect = [], []
        for offset, moves in zip(net.move_offset, net.moves, strict=True):
            own = range(offset, offset + len(moves))
            some = [net.legal[i] for i in own if net.first_move + i in effective]
            self.choice.append(self.query.at_least(2, [net.legal[i] for i in own]))
            self.effect.append(self.query.at_least(1, some))

    def roles(self, given: list[int]) -> list[int]:
        """The roles that can be free where the literals `given` hold.

        A role is free if it can have more than one legal move. Where no role can, it is free if it
        has a move on which the next board depends at all, the marker apart.
        """
        roles = range(len(self.choice))
        free = [r for r in roles if self._possible(given, self.choice[r])]
        return free or [r for r in roles if self._possible(given, self.effect[r])]

    def _possible(self, given: list[int], node: int) -> bool:
        return self.query.refute([*given, node]) is None


def _is_alternating(net: Net, fluents: tuple[int, ...]) -> bool:
    """Whether the fluents hand the turn on to all of them in a circle, whatever is played."""
    wanted = [net.next[i] for i in fluents]
    cone = net.cone(wanted)
    nodes = [net.first_fluent + i for i in fluents]
    if any(1 < x < net.first_gate and x not in nodes for x in cone):
        return False
    if any(start in cone for start, _ in net.recursive):
        return False
    following = {}
    for node in nodes:
        value = {1: True, **dict.fromkeys(nodes, False), node: True}
        for gate in sorted(x for x in cone if x >= net.first_gate):
            value[gate] = any(all(value[abs(x)] == (x > 0) for x in b) for b in net.bodies(gate))
        held = [n for n, x in zip(nodes, wanted, strict=True) if value[abs(x)] == (x > 0)]
        following[node] = held[0] if len(held) == 1 else 0
    place, seen = nodes[0], []
    while place in following and place not in seen:
        seen.append(place)
        place = following[place]
    return place == nodes[0] and len(seen) == len(nodes)
