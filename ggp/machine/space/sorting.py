"""A sort of numbers that are not larger than there are places, compiled by numba."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import kernel
from ggp.machine.engine.frames import Int32s


@kernel
def sort(values: Int32s, first: NDArray[np.int64], order: Int32s) -> None:
    """Where each value is, by value, and equal ones in order: those of `v` at `order[first[v]]` to
    `order[first[v + 1]]`; `first` is given as zeros (Seward 1954)."""
    for i in range(len(values)):
        first[values[i]] += 1
    total = 0
    for v in range(len(first)):
        total += first[v]
        first[v] = total
    for i in range(len(values) - 1, -1, -1):
        v = values[i]
        first[v] -= 1
        order[first[v]] = i
