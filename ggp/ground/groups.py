"""Groups: sets of fluents of which at most one, or exactly one, holds in every reachable state.

Candidates are the fluents of one relation that differ in some of its arguments only. They are
proved by induction, all together (Houdini: Flanagan and Leino, FME 2001): assume all candidates in
a state, ask for a move that breaks one in the next state, drop it, and repeat until there is none.
What remains holds in every reachable state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from ggp.errors import BudgetSpent, LimitReached
from ggp.ground.exclusion import Exclusion
from ggp.ground.net import FALSE, TRUE, Net
from ggp.ground.query import Query
from ggp.limits import look
from ggp.rules import signature
from ggp.work import work_done

MAX_ARGUMENTS = 6
"""Of fluents, up to which each choice of arguments that vary makes candidates; of more all vary."""

SHARE, MIN_PATIENCE = 0.1, 0.5
"""The part of the work that is left, and the least amount, for one candidate."""

PAIRS = 8
"""The size of a group up to which each pair of its fluents is a question."""

WHOLE = 0.2
"""The part of a net from which on a question is about the whole of it."""


MAX_JOINED = 20
"""Pairs of groups that are tried as one."""

MAX_TURN = 16
"""Fluents of what may tell whose turn it is; larger groups take long to prove."""


Fluents = tuple[int, ...]
"""Indices of fluents, ascending."""


@dataclass(frozen=True)
class Group:
    """Some fluents; `exact` if one always holds, else at most one does."""

    fluents: Fluents
    exact: bool

    @cached_property
    def mask(self) -> int:
        """The fluents as bits."""
        return sum(1 << f for f in self.fluents)


def candidates(net: Net) -> list[Group]:
    """Sets of fluents that could be groups: at most one of each holds in the initial state."""
    families: dict[tuple[str, int], list[int]] = {}
    for i, fluent in enumerate(net.fluents):
        families.setdefault(signature(fluent), []).append(i)
    found: dict[tuple[int, ...], None] = {}
    for (_, arity), members in families.items():
        if arity > 0:
            for size in range(1 if arity <= MAX_ARGUMENTS else arity, arity + 1):
                for varying in combinations(range(arity), size):
                    found.update(dict.fromkeys(_split(net, members, varying)))
    return [
        Group(members, exact=len(net.initial.intersection(members)) == 1)
        for members in found
        if len(members) > 1 and len(net.initial.intersection(members)) <= 1
    ]


def lasting(net: Net) -> list[Group]:
    """Fluents that hold at the start and hold again wherever they held, each as an exact group."""
    found = []
    for i in sorted(net.initial):
        node, after = net.first_fluent + i, net.next[i]
        if after in (node, TRUE) or (after > 0 and (node,) in net.bodies(after)):
            found.append(Group((i,), exact=True))
    return found


def _split(net: Net, members: Sequence[int], varying: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """`members` sorted by the arguments that do not vary."""
    parts: dict[tuple[object, ...], list[int]] = {}
    for i in members:
        args = net.fluents[i].args
        key = tuple(arg for j, arg in enumerate(args) if j not in varying)
        parts.setdefault(key, []).append(i)
    return map(tuple, parts.values())


def prove(net: Net, wanted: Iterable[Group], work: float) -> list[Group]:
    """Those of `wanted` that hold in every reachable state by induction.

    An exact candidate that fails is tried again as "at most one". What the solver cannot decide
    within so much `work` is not proved, and neither is anything that needs it.
    """
    return _Induction(net, wanted, work).run()


class Proved:
    """Those of `wanted` that hold in every reachable state by induction: `all`; within `work`."""

    def __init__(self, net: Net, wanted: Iterable[Group], work: float) -> None:
        self._induction = _Induction(net, wanted, work)
        self.all = self._induction.run()

    @property
    def few(self) -> list[Group]:
        """Disjoint groups that save most, and those that their proofs rest on."""
        return self.resting_on(disjoint(self.all))

    def resting_on(self, groups: Iterable[Group]) -> list[Group]:
        """Some of the groups, with all that their proofs rest on."""
        return self._induction.resting_on(group.fluents for group in groups)


def prove_by_others(
    net: Net, group: Group, others: Iterable[Group], work: float
) -> tuple[Group, ...] | None:
    """Those of `others` that a proof of an exact group rests on; None without a proof."""
    induction = _Induction(net, [group, *others], work)
    if group not in induction.run():
        return None
    return tuple(g for g in induction.resting_on([group.fluents]) if g != group)


class _Induction:
    """Candidates, each to be kept by every move from a state in which all of them hold.

    Each is asked about by itself, in a question that holds only what its next value depends on.
    One that fails is dropped, and those whose proofs relied on it are asked about once more.
    """

    def __init__(self, net: Net, wanted: Iterable[Group], work: float) -> None:
        self.net = net
        self.until = work_done() + work
        self.keep: dict[Fluents, bool] = {}
        for group in wanted:
            count = len(net.initial.intersection(group.fluents))
            if count == 1 or (count == 0 and not group.exact):
                self.keep[group.fluents] = group.exact or self.keep.get(group.fluents, False)
        self.relied: dict[Fluents, frozenset[Fluents]] = {}
        self.of_fluent: dict[int, list[Fluents]] = {}
        for fluents in self.keep:
            for i in fluents:
                self.of_fluent.setdefault(i, []).append(fluents)
        self.exclusion = Exclusion(net, self.of_fluent, self.keep)
        self.whole: _Question | None = None

    def run(self) -> list[Group]:
        """Ask until nothing is dropped any more."""
        # Those that depend on little come first: they are soon proved, and help with the others.
        queue = dict.fromkeys(sorted(self.keep, key=self._alternatives))
        while queue:
            look("groups of fluents")
            if work_done() >= self.until:
                self._drop(queue)
                break
            fluents = next(iter(queue))
            del queue[fluents]
            relied = self._relies_on(fluents)
            if relied is not None:
                self.relied[fluents] = relied
            elif self.keep[fluents]:
                self.keep[fluents] = False
                queue.update(dict.fromkeys([fluents, *self._relying_on({fluents})]))
            else:
                del self.keep[fluents]
                queue.update(dict.fromkeys(self._relying_on({fluents})))
        return [Group(fluents, exact) for fluents, exact in self.keep.items()]

    def resting_on(self, groups: Iterable[Fluents]) -> list[Group]:
        """Some of the groups that were proved, with all that their proofs rest on."""
        found = set(groups)
        todo = list(found)
        while todo:
            new = self.relied[todo.pop()] - found
            found |= new
            todo += new
        return [Group(fluents, self.keep[fluents]) for fluents in sorted(found)]

    def _alternatives(self, fluents: Fluents) -> int:
        """In how many ways the fluents can hold in the next state."""
        return sum(len(self.net.bodies(abs(self.net.next[i]))) for i in fluents)

    def _relying_on(self, dropped: Collection[Fluents]) -> list[Fluents]:
        """The groups whose proofs used one of those that were dropped."""
        return [g for g in self.keep if not self.relied.get(g, frozenset()).isdisjoint(dropped)]

    def _drop(self, unsettled: Iterable[Fluents]) -> None:
        """Give up what is not settled, and all that relied on it."""
        gone = list(unsettled)
        while gone:
            for fluents in gone:
                del self.keep[fluents]
            gone = self._relying_on(set(gone))

    def _relies_on(self, fluents: Fluents) -> frozenset[Fluents] | None:
        """The groups that a proof of this one uses; None where it cannot be proved."""
        wider = None if self.keep[fluents] else self._wider(fluents)
        if wider is not None:
            return frozenset([wider])
        plain = self.exclusion.rests_on(fluents)
        if plain is not None and not self.keep[fluents]:
            return plain
        if plain is None and len(self.net.fluents[fluents[0]].args) > MAX_ARGUMENTS:
            return None  # too large for the solver
        left = max(0.0, self.until - work_done())
        patience = max(left * SHARE, MIN_PATIENCE)
        # Without knowing that play goes on the question is smaller, and mostly enough.
        for goes_on in (False, True):
            question = self._question(fluents, patience, goes_on)
            found = question.prove(fluents, self.keep, patience, apart=plain is not None)
            if found is not None:
                return found | (plain or frozenset())
        return None

    def _wider(self, fluents: Fluents) -> Fluents | None:
        """A group that holds more fluents than these, and all of them."""
        of = (g for g in self.of_fluent[fluents[0]] if len(g) > len(fluents) and g in self.keep)
        return next((g for g in of if set(fluents).issubset(g)), None)

    def _question(self, fluents: Fluents, patience: float, goes_on: bool) -> _Question:
        """All that the next value of a group depends on; the whole net where that is much of it."""
        net = self.net
        asked = [net.next[i] for i in fluents] + ([net.terminal] if goes_on else [])
        moves = range(net.first_move, net.first_gate)
        legal = [net.legal[n - net.first_move] for n in net.cone(asked) if n in moves]
        nodes = net.cone([*asked, *legal])
        if len(nodes) > WHOLE * net.size:
            if self.whole is None:
                left = max(0.0, self.until - work_done())
                self.whole = _Question(net, self.keep, left, None, goes_on=True)
            return self.whole
        now = [n - net.first_fluent for n in nodes if net.first_fluent <= n < net.first_move]
        assumed = dict.fromkeys(g for i in now for g in self.of_fluent.get(i, ()) if g in self.keep)
        more = {net.first_fluent + i for g in assumed for i in g}
        return _Question(net, assumed, patience, nodes | more, goes_on=goes_on)


class _Question:
    """Whether a move can break a group, for groups that may be assumed before the move."""

    def __init__(
        self,
        net: Net,
        groups: Iterable[Fluents],
        work: float,
        nodes: frozenset[int] | None,
        *,
        goes_on: bool,
    ) -> None:
        self.query = Query(net, work, nodes, moving=True)
        if goes_on:
            self.query.require(-net.terminal)
        self.nodes: dict[tuple[Fluents, bool], int] = {}
        for fluents in groups:
            now = [net.first_fluent + i for i in fluents]
            for exact in (False, True):
                self.nodes[fluents, exact] = self.query.group(now, exact=exact)

    def prove(
        self, fluents: Fluents, keep: Mapping[Fluents, bool], work: float, *, apart: bool
    ) -> frozenset[Fluents] | None:
        """The groups of `keep` that a proof uses; None where `work` is too little for one.

        `apart`: two of the fluents are known to exclude each other.
        """
        assumed = {node: g for (g, exact), node in self.nodes.items() if keep.get(g) == exact}
        until = work_done() + work
        used: set[Fluents] = set()
        try:
            for case in _breaks(self.query, fluents, exact=keep[fluents], apart=apart):
                if FALSE not in case:
                    literals = [x for x in case if x != TRUE]
                    left = max(0.0, until - work_done())
                    core = self.query.refute([*assumed, *literals], left)
                    if core is None:
                        return None
                    used.update(assumed[x] for x in core if x in assumed)
        except BudgetSpent:
            raise
        except LimitReached:
            return None
        return frozenset(used)


def _breaks(query: Query, fluents: Fluents, *, exact: bool, apart: bool) -> list[list[int]]:
    """All ways in which a move can break a group: literals that would have to hold.

    Two of the fluents, unless they are `apart`, or none. Asked one by one these are much easier
    than all at once. In large groups a fluent and any of the later ones make one question.
    """
    net = query.net
    after = [x for x in (net.next[i] for i in fluents) if x != FALSE]
    cases = [[-x for x in after]] if exact else []
    if apart:
        return cases
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


def find_groups(net: Net, work: float = 20.0, samples: Iterable[int] = ()) -> tuple[Group, ...]:
    """Disjoint proved groups, those that save most bits of a state first.

    `samples` are reachable states (bits of fluents); what one of them breaks is not tried, and what
    cannot be proved within so much `work` is no group.
    """
    return tuple(disjoint(prove(net, unbroken(candidates(net), samples), work)))


def disjoint(groups: Iterable[Group]) -> list[Group]:
    """Of groups that share fluents those that save most bits of a state; in order."""
    chosen: list[Group] = []
    taken: set[int] = set()
    for group in sorted(groups, key=lambda g: (-_saving(g), g.fluents)):
        if taken.isdisjoint(group.fluents):
            chosen.append(group)
            taken.update(group.fluents)
    return sorted(chosen, key=lambda g: g.fluents)


def unbroken(groups: Iterable[Group], samples: Iterable[int]) -> list[Group]:
    """The groups that hold in all samples, exact ones perhaps as "at most one" only."""
    states = list(samples)
    found = []
    for group in groups:
        mask = sum(1 << i for i in group.fluents)
        counts = {(state & mask).bit_count() for state in states} or {1}
        if max(counts) <= 1:
            found.append(Group(group.fluents, group.exact and min(counts) == 1))
    return found


def joined(net: Net, groups: Iterable[Group], samples: Sequence[int]) -> list[Group]:
    """Pairs of groups, and of a group and a fluent, that are exact only together, in all samples:
    a turn that is a step of the opening first, and then a player's. They name all roles."""
    everywhere = (1 << len(samples)) - 1
    held: dict[Fluents, int] = {}
    for group in groups:
        mask = sum(1 << i for i in group.fluents)
        places = sum(1 << at for at, state in enumerate(samples) if state & mask)
        if not group.exact and 0 < places < everywhere:
            held[group.fluents] = places
    fluents = {i for found in held for i in found}
    for i in fluents:
        held.setdefault((i,), sum(1 << at for at, state in enumerate(samples) if state >> i & 1))
    of: dict[int, list[Fluents]] = {}
    for found, places in held.items():
        of.setdefault(places, []).append(found)
    pairs = {
        tuple(sorted({*one, *other}))
        for one, places in held.items()
        for other in of.get(everywhere ^ places, ())
    }
    told = [p for p in sorted(pairs) if len(p) <= MAX_TURN and names_roles(net, p)]
    return [Group(pair, exact=True) for pair in told[:MAX_JOINED]]


def names_roles(net: Net, fluents: Fluents) -> bool:
    """Whether each role is an argument of one of the fluents."""
    return set(net.roles) <= {argument for i in fluents for argument in net.fluents[i].args}


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
