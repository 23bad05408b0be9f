"""Weights of fluents whose sum none of some changes alters: a null space, in integers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from itertools import count

from ggp.ground import Group

MAX_WEIGHT = 10_000
"""A sum with a larger weight is dropped."""

Row = Mapping[int, int]
"""Weights of fluents by index, none of them zero."""

Change = tuple[tuple[int, int], ...]
"""What a move did: fluents (by index) with +1 if they came, -1 if they went."""


class Unchanged:
    """All sums of some fluents that no change so far has altered: a basis of their weights.

    A row that is altered gets a new number, so that what was proved of a number stays proved.
    `rows`: the weights by number. Changes of other fluents alter nothing.
    """

    def __init__(self, fluents: Iterable[int]) -> None:
        self._number = count()
        self.rows: dict[int, Row] = {}
        self._of: dict[int, set[int]] = {f: set() for f in fluents}
        for f in self._of:
            self._put({f: 1})

    @property
    def fluents(self) -> Collection[int]:
        """The fluents that sums may be of."""
        return self._of.keys()

    def touching(self, fluents: Iterable[int]) -> list[int]:
        """The rows with weights for some of these fluents, shortest first."""
        found = set().union(*(self._of.get(f, ()) for f in fluents))
        return sorted(found, key=lambda r: (len(self.rows[r]), r))

    def add(self, change: Change) -> None:
        """Combine the rows that a change alters, so that it alters none."""
        altered: dict[int, int] = {}
        for f, d in change:
            for r in self._of.get(f, ()):
                altered[r] = altered.get(r, 0) + d * self.rows[r][f]
        altered = {r: by for r, by in altered.items() if by}
        if not altered:
            return
        pivot = min(altered, key=lambda r: (len(self.rows[r]), abs(altered[r]), r))
        base, step = self.drop(pivot), altered.pop(pivot)
        for r, by in sorted(altered.items()):
            divisor = math.gcd(step, by)
            self._put(_mixed(step // divisor, self.drop(r), -by // divisor, base))

    def drop(self, number: int) -> Row:
        """Forget a row; gives it."""
        row = self.rows.pop(number)
        for f in row:
            self._of[f].discard(number)
        return row

    def _put(self, row: Row) -> None:
        divisor = math.gcd(*row.values()) or 1
        if row and max(map(abs, row.values())) <= MAX_WEIGHT * divisor:
            number = next(self._number)
            self.rows[number] = {f: w // divisor for f, w in row.items()}
            for f in row:
                self._of[f].add(number)


def determined(groups: Iterable[Group]) -> set[int]:
    """Fluents whose value follows from exact groups and the other fluents.

    One of each group, by elimination, unless the groups before it say what this one does.
    """
    rows: list[tuple[int, Row]] = []
    for group in groups:
        row: Row = dict.fromkeys(group.fluents, 1)
        for pivot, base in rows:
            row = _mixed(1, row, -row.get(pivot, 0), base)
        units = [f for f, w in row.items() if abs(w) == 1]
        if units:
            pivot = min(units)
            rows.append((pivot, _mixed(row[pivot], row, 0, {})))
    return {pivot for pivot, _ in rows}


def _mixed(a: int, first: Row, b: int, second: Row) -> Row:
    """`a` times one row and `b` times another."""
    found = {f: a * first.get(f, 0) + b * second.get(f, 0) for f in first.keys() | second.keys()}
    return {f: w for f, w in found.items() if w}
