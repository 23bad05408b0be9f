"""Which moves come to more than others in random play, and are made more often in it.

The averages are those of the move-average sampling technique (MAST; Finnsson and Björnsson,
"Simulation-Based Approach to General Game Playing", AAAI 2008), with two changes. A gain is told
against other plays from the same position: without that, moves that are made where all is lost
anyway look bad (measured: docs/strength.md). And as 512 plays go by one circuit, a play favours
some moves over all of its length, drawn by their averages, and chooses among those.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.ground import Net
from ggp.later import Later
from ggp.machine.engine.frames import LANES, WORDS
from ggp.machine.playouts.playouts import Favour

if TYPE_CHECKING:
    from ggp.play.search import favouring
else:
    favouring = Later("ggp.play.search.favouring")

WIDTH, PRIOR = 0.025, 20.0
"""The average gain, a part of 100, of a move that is favoured in e of e + 1 plays; and how many
plays that gained nothing are taken to have been seen before."""

FADE = 0.5
"""What is left of gains when the next move is thought about."""


class Habits:
    """The average gain of each move of a net in random play."""

    def __init__(self, net: Net) -> None:
        self._bounds = np.array([*net.move_offset, len(net.legal)], dtype=np.int64)
        self._gained, self._tried = np.zeros(len(net.legal)), np.zeros(len(net.legal))
        self._lock = threading.Lock()

    def favour(self, seed: int) -> Favour:
        """What roles are to favour in the next plays; the same for the same seed and gains."""
        lanes = np.empty((len(self._gained), WORDS), dtype=np.uint64)
        random = np.array([seed], dtype=np.uint64)
        with self._lock:
            favouring.draw(self._gained, self._tried, PRIOR, WIDTH, random, lanes)
        return Favour(lanes)

    def learn(self, favour: Favour, parts: NDArray[np.float64], plays: int) -> None:
        """Take in plays, so many from each state: what each role got, parts of 100 (n, roles)."""
        each = parts.reshape(-1, plays, parts.shape[1])
        gains = (each - each.mean(axis=1, keepdims=True)).reshape(parts.shape)
        with self._lock:
            for i, made in enumerate(favour.made):
                own = gains[i * LANES : (i + 1) * LANES]
                favouring.learn(made, own, self._bounds, self._gained, self._tried)

    def fade(self) -> None:
        """Make less of what is known, as play goes on to other positions."""
        with self._lock:
            self._gained *= FADE
            self._tried *= FADE
