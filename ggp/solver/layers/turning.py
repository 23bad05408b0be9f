"""Whose turn it is in packed positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.errors import NotSolvable
from ggp.game import Game
from ggp.later import Later
from ggp.machine import Rows
from ggp.solver.layers.ranks import Ranks

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
else:
    kernels = Later("ggp.solver.layers.kernels")

MAX_TURN = 20
"""Fluents that tell whose turn it is."""


class Turning:
    """Whose turn it is: of whoever has a choice, or else as the rules tell.

    Raises `NotSolvable` where more than `MAX_TURN` fluents tell.
    """

    def __init__(self, game: Game) -> None:
        turns = game.turns if len(game.roles) > 1 else None
        mask = turns.mask if turns else 0
        fluents = [i for i in range(mask.bit_length()) if mask >> i & 1]
        if len(fluents) > MAX_TURN:
            raise NotSolvable(f"more than {MAX_TURN} fluents tell whose turn it is")
        weights = {fluent: 1 << n for n, fluent in enumerate(fluents)}
        self._is_told = turns is not None
        self._codes = Ranks(game.packed_machine.coding, weights)
        self._role = np.full(1 << len(fluents), -1, dtype=np.int16)
        for bits, role in turns.settings if turns else ():
            self._role[sum(w for fluent, w in weights.items() if bits >> fluent & 1)] = role
        self._player = np.full(len(game.roles) + 1, -1, dtype=np.int8)
        self._player[list(game.player_indices)] = np.arange(len(game.players))
        self._count = len(game.players)

    def __call__(self, rows: Rows, mover: NDArray[np.int16]) -> NDArray[np.int8]:
        """The number of the player whose turn it is, -1 where that is not told.

        `mover` as in `Looked`.
        """
        turn = self._player[np.maximum(mover, -1)]
        forced, ended = mover == kernels.FORCED, mover == kernels.OVER
        turn[ended] = -1
        if self._is_told:
            told = self._role[self._codes(rows)]
            turn[forced] = np.where(told[forced] >= 0, self._player[told[forced]], 0)
            turn[ended] = self._player[told[ended]]
        else:
            turn[forced] = 0 if self._count == 1 else -1
        return turn
