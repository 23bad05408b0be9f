"""The edges of a graph by where they lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.arrays import offsets
from ggp.later import Later

if TYPE_CHECKING:
    from ggp.machine.space import sorting
else:
    sorting = Later("ggp.machine.space.sorting")

MANY = 1 << 18
"""Edges from which on a loop is compiled for them, or taken from disk."""


def by_target(target: NDArray[np.int32], count: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The edges that lead to each of `count` positions: those into `p` are `order[first[p]]` to
    `order[first[p + 1]]`, ascending. `target` (edges,): where each leads."""
    if len(target) >= MANY:
        first, order = np.zeros(count + 1, dtype=np.int64), np.empty(len(target), dtype=np.int32)
        sorting.sort(np.ascontiguousarray(target, dtype=np.int32), first, order)
        return first, order
    first = offsets(np.bincount(target, minlength=count))
    return first, np.argsort(target, kind="stable").astype(np.int32)
