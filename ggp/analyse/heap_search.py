"""Heaps found by looking at every position.

Everything is read off the behaviour of `legal` and `next` together: names and the order of
arguments play no part, nor whether a move names the new size or the amount taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.analyse.heaps import Heap, HeapCandidate, heap_choices
from ggp.analyse.positions import Positions
from ggp.machine import Space
from ggp.machine.arrays import distinct


def heaps(positions: Positions) -> tuple[Heap, ...]:
    """The heaps of a game that is a sum of heaps and nothing else; empty if it is not.

    Checked at every position of either player's moves: exactly one size holds for each heap; apart
    from heaps and marker nothing varies; every move takes from exactly one heap; and what can be
    taken depends on that heap's size alone. Raises `LimitReached`.
    """
    for candidates in heap_choices(positions.game.net):
        found = _check(positions, candidates)
        if found:
            return found
    return ()


def _check(positions: Positions, candidates: list[HeapCandidate]) -> tuple[Heap, ...]:
    space = positions.either
    held = np.unpackbits(space.rows.view(np.uint8), axis=1, bitorder="little").astype(np.bool_)
    chosen = [c for c in candidates if (held[:, c.members].sum(axis=1) == 1).all()]
    used = {i for c in chosen for i in c.members}
    if not chosen or sum(len(c.members) for c in chosen) != len(used):
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
        Heap(c.shape, c.elements, c.fluents, int(sizes[h, 0]), takes[h])
        for h, c in enumerate(chosen)
    )


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
