"""Fluents that go on by themselves, whatever is played, and turns that go round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from ggp.checker.replay import Replay, State
from ggp.ground import Net

MAX_STEPS = 2_000
"""That fluents are let run."""


def runs_by_itself(net: Net, settings: Sequence[State]) -> tuple[list[int], int | None] | None:
    """The order (places in `settings`) in which fluents go through their settings from the start,
    where they depend on nothing else that changes, and the one that comes after the last, if it is
    one of them; None if they do not go through just these."""
    fluents = frozenset().union(*settings)
    reads = _independent(net)
    run = _run(net, reads) if fluents <= reads.keys() else None
    if run is None:
        return None
    states, _ = run
    changing = frozenset().union(*(a ^ b for a, b in pairwise(states)))
    if any(reads[f] & changing - fluents for f in fluents):
        return None
    order: list[int] = []
    for state in states:
        place = settings.index(state & fluents) if state & fluents in settings else None
        if place is None or place in order:
            return (order, place) if len(order) == len(settings) else None
        order.append(place)
    return None


def is_accompanied(net: Net, fluents: State, period: int) -> bool:
    """Whether, of fluents that go round in so many steps by themselves, others go with them.

    Others that go round by themselves as well and hold in just one step of each round: some of them
    in each step; or one at least where, with these fluents, there are two and more for each step.
    """
    reads = _independent(net)
    run = _run(net, reads) if fluents <= reads.keys() else None
    if run is None:
        return False
    states, rest = run
    states = states + rest * (1 + 2 * period // len(rest))
    pairs = list(zip(states, states[period:], strict=False))
    going = {f for f in reads if not any(f in a ^ b for a, b in pairs)}
    if not fluents <= going:
        return False
    steps = {f: [i for i in range(period) if f in states[i]] for f in going}
    single = {f: own[0] for f, own in steps.items() if len(own) == 1}
    others = {f: step for f, step in single.items() if f not in fluents}
    is_double = min(Counter(single.values())[i] for i in range(period)) > 1
    return set(others.values()) == set(range(period)) or (is_double and bool(others))


def _run(net: Net, reads: Mapping[int, State]) -> tuple[list[State], list[State]] | None:
    """The values that independent fluents go through from the start, until one set comes up again,
    which is the last one; and what they repeat from then on. None if that takes too long."""
    own = frozenset(reads)
    replay, states = Replay(net), [net.initial & own]
    while len(states) <= MAX_STEPS:
        after = replay.next(states[-1], ()) & own
        if after in states:
            rest = states[states.index(after) :]
            return [*states, after], [*rest[1:], after]
        states.append(after)
    return None


def _read(net: Net, fluent: int) -> State | None:
    """The fluents that the next value of one depends on; None if it depends on a move."""
    todo = [abs(net.next[fluent])]
    seen, found = set(todo), set()
    while todo:
        node = todo.pop()
        if net.first_move <= node < net.first_gate:
            return None
        if net.first_fluent <= node < net.first_move:
            found.add(node - net.first_fluent)
        below = {abs(x) for body in net.bodies(node) for x in body} - seen
        seen |= below
        todo += below
    return frozenset(found)


def _independent(net: Net) -> dict[int, State]:
    """The fluents whose next values depend on each other alone, and on which."""
    read = ((f, _read(net, f)) for f in range(len(net.next)))
    known = {f: own for f, own in read if own is not None}
    while True:
        left = {f: own for f, own in known.items() if own <= known.keys()}
        if len(left) == len(known):
            return left
        known = left


def goes_round(steps: Iterable[tuple[int, int]], count: int) -> bool:
    """Whether steps from one role to the next may be of one circle of all roles."""
    after: dict[int, int] = {}
    for first, second in steps:
        if after.setdefault(first, second) != second:
            return False
    if len(set(after.values())) < len(after):
        return False
    for start in after:
        length, place = 1, after[start]
        while place != start and place in after:
            length, place = length + 1, after[place]
        if place == start and length < count:
            return False
    return True
