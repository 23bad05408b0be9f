"""Images of packed positions under symmetries of the rules, of which one stands for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.later import Later
from ggp.machine import Coding, Rows
from ggp.solver.layers.windows import WINDOW, windows

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
else:
    kernels = Later("ggp.solver.layers.kernels")


class Images:
    """Permutations of fluents that map each group to a group, as tables of packed bits.

    Of the given permutations (each a list: where every fluent goes) those that do not are left out.
    `permutations`: those that are left, without the identity; of a group, a group with it. `width`
    of windows (bits): a table for each permutation has two to that power rows for each of them.
    """

    def __init__(
        self, coding: Coding, permutations: Iterable[Sequence[int]], *, width: int = WINDOW
    ) -> None:
        self._coding = coding
        self._place = {
            fluent: (number, code)
            for number, field in enumerate(coding.fields)
            for fluent, code in field.codes
        }
        kept = [p for p in permutations if list(p) != sorted(p) and self._keeps_groups(p)]
        self.permutations = [tuple(p) for p in kept]
        self._windows = windows(coding, range(len(coding.fields)), width)
        size = int((1 << self._windows[:, 1]).sum())
        self._tables = np.zeros((len(kept), size, coding.words), dtype=np.uint64)
        for table, permutation in zip(self._tables, kept, strict=True):
            self._fill(table, permutation)

    @property
    def order(self) -> int:
        """How many images there are, the position itself being one."""
        return 1 + len(self.permutations)

    def __call__(self, rows: Rows) -> Rows:
        """The least image of each row, in place."""
        if self.permutations:
            kernels.least_images(rows, self._windows, self._tables)
        return rows

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """What the loops take: windows, and for each permutation a table."""
        return self._windows, self._tables

    def _keeps_groups(self, permutation: Sequence[int]) -> bool:
        for field in self._coding.fields:
            to = {self._place[permutation[fluent]][0] for fluent, _ in field.codes}
            other = self._coding.fields[to.pop()]
            exact = field.codes[0][1] == 0
            if to or len(other.codes) != len(field.codes) or exact != (other.codes[0][1] == 0):
                return False
        return True

    def _fill(self, table: Rows, permutation: Sequence[int]) -> None:
        """For each value of each window the bits that its fluents have elsewhere."""
        for first, width, offset in self._windows.tolist():
            values = np.arange(1 << width)
            for field in self._coding.fields:
                if not first <= field.first < first + width:
                    continue
                own = values >> (field.first - first) & ((1 << field.width) - 1)
                for fluent, code in field.codes:
                    number, image = self._place[permutation[fluent]]
                    bits = image << self._coding.fields[number].first
                    for word in range(self._coding.words):
                        here = bits >> 64 * word & 0xFFFFFFFFFFFFFFFF
                        if here:
                            table[offset + values[own == code], word] |= np.uint64(here)


def symmetrised(
    weights: Mapping[int, int], permutations: Sequence[Sequence[int]]
) -> dict[int, int]:
    """Weights that are the same for all images: those of each fluent and of where it goes, added.

    With the permutations of a group the sum falls with every move if it did before.
    """
    found = dict(weights)
    for permutation in permutations:
        for fluent, to in enumerate(permutation):
            if to in weights:
                found[fluent] = found.get(fluent, 0) + weights[to]
    return found
