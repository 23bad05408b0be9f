"""Clocks: fluents that go on by themselves, and what they tell about whose turn it is.

Some fluents hang on nothing but one another: a marker that is handed round, two bits that count,
a step counter. Whatever is played, they run through one sequence of settings, which is found by
letting them run; that is a proof for every state of play. The turn of a role may be told by any
number of settings: two bits, the parity of a counter, several phases of one turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.arrays import offsets
from ggp.graphs import Joined, strongly_connected_components
from ggp.ground.gates import spread
from ggp.ground.groups import candidates
from ggp.ground.net import TRUE, Net

MAX_PERIOD = 12
"""Settings of a clock that is looked for first, one that runs in a circle."""

MAX_SETTINGS = 256
"""Of any clock."""

MAX_VISITS = 3_000_000
"""Nodes looked at in search of fluents that go on by themselves, and again to let them run."""


@dataclass(frozen=True)
class Clock:
    """`mask`: the bits of its fluents; `settings`: which of them hold, from the start on. After the
    last setting comes that of the place `back`.
    """

    mask: int
    settings: tuple[int, ...]
    back: int

    @property
    def is_circle(self) -> bool:
        """Whether it comes back to its first setting."""
        return self.back == 0


def find_clocks(net: Net, depends: Mapping[int, frozenset[int]] | None = None) -> Iterator[Clock]:
    """Clocks that run in a circle of a few times as many settings as there are roles, shortest
    first; then others, such as step counters, longest first; then all that runs by itself.

    `depends`: what `independent` says, if that is known.
    """
    own = independent(net) if depends is None else depends
    if not own:
        return
    run = _run(net, sorted(own))
    if run is None:
        return
    whole, traces = run
    changing = {f: t for f, t in traces.items() if t not in (0, (1 << len(whole.settings)) - 1)}
    if not changing:
        return
    for period in range(len(net.roles), MAX_PERIOD + 1, len(net.roles)):
        fluents = {f for f, t in changing.items() if _has_period(t, whole, period)}
        fluents = _closed(fluents, own, changing)
        chosen = [*_handed(net, fluents, traces, period), fluents]
        chosen = [_without_dragged(f, own, whole, period) for f in chosen]
        closed = [f for f in chosen if _closed(f, own, changing) == f]
        for clock in (_part(whole, f) for f in closed):
            if clock and clock.is_circle and len(clock.settings) == period:
                yield clock
    parts = Joined()
    for f in changing:
        parts.join([f, *(d for d in own[f] if d in changing)])
    apart: dict[int, set[int]] = {}
    for f in changing:
        apart.setdefault(parts.find(f), set()).add(f)
    found = [_part(whole, fluents) for fluents in (*apart.values(), set(changing))]
    known = {clock.mask: clock for clock in found if clock and not clock.is_circle}
    for clock in sorted(known.values(), key=lambda c: -len(c.settings)):
        if len(net.roles) <= len(clock.settings) <= MAX_SETTINGS:
            yield clock


def independent(net: Net) -> dict[int, frozenset[int]]:
    """The fluents whose next values depend on nothing but each other's values, and on which."""
    moved = _moved(net)
    known: dict[int, frozenset[int]] = {}
    visits = 0
    for f, following in enumerate(net.next):
        if moved[abs(following)]:
            continue
        seen, todo, fluents = {abs(following)}, [abs(following)], set()
        while todo:
            node = todo.pop()
            visits += 1
            if visits > MAX_VISITS:
                break
            if net.first_fluent <= node < net.first_move:
                fluents.add(node - net.first_fluent)
            for body in net.bodies(node):
                new = {abs(x) for x in body} - seen
                seen |= new
                todo += new
        else:
            known[f] = frozenset(fluents)
    recursive = {node for start, stop in net.recursive for node in range(start, stop)}
    size = -1
    while len(known) != size:
        size = len(known)
        known = {f: deps for f, deps in known.items() if deps <= known.keys()}
    if recursive:
        known = {f: d for f, d in known.items() if recursive.isdisjoint(net.cone([net.next[f]]))}
        return known if all(deps <= known.keys() for deps in known.values()) else {}
    return known


def _moved(net: Net) -> NDArray[np.bool_]:
    """For each node whether its value depends on a move."""
    gates = net.gates
    below = np.abs(gates.literals)
    order = np.argsort(below, kind="stable")
    users = np.repeat(np.arange(net.first_gate, net.size + 1), np.diff(gates.spans))[order]
    spans = offsets(np.bincount(below, minlength=net.size + 1))
    moves = np.arange(net.first_move, net.first_gate)
    return spread(moves, np.zeros(net.size + 1, dtype=np.bool_), 0, spans, users)


def _run(net: Net, fluents: Sequence[int]) -> tuple[Clock, dict[int, int]] | None:
    """The clock of all these fluents, and for each the places (as bits) in which it holds."""
    gates = sorted(x for x in net.cone(net.next[f] for f in fluents) if x >= net.first_gate)
    mask = sum(1 << f for f in fluents)
    setting = sum(1 << f for f in fluents if f in net.initial)
    found: dict[int, int] = {}
    while setting not in found:
        if (len(found) + 1) * (len(gates) + len(fluents)) > MAX_VISITS:
            return None
        found[setting] = len(found)
        values = {TRUE: True, **{net.first_fluent + f: bool(setting >> f & 1) for f in fluents}}
        for gate in gates:
            values[gate] = any(all(values[abs(x)] == (x > 0) for x in b) for b in net.bodies(gate))
        setting = sum(1 << f for f in fluents if values[abs(net.next[f])] == (net.next[f] > 0))
    settings = tuple(found)
    traces = {f: sum(1 << place for place, s in enumerate(settings) if s >> f & 1) for f in fluents}
    return Clock(mask, settings, found[setting]), traces


def _handed(
    net: Net, fluents: Collection[int], traces: Mapping[int, int], period: int
) -> Iterator[set[int]]:
    """Groups of one fluent for each place of a circle, of which one holds after the other.

    With all others that hold in one place only, if there are such for each place: a second marker
    that goes with the first. A fluent that says in some places what the group says anyway, such as
    whose the last move was, is left on the board.
    """
    first = (1 << period) - 1
    place = {f: traces[f] & first for f in fluents if (traces[f] & first).bit_count() == 1}
    for group in candidates(net):
        own = {place.get(f) for f in group.fluents}
        if len(group.fluents) == len(own) == period and None not in own:
            others = place.keys() - set(group.fluents)
            covered = {place[f] for f in others}
            yield {*group.fluents, *(others if len(covered) == period else ())}


def _without_dragged(
    fluents: set[int], depends: Mapping[int, frozenset[int]], whole: Clock, period: int
) -> set[int]:
    """The fluents of a circle without those that others drag along, if it has as many settings.

    What goes on from its own value and from that of the others (a token that the role whose turn it
    is pushes) is in step with them as long as roles take turns, and no longer when the turn is
    given away. What hangs on the others alone, or on itself alone, tells the same as they do.
    """
    order = strongly_connected_components(sorted(fluents), {f: sorted(depends[f]) for f in fluents})
    dragged: set[int] = set()
    for part in order:
        below = {d for f in part for d in depends[f] if d in fluents}
        if (below & set(part) and below - set(part)) or below & dragged:
            dragged.update(part)
    left = fluents - dragged
    clock = _part(whole, left)
    return left if clock and len(clock.settings) == period else fluents


def _has_period(trace: int, whole: Clock, period: int) -> bool:
    """Whether what holds in some places is the same so many places later, for ever."""
    count = len(whole.settings)
    after = [*range(1, count), whole.back]

    def shifted(place: int) -> int:
        for _ in range(period):
            place = after[place]
        return place

    return all(trace >> i & 1 == trace >> shifted(i) & 1 for i in range(count))


def _closed(
    fluents: set[int], depends: Mapping[int, frozenset[int]], changing: Collection[int]
) -> set[int]:
    """Those of some fluents that depend on one another and on what never changes."""
    while True:
        left = {f for f in fluents if all(d in fluents or d not in changing for d in depends[f])}
        if left == fluents:
            return left
        fluents = left


def _part(whole: Clock, fluents: set[int]) -> Clock | None:
    """The clock of some fluents of another one, that depend on no others."""
    mask = sum(1 << f for f in fluents)
    found: dict[int, int] = {}
    after = [*range(1, len(whole.settings)), whole.back]
    place = 0
    while (setting := whole.settings[place] & mask) not in found:
        found[setting] = len(found)
        place = after[place]
    return Clock(mask, tuple(found), found[setting]) if mask else None


def alike(net: Net, clock: Clock, places: Iterable[int]) -> bool:
    """Whether the rules say the same of all boards in some settings of a clock.

    Of what may be done, what it does to the board, the end and the goals; told by folding the
    constants of each setting, with no solver, so that the answer may be a wrong "no".
    """
    fold = _Folding(net, clock.mask)
    told = {fold.under(clock.settings[place]) for place in places}
    return len(told) == 1 and None not in told


class _Folding:
    """The rules as they are where the fluents of a clock are known: a number for each of them."""

    def __init__(self, net: Net, mask: int) -> None:
        self.net = net
        self.mask = mask
        goals = [x for known in net.goals for _, x in known]
        board = [x for f, x in enumerate(net.next) if not mask >> f & 1]
        sees = [x for known in net.sees for _, x in known]
        self.wanted = [net.terminal, *net.legal, *goals, *sees, *board]
        self.gates = sorted(x for x in net.cone(self.wanted) if x >= net.first_gate)
        self.numbers: dict[frozenset[frozenset[int]], int] = {}
        self.recursive = {node for start, stop in net.recursive for node in range(start, stop)}

    def under(self, setting: int) -> tuple[int, ...] | None:
        """A number for each literal of the rules; None where a gate depends on itself."""
        net = self.net
        if not self.recursive.isdisjoint(self.gates):
            return None
        values: dict[int, int] = {TRUE: TRUE}
        for f in range(len(net.fluents)):
            node = net.first_fluent + f
            is_told = self.mask >> f & 1
            values[node] = (TRUE if setting >> f & 1 else -TRUE) if is_told else node
        for node in range(net.first_move, net.first_gate):
            values[node] = node
        for gate in self.gates:
            values[gate] = self._gate(net.bodies(gate), values)
        return tuple(values[abs(x)] if x > 0 else -values[abs(x)] for x in self.wanted)

    def _gate(self, bodies: Iterable[Sequence[int]], values: Mapping[int, int]) -> int:
        found = set()
        for body in bodies:
            literals = {values[abs(x)] if x > 0 else -values[abs(x)] for x in body}
            if -TRUE in literals or any(-x in literals for x in literals):
                continue
            literals.discard(TRUE)
            if not literals:
                return TRUE
            found.add(frozenset(literals))
        if not found:
            return -TRUE
        if len(found) == 1 and len(one := next(iter(found))) == 1:
            return next(iter(one))
        return self.numbers.setdefault(frozenset(found), self.net.size + 1 + len(self.numbers))


def in_circle(roles: Sequence[int | None], count: int) -> list[int] | None:
    """Roles for all settings of a clock, of which some are known, if these fit one fixed circle of
    all `count` roles; else None."""
    places: dict[int, int] = {}
    for place, role in enumerate(roles):
        if role is not None and places.setdefault(place % count, role) != role:
            return None
    if len(set(places.values())) < len(places):
        return None
    missing = [role for role in range(count) if role not in places.values()]
    if len(missing) == 1:
        places[next(p for p in range(count) if p not in places)] = missing[0]
    elif missing:
        return None
    return [places[place % count] for place in range(len(roles))]
