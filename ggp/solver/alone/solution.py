"""One role that plays alone: a way to the highest goal, where there are too many positions.

A play that comes to the highest goal of the rules shows what the game is worth, however many
positions there are. It is looked for by beams that grow wider, by sets of moves that are put in
order afterwards, and by planning for so many moves as ends were seen after, in turn and with more
work each time. Where no play goes beyond what is written out, and none of its lengths has a better
end, the best that was found is the value as well. A goal that no state can have when play is over
is none to look for.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from itertools import count, islice
from math import inf

from ggp.analysis import Positions
from ggp.analysis.boards.boards import Boards, NotApplicable
from ggp.analysis.proofs import Proofs
from ggp.analysis.questions.sat import CircuitSolver, TooHard
from ggp.errors import LimitReached, NotSolvable
from ggp.game import State
from ggp.kif import Term
from ggp.limits import Budget, account
from ggp.machine import Progress
from ggp.solver.alone.beams import NARROW, WIDER, LineSearch
from ggp.solver.alone.planning import Planner
from ggp.solver.alone.unordered import UnorderedPlanner
from ggp.solver.gdl import GdlSolution

ROUNDS = 4
"""Rounds before other methods are tried."""

CONFLICTS, GATES = 1_000, 400_000
"""Of the solver for one question, and of what is written out, in the first round; in each that
follows so many times more as a beam is wider."""

PIECE = 100
"""Conflicts between two looks at the account, of a question of which little is known."""

LENGTHS = 8
"""Lengths of plays that are asked about in the first round; twice as many in each that follows."""


class WaySolution(GdlSolution):
    """A game of one role, by a way to the highest goal that can be reached.

    `value` and `progress` are exact for each position of the way, and looked for anew from others;
    `best` is not said, as not all positions are looked at. Raises `NotSolvable` for other games,
    and where nothing is found within `rounds`; `LimitReached`.
    """

    engine = "llvm"

    def __init__(
        self,
        context: Positions,
        *,
        rounds: float = inf,
        progress: Progress | None = None,
        limit: int | None = None,
    ) -> None:
        started = time.monotonic()
        game = context.game
        super().__init__(game)
        if len(game.roles) != 1 or game.has_percepts:
            raise NotSolvable("way: for one role alone from which nothing is hidden")
        self._budget, self._progress, self._rounds = context.budget, progress, rounds
        self._lines, self._limit = LineSearch(game), limit
        self._proofs = context.proofs
        self._value: dict[int, int] = {}
        self.positions = 0
        for root in context.roots:
            self._find(State(game, root))
        self._rounds, self._limit = inf, None
        self._later = context.budget.limits
        self.method = "a way to the best goal, by beams and planning"
        is_highest = all(self._lines.is_best(State(game, root)) for root in context.roots)
        why = "no end can have a higher goal" if is_highest else "no play comes to a higher goal"
        self.reason = f"a play comes to it, and {why}"
        self.seconds = time.monotonic() - started

    def _find(self, state: State) -> int:
        """The best goal that can be reached from a state, to which a way is known from then on."""
        if state.terminal:
            return state.goals[self.players[0]]
        if state.bits not in self._value:
            search = _Search(
                self._lines, state, self._proofs, self._budget, self._progress, self._limit
            )
            try:
                search.run(self._rounds, looks_at_goals=not self._value)
            finally:
                self.positions = self._lines.positions
                search.close()
            way = self._lines.way(state)
            assert way is not None
            goal = way.goal
            # From no position of the best way is there a better one.
            while way is not None:
                search.heed()
                self._value[state.bits] = goal
                state = state.after([way.move])
                way = self._lines.way(state)
            return goal
        return self._value[state.bits]

    def _known(self, position: State) -> tuple[State, int]:
        """A position as a state of this game, and the best goal from there."""
        state = self._own(position)
        if self._lines.is_best(state):
            return state, self._lines.most
        self._budget = account(self._later)
        return state, self._find(state)

    def limit(self, seconds: float) -> None:
        """Give each value that is asked for from now on so much time."""
        self._later = replace(self._later, seconds=seconds)

    def value(self, position: State) -> dict[str, float] | None:
        """The role's goal under best play; raises `LimitReached`, and `NotSolvable` where no play
        comes to an end."""
        return {self.players[0]: self._known(position)[1]}

    def best(self, position: State) -> tuple[Term, ...]:
        """Empty at the end; elsewhere raises `LimitReached`: `progress` is a best move, and whether
        others are as good is not looked at."""
        if self._own(position).terminal:
            return ()
        raise LimitReached("best moves", 1, "that of the way; whether others are as good is open")

    def progress(self, position: State) -> Term:
        """The next move of the way that is known; raises `IllegalMove` where play is over."""
        state, _ = self._known(self._going(position))
        way = self._lines.way(state)
        assert way is not None
        return self.game.evaluator.move(0, way.move)


class _Search:
    """Looks for the best way from one state."""

    def __init__(
        self,
        lines: LineSearch,
        state: State,
        proofs: Proofs,
        budget: Budget,
        progress: Progress | None,
        limit: int | None,
    ) -> None:
        self._lines, self._state, self._proofs, self._limit = lines, state, proofs, limit
        self._budget, self._tell = budget, progress
        self._planner: Planner | None = None
        self._unordered: UnorderedPlanner | None = None
        lines.ends.clear()

    def close(self) -> None:
        """Let go of what is large."""
        for planner in (self._planner, self._unordered):
            if planner:
                planner.close()

    def run(self, rounds: float, *, looks_at_goals: bool) -> None:
        """Look until the best way is known; raises `NotSolvable` where it is not in so many.

        With `looks_at_goals` it is asked first what the highest goal can be.
        """
        lines, state = self._lines, self._state
        for number in count():
            if number >= rounds:
                raise NotSolvable("way: none to the highest goal was found soon")
            times = WIDER**number
            if lines.search(state, inf, self.heed, NARROW * times) or lines.is_best(state):
                break
            boards = self._proofs.boards if number == 0 else None
            if boards and looks_at_goals:
                self._look_at_goals(boards)
            if boards:
                with suppress(NotApplicable):
                    self._unordered = UnorderedPlanner(boards, state, self._spend)
            self._fill(CONFLICTS * times)
            if lines.is_best(state):
                break
            if self._is_settled_by_planning(times, LENGTHS << number):
                break
        if lines.way(state) is None:
            raise NotSolvable("way: no end of play with a goal is known to be within reach")

    def _look_at_goals(self, boards: Boards) -> None:
        """Find the highest goal that some set of fluents has at an end."""
        side, builder = boards.sides[0], boards.builder
        solver = CircuitSolver(builder, self._spend)
        try:
            for goal, literal in sorted(side.goals[0], reverse=True):
                self._lines.expect_at_most(goal)
                ending = builder.conj(side.terminal, literal)
                if solver.is_possible([solver.literal(ending)], CONFLICTS, PIECE):
                    break
        except TooHard:
            pass  # then it may be had
        finally:
            solver.close()

    def _fill(self, conflicts: int) -> None:
        """Look for better ways whose moves are put in order afterwards."""
        try:
            while self._unordered and not self._lines.is_best(self._state):
                found = self._unordered.way(self._above, conflicts)
                if found is None:
                    return
                self._lines.keep(self._state, found, self._goal_of(found), self.heed)
        except TooHard:
            pass

    @property
    def _above(self) -> int:
        """The goal that is known to be had, -1 where none is."""
        known = self._lines.way(self._state)
        return known.goal if known else -1

    def _is_settled_by_planning(self, times: int, most: int) -> bool:
        """Whether planning finds a way to the highest goal, or that there is none better."""
        if self._planner is None:
            self._planner = Planner(self._lines.game, self._state, self._spend)
        planner = self._planner
        seen = [length for length, _ in self._lines.ends.most_common()]
        above = self._above
        # Ends that were not seen may come later than those that were.
        rest = (n for n in count(1) if n not in seen and not planner.is_refuted(n, above))
        for length in [*seen[:most], *islice(rest, most)]:
            while planner.steps < length and planner.last is None:
                self.heed()
                if planner.gates > GATES * times:
                    break
                planner.step()
            if planner.steps >= length:
                self._ask(length, CONFLICTS * times)
            if self._lines.is_best(self._state):
                return True
        if planner.last is None:
            return False
        lengths = range(planner.last + 1)
        is_refuted = all(self._ask(n, CONFLICTS * times) for n in lengths)
        return is_refuted or self._lines.is_best(self._state)

    def _ask(self, length: int, conflicts: int) -> bool:
        """Whether there is no better way of so many moves than is known then."""
        assert self._planner is not None
        try:
            while True:
                found = self._planner.way(length, self._above, conflicts)
                if found is None:
                    return True
                self._lines.keep(self._state, found, self._goal_of(found), self.heed)
                if self._lines.is_best(self._state):
                    return False
        except TooHard:
            return False

    def _goal_of(self, moves: list[int]) -> int:
        """The goal that some moves come to, by the rules themselves."""
        state = self._state
        for move in moves:
            self.heed()
            state = state.after([move])
        return state.goals[state.game.players[0]]

    def heed(self) -> None:
        """Raise `LimitReached` where a limit is reached, and tell how far it is."""
        if self._limit is not None and self._lines.positions > self._limit:
            raise LimitReached("positions", self._limit, f"{self._lines.positions:,} looked at")
        self._budget.check("looking for a way to the best goal")
        if self._tell:
            self._tell(self._lines.positions, 0)

    def _spend(self, work: int) -> None:
        self.heed()
