"""Sorted runs of keys made one, a range of keys at a time, so that little of them is in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ggp.machine import Rows
from ggp.solver.layers.keys import Apply, sorted_set
from ggp.solver.layers.shelf import Shelf, require_kind

TOGETHER = 256
"""Runs that are made one at a time: of each a file is open."""


def merged(
    runs: Sequence[Rows], words: int, most: int, apply: Apply, heed: Callable[[], None]
) -> Iterator[Rows]:
    """All keys of some runs, each of which is sorted: in order and each once, in pieces one after
    the other, for each of which about `most` keys of the runs are read.

    Keys are spread by their first bits, so that ranges of these are about as large. `heed` is
    called for each piece, and ends it by raising.
    """
    bits = (sum(map(len, runs)) // max(1, most)).bit_length()
    starts = [0] * len(runs)
    for part in range(1 << bits):
        upto = (part + 1) << (64 - bits)
        stops = [_first(run, upto, start) for run, start in zip(runs, starts, strict=True)]
        bounds = zip(runs, starts, stops, strict=True)
        heed()
        yield sorted_set([run[start:stop] for run, start, stop in bounds], words, apply)
        starts = stops


def made_one(
    shelf: Shelf,
    name: str,
    names: Sequence[str],
    words: int,
    most: int,
    apply: Apply,
    plan: Callable[[int], None],
) -> Rows:
    """The sorted runs of some names, put on their shelf as one: piece by piece, where that saves
    the memory for more than `most` keys. `plan` raises where so many keys more cannot be held.

    Of more than `TOGETHER` some are made one first, in the place of the last of these. All that are
    left stay, for the caller to drop. Raises `InputError` for what are no runs.
    """
    names = list(names)
    while len(names) > TOGETHER:
        first, names = names[:TOGETHER], names[TOGETHER - 1 :]
        made_one(shelf, first[-1], first, words, most, apply, plan)
        for one in first[:-1]:
            shelf.drop(one)
    kept = ((one, shelf.get(one)) for one in names)
    runs = [require_kind(one, run, np.uint64, None, words) for one, run in kept if run is not None]
    if len(runs) == 1:
        return shelf.put(name, runs[0])
    total = sum(map(len, runs))
    if shelf.in_files and total > most:
        pieces = merged(runs, words, most, apply, lambda: plan(0))
        return shelf.put_pieces(name, pieces, words)
    plan(total)
    return shelf.put(name, sorted_set(runs, words, apply))


def _first(run: Rows, key: int, low: int) -> int:
    """The first place from `low` on with a first word that is no less than `key`.

    Of a run in a file just what is looked at is read.
    """
    high = len(run)
    while low < high:
        middle = (low + high) // 2
        if int(run[middle, 0]) < key:
            low = middle + 1
        else:
            high = middle
    return low
