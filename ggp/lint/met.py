"""The states that deep checks look at: all that play can reach, or those of many random plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.evidence import Witness
from ggp.analysis.positions import Positions
from ggp.game import Game
from ggp.machine import Rows

CHUNK = 8_192
"""States that are unpacked at a time."""


@dataclass(frozen=True)
class Met:
    """States of one game, the initial one first.

    `terminal` (n,), `goals` and `counts` (n, roles): as in a `View`.
    """

    game: Game
    context: Positions
    is_all: bool
    rows: Rows
    terminal: NDArray[np.bool_]
    goals: NDArray[np.int16]
    counts: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def scope(self) -> str:
        """How far this goes, in words."""
        return (
            f"all {len(self):,} positions"
            if self.is_all
            else f"{len(self):,} states of random play"
        )

    def witness(self, place: int) -> Witness:
        """The facts of a state, and joint moves that lead to it."""
        if self.is_all:
            return self.context.witness(self.context.reachable, place)
        return self.context.samples.witness(place)

    def held(self) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Which fluents hold, in pieces: the place of the first state, and (states, fluents)."""
        coding = self.game.machine.coding
        for start in range(0, len(self.rows), CHUNK):
            yield start, coding.held(self.rows[start : start + CHUNK])


def met(context: Positions) -> Met:
    """The states of a game: all of them if they are few, else those of random plays."""
    game = context.game
    if context.are_few:
        space = context.reachable
        return Met(game, context, True, space.rows, space.terminal, space.goals, space.legal_counts)
    plays = context.samples.plays
    return Met(game, context, False, plays.rows, plays.terminal, plays.goals, plays.counts)
