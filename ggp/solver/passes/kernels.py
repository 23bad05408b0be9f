"""Loops of passes over positions, compiled by numba once for each machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import kernel

Bytes = NDArray[np.uint8]
UInt32s = NDArray[np.uint32]
Words = NDArray[np.uint64]
Words2 = NDArray[np.uint64]
Int64s = NDArray[np.int64]

END, SETTLED, FIRST, SECOND, ANY, EVERY = 1, 2, 4, 8, 16, 32
"""Marks of a position: play is over; its value is final; the first (the second) player can force
an end that is worth a draw to them; some play comes to an end; every play does."""

CHANGED_BITS = 9
"""A change is eight bits of a code, one that says that it is final, and above them the place."""


@kernel
def merge(ones: Words2, others: Words2, out: Words2) -> None:
    """The keys of two sorted arrays, none of which is in both, in order."""
    words = out.shape[1]
    i = j = 0
    for place in range(len(out)):
        is_first = j == len(others)
        if not is_first and i < len(ones):
            for k in range(words):
                if ones[i, k] != others[j, k]:
                    is_first = ones[i, k] < others[j, k]
                    break
        if is_first:
            for k in range(words):
                out[place, k] = ones[i, k]
            i += 1
        else:
            for k in range(words):
                out[place, k] = others[j, k]
            j += 1


@kernel
def flag(places: Int64s, news: Words) -> None:
    """Set the bits of some places."""
    for i in range(len(places)):
        place = np.uint64(places[i])
        news[place >> np.uint64(6)] |= np.uint64(1) << (place & np.uint64(63))


@kernel
def leads_to_news(first: int, stop: int, targets: UInt32s, news: Words) -> bool:
    """Whether one of some targets has its bit set."""
    for edge in range(first, stop):
        target = np.uint64(targets[edge])
        if news[target >> np.uint64(6)] >> (target & np.uint64(63)) & np.uint64(1):
            return True
    return False


@kernel
def improve(
    places: UInt32s,
    first: Int64s,
    is_low: Bytes,
    targets: UInt32s,
    news: Words,
    codes: Bytes,
    marks: Bytes,
    changes: Int64s,
) -> int:
    """List what changes at some positions: the least (where `is_low`) or the greatest code of what
    they lead to, final where all of these are; how many changes there are. Of positions that are
    final none is looked at, nor of those that lead to none that is another than before (`news`, a
    bit for each place).

    Position `i`, at a place among all, leads to the places `targets[first[i]:first[i + 1]]`.
    """
    count = 0
    for i in range(len(places)):
        place = np.uint64(places[i])
        if marks[place] & np.uint8(SETTLED):
            continue
        if not leads_to_news(first[i], first[i + 1], targets, news):
            continue
        best = codes[np.uint64(targets[first[i]])]
        settled = np.uint8(SETTLED)
        for edge in range(first[i], first[i + 1]):
            target = np.uint64(targets[edge])
            code = codes[target]
            settled &= marks[target]
            if (code < best) if is_low[i] else (code > best):
                best = code
        if settled or best != codes[place]:
            told = np.int64(best) | (np.int64(256) if settled else np.int64(0))
            changes[count] = (np.int64(places[i]) << np.int64(CHANGED_BITS)) | told
            count += 1
    return count


@kernel
def attract(
    places: UInt32s,
    first: Int64s,
    needs_all: Bytes,
    targets: UInt32s,
    news: Words,
    marks: Bytes,
    mark: int,
    found: Int64s,
) -> int:
    """List the places of those positions that lead to one with a mark, or to such alone where they
    need all; how many there are, without those that have it."""
    count = 0
    for i in range(len(places)):
        if marks[np.uint64(places[i])] & np.uint8(mark):
            continue
        if not leads_to_news(first[i], first[i + 1], targets, news):
            continue
        marked = 0
        for edge in range(first[i], first[i + 1]):
            marked += (marks[np.uint64(targets[edge])] & np.uint8(mark)) != 0
        if marked == first[i + 1] - first[i] if needs_all[i] else marked > 0:
            found[count] = places[i]
            count += 1
    return count
