"""Positions and moves as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ggp.arrays import runs
from ggp.machine import by_target

Ints = NDArray[np.int64]

NEAR = 1e-9
"""Of the largest score: means that differ by less count as the same."""

ENDED, CHANCE = -1, -2
"""The mover at the end of play, and where every move is equally likely."""


@dataclass(frozen=True, eq=False)
class PositionGraph:
    """Positions 0 … n-1 of a game in which one player moves at a time.

    `mover` (n,): index of the player to move, `ENDED` at the end of play, `CHANCE` where chance
    decides. `payoff` (n, players): the
    scores at the end of play, ignored elsewhere. `first_edge` (n + 1,) and `target` (edges,): the
    edges that leave position `i` are `first_edge[i]` to `first_edge[i + 1]`. `bounds`: the worst
    and the best score of player 0 anywhere in the game, whether these positions reach it or not.
    `later` (n,): of ends that stand for positions which are solved already, the moves until play
    is over; None: no end does. `halves`: the first position, if any, of those at the end that stand
    between the choice of a player and chance in one and the same move.
    """

    mover: NDArray[np.int16]
    payoff: NDArray[np.float64]
    first_edge: NDArray[np.int64]
    target: NDArray[np.int32]
    bounds: tuple[float, float]
    later: NDArray[np.int32] | None = None
    halves: int | None = None

    def __len__(self) -> int:
        return len(self.mover)

    @cached_property
    def out_degree(self) -> Ints:
        """Number of edges that leave each position."""
        return np.diff(self.first_edge)

    @cached_property
    def source(self) -> NDArray[np.int32]:
        """The position that each edge leaves."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.out_degree)

    @cached_property
    def _incoming(self) -> tuple[Ints, NDArray[np.int32]]:
        return by_target(self.target, len(self))

    def edges_into(self, positions: Ints) -> NDArray[np.int32]:
        """All edges that lead to one of `positions`."""
        first, order = self._incoming
        return order[runs(first[positions], first[positions + 1] - first[positions])]

    def edges_from(self, positions: Ints) -> Ints:
        """All edges that leave one of `positions`, in the order of the positions."""
        return runs(self.first_edge[positions], self.out_degree[positions])

    @cached_property
    def has_chance(self) -> bool:
        """Whether chance decides anywhere."""
        return bool((self.mover == CHANCE).any())

    @property
    def is_zero_sum(self) -> bool:
        """Whether the scores at every end of play have the same sum."""
        ends = self.payoff[self.mover == ENDED]
        return len(ends) == 0 or bool(np.ptp(ends.sum(axis=1)) == 0)

    @cached_property
    def slack(self) -> float:
        """Scores that differ by no more are equally good: means are rounded where chance decides,
        by far less than this."""
        return NEAR * float(np.abs(self.payoff).max(initial=0.0)) if self.has_chance else 0.0

    @property
    def has_ties(self) -> bool:
        """Whether the indifference of a player may decide about a score, as never of two who are
        opposed, or of one."""
        players = self.payoff.shape[1]
        return players > 2 or (players == 2 and not self.is_zero_sum)
