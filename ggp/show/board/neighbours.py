"""Boards of other cells than squares: hexagons, and places that only have neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from ggp.kif import Term
from ggp.rules import Rule, Signature, signature
from ggp.show.board.families import Row
from ggp.show.board.model import Board
from ggp.show.board.orders import Orders, Pairs
from ggp.show.board.ranks import TermRanks

CLOSE, TOGETHER, CROWDED, PUSHES = 0.6, 0.3, 0.25, 20
"""Steps between two places that are pushed apart, and between two that lie on each other; the part
of all places that may do so; how often they are pushed."""

ALIKE = 1e-6
"""The part of the widest direction by which two must differ, so as not to be equally wide."""

FEW = 4
"""Neighbours of a place on average, halved, that make a drawing of relations taken together."""

MAX_PLACES = 150
"""Of boards that are drawn by the distances of their places."""

Offset = tuple[int, int]


def shaped(board: Board, rules: tuple[Rule, ...], orders: Orders, ranks: TermRanks) -> Board:
    """A board with its cells as hexagons, or its places by their distances, where the rules have
    a relation of neighbours that says so."""
    if len(board.axes) == 1:
        return _drawn(board, orders, ranks)
    if board.row is None or board.slices or min(map(len, board.axes)) < 3:
        return board
    by_head: dict[Signature, list[Rule]] = {}
    for rule in rules:
        if rule.head.arity == 4:
            by_head.setdefault((rule.head.name, 4), []).append(rule)
    steps = _steps(board, orders)
    for relation, own in by_head.items():
        lean = _lean(own, steps, _together(relation, rules))
        others = (rule for head, rules in by_head.items() if head != relation for rule in rules)
        # Where something goes along the other diagonals, too, the cells are squares.
        if lean and not any(_is_diagonal(rule, lean, steps) for rule in others):
            return replace(board, lean=lean)
    return board


def _is_diagonal(rule: Rule, product: int, steps: tuple[dict[str, int], ...]) -> bool:
    """Whether a rule goes one step along each axis, in directions of that product."""
    offsets = (_offset(rule, order, steps) for order in permutations(range(4)))
    return any(offset is not None and offset[0] * offset[1] == product for offset in offsets)


def _steps(board: Board, orders: Orders) -> tuple[dict[str, int], ...]:
    """For each axis the relations that step along it, up (1) or down."""
    found = []
    for axis in board.axes:
        up = set(pairwise(axis))
        down = {(b, a) for a, b in up}
        ways = {n: 1 for (n, _), pairs in orders.relations.items() if up <= pairs}
        ways |= {n: -1 for (n, _), pairs in orders.relations.items() if down <= pairs}
        found.append(ways)
    return tuple(found)


def _together(relation: Signature, rules: Iterable[Rule]) -> Counter[frozenset[int]]:
    """How often other atoms have two arguments of a relation, which then are one place."""
    found: Counter[frozenset[int]] = Counter()
    for rule in rules:
        atoms = [rule.head, *rule.positive, *rule.negative]
        for atom in (atom for atom in atoms[1:] if signature(atom) == relation):
            others = [set(other.variables()) for other in atoms if signature(other) != relation]
            for i, j in combinations(range(4), 2):
                both = {atom.args[i].name, atom.args[j].name}
                found[frozenset((i, j))] += sum(both <= names for names in others)
    return found


def _lean(
    rules: Sequence[Rule],
    steps: tuple[dict[str, int], ...],
    together: Mapping[frozenset[int], int],
) -> int:
    """How rows lean if a relation of four arguments is that of neighbours among hexagons, or 0."""

    def apart(order: Sequence[int]) -> int:
        return -together[frozenset(order[:2])] - together[frozenset(order[2:])]

    for order in sorted(permutations(range(4)), key=apart):
        found = [_offset(rule, order, steps) for rule in rules]
        offsets = {offset for offset in found if offset is not None}
        axes = {x == 0 for x, y in offsets if abs(x) + abs(y) == 1}
        diagonal = {(abs(x), x * y) for x, y in offsets if x and y}
        if None not in found and len(axes) == 2 and len(diagonal) == 1:
            ((_, product),) = diagonal
            return -product
    return 0


def _offset(rule: Rule, order: tuple[int, ...], steps: tuple[dict[str, int], ...]) -> Offset | None:
    """By how much the second place of a neighbour rule's head lies behind the first."""
    x1, y1, x2, y2 = (rule.head.args[i] for i in order)
    across, down = _way(rule, x1, x2, steps[0]), _way(rule, y1, y2, steps[1])
    return None if across is None or down is None else (across, down)


def _way(rule: Rule, one: Term, other: Term, steps: Mapping[str, int]) -> int | None:
    both = {one, other}
    if one == other or any(both <= set(a.args) and a.name not in steps for a in rule.positive):
        return 0
    for atom in rule.positive:
        if atom.name in steps and set(atom.args) == {one, other}:
            return steps[atom.name] * (1 if atom.args[0] == one else -1)
    return None


def _drawn(board: Board, orders: Orders, ranks: TermRanks) -> Board:
    """A board of single names with neighbours, drawn by their distances."""
    keys = {key[0] for key in board.keys}
    if not 4 <= len(keys) <= MAX_PLACES or orders.has_order(keys):
        return board
    for pairs in _neighbours(keys, _held(board), orders):
        own = {term for pair in pairs for term in pair}
        points = _points(sorted(own, key=ranks.key), pairs)
        if points is not None:
            edges = tuple(((a,), (b,)) for a, b in sorted(pairs, key=str))
            return replace(board, keys=frozenset(points), points=points, edges=edges)
    return board


def _held(board: Board) -> set[Term]:
    """The places on which something lay in some state."""
    rows = {layer: layer.family.rows for layer in board.layers}
    return {key[0] for layer, states in rows.items() for own in states for key in layer.cells(own)}


def _neighbours(keys: set[Term], held: set[Term], orders: Orders) -> list[Pairs]:
    """Relations between nothing but places, and all of these, the sparsest first; or what several
    relations say together, of the places that hold something at the least."""
    found = [
        frozenset((a, b) for a, b in pairs if a != b)
        for pairs in orders.relations.values()
        if {term for pair in pairs for term in pair} == keys
    ]
    if not found:
        every = (*orders.relations.values(), *orders.parts)
        among = [own for own in every if all(keys >= {a, b} for a, b in own)]
        whole = frozenset((a, b) for own in among for a, b in own if a != b)
        is_sparse = len({frozenset(pair) for pair in whole}) <= FEW * len(keys)
        if is_sparse and {term for pair in whole for term in pair} >= held:
            found = [whole] if whole else []
    return sorted(found, key=len)


def _points(keys: list[Term], pairs: Pairs) -> dict[Row, tuple[float, float]] | None:
    """Places in the plane whose distances are nearly those along the pairs; None where not all are
    connected, or the distances tell no one plane. Classical scaling (Torgerson, Psychometrika 17,
    1952)."""
    number = {term: i for i, term in enumerate(keys)}
    size = len(keys)
    steps = np.full((size, size), np.inf)
    np.fill_diagonal(steps, 0)
    for a, b in pairs:
        steps[number[a], number[b]] = steps[number[b], number[a]] = 1
    for k in range(size):
        steps = np.minimum(steps, steps[:, k, None] + steps[None, k, :])
    if not np.isfinite(steps).all():
        return None
    centred = np.eye(size) - 1 / size
    values, vectors = np.linalg.eigh(-centred @ steps**2 @ centred / 2)
    # Where the third direction is as wide as the second, the machine's arithmetic would choose.
    if size > 2 and values[-2] - values[-3] < ALIKE * values[-1]:
        return None
    spread: NDArray[np.float64] = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0))
    near = [np.hypot(*(spread[number[a]] - spread[number[b]])) for a, b in pairs]
    spread = spread / max(float(np.median(near)), 1e-6)
    apart = _pushed(spread)
    if apart is None:
        return None
    spread = apart - apart.min(axis=0)
    return {(term,): (float(spread[i, 1]), float(spread[i, 0])) for term, i in number.items()}


def _pushed(spread: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Places that lie on each other, pushed apart; None where that would be many."""
    gaps = spread[:, None] - spread[None]
    near = np.hypot(gaps[..., 0], gaps[..., 1]) + np.eye(len(spread)) < TOGETHER
    if near.any(axis=1).sum() > CROWDED * len(spread):
        return None
    for _ in range(PUSHES):
        gaps = spread[:, None] - spread[None]
        far = np.hypot(gaps[..., 0], gaps[..., 1]) + np.eye(len(spread))
        push = np.clip(CLOSE - far, 0, None) / 4
        spread = spread + (gaps / np.maximum(far, 1e-3)[..., None] * push[..., None]).sum(axis=1)
    return spread
