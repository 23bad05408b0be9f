"""Games in which players choose at the same time, solved position by position from the ends.

Two opposed players: each position is a matrix game, whose value stands for the position from then
on (H. Everett, "Recursive games", Contributions to the Theory of Games III, 1957). Others: a
position is worth what its pure equilibria give, where there are some and all give the same; else it
is not determined.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ggp.errors import BudgetSpent, NotSolvable, UnknownName
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget, look
from ggp.machine import Space
from ggp.solver.choices import require_open
from ggp.solver.enumerated import require_playable
from ggp.solver.gdl import GdlSolution
from ggp.solver.stages import (
    ChoiceNode,
    LongValue,
    Worths,
    constant_sum,
    grids,
    rounds,
    value_equilibria,
    value_matrices,
)
from ggp.solver.staying import Staying
from ggp.theory.matrix import MatrixSolution, pure_equilibria, solve_matrix

Values = tuple[Fraction, ...]
"""What each player gets, in their order."""

LOOK = 256
"""Positions between two looks at the limits."""


class SimultaneousSolution(GdlSolution):
    """A GDL game with simultaneous moves, solved by enumerating its positions.

    Values are exact; where strategies are mixed they are means. Where fractions become too long to
    go on with, the values of two opposed players lie between `bounds` that are proved, and
    strategies make sure of these. Raises `NotSolvable` where play can come back to a position after
    more than one move; of a position that is not determined, also as no exact value is found where
    play may stay in one, when it is asked for.
    """

    engine = "numpy"

    def __init__(self, game: Game, space: Space, budget: Budget) -> None:
        started = time.monotonic()
        require_playable(game, space)
        require_open(game, space)
        super().__init__(game)
        self.space = space
        self.has_chance = True
        self.positions = len(space)
        self._total = constant_sum(space, game.player_indices)
        self._low = self._high = Worths(len(space))
        """What positions are worth: exactly, or no less and no more than that."""
        self._valued = 0
        self._staying: dict[int, MatrixSolution] = {}
        """The strategies that make sure of the value where play may stay where it is."""
        self._endless: dict[int, bool] = {}
        kind = "matrix games" if self._total is not None else "pure equilibria"
        self.method = f"{kind} by backward induction"
        order = list(rounds(space))
        if sum(map(len, order)) < len(space):
            raise NotSolvable("moves are simultaneous, and play can come round to a position again")
        try:
            with budget.in_force():
                self._solve_all(order)
        except BudgetSpent as spent:
            valued = f"{self._valued:,} of {len(space):,} positions valued"
            raise BudgetSpent(spent.limit, spent.value, valued) from None
        self.seconds = time.monotonic() - started

    def _solve_all(self, order: Sequence[NDArray[np.int64]]) -> None:
        try:
            self._solve(order, self._low)
        except LongValue:
            self._low, self._high = (Worths(len(self.space), side) for side in (-1, 1))
            for worths in (self._low, self._high):
                self._valued = 0
                self._solve(order, worths)

    def _solve(self, order: Sequence[NDArray[np.int64]], worths: Worths) -> None:
        space, columns = self.space, list(self.game.player_indices)
        for places in order:
            look()
            ends = places[space.terminal[places]]
            goals, kinds = np.unique(space.goals[ends][:, columns], axis=0, return_inverse=True)
            known = [tuple(map(Fraction, goal)) for goal in goals.tolist()]
            numbers = [self._number(worths, worth) for worth in known]
            worths.of[ends] = np.array(numbers, dtype=np.int32)[kinds.reshape(-1)]
            self._valued += len(ends)
            going = places[~space.terminal[places]]
            if not len(going):
                continue
            found, others = grids(space, going, columns)
            for here, targets in found:
                ranks = worths.ranks(worths.of[targets])
                if self._total is None:
                    value_equilibria(worths, here, targets, ranks)
                else:
                    value_matrices(worths, here, targets, ranks)
                self._valued += len(here)
            for count, place in enumerate(others.tolist()):
                if count % LOOK == 0:
                    look()
                value = self._value(place, self._node(place), worths)
                if value is not None:
                    worths.of[place] = self._number(worths, value)
                self._valued += 1

    def _number(self, worths: Worths, worth: Values) -> int:
        """The number of what players get; of two opposed ones what the first gets is enough."""
        return worths.number(worth if self._total is None else worth[:1])

    def _worth(self, worths: Worths, place: int) -> Values | None:
        worth = worths[place]
        if worth is None or self._total is None:
            return worth
        return worth[0], self._total - worth[0]

    def worth_at(self, place: int) -> Values | None:
        """What each player gets from the position at a place of the space; the mean of the bounds
        where it lies between such, None where it is not determined."""
        low, high = self._worth(self._low, place), self._worth(self._high, place)
        if low is None or high is None or low == high:
            return low
        return tuple((a + b) / 2 for a, b in zip(low, high, strict=True))

    def _node(self, place: int) -> ChoiceNode:
        edges = self.space.edges(place)
        joints = self.space.joint[edges.start : edges.stop]
        targets = self.space.target[edges.start : edges.stop].tolist()
        columns = list(self.game.player_indices)
        moves = tuple(tuple(np.unique(joints[:, c]).tolist()) for c in columns)
        after: dict[tuple[int, ...], list[int]] = {}
        for joint, target in zip(joints[:, columns].tolist(), targets, strict=True):
            after.setdefault(tuple(joint), []).append(target)
        return ChoiceNode(moves, tuple(tuple(after[own]) for own in product(*moves)))

    def _payoffs(
        self, node: ChoiceNode, here: int, own: Values | None, worths: Worths | None = None
    ) -> list[Values] | None:
        """What each combination of moves gives (by `worths`), `here` being worth `own`; None where
        that of some is not determined."""
        found, from_ = [], worths or self._low
        for targets in node.after:
            values = [own if t == here else self._worth(from_, t) for t in targets]
            if None in values:
                return None
            known = [v for v in values if v is not None]
            mean = [sum(part, Fraction(0)) / len(known) for part in zip(*known, strict=True)]
            found.append(tuple(mean))
        return found

    def _value(self, here: int, node: ChoiceNode, worths: Worths) -> Values | None:
        comes_back = any(here in targets for targets in node.after)
        at_once = (Fraction(0),) * len(node.moves) if comes_back else None
        payoffs = self._payoffs(node, here, at_once, worths)
        if payoffs is None or (comes_back and self._total is None):
            return None
        if self._total is not None:
            if comes_back:
                found = self._stays(here, node, worths)
                if found is None:
                    return None
                value = worths.rounded(found)
            else:
                value = worths.value(node.matrix(payoffs))
            return value, self._total - value
        worth = {payoffs[place] for place in pure_equilibria(payoffs, node.sizes)}
        return worth.pop() if len(worth) == 1 else None

    def _rows(
        self, node: ChoiceNode, here: int, own: Fraction | None, worths: Worths | None = None
    ) -> list[list[Fraction]]:
        """The matrix game at a position, which itself is worth `own` to the first player, where all
        that it leads to is determined."""
        assert self._total is not None
        at_once = None if own is None else (own, self._total - own)
        payoffs = self._payoffs(node, here, at_once, worths)
        assert payoffs is not None
        return node.matrix(payoffs)

    def _stays(self, here: int, node: ChoiceNode, worths: Worths) -> Fraction | None:
        """The value of a position that play may come back to at once, where that is found; for
        ever is a draw. Where values are rounded it is what the strategies that were found before
        that make sure of."""
        assert self._total is not None

        def first(place: int) -> Fraction:
            worth = worths[place]
            assert worth is not None
            return worth[0]

        rows = partial(self._rows, node, here, worths=worths)
        staying = Staying(here, node, self._total / 2, rows, first)
        found = self._staying.get(here) if worths.side else staying.solved()
        if found is None:
            return None
        self._staying[here] = found
        if not worths.side:
            return found.value
        is_low = worths.side < 0
        return staying.guaranteed(found.rows if is_low else found.columns, first=is_low)

    def _place(self, position: State) -> int:
        state = position if position.game is self.game else self.game.state(position.facts)
        place = self.space.position(state.bits)
        if place is None:
            raise UnknownName(f"play does not come to {state}")
        return place

    def _state(self, place: int) -> State:
        return State(self.game, self.space.state(place))

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
        low, high = self._worth(self._low, place), self._worth(self._high, place)
        if low is None or high is None:
            raise NotSolvable(self._why_open(place))
        # What is least for the first of two opposed players is most for the second.
        pairs = (sorted(pair) for pair in zip(low, high, strict=True))
        return {player: (a, b) for player, (a, b) in zip(self.players, pairs, strict=True)}

    def _why_open(self, place: int) -> str:
        """What is wrong with a position that is not determined, or with one that it leads to."""
        while True:
            node = self._node(place)
            after = {t for targets in node.after for t in targets}
            if place in after:
                what = "play can stay where it is"
                if self._total is not None:
                    what = "no exact value found where play stays"
                break
            open_ = [t for t in sorted(after) if self._low[t] is None]
            if not open_:
                payoffs = self._payoffs(node, place, None)
                several = payoffs is not None and pure_equilibria(payoffs, node.sizes)
                what = "pure equilibria differ" if several else "there is no pure equilibrium"
                break
            place = open_[0]
        return f"not determined: {what} in {self._state(place)}"

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

    def is_endless_at(self, place: int) -> bool:
        """Whether the best strategies that `mixed` has lead from the position at a place of the
        space to no end of play: from there on it stays where it is."""
        todo = [place] if self._staying else []
        while todo:
            here = todo.pop()
            worth = self.worth_at(here)
            if self.space.terminal[here] or worth is None or worth[0] != worth[1]:
                self._endless[here] = False
                continue
            told = {t: self._endless.get(t) for t in self._led_to(here) - {here}}
            unknown = [t for t, is_endless in told.items() if is_endless is None]
            if False in told.values() or not unknown:
                self._endless[here] = all(told.values())
            else:
                todo += [here, unknown[0]]
        return self._endless.get(place, False)

    def _led_to(self, place: int) -> set[int]:
        """The positions that best strategies lead to from one with a value, play going on."""
        node = self._node(place)
        likely = [[p > 0 for p in own] for own in self._mixed_at(place, node)]
        joints = zip(product(*likely), node.after, strict=True)
        return {t for chosen, targets in joints if all(chosen) for t in targets}

    @property
    def is_opposed(self) -> bool:
        """Whether two players share the same at every end of play, so that a best strategy makes
        sure of the value whatever the other does."""
        return self._total is not None

    def mixed(self, position: State) -> dict[str, dict[Term, Fraction]]:
        """For each player with a choice the moves of a best strategy with their probabilities.

        Of the pure equilibria, where these decide, the first. Empty at the end of play.
        """
        self.bounds(position)
        place = self._place(position)
        if self.space.terminal[place]:
            return {}
        node = self._node(place)
        mixed = self._mixed_at(place, node)
        move = self.game.evaluator.move
        return {
            player: {
                move(role, number): p for number, p in zip(numbers, strategy, strict=True) if p > 0
            }
            for player, role, numbers, strategy in zip(
                self.players, self.game.player_indices, node.moves, mixed, strict=True
            )
            if len(numbers) > 1
        }

    def _mixed_at(self, place: int, node: ChoiceNode) -> Sequence[Sequence[Fraction]]:
        """The best strategy of each player: the probabilities of its moves."""
        if self._total is not None:
            found = self._staying.get(place)
            if found:
                return found.rows, found.columns
            if self._low is self._high:
                solved = solve_matrix(self._rows(node, place, None))
                return solved.rows, solved.columns
            return (
                self._low.strategies(self._rows(node, place, None, self._low))[0],
                self._high.strategies(self._rows(node, place, None, self._high))[1],
            )
        payoffs = self._payoffs(node, place, None)
        assert payoffs is not None
        chosen = list(product(*map(range, node.sizes)))[pure_equilibria(payoffs, node.sizes)[0]]
        return [
            [Fraction(i == own) for i in range(size)]
            for own, size in zip(chosen, node.sizes, strict=True)
        ]

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
        node, index = self._node(place), self.players.index(mover)
        if place in self._staying:
            return tuple(sorted(mixed))
        low, high = (self._payoffs(node, place, None, w) for w in (self._low, self._high))
        if low is None or high is None:
            return tuple(sorted(mixed))
        # By bounds some may be named that are worse by less than these tell apart.
        pairs = [(a[index], b[index]) for a, b in zip(low, high, strict=True)]
        most, role = max(min(pair) for pair in pairs), self.game.player_indices[index]
        own = zip(node.moves[index], pairs, strict=True)
        best = (number for number, pair in own if max(pair) >= most)
        return tuple(sorted(self.game.evaluator.move(role, number) for number in best))

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
