"""Small array operations that numpy has only in slower form."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Integer = TypeVar("Integer", bound=np.integer)


def distinct(values: NDArray[Integer]) -> NDArray[Integer]:
    """The distinct integers of a vector, ascending.

    By sorting; on many millions of values `numpy.unique`, which hashes, takes ten times as long.
    """
    ordered = np.sort(values)
    if not len(ordered):
        return ordered
    is_first = np.ones(len(ordered), dtype=np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return np.asarray(ordered[is_first])


def counted(values: NDArray[Integer]) -> tuple[NDArray[Integer], NDArray[np.int64]]:
    """The distinct integers of a vector, ascending, and how often each occurs."""
    ordered = np.sort(values)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def contained(values: NDArray[Integer], ordered: NDArray[Integer]) -> NDArray[np.bool_]:
    """Which of `values` occur in the ascending vector `ordered`."""
    if not len(ordered):
        return np.zeros(len(values), dtype=np.bool_)
    places = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    return np.asarray(ordered[places] == values, dtype=np.bool_)


def offsets(sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    """Where each of some runs of these sizes begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def runs(first: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The indices of all members of runs that begin at `first`, one run after the other."""
    starts = np.cumsum(sizes) - sizes
    return np.repeat(first - starts, sizes) + np.arange(int(sizes.sum()))
