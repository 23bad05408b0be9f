"""What holds in states, and what a state leads to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.machine.coding import Rows

NO_GOAL = -1
MANY_GOALS = -2


@dataclass(frozen=True)
class View:
    """What holds in n states.

    `terminal` (n,); `goals` (n, roles): a role's value, `NO_GOAL` or `MANY_GOALS`; `counts` (n,
    roles): legal moves of each role. The moves of state `i`, of one role after the other and as
    indices into `Net.legal`, are `legal[first[i]:first[i + 1]]`.
    """

    terminal: NDArray[np.bool_]
    goals: NDArray[np.int16]
    counts: NDArray[np.int32]
    first: NDArray[np.int64]
    legal: NDArray[np.int32]

    def moves(self, state: int, role: int) -> NDArray[np.int32]:
        """The legal moves of a role in one of the states, ascending."""
        start = int(self.first[state]) + int(self.counts[state, :role].sum())
        return self.legal[start : start + int(self.counts[state, role])]


@dataclass(frozen=True)
class Children:
    """What one state leads to: joint moves (n, roles), the states (n, words), what holds there."""

    joint: NDArray[np.int32]
    rows: Rows
    view: View
