"""Groups: sets of fluents of which at most one, or exactly one, holds in every reachable state.

Candidates are the fluents of one relation that differ in some of its arguments only. They are
proved by induction, all together (Houdini: Flanagan and Leino, FME 2001): assume all candidates in
a state, ask for a move that breaks one in the next state, drop it, and repeat until there is none.
What remains holds in every reachable state.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ggp.errors import LimitReached
from ggp.ground.net import FALSE, TRUE, Net
from ggp.ground.query import Query
from ggp.rules import signature

MAX_ARGUMENTS = 6

SHARE, MIN_PATIENCE = 0.1, 0.5
"""The part of the time that is left, and the least number of seconds, for one candidate."""

PAIRS = 8
"""The size of a group up to which each pair of its fluents is a question."""

WHOLE = 0.2
"""The part of a net from which on a question is about the whole of it."""


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

    An exact candidate that fails is tried again as "at most one". What the solver cannot decide
    within `seconds` is not proved, and neither is anything that needs it.
    """
    return _Induction(net, wanted, seconds).run()


class _Induction:
    """Candidates, each to be kept by every move from a state in which all of them hold.

    Each is asked about by itself, in a question that holds only what its next value depends on.
    One that fails is dropped, and those that might have relied on it are asked about once more.
    """

    def __init__(self, net: Net, wanted: Iterable[Group], seconds: float) -> None:
        self.net = net
        self.until = time.monotonic() + seconds
        self.seconds = seconds
        self.keep: dict[tuple[int, ...], bool] = {}
        for group in wanted:
            count = len(net.initial.intersection(group.fluents))
            if count == 1 or (count == 0 and not group.exact):
                self.keep[group.fluents] = group.exact or self.keep.get(group.fluents, False)
        self.support = _supports(net)
        self.inputs = {fluents: self._inputs_of(fluents) for fluents in self.keep}
        self.of_fluent: dict[int, list[tuple[int, ...]]] = {}
        for fluents in self.keep:
            for i in fluents:
                self.of_fluent.setdefault(i, []).append(fluents)
        self.whole: _Whole | None = None

    def run(self) -> list[Group]:
        """Ask until nothing is dropped any more."""
        # Those that depend on little come first: they are soon proved, and help with the others.
        queue = dict.fromkeys(sorted(self.keep, key=lambda g: self.inputs[g].bit_count()))
        while queue:
            if time.monotonic() > self.until:
                self._drop(queue)
                break
            fluents = next(iter(queue))
            del queue[fluents]
            if self._is_kept(fluents):
                continue
            if self.keep[fluents]:
                self.keep[fluents] = False
                queue[fluents] = None
            else:
                del self.keep[fluents]
            mask = _mask(fluents)
            queue.update((g, None) for g in self.keep if self.inputs[g] & mask)
        return [Group(fluents, exact) for fluents, exact in self.keep.items()]

    def _drop(self, unsettled: Iterable[tuple[int, ...]]) -> None:
        """Give up what is not settled, and all that may rely on it."""
        gone = set(unsettled)
        while gone:
            mask = 0
            for fluents in gone:
                del self.keep[fluents]
                mask |= _mask(fluents)
            gone = {g for g in self.keep if self.inputs[g] & mask}

    def _inputs_of(self, fluents: tuple[int, ...]) -> int:
        """The fluents and moves that the next values of some fluents depend on."""
        inputs = 0
        for i in fluents:
            inputs |= self.support[abs(self.net.next[i])]
        return inputs

    def _is_kept(self, fluents: tuple[int, ...]) -> bool:
        left = self.until - time.monotonic()
        if left <= 0:
            return False
        patience = max(left * SHARE, MIN_PATIENCE)
        # Without knowing that play goes on the question is smaller, and mostly enough.
        return self._holds(fluents, patience, False) or self._holds(fluents, patience, True)

    def _holds(self, fluents: tuple[int, ...], patience: float, goes_on: bool) -> bool:
        net = self.net
        asked = [net.next[i] for i in fluents] + ([net.terminal] if goes_on else [])
        inputs = 0
        for x in asked:
            inputs |= self.support[abs(x)]
        made = inputs >> len(net.fluents)
        legal = [net.legal[i] for i in _members(made)]
        for x in legal:
            inputs |= self.support[abs(x)]
        nodes = net.cone([*asked, *legal])
        if len(nodes) > WHOLE * net.size:
            self.whole = self.whole or _Whole(net, self.keep, self.until - time.monotonic())
            return self.whole.holds(fluents, self.keep, patience)
        now = _members(inputs & ((1 << len(net.fluents)) - 1))
        assumed = dict.fromkeys(g for i in now for g in self.of_fluent.get(i, ()))
        assumed = {g: None for g in assumed if g in self.keep}
        more = {net.first_fluent + i for g in assumed for i in g}
        query = Query(net, patience, nodes | more, moving=True)
        if goes_on:
            query.require(-net.terminal)
        for g in assumed:
            query.require(-_is_broken(query, self.keep[g], [net.first_fluent + i for i in g]))
        return _is_impossible(query, [], _breaks(query, fluents, self.keep), patience)


class _Whole:
    """The whole net in one question, for candidates that depend on most of it."""

    def __init__(self, net: Net, groups: Iterable[tuple[int, ...]], seconds: float) -> None:
        self.query = Query(net, seconds, moving=True)
        self.query.require(-net.terminal)
        self.nodes: dict[tuple[tuple[int, ...], bool], int] = {}
        for fluents in groups:
            now = [net.first_fluent + i for i in fluents]
            for exact in (False, True):
                self.nodes[fluents, exact] = _is_broken(self.query, exact, now)

    def holds(
        self, fluents: tuple[int, ...], keep: Mapping[tuple[int, ...], bool], patience: float
    ) -> bool:
        """Whether no move breaks the group, all of `keep` holding before it."""
        assumed = [-self.nodes[group] for group in keep.items()]
        cases = _breaks(self.query, fluents, keep)
        return _is_impossible(self.query, assumed, cases, patience)


def _breaks(
    query: Query, fluents: tuple[int, ...], keep: Mapping[tuple[int, ...], bool]
) -> list[list[int]]:
    """All ways in which a move can break a group: literals that would have to hold.

    Two of the fluents, or none. Asked one by one these are much easier than all at once. In large
    groups a fluent and any of the later ones make one question.
    """
    net = query.net
    after = [x for x in (net.next[i] for i in fluents) if x != FALSE]
    cases = [[-x for x in after]] if keep[fluents] else []
    if len(after) <= PAIRS:
        return cases + [list(pair) for pair in combinations(after, 2)]
    now = {net.first_fluent + i for i in fluents}
    if len(set(after)) == len(after) and now.issuperset(after):
        return cases  # each is what another one was: two of them would be two before
    later = after[-1]
    for x in after[-2::-1]:
        cases.append([x, later])
        later = query.add([[x], [later]])
    return cases


def _is_impossible(
    query: Query, assumed: list[int], cases: Iterable[list[int]], seconds: float
) -> bool:
    """Whether none of some cases can be, as far as can be told within `seconds`."""
    until = time.monotonic() + seconds
    try:
        for case in cases:
            if FALSE not in case:
                left = max(0.0, until - time.monotonic())
                literals = [x for x in case if x != TRUE]
                if query.find([*assumed, *literals], [], left) is not None:
                    return False
    except LimitReached:
        return False
    return True


def _supports(net: Net) -> list[int]:
    """For every node the set of inputs that it depends on: bit `i` for fluent or move `i`."""
    support = [0] * (net.size + 1)
    for node in range(net.first_fluent, net.first_gate):
        support[node] = 1 << (node - net.first_fluent)
    for block in net.blocks:
        for _ in range(2 if block.recursive else 1):
            together = 0
            for node in range(block.start, block.stop):
                found = together
                for body in net.bodies(node):
                    for x in body:
                        found |= support[abs(x)]
                support[node] = found
                together = found if block.recursive else 0
    return support


def _mask(fluents: Iterable[int]) -> int:
    """The set of some fluents, a bit for each."""
    mask = 0
    for i in fluents:
        mask |= 1 << i
    return mask


def _members(bits: int) -> list[int]:
    """The places of the bits that are set."""
    text = bin(bits)[:1:-1]
    return [i for i, digit in enumerate(text) if digit == "1"]


def _is_broken(query: Query, exact: bool, literals: list[int]) -> int:
    """A node that holds where not exactly one (or more than one) of the literals does."""
    two = query.at_least(2, literals)
    return two if not exact else query.add([[two], [-query.at_least(1, literals)]])


def find_groups(net: Net, seconds: float = 20.0, samples: Iterable[int] = ()) -> tuple[Group, ...]:
    """Disjoint proved groups, those that save most bits of a state first.

    `samples` are reachable states (bits of fluents); what one of them breaks is not tried, and what
    cannot be proved within `seconds` is no group.
    """
    proved = prove(net, _unbroken(candidates(net), samples), seconds)
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
