"""Sorted sets of packed positions, and what is known of each.

Positions are entered unsorted and often, and sorted once (delayed duplicate detection; Korf,
Journal of the ACM 55, 2008). Keys are mixed so that sorting by the first bits gives parts of nearly
the same size, which fit a cache, and so that a small directory of these bits finds a key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.later import Later
from ggp.machine import Rows

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
else:
    kernels = Later("ggp.solver.layers.kernels")

PART = 1 << 15
"""Keys that are sorted together, on an average."""

BUNDLES = 16
"""Arrays of keys are put into their parts in so many bundles, side by side."""

CROWD = 4
"""Keys of one entry of a directory, on an average."""

NARROW = 1 << 31
"""Keys from which on a directory has places of 64 bits."""

Apply = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""`map`, or what does the same with several threads."""


def sorted_set(parts: Sequence[Rows], words: int, apply: Apply = map) -> Rows:
    """All keys (n, words) of some arrays, each once and in order."""
    total = sum(map(len, parts))
    if not total:
        return np.empty((0, words), dtype=np.uint64)
    bits = max(1, (total // PART).bit_length())
    shift = 64 - bits
    many = min(BUNDLES, len(parts), 1 + total // PART)
    bundles = [parts[i::many] for i in range(many)]

    def tally(bundle: Sequence[Rows]) -> NDArray[np.int64]:
        counts = np.zeros(1 << bits, dtype=np.int64)
        for keys in bundle:
            kernels.tally(keys, shift, counts)
        return counts

    counts = np.array(list(apply(tally, bundles)))
    ends = np.cumsum(counts.sum(axis=0))
    # Keys of a bundle come after those of the bundles before it.
    places = ends - counts[::-1].cumsum(axis=0)[::-1]
    out = np.empty((total, words), dtype=np.uint64)

    def scatter(case: tuple[Sequence[Rows], NDArray[np.int64]]) -> None:
        for keys in case[0]:
            kernels.scatter(keys, shift, case[1], out)

    list(apply(scatter, zip(bundles, places, strict=True)))

    def settle(bounds: tuple[int, int]) -> int:
        here = out[bounds[0] : bounds[1]]
        if words == 1:
            here[:, 0].sort()
        else:
            here[:] = here[np.argsort(here[:, 0])]
        return int(kernels.unique(here))

    starts = [0, *ends.tolist()[:-1]]
    left = list(apply(settle, zip(starts, ends.tolist(), strict=True)))
    fronts = [0, *accumulate(left)]
    count = fronts.pop()
    # To the front of a row of parts, which never reach beyond where they were, or to a copy, where
    # much would be kept for nothing.
    is_copy = 8 * count <= 7 * total
    kept = np.empty((count, words), dtype=np.uint64) if is_copy else out

    def move(case: tuple[int, int, int]) -> None:
        front, start, size = case
        kept[front : front + size] = out[start : start + size]

    list((apply if is_copy else map)(move, zip(fronts, starts, left, strict=True)))
    return kept[:count]


@dataclass(frozen=True, eq=False)
class Layer:
    """Positions in order of their keys (n, words), and the code of the value of each (n,).

    `first` is the directory: the keys that begin with the bits `p`, of all 64 but `shift`, are
    `first[p]` to `first[p + 1]`.
    """

    keys: Rows
    values: NDArray[np.uint8]
    first: NDArray[np.int32] | NDArray[np.int64]
    shift: int

    @classmethod
    def of(cls, keys: Rows, values: NDArray[np.uint8]) -> Layer:
        """The layer of some keys, sorted and distinct."""
        bits = max(1, (len(keys) // CROWD).bit_length())
        counts = np.zeros((1 << bits) + 1, dtype=np.int64)
        kernels.tally(keys, 64 - bits, counts[1:])
        first = np.cumsum(counts)
        # Half the bytes, wherever that is possible.
        narrow = first.astype(np.int32) if len(keys) < NARROW else first
        return cls(keys, values, narrow, 64 - bits)

    def __len__(self) -> int:
        return len(self.keys)

    def look_up(self, wanted: Rows) -> tuple[NDArray[np.uint8], int]:
        """The codes of wanted keys (n, words), `MISSING` for those that are not there; and how many
        of these there are."""
        found = np.empty(len(wanted), dtype=np.uint8)
        missing = kernels.look_up(self.keys, self.first, self.shift, self.values, wanted, found)
        return found, int(missing)

    @property
    def places(self) -> int:
        """Positions have places below this."""
        return len(self.keys)

    def find(self, wanted: Rows) -> tuple[NDArray[np.int64], int]:
        """The places of wanted keys; how many of these are not there."""
        places = np.empty(len(wanted), dtype=np.int64)
        return places, int(kernels.find(self.keys, self.first, self.shift, wanted, places))

    def codes(self, places: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The codes of the positions at some places."""
        return self.values[places]

    def pieces(self, size: int) -> Iterator[tuple[NDArray[np.int64], Rows]]:
        """The places of all positions, and their keys, so many at a time."""
        for start in range(0, len(self.keys), size):
            keys = self.keys[start : start + size]
            yield np.arange(start, start + len(keys)), keys

    def sorted(self) -> Layer:
        """The positions in order of their keys."""
        return self


def mixed(rows: Rows) -> Rows:
    """The keys of rows, which are lost."""
    kernels.mix(rows)
    return rows


def unmixed(keys: Rows) -> Rows:
    """The rows of keys, as a copy."""
    rows = np.array(keys, dtype=np.uint64, order="C")
    kernels.unmix(rows)
    return rows
