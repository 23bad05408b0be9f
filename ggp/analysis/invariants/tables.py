"""Sums that never change, by tables of all that a move hangs on.

A move on a board looks at two squares and a counter: a few hundred settings, where the rules of the
whole board keep a solver busy. The fluents that it hangs on are taken group by group, each with as
many settings as the group has; the circuits are evaluated for all settings at once, a bit each.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.boards.boards import Circuits
from ggp.analysis.invariants.linear import MAX_FLUENTS, Search, Sums, sums_of
from ggp.analysis.invariants.unchanged import Change, Row, Unchanged
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.ground import Group, disjoint
from ggp.limits import look
from ggp.work import GATES, count_work, work_done

MAX_SETTINGS = 1 << 15
"""Of all groups together, up to which a table is made."""

MAX_SUPPORT = 128
"""Fluents of which there may be a table."""

AT_ONCE = 1_024
"""Settings that are looked at as quickly as one gate is looked up."""


def find_sums_of_kinds(
    circuits: Circuits,
    kinds: Sequence[int],
    groups: Sequence[Group],
    initial: Collection[int],
    seen: Iterable[Change],
    work: float,
    without: Collection[int] = (),
) -> Sums:
    """As `find_sums`, without a solver, and only of sums in which fluents of one kind weigh the
    same. `kinds`: a number for each fluent.

    That a setting does not arise may follow from how much the rest of a board can weigh.
    """
    if len(circuits.inputs) > MAX_FLUENTS:
        return Sums((), ())
    until = work_done() + work
    exact, unchanged = sums_of(circuits.inputs, groups, without)
    first: dict[int, int] = {}
    for f in unchanged.fluents:
        if first.setdefault(kinds[f], f) != f:
            unchanged.add(((first[kinds[f]], 1), (f, -1)))
    for change in seen:
        unchanged.add(change)
    # A square is one thing that a move looks at; all places of one piece are not.
    squares = [g for g in groups if len({kinds[f] for f in g.fluents}) == len(g.fluents)]
    chosen = disjoint(squares)
    taken = {f for g in chosen for f in g.fluents}
    chosen += disjoint(g for g in groups if taken.isdisjoint(g.fluents))
    return _ByTables(circuits, exact, chosen, initial, unchanged, until).run()


@dataclass(frozen=True)
class _GroupPart:
    """Of a group the fluents `own` that a table is about; each holds where `setting` is its place,
    and none of them where it is more."""

    group: Group
    own: tuple[int, ...]
    setting: NDArray[np.int32]


@dataclass(frozen=True)
class MoveTable:
    """For each of some fluents what a move does: +1 where it comes, -1 where it goes.

    `deltas`: for each fluent a column of all settings in which the move may be legal. `parts`:
    what holds before the move in these settings.
    """

    deltas: Mapping[int, NDArray[np.int8]]
    parts: Sequence[_GroupPart]

    def change(self, setting: int) -> Change:
        """What the move does in one setting: fluents with what happens to them."""
        found = ((f, int(column[setting])) for f, column in self.deltas.items())
        return tuple((f, d) for f, d in found if d)


class MoveTables:
    """Tables over the fluents `inputs` of a circuit, of which disjoint `groups` hold."""

    def __init__(
        self, builder: Builder, inputs: Mapping[int, int], groups: Iterable[Group]
    ) -> None:
        self._builder = builder
        self._nodes = {f: x >> 1 for f, x in inputs.items()}
        self._fluents = {n: f for f, n in self._nodes.items()}
        self.group_of = {f: Group((f,), exact=False) for f in inputs}
        self._known: dict[int, frozenset[int] | None] = {0: frozenset()}
        self.group_of |= {f: g for g in groups for f in g.fluents if f in inputs}

    def table(self, changes: Mapping[int, tuple[int, int]], legal: int) -> MoveTable | None:
        """What a move does to fluents that come and go by these literals; None if it hangs on too
        much. Of what makes it `legal` only that is looked at which is about the same groups."""
        asked = [x for pair in changes.values() for x in pair]
        known = [self._support(x >> 1) for x in asked]
        if None in known:
            return None
        support = frozenset[int]().union(*(own for own in known if own))
        settings = self._settings(support)
        if settings is None:
            return None
        values, everywhere, parts = settings
        self._evaluate(asked, values, everywhere)
        possible = everywhere
        for x in self._conjuncts(legal):
            own = self._support(x >> 1)
            if own is not None and own <= support:
                self._evaluate([x], values, everywhere)
                possible &= _value(values, everywhere, x)
        count = everywhere.bit_length()
        where = _column(possible, count).astype(bool)
        deltas = {}
        for f, pair in changes.items():
            count_work(GATES * (2 + count // AT_ONCE))
            comes, goes = (_value(values, everywhere, x) & possible for x in pair)
            deltas[f] = (_column(comes, count) - _column(goes, count))[where]
        return MoveTable(deltas, [_GroupPart(p.group, p.own, p.setting[where]) for p in parts])

    def _support(self, node: int) -> frozenset[int] | None:
        """The fluents that a node depends on; None if they are too many, or other inputs too."""
        first, second, known = self._builder.first, self._builder.second, self._known
        todo = [node]
        while todo:
            at = todo[-1]
            below = (first[at] >> 1, second[at] >> 1) if first[at] != second[at] else ()
            open_ = [n for n in below if n not in known]
            if at not in known and not open_:
                count_work(GATES)
                if below:
                    sets = [known[n] for n in below]
                    union = frozenset[int]().union(*(own for own in sets if own))
                    known[at] = None if None in sets or len(union) > MAX_SUPPORT else union
                else:
                    known[at] = frozenset([self._fluents[at]]) if at in self._fluents else None
            if at in known:
                todo.pop()
            todo += open_
        return known[node]

    def _settings(
        self, fluents: Iterable[int]
    ) -> tuple[dict[int, int], int, list[_GroupPart]] | None:
        """For the node of each fluent the settings in which it holds, as bits; all settings; and
        the groups that they are settings of. None if they are too many."""
        told: dict[Group, list[int]] = {}
        for f in sorted(fluents):
            told.setdefault(self.group_of[f], []).append(f)
        # One more where none of them holds, unless one of them must.
        sizes = [len(own) + (not g.exact or len(own) < len(g.fluents)) for g, own in told.items()]
        total = math.prod(sizes)
        if total > MAX_SETTINGS:
            return None
        values, parts, stride = {}, [], 1
        for (group, own), size in zip(told.items(), sizes, strict=True):
            period = stride * size
            every = ((1 << total) - 1) // ((1 << period) - 1)
            for place, f in enumerate(own):
                values[self._nodes[f]] = every * (((1 << stride) - 1) << place * stride)
            setting = (np.arange(total, dtype=np.int32) // stride) % size
            parts.append(_GroupPart(group, tuple(own), setting))
            stride = period
        return values, (1 << total) - 1, parts

    def _evaluate(self, asked: Iterable[int], values: dict[int, int], everywhere: int) -> None:
        """The settings in which literals hold go to `values`, by node."""
        first, second = self._builder.first, self._builder.second
        work = GATES * (1 + everywhere.bit_length() // AT_ONCE)
        todo = [x >> 1 for x in asked]
        while todo:
            node = todo[-1]
            if node == 0 or node in values:
                todo.pop()
                continue
            a, b = first[node], second[node]
            open_ = [n for n in (a >> 1, b >> 1) if n and n not in values]
            if open_:
                todo += open_
                continue
            count_work(work)
            x, y = _value(values, everywhere, a), _value(values, everywhere, b)
            values[node] = x & y if a < b else x ^ y

    def _conjuncts(self, literal: int) -> list[int]:
        """Literals all of which hold where this one does, by gates that are ANDs."""
        first, second = self._builder.first, self._builder.second
        found, todo = [], [literal]
        while todo:
            x = todo.pop()
            node = x >> 1
            if not x & 1 and first[node] < second[node]:
                todo += (first[node], second[node])
            else:
                found.append(x)
        return found


class _ByTables(Search):
    """Looks each option up in a table."""

    def __init__(
        self,
        circuits: Circuits,
        exact: Sequence[Group],
        groups: Sequence[Group],
        initial: Collection[int],
        unchanged: Unchanged,
        until: float,
    ) -> None:
        super().__init__(circuits, exact, initial, unchanged, until)
        self.tables = MoveTables(circuits.builder, circuits.inputs, groups)
        self._ranges: dict[int, dict[Group, tuple[int, int]]] = {}

    def _pass(self, pending: Collection[int]) -> bool:
        dropped = False
        for i in pending:
            look("sums that never change")
            known = self._look_up(i) if self._has_time else None
            if isinstance(known, frozenset):
                self.used[i] = known
            else:
                self.used.pop(i, None)
                dropped = True
            self.changes.pop(i, None)
        return dropped

    def _look_up(self, i: int) -> frozenset[int] | None:
        """The rows on which rests that an option alters none; None if one was taken out."""
        changes = self._changes(i)
        rows = self.unchanged.touching(changes)
        of = {f for r in rows for f in self.unchanged.rows[r]}
        asked = {f: pair for f, pair in changes.items() if f in of}
        table = self.tables.table(asked, self.options[i].legal)
        if table is None:
            for r in rows:
                self.unchanged.drop(r)
            return None
        used: set[int] = set()
        arise: dict[int, NDArray[np.bool_]] = {}
        for r in rows:
            weights = self.unchanged.rows[r]
            terms = [w * table.deltas[f].astype(np.int64) for f, w in weights.items() if f in asked]
            places = np.flatnonzero(np.sum(terms, axis=0))
            for other in rows:
                if len(places):
                    if other not in arise:
                        arise[other] = self._may_arise(other, table)
                    left = places[arise[other][places]]
                    if len(left) < len(places):
                        used.add(other)
                        places = left
            if len(places):
                self.unchanged.add(table.change(int(places[0])))
                return None
        return frozenset(used)

    def _may_arise(self, number: int, table: MoveTable) -> NDArray[np.bool_]:
        """For each setting whether the sum of a row can be what it is."""
        row = self.unchanged.rows[number]
        value = sum(w for f, w in row.items() if f in self.initial)
        ranges = self._ranges_of(number)
        told = [ranges.get(part.group, (0, 0)) for part in table.parts]
        count = next(len(column) for column in table.deltas.values())
        count_work(GATES * len(told) * (2 + count // AT_ONCE))
        least = np.full(count, sum(low for low, _ in ranges.values()))
        most = np.full(count, sum(high for _, high in ranges.values()))
        for (low, high), part in zip(told, table.parts, strict=True):
            others = [f for f in part.group.fluents if f not in part.own]
            weights = [(row.get(f, 0),) * 2 for f in part.own]
            if others or not part.group.exact:
                weights.append(_range(row, others, exact=part.group.exact))
            own = np.array(weights, np.int64)[part.setting]
            least += own[:, 0] - low
            most += own[:, 1] - high
        return (least <= value) & (value <= most)

    def _ranges_of(self, number: int) -> dict[Group, tuple[int, int]]:
        """For each group that weighs anything in a row how much it can weigh."""
        if number not in self._ranges:
            row = self.unchanged.rows[number]
            groups = dict.fromkeys(self.tables.group_of[f] for f in row)
            self._ranges[number] = {g: _range(row, g.fluents, exact=g.exact) for g in groups}
        return self._ranges[number]


def _range(row: Row, fluents: Iterable[int], *, exact: bool) -> tuple[int, int]:
    """The least and the most that at most one of some fluents weighs, or just one if `exact`."""
    weights = [row.get(f, 0) for f in fluents] + ([] if exact else [0])
    return min(weights), max(weights)


def _value(values: Mapping[int, int], everywhere: int, literal: int) -> int:
    """The settings in which a literal holds."""
    if literal in (FALSE, TRUE):
        return everywhere if literal else 0
    value = values[literal >> 1]
    return value ^ everywhere if literal & 1 else value


def _column(bits: int, count: int) -> NDArray[np.int8]:
    raw = np.frombuffer(bits.to_bytes((count + 7) // 8, "little"), np.uint8)
    return np.unpackbits(raw, count=count, bitorder="little").astype(np.int8)
