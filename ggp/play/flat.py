"""Flat Monte-Carlo: the move with the best average goal over random plays."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ggp.game import State
from ggp.kif import Term
from ggp.play.player import Player, Suggestion
from ggp.play.playouts import hasten, load_loops, sample_bulk, sample_one


class FlatPlayer(Player):
    """Every move is followed by the same number of random plays; nothing is kept."""

    def load(self) -> None:
        """The loops of random play."""
        load_loops(self.game)

    def choose(self, state: State, seconds: float) -> Term:
        """The move with the best average."""
        *_, last = self.suggestions(state, seconds)
        return last.move

    def suggestions(self, state: State, seconds: float) -> Iterator[Suggestion]:
        """Ever better moves; the first comes at once."""
        until = time.monotonic() + seconds
        legal = state.legal(self.role)
        if not legal:
            return
        yield Suggestion(legal[0], len(legal) == 1, "the only move" if len(legal) == 1 else "first")
        if len(legal) > 1:
            yield from self.sampled(state, until)

    def sampled(self, state: State, until: float) -> Iterator[Suggestion]:
        """What is best after each round of plays, until the clock (`time.monotonic`) comes to
        `until`."""
        legal = state.legal(self.role)
        total = np.zeros(len(legal))
        count = 0
        for goals, width in self.rounds(state, until):
            total += goals
            count += width
            best = int(total.argmax())
            why = f"average {total[best] / count:.1f} over {count} plays a move"
            yield Suggestion(legal[best], False, why)

    def rounds(self, state: State, until: float) -> Iterator[tuple[NDArray[np.float64], int]]:
        """The goals summed over so many random plays after each move, until the time is over."""
        own = state.legal_indices()[self.index]
        width, count = max(1, 512 // len(own)), 0
        while time.monotonic() < until and self.game.is_ground:
            total = sample_bulk(state, self.index, self.rng, width, until)
            self.heed()
            if count and time.monotonic() > until:
                return
            yield total, width
            count += 1
            width = min(4096, width * 2)
        hasten(self.game)
        while time.monotonic() < until:
            goals = []
            for move in own:
                goals.append(sample_one(state, self.index, self.rng, move, until))
                self.heed()
            if time.monotonic() < until:
                yield np.array(goals), 1
