"""What positions can be worth to the first player, in order, each with a number of eight bits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.errors import NotSolvable

MAX_LEVELS = 250
"""Different results of play, of which a byte holds the number."""


@dataclass(frozen=True)
class Levels:
    """Twice the payoffs of the first player, ascending. `total`: what two players have together,
    None for a single one. `start`: the code of a position of which nothing is known yet: a draw
    between two players, for one that no end is in reach, which is less than any end. `has_draw`:
    whether that is the code of some ends as well.
    """

    doubled: tuple[int, ...]
    total: int | None
    start: int
    has_draw: bool = False

    @classmethod
    def of(cls, results: frozenset[int], players: int) -> Levels:
        """Those of some results of play (see `Payoffs.results`).

        Raises `NotSolvable` where they are too many, or the interests of two are not opposed.
        """
        if len(results) > MAX_LEVELS:
            raise NotSolvable(f"passes: more than {MAX_LEVELS} different results of play")
        first = {2 * (result >> 32) for result in results}
        if players == 1:
            return cls((-1, *sorted(first)), None, 0)
        totals = {(result >> 32) + (result & 0xFFFFFFFF) for result in results}
        if len(totals) > 1:
            raise NotSolvable("passes: the interests of the two roles are not opposed")
        # Without an end there is nothing to share.
        total = totals.pop() if totals else 0
        doubled = sorted(first | {total})
        return cls(tuple(doubled), total, doubled.index(total), total in first)

    def codes(self, payoffs: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The codes of ends from the payoffs of the first player."""
        return np.searchsorted(self.doubled, 2 * payoffs).astype(np.uint8)

    def is_final(self, codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Whether nothing can be better for whom it is good: values move away from the start."""
        top = len(self.doubled) - 1
        found: NDArray[np.bool_] = (codes == top) if top > self.start else codes > top
        if self.start > 0:
            found = found | (codes == 0)
        return found

    def scores(self, code: int) -> list[float]:
        """What each player gets."""
        first = self.doubled[code] / 2
        return [first] if self.total is None else [first, self.total - first]
