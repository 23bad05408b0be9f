"""Positions in which players choose at once, valued many together.

A position is a game in normal form, of what the positions that follow are worth. Where a matrix has
a saddle point, and what is a pure equilibrium, hangs on the order of these alone; so each worth has
a number, and arrays of ranks are compared. What is left are matrices without a saddle point, of
which equal ones are solved once. Where values become long fractions, they are rounded: all down in
one run, and all up in another. What a matrix game is worth grows with its entries, so that what is
right lies between the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ggp.arrays import counted, distinct
from ggp.limits import look
from ggp.machine import Space
from ggp.theory.matrix import enclose_matrix, matrix_value, solve_matrix

MOST_WORK, MOST_ONE = 1 << 32, 1 << 30
"""Work on matrices of long fractions after which values are no longer exact, half a minute or so,
and on one of them, some seconds: the cube of its shorter side times the square of the bits of its
denominators, which a common divisor takes, and more for short ones (see `_work`)."""

SHORT, GRID = 200, 1 << 96
"""Bits of denominators that are not long, and the parts of one that longer ones are rounded to."""

Worth = tuple[Fraction, ...]
"""What players get."""

CELLS = 1 << 20
"""Combinations of moves that are looked at together."""

OPEN = -1
"""The number of what is not determined."""

Numbers = NDArray[np.int32]


@dataclass(frozen=True)
class ChoiceNode:
    """A position with choices: `moves` of each player, and for each combination of them, the last
    player's varying fastest, the positions that may follow, chance by chance."""

    moves: tuple[tuple[int, ...], ...]
    after: tuple[tuple[int, ...], ...]

    @property
    def sizes(self) -> list[int]:
        """How many moves each player has."""
        return [len(own) for own in self.moves]

    def matrix(self, payoffs: Sequence[Worth]) -> list[list[Fraction]]:
        """What the first of two players gets, of what each combination gives."""
        width = len(self.moves[1])
        flat = [payoff[0] for payoff in payoffs]
        return [flat[i : i + width] for i in range(0, len(flat), width)]


class LongValue(Exception):
    """Values are too long fractions to go on with."""


class Worths:
    """What the positions of a game are worth: `of` (positions,) has the numbers of `known`.

    `side`: 0, exactly; -1 or 1, no more or no less than that, of two opposed players.
    """

    def __init__(self, positions: int, side: int = 0) -> None:
        self.side, self.work = side, 0
        self.of: Numbers = np.full(positions, OPEN, dtype=np.int32)
        self.known: list[Worth] = []
        self._numbers: dict[Worth, int] = {}

    def __getitem__(self, place: int) -> Worth | None:
        """What a position is worth; None where that is not determined, or not yet known."""
        number = int(self.of[place])
        return None if number == OPEN else self.known[number]

    def number(self, worth: Worth) -> int:
        """The number of a worth, a new one if need be."""
        number = self._numbers.setdefault(worth, len(self.known))
        if number == len(self.known):
            self.known.append(worth)
        return number

    def value(self, matrix: Sequence[Sequence[Fraction]]) -> Fraction:
        """The value of a matrix game of two opposed players, rounded to its side; raises
        `LongValue` where it is to be exact and all of them took too much work."""
        bits = _bits(matrix)
        if not self.side and bits > SHORT:
            work = _work(matrix, bits)
            self.work += work
            if self.work > MOST_WORK or work > MOST_ONE:
                raise LongValue
        if not self.side or bits <= SHORT:
            return self.rounded(matrix_value(matrix))
        found = enclose_matrix(matrix)
        return self.rounded(found.low if self.side < 0 else found.high)

    def strategies(
        self, matrix: Sequence[Sequence[Fraction]]
    ) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Those of both players in a matrix game: they make sure of its `value` to its side."""
        if not self.side or _bits(matrix) <= SHORT:
            solved = solve_matrix(matrix)
            return solved.rows, solved.columns
        found = enclose_matrix(matrix)
        return found.rows, found.columns

    def rounded(self, value: Fraction) -> Fraction:
        """A value, rounded to its side where it is long."""
        if not self.side or value.denominator.bit_length() <= SHORT:
            return value
        scaled = value * GRID
        return Fraction(math.floor(scaled) if self.side < 0 else math.ceil(scaled), GRID)

    def ranks(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """For each number (rows) and player the rank of what that player gets among some
        `numbers`, equal where that is equal; less than 0 for other numbers."""
        wanted = distinct(numbers[numbers != OPEN])
        players = len(self.known[0]) if self.known else 0
        found = np.full((len(self.known), players), -1, dtype=np.int32)
        for player in range(players):
            own = [self.known[number][player] for number in wanted.tolist()]
            # Floating point rounds in order, and is quicker to compare than fractions.
            ordered = sorted(set(own), key=lambda x: (float(x), x))
            rank = {x: i for i, x in enumerate(ordered)}
            found[wanted, player] = [rank[x] for x in own]
        return found


def grids(
    space: Space, places: NDArray[np.int64], players: Sequence[int]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32] | None]]:
    """Positions by how many moves each player has, with what follows: places (n,) and targets (n,
    moves of the first player, moves of the second …); at last the places of all others, without.

    Others: those where chance moves, and those in which play may stay.
    """
    sizes = space.legal_counts[places][:, list(players)]
    kinds, kind_of = np.unique(sizes, axis=0, return_inverse=True)
    others = []
    for kind, shape in enumerate(kinds.tolist()):
        cells = int(np.prod(shape, dtype=np.int64))
        here = places[kind_of.reshape(-1) == kind]
        whole = space.out_degree[here] == cells
        others.append(here[~whole])
        here = here[whole]
        step = max(1, CELLS // cells)
        for begin in range(0, len(here), step):
            look()
            some = here[begin : begin + step]
            edges = space.first_edge[some][:, None] + np.arange(cells)
            targets = space.target[edges]
            plain = (targets != some[:, None]).all(axis=1)
            plain &= _in_order(space.joint[edges][:, :, list(players)], shape)
            others.append(some[~plain])
            if plain.any():
                yield some[plain], targets[plain].reshape(-1, *shape)
    if others:
        yield np.concatenate(others), None


def _in_order(joint: NDArray[np.int32], shape: Sequence[int]) -> NDArray[np.bool_]:
    """Of which positions the joint moves (n, combinations, players) are all combinations of moves,
    the last player's varying fastest, each player's ascending."""
    right = np.ones(len(joint), dtype=np.bool_)
    for player, size in enumerate(shape):
        own = np.moveaxis(joint[:, :, player].reshape(-1, *shape), 1 + player, 1)
        own = own.reshape(len(joint), size, -1)
        right &= (own == own[:, :, :1]).all(axis=(1, 2))
        right &= (np.diff(own[:, :, 0], axis=1) > 0).all(axis=1)
    return right


def value_matrices(
    worths: Worths,
    places: NDArray[np.int64],
    targets: NDArray[np.int32],
    ranks: NDArray[np.int32],
) -> None:
    """Value positions of two opposed players, of whom the first one's worth is known, as `grids`
    gives them; those that lead to what is not determined stay open. `ranks`: see `Worths.ranks`.
    Raises `BudgetSpent` as `look` does, `LongValue`."""
    numbers = worths.of[targets]
    known = (numbers != OPEN).all(axis=(1, 2))
    places, numbers = places[known], numbers[known]
    if not len(places):
        return
    rank = ranks[numbers, 0]
    ranked = np.flatnonzero(ranks[:, 0] >= 0)
    number_at = np.empty(len(ranked), dtype=np.int32)
    number_at[ranks[ranked, 0]] = ranked
    below, above = rank.min(axis=2).max(axis=1), rank.max(axis=1).min(axis=1)
    saddle = below == above
    worths.of[places[saddle]] = number_at[below[saddle]]
    places, numbers = places[~saddle], _in_one_order(numbers[~saddle])
    alike: dict[bytes, list[int]] = {}
    for i, matrix in enumerate(numbers):
        alike.setdefault(matrix.tobytes(), []).append(i)
    for same in alike.values():
        look()
        own = numbers[same[0]].tolist()
        value = worths.value([[worths.known[number][0] for number in row] for row in own])
        worths.of[places[same]] = worths.number((value,))


def _in_one_order(matrices: Numbers) -> Numbers:
    """Matrices (n, rows, columns) with their rows and columns in an order that hangs on what is in
    them, so that most of those that are alike up to the order are equal afterwards."""
    entries = _mixed(matrices.astype(np.uint64))
    for _ in range(2):
        rows, columns = entries.sum(axis=2), entries.sum(axis=1)
        entries = _mixed(entries ^ _mixed(rows)[:, :, None] ^ ~_mixed(columns)[:, None, :])
    rows, columns = (np.argsort(entries.sum(axis=axis), axis=1, kind="stable") for axis in (2, 1))
    found = np.take_along_axis(matrices, rows[:, :, None], axis=1)
    return np.take_along_axis(found, columns[:, None, :], axis=2)


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers, each in place of another (the finalizer of SplitMix64: Steele, Lea, Flood, "Fast
    splittable pseudorandom number generators", OOPSLA 2014)."""
    made = numbers + np.uint64(0x9E3779B97F4A7C15)
    made = (made ^ (made >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    made = (made ^ (made >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return made ^ (made >> np.uint64(31))


def _work(matrix: Sequence[Sequence[Fraction]], bits: int) -> int:
    """What it takes to value a matrix with denominators of so many bits, in some nanoseconds."""
    return min(len(matrix), len(matrix[0])) ** 3 * (256 + (bits * bits >> 10))


def _bits(matrix: Sequence[Sequence[Fraction]]) -> int:
    return math.lcm(*(x.denominator for row in matrix for x in row)).bit_length()


def value_equilibria(
    worths: Worths,
    places: NDArray[np.int64],
    targets: NDArray[np.int32],
    ranks: NDArray[np.int32],
) -> None:
    """Value positions by what their pure equilibria give, where all give the same; others stay
    open. The rest is as in `value_matrices`."""
    numbers = worths.of[targets]
    known = (numbers != OPEN).reshape(len(numbers), -1).all(axis=1)
    if not known.any():
        return
    places, numbers = places[known], numbers[known]
    best = np.ones(numbers.shape, dtype=np.bool_)
    for player in range(ranks.shape[1]):
        own = ranks[numbers, player]
        best &= own == own.max(axis=1 + player, keepdims=True)
    best, numbers = best.reshape(len(best), -1), numbers.reshape(len(best), -1)
    least = np.where(best, numbers, np.iinfo(np.int32).max).min(axis=1)
    most = np.where(best, numbers, OPEN).max(axis=1)
    worths.of[places] = np.where(least == most, most, OPEN)


def rounds(space: Space) -> Iterator[NDArray[np.int64]]:
    """All positions in groups, each position after those that follow it, itself apart (Kahn 1962).

    Positions that play can come back to after others, and all that lead there, are left out.
    """
    if _grow_deeper(space):
        plies = np.searchsorted(space.depth, np.arange(int(space.depth[-1]) + 2))
        for start, stop in reversed(list(pairwise(plies.tolist()))):
            yield np.arange(start, stop)
        return
    staying = space.target[space.source == space.target]
    pending = space.out_degree - np.bincount(staying, minlength=len(space))
    frontier = np.flatnonzero(pending == 0)
    while len(frontier):
        yield frontier
        # One that may stay is among these as well: with less than nothing left it does not return.
        before = space.source[space.edges_into(frontier)]
        if len(before) > len(space) // 4:
            # Sorting takes longer than to go through all positions.
            times = np.bincount(before, minlength=len(space))
            touched = np.flatnonzero(times)
            times = times[touched]
        else:
            few, times = counted(before)
            touched = few.astype(np.int64)
        pending[touched] -= times
        frontier = touched[pending[touched] == 0]


def _grow_deeper(space: Space) -> bool:
    """Whether every move leads to positions that are further from the roots, or to none other."""
    first, start = space.first_edge, 0
    while start < len(space):
        look()
        stop = int(np.searchsorted(first, first[start] + CELLS, side="right")) - 1
        stop = min(max(stop, start + 1), len(space))
        source = np.repeat(np.arange(start, stop), np.diff(first[start : stop + 1]))
        target = space.target[int(first[start]) : int(first[stop])]
        if ((space.depth[target] <= space.depth[source]) & (target != source)).any():
            return False
        start = stop
    return True


def constant_sum(space: Space, players: Sequence[int]) -> Fraction | None:
    """What two opposed players (roles, by index) share at every end of play; None where they are
    not that."""
    if len(players) != 2:
        return None
    sums = np.unique(space.goals[space.terminal][:, list(players)].sum(axis=1))
    return Fraction(int(sums[0])) if len(sums) == 1 else None
