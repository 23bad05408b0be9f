"""Whether two layouts are one, up to what no rule decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.kif import Term
from ggp.rules import Signature, signature
from ggp.show.board import DrawingPlan
from ggp.show.board.model import Board, BoardLayer, Layout
from ggp.show.board.orders import Orders
from ggp.show.board.samples import Samples
from tests.show.board.disguise import Disguise


class Likeness:
    """Compares the plan of a game with that of the game in other words.

    What may differ is what has no reason in the rules:

    * the order of names that neither numerals nor a chain order;
    * the direction of a chain, which nothing but the order of its relation's arguments tells,
      unless things fall, or the pieces of two roles begin apart, along it;
    * which of two axes of a grid, equally long, is the vertical one, with the same exception;
    * which of several axes with the same names leads from grid to grid;
    * which of two boards is the first;
    * at which end a chain is cut that has more names than are needed;
    * whether there are letters or discs on the places, and which letters.
    """

    def __init__(self, disguise: Disguise, orders: Orders, samples: Samples) -> None:
        self._to = disguise
        self._orders = orders
        facts = (fact for state in samples.states for fact in state)
        self._facts = {signature(fact): fact for fact in facts}
        legal = (move for own in samples.legal.values() for moves in own for move in moves)
        self._moves = {signature(move): move for move in legal}

    def check(self, one: DrawingPlan, other: DrawingPlan) -> None:
        """Fails unless the second plan is the first in other words."""
        a, b = one.layout, other.layout
        assert {self._to.relation(r) for r in a.shown} == b.shown
        assert self._turn(one) == b.turn
        pairs = self._boards(one, other)
        for i, j in pairs.items():
            self._check_board(one, i, other, j)
        self._check_piles(one, other)
        tracks = {v.family.relation: v.track for v in b.values}
        assert len(tracks) == len(a.values)
        for value in a.values:
            self._same_order(value.track, tracks[self._to.relation(value.family.relation)])
        self._check_clicks(one, other, pairs)

    def _turn(self, plan: DrawingPlan) -> tuple[Signature, int] | None:
        if plan.layout.turn is None:
            return None
        relation, at = plan.layout.turn
        return self._to.relation(relation), self._argument(plan, relation, at)

    def _argument(self, plan: DrawingPlan, relation: Signature, at: int) -> int:
        """The number of an argument of a family in the other game."""
        family = plan.layout.families[relation]
        ways = [self._to.path(self._facts[relation], path) for path in family.paths]
        return sorted(ways).index(ways[at])

    def _boards(self, one: DrawingPlan, other: DrawingPlan) -> dict[int, int]:
        mine = [{self._to.relation(r) for r in _relations(b)} for b in one.layout.boards]
        theirs = [_relations(b) for b in other.layout.boards]
        assert len(mine) == len(theirs)
        return {i: theirs.index(own) for i, own in enumerate(mine)}

    def _axes(self, one: DrawingPlan, board: Board, twin: Board) -> list[int]:
        """For each axis of a board the number of its twin's."""
        found = set()
        for layer in board.layers:
            match = _of(twin, self._to.relation(layer.family.relation))
            places = [self._argument(one, layer.family.relation, at) for at in (*layer.places,)]
            found.add(tuple(match.places.index(at) for at in places))
        (axes,) = found
        return list(axes)

    def _check_board(self, one: DrawingPlan, i: int, other: DrawingPlan, j: int) -> None:
        board, twin = one.layout.boards[i], other.layout.boards[j]
        axes = self._axes(one, board, twin)
        keys = {self._key(key, axes) for key in board.keys}
        assert keys == twin.keys
        flips = [
            self._same_order(own, twin.axes[at], fixed=board.upright and k == board.row)
            for k, (own, at) in enumerate(zip(board.axes, axes, strict=True))
        ]
        assert board.upright == twin.upright
        if {axes[k] for k in board.slices} == set(twin.slices):
            self._check_direction(board, twin, axes)
        else:
            assert len(board.axes) == 3
            names = [set(map(self._to.term, board.axes[k])) for k in board.slices]
            assert names == [set(twin.axes[k]) for k in twin.slices]
        flipped = sum(flip for flip in flips if flip)
        assert board.lean * (-1) ** flipped == twin.lean
        assert {self._key(key, axes) for key in board.points} == set(twin.points)
        assert {frozenset(self._key(k, axes) for k in edge) for edge in board.edges} == set(
            map(frozenset, twin.edges)
        )
        self._check_contents(one, i, other, j)

    def _check_direction(self, board: Board, twin: Board, axes: Sequence[int]) -> None:
        if board.row is None:
            assert twin.row is None
            return
        direct = (axes[board.column], axes[board.row]) == (twin.column, twin.row)
        square = len(board.columns) == len(board.rows)
        assert direct or (square and not board.upright)

    def _key(self, key: Sequence[Term], axes: Sequence[int]) -> tuple[Term, ...]:
        found = [key[0]] * len(key)
        for name, at in zip(key, axes, strict=True):
            found[at] = self._to.term(name)
        return tuple(found)

    def _same_order(
        self, one: Sequence[Term], other: Sequence[Term], *, fixed: bool = False
    ) -> bool | None:
        """Whether names run the other way, None where nothing orders them."""
        own = tuple(map(self._to.term, one))
        assert set(own) == set(other)
        assert len(own) == len(other)
        if not self._orders.has_order(one):
            return None
        assert tuple(other) in (own, own[::-1])
        kept = all(name.name.isdecimal() for name in other)
        assert tuple(other) == own or not (fixed or kept)
        return tuple(other) != own

    def _check_contents(self, one: DrawingPlan, i: int, other: DrawingPlan, j: int) -> None:
        board, twin = one.layout.boards[i], other.layout.boards[j]
        at = {}
        for number, layer in enumerate(board.layers):
            relation = self._to.relation(layer.family.relation)
            match = _of(twin, relation)
            at[number] = twin.layers.index(match)
            blank = None if layer.blank is None else self._content(one, layer, layer.blank, match)
            assert blank == match.blank
        mine = {
            (at[n], self._content(one, board.layers[n], c, twin.layers[at[n]])): mark.owner
            for (n, c), mark in one.marks[i].items()
        }
        assert mine == {content: mark.owner for content, mark in other.marks[j].items()}

    def _content(
        self, plan: DrawingPlan, layer: BoardLayer, content: Sequence[Term], match: BoardLayer
    ) -> tuple[Term, ...]:
        relation = layer.family.relation
        where = [self._argument(plan, relation, i) for i in layer.content]
        by_argument = dict(zip(where, map(self._to.term, content), strict=True))
        return tuple(by_argument[i] for i in match.content)

    def _check_piles(self, one: DrawingPlan, other: DrawingPlan) -> None:
        theirs = {p.layer.family.relation: p for p in other.layout.piles}
        assert len(theirs) == len(one.layout.piles)
        for piles in one.layout.piles:
            match = theirs[self._to.relation(piles.layer.family.relation)]
            self._same_order([key[0] for key in piles.keys], [key[0] for key in match.keys])
            if all(count.name.isdecimal() for count in match.counts):
                self._same_order(piles.counts, match.counts)
            counts = match.layer.family.domains[match.layer.content[0]]
            assert counts <= set(match.counts)

    def _pairs_of_piles(self, one: Layout, other: Layout) -> dict[int, int]:
        theirs = [piles.layer.family.relation for piles in other.piles]
        return {
            len(one.boards) + i: len(other.boards)
            + theirs.index(self._to.relation(piles.layer.family.relation))
            for i, piles in enumerate(one.piles)
        }

    def _check_clicks(self, one: DrawingPlan, other: DrawingPlan, pairs: Mapping[int, int]) -> None:
        found = {}
        pairs = {**pairs, **self._pairs_of_piles(one.layout, other.layout)}
        for relation, clicks in one.clicks.items():
            move = self._moves[relation]
            own = []
            for click in clicks:
                twin = other.layout.grounds[pairs[click.board]]
                axes = self._axes(one, one.layout.grounds[click.board], twin)
                ways = [None if p is None else self._to.path(move, p) for p in click.paths]
                paths = [None] * len(ways)
                for way, at in zip(ways, axes, strict=True):
                    paths[at] = way
                own.append((pairs[click.board], tuple(paths)))
            found[self._to.relation(relation)] = sorted(own, key=lambda click: click[0])
        theirs = {
            relation: [(click.board, click.paths) for click in clicks]
            for relation, clicks in other.clicks.items()
        }
        assert found == theirs


def _relations(board: Board) -> set[Signature]:
    return {layer.family.relation for layer in board.layers}


def _of(board: Board, relation: Signature) -> BoardLayer:
    return next(layer for layer in board.layers if layer.family.relation == relation)
