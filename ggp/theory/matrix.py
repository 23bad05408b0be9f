"""Matrix games of two opposed players: value and optimal mixed strategies, exact.

The minimax theorem: J. von Neumann, Mathematische Annalen 100 (1928). Saddle points first; else the
simplex method in rational numbers with Bland's rule, which always ends (Mathematics of Operations
Research 2, 1977), on the linear program of Dantzig (1951).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Number = int | Fraction


@dataclass(frozen=True)
class MatrixSolution:
    """The value for the row player, who wants much of it, and an optimal mixed strategy of each:
    the probability of each row and of each column."""

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]

    def is_right(self, matrix: Sequence[Sequence[Number]]) -> bool:
        """Whether neither player can do better against the other's strategy: a proof."""
        against_rows = (
            sum((p * row[j] for p, row in zip(self.rows, matrix, strict=True)), Fraction(0))
            for j in range(len(self.columns))
        )
        against_columns = (
            sum((q * x for q, x in zip(self.columns, row, strict=True)), Fraction(0))
            for row in matrix
        )
        return (
            min(self.rows) >= 0
            and min(self.columns) >= 0
            and sum(self.rows) == sum(self.columns) == 1
            and all(x >= self.value for x in against_rows)
            and all(x <= self.value for x in against_columns)
        )


def solve_matrix(matrix: Sequence[Sequence[Number]]) -> MatrixSolution:
    """The solution of a matrix of what the column player pays the row player.

    >>> solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]).rows
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    >>> solve_matrix([[3, 1], [2, 0]]).value
    Fraction(1, 1)
    >>> solve_matrix([[2, 0], [0, 1]])
    MatrixSolution(value=Fraction(2, 3), rows=(Fraction(1, 3), Fraction(2, 3)), \
columns=(Fraction(1, 3), Fraction(2, 3)))
    """
    if not matrix or not matrix[0]:
        raise ValueError("a matrix game has a row and a column at least")
    return _saddle(matrix) or _mixed(matrix)


def _saddle(matrix: Sequence[Sequence[Number]]) -> MatrixSolution | None:
    """A pure solution, of the first row and the first column that are optimal."""
    worst = [min(row) for row in matrix]
    best = [max(row[j] for row in matrix) for j in range(len(matrix[0]))]
    value = max(worst)
    if value != min(best):
        return None
    i, j = worst.index(value), best.index(value)
    return MatrixSolution(Fraction(value), _pure(i, len(worst)), _pure(j, len(best)))


def _pure(place: int, count: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(i == place) for i in range(count))


def _mixed(matrix: Sequence[Sequence[Number]]) -> MatrixSolution:
    """By the simplex method: maximise the sum of y >= 0 where no row of the matrix, made positive,
    gives more than 1; the value is the inverse of that sum, the strategies are y and its dual."""
    count, width = len(matrix), len(matrix[0])
    shift = 1 - min(map(min, matrix))
    # The tableau has a column for each variable and slack, and the right side.
    table = [
        [*(Fraction(x + shift) for x in row), *_pure(i, count), Fraction(1)]
        for i, row in enumerate(matrix)
    ]
    goal = [Fraction(-1)] * width + [Fraction(0)] * (count + 1)
    basis = list(range(width, width + count))
    while (entering := next((j for j, x in enumerate(goal[:-1]) if x < 0), None)) is not None:
        leaving = min(
            (i for i in range(count) if table[i][entering] > 0),
            key=lambda i: (table[i][-1] / table[i][entering], basis[i]),
        )
        pivot = table[leaving][entering]
        table[leaving] = [x / pivot for x in table[leaving]]
        for i, row in enumerate(table):
            if i != leaving and row[entering]:
                table[i] = _less(row, row[entering], table[leaving])
        goal = _less(goal, goal[entering], table[leaving])
        basis[leaving] = entering
    total = goal[-1]
    columns = [Fraction(0)] * width
    for i, variable in enumerate(basis):
        if variable < width:
            columns[variable] = table[i][-1] / total
    rows = tuple(x / total for x in goal[width:-1])
    return MatrixSolution(1 / total - shift, rows, tuple(columns))


def _less(row: list[Fraction], factor: Fraction, pivot: list[Fraction]) -> list[Fraction]:
    return [x - factor * y if y else x for x, y in zip(row, pivot, strict=True)]


def pure_equilibria(payoffs: Sequence[Sequence[Number]], sizes: Sequence[int]) -> list[int]:
    """The pure equilibria of a game in normal form, by their places in `payoffs`.

    `sizes`: how many choices each player has. `payoffs`: for each combination of choices, the last
    player's varying fastest, what each player gets (Nash, Annals of Mathematics 54, 1951).
    """
    steps = [1] * len(sizes)
    for i in range(len(sizes) - 2, -1, -1):
        steps[i] = steps[i + 1] * sizes[i + 1]
    found = []
    for place in range(len(payoffs)):
        for player, (size, step) in enumerate(zip(sizes, steps, strict=True)):
            own = place // step % size
            first = place - own * step
            if any(payoffs[first + c * step][player] > payoffs[place][player] for c in range(size)):
                break
        else:
            found.append(place)
    return found
