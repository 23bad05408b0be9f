"""Players to measure others by."""

from __future__ import annotations

import time
from functools import cached_property
from itertools import islice, product

from ggp.errors import GgpError, NotSolvable
from ggp.game import State
from ggp.kif import Term
from ggp.play.drawing import draw
from ggp.play.player import Player
from ggp.play.search.leaves import Settings
from ggp.play.search.search import TreeSearch
from ggp.play.search.warm import warm_up
from ggp.solver import SimultaneousSolution, Solution, solve

JOINT = 1_000
"""Joint moves of a state that the greedy player looks at."""

PLAIN = Settings(batch=1, plays=1, lanes=1, explore=0.7, trust=0.01, expand_at=1, wide=1 << 30)
"""UCT as it was first: one random play a descent, nothing known of a position beforehand."""


class RandomPlayer(Player):
    """Any legal move, each as likely as the others."""

    def choose(self, state: State, seconds: float) -> Term:
        """Chosen by chance."""
        return state.legal(self.role)[int(self.rng.integers(len(state.legal(self.role))))]


class FirstPlayer(Player):
    """The first legal move in the order of their texts."""

    def choose(self, state: State, seconds: float) -> Term:
        """The first."""
        return state.legal(self.role)[0]


class GreedyPlayer(Player):
    """The move after which the goal is best on average, as far as the rules give one at once;
    by chance among equals."""

    def choose(self, state: State, seconds: float) -> Term:
        """Looks one move ahead, as far as the time goes."""
        best: list[Term] = []
        most, until = -1.0, time.monotonic() + seconds
        for move in state.legal(self.role):
            if best and time.monotonic() > until:
                break
            worth = self._after(state, move)
            if worth > most:
                best, most = [], worth
            if worth == most:
                best.append(move)
        return best[int(self.rng.integers(len(best)))]

    def _after(self, state: State, move: Term) -> float:
        """The mean goal after a move, whatever others do; no goal counts as none."""
        roles = self.game.roles
        choices = [[move] if role == self.role else list(state.legal(role)) for role in roles]
        goals = []
        for joint in islice(product(*choices), JOINT):
            after = state.play(dict(zip(roles, joint, strict=True)))
            try:
                goals.append(after.goals[self.role])
            except GgpError:
                goals.append(0)
        return sum(goals) / len(goals) if goals else 0.0


class UctPlayer(Player):
    """Plain UCT (Kocsis and Szepesvári 2006): one descent and one random play at a time."""

    def load(self) -> None:
        """The loops of the search."""
        warm_up()

    @cached_property
    def search(self) -> TreeSearch:
        """Its tree."""
        own = int(self.rng.integers(1 << 62))
        return TreeSearch(self.game, self.index, seed=own, settings=PLAIN)

    def choose(self, state: State, seconds: float) -> Term:
        """The move tried most."""
        legal = state.legal(self.role)
        best = self.search.think(state, seconds, self.heed) if len(legal) > 1 else None
        return legal[0] if best is None else self.game.evaluator.move(self.index, best.move)


class PerfectPlayer(Player):
    """Best play by the exact solution, however long that takes; raises `NotSolvable` or
    `LimitReached` where there is none."""

    is_timed = False
    _solution: Solution[State, Term] | None = None

    def prepare(self, seconds: float) -> bool:
        """Solve the game."""
        if self.game.has_percepts:
            raise NotSolvable("the rules say what roles see: who plays does not know the state")
        if self._solution is None:
            self._solution = solve(self.game, progress=self.progress)
        if isinstance(self._solution, SimultaneousSolution):
            self._solution.bounds(self.game.initial)  # raises where it is not determined
        return True

    def choose(self, state: State, seconds: float) -> Term:
        """A best move; where several move at once drawn by a best strategy, or where interests
        differ that of the pure equilibrium which the solution tells."""
        self.prepare(seconds)
        solution = self._solution
        assert solution is not None
        legal = state.legal(self.role)
        if len(legal) == 1:
            return legal[0]
        if isinstance(solution, SimultaneousSolution):
            return draw(solution.mixed(state)[self.role], self.rng)
        return solution.progress(state)
