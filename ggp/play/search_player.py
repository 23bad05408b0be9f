"""The player of `ggp serve`: for a state and a role ever better moves, until told to stop.

It plays perfectly wherever the game, or what is left of it, is solved within the time. Elsewhere it
searches (`ggp.play.search`), where roles do not see all some of the states that are possible, and
without a net state by state.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from ggp.errors import GgpError, LimitReached
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget, Limits
from ggp.machine import Progress, explore
from ggp.play.beliefs import Beliefs
from ggp.play.drawing import move_by
from ggp.play.endgame import Endgame, Ending
from ggp.play.flat import FlatPlayer
from ggp.play.guessing import GUESSING, Guessing
from ggp.play.insights import ASKING, how_solved, of_search, of_solution, of_states, of_way, sure
from ggp.play.player import Insight, Player, Suggestion
from ggp.play.playouts import load_loops
from ggp.play.search.by_states import StateSearch
from ggp.play.search.leaves import Leaves, Settings
from ggp.play.search.search import TreeSearch
from ggp.play.search.sums import ValuedSums
from ggp.play.search.tree import bytes_of
from ggp.play.search.warm import warm_up, warm_up_sums
from ggp.solver import GameSolution, Solution, solve
from ggp.solver.alone.beams import LineSearch, LineStep

EARLY, EARLY_SHARE = 0.3, 0.05
"""Seconds of search before that, and the part of the time for preparation, at the most: what is
needed for a first move is there then, and machine code is made meanwhile."""

SOLVING = 0.75
"""The part of what is left for preparation then that goes into solving the game."""

SEARCH_SHARE = 0.3
"""The part of a move's time that goes into solving what is left of the game."""

PROVING = 0.3
"""The part of the time for preparation that goes into the proof that positions have values."""

VALUING = 0.2
"""The part of a move's time that goes into valuing the pieces of a position."""

PATIENCE, MOST_PATIENCE = 4, 16
"""Moves before that is tried once more where it was in vain: twice as many each time."""

TREE_MEMORY = 1 << 30
"""Bytes for the tree, unless told otherwise."""

SAMPLE = 1 << 12
"""Positions of the tree whose size says what one takes."""

MOST_NODES = 8_000_000
"""Positions of a tree, however much memory there is."""

TELLING = 0.1
"""Seconds between two suggestions."""


class SearchPlayer(Player):
    """Solves, and searches where that is too much.

    Where positions have values by proof, those of the pieces that they fall into are used if it
    `uses_values`.
    `positions` bounds the memory of its solving, `memory` (bytes) that of its tree; `threads`
    search at once.
    """

    uses_values = False
    plays_at_random = True
    """Whether leaves are judged by random play, in which roles are to look ahead where they can."""

    def __init__(
        self,
        game: Game,
        role: str,
        *,
        seed: int | None = None,
        positions: int = 2_000_000,
        progress: Progress | None = None,
        threads: int = 1,
        memory: int = TREE_MEMORY,
    ) -> None:
        super().__init__(game, role, seed=seed, progress=progress)
        self.positions, self.threads, self.memory = positions, threads, memory
        self.solution: Solution[State, Term] | None = None
        self._hopeless = False
        self._in_vain, self._patience = 0, PATIENCE
        self._search: TreeSearch | None = None
        self._endgame: Endgame | None = None
        self._doubts: TreeSearch | None = None
        self._states = StateSearch(game, self.index, self.rng)
        self._flat = FlatPlayer(game, role, seed=seed, progress=progress)
        self._guessing = Guessing(game, self.index, self.rng, self._flat)
        self._lines: LineSearch | None = None
        if len(game.roles) == 1 and game.is_ground and not game.has_percepts:
            self._lines = LineSearch(game, seed=int(self.rng.integers(1 << 62)))

    def load(self) -> None:
        """The loops of the search."""
        if self.game.is_ground:
            warm_up()
        else:
            load_loops(self.game)

    def choose(self, state: State, seconds: float) -> Term:
        """The last of the suggestions."""
        *_, last = self.suggestions(state, seconds)
        return last.move

    def prepare(self, seconds: float) -> bool:
        """Try to solve the whole game, and think about its beginning, within `seconds`; says
        whether it is solved."""
        if self.game.has_percepts:
            return False
        if not self.game.is_ground:
            self.ponder(self.game.initial, seconds)
            return False
        until = time.monotonic() + seconds
        self.ponder(self.game.initial, min(EARLY, EARLY_SHARE * seconds))
        self.game.machine.compile_soon()
        self._solve(until - time.monotonic())
        is_solved = self._answers(self.game.initial)
        if not is_solved:
            self._value(min(PROVING * seconds, until - time.monotonic()))
            self._foresee()
            self._look_ahead(self.game.initial, until)
            self.ponder(self.game.initial, until - time.monotonic())
        return is_solved

    def _answers(self, state: State) -> bool:
        """Whether there is a solution that says what a state is worth."""
        if self.solution is None:
            return False
        self.solution.limit(ASKING)
        try:
            self.solution.worth(state)
        except GgpError:
            return False
        return True

    def _solve(self, left: float) -> None:
        """Try to solve the whole game, where circuits of large rules have not taken all the time:
        so much is `left`."""
        if left <= 0:
            return
        try:
            self.solution = solve(
                self.game,
                time=left * SOLVING,
                positions=self.positions,
                progress=self.progress,
            )
        except LimitReached:
            pass
        except GgpError:
            # Best play is not determined, or rules go wrong somewhere: play on without proof.
            self._hopeless = True

    def _foresee(self) -> None:
        """Let roles look ahead in the random play of the search as soon as that can be."""
        if self._search and self.plays_at_random:
            self._search.leaves.foresee_soon()

    def _value(self, seconds: float) -> None:
        """Look for a proof, within some seconds, that positions have values."""
        if self.uses_values and len(self.game.roles) == 2 and seconds > 0:
            warm_up_sums()
            sums = ValuedSums.of(self.game, replace(self.game.limits, seconds=seconds))
            if sums:
                self._endgame = Endgame(self.game, self.index, sums)
                self._search = None

    def _ending(self, state: State, seconds: float) -> Ending | None:
        """A move by values, where all of a state is valued within some seconds."""
        endgame = self._endgame
        if endgame is None or not endgame.sums.may_arise(state.bits):
            return None
        with suppress(LimitReached):
            return endgame.choose(state, time.monotonic() + seconds, self.heed)
        return None

    def _look_ahead(self, state: State, until: float) -> LineStep | None:
        """The best way to the end that is found in half the time, for one role that plays alone."""
        if self._lines is None:
            return None
        with suppress(LimitReached):
            half = (time.monotonic() + until) / 2
            self._lines.search(state, half, self.heed)
        return self._lines.way(state)

    def ponder(self, state: State, seconds: float) -> None:
        """Think about a state for `seconds`, whoever is to move; what is found is kept."""
        until = time.monotonic() + seconds
        if time.monotonic() >= until or self._answers(state):
            return
        with suppress(LimitReached):
            if self._can_search(state):
                self._started(state).run(until, heed=self.heed)
            elif not self.game.is_ground and not self.game.has_percepts and not state.terminal:
                self._states.start(state)
                self._states.run(until, self.heed)

    def suggestions(self, state: State, seconds: float) -> Iterator[Suggestion]:
        """Ever better moves within about `seconds`; the first comes at once.

        Every one is legal. Nothing is suggested where the role has no legal move.
        """
        until = time.monotonic() + seconds
        legal = state.legal(self.role)
        if not legal:
            return
        yield Suggestion(legal[0], len(legal) == 1, "the only move" if len(legal) == 1 else "first")
        if len(legal) == 1:
            return
        ending = self._ending(state, seconds * VALUING)
        if ending is not None:
            yield Suggestion(ending.move, True, ending.why)
            return
        best = self._perfect(state, seconds * SEARCH_SHARE)
        if best is not None:
            assert self.solution is not None
            yield Suggestion(best, True, how_solved(self.solution, state, self.role))
        elif self._can_search(state):
            yield from self._alone(state, until) if self._lines else self._searched(state, until)
        elif not self.game.is_ground:
            yield from self._states.suggestions(state, until, self.heed, TELLING)
        else:
            yield from self._flat.sampled(state, until)

    def insight(self, state: State) -> Insight:
        """What the solution, or the search, says of the state that was last asked about."""
        if self.solution is not None and self._answers(state):
            return of_solution(self.solution, state, self.role)
        way = self._lines.way(state) if self._lines else None
        if self._lines and way and way.goal == self._lines.most:
            return of_way(self._lines, state)
        if self._states.is_about(state) and self._states.visits:
            return of_states(self._states, self.index)
        search = self.search_of(state)
        return of_search(search) if search else Insight("nothing to choose")

    @property
    def descents(self) -> int:
        """Descents of the search so far."""
        return self._search.descents if self._search else 0

    def search_of(self, state: State) -> TreeSearch | None:
        """The search, if this is the state that it was last asked about."""
        search = self._search or self._guessing.search
        return search if search and search.is_about(state) else None

    def _can_search(self, state: State) -> bool:
        return (
            self.game.is_ground
            and not self.game.has_percepts
            and not state.terminal
            and all(state.legal_indices())
        )

    def _started(self, state: State) -> TreeSearch:
        """The search, from this state on."""
        if self._search is None:
            seed = int(self.rng.integers(1 << 62))
            words, roles = self.game.machine.coding.words, len(self.game.roles)
            # While a tree is copied there are two.
            most = self.memory // 2 // (bytes_of(SAMPLE, words, roles) // SAMPLE)
            settings = Settings(nodes=max(SAMPLE, min(MOST_NODES, most)))
            self._search = TreeSearch(
                self.game,
                self.index,
                seed=seed,
                settings=settings,
                threads=self.threads,
                sums=self._endgame.sums if self._endgame else None,
                leaves=self._leaves(settings),
            )
        self._search.start(state)
        return self._search

    def _leaves(self, settings: Settings) -> Leaves:
        """What judges the leaves of the tree: random play, unless a player says otherwise."""
        return Leaves(self.game, settings)

    def _alone(self, state: State, until: float) -> Iterator[Suggestion]:
        """As `_searched`, unless a way to the end is known that is at least as good."""
        assert self._lines is not None
        way = self._look_ahead(state, until)
        if way is None or way.goal == self._lines.least:
            yield from self._searched(state, until)
            return
        move = self.game.evaluator.move(self.index, way.move)
        why = f"a way to {way.goal} is known"
        yield Suggestion(move, way.goal == self._lines.most, why)
        if way.goal < self._lines.most:
            for suggestion in self._searched(state, until):
                best = self._search.best() if self._search else None
                if best is None or max(best.low, best.value) <= way.goal:
                    yield Suggestion(move, suggestion.final, why)
                else:
                    yield suggestion

    def _searched(self, state: State, until: float) -> Iterator[Suggestion]:
        """Monte-Carlo tree search until the time is over, or nothing can be bettered."""
        search = self._started(state)
        self._foresee()
        began, before = time.monotonic(), search.descents
        while True:
            search.run(until, heed=self.heed, pause=TELLING)
            best = search.best()
            if best is None:
                # Too many joint moves for a tree.
                yield from self._flat.sampled(state, until)
                return
            move = self.game.evaluator.move(self.index, best.move)
            if search.is_settled and search.sums and best.high <= search.worst:
                yield Suggestion(move, False, sure(search, best))
                yield from self._lost(state, until)
                return
            if search.is_settled:
                yield Suggestion(move, True, sure(search, best))
                return
            why = f"{best.value:.1f} expected, {search.visits:,} descents"
            now = time.monotonic()
            rate = (search.descents - before) / max(now - began, 1e-9)
            # What is tried most cannot be overtaken in the time that is left.
            is_decided = search.lead() > rate * (until - now)
            yield Suggestion(move, is_decided, why)
            if is_decided or now + TELLING / 2 >= until:
                return

    def _lost(self, state: State, until: float) -> Iterator[Suggestion]:
        """A move in a position that is lost by values of pieces, which the other may not know: the
        best by a search without them."""
        if self._doubts is None:
            seed = int(self.rng.integers(1 << 62))
            self._doubts = TreeSearch(self.game, self.index, seed=seed, settings=GUESSING)
        best = self._doubts.think(state, until - time.monotonic(), self.heed)
        if best is not None:
            move = self.game.evaluator.move(self.index, best.move)
            yield Suggestion(move, True, "lost by the values of pieces, if the other knows")

    def guesses(self, beliefs: Beliefs, seconds: float) -> Iterator[Suggestion]:
        """Ever better moves where the state is not known, as `suggestions`; see `Guessing`."""
        if len(beliefs.states) == 1 and not self.game.has_percepts:
            yield from self.suggestions(beliefs.states[0], seconds)
        else:
            yield from self._guessing.suggestions(beliefs, seconds, self.heed)

    def _perfect(self, state: State, seconds: float) -> Term | None:
        """A best move if the game from `state` on is solved or can be in time."""
        if self.solution is None and self.game.is_ground and not self._hopeless:
            self._in_vain -= 1
            if self._in_vain > 0:
                return None
            limits = replace(self.game.limits, seconds=seconds, positions=self.positions)
            try:
                self.solution = _solve_from(self.game, state, limits, self.progress)
            except LimitReached:
                self._in_vain = self._patience
                self._patience = min(MOST_PATIENCE, 2 * self._patience)
                return None
            except GgpError:
                self._hopeless = True
        if self.solution is None:
            return None
        return move_by(self.solution, state, self.role, self.rng, seconds)


def _solve_from(
    game: Game, state: State, limits: Limits, progress: Progress | None
) -> Solution[State, Term]:
    """The solution of what can follow `state`."""
    budget = Budget(limits)
    # Whose turn it is has to be found out first, which may take longer than all the rest.
    with game.within(budget):
        space = explore(game.machine, [state.bits], budget, progress=progress)
        return GameSolution(game, space, limits=limits)


class ValuesPlayer(SearchPlayer):
    """The same with values of the pieces that positions fall into, where they have values."""

    uses_values = True
