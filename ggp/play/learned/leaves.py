"""Leaves of a search judged by what was learned, in place of random play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.game import Game
from ggp.machine import Rows, View
from ggp.play.learned.model import Model
from ggp.play.search.leaves import Leaves, Settings

LEAST, MOST = 0.2, 5.0
"""Bounds of how keen a search is to try a move, beside one that nothing is known of."""

EVEN = 0.5


class LearnedLeaves(Leaves):
    """The worth of a leaf is what the network says, and moves that it thinks well of are tried more
    (Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial
    Intelligence 61, 2011; Silver and others, Science 362, 2018)."""

    def __init__(self, game: Game, settings: Settings, model: Model) -> None:
        super().__init__(game, settings)
        self._model = model
        self._coding = game.machine.coding
        net = game.net
        # For each move the player and the action, -1 of chance.
        self._player = np.full(len(net.legal), -1, dtype=np.int64)
        self._action = np.zeros(len(net.legal), dtype=np.int64)
        for player, role in enumerate(game.player_indices):
            first, count = net.move_offset[role], len(net.moves[role])
            self._player[first : first + count] = player
            self._action[first : first + count] = np.arange(count)

    def played(self, rows: Rows, seed: int, until: float) -> tuple[NDArray[np.float64], set[int]]:
        """What each role gets from some states on, parts of 100, as the network has it."""
        model = self._model
        worth = model.worth(model.deep(self._coding.held(rows))).astype(np.float64)
        means = np.full((len(rows), len(self._game.roles)), EVEN)
        # One player alone gets 0 to 1, several get -1 to 1.
        parts = worth if model.players == 1 else (worth + 1) / 2
        means[:, self._players] = parts.clip(0, 1)
        return means, set()

    def bias(self, rows: Rows, view: View, count: int) -> NDArray[np.float64]:
        """The root of how much likelier than others the network would make each move."""
        first = view.first[: count + 1]
        legal = view.legal[: first[-1]]
        logits = self._model.moves(self._model.deep(self._coding.held(rows[:count])))
        state = np.repeat(np.arange(count), np.diff(first))
        player = self._player[legal]
        chosen = player >= 0
        own = np.where(chosen, logits[state, player, self._action[legal]], 0).astype(np.float64)
        # Of each role in each state by itself.
        group = state * (len(self._players) + 1) + player + 1
        _, place, size = np.unique(group, return_inverse=True, return_counts=True)
        top = np.full(len(size), -np.inf)
        np.maximum.at(top, place, own)
        weight = np.exp(own - top[place])
        total = np.bincount(place, weight, len(size))
        even = weight / total[place] * size[place]
        return np.where(chosen, np.sqrt(even).clip(LEAST, MOST), 1.0)
