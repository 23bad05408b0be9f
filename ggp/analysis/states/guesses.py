"""Sets of states that play is likely never to reach, by the look of the rules."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ggp.ground import Group, Net, candidates
from ggp.rules import signature

Cube = frozenset[int]
"""States: `f + 1` for a fluent that holds in all of them, `-(f + 1)` for one that does not."""

MAX_RELATED = 50_000
"""Pairs of fluents of which it is asked whether they are never reached."""

MIN_COUNTER = 6
"""Values of a counter at least, so that cells of boards are none."""


def related(net: Net, groups: Sequence[Group]) -> list[Cube]:
    """Cubes that are likely to be never reached; whether they are is for a solver to tell.

    Two fluents, each holding or not, of which one has to do with how the other comes about; and no
    fluent of what may be a group. `groups` of states of play are known.
    """
    found: dict[Cube, None] = {}
    first, count = net.first_fluent, len(net.fluents)
    for f, after in enumerate(net.next):
        cone = net.cone([after])
        moves = [
            net.legal[x - net.first_move] for x in cone if net.first_move <= x < net.first_gate
        ]
        for node in sorted(cone | net.cone(moves)):
            other = node - first
            if 0 <= other < count and other != f:
                signs = itertools.product((f + 1, -f - 1), (other + 1, -other - 1))
                found.update(dict.fromkeys(map(frozenset, signs)))
        if len(found) > MAX_RELATED:
            found = {}
            break
    found.update((frozenset(-f - 1 for f in group.fluents), None) for group in candidates(net))
    found.update(dict.fromkeys(_in_step(net, groups)))
    return list(found)


def _in_step(net: Net, groups: Sequence[Group]) -> list[Cube]:
    """Two values of what counts, such as a count of captures that is too high after so many steps.

    Taken for counters: `groups` of states of play that the end or the goals depend on, and those
    that may tell whose turn it is.
    """
    roots = [net.terminal, *(x for known in net.goals for _, x in known)]
    read = {node - net.first_fluent for node in net.cone(roots)}
    kept = [
        own
        for own in dict.fromkeys(group.fluents for group in groups)
        if (len(own) == len(net.roles) and len(net.fluents[own[0]].args) == 1)
        or (len(own) >= MIN_COUNTER and not read.isdisjoint(own) and _is_row(net, own))
    ]
    pairs = [
        frozenset((f + 1, other + 1))
        for one, two in itertools.combinations(kept, 2)
        if not set(one) & set(two)
        for f, other in itertools.product(one, two)
    ]
    return pairs if len(pairs) <= MAX_RELATED else []


def _is_row(net: Net, fluents: Sequence[int]) -> bool:
    """Whether fluents are of one relation and differ in one argument only."""
    if len({signature(net.fluents[f]) for f in fluents}) > 1:
        return False
    columns = zip(*(net.fluents[f].args for f in fluents), strict=True)
    return sum(len(set(column)) > 1 for column in columns) == 1
