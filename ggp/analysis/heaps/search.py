"""Heaps found by looking at every position.

Everything is read off the behaviour of `legal` and `next` together: names and the order of
arguments play no part, nor whether a move names the new size or the amount taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.heaps.heap import Heap, HeapCandidate, heap_candidates, in_order, simplest
from ggp.analysis.positions import Positions
from ggp.arrays import distinct
from ggp.errors import LimitReached
from ggp.machine import Space

MAX_TRIED = 10_000
"""Choices of families of fluents, to account for all that varies."""


def find_heaps(positions: Positions) -> tuple[Heap, ...]:
    """The heaps of a game that is a sum of heaps and nothing else; empty if it is not.

    Checked at every position of either player's moves: exactly one size holds for each heap; apart
    from heaps and marker nothing varies; every move takes from exactly one heap; and what can be
    taken depends on that heap's size alone. Raises `LimitReached`.
    """
    space = positions.either
    held = np.unpackbits(space.rows.view(np.uint8), axis=1, bitorder="little").astype(np.bool_)
    marker = positions.require_marker().mask
    fixed = np.asarray(held.all(axis=0) | ~held.any(axis=0))
    count = len(positions.game.net.fluents)
    varying = {i for i in range(count) if not fixed[i] and not marker >> i & 1}
    known = {
        members: readings
        for members, readings in heap_candidates(positions.game.net).items()
        if not varying.isdisjoint(members) and (held[:, sorted(members)].sum(axis=1) == 1).all()
    }
    for cover in _covers(varying, list(known), count=[0]):
        found = _check(space, held, [known[members] for members in cover])
        if found:
            return found
    return ()


def _covers(
    varying: Set[int], families: Sequence[frozenset[int]], count: list[int]
) -> Iterator[list[frozenset[int]]]:
    """All ways to account for each fluent that varies by just one of some families.

    Raises `LimitReached` where there is too much to try; `count`: how much was tried so far.
    """
    count[0] += 1
    if count[0] > MAX_TRIED:
        raise LimitReached("steps", MAX_TRIED, "ways to divide a board into heaps")
    if not varying:
        yield []
        return
    first = min(varying)
    for members in families:
        if first in members:
            apart = [other for other in families if other.isdisjoint(members)]
            for rest in _covers(varying - members, apart, count):
                yield [members, *rest]


def _check(
    space: Space, held: NDArray[np.bool_], families: Sequence[Sequence[HeapCandidate]]
) -> tuple[Heap, ...]:
    """The heaps, each read in the simplest way in which no move makes it larger."""
    chosen = []
    for readings in families:
        sizes = [(candidate, _sizes(candidate, held)) for candidate in readings]
        fitting = [(c, n) for c, n in sizes if (n[space.source] >= n[space.target]).all()]
        if not fitting:
            return ()
        chosen.append(fitting)
    if not chosen:
        return ()
    takes = _takes(space, np.stack([fitting[0][1] for fitting in chosen]))
    if takes is None:
        return ()
    found = []
    for fitting, own in zip(chosen, takes, strict=True):
        _, first = fitting[0]
        read = []
        for c, sizes_of in fitting:
            other = dict(zip(first.tolist(), sizes_of.tolist(), strict=True))
            table = {
                other[n]: tuple(sorted(other[n] - other[n - d] for d in amounts))
                for n, amounts in own.items()
            }
            read.append(Heap(c.shape, c.elements, c.fluents, int(sizes_of[0]), table))
        found.append(simplest(read))
    return in_order(found)


def _sizes(candidate: HeapCandidate, held: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The size of a heap at every position."""
    return np.asarray(np.array(candidate.sizes)[held[:, candidate.members].argmax(axis=1)])


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
