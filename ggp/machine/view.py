"""What holds in states, and what a state leads to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ggp.ground import Net
from ggp.machine.coding import Rows

NO_GOAL = -1
MANY_GOALS = -2

Lanes = NDArray[np.int64]
"""Which row each case is about."""


def require(is_right: bool, fault: str) -> None:
    """Raise `ValueError` for arguments that make no sense."""
    if not is_right:
        raise ValueError(fault)


class HasBits(Protocol):
    """A state that knows its number: bit `i` is set if fluent `i` holds."""

    @property
    def bits(self) -> int:
        """That number."""


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


def combinations(view: View, start: int, stop: int) -> tuple[Lanes, NDArray[np.int32]]:
    """The joint moves of the states from `start` to `stop` of a view that are not terminal.

    The number of the state of each (ascending), and the moves (n, roles).
    """
    counts = view.counts[start:stop]
    lanes = start + np.flatnonzero(~view.terminal[start:stop] & (counts > 0).all(axis=1))
    joint = np.zeros((len(lanes), 0), dtype=np.int32)
    first = view.first[:-1]
    for role in range(counts.shape[1]):
        times = view.counts[lanes, role].astype(np.int64)
        own = first[lanes] + view.counts[lanes, :role].sum(axis=1)
        picks = np.arange(int(times.sum())) + np.repeat(own - np.cumsum(times) + times, times)
        joint = np.column_stack([np.repeat(joint, times, axis=0), view.legal[picks]])
        lanes = np.repeat(lanes, times)
    return lanes, joint.astype(np.int32)


class GoalValues:
    """What roles get by the goals that hold."""

    def __init__(self, net: Net) -> None:
        # Of each role how many goals hold, and their sum: for all roles by one product.
        self._roles = len(net.roles)
        of = [(role, value) for role, known in enumerate(net.goals) for value, _ in known]
        self._weights = np.zeros((len(of), 2 * self._roles), dtype=np.float32)
        for place, (role, value) in enumerate(of):
            self._weights[place, role] = 1
            self._weights[place, self._roles + role] = value

    def __call__(self, held: NDArray[np.bool_]) -> NDArray[np.int16]:
        """What each role gets in each state (n, roles), as in `View.goals`.

        `held` (n, goals): which goals hold, of one role after the other, as in `Net.goals`.
        """
        told = held.astype(np.float32) @ self._weights
        times, goals = told[:, : self._roles], told[:, self._roles :].astype(np.int16)
        goals[times == 0] = NO_GOAL
        goals[times > 1] = MANY_GOALS
        return goals
