"""Moves where the state is not known: the best on average over states that may be the one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle

import numpy as np

from ggp.game import Game, State
from ggp.kif import Term
from ggp.play.beliefs import Beliefs
from ggp.play.flat import FlatPlayer
from ggp.play.player import Suggestion
from ggp.play.search.leaves import Settings
from ggp.play.search.search import TreeSearch

SLICE = 0.05
"""Seconds at the least for one of several states that may be the one."""

GUESSING = Settings(nodes=100_000)
"""How each of them is searched."""


class Guessing:
    """Searches the possible states, or as many as there is time for, drawn by how likely they are,
    and makes the move that is best on average.

    Perfect information Monte-Carlo (Ginsberg, "GIB: Imperfect information in a computationally
    challenging game", JAIR 14, 2001). That is no more than a guess: it takes the others to know
    what they do not, and itself to learn it.
    """

    def __init__(self, game: Game, index: int, rng: np.random.Generator, flat: FlatPlayer) -> None:
        self._game, self._index, self._rng, self._flat = game, index, rng, flat
        self.search: TreeSearch | None = None

    def suggestions(
        self, beliefs: Beliefs, seconds: float, heed: Callable[[], None]
    ) -> Iterator[Suggestion]:
        """Ever better moves within about `seconds`; the first comes at once."""
        until = time.monotonic() + seconds
        legal = beliefs.legal()
        if not legal:
            return
        yield Suggestion(legal[0], len(legal) == 1, "the only move" if len(legal) == 1 else "first")
        states = [s for s in beliefs.open if not s.terminal and all(s.legal_indices())]
        if len(legal) == 1 or not states:
            return
        slices = max(1, int(seconds / SLICE))
        weights = self._drawn({s: beliefs.weights[s] for s in states}, slices)
        slices = min(len(weights), slices)
        total = dict.fromkeys(legal, 0.0)
        for count, (state, weight) in enumerate(cycle(weights.items()), start=1):
            if time.monotonic() >= until:
                return
            for move, value in self._values(state, seconds / slices, until, heed).items():
                if move in total:
                    total[move] += weight * value
            best = max(legal, key=lambda move: total[move])
            known = min(count, len(weights))
            yield Suggestion(best, False, f"best on average over {known} possible states")

    def _drawn(self, weights: Mapping[State, float], most: int) -> dict[State, float]:
        """The states in an order by chance, with what each counts; so many draws of them where
        there are more."""
        states, likely = list(weights), np.array(list(weights.values()))
        if len(states) > most:
            counts = self._rng.multinomial(most, likely / likely.sum())
            return {states[i]: float(counts[i]) for i in self._rng.permutation(counts.nonzero()[0])}
        return {states[i]: float(likely[i]) for i in self._rng.permutation(len(states))}

    def _values(
        self, state: State, seconds: float, until: float, heed: Callable[[], None]
    ) -> dict[Term, float]:
        """What each move of the role is worth in a state that may be the one, by so many seconds
        of search, or without a net by a round of plays before `until`."""
        if not self._game.is_ground:
            goals, count = next(self._flat.rounds(state, until), (None, 1))
            if goals is None:
                return {}
            found = (goals / count).tolist()
            return dict(zip(state.legal(self._flat.role), found, strict=True))
        if self.search is None:
            seed = int(self._rng.integers(1 << 62))
            self.search = TreeSearch(self._game, self._index, seed=seed, settings=GUESSING)
        left = min(seconds, until - time.monotonic())
        if self.search.think(state, left, heed) is None:
            return {}
        name = self._game.evaluator.move
        return {name(self._index, r.move): r.value for r in self.search.reports()}
