"""Groups: sets of fluents of which at most one, or exactly one, holds in every reachable state.

Candidates are the fluents of one relation that differ in some of its arguments only. They are
proved by induction, all together (Houdini: Flanagan and Leino, FME 2001): assume all candidates in
a state, ask for a move that breaks some in the next state, drop those, and repeat until there is
none. What remains holds in every reachable state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ggp.errors import LimitReached
from ggp.ground.net import Net
from ggp.ground.query import Query
from ggp.rules import signature

MAX_ARGUMENTS = 6

JOINT_SHARE = 0.2
"""The part of the time for a proof that is spent on all groups at once."""


@dataclass(frozen=True)
class Group:
    """Indices of fluents, ascending; `exact` if one always holds, else at most one does."""

    fluents: tuple[int, ...]
    exact: bool


def candidates(net: Net) -> list[Group]:
    """Sets of fluents that could be groups: at most one of each holds in the initial state."""
    families: dict[tuple[str, int], list[int]] = {}
    for i, fluent in enumerate(net.fluents):
        families.setdefault(signature(fluent), []).append(i)
    found: dict[tuple[int, ...], None] = {}
    for (_, arity), members in families.items():
        if 0 < arity <= MAX_ARGUMENTS:
            for size in range(1, arity + 1):
                for varying in combinations(range(arity), size):
                    found.update(dict.fromkeys(_split(net, members, varying)))
    return [
        Group(members, exact=len(net.initial.intersection(members)) == 1)
        for members in found
        if len(members) > 1 and len(net.initial.intersection(members)) <= 1
    ]


def _split(net: Net, members: Sequence[int], varying: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """`members` sorted by the arguments that do not vary."""
    parts: dict[tuple[object, ...], list[int]] = {}
    for i in members:
        args = net.fluents[i].args
        key = tuple(arg for j, arg in enumerate(args) if j not in varying)
        parts.setdefault(key, []).append(i)
    return map(tuple, parts.values())


def prove(net: Net, wanted: Iterable[Group], seconds: float) -> list[Group]:
    """Those of `wanted` that hold in every reachable state by induction.

    An exact candidate that fails is tried again as "at most one". Raises `LimitReached` where the
    solver needs more than `seconds`.
    """
    groups = list(dict.fromkeys(wanted))
    groups += [Group(g.fluents, exact=False) for g in groups if g.exact]
    groups = [g for g in groups if _holds_at_first(net, g)]
    query = Query(net, seconds)
    query.require_joint_move()
    keep: dict[Group, tuple[int, int]] = {}
    for group in groups:
        now = [net.first_fluent + i for i in group.fluents]
        after = [net.next[i] for i in group.fluents]
        keep[group] = (_is_broken(query, group, now), _is_broken(query, group, after))
    keep = _inductive(query, keep, seconds * JOINT_SHARE)
    return [g for g in keep if g.exact or Group(g.fluents, exact=True) not in keep]


_Nodes = dict[Group, tuple[int, int]]
"""For each group the nodes that hold where it is broken now, and in the next state."""


def _inductive(query: Query, keep: _Nodes, seconds: float) -> _Nodes:
    """The largest part of `keep` that no move breaks.

    Asks for a break of any group at once, which drops many with one answer. Where that question is
    too hard to finish within `seconds`, each group is asked about by itself, again and again until
    none is dropped any more.
    """
    try:
        while True:
            some = query.at_least(1, [after for _, after in keep.values()])
            broken = _find_broken(query, keep, some, seconds)
            if not broken:
                return keep
            keep = {g: nodes for g, nodes in keep.items() if g not in broken}
    except LimitReached:
        pass
    settled = False
    while not settled:
        settled = True
        for group in list(keep):
            while group in keep and (broken := _find_broken(query, keep, keep[group][1], None)):
                keep = {g: nodes for g, nodes in keep.items() if g not in broken}
                settled = False
    return keep


def _find_broken(
    query: Query, keep: _Nodes, wanted: int, seconds: float | None
) -> frozenset[Group]:
    """Groups that some move breaks at once, `wanted` being a node that must hold; empty if none."""
    assumed = [-now for now, _ in keep.values()]
    after = [node for _, node in keep.values()]
    model = query.find([*assumed, wanted], after, seconds)
    return frozenset(g for g, nodes in keep.items() if model and model[nodes[1]])


def _holds_at_first(net: Net, group: Group) -> bool:
    """Whether the group's promise holds in the initial state, the base of the induction."""
    count = len(net.initial.intersection(group.fluents))
    return count == 1 or (count == 0 and not group.exact)


def _is_broken(query: Query, group: Group, literals: list[int]) -> int:
    """A node that holds where the group's promise does not."""
    two = query.at_least(2, literals)
    if not group.exact:
        return two
    return query.add([[two], [-query.at_least(1, literals)]])


def find_groups(net: Net, seconds: float = 20.0, samples: Iterable[int] = ()) -> tuple[Group, ...]:
    """Disjoint proved groups, those that save most bits of a state first.

    `samples` are reachable states (bits of fluents); what one of them breaks is not tried. Returns
    no groups where the proof does not finish within `seconds`.
    """
    try:
        proved = prove(net, _unbroken(candidates(net), samples), seconds)
    except LimitReached:
        return ()
    chosen: list[Group] = []
    taken: set[int] = set()
    for group in sorted(proved, key=lambda g: (-_saving(g), g.fluents)):
        if taken.isdisjoint(group.fluents):
            chosen.append(group)
            taken.update(group.fluents)
    return tuple(sorted(chosen, key=lambda g: g.fluents))


def _unbroken(groups: Iterable[Group], samples: Iterable[int]) -> list[Group]:
    """The groups that hold in all samples, exact ones perhaps as "at most one" only."""
    states = list(samples)
    found = []
    for group in groups:
        mask = sum(1 << i for i in group.fluents)
        counts = {(state & mask).bit_count() for state in states} or {1}
        if max(counts) <= 1:
            found.append(Group(group.fluents, group.exact and min(counts) == 1))
    return found


def _saving(group: Group) -> int:
    """Bits that coding the group in binary saves."""
    return len(group.fluents) - bits_of(group)


def bits_of(group: Group) -> int:
    """Bits that say which member of the group holds, if any."""
    return (len(group.fluents) - group.exact).bit_length()


def state_bits(net: Net, groups: Iterable[Group]) -> int:
    """Bits of a state whose groups are coded in binary."""
    groups = list(groups)
    return len(net.fluents) - sum(len(g.fluents) - bits_of(g) for g in groups)
