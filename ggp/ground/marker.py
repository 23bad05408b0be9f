"""Whose turn it is: fluents that say who may choose a move.

Found from behaviour and proved from the rules, never from the words `control` or `noop`: in every
state they have one of a few settings, and in each of these no other role than the one whose turn it
tells ever has more than one legal move (or, where nobody ever has, no other role has a move that
does anything). Mostly that is one fluent for each role, of which exactly one holds. It may as well
be one fluent that flips with every move, two bits, or a step counter: see `clock`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import combinations
from operator import or_

from ggp.errors import BudgetSpent, LimitReached
from ggp.ground.clock import Clock, alike, find_clocks, in_circle
from ggp.ground.freedom import Freedom
from ggp.ground.groups import Group, candidates, prove, prove_by_others
from ggp.ground.net import Net
from ggp.limits import look
from ggp.work import work_done

MAX_SUPPORTED = 12
"""Sets of fluents that are tried as markers that rest on other groups."""

MAX_FITTING = 8
"""Markers of which the best is taken."""

MAX_PROPOSITIONS = 24
"""Propositions up to which all small sets of them are tried as markers."""


@dataclass(frozen=True)
class Turns:
    """Settings of some fluents, each (as bits of those that hold) with the role whose turn it is.

    In every state of play these fluents have one of the settings. `alternating` is true if the
    roles follow each other in one circle, whatever is played; `goes_on` if every move leads to
    another setting. `unsure`: settings in which another role may have a move that does something,
    so that it takes a state of play in which the role has a choice to tell that it is its turn.
    """

    settings: tuple[tuple[int, int], ...]
    alternating: bool
    goes_on: bool = False
    unsure: tuple[int, ...] = ()

    @cached_property
    def mask(self) -> int:
        """The bits of all fluents that tell whose turn it is."""
        return reduce(or_, (bits for bits, _ in self.settings), 0)

    @cached_property
    def _roles(self) -> dict[int, int]:
        return dict(self.settings)

    def role(self, state: int) -> int | None:
        """The index of the role whose turn it is in a state, or None if nothing tells."""
        return self._roles.get(state & self.mask)


@dataclass(frozen=True)
class Marker(Turns):
    """Fluents that tell whose turn it is and nothing else, so that the turn can be given away.

    `bits`: for each role a setting in which it is marked; others in which it is (a turn told by two
    bits, or by whether a counter is even) are the same as far as the rules go. `support`: groups of
    other fluents that the proof of it rests on.
    """

    bits: tuple[int, ...] = ()
    support: tuple[Group, ...] = ()

    @classmethod
    def of(
        cls, bits: tuple[int, ...], *, alternating: bool, unsure: tuple[int, ...] = ()
    ) -> Marker:
        """The marker with one setting for each role."""
        settings = tuple((own, role) for role, own in enumerate(bits))
        return cls(settings, alternating, bits=bits, unsure=unsure)

    def board(self, state: int) -> int:
        """A state without its marker."""
        return state & ~self.mask

    def place(self, board: int, role: int) -> int:
        """A board with the marker on a role."""
        return self.board(board) | self.bits[role]


def find_marker(net: Net, work: float = 10.0) -> Marker | None:
    """The marker of a net, or None where there is none or no proof within so much `work`.

    Where several sets of fluents would do, as they can by accident where there is little choice,
    the first of those that fit best: roles that are not marked always have just one legal move, and
    each role is free to act where it is marked, not just left over.
    """
    if len(net.roles) < 2:
        return None
    look("whose turn it is")
    found: list[_Fitting] = []
    try:
        for fitting in _fitting(net, work):
            found.append(fitting)
            if fitting.misfit == 0 or len(found) == MAX_FITTING:
                break
    except BudgetSpent:
        raise
    except LimitReached:
        pass
    return min(found, key=lambda fitting: fitting.misfit).marker if found else None


def find_turns(net: Net, work: float = 10.0) -> Turns | None:
    """Whose turn it is as a clock tells it that tells other things as well; None where none does.

    Such a clock is part of the board: a step counter that play ends by, or the phases of a turn.
    """
    if len(net.roles) < 2:
        return None
    look("whose turn it is")
    try:
        for clock in find_clocks(net):
            told = _told_by(net, clock, work)
            if told:
                return told[0]
    except BudgetSpent:
        raise
    except LimitReached:
        pass
    return None


@dataclass(frozen=True)
class _Fitting:
    """A marker, and how badly it fits: 0 is without a fault."""

    marker: Marker
    misfit: int


def _fitting(net: Net, work: float) -> Iterator[_Fitting]:
    """Markers of a net; those that rest on other groups only if there are no others."""
    clocks = list(find_clocks(net))
    count = 0
    for clock in clocks:
        fitting = _by_clock(net, clock, work)
        if fitting:
            count += 1
            yield fitting
    running = reduce(or_, (clock.mask for clock in clocks), 0)
    handed = [g for g in _families(net) if not all(running >> i & 1 for i in g.fluents)]
    proved = prove(net, handed, work)
    for group in proved:
        fitting = _by_fluents(net, group, work) if group.exact else None
        # Others that it was proved with may be broken where the turn is given away.
        if fitting and (len(proved) == 1 or group in prove(net, [group], work)):
            count += 1
            yield fitting
    if not count:
        yield from _supported(net, work)
        yield from _by_clock_and_groups(net, clocks, running, work)


def _by_clock_and_groups(
    net: Net, clocks: Iterable[Clock], running: int, work: float
) -> Iterator[_Fitting]:
    """Markers that are clocks where groups of other fluents hold: states that no play comes to may
    give a role that waits another move.

    None of the groups has a fluent that goes on by itself, so that they hold wherever the turn is;
    their proof may use that one fluent of the clock holds, which is so wherever it is, too.
    """
    wanted = [g for g in candidates(net) if not any(running >> i & 1 for i in g.fluents)]
    for clock in clocks:
        handed = [setting.bit_length() - 1 for setting in clock.settings]
        if not clock.is_circle or any(s.bit_count() != 1 for s in clock.settings):
            continue
        own = Group(tuple(sorted(handed)), exact=True)
        groups = tuple(g for g in prove(net, [own, *wanted], work) if g != own)
        fitting = _by_clock(net, clock, work, groups) if groups else None
        # Each role must be seen to act: who is left over is told without groups.
        if fitting and fitting.misfit % 2 == 0:
            yield replace(fitting, marker=replace(fitting.marker, support=groups))


def _by_clock(
    net: Net, clock: Clock, work: float, groups: tuple[Group, ...] = ()
) -> _Fitting | None:
    """The marker that a clock is, if the rules ask it for nothing else but whose turn it is."""
    told = _told_by(net, clock, work, groups) if clock.is_circle else None
    if told is None or not told[0].alternating or len(told[0].settings) < len(clock.settings):
        return None
    turns, misfit = told
    bits = [0] * len(net.roles)
    for setting, role in reversed(turns.settings):
        bits[role] = setting
    if len(turns.settings) > len(bits):
        places: dict[int, list[int]] = {}
        for place, (_, role) in enumerate(turns.settings):
            places.setdefault(role, []).append(place)
        if not all(alike(net, clock, own) for own in places.values()):
            return None
    if len(set(bits)) < len(bits):
        return None
    marker = Marker(turns.settings, alternating=True, unsure=turns.unsure, bits=tuple(bits))
    return _Fitting(marker, misfit)


def _told_by(
    net: Net, clock: Clock, work: float, groups: tuple[Group, ...] = ()
) -> tuple[Turns, int] | None:
    """Whose turn a clock tells it is where some groups hold, if it does, and how badly it fits.

    Settings in which nobody has anything to choose are of those whose turn it is in the circle of
    the others.
    """
    fluents = tuple(f for f in range(len(net.fluents)) if clock.mask >> f & 1)
    freedom = Freedom(net, fluents, work, groups)
    roles: list[int | None] = []
    cases: list[list[int]] = []
    going: list[int] = []
    for setting in clock.settings:
        nodes = [(net.first_fluent + f, setting >> f & 1) for f in fluents]
        cases.append([node if held else -node for node, held in nodes])
        free = freedom.roles(cases[-1])
        if len(free) > 1:
            return None
        roles.append(free[0] if free else None)
        if not free and freedom.is_over(cases[-1]):
            break  # no later setting ever comes up
        going.append(len(going))
    settings, count = clock.settings[: len(roles)], len(net.roles)
    # Where play goes on after the last setting, the circle of roles must go on as well.
    back = None if len(going) < len(roles) else clock.back
    is_round = back is None or (len(roles) - back) % count == 0
    circle = in_circle(roles, count) if len(roles) >= count and is_round else None
    # A clock that runs out may be anything that happens once: each role must be seen to act by it.
    if circle is not None and (clock.is_circle or {*roles} >= {*range(count)}):
        marked, alternating = circle, True
    elif None not in roles and len({*roles}) == count:
        marked, alternating = [r for r in roles if r is not None], False
    else:
        return None
    waits = [freedom.others_wait(case, role) for case, role in zip(cases, marked, strict=False)]
    steady = all(waits[i] for i in going)
    guessed = any(roles[i] is None for i in going)
    idle = [waits[i] for i, role in enumerate(roles) if role is None]
    # Nor has a role that never acts a turn because a setting is left for it, in which play is over.
    if not ({*roles} >= {*range(count)} or all(idle)) or (guessed and not steady):
        return None
    goes_on = back != len(roles) - 1
    told = tuple(zip(settings, marked, strict=True))
    unsure = tuple(
        settings[i]
        for i, role in enumerate(roles)
        if role is not None and freedom.others_act(cases[i], role)
    )
    return Turns(told, alternating, goes_on, unsure), (0 if steady else 2) + guessed


def _supported(net: Net, work: float) -> Iterator[_Fitting]:
    """Markers whose fluents are a group because other fluents are groups.

    None of these has fluents of the marker, so that they hold wherever the turn is given.
    """
    until = work_done() + work
    for group in [g for g in _families(net) if g.exact][:MAX_SUPPORTED]:
        if work_done() > until:
            return
        fitting = _by_fluents(net, group, work)
        if fitting:
            others = [g for g in candidates(net) if set(group.fluents).isdisjoint(g.fluents)]
            support = prove_by_others(net, group, others, until - work_done())
            if support is not None:
                yield replace(fitting, marker=replace(fitting.marker, support=support))


def _families(net: Net) -> list[Group]:
    """As many fluents as roles that are of one relation, or propositions without arguments."""
    size = len(net.roles)
    loose = [i for i, fluent in enumerate(net.fluents) if not fluent.args]
    sets = combinations(loose, size) if len(loose) <= MAX_PROPOSITIONS else ()
    started = [s for s in sets if len(net.initial.intersection(s)) == 1]
    found = [g for g in candidates(net) if g.exact and len(g.fluents) == size]
    return [*found, *(Group(members, exact=True) for members in started)]


def _by_fluents(net: Net, group: Group, work: float) -> _Fitting | None:
    """The marker made of a proved group, if each of its fluents leaves one role free to act."""
    nodes = [net.first_fluent + i for i in group.fluents]
    cases = [[x, *(-y for y in nodes if y != x)] for x in nodes]
    found = _assign(net, cases, group.fluents, work)
    if found is None:
        return None
    roles, misfit, unsure = found
    bits = [0] * len(net.roles)
    for role, i in zip(roles, group.fluents, strict=True):
        bits[role] = 1 << i
    marker = Marker.of(
        tuple(bits), alternating=False, unsure=tuple(1 << group.fluents[i] for i in unsure)
    )
    return _Fitting(marker, misfit)


def _assign(
    net: Net, cases: list[list[int]], fluents: tuple[int, ...], work: float
) -> tuple[list[int], int, list[int]] | None:
    """The role that is free to act in each case, all different, with how badly that fits, or None.

    `fluents` mark the cases. One case in which nobody ever is free, such as a player without any
    moves, gets the role that is left over. With the cases in which that is not sure.
    """
    freedom = Freedom(net, fluents, work)
    free = [freedom.roles(case) for case in cases]
    left = [r for r in range(len(net.roles)) if all(r not in roles for roles in free)]
    found = [roles or left for roles in free]
    if any(len(roles) != 1 for roles in found) or len({roles[0] for roles in found}) < len(found):
        return None
    marked = [roles[0] for roles in found]
    pairs = list(zip(cases, marked, strict=True))
    is_steady = all(freedom.others_wait(case, role) for case, role in pairs)
    # Who is left over is no proof of anything unless the others wait wherever play is over as well.
    # Who is forced to move does not wait: else a piece's place is taken for a turn.
    if not is_steady and not (all(free) and all(freedom.others_wait(*p, on=True) for p in pairs)):
        return None
    told = enumerate(zip(cases, free, strict=True))
    unsure = [i for i, (case, own) in told if own and freedom.others_act(case, own[0])]
    return marked, (0 if is_steady else 2) + (not all(free)), unsure
