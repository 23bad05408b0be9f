"""A position that play may come back to at once, two opposed players moving at the same time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ggp.limits import look
from ggp.solver.stages import ChoiceNode
from ggp.theory.matrix import MatrixSolution, solve_matrix

MAX_ROUNDS, MAX_BITS = 100, 2_000
"""Rounds in which the value of a position that play may come back to at once is sought, and bits of
the denominators that come up."""

SIMPLE = 1_000_000
"""Denominators of the values that are guessed near what is known."""

LEANING, SHORT = Fraction(1, 1 << 1000), 1 << 400
"""What it is worth to leave a position in which one may stay, where nothing else decides; and the
denominators of probabilities without that, from which those with it differ by far less."""


@dataclass(frozen=True)
class Staying:
    """The position `here` with its choices.

    `half`: what play that stays for ever gives the first player; `rows`: the matrix game there, of
    what each pair of moves gives him, staying being worth so much; `worth`: what he gets from
    another position on.
    """

    here: int
    node: ChoiceNode
    half: Fraction
    rows: Callable[[Fraction], list[list[Fraction]]]
    worth: Callable[[int], Fraction]

    def solved(self) -> MatrixSolution | None:
        """Its value, with strategies that guarantee it; None where it is not found.

        A strategy that a player keeps to guarantees what the other can do best against it; that of
        the matrix game at the value so far is no worse (Hoffman and Karp, Management Science 12,
        1966). Where what both can guarantee is the same it is the value.
        """
        low = high = self.half
        for _ in range(MAX_ROUNDS):
            look()
            if max(low.denominator, high.denominator).bit_length() > MAX_BITS:
                break
            rows = solve_matrix(self.rows(low)).rows
            columns = solve_matrix(self.rows(high)).columns
            below = self.guaranteed(rows, first=True)
            above = self.guaranteed(columns, first=False)
            if below == above:
                return self._settled(below, rows, columns)
            if (below, above) == (low, high):
                break
            low, high = below, above
        return self._guessed(low, high)

    def _settled(
        self, value: Fraction, rows: tuple[Fraction, ...], columns: tuple[Fraction, ...]
    ) -> MatrixSolution:
        """Strategies for a value that is found: those that leave the position, where for ever is
        worth as much and play need not stay; so it is at all images of a position."""
        if value == self.half:
            leaving = (self._leaving(value, first=first) for first in (True, False))
            rows, columns = (
                own if own and self.guaranteed(own, first=first) == value else given
                for first, own, given in zip((True, False), leaving, (rows, columns), strict=True)
            )
        return MatrixSolution(value, rows, columns)

    def _guessed(self, low: Fraction, high: Fraction) -> MatrixSolution | None:
        """A value between what both make sure of, and strategies that do: it may be what some
        moves give, which is only come nearer to, and have strategies of which some stay for ever
        and others not."""
        cells = {x for row in self.rows(low) for x in row}
        guesses = cells | {x.limit_denominator(SIMPLE) for x in (low, high)}
        for value in sorted(x for x in guesses if low <= x <= high):
            look()
            plain = solve_matrix(self.rows(value))
            rows, columns = (
                self._making_sure(value, strategy, first=first)
                for first, strategy in ((True, plain.rows), (False, plain.columns))
            )
            if rows and columns:
                return MatrixSolution(value, rows, columns)
        return None

    def _making_sure(
        self,
        value: Fraction,
        strategy: tuple[Fraction, ...],
        *,
        first: bool,
    ) -> tuple[Fraction, ...] | None:
        """A strategy that makes sure of a value: this one, or one that leaves; or None."""
        if self.guaranteed(strategy, first=first) == value:
            return strategy
        leaving = self._leaving(value, first=first)
        if leaving and self.guaranteed(leaving, first=first) == value:
            return leaving
        return None

    def _leaving(self, value: Fraction, *, first: bool) -> tuple[Fraction, ...] | None:
        """A strategy of a player for the matrix game at a position worth `value` which, of several,
        leaves it: what those come nearer to that are best where leaving is worth next to nothing
        more; None where it is not found so. What it makes sure of is to be looked at."""
        matrix = self.rows(value)
        width = len(matrix[0])
        leaned = [list(row) for row in matrix]
        for place, targets in enumerate(self.node.after):
            leaves = Fraction(sum(target != self.here for target in targets), len(targets))
            leaned[place // width][place % width] += LEANING * leaves * (1 if first else -1)
        found = solve_matrix(leaned)
        strategy = found.rows if first else found.columns
        near = tuple(p.limit_denominator(SHORT) for p in strategy)
        return near if sum(near) == 1 else None

    def guaranteed(self, mixed: Sequence[Fraction], *, first: bool) -> Fraction:
        """What the first player gets at the least (the most) where a player keeps to a mixed
        strategy, and the other always makes the same move, whichever is best against it."""
        width = len(self.node.moves[1])
        found = []
        for other in range(width if first else len(self.node.moves[0])):
            stays, gets = Fraction(0), Fraction(0)
            for own, p in enumerate(mixed):
                targets = self.node.after[own * width + other if first else other * width + own]
                for target in targets:
                    if target == self.here:
                        stays += p / len(targets)
                    else:
                        gets += p / len(targets) * self.worth(target)
            found.append(gets / (1 - stays) if stays < 1 else self.half)
        return min(found) if first else max(found)
