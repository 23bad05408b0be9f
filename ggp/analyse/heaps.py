"""Heaps: groups of fluents whose values lie on a chain, and what moves take from them.

Everything is read off the behaviour of `legal` and `next` together, position by position: names
and the order of arguments play no part, nor whether a move names the new size or the amount taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.analyse.chains import chains
from ggp.analyse.positions import Positions
from ggp.game import Game
from ggp.kif import Term
from ggp.machine import Space
from ggp.machine.arrays import distinct
from ggp.theory import SubtractionGame, mex


@dataclass(frozen=True, eq=False)
class Heap:
    """One heap. Sizes are places on the chain, counted from 0 at the end that play runs towards.

    `pattern`: the fluent with `?` for the size; `fluents[n]`: index of the fluent of size n, or
    None; `size`: at the start of play; `takes[n]`: the amounts that can be taken from a heap of n,
    for every size that arises. `subtraction_set` and `floor` say the same for these sizes at once,
    where such a set exists: their scope is this table. About larger heaps, and about sizes that do
    not arise from the start, they say nothing; `game` is the subtraction game with that set.
    """

    pattern: str
    fluents: tuple[int | None, ...]
    size: int
    takes: dict[int, tuple[int, ...]]

    @cached_property
    def floor(self) -> int:
        """The least size that arises."""
        landings = [n - d for n, amounts in self.takes.items() for d in amounts]
        return min([*landings, *self.takes])

    @cached_property
    def subtraction_set(self) -> tuple[int, ...] | None:
        """The amounts that can be taken from every heap that does not fall below the floor."""
        amounts = sorted({d for takes in self.takes.values() for d in takes})
        for n, takes in self.takes.items():
            if takes != tuple(d for d in amounts if n - d >= self.floor):
                return None
        return tuple(amounts) or None

    @property
    def game(self) -> SubtractionGame | None:
        """The subtraction game that the heap follows as far as its table goes."""
        return SubtractionGame(self.subtraction_set, self.floor) if self.subtraction_set else None

    def nim_value(self, size: int) -> int:
        """The nim-value of a size that arises; raises `KeyError` for another."""
        return self._nim_values[size]

    @cached_property
    def _nim_values(self) -> dict[int, int]:
        values: dict[int, int] = {}
        for n in sorted(self.takes):
            values[n] = mex(values[n - d] for d in self.takes[n])
        return values

    @property
    def nim_values(self) -> list[int | None]:
        """Nim-values from the floor up to the starting size; None for a size that cannot arise
        where no subtraction set tells."""
        if self.game:
            return list(self.game.nim_values(self.size))
        return [self._nim_values.get(n) for n in range(self.floor, self.size + 1)]

    def as_json(self) -> dict[str, Any]:
        """The heap in the shape of `ggp analyse --format json`."""
        return {
            "heap": self.pattern,
            "size": self.size,
            "subtraction_set": list(self.subtraction_set) if self.subtraction_set else None,
            "floor": self.floor,
            "scope": "table",
            "nim_values": self.nim_values,
            "period": self.game.period if self.game else None,
            "preperiod": self.game.preperiod if self.game else None,
        }


@dataclass(frozen=True)
class _Candidate:
    """Fluents that differ in one argument only; `fluents[n]` has the chain's element n there."""

    pattern: str
    fluents: tuple[int | None, ...]


def heaps(positions: Positions) -> tuple[Heap, ...]:
    """The heaps of a game that is a sum of heaps and nothing else; empty if it is not.

    Checked at every position of either player's moves: exactly one size holds for each heap; apart
    from heaps and marker nothing varies; every move takes from exactly one heap; and what can be
    taken depends on that heap's size alone. Raises `LimitReached`.
    """
    for candidates in _choices(positions.game):
        found = _check(positions, candidates)
        if found:
            return found
    return ()


def _choices(game: Game) -> Iterator[list[_Candidate]]:
    """Families of heap-like fluents, for each chain in both directions."""
    seen = set()
    for chain in chains(game):
        for elements in (chain.elements, chain.elements[::-1]):
            found = _candidates(game, elements)
            key = tuple(candidate.fluents for candidate in found)
            if found and key not in seen:
                seen.add(key)
                yield found


def _candidates(game: Game, elements: tuple[Term, ...]) -> list[_Candidate]:
    """Fluents grouped by relation and other arguments where one argument runs over the chain.

    Each family must hold exactly one fluent at first and be the whole of that argument.
    """
    net = game.net
    rank = {term: n for n, term in enumerate(elements)}
    families: dict[Term, dict[int, int]] = {}
    broken: set[Term] = set()
    for i, fluent in enumerate(net.fluents):
        for j, arg in enumerate(fluent.args):
            pattern = Term(fluent.name, (*fluent.args[:j], Term("?"), *fluent.args[j + 1 :]))
            if arg in rank:
                families.setdefault(pattern, {})[rank[arg]] = i
            else:
                broken.add(pattern)
    found = []
    for pattern, sizes in sorted(families.items(), key=lambda item: str(item[0])):
        started = sum(i in net.initial for i in sizes.values())
        if pattern not in broken and started == 1 and len(sizes) > 1:
            found.append(
                _Candidate(str(pattern), tuple(sizes.get(n) for n in range(len(elements))))
            )
    return found


def _check(positions: Positions, candidates: list[_Candidate]) -> tuple[Heap, ...]:
    space = positions.either
    held = np.unpackbits(space.rows.view(np.uint8), axis=1, bitorder="little").astype(np.bool_)
    chosen = [c for c in candidates if (held[:, _members(c)].sum(axis=1) == 1).all()]
    used = {i for c in chosen for i in _members(c)}
    if not chosen or sum(len(_members(c)) for c in chosen) != len(used):
        return ()
    marker = positions.require_marker().mask
    fixed = np.asarray(held.all(axis=0) | ~held.any(axis=0))
    for i in range(len(positions.game.net.fluents)):
        if i not in used and not marker >> i & 1 and not fixed[i]:
            return ()
    sizes = np.stack([_sizes(c, held) for c in chosen])
    takes = _takes(space, sizes)
    if takes is None:
        return ()
    return tuple(
        Heap(c.pattern, c.fluents, int(sizes[h, 0]), takes[h]) for h, c in enumerate(chosen)
    )


def _members(candidate: _Candidate) -> list[int]:
    return [i for i in candidate.fluents if i is not None]


def _sizes(candidate: _Candidate, held: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The size of a heap at every position."""
    pairs = [(n, i) for n, i in enumerate(candidate.fluents) if i is not None]
    values = np.array([n for n, _ in pairs])
    return np.asarray(values[held[:, [i for _, i in pairs]].argmax(axis=1)])


def _takes(space: Space, sizes: NDArray[np.int64]) -> list[dict[int, tuple[int, ...]]] | None:
    """For each heap and size the amounts that can be taken, or None if that is no function.

    `sizes` is (heaps, positions).
    """
    taken = sizes[:, space.source] - sizes[:, space.target]
    touched = taken != 0
    if len(space.target) == 0 or (touched.sum(axis=0) != 1).any() or (taken < 0).any():
        return None
    heap = touched.argmax(axis=0)
    amount = taken[heap, np.arange(len(heap))]
    width = int(sizes.max()) + 1
    offered = distinct((space.source.astype(np.int64) * len(sizes) + heap) * width + amount)
    table: list[dict[int, set[int]]] = [{int(n): set() for n in np.unique(own)} for own in sizes]
    size = sizes[heap, space.source]
    for h, n, d in np.unique(np.stack([heap, size, amount]), axis=1).T.tolist():
        table[h][n].add(d)
    expected = np.zeros(sizes.shape[1], dtype=np.int64)
    for own, known in zip(sizes, table, strict=True):
        counts = np.zeros(width, dtype=np.int64)
        for n, amounts in known.items():
            counts[n] = len(amounts)
        expected += counts[own]
    found = np.bincount(offered // width // len(sizes), minlength=sizes.shape[1])
    if not np.array_equal(found, expected):
        return None
    return [{n: tuple(sorted(amounts)) for n, amounts in known.items()} for known in table]
