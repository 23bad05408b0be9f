"""Moves as places: which arguments of a move name places that it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations

from ggp.kif import Term
from ggp.rules import Signature, signature
from ggp.show.board.domains import Path
from ggp.show.board.families import Row, leaf, paths_of
from ggp.show.board.model import Board, BoardLayer, Cells
from ggp.show.board.samples import Samples, SampleStep

SURE = 0.8
"""The part of all moves of a name in which a place must have changed."""

MAX_LEAVES, MAX_LEGAL = 12, 4_000


@dataclass(frozen=True)
class Click:
    """A place that a move names: the paths to the arguments that are its names, one for each axis
    of a board, None for an axis that the move leaves open (a column, say)."""

    board: int
    paths: tuple[Path | None, ...]

    def key(self, move: Term) -> tuple[Term | None, ...]:
        """The names of the place."""
        return tuple(None if path is None else leaf(move, path) for path in self.paths)


@dataclass(frozen=True)
class Change:
    """A move of a role, and what lay on a board before and after it, layer by layer."""

    role: int
    move: Term
    before: list[Cells]
    after: list[Cells]


Clicks = Mapping[Signature, tuple[Click, ...]]
"""For each kind of move where to click, one after the other."""

Order = tuple[Path, ...]
"""The arguments of a move that name a place, one for each axis."""


def clicks_of(boards: Sequence[Board], samples: Samples) -> Clicks:
    """Where to click for the moves of a game; moves that name no place are left out."""
    states = [_states(board, len(samples.states)) for board in boards]
    moves: dict[Signature, list[tuple[int, Term, int, int]]] = {}
    for step in samples.steps:
        for role, move in enumerate(step.joint):
            if move.args:
                own_step = (role, move, step.before, step.after)
                moves.setdefault(signature(move), []).append(own_step)
    found = {}
    for relation, made in moves.items():
        paths = sorted(
            paths_of({move for _, move, _, _ in made}, relation[1]),
            key=partial(samples.ranks.path_key, made[0][1]),
        )
        own: list[Click] = []
        for number, board in enumerate(boards):
            changes = [Change(r, m, states[number][a], states[number][b]) for r, m, a, b in made]
            own += _clicks(number, board, paths[:MAX_LEAVES], changes)
        if own:
            found[relation] = tuple(own)
    return found


def _states(board: Board, count: int) -> list[list[Cells]]:
    return [
        board.cells({layer.family.relation: layer.family.rows[i] for layer in board.layers})
        for i in range(count)
    ]


def differing(one: Sequence[Cells], other: Sequence[Cells]) -> set[Row]:
    """The places whose contents differ in some layer."""
    return {
        key
        for before, after in zip(one, other, strict=True)
        for key in {*before, *after}
        if before.get(key) != after.get(key)
    }


def _clicks(
    number: int, board: Board, paths: Sequence[Path], changes: Sequence[Change]
) -> list[Click]:
    changed = [differing(change.before, change.after) for change in changes]
    hits: Counter[Order] = Counter()
    for order in _orders(board, paths, changes):
        hits[order] = sum(
            _at(c.move, order) in own for c, own in zip(changes, changed, strict=True)
        )
    sure = [order for order, count in hits.items() if count and count >= SURE * len(changes)]
    if not sure:
        return _lines(number, board, paths, changes, changed)
    ranked = board.layers[0].ranked
    sure.sort(key=lambda order: [paths.index(order[axis]) for axis in ranked])
    return [Click(number, order) for order in _in_turn(sure, hits, changes, changed)]


def _orders(board: Board, paths: Sequence[Path], changes: Sequence[Change]) -> list[Order]:
    """The arguments, one for each axis, that nearly always are names of their axis."""
    names = [set(axis) for axis in board.axes]
    fit = {
        (path, axis)
        for path in paths
        for axis, own in enumerate(names)
        if sum(leaf(c.move, path) in own for c in changes) >= SURE * len(changes)
    }
    return [
        order
        for order in permutations(paths, len(names))
        if all((path, axis) in fit for axis, path in enumerate(order))
    ]


def _in_turn(
    sure: list[Order],
    hits: Mapping[Order, int],
    changes: Sequence[Change],
    changed: Sequence[set[Row]],
) -> list[Order]:
    """Where a move takes from, where it goes to, and what else it changes: each argument once; of
    equals the first."""
    ways = {
        order: [_leaving(order, *made) for made in zip(changes, changed, strict=True)]
        for order in sure
    }
    first = max(
        sure, key=lambda order: (_from(order, ways[order], changes), -_common(order, changes))
    )
    arrived = {
        order: sum(
            _at(change.move, order) == to for change, to in zip(changes, ways[first], strict=True)
        )
        for order in sure
    }
    found = [first]
    while sure := [order for order in sure if not set(order) & set(found[-1])]:
        found.append(max(sure, key=lambda order: (arrived[order], hits[order])))
    return found


def _at(move: Term, order: Order) -> Row:
    return tuple(leaf(move, path) for path in order)


def _from(order: Order, ways: Sequence[Row | None], changes: Sequence[Change]) -> float:
    """How much a place is where things move from: what lies there lies elsewhere afterwards, it
    tells who moves, and is not always the same, as the blank is that it changes places with."""
    lay = Counter((_first(c.before, _at(c.move, order)), c.role) for c in changes)
    contents: dict[tuple[Row, ...], list[int]] = {}
    for (content, _), times in lay.items():
        contents.setdefault(content, []).append(times)
    carried = sum(way is not None for way in ways)
    tells = sum(map(max, contents.values()))
    return (2 * carried + 2 * tells - max(map(sum, contents.values()))) / len(changes)


def _common(order: Order, changes: Sequence[Change]) -> int:
    """How many places have what lies at the places that moves name: most have the blank."""
    return sum(
        tuple(own.values()).count(own[key])
        for change in changes
        for key, own in ((_at(change.move, order), own) for own in change.before)
        if key in own
    )


def _first(cells: Sequence[Cells], key: Row) -> tuple[Row, ...]:
    """What lies at a place in the first layer that has something there."""
    return next((own[key] for own in cells if key in own), ())


def _leaving(order: Order, change: Change, changed: set[Row]) -> Row | None:
    """The one place where afterwards lies what lay at the place that a move names, None where
    there is none, or several."""
    key = _at(change.move, order)
    for one, other in zip(change.before, change.after, strict=True):
        was = one.get(key)
        if was and other.get(key) != was:
            to = [k for k in changed if other.get(k) == was != one.get(k)]
            if len(to) == 1:
                return to[0]
    return None


def _lines(
    number: int,
    board: Board,
    paths: Sequence[Path],
    changes: Sequence[Change],
    changed: Sequence[set[Row]],
) -> list[Click]:
    """A column or a row that moves name."""
    if len(board.axes) != 2:
        return []
    for path in paths:
        for axis in (0, 1):
            hits = sum(
                bool(keys) and all(key[axis] == leaf(change.move, path) for key in keys)
                for change, keys in zip(changes, changed, strict=True)
            )
            if hits >= SURE * len(changes):
                own: list[Path | None] = [None, None]
                own[axis] = path
                return [Click(number, tuple(own))]
    return []


def touched(
    number: int, layers: Sequence[BoardLayer], clicks: Clicks, samples: Samples
) -> Counter[tuple[int, Row, int]]:
    """How often roles could move contents of a board: layer, content, role."""
    found: Counter[tuple[int, Row, int]] = Counter()
    left = MAX_LEGAL
    for state, legal in samples.legal.items():
        cells = [layer.cells(layer.family.rows[state]) for layer in layers] if left > 0 else []
        for role, moves in enumerate(legal if left > 0 else ()):
            seen = _sources(number, moves, clicks) if len(moves) > 1 else set()
            left -= len(seen)
            for at, own in enumerate(cells):
                found.update((at, c, role) for key in seen for c in own.get(key, ()))
    return found


def _sources(number: int, moves: Iterable[Term], clicks: Clicks) -> set[Row]:
    """The places of a board from which moves take something to others."""
    found = set()
    for move in moves:
        own = clicks.get(signature(move), ())
        if len(own) > 1 and own[0].board == own[1].board == number:
            found.add(tuple(name for name in own[0].key(move) if name is not None))
    return found


def actor(number: int, key: Row, step: SampleStep, clicks: Clicks) -> int | None:
    """The role whose move changes a place: the one with a choice, or else the one whose move names
    the place; None where there is no such role, or several."""
    if step.mover is not None:
        return step.mover
    roles = [
        role
        for role, move in enumerate(step.joint)
        for click in clicks.get(signature(move), ())
        if click.board == number and click.key(move) == key
    ]
    return roles[0] if len(set(roles)) == 1 else None
