"""The machine at a sitting: a player for each role that it is asked about."""

from __future__ import annotations

import random
from dataclasses import replace

from ggp.game import Game, State
from ggp.kif import Term
from ggp.machine import Progress
from ggp.play import FlatPlayer, SearchPlayer
from ggp.play.advice import Advice, advice
from ggp.play.search.search import TreeSearch
from ggp.play.simple import PLAIN
from ggp.play.sitting.levels import Level

NODES, BATCH = 20_000, 32
"""Positions of the tree of a bounded search, and descents at once, which cost hardly more than
one."""


class MovePicker:
    """Chooses moves; `heed` is called while it thinks, and may raise `KeyboardInterrupt` to end
    it."""

    def __init__(self, game: Game, heed: Progress | None = None) -> None:
        self.game, self.heed = game, heed
        self._players: dict[str, SearchPlayer] = {}
        self._random = random.Random()

    def choose(self, state: State, role: str, level: Level) -> Term:
        """A legal move of a role that has one."""
        legal = state.require_legal(role)
        if len(legal) == 1:
            return legal[0]
        if self.game.role_index(role) == self.game.chance:
            return self._random.choice(legal)
        if level.descents is not None:
            return self._bounded(state, role, level)
        *_, last = self._player(role, level.seconds).suggestions(state, level.seconds)
        self._look()  # what was interrupted is no choice
        return last.move

    def advice(self, state: State, role: str, level: Level) -> Advice:
        """What each move of a role is worth."""
        found = advice(self._player(role, level.hinting), state, level.hinting)
        self._look()
        return found

    def _player(self, role: str, seconds: float) -> SearchPlayer:
        """The player of a role, which has thought about the game before."""
        player = self._players.get(role)
        if player is None:
            player = SearchPlayer(self.game, role, progress=self.heed)
            solved = (other.solution for other in self._players.values() if other.solution)
            player.solution = next(solved, None)
            if player.solution is None:
                player.prepare(seconds)
            player.heed()  # who was interrupted is not kept
            self._players[role] = player
        return player

    def _bounded(self, state: State, role: str, level: Level) -> Term:
        """The move of a search of so many descents, anew each time."""
        game, index = self.game, self.game.role_index(role)
        if game.is_ground and not game.has_percepts and all(state.legal_indices()):
            settings = replace(PLAIN, nodes=NODES, batch=BATCH)
            search = TreeSearch(game, index, seed=self._random.getrandbits(60), settings=settings)
            search.start(state)
            search.run(descents=level.descents, heed=self._look)
            best = search.best()
            if best is not None:
                return game.evaluator.move(index, best.move)
        return FlatPlayer(game, role, progress=self.heed).choose(state, level.seconds)

    def _look(self) -> None:
        if self.heed:
            self.heed(0, 0)
