"""Matrix games of two opposed players: value and optimal mixed strategies, exact.

The minimax theorem: J. von Neumann, Mathematische Annalen 100 (1928). Saddle points first; else the
simplex method in rational numbers with Bland's rule, which always ends (Mathematics of Operations
Research 2, 1977), on the linear program of Dantzig (1951). Where that takes long it is done in
floating point, and what comes of it proves itself in rational numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ggp.limits import look

Number = int | Fraction

WEIGHT = 1 << 52
"""What the weights of a strategy that was found in floating point sum to, nearly."""

FEW, SHORT = 64, 128
"""Cells of a matrix, and bits of their denominator, up to which simplex in rational numbers is
quickest."""

WORK = "the value of a matrix game"
"""What is said where an account of time or memory that is in force is overdrawn."""

ROUNDED, LARGEST, PIVOTS = 1e-9, 1e300, 20
"""What counts as nothing in floating point, and as too much; and pivots made there at the most, for
each row and column."""


@dataclass(frozen=True)
class MatrixSolution:
    """The value for the row player, who wants much of it, and an optimal mixed strategy of each:
    the probability of each row and of each column."""

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]

    def is_right(self, matrix: Sequence[Sequence[Number]]) -> bool:
        """Whether neither player can do better against the other's strategy: a proof."""
        against_rows = (_dot(self.rows, column) for column in zip(*matrix, strict=True))
        against_columns = (_dot(self.columns, row) for row in matrix)
        return (
            min(self.rows) >= 0
            and min(self.columns) >= 0
            and sum(self.rows) == sum(self.columns) == 1
            and all(x >= self.value for x in against_rows)
            and all(x <= self.value for x in against_columns)
        )


TALL = 256
"""Rows up to which a matrix is solved as it is, though it have fewer columns."""


@dataclass(frozen=True)
class Enclosure:
    """Strategies that are nearly optimal, and what they make sure of: the row player of `low`, the
    column player of paying no more than `high`. The value is none less and none more."""

    low: Fraction
    high: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def enclose_matrix(matrix: Sequence[Sequence[Number]]) -> Enclosure:
    """Bounds of the value of a matrix game, close together and proved: its strategies are found in
    floating point, what each makes sure of is exact; where a pure solution is right, that is it.
    Raises `OverflowError` for numbers too large.

    >>> found = enclose_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> found.low <= 0 <= found.high, float(found.high - found.low) < 1e-12
    (True, True)
    """
    if not matrix or not matrix[0]:
        raise ValueError("a matrix game has a row and a column at least")
    pure = _saddle(matrix)
    if pure:
        return Enclosure(pure.value, pure.value, pure.rows, pure.columns)
    if _is_tall(matrix):
        turned = enclose_matrix(_turned(matrix))
        return Enclosure(-turned.high, -turned.low, turned.columns, turned.rows)
    table, basis = _tableau(matrix)
    width = len(matrix[0])
    weights = [0.0] * width
    for i, variable in enumerate(basis.tolist()):
        if variable < width:
            weights[variable] = float(table[i, -1])
    rows, columns = _shares(table[-1, width:-1].tolist()), _shares(weights)
    low = min(_dot(rows, column) for column in zip(*matrix, strict=True))
    return Enclosure(low, max(_dot(columns, row) for row in matrix), rows, columns)


def _shares(weights: Sequence[float]) -> tuple[Fraction, ...]:
    """Probabilities near some weights; equal ones where no weight is more than 0."""
    total = sum(max(0.0, x) for x in weights)
    whole = [round(max(0.0, x) / total * WEIGHT) if total > 0 else 1 for x in weights]
    return tuple(Fraction(x, sum(whole)) for x in whole)


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
    pure = _saddle(matrix)
    if pure:
        return pure
    if _is_tall(matrix):
        turned = solve_matrix(_turned(matrix))
        return MatrixSolution(-turned.value, turned.columns, turned.rows)
    return (not _is_small(matrix) and _by_basis(matrix)) or _mixed(matrix)


def _is_tall(matrix: Sequence[Sequence[Number]]) -> bool:
    """Whether it is better seen by the other player: work and memory grow with the square of the
    rows."""
    return len(matrix) > max(TALL, len(matrix[0]))


def _turned(matrix: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """The same game, the column player's moves being rows."""
    return [[-x for x in column] for column in zip(*matrix, strict=True)]


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
    gives more than 1; the value is the inverse of that sum, the strategies are y and its dual.

    In whole numbers: all of the tableau has one denominator, the last pivot, and is divided by the
    one before without a remainder (J. Edmonds, Linear Algebra and its Applications 1, 1967).
    """
    count, width = len(matrix), len(matrix[0])
    scale = math.lcm(*(x.denominator for row in matrix for x in row))
    scaled = [[x.numerator * (scale // x.denominator) for x in row] for row in matrix]
    shift = 1 - min(map(min, scaled))
    # The tableau has a column for each variable and slack, and the right side.
    table = [
        [*(x + shift for x in row), *(int(k == i) for k in range(count)), 1]
        for i, row in enumerate(scaled)
    ]
    table.append([-1] * width + [0] * (count + 1))
    basis = list(range(width, width + count))
    last = 1
    while (entering := next((j for j, x in enumerate(table[-1][:-1]) if x < 0), None)) is not None:
        look(WORK)
        leaving = _leaving(table, entering, basis)
        chosen = table[leaving]
        pivot = chosen[entering]
        for i, row in enumerate(table):
            if i != leaving:
                factor = row[entering]
                table[i] = [
                    (x * pivot - factor * y) // last for x, y in zip(row, chosen, strict=True)
                ]
        basis[leaving], last = entering, pivot
    total = table[-1][-1]
    columns = [Fraction(0)] * width
    for i, variable in enumerate(basis):
        if variable < width:
            columns[variable] = Fraction(table[i][-1], total)
    rows = tuple(Fraction(x, total) for x in table[-1][width:-1])
    return MatrixSolution(Fraction(last - shift * total, total * scale), rows, tuple(columns))


def _leaving(table: Sequence[Sequence[int]], entering: int, basis: Sequence[int]) -> int:
    """The row in which the entering variable is bounded most; of several the one whose variable is
    the first (Bland)."""
    best = -1
    for i, variable in enumerate(basis):
        row = table[i]
        if row[entering] > 0:
            if best < 0:
                best = i
                continue
            # Which ratio is less, without dividing.
            more = row[-1] * table[best][entering] - table[best][-1] * row[entering]
            if more < 0 or (more == 0 and variable < basis[best]):
                best = i
    return best


def matrix_value(matrix: Sequence[Sequence[Number]]) -> Fraction:
    """The value of a matrix game, without strategies: quicker where some choices are of no use.

    >>> matrix_value([[2, 0, 2], [0, 1, 1], [0, 1, 0]])
    Fraction(2, 3)
    """
    return solve_matrix(_undominated(matrix) if matrix else matrix).value


def _is_small(matrix: Sequence[Sequence[Number]]) -> bool:
    cells = [x for row in matrix for x in row]
    return len(cells) <= FEW and math.lcm(*(x.denominator for x in cells)).bit_length() <= SHORT


def _by_basis(matrix: Sequence[Sequence[Number]]) -> MatrixSolution | None:
    """The solution by the rows and columns which floating point takes for those in use, where it
    proves itself in rational numbers; None where it does not.

    The simplex method makes many pivots, each with all of the matrix, and long fractions grow on
    the way; here there is one system of equations for each player, of what is in use alone.
    """
    try:
        rows, columns = _in_use(matrix)
    except OverflowError:
        return None
    used = [[matrix[i][j] for j in columns] for i in rows]
    first = _indifferent([list(column) for column in zip(*used, strict=True)])
    second = _indifferent(used)
    if first is None or second is None:
        return None
    (p, value), (q, above) = first, second
    shares = dict(zip(rows, p, strict=True)), dict(zip(columns, q, strict=True))
    mixed = [
        tuple(own.get(i, Fraction(0)) for i in range(count))
        for own, count in zip(shares, (len(matrix), len(matrix[0])), strict=True)
    ]
    found = MatrixSolution(value, mixed[0], mixed[1])
    return found if value == above and found.is_right(matrix) else None


def _dot(weights: Sequence[Fraction], numbers: Sequence[Number]) -> Fraction:
    return sum((p * x for p, x in zip(weights, numbers, strict=True) if p), Fraction(0))


def _in_use(matrix: Sequence[Sequence[Number]]) -> tuple[list[int], list[int]]:
    """Rows and columns, as many, that optimal strategies use: by the simplex method in floating
    point, so that it may not be so. Raises `OverflowError` for numbers too large for it."""
    count, width = len(matrix), len(matrix[0])
    _, basis = _tableau(matrix)
    idle = set((basis[basis >= width] - width).tolist())
    return [i for i in range(count) if i not in idle], sorted(basis[basis < width].tolist())


def _tableau(
    matrix: Sequence[Sequence[Number]],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The last tableau of the simplex method in floating point (a row for each of the matrix, and
    that of the objective; a column for each variable, then for each slack, and the right side), and
    which variable each row is for."""
    payoffs = np.array([[float(x) for x in row] for row in matrix])
    if np.abs(payoffs).max() > LARGEST:
        raise OverflowError
    count, width = payoffs.shape
    table = np.zeros((count + 1, width + count + 1))
    # What is paid lies between 1 and 2, whatever its unit, unless rounded it is all one.
    table[:count, :width] = 1 + (payoffs - payoffs.min()) / (np.ptp(payoffs) or 1.0)
    table[:count, width:-1] = np.eye(count)
    table[:count, -1] = 1
    table[count, :width] = -1
    basis = np.arange(width, width + count)
    for _ in range(PIVOTS * (count + width)):
        look(WORK)
        entering = int(table[count, :-1].argmin())
        column = table[:count, entering]
        bounded = np.flatnonzero(column > ROUNDED)
        if table[count, entering] > -ROUNDED or not len(bounded):
            break
        leaving = bounded[(table[bounded, -1] / column[bounded]).argmin()]
        table[leaving] /= table[leaving, entering]
        factors = table[:, entering].copy()
        factors[leaving] = 0
        table -= np.outer(factors, table[leaving])
        basis[leaving] = entering
    return table, basis


def _indifferent(
    matrix: Sequence[Sequence[Number]],
) -> tuple[list[Fraction], Fraction] | None:
    """Weights of the columns of a square matrix, of sum 1, with which every row has the same mean,
    and that mean; None where there are none, or several (Gauss and Jordan)."""
    count = len(matrix)
    table = [[*map(Fraction, row), Fraction(-1), Fraction(0)] for row in matrix]
    table.append([Fraction(1)] * count + [Fraction(0), Fraction(1)])
    for place in range(count + 1):
        look(WORK)
        pivot = next((i for i in range(place, count + 1) if table[i][place]), None)
        if pivot is None:
            return None
        table[place], table[pivot] = table[pivot], table[place]
        inverse = 1 / table[place][place]
        chosen = table[place] = [x * inverse if x else x for x in table[place]]
        for i, row in enumerate(table):
            if i != place and row[place]:
                table[i] = _less(row, row[place], chosen)
    *weights, mean = (row[-1] for row in table)
    return weights, mean


def _less(row: list[Fraction], factor: Fraction, pivot: list[Fraction]) -> list[Fraction]:
    return [x - factor * y if y else x for x, y in zip(row, pivot, strict=True)]


def _undominated(matrix: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """A matrix without the rows and the columns that are nowhere better than another for those who
    choose them, of what was left: the value is the same (Gale, Kuhn and Tucker, Contributions to
    the Theory of Games I, 1950)."""
    rank = {x: i for i, x in enumerate(sorted({x for row in matrix for x in row}))}
    left = np.array([[rank[x] for x in row] for row in matrix])
    rows, columns = np.arange(len(matrix)), np.arange(len(matrix[0]))
    while True:
        look(WORK)
        best = _unbeaten(left)
        least = _unbeaten(-left[best].T)
        rows, columns, left = rows[best], columns[least], left[best][:, least]
        if best.all() and least.all():
            return [[matrix[i][j] for j in columns.tolist()] for i in rows.tolist()]


def _unbeaten(rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows are somewhere better than each other one; of rows that are alike the first."""
    found = np.ones(len(rows), dtype=np.bool_)
    for i, row in enumerate(rows):
        others = (rows >= row).all(axis=1) & found
        others[i] = False
        # A row that is alike and comes later gives way to this one.
        alike = others & (rows == row).all(axis=1)
        found[i] = not (others & ~alike).any() and not alike[:i].any()
    return found


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
