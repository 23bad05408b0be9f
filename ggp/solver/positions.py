"""Solving a game by its positions: all of them, in packed layers, or by search from one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, prod
from typing import Any, TypeVar

from ggp.analysis import Positions
from ggp.analysis.claims import cyclic
from ggp.errors import LimitReached, NotSolvable
from ggp.game import Game, State
from ggp.limits import Budget, stop
from ggp.machine import Progress, Space, explore
from ggp.solver.alone.solution import ROUNDS, WaySolution
from ggp.solver.beside import Beside
from ggp.solver.enumerated import GameSolution
from ggp.solver.folding import Folding
from ggp.solver.gdl import GdlTree
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.passes.solution import PassSolution
from ggp.solver.search.solution import SearchSolution, find_traits

SOON = 1_000_000
"""Positions up to which enumeration comes before splitting."""

ALONE = 100_000
"""Positions of one role up to which enumeration comes before a way is looked for, and of two up to
which it comes before it is asked whether many positions are like others."""

COMPARED = (250_000, 50_000_000)
"""Where they are: those that are searched before all are enumerated in layers, and after."""

LAYERED = 5_000_000
"""Positions up to which all are enumerated in layers between the two."""

ASIDE, DECIDING, GATES = 5_000_000, 2_000_000, 5_000
"""Positions of a game of two roles after which a search for who wins is put in, the positions of
that, and the gates of a circuit from which on they are fewer: some seconds."""

BOUNDED = 2_000_000
"""The same, where groups prove that there are no more."""

PASSED = 500_000
"""The same, where no way to the highest goal was found at once."""

Packed = TypeVar("Packed", LayerSolution, PassSolution)


class _Decided(Exception):
    """Ends an enumeration that is not needed any more."""

    def __init__(self, solution: SearchSolution) -> None:
        super().__init__()
        self.solution = solution


@dataclass(frozen=True)
class PositionSolver:
    """The ways to solve a game by its positions, from `starts`.

    Pickled with the limits of its budget, not with what was spent of them.
    """

    game: Game
    budget: Budget
    misere: bool
    progress: Progress | None
    starts: tuple[State, ...]
    keeping: Keeping

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The states to start from, as bits of fluents."""
        return tuple(state.bits for state in self.starts)

    @cached_property
    def positions(self) -> Positions:
        """The positions that the roots lead to."""
        return Positions(self.game, self.budget, self.progress, self.roots)

    @property
    def is_enumerated(self) -> bool:
        """Whether they are all known already, each by itself."""
        return self.positions.is_enumerated

    @cached_property
    def is_soon_done(self) -> bool:
        """Whether there are so few positions that they are enumerated, as they are then."""
        return self.positions.are_at_most(self._soon)

    @property
    def _are_few(self) -> bool:
        """Whether there are very few positions, or all are known already."""
        return self.positions.are_few or self.is_enumerated

    @cached_property
    def folding(self) -> Folding | None:
        """The symmetries of the game; what is counted already, or soon will be, is not worth it."""
        return None if self._are_few else Folding.of(self.game)

    @property
    def _soon(self) -> int:
        return min(SOON, ALONE) if len(self.game.roles) == 1 else SOON

    def __call__(
        self,
    ) -> GameSolution | LayerSolution | PassSolution | SearchSolution | WaySolution:
        """The solution by the first way that is known to be worth it; by search if all others meet
        limits of another kind than time, or positions can be compared by the moves of one player.

        Of many positions of one role alone all are enumerated only where they are proved not to be
        too many, or no way to the highest goal is found soon.
        """
        few, folding = self._are_few, self.folding
        limits = self.budget.limits
        if few or min(limits.positions, limits.packed_positions) <= SOON:
            return self.by_positions(folding)
        # Where several have a choice at once none of these ways applies.
        GdlTree(self.game).mover(self.starts[0])
        try:
            if folding is not None or self.is_soon_done:
                return self.by_positions(folding, min(self._soon, ALONE) if folding else self._soon)
        except LimitReached as error:
            if error.limit == "time":
                raise
        with suppress(NotSolvable):
            return self._by_layers_or_way(folding)
        traits = find_traits(self.positions, folding, misere=self.misere)
        if traits and traits.is_of_one:
            with suppress(NotSolvable):
                return self._by_comparing(folding)
        try:
            if folding is not None:
                return self.by_positions(folding, self._soon)
        except LimitReached as error:
            if error.limit == "time":
                raise
        try:
            return self._by_all(folding)
        except LimitReached as error:
            if error.limit == "time":
                raise
            reached = error.with_traceback(None)
        # Not within `except`: the traceback would hold what was found so far.
        found: SearchSolution | WaySolution
        try:
            is_alone = len(self.game.roles) == 1
            found = self.by_way(inf) if is_alone else self.by_search(folding)
        except NotSolvable:
            raise reached from None
        found.reason = f"more positions than can be enumerated ({reached})"
        return found

    def _by_layers_or_way(
        self, folding: Folding | None
    ) -> LayerSolution | PassSolution | WaySolution:
        """The solution of a game of one role, or `NotSolvable`."""
        with suppress(NotSolvable):
            # To prove groups may take longer than an easy puzzle.
            return self.by_way(1)
        if len(self.game.roles) == 1 and self._states <= BOUNDED:
            try:
                found = self.by_layers(folding)
            except NotSolvable:
                pass
            except LimitReached as error:
                if error.limit == "time":
                    raise
            else:
                most = f"{self._states:,} positions at the most, by groups of fluents"
                found.reason = f"{most}, and a sum that falls with every move"
                return found
        try:
            # Where there is no way to the highest goal, all positions may be sooner known.
            if len(self.game.roles) == 1:
                return self.by_passes(folding, PASSED)
        except NotSolvable:
            pass
        except LimitReached as error:
            if error.limit == "time":
                raise
        return self.by_way(ROUNDS)

    @property
    def _states(self) -> int:
        """More than there are by the groups of fluents of which one holds at the most."""
        groups, fluents = self.game.groups, len(self.game.net.fluents)
        alone = fluents - sum(len(group.fluents) for group in groups)
        return prod(len(group.fluents) + (not group.exact) for group in groups) << alone

    def _by_all(
        self, folding: Folding | None
    ) -> GameSolution | LayerSolution | PassSolution | SearchSolution:
        """The solution by all positions, packed if they can be; by passes over no more than could
        be enumerated where another way is left after that."""
        with suppress(NotSolvable):
            return self._by_layers_or_search(folding)
        is_last = len(self.game.roles) > 1 and cyclic.prove(self.positions.proofs, False) is None
        with suppress(NotSolvable):
            return self.by_passes(folding, None if is_last else self.budget.limits.positions)
        return self.by_positions(folding)

    def _by_layers_or_search(self, folding: Folding | None) -> LayerSolution | SearchSolution:
        """The solution by packed layers; or, once there are many positions, by a short search, if
        that decides; with several threads beside the rest. Raises `NotSolvable`."""
        # Of many starts an enumeration answers all at once.
        is_tried = len(self.game.players) != 2 or len(self.roots) > 1
        beside: Beside | None = None

        def look_aside(found: int, expanded: int) -> None:
            nonlocal is_tried, beside
            if self.progress:
                self.progress(found, expanded)
            if beside:
                beside.settle(wait=False)
            if found >= ASIDE and not is_tried:
                is_tried = True
                if self.keeping.threads == 1:
                    self._decide(folding, found)
                else:
                    beside = Beside(lambda: self._decide(folding, found))

        try:
            try:
                layers = self.by_layers(folding, progress=look_aside)
            finally:
                # What answers is not to hang on what is done first.
                if beside and not stop.is_set():
                    beside.settle(wait=True)
            return layers
        except _Decided as decided:
            return decided.solution

    def _decide(self, folding: Folding | None, before: int) -> None:
        """Raise `_Decided` if a short search answers, `LimitReached` if the time is up."""
        gates = len(self.game.packed_machine.child_unit.circuit.first)
        at_most = DECIDING * GATES // max(GATES, gates)
        try:
            found = self.by_search(folding, proof_numbers=True, at_most=at_most)
        except NotSolvable:
            return
        except LimitReached as error:
            if error.limit == "time":
                raise
            return
        found.reason = f"decided before all positions, {before:,} so far, were enumerated"
        raise _Decided(found)

    def in_files(self) -> LayerSolution | PassSolution:
        """The solution by positions in files: by the way that those which are there were made by,
        else the first that applies. Raises `NotSolvable`."""
        if not self.game.is_ground:
            raise NotSolvable(f"the rules are too large to be ground: {self.game.too_large}")
        folding = Folding.of(self.game)
        if self.keeping.elsewhere:
            return self.by_layers(folding)
        way = self.keeping.begun_by
        if way is None:
            with suppress(NotSolvable):
                return self.by_layers(folding)
        return self.by_passes(folding) if way in (None, "passes") else self.by_layers(folding)

    def by_way(self, rounds: float, limit: int | None = None) -> WaySolution:
        """The solution of a game of one role by a way to the best goal; raises `NotSolvable` where
        that does not apply, or none is found in so many rounds, `LimitReached` after `limit`
        positions."""
        found = WaySolution(self.positions, rounds=rounds, progress=self.progress, limit=limit)
        found.reason = f"more than {self._soon:,} positions; {found.reason}"
        return found

    def by_search(
        self,
        folding: Folding | None,
        *,
        proof_numbers: bool = False,
        at_most: int | None = None,
        limit: int | None = None,
    ) -> SearchSolution:
        """The solution by search; raises `NotSolvable` where that does not apply, `LimitReached`
        after `at_most` positions, or `limit`: see `SearchSolution`."""
        return SearchSolution(
            self.positions,
            misere=self.misere,
            proof_numbers=proof_numbers,
            folding=folding,
            progress=self.progress,
            at_most=at_most,
            limit=limit,
        )

    def _by_comparing(self, folding: Folding | None) -> LayerSolution | SearchSolution:
        """The solution where many positions are like others, or no better: by a short search, by
        layers up to so many positions, as these answer for all, or by a long one. Raises
        `NotSolvable`."""
        few, many = COMPARED
        tries: list[Callable[[], LayerSolution | SearchSolution]] = [
            lambda: self._compared(folding, few),
            lambda: self.by_layers(folding, LAYERED, known=ALONE if folding else SOON),
            lambda: self._compared(folding, many),
        ]
        why = ""
        for attempt in tries:
            try:
                with suppress(NotSolvable):
                    return attempt()
            except LimitReached as error:
                if error.limit == "time":
                    raise
                why = str(error)
        raise NotSolvable(f"too many positions for a search ({why})")

    def _compared(self, folding: Folding | None, at_most: int) -> SearchSolution:
        found = self.by_search(folding, at_most=at_most)
        found.reason = "many positions are no better than others"
        return found

    def by_layers(
        self,
        folding: Folding | None,
        at_most: int | None = None,
        *,
        progress: Progress | None = None,
        known: int | None = None,
    ) -> LayerSolution:
        """The solution by packed layers, as there are more than the `known` ones; raises
        `NotSolvable` where that does not apply, `LimitReached` for more than `at_most` positions.
        """
        found = self._packed(LayerSolution, folding, at_most, progress or self.progress)
        more = known or self._soon
        found.reason = f"more than {more:,} positions, and a sum that falls with every move"
        return found

    def by_passes(self, folding: Folding | None, at_most: int | None = None) -> PassSolution:
        """The solution by passes over packed positions; raises `NotSolvable` where that does not
        apply, `LimitReached` for more than `at_most` positions."""
        found = self._packed(PassSolution, folding, at_most, self.progress)
        more = self._soon
        found.reason = f"more than {more:,} positions, and no sum is known to fall with every move"
        return found

    def _packed(
        self,
        kind: type[Packed],
        folding: Folding | None,
        at_most: int | None,
        progress: Progress | None,
    ) -> Packed:
        return kind(
            self.positions,
            misere=self.misere,
            keeping=self.keeping,
            folding=folding,
            progress=progress,
            at_most=at_most,
        )

    def by_positions(self, folding: Folding | None, at_most: int | None = None) -> GameSolution:
        """The solution by all positions, or with symmetries by one of each orbit.

        Raises `LimitReached` for more than `at_most`, which is for the latter.
        """
        space = self.space(folding, at_most)
        found = GameSolution(
            self.game,
            space,
            misere=self.misere,
            folding=folding,
            limits=self.budget.limits,
            progress=self.progress,
        )
        found.reason = f"{len(space):,} positions are few enough to be enumerated"
        return found

    def space(self, folding: Folding | None, at_most: int | None = None) -> Space:
        """All positions, or with symmetries one of each orbit; raises `LimitReached`."""
        if folding is None:
            return self.positions.reachable
        limits = self.budget.limits
        few = replace(limits, positions=min(limits.positions, at_most or limits.positions))
        own = Budget(few, self.budget.started)
        return explore(self.game.machine, self.roots, own, fold=folding, progress=self.progress)

    def __reduce__(self) -> tuple[type[PositionSolver], tuple[Any, ...]]:
        limits = Budget(self.budget.limits)
        return PositionSolver, (self.game, limits, self.misere, None, self.starts, self.keeping)
