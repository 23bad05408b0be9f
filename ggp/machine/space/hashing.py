"""A hash table of rows of words, compiled by numba once for each machine."""

from __future__ import annotations

import numpy as np

from ggp.kernel import kernel
from ggp.machine.engine.frames import Int32s, Words


@kernel
def place_of(row: Words, kept: Words, table: Int32s) -> np.int64:
    """The slot of a hash table where a row is, or is to be: open addressing, linear probing."""
    code = np.uint64(0)
    for word in row:
        code = (code ^ word) * np.uint64(0x9E3779B97F4A7C15)
        code ^= code >> np.uint64(29)
    slot = np.int64(code & np.uint64(len(table) - 1))
    while table[slot] >= 0:
        other = kept[table[slot]]
        is_same = True
        for k in range(len(row)):
            if row[k] != other[k]:
                is_same = False
                break
        if is_same:
            break
        slot = (slot + 1) & (len(table) - 1)
    return slot


@kernel
def insert(rows: Words, kept: Words, known: int, table: Int32s, numbers: Int32s) -> int:
    """Give every row its number, new ones (copied to `kept`) those from `known` on."""
    for i in range(len(rows)):
        slot = place_of(rows[i], kept, table)
        if table[slot] < 0:
            table[slot] = known
            # Word by word: numba would compile how shapes are put into an error, for seconds.
            for k in range(rows.shape[1]):
                kept[known, k] = rows[i, k]
            known += 1
        numbers[i] = table[slot]
    return known


@kernel
def refill(kept: Words, known: int, table: Int32s) -> None:
    """Enter the first `known` rows, all different, into an empty table."""
    for i in range(known):
        table[place_of(kept[i], kept, table)] = i
