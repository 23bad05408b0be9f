"""Games in which players choose at the same time, solved position by position from the ends."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ggp.errors import NotSolvable, UnknownName
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.machine import Space
from ggp.solver.choices import require_open
from ggp.solver.enumerated import require_playable
from ggp.solver.folding import Folding
from ggp.solver.gdl import GdlSolution
from ggp.solver.valuation import Valuation, Values


class SimultaneousSolution(GdlSolution):
    """A GDL game with simultaneous moves, solved by enumerating its positions.

    Values are exact; where strategies are mixed they are means. Where fractions become too long to
    go on with, the values of two opposed players lie between `bounds` that are proved, and
    strategies make sure of these. With `folding` the positions of `space` stand for all their
    images, and who comes to an image of a position stays in it. Raises `ComesRound` where play can
    come back to a position after more than one move; `NotSolvable`, when it is asked for, of a
    position that is not determined, also as no exact value is found where play may stay in one.
    """

    engine = "numpy"

    def __init__(
        self, game: Game, space: Space, budget: Budget, folding: Folding | None = None
    ) -> None:
        started = time.monotonic()
        require_playable(game, space)
        require_open(game, space)
        super().__init__(game)
        self.space = space
        self._folding = folding
        self.has_chance = True
        self.positions = len(space)
        self._valuation = Valuation(space, game.player_indices, budget)
        kind = "matrix games" if self.is_opposed else "pure equilibria"
        self.method = f"{kind} by backward induction"
        if folding:
            self.method += f", up to {len(folding.group)} symmetries"
        self.seconds = time.monotonic() - started

    def worth_at(self, place: int) -> Values | None:
        """What each player gets from the position at a place of the space; the mean of the bounds
        where it lies between such, None where it is not determined."""
        return self._valuation.worth_at(place)

    def is_endless_at(self, place: int) -> bool:
        """Whether the best strategies that `mixed` has lead from the position at a place of the
        space to no end of play."""
        return self._valuation.is_endless_at(place)

    def _place(self, position: State) -> int:
        """Where a position is, or what stands for it."""
        state = self._own(position)
        standing = self._folding.standing(state.bits) if self._folding else state.bits
        place = self.space.position(standing)
        if place is None:
            raise UnknownName(f"play does not come to {state}")
        return place

    def _named(self, position: State, role: int, numbers: Sequence[int]) -> list[Term]:
        """The moves of a role where a position is, by those of what stands for it."""
        made = list(numbers)
        if self._folding:
            made = self._folding.back(self._folding.element(self._own(position).bits), made)
        return [self.game.evaluator.move(role, number) for number in made]

    def exact(self, position: State) -> dict[str, Fraction]:
        """Every player's score under best play; raises `NotSolvable` where it is not determined, or
        only `bounds` are known."""
        bounds = self.bounds(position)
        if any(low < high for low, high in bounds.values()):
            raise NotSolvable("the value is too long a fraction: it has bounds")
        return {player: low for player, (low, _) in bounds.items()}

    def bounds(self, position: State) -> dict[str, tuple[Fraction, Fraction]]:
        """What each player's score under best play is no less and no more than: twice the same
        where it is known exactly. Raises `NotSolvable` where it is not determined."""
        place = self._place(position)
        found = self._valuation.bounds_at(place)
        if found is None:
            what, where = self._valuation.why_open(place)
            state = State(self.game, self.space.state(where))
            images = ", or in an image of it" if self._folding and "stay" in what else ""
            raise NotSolvable(f"not determined: {what} in {state}{images}")
        # What is least for the first of two opposed players is most for the second.
        pairs = (sorted(pair) for pair in zip(*found, strict=True))
        return {player: (a, b) for player, (a, b) in zip(self.players, pairs, strict=True)}

    def value(self, position: State) -> dict[str, float] | None:
        """Every player's score under best play (the mean of its bounds), None where that never
        ends; raises `NotSolvable` where it is not determined."""
        known = self.worth(position)
        return None if self.is_endless_at(self._place(position)) else known

    def worth(self, position: State) -> dict[str, float] | None:
        """The value, play without end being a draw between two opposed players, or the mean of its
        bounds; raises `NotSolvable` where it is not determined."""
        means = {player: (low + high) / 2 for player, (low, high) in self.bounds(position).items()}
        return {p: int(v) if v.denominator == 1 else float(v) for p, v in means.items()}

    def result(self, position: State) -> str | None:
        """`"draw"` where best play never ends; else None, as scores are means."""
        return "draw" if self.is_endless_at(self._place(position)) else None

    @property
    def is_opposed(self) -> bool:
        """Whether two players share the same at every end of play, so that a best strategy makes
        sure of the value whatever the other does."""
        return self._valuation.total is not None

    def mixed(self, position: State) -> dict[str, dict[Term, Fraction]]:
        """For each player with a choice the moves of a best strategy with their probabilities.

        Of the pure equilibria, where these decide, the first. Empty at the end of play.
        """
        self.bounds(position)
        place = self._place(position)
        if self.space.terminal[place]:
            return {}
        node = self._valuation.node(place)
        mixed = self._valuation.mixed_at(place, node)
        return {
            player: {
                move: p
                for move, p in zip(self._named(position, role, numbers), strategy, strict=True)
                if p > 0
            }
            for player, role, numbers, strategy in zip(
                self.players, self.game.player_indices, node.moves, mixed, strict=True
            )
            if len(numbers) > 1
        }

    def mover(self, position: State) -> str | None:
        """The one player with a choice; None where several have one, or nobody has."""
        place = self._place(position)
        if self.space.terminal[place]:
            return None
        counts = self.space.legal_counts[place, list(self.game.player_indices)]
        free = np.flatnonzero(counts > 1)
        return self.players[int(free[0])] if len(free) == 1 else None

    def best(self, position: State) -> tuple[Term, ...]:
        """The best moves of the only player with a choice, sorted; where one may leave everything
        as it is, those of a best strategy, see `mixed`."""
        mover = self.mover(position)
        if mover is None:
            return ()
        mixed, place = self.mixed(position)[mover], self._place(position)
        node, index = self._valuation.node(place), self.players.index(mover)
        within = self._valuation.payoffs_within(node, place)
        if within is None:
            return tuple(sorted(mixed))
        # By bounds some may be named that are worse by less than these tell apart.
        pairs = [(a[index], b[index]) for a, b in zip(*within, strict=True)]
        most, role = max(min(pair) for pair in pairs), self.game.player_indices[index]
        moves = self._named(position, role, node.moves[index])
        return tuple(sorted(m for m, pair in zip(moves, pairs, strict=True) if max(pair) >= most))

    def _root(self, player: str, start: State | None) -> State:
        """Nowhere starts a strategy of moves: they are mixed."""
        raise NotSolvable(
            "where moves are simultaneous a strategy is mixed: `ggp solve` says it, `mixed` in JSON"
        )

    def progress(self, position: State) -> Term:
        """Not to be had: strategies are mixed."""
        raise NotSolvable(
            "where moves are simultaneous a strategy is mixed: `ggp solve` says it, `mixed` in JSON"
        )
