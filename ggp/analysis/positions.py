"""The positions that findings are about: those of legal play, and those of moves of either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.evidence import Witness
from ggp.analysis.finding import Finding
from ggp.analysis.plays.sampled import Sampled, marked_roles
from ggp.analysis.proofs import Proofs
from ggp.errors import LimitReached
from ggp.game import Game
from ggp.ground import Marker
from ggp.limits import Budget
from ggp.machine import Progress, RowIndex, Rows, Space, explore

FEW = 20_000
"""Positions up to which enumeration is tried before random play: its witnesses are the nearest."""

MANY, MOVES, LITERALS = 1_000_000, 20_000_000, 1_000_000_000_000
"""Positions up to which enumeration is tried before long proofs; no more joint moves from all of
them, if each has as many as those of random play, and no more literals of the rules that are looked
at for all these moves. A few seconds."""


class Positions:
    """Enumerations of one game within one budget, each made when it is first asked for.

    `roots`: the states that play begins in, by default the initial one.
    """

    def __init__(
        self,
        game: Game,
        budget: Budget,
        progress: Progress | None = None,
        roots: Sequence[int] = (),
    ) -> None:
        self.game = game
        self.budget = budget
        self.progress = progress
        self._roots = list(roots)
        self._space: Space | None = None
        self._stopped: LimitReached | None = None
        self.findings: dict[str, Finding] = {}
        """What enumeration showed, by the name of the property."""

    @cached_property
    def roots(self) -> list[int]:
        """The states that play begins in, as bits of fluents."""
        return self._roots or [self.game.initial.bits]

    @cached_property
    def samples(self) -> Sampled:
        """States of random plays."""
        return Sampled(self.game, self.budget)

    @cached_property
    def proofs(self) -> Proofs:
        """Proofs for all boards at once."""
        return Proofs(self.game, self.samples, self.budget)

    @cached_property
    def are_few(self) -> bool:
        """Whether all positions of legal play are soon enumerated; they are then."""
        return self.are_at_most(FEW)

    @cached_property
    def are_countable(self) -> bool:
        """Whether all positions of legal play are enumerated sooner than what takes long is proved;
        they are then."""
        if not self.game.is_ground:
            return False
        plays = self.samples.plays
        moves = plays.counts[~plays.terminal].astype(float).prod(axis=1)
        mean = max(1.0, float(moves.mean()) if len(moves) else 1.0)
        most = min(MOVES, LITERALS / max(1, self.game.net.literals)) / mean
        return self.are_at_most(int(min(MANY, most)))

    def are_at_most(self, count: int) -> bool:
        """Whether there are no more positions of legal play; if so they are enumerated."""
        limits = self.budget.limits
        few = replace(limits, positions=min(count, limits.positions))
        try:
            self._enumerate(Budget(few, self.budget.started), self.progress)
        except LimitReached:
            return False
        return True

    @property
    def is_enumerated(self) -> bool:
        """Whether all positions of legal play are known already."""
        if self._begins_as_the_game:
            return self.game.is_enumerated
        return self._space is not None

    @property
    def _begins_as_the_game(self) -> bool:
        return self.roots == [self.game.initial.bits]

    @property
    def are_marked(self) -> bool:
        """Whether it is told in each of them whose turn it is; there must be a turn marker."""
        return bool(
            (marked_roles(self.game, self.require_marker(), self.reachable.rows) >= 0).all()
        )

    def _enumerate(self, budget: Budget, progress: Progress | None = None) -> Space:
        if self._begins_as_the_game:
            return self.game.space(budget, progress)
        if self._space is None:
            self._space = explore(self.game.machine, self.roots, budget, progress=progress)
        return self._space

    @property
    def reachable(self) -> Space:
        """All positions of legal play; raises `LimitReached`, the same one if asked again."""
        if self._stopped is None:
            try:
                return self._enumerate(self.budget, self.progress)
            except LimitReached as error:
                self._stopped = error
        raise self._stopped

    @cached_property
    def either(self) -> Space:
        """All positions that arise if at each turn either player may be the one to move.

        Needs a turn marker and two roles; raises `LimitReached`.
        """
        marker = self.require_marker()
        if self._stopped is not None:
            raise self._stopped

        def flipped(rows: Rows) -> Rows:
            return self._flip(rows, marker)

        return explore(
            self.game.machine, self.roots, self.budget, also=flipped, progress=self.progress
        )

    def require_marker(self) -> Marker:
        """The turn marker; there must be one."""
        assert self.game.marker is not None
        return self.game.marker

    def _flip(self, rows: Rows, marker: Marker) -> Rows:
        first, second, mask = self.game.machine.rows([*marker.bits, marker.mask])
        marks_first = marked_roles(self.game, marker, rows) == 0
        return np.asarray((rows & ~mask) | np.where(marks_first[:, None], second, first))

    def marked(self, space: Space) -> NDArray[np.int16]:
        """The index of the role whose turn it is at each position, -1 where nothing tells."""
        assert self.game.turns is not None
        return marked_roles(self.game, self.game.turns, space.rows)

    @cached_property
    def boards(self) -> tuple[NDArray[np.int64], int]:
        """A number for the board of each position of `either`, and how many boards there are."""
        mask = self.game.machine.rows([self.require_marker().mask])
        rows = np.ascontiguousarray(self.either.rows & ~mask)
        known = RowIndex(rows.shape[1])
        return known.add(rows).astype(np.int64), len(known)

    def witness(self, space: Space, place: int, note: str = "") -> Witness:
        """The state at a position, with a play that leads to it if legal play does."""
        state = space.state(place)
        facts = tuple(map(str, self.game.evaluator.facts(state)))
        known = self.reachable.position(state)
        return Witness(facts, None if known is None else self.path(known), note)

    def after(self, space: Space, before: Witness, edge: int) -> Witness:
        """The state after the move of an edge, made where a witness is."""
        facts = self.game.evaluator.facts(space.state(int(space.target[edge])))
        path = None if before.path is None else (*before.path, self.joint(space, edge))
        return Witness(tuple(map(str, facts)), path)

    def path(self, place: int) -> tuple[tuple[str, ...], ...]:
        """Joint moves of a shortest legal play to a position of `reachable`."""
        space = self.reachable
        first, order = space.reverse
        moves = []
        while space.depth[place] > 0:
            edges = order[first[place] : first[place + 1]]
            before = space.depth[space.source[edges]]
            edge = int(edges[np.flatnonzero(before == space.depth[place] - 1)[0]])
            moves.append(self.joint(space, edge))
            place = int(space.source[edge])
        return tuple(reversed(moves))

    def joint(self, space: Space, edge: int) -> tuple[str, ...]:
        """The joint move of an edge, one move for each role."""
        move = self.game.evaluator.move
        return tuple(str(move(role, int(index))) for role, index in enumerate(space.joint[edge]))
