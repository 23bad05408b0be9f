"""The layout of a game: boards of cells with layers of contents, piles, single values, lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ggp.kif import Term
from ggp.rules import Signature
from ggp.show.board.families import Family, Row, pick

Cells = dict[Row, tuple[Row, ...]]
"""The contents at each place."""


@dataclass(frozen=True)
class BoardLayer:
    """What one family of fluents puts on a board: the arguments that are a place, in the order of
    the board's axes, and those that are its content. `blank`: the content that is drawn as none."""

    family: Family
    places: tuple[int, ...]
    content: tuple[int, ...]
    blank: Row | None = None

    @property
    def ranked(self) -> list[int]:
        """The axes in an order that is the same where a sheet has arguments in another one."""
        ranked = self.family.ranked
        return sorted(range(len(self.places)), key=lambda axis: ranked.index(self.places[axis]))

    def cells(self, rows: Iterable[Row]) -> Cells:
        """The contents at each place, from arguments of fluents; blank ones are left out."""
        found: Cells = {}
        for row in rows:
            content = pick(row, self.content)
            if content != self.blank or not content:
                key = pick(row, self.places)
                found[key] = (*found.get(key, ()), content)
        return found


@dataclass(frozen=True)
class Board:
    """Places in columns and rows, or wherever they are.

    A place is as many names as there are `axes`, which hold the names of each in order. `column`,
    `row` and `slices` are numbers of axes: the names of `column` go from left to right, those of
    `row` from top to bottom (None: there is but one row), and there is one grid for each of
    the names of `slices`. `lean`: by how many half cells each row lies to the right of the one
    above it. `points`: where places lie that are in no grid; `edges` between them.
    """

    layers: tuple[BoardLayer, ...]
    axes: tuple[tuple[Term, ...], ...]
    keys: frozenset[Row]
    column: int = 0
    row: int | None = None
    slices: tuple[int, ...] = ()
    lean: int = 0
    upright: bool = False
    points: Mapping[Row, tuple[float, float]] = field(default_factory=dict)
    edges: tuple[tuple[Row, Row], ...] = ()

    @property
    def columns(self) -> tuple[Term, ...]:
        """The names of the columns."""
        return self.axes[self.column]

    @property
    def rows(self) -> tuple[Term, ...]:
        """The names of the rows; none where there is but one."""
        return () if self.row is None else self.axes[self.row]

    @cached_property
    def grids(self) -> tuple[Row, ...]:
        """The names of each grid: one without names where there is but one."""
        found: list[Row] = [()]
        for axis in self.slices:
            found = [(*own, name) for own in found for name in self.axes[axis]]
        return tuple(found)

    def key(self, grid: Row, column: Term, row: Term | None) -> Row:
        """The place in a column and a row of a grid."""
        key = [column] * len(self.axes)
        for axis, name in zip(self.slices, grid, strict=True):
            key[axis] = name
        if self.row is not None and row is not None:
            key[self.row] = row
        return tuple(key)

    def rank(self, key: Row) -> tuple[int, ...]:
        """By which places are put in order: as the axes have their names."""
        return tuple(places.get(name, -1) for places, name in zip(self._places, key, strict=True))

    @cached_property
    def numbers(self) -> dict[Row, int]:
        """The number of each place, in this order: all counted from 0."""
        places = sorted({*self.keys, *self.points}, key=self.rank)
        return {key: number for number, key in enumerate(places)}

    @cached_property
    def _places(self) -> list[dict[Term, int]]:
        return [{name: i for i, name in enumerate(axis)} for axis in self.axes]

    def cells(self, rows: Mapping[Signature, Iterable[Row]]) -> list[Cells]:
        """The contents of each layer, from arguments of fluents by their relations."""
        return [layer.cells(rows.get(layer.family.relation, ())) for layer in self.layers]


@dataclass(frozen=True)
class Piles:
    """Places with a number each; `counts` holds all numbers that there are, from the lowest on."""

    layer: BoardLayer
    keys: tuple[Row, ...]
    counts: tuple[Term, ...]

    @cached_property
    def ground(self) -> Board:
        """The places alone, as a board with one row."""
        return Board((self.layer,), (tuple(name for (name,) in self.keys),), frozenset(self.keys))


@dataclass(frozen=True)
class BoardValue:
    """One thing that is so or so; `track` holds what it can be in order, if there is one."""

    family: Family
    track: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Layout:
    """How the states of a game are drawn. `turn`: the family that tells whose turn it is, and by
    which argument."""

    roles: tuple[str, ...]
    families: Mapping[Signature, Family]
    boards: tuple[Board, ...]
    piles: tuple[Piles, ...]
    values: tuple[BoardValue, ...]
    turn: tuple[Signature, int] | None

    @cached_property
    def grounds(self) -> tuple[Board, ...]:
        """All that has places which moves may name: the boards, then the piles."""
        return (*self.boards, *(piles.ground for piles in self.piles))

    @cached_property
    def shown(self) -> frozenset[Signature]:
        """The relations that are drawn, or told as values or as the turn."""
        turn = {self.turn[0]} if self.turn else set()
        return frozenset(self.places) | self.single | turn

    @cached_property
    def single(self) -> frozenset[Signature]:
        """The relations that are told as values."""
        return frozenset(value.family.relation for value in self.values)

    @cached_property
    def places(self) -> dict[Signature, tuple[tuple[int, ...], frozenset[Row]]]:
        """For each relation that is drawn, the arguments that are a place, and all places."""
        found = {
            layer.family.relation: (layer.places, board.keys)
            for board in self.boards
            for layer in board.layers
        }
        for piles in self.piles:
            found[piles.layer.family.relation] = (piles.layer.places, frozenset(piles.keys))
        return found

    def rows(self, facts: Iterable[Term]) -> dict[Signature, list[Row]]:
        """The arguments of the facts of a state by their relations."""
        found: dict[Signature, list[Row]] = {}
        for fact in facts:
            relation = (fact.name, fact.arity)
            family = self.families.get(relation)
            if family is not None and family.fits(fact):
                found.setdefault(relation, []).append(family.row(fact))
        return found
