"""Moves as places: which arguments of a move name places that it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from ggp.kif import Term
from ggp.rules import Signature, signature
from ggp.show.board.domains import Path
from ggp.show.board.families import Row, leaf, paths_of
from ggp.show.board.model import Board, Cells, Layer
from ggp.show.board.samples import Samples

SURE = 0.8
"""The part of all moves of a name in which a place must have changed."""

MAX_LEAVES, MAX_LEGAL = 8, 4_000


@dataclass(frozen=True)
class Click:
    """A place that a move names: the paths to the arguments that are its names, one for each axis
    of a board, None for an axis that the move leaves open (a column, say)."""

    board: int
    paths: tuple[Path | None, ...]

    def key(self, move: Term) -> tuple[Term | None, ...]:
        """The names of the place."""
        return tuple(None if path is None else leaf(move, path) for path in self.paths)


Clicks = Mapping[Signature, tuple[Click, ...]]
"""For each kind of move where to click, one after the other."""

Change = tuple[Term, list[Cells], list[Cells]]


def clicks_of(boards: Sequence[Board], samples: Samples) -> Clicks:
    """Where to click for the moves of a game; moves that name no place are left out."""
    states = [_states(board, len(samples.states)) for board in boards]
    moves: dict[Signature, list[tuple[Term, int, int]]] = {}
    for step in samples.steps:
        for move in step.joint:
            if move.args:
                moves.setdefault(signature(move), []).append((move, step.before, step.after))
    found = {}
    for relation, made in moves.items():
        paths = paths_of({move for move, _, _ in made}, relation[1])[:MAX_LEAVES]
        own: list[Click] = []
        for number, board in enumerate(boards):
            changes = [(m, states[number][a], states[number][b]) for m, a, b in made]
            own += _clicks(number, board, paths, changes)
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
    changed = [differing(before, after) for _, before, after in changes]
    scores: Counter[tuple[Path, ...]] = Counter()
    orders = list(permutations(paths, len(board.axes)))
    for (move, _, _), keys in zip(changes, changed, strict=True):
        for order in orders:
            scores[order] += tuple(leaf(move, path) for path in order) in keys
    used: set[Path] = set()
    found: list[tuple[Path, ...]] = []
    for order, hits in scores.most_common():
        if hits and hits >= SURE * len(changes) and not used & set(order):
            found.append(order)
            used |= set(order)
    if found:
        found.sort(key=lambda order: (-_leaving(order, changes), order))
        return [Click(number, order) for order in found[:2]]
    return _lines(number, board, paths, changes, changed)


def _leaving(order: tuple[Path, ...], changes: Sequence[Change]) -> int:
    """How often what lay at a place lies elsewhere afterwards."""
    count = 0
    for move, before, after in changes:
        key = tuple(leaf(move, path) for path in order)
        for one, other in zip(before, after, strict=True):
            was = one.get(key)
            if was and other.get(key) != was:
                count += any(c == was and one.get(k) != was for k, c in other.items())
    return count


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
                bool(keys) and all(key[axis] == leaf(move, path) for key in keys)
                for (move, _, _), keys in zip(changes, changed, strict=True)
            )
            if hits >= SURE * len(changes):
                own: list[Path | None] = [None, None]
                own[axis] = path
                return [Click(number, tuple(own))]
    return []


def touched(
    number: int, layers: Sequence[Layer], clicks: Clicks, samples: Samples
) -> Counter[tuple[int, Row, int]]:
    """How often roles could move contents of a board: layer, content, role."""
    found: Counter[tuple[int, Row, int]] = Counter()
    left = MAX_LEGAL
    cells: dict[tuple[int, int], Cells] = {}
    for state, legal in samples.legal.items():
        mover = samples.mover(state)
        if mover is None or left <= 0:
            continue
        seen: set[Row] = set()
        for move in legal[mover]:
            own = clicks.get(signature(move), ())
            if len(own) == 2 and own[0].board == number:
                seen.add(tuple(name for name in own[0].key(move) if name is not None))
        left -= len(seen)
        for at, layer in enumerate(layers):
            if (at, state) not in cells:
                cells[at, state] = layer.cells(layer.family.rows[state])
            for key in seen:
                found.update((at, c, mover) for c in cells[at, state].get(key, ()))
    return found
