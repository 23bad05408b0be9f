"""Games of many packed positions of which no sum is proved to fall with every move."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ggp.analysis import Positions
from ggp.errors import InputError, NotSolvable
from ggp.game import State
from ggp.kif import Term
from ggp.later import Later
from ggp.limits import Budget, account
from ggp.machine import Progress, Rows
from ggp.solver.folding import Folding
from ggp.solver.layers.images import Images
from ggp.solver.layers.keys import Layer, mixed
from ggp.solver.layers.moving import Looking
from ggp.solver.layers.packed import Keeping, PackedSolution, at_most_packed
from ggp.solver.layers.payoffs import Payoffs
from ggp.solver.layers.shelf import InFolder, InMemory, Shelf
from ggp.solver.layers.workers import Workers
from ggp.solver.passes.census import Census, census
from ggp.solver.passes.fixpoint import Passes, Valued
from ggp.solver.passes.levels import Levels
from ggp.solver.passes.reach import Reach
from ggp.solver.passes.table import write_table

if TYPE_CHECKING:
    from ggp.solver.passes import kernels
else:
    kernels = Later("ggp.solver.passes.kernels")


class PassSolution(PackedSolution):
    """A game in turn, of one role or two opposed ones, whether it ends or not: by passes over all
    positions that `starts` lead to, packed.

    Play without end is a draw between two opposed roles, as in `GameSolution`, which this agrees
    with. Raises `NotSolvable` for other games; `LimitReached`, also for more positions of the
    starts than `at_most`; and for faults of the rules what `GameSolution` does.
    """

    method = "retrograde analysis by passes"
    may_go_round = True
    way: ClassVar[dict[str, str]] = {"method": "passes"}

    def __init__(
        self,
        context: Positions,
        *,
        misere: bool = False,
        keeping: Keeping | None = None,
        folding: Folding | None = None,
        progress: Progress | None = None,
        at_most: int | None = None,
    ) -> None:
        started = time.monotonic()
        game, budget = context.game, at_most_packed(context.budget, at_most)
        super().__init__(game, misere, keeping, progress)
        if self._keeping.elsewhere:
            raise NotSolvable("passes: on a cluster games are solved by the method layers alone")
        self._solved: list[Valued] = []
        images = None
        if folding:
            images = Images(game.packed_machine.coding, folding.permutations)
        if images and images.order > 1:
            self.method += f", up to {images.order} symmetries"
        self._looking = Looking(game, images)
        self._payoffs = Payoffs(game, misere)
        rows = self._looking.machine.rows
        try:
            rows(context.roots)
        except ValueError:
            raise NotSolvable("passes: a start that no play from the first comes to") from None
        shelf = self._shelf(context.roots, images)
        self._announce(budget)
        self._add(context.roots, shelf, budget)
        self.positions = len(self._solved[0])
        self.seconds = time.monotonic() - started

    def _add(self, roots: Sequence[int], shelf: Shelf, budget: Budget) -> None:
        """Solve all that some states lead to."""
        limits = replace(budget.limits, positions=budget.limits.packed_positions)
        try:
            self._solved.append(self._valued(roots, shelf, Budget(limits, budget.started)))
        finally:
            shelf.close()

    def _valued(self, roots: Sequence[int], shelf: Shelf, budget: Budget) -> Valued:
        looking, payoffs, tell = self._looking, self._payoffs, self._progress
        players = len(self.players)

        def require(results: frozenset[int]) -> None:
            Levels.of(results, players)

        rows = looking.standing(looking.machine.rows(roots))
        with Workers(self._keeping.threads) as workers:
            found = Reach(looking, shelf, budget, workers, payoffs, require, tell).run(rows)
            if not self._solved:
                self.moves, self.plies, self.shortest = found.moves, found.plies, found.shortest
            count = len(found.keys)
            budget.check(f"a place for each of {count:,} positions", 2 * count)
            layer = Layer.of(found.keys, np.empty(count, dtype=np.uint8))
            levels = Levels.of(found.results, players)
            return Passes(looking, shelf, budget, workers, payoffs, tell).run(layer, levels)

    @property
    def levels(self) -> Levels:
        """What the positions that the starts lead to can be worth."""
        return self._solved[0].levels

    def census(self, budget: Budget) -> Census:
        """Counts over all positions that the starts lead to.

        Of a solution that is not up to symmetry; raises `LimitReached`.
        """
        threads = self._keeping.threads
        return census(
            self._looking, self._solved[0], budget, threads=threads, progress=self._progress
        )

    def write_table(self, folder: Path, budget: Budget) -> int:
        """Write all positions that the starts lead to as a table, a Parquet file, to a folder that
        is new, empty or has this table; how many there are.

        `ggp.tablebase` opens it. Raises `InputError` where that cannot be done, `LimitReached`.
        """
        solved = self._solved[0]
        return write_table(folder, self._looking, solved, budget, swapped=self._misere)

    def longest(self, roots: Sequence[int], budget: Budget) -> int | None:
        """The longest play from some states (as bits) that were reached, in moves; None where it
        can go on for ever. Raises `LimitReached`."""
        looking, solved = self._looking, self._solved[0]
        places, _ = solved.layer.find(mixed(looking.standing(looking.machine.rows(roots))))
        with Workers(self._keeping.threads) as workers:
            passes = Passes(looking, InMemory(), budget, workers, self._payoffs)
            return passes.longest(solved, places)

    def _key(self, state: State) -> Rows:
        """The key of the position that stands for a state."""
        looking = self._looking
        try:
            row = looking.machine.rows([state.bits])
        except ValueError:
            raise NotSolvable(f"passes: no position that play can come to: {state}") from None
        return mixed(looking.standing(row.copy()))

    def _locate(self, state: State) -> tuple[Valued, int]:
        """The positions among which a state is, and its place there."""
        key = self._key(state)
        for solved in self._solved:
            places, missing = solved.layer.find(key)
            if not missing:
                return solved, int(places[0])
        shelf: Shelf = InFolder(self._temporary(), {}) if self._keeping.spill else InMemory()
        self._add([state.bits], shelf, account(self.game.limits))
        return self._locate(state)

    def _is_endless(self, solved: Valued, place: int) -> bool:
        """Whether best play never ends."""
        return bool(solved.are_endless(slice(place, place + 1))[0])

    def value(self, position: State) -> dict[str, float] | None:
        """Every role's goal under best play; None where best play never ends."""
        solved, place = self._locate(self._own(position))
        return None if self._is_endless(solved, place) else self._goals(solved, place)

    def worth(self, position: State) -> dict[str, float] | None:
        """The value, play without end being a draw between two opposed roles."""
        solved, place = self._locate(self._own(position))
        is_alone = solved.levels.total is None
        is_endless = is_alone and self._is_endless(solved, place)
        return None if is_endless else self._goals(solved, place)

    def _goals(self, solved: Valued, place: int) -> dict[str, float]:
        scores = solved.levels.scores(int(solved.codes[place]))
        goals = (int(goal) if goal.is_integer() else goal for goal in scores)
        return dict(zip(self.players, goals, strict=True))

    def secured(self, position: State, player: str) -> tuple[float | None, bool]:
        """The least goal at an end of play that `player` can make sure of, and whether that may
        be by keeping play from ending."""
        solved, place = self._locate(self._own(position))
        marks, levels = int(solved.marks[place]), solved.levels
        if levels.total is None:
            value = self.value(position)
            return (None, True) if value is None else (value[player], False)
        own, number = self._goals(solved, place)[player], self.players.index(player)
        if marks & kernels.END or own > levels.total / 2 or self._forces(solved, place, number):
            return own, False
        if own < levels.total / 2:
            return own, True
        better = levels.start if number else len(levels.doubled) - 1 - levels.start
        may_end = marks & kernels.ANY and (levels.has_draw or better > 0)
        return (own if may_end else None), True

    def _forces(self, solved: Valued, place: int, player: int) -> bool:
        """Whether a player can force an end that is a draw from a position that is one."""
        mark = kernels.SECOND if player else kernels.FIRST
        is_draw = solved.codes[place] == solved.levels.start
        return bool(is_draw and solved.marks[place] & (mark | kernels.SETTLED))

    def _after(self, state: State) -> tuple[Valued, int, int, dict[Term, int]]:
        """The positions among which a state is, its place, whose turn it is, and the places that
        moves lead to."""
        solved, place = self._locate(state)
        player = self.players.index(self._tree.mover(state))
        places = {}
        for move, after in self._tree.moves(state).items():
            # Another start may have led there before: its positions have codes of their own.
            there, missing = solved.layer.find(self._key(after))
            if missing:
                raise InputError("positions that were kept are gone: begin anew")
            places[move] = int(there[0])
        return solved, place, player, places

    def best(self, position: State) -> tuple[Term, ...]:
        """All best moves of the role to move, sorted by their text; of one role alone those on a
        shortest way to the best goal."""
        state = self._own(position)
        if state.terminal:
            return ()
        solved, place, _, places = self._after(state)
        codes, moves = solved.codes, solved.moves
        good = [move for move, to in places.items() if codes[to] == codes[place]]
        if solved.levels.total is None:
            good = [move for move in good if moves[places[move]] < moves[place]]
        return tuple(sorted(good))

    def progress(self, position: State) -> Term:
        """A best move that brings the end nearer; raises `IllegalMove` where play is over."""
        state = self._going(position)
        best = self.best(state)
        solved, place, player, places = self._after(state)
        if not best:
            return min(places)
        code, start = int(solved.codes[place]), solved.levels.start
        if solved.levels.total is None or code == start:
            steps = solved.others if player else solved.moves
        else:
            steps = solved.moves if (code > start) != bool(player) else None

        def far(move: Term) -> int:
            to = places[move]
            if steps is None or (solved.marks[to] & kernels.SETTLED and code == start):
                return 0
            return int(steps[to])

        return min(best, key=far)
