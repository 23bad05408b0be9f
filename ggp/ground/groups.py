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
    while keep:
        broken_next = [after for _, after in keep.values()]
        some = query.at_least(1, broken_next)
        assumed = [-now for now, _ in keep.values()]
        model = query.find([*assumed, some], broken_next)
        if model is None:
            break
        keep = {g: nodes for g, nodes in keep.items() if not model[nodes[1]]}
    return [g for g in keep if g.exact or Group(g.fluents, exact=True) not in keep]


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


def find_groups(net: Net, seconds: float = 10.0) -> tuple[Group, ...]:
    """Disjoint proved groups, those that save most bits of a state first.

    Returns no groups where the proof does not finish within `seconds`.
    """
    try:
        proved = prove(net, candidates(net), seconds)
    except LimitReached:
        return ()
    chosen: list[Group] = []
    taken: set[int] = set()
    for group in sorted(proved, key=lambda g: (-_saving(g), g.fluents)):
        if taken.isdisjoint(group.fluents):
            chosen.append(group)
            taken.update(group.fluents)
    return tuple(sorted(chosen, key=lambda g: g.fluents))


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
