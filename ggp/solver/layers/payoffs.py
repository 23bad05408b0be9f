"""What the players of a game get at its ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.game import Game


@dataclass(frozen=True)
class Payoffs:
    """What the players of a game, one or two, get from goals of its roles.

    `swapped`: each of the two gets the goals of the other.
    """

    game: Game
    swapped: bool = False

    def of(self, goals: NDArray[np.int16]) -> NDArray[np.int64]:
        """What the players get (n, players), in their order, from goals (n, roles)."""
        own = goals[:, list(self.game.player_indices)]
        return (own[:, ::-1] if self.swapped else own).astype(np.int64)

    def results(self, goals: NDArray[np.int16]) -> set[int]:
        """Different results, each as a number: of two players' payoffs, or of one's."""
        payoff = self.of(goals)
        numbers = payoff[:, 0] << 32
        if payoff.shape[1] == 2:
            numbers = numbers + payoff[:, 1]
        return set(np.unique(numbers).tolist())

    def codes(self, goals: NDArray[np.int16], scores: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The places of what the first player gets among the `scores`, ascending."""
        return np.searchsorted(scores, self.of(goals)[:, 0]).astype(np.uint8)

    def is_low(self, mover: NDArray[np.int16]) -> NDArray[np.uint8]:
        """1 where the role that has a choice keeps the first player's payoff low: the second's."""
        players = self.game.player_indices
        is_second: NDArray[np.bool_] = mover == players[-1]
        return (is_second & (len(players) > 1)).astype(np.uint8)
