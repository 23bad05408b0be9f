"""Which families lie on which board: those whose places the rules make the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from ggp.kif import Term
from ggp.rules import Signature
from ggp.show.board.families import MAX_LEAVES, Family, Reading, Row, pick, readings
from ggp.show.board.links import Links
from ggp.show.board.model import BoardLayer, BoardValue, Piles
from ggp.show.board.orders import Orders

STRONG = 5.5
"""The score of a reading as a grid from which on it makes a board of its own."""

MAX_TRACK = 1_000
"""Values of a track."""


@dataclass
class Draft:
    """A board in the making: the values of each axis, the layers, all places.

    `exact`: some layer has a content at each place in every state. `weight`: that of its first
    reading.
    """

    weight: tuple[int, ...]
    axes: list[set[Term]]
    layers: list[BoardLayer]
    keys: set[Row]
    exact: bool

    @property
    def size(self) -> int:
        """How many axes there are."""
        return len(self.axes)


@dataclass
class Placed:
    """Where the families went; those that are nowhere are shown as a list."""

    boards: list[Draft] = field(default_factory=list)
    piles: list[Piles] = field(default_factory=list)
    values: list[BoardValue] = field(default_factory=list)
    done: set[Signature] = field(default_factory=set)


def placed(families: Sequence[Family], orders: Orders, links: Links) -> Placed:
    """Boards, piles and values of some families."""
    found = Placed()
    best = [_best(own, links) for own in (readings(f, orders) for f in families) if own]
    best.sort(key=_weight)
    grids = [r for r in best if len(r.places) > 1 and r.score >= STRONG]
    for reading in grids:
        _lay(reading, reading.places, found, links, new=reading.family.most > 1)
    for family in families:
        if 1 < family.size <= MAX_LEAVES and family.relation not in found.done:
            _try(family, found, links)
    for reading in best:
        if len(reading.places) == 1 and reading.family.relation not in found.done:
            _row(reading, found, orders, links)
    _drop_loose_rows(found, orders)
    if not (found.boards or found.piles):
        # One thing that moves about makes a board where there is no other.
        for reading in grids:
            _lay(reading, reading.places, found, links, new=True)
    # Of boards alike the one that the text has first.
    found.boards.sort(
        key=lambda b: (b.size == 1, b.weight, orders.first(b.layers[0].family.relation))
    )
    for reading in best:
        if not reading.places and reading.family.relation not in found.done:
            found.values.append(_value(reading.family, orders))
            found.done.add(reading.family.relation)
    return found


def _weight(reading: Reading) -> tuple[int, ...]:
    """By which readings are laid: full boards first, of these large ones, of few kinds."""
    return (not reading.exact, -len(reading.keys), reading.kinds < 2, reading.kinds)


def _best(found: Sequence[Reading], links: Links) -> Reading:
    """The first of some readings, of equals the one whose places moves name."""
    equals = [reading for reading in found if reading.score == found[0].score]
    return max(
        equals, key=lambda r: links.named((r.family.relation, r.family.paths[i]) for i in r.places)
    )


def _value(family: Family, orders: Orders) -> BoardValue:
    if family.size != 1 or not orders.has_order(family.domains[0]):
        return BoardValue(family)
    own = family.domains[0]
    return BoardValue(family, orders.ordered(own) if len(own) <= MAX_TRACK else ())


def _lay(
    reading: Reading, places: tuple[int, ...], found: Placed, links: Links, *, new: bool
) -> bool:
    """Put a family on the board that the rules connect it with most, or on a new one."""
    family = reading.family
    choices = [
        (-_votes(family, order, board, links), number, _ranked(family, order, board), order)
        for number, board in enumerate(found.boards)
        if board.size == len(places)
        for order in permutations(places)
        if _fits(family, order, board)
    ]
    votes, number, _, order = min(choices, default=(0, 0, [], places))
    board = found.boards[number] if votes else None
    if board and _is_twin(reading, order, board):
        board = None
    if board and not reading.exact and _is_maze(family, order, board):
        return False
    if board:
        for axis, i in zip(board.axes, order, strict=True):
            axis |= {key[order.index(i)] for key in _keys(reading, order)}
        board.keys |= _keys(reading, order)
        board.exact |= reading.exact
        board.layers.append(_layer(family, order))
    elif new:
        keys = _keys(reading, places)
        axes = [{key[i] for key in keys} for i in range(len(places))]
        layers = [_layer(family, places)]
        found.boards.append(Draft(_weight(reading), axes, layers, keys, reading.exact))
    else:
        return False
    found.done.add(family.relation)
    return True


def _ranked(family: Family, order: Sequence[int], board: Draft) -> list[int]:
    """Decides, where nothing else does, which argument goes along which axis."""
    return [family.ranked.index(order[axis]) for axis in board.layers[0].ranked]


def _keys(reading: Reading, order: Sequence[int]) -> set[Row]:
    family = reading.family
    if reading.exact:
        return {pick(row, order) for row in family.rows[0]}
    return set(family.keys(order))


def _layer(family: Family, order: tuple[int, ...]) -> BoardLayer:
    return BoardLayer(family, order, tuple(i for i in range(family.size) if i not in order))


def _votes(family: Family, order: Sequence[int], board: Draft, links: Links) -> int:
    """How many rules say that the places of a family are those of a board; each axis must be."""
    totals = [
        [
            links.between(
                (family.relation, family.paths[i]),
                (layer.family.relation, layer.family.paths[layer.places[axis]]),
            )
            for layer in board.layers
        ]
        for axis, i in enumerate(order)
    ]
    return sum(map(sum, totals)) if all(map(any, totals)) else 0


def _fits(family: Family, order: Sequence[int], board: Draft) -> bool:
    """Whether half of the values of each argument, or of each axis, are the other's."""
    pairs = [(family.domains[i], axis) for i, axis in zip(order, board.axes, strict=True)]
    return all(2 * len(own & axis) >= min(len(own), len(axis)) > 0 for own, axis in pairs)


def _is_maze(family: Family, order: Sequence[int], board: Draft) -> bool:
    """Whether the content of a family names places, too: no drawing of cells shows such things."""
    rest = [family.domains[i] for i in range(family.size) if i not in order]
    whole: set[Term] = set().union(*board.axes)
    several = sum(len(own) > 2 and own <= whole for own in rest) > 1
    places = max(len(board.keys), len(family.keys(order)))
    return several or any(len(own) > max(8, places // 3) for own in rest)


def _is_twin(reading: Reading, order: Sequence[int], board: Draft) -> bool:
    """Whether a board has another layer that is as full and has the same contents."""
    own = _contents(_layer(reading.family, tuple(order)))
    return bool(own) and any(
        layer.family.is_exact(layer.places) == reading.exact and _contents(layer) == own
        for layer in board.layers
    )


def _contents(layer: BoardLayer) -> set[Row]:
    return {pick(row, layer.content) for row in layer.family.known} if layer.content else set()


def _try(family: Family, found: Placed, links: Links) -> None:
    """Put a family on a board by any of its arguments, where the rules connect them with it."""
    for board in sorted(found.boards, key=lambda board: -len(board.keys)):
        orders = permutations(range(family.size), board.size)
        for order in sorted(orders, key=lambda own: _ranked(family, own, board)):
            inside = all(family.domains[i] <= a for i, a in zip(order, board.axes, strict=True))
            if inside and not _is_maze(family, order, board):
                reading = Reading(family, order, exact=False, score=0)
                if _lay(reading, tuple(sorted(order)), found, links, new=False):
                    return


def _row(reading: Reading, found: Placed, orders: Orders, links: Links) -> None:
    """Piles, or a board of one row."""
    family = reading.family
    if _lay(reading, reading.places, found, links, new=False):
        return
    if len(reading.content) == 1 and reading.exact:
        counts = family.domains[reading.content[0]]
        if orders.has_order(counts):
            layer = _layer(family, reading.places)
            names = orders.ordered(reading.axes[0])
            found.piles.append(Piles(layer, tuple((n,) for n in names), orders.all_up_to(counts)))
            found.done.add(family.relation)
            return
    if family.most > 1 or len(reading.keys) > 2:
        _lay(reading, reading.places, found, links, new=True)


def _drop_loose_rows(found: Placed, orders: Orders) -> None:
    """Rows in which most places have nothing to show are lists."""
    loose = [board for board in found.boards if board.size == 1 and not _is_covered(board, orders)]
    for board in loose:
        found.boards.remove(board)
        found.done -= {layer.family.relation for layer in board.layers}


def _is_covered(board: Draft, orders: Orders) -> bool:
    """Whether each place has something in every state, or the content tells of a board."""
    if board.exact:
        return True
    states = range(len(board.layers[0].family.rows))
    if all(_covered(board.layers, state) >= board.keys for state in states):
        return True
    is_named = not orders.has_order({key[0] for key in board.keys})
    return is_named and len(board.keys) > 8 and any(layer.content for layer in board.layers)


def _covered(layers: Iterable[BoardLayer], state: int) -> set[Row]:
    return {pick(row, layer.places) for layer in layers for row in layer.family.rows[state]}
