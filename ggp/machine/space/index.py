"""Numbers for states: an open-addressing hash table of packed rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.errors import LimitReached
from ggp.later import Later
from ggp.machine.coding import Rows

if TYPE_CHECKING:
    from ggp.machine.space import hashing
else:
    hashing = Later("ggp.machine.space.hashing")

_CHUNK = 1 << 16
"""Rows that are entered before the table is looked at again."""

FEW = 200_000
"""Rows that are entered or found again before there is a table."""

_MOST = (1 << 31) - 1 - _CHUNK
"""Rows that a number of 32 bits can tell apart."""


class RowIndex:
    """Distinct rows in the order in which they came, each with its number.

    A dictionary as long as few were asked for, then a table of our own.
    """

    def __init__(self, words: int) -> None:
        self._kept: Rows = np.empty((1 << 10, words), dtype=np.uint64)
        self._table: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        self._count = 0
        self._few = FEW
        self._numbers: dict[bytes, int] | None = {}

    def __len__(self) -> int:
        return self._count

    @property
    def rows(self) -> Rows:
        """All rows, by number."""
        return self._kept[: self._count]

    def add(self, rows: Rows) -> NDArray[np.int32]:
        """The number of each row, in which those that are new come next.

        Raises `LimitReached` beyond some two thousand million rows, `ValueError` for rows of
        another size.
        """
        rows = np.ascontiguousarray(rows, dtype=np.uint64)
        if rows.ndim != 2 or rows.shape[1] != self._kept.shape[1]:
            raise ValueError("rows of another size")
        self._few -= len(rows)
        if self._numbers is not None:
            if self._few > 0:
                return self._add_few(rows, self._numbers)
            self._numbers = None
        numbers = np.empty(len(rows), dtype=np.int32)
        for start in range(0, len(rows), _CHUNK):
            part = rows[start : start + _CHUNK]
            self._make_room(len(part))
            here = numbers[start : start + len(part)]
            self._count = hashing.insert(part, self._kept, self._count, self._table, here)
        return numbers

    def _add_few(self, rows: Rows, numbers: dict[bytes, int]) -> NDArray[np.int32]:
        self._make_room(len(rows))
        found = np.empty(len(rows), dtype=np.int32)
        for i, key in enumerate(rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel().tolist()):
            number = numbers.setdefault(key, self._count)
            if number == self._count:
                self._kept[number] = rows[i]
                self._count += 1
            found[i] = number
        return found

    def find(self, row: Rows) -> int | None:
        """The number of one row (shape (words,)), or None."""
        if self._numbers is not None:
            return self._numbers.get(np.ascontiguousarray(row, dtype=np.uint64).tobytes())
        slot = hashing.place_of(row, self._kept, self._table)
        number = int(self._table[slot])
        return None if number < 0 else number

    def growth(self, more: int) -> int:
        """The bytes that entering so many rows may take at once, on top of what is held now."""
        need = self._count + min(more, _CHUNK)
        rows = self._larger(need) * self._kept.shape[1] * 8 if need > len(self._kept) else 0
        has_table = self._numbers is None or self._few <= more
        grows = has_table and 3 * need > 2 * len(self._table)
        return rows + (4 << (2 * need - 1).bit_length() if grows else 0)

    def _larger(self, need: int) -> int:
        return max(need, len(self._kept) + (len(self._kept) >> 1))

    def _make_room(self, more: int) -> None:
        need = self._count + more
        if need > _MOST:
            raise LimitReached("positions", _MOST, "that one table can number")
        if need > len(self._kept):
            larger = np.empty((self._larger(need), self._kept.shape[1]), dtype=np.uint64)
            larger[: self._count] = self.rows
            self._kept = larger
        if self._numbers is None and 3 * need > 2 * len(self._table):
            size = 1 << (2 * need - 1).bit_length()
            self._table = np.full(size, -1, dtype=np.int32)
            hashing.refill(self._kept, self._count, self._table)
