"""What has one value in each state: gates of which at most one, or just one, holds.

Such as the number of pieces so far, counted cell by cell. They are found from the inputs up: a
fluent and that it does not hold; the fluents of a group and that none of them does; and gates that
stand for different pairs of one of a known row and one of another. No solver is asked: each proof
is that pairs differ. A solver that is told of them need not find out anew that a sum has one value,
which takes it long (as lemmas of equivalence checkers; Kuehlmann and Krohm, DAC 1997).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ggp.analysis.questions.question import Question
from ggp.circuits.circuit import Builder
from ggp.circuits.lowering import Lowering
from ggp.ground import Group, Net
from ggp.limits import look

MAX_VALUED = 400_000
"""Literals of nets in which what has one value is looked for."""

FEW = 2
"""Gates of a row that questions are not told of."""

MAX_ROWS = 20_000
"""Rows of gates that are looked for."""

MAX_SIZE = 4_000_000
"""Pairs of all rows together."""


@dataclass(frozen=True)
class Row:
    """Literals of a net of which at most one holds; just one, if `exact`."""

    literals: frozenset[int]
    exact: bool


class StateValues:
    """What has one value, of all that ends and goals depend on, for questions to be told of.

    `builder`: of the circuits that these are about. `groups` hold in all states.
    """

    def __init__(self, net: Net, builder: Builder, groups: Sequence[Group]) -> None:
        self._net, self._builder, self._groups = net, builder, groups
        self._told: list[Question] = []

    @cached_property
    def _rows(self) -> list[Row]:
        net = self._net
        roots = [net.terminal, *(x for known in net.goals for _, x in known)]
        return [row for row in rows(net, roots, self._groups) if len(row.literals) > FEW]

    def tell(self, question: Question, fluents: Sequence[int]) -> None:
        """Tell a question, once, what has one value in the state of these fluents."""
        if question in self._told or self._net.literals > MAX_VALUED:
            return
        self._told.append(question)
        lowering = Lowering(self._net, self._builder, fluents)
        for row in self._rows:
            literals = lowering.literals(sorted(row.literals))
            question.require_one(literals, exact=row.exact)


def rows(net: Net, roots: Iterable[int], groups: Iterable[Group]) -> list[Row]:
    """Rows of gates that `roots` depend on, in states with `groups`; each after those it rests on.

    Without those that a solver sees by itself: a literal and its negative, and fluents of a group.
    """
    search = _ValueSearch(net, roots, groups)
    search.run()
    return search.found


class _ValueSearch:
    def __init__(self, net: Net, roots: Iterable[int], groups: Iterable[Group]) -> None:
        self._net = net
        recursive = {node for start, stop in net.recursive for node in range(start, stop)}
        cone = sorted(net.cone(roots))
        self._gates = [g for g in cone if g >= net.first_gate and g not in recursive]
        self._users: dict[int, list[int]] = {}
        for gate in self._gates:
            for literal in {x for body in net.bodies(gate) for x in body}:
                self._users.setdefault(literal, []).append(gate)
        self._all: list[Row] = []
        self._with: dict[int, set[int]] = {}
        """For a literal the rows, by number, that it is in."""
        self._known: set[frozenset[int]] = set()
        self._left = MAX_SIZE
        self.found: list[Row] = []
        for node in cone:
            if net.first_fluent <= node < net.first_move and -node in self._users:
                self._put(Row(frozenset((node, -node)), exact=True))
        self._groups(groups)

    def _groups(self, groups: Iterable[Group]) -> None:
        """Groups, and what holds where none of their fluents, or of some of them, does."""
        first = self._net.first_fluent
        of: dict[int, set[int]] = {}
        for number, group in enumerate(groups):
            own = frozenset(first + f for f in group.fluents)
            for node in own:
                of.setdefault(node, set()).add(number)
            if not self._users.keys().isdisjoint(own):
                self._put(Row(own, group.exact))
        for gate in self._gates:
            [body, *others] = self._net.bodies(gate) or [()]
            lacking = [-x for x in body]
            shared = set.intersection(*(of.get(x, set()) for x in lacking)) if lacking else set()
            if not others and shared:
                row = Row(frozenset((gate, *lacking)), exact=True)
                self._put(row)
                self.found.append(row)

    def _put(self, row: Row) -> None:
        if row.literals not in self._known:
            self._known.add(row.literals)
            for literal in row.literals:
                self._with.setdefault(literal, set()).add(len(self._all))
            self._all.append(row)

    def run(self) -> None:
        """Row after row, until there is none that a new one can rest on."""
        place = 0
        while place < len(self._all) <= MAX_ROWS and self._left > 0:
            look("what has one value")
            self._above(self._all[place])
            place += 1

    def _above(self, row: Row) -> None:
        """Rows of gates each of which stands for pairs of one of `row` and one of another row."""
        of: dict[int, list[int]] = {}
        users = {gate for literal in row.literals for gate in self._users.get(literal, ())}
        for gate in sorted(users):
            for number in self._seconds(gate, row):
                of.setdefault(number, []).append(gate)
        for number, gates in sorted(of.items()):
            other = self._all[number]
            taken: set[tuple[int, int]] = set()
            kept = []
            # What stands for much is a value; what stands for little may be a part of it.
            stands = {gate: self._pairs(gate, row, other) for gate in gates}
            for gate, pairs in sorted(stands.items(), key=lambda item: (-len(item[1]), item[0])):
                if taken.isdisjoint(pairs):
                    taken |= pairs
                    kept.append(gate)
            self._left -= len(taken)
            if len(kept) > 1:
                whole = len(taken) == len(row.literals) * len(other.literals)
                new = Row(frozenset(kept), row.exact and other.exact and whole)
                if new.literals not in self._known:
                    self._put(new)
                    self.found.append(new)

    def _seconds(self, gate: int, row: Row) -> set[int]:
        """The rows that have, in each body of a gate, what is beside its one literal of `row`."""
        common: set[int] | None = None
        for body in self._net.bodies(gate):
            rest = [x for x in body if x not in row.literals]
            if len(body) - len(rest) != 1 or len(rest) > 1:
                return set()
            if rest:
                own = self._with.get(rest[0], set())
                common = set(own) if common is None else common & own
        return common or set()

    def _pairs(self, gate: int, row: Row, other: Row) -> set[tuple[int, int]]:
        """What a gate stands for."""
        found: set[tuple[int, int]] = set()
        for body in self._net.bodies(gate):
            (own,) = (x for x in body if x in row.literals)
            rest = [x for x in body if x != own] or other.literals
            found.update((own, x) for x in rest)
        return found
