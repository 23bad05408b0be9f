"""What the positions of a space are worth in which players choose at the same time.

Two opposed players: each position is a matrix game, whose value stands for the position from then
on (H. Everett, "Recursive games", Contributions to the Theory of Games III, 1957). Others: a
position is worth what its pure equilibria give, where there are some and all give the same; else it
is not determined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ggp.errors import BudgetSpent, NotSolvable
from ggp.limits import Budget, look
from ggp.machine import Space
from ggp.solver.stages import (
    OPEN,
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


class ComesRound(NotSolvable):
    """Play can come back to a position after others."""


class Valuation:
    """What each place of a space is worth to the players (`columns`: their roles, by index).

    `total`: what two opposed players share at every end of play; None: they are not that. Raises
    `ComesRound` where play can come back to a place after more than one move, `BudgetSpent`.
    """

    def __init__(self, space: Space, columns: Sequence[int], budget: Budget) -> None:
        self.space, self.columns = space, list(columns)
        self.total = constant_sum(space, self.columns)
        self._low = self._high = Worths(len(space))
        """What positions are worth: exactly, or no less and no more than that."""
        self._valued = 0
        self._staying: dict[int, MatrixSolution] = {}
        """The strategies that make sure of the value where play may stay where it is."""
        self._alike: dict[tuple[tuple[int, ...], bytes], MatrixSolution | None] = {}
        """The same for all places that are alike."""
        self._endless: dict[int, bool] = {}
        try:
            with budget.in_force():
                self._solve_all(rounds(space))
        except BudgetSpent as spent:
            valued = f"{self._valued:,} of {len(space):,} positions valued"
            raise BudgetSpent(spent.limit, spent.value, valued) from None

    def _solve_all(self, order: Iterable[NDArray[np.int64]]) -> None:
        order = list(order)
        if sum(map(len, order)) < len(self.space):
            raise ComesRound("moves are simultaneous, and play can come round to a position again")
        try:
            self._solve(order, self._low)
        except LongValue:
            self._low, self._high = (Worths(len(self.space), side) for side in (-1, 1))
            for worths in (self._low, self._high):
                self._valued = 0
                self._solve(order, worths)

    def _solve(self, order: Sequence[NDArray[np.int64]], worths: Worths) -> None:
        space, columns = self.space, self.columns
        for places in order:
            look()
            ends = places[space.terminal[places]]
            goals, kinds = np.unique(space.goals[ends][:, columns], axis=0, return_inverse=True)
            known = [tuple(map(Fraction, goal)) for goal in goals.tolist()]
            numbers = [self._number(worths, worth) for worth in known]
            worths.of[ends] = np.array(numbers, dtype=np.int32)[kinds.reshape(-1)]
            self._valued += len(ends)
            going = places[~space.terminal[places]]
            for here, targets in grids(space, going, columns):
                if targets is None:
                    self._one_by_one(here, worths)
                    continue
                ranks = worths.ranks(worths.of[targets])
                if self.total is None:
                    value_equilibria(worths, here, targets, ranks)
                else:
                    value_matrices(worths, here, targets, ranks)
                self._valued += len(here)

    def _one_by_one(self, places: NDArray[np.int64], worths: Worths) -> None:
        for count, place in enumerate(places.tolist()):
            if count % LOOK == 0:
                look()
            value = self._value(place, self.node(place), worths)
            if value is not None:
                worths.of[place] = self._number(worths, value)
            self._valued += 1

    def _number(self, worths: Worths, worth: Values) -> int:
        """The number of what players get; of two opposed ones what the first gets is enough."""
        return worths.number(worth if self.total is None else worth[:1])

    def _worth(self, worths: Worths, place: int) -> Values | None:
        worth = worths[place]
        if worth is None or self.total is None:
            return worth
        return worth[0], self.total - worth[0]

    def bounds_at(self, place: int) -> tuple[Values, Values] | None:
        """What is proved of the worth of a place: the same twice where it is known exactly, else by
        what the first of two opposed players gets at least, and at the most; None where it is not
        determined."""
        low, high = self._worth(self._low, place), self._worth(self._high, place)
        return None if low is None or high is None else (low, high)

    def worth_at(self, place: int) -> Values | None:
        """What each player gets from a place; the mean of the bounds where it lies between such,
        None where it is not determined."""
        bounds = self.bounds_at(place)
        if bounds is None or bounds[0] == bounds[1]:
            return bounds and bounds[0]
        return tuple((a + b) / 2 for a, b in zip(*bounds, strict=True))

    def node(self, place: int) -> ChoiceNode:
        """The choices at a place that is not an end of play."""
        edges = self.space.edges(place)
        joints = self.space.joint[edges.start : edges.stop][:, self.columns]
        targets = self.space.target[edges.start : edges.stop].tolist()
        moves = tuple(tuple(np.unique(own).tolist()) for own in joints.T)
        after: dict[tuple[int, ...], list[int]] = {}
        for joint, target in zip(joints.tolist(), targets, strict=True):
            after.setdefault(tuple(joint), []).append(target)
        return ChoiceNode(moves, tuple(tuple(after[own]) for own in product(*moves)))

    def payoffs(
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

    def payoffs_within(self, node: ChoiceNode, here: int) -> list[list[Values]] | None:
        """The same by both bounds, where play does not stay; None where it may, or that of some is
        not determined."""
        if here in self._staying:
            return None
        found = [self.payoffs(node, here, None, worths) for worths in (self._low, self._high)]
        known = [own for own in found if own is not None]
        return known if len(known) == len(found) else None

    def _value(self, here: int, node: ChoiceNode, worths: Worths) -> Values | None:
        comes_back = any(here in targets for targets in node.after)
        at_once = (Fraction(0),) * len(node.moves) if comes_back else None
        payoffs = self.payoffs(node, here, at_once, worths)
        if payoffs is None or (comes_back and self.total is None):
            return None
        if self.total is not None:
            if comes_back:
                found = self._stays(here, node, worths)
                if found is None:
                    return None
                value = worths.rounded(found)
            else:
                value = worths.value(node.matrix(payoffs))
            return value, self.total - value
        worth = {payoffs[place] for place in pure_equilibria(payoffs, node.sizes)}
        return worth.pop() if len(worth) == 1 else None

    def _rows(
        self, node: ChoiceNode, here: int, own: Fraction | None, worths: Worths | None = None
    ) -> list[list[Fraction]]:
        """The matrix game at a position, which itself is worth `own` to the first player, where all
        that it leads to is determined."""
        assert self.total is not None
        at_once = None if own is None else (own, self.total - own)
        payoffs = self.payoffs(node, here, at_once, worths)
        assert payoffs is not None
        return node.matrix(payoffs)

    def _stays(self, here: int, node: ChoiceNode, worths: Worths) -> Fraction | None:
        """The value of a position that play may come back to at once, where that is found; for
        ever is a draw. Where values are rounded it is what the strategies that were found before
        that make sure of."""
        assert self.total is not None

        def first(place: int) -> Fraction:
            worth = worths[place]
            assert worth is not None
            return worth[0]

        rows = partial(self._rows, node, here, worths=worths)
        staying = Staying(here, node, self.total / 2, rows, first)
        if worths.side:
            found = self._staying.get(here)
        else:
            targets = np.array([t for own in node.after for t in own])
            alike = np.where(targets == here, OPEN, worths.of[targets])
            key = (*node.sizes, *map(len, node.after)), alike.tobytes()
            if key not in self._alike:
                self._alike[key] = staying.solved()
            found = self._alike[key]
        if found is None:
            return None
        self._staying[here] = found
        if not worths.side:
            return found.value
        is_low = worths.side < 0
        return staying.guaranteed(found.rows if is_low else found.columns, first=is_low)

    def why_open(self, place: int) -> tuple[str, int]:
        """What is wrong with a place that is not determined, or with one that it leads to; and
        with which."""
        while True:
            node = self.node(place)
            after = {t for targets in node.after for t in targets}
            if place in after and self.total is None:
                return "play can stay where it is", place
            if place in after:
                return "no exact value found where play stays", place
            open_ = [t for t in sorted(after) if self._low[t] is None]
            if not open_:
                payoffs = self.payoffs(node, place, None)
                several = payoffs is not None and pure_equilibria(payoffs, node.sizes)
                what = "pure equilibria differ" if several else "there is no pure equilibrium"
                return what, place
            place = open_[0]

    def is_endless_at(self, place: int) -> bool:
        """Whether the best strategies that `mixed_at` has lead from a place to no end of play: from
        there on it stays where it is."""
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
        """The places that best strategies lead to from one with a value, play going on."""
        node = self.node(place)
        likely = [[p > 0 for p in own] for own in self.mixed_at(place, node)]
        joints = zip(product(*likely), node.after, strict=True)
        return {t for chosen, targets in joints if all(chosen) for t in targets}

    def mixed_at(self, place: int, node: ChoiceNode) -> Sequence[Sequence[Fraction]]:
        """The best strategy of each player at a place that is determined: the probabilities of its
        moves. Of pure equilibria, where these decide, the first."""
        if self.total is not None:
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
        payoffs = self.payoffs(node, place, None)
        assert payoffs is not None
        chosen = list(product(*map(range, node.sizes)))[pure_equilibria(payoffs, node.sizes)[0]]
        return [
            [Fraction(i == own) for i in range(size)]
            for own, size in zip(chosen, node.sizes, strict=True)
        ]
