"""Matrix games, of which every solution proves itself, and games in normal form."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.errors import LimitReached
from ggp.limits import Budget, Limits
from ggp.theory import matrix as module
from ggp.theory.matrix import enclose_matrix, matrix_value, pure_equilibria, solve_matrix

MATRICES = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-9, 9), min_size=width, max_size=width), min_size=1, max_size=5
    )
)


@given(MATRICES)
def test_neither_player_can_do_better(matrix) -> None:
    """Minimax theorem (von Neumann 1928): these two strategies prove the value."""
    solution = solve_matrix(matrix)
    assert solution.is_right(matrix)
    assert sum(solution.rows) == sum(solution.columns) == 1
    turned = solve_matrix([[-row[j] for row in matrix] for j in range(len(matrix[0]))])
    assert turned.value == -solution.value


@given(MATRICES, st.fractions(-3, 3, max_denominator=7))
def test_fractions_and_shifts(matrix, shift) -> None:
    moved = [[x + shift for x in row] for row in matrix]
    assert solve_matrix(moved).value == solve_matrix(matrix).value + shift


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        ([[5]], 5),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0),
        ([[2, -3], [-3, 4]], Fraction(-1, 12)),  # Morra of one finger: Winning Ways, p. 10
        ([[1, 2, 3], [0, 0, 9]], 1),
        ([[0, 1], [1, 0], [Fraction(1, 2), Fraction(1, 2)]], Fraction(1, 2)),
    ],
)
def test_known_values(matrix, value) -> None:
    assert solve_matrix(matrix).value == value


FRACTIONS = st.integers(1, 7).flatmap(
    lambda width: st.lists(
        st.lists(st.fractions(-2, 2, max_denominator=9), min_size=width, max_size=width),
        min_size=1,
        max_size=7,
    )
)


@given(FRACTIONS)
def test_what_is_seen_in_floating_point_proves_itself(matrix) -> None:
    """Both ways to a mixed solution find the value, which is one (von Neumann 1928)."""
    value = module._mixed(matrix).value
    assert matrix_value(matrix) == value
    found = module._by_basis(matrix)
    assert found is None or (found.value == value and found.is_right(matrix))


@given(FRACTIONS, st.integers(-9, 9))
def test_the_value_is_between_bounds_that_strategies_make_sure_of(matrix, power) -> None:
    scaled = [[x * Fraction(10) ** power for x in row] for row in matrix]
    found, value = enclose_matrix(scaled), matrix_value(scaled)
    assert found.low <= value <= found.high
    assert found.high - found.low <= Fraction(10) ** (power - 9)
    assert sum(found.rows) == sum(found.columns) == 1
    assert min(*found.rows, *found.columns) >= 0
    for column in zip(*scaled, strict=True):
        assert sum(p * x for p, x in zip(found.rows, column, strict=True)) >= found.low
    for row in scaled:
        assert sum(p * x for p, x in zip(found.columns, row, strict=True)) <= found.high


def test_a_pure_solution_is_no_bound_but_the_value() -> None:
    """Its neighbour is a little better against one column, and floating point mixes the two."""
    little = Fraction(50, 1 << 28)
    found = enclose_matrix([[100, 50, 50], [100, 50 + little, 0]])
    assert found.low == found.high == 50
    assert (found.rows, found.columns[0]) == ((1, 0), 0)


def test_bounds_of_matrices_that_are_none_or_too_large() -> None:
    with pytest.raises(ValueError, match="a row and a column"):
        enclose_matrix([])
    with pytest.raises(OverflowError):
        enclose_matrix([[10**400, 0], [0, 10**400]])


@given(FRACTIONS)
def test_choices_that_are_of_no_use_leave_the_value(matrix) -> None:
    left = module._undominated(matrix)
    assert module._mixed(left).value == module._mixed(matrix).value
    for rows in (left, [[-x for x in column] for column in zip(*left, strict=True)]):
        for one, other in itertools.permutations(rows, 2):
            assert any(x > y for x, y in zip(one, other, strict=True))


def test_large_matrices_are_solved_by_what_is_in_use() -> None:
    size = 30
    matrix = [
        [Fraction((7 * i * i + 5 * i * j + 3 * j) % 31, 1 + (i + j) % 5) for j in range(size)]
        for i in range(size)
    ]
    found = module._by_basis(matrix)
    assert found is not None
    assert found.is_right(matrix)
    assert solve_matrix(matrix) == found
    assert module._mixed(matrix).value == matrix_value(matrix) == found.value


@pytest.mark.parametrize("tiny", [Fraction(1, 10**40), Fraction(1, 10**400), 1 / Fraction(3**900)])
def test_what_floating_point_cannot_tell_apart_is_solved(tiny) -> None:
    """Matching pennies for next to nothing: half of it."""
    pennies = [[7 + tiny, Fraction(7)], [Fraction(7), 7 + tiny]]
    assert matrix_value(pennies) == 7 + tiny / 2
    assert solve_matrix(pennies).rows == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize("large", [10**307, 10**400])
def test_numbers_too_large_for_floating_point_are_no_fault(large) -> None:
    matrix = [[large * ((7 * i + 3 * j) % 10 == 0) + (i == j) for j in range(9)] for i in range(9)]
    assert module._by_basis(matrix) is None
    assert solve_matrix(matrix).is_right(matrix)


def test_what_does_not_prove_itself_is_not_taken(monkeypatch) -> None:
    game = [[Fraction(2), Fraction(0)], [Fraction(0), Fraction(1)]]
    assert module._by_basis(game) == solve_matrix(game)
    for used in (([0], [0]), ([1], [0]), ([1], [1])):
        monkeypatch.setattr(module, "_in_use", lambda _, used=used: used)
        assert module._by_basis(game) is None
    # Rows that are alike are mixed in many ways.
    monkeypatch.setattr(module, "_in_use", lambda _: ([0, 1], [0, 1]))
    assert module._by_basis([[Fraction(1), Fraction(2)], [Fraction(1), Fraction(2)]]) is None
    # Weights of what is in use that are less than nothing.
    assert module._by_basis([[Fraction(3), Fraction(1)], [Fraction(2), Fraction(5)]]) is not None
    assert module._by_basis([[Fraction(3), Fraction(1)], [Fraction(2), Fraction(-1)]]) is None


def test_what_is_not_optimal_is_not_right() -> None:
    good = solve_matrix([[0, 1], [1, 0]])
    assert not good.is_right([[0, 1], [2, 0]])
    for nothing in ([], [[]]):
        for solve in (solve_matrix, matrix_value):
            with pytest.raises(ValueError, match="at least"):
                solve(nothing)


@pytest.mark.parametrize("way", [module._mixed, module._by_basis])
def test_work_on_one_matrix_ends_where_an_account_is_spent(way) -> None:
    game = [[Fraction(2), Fraction(0)], [Fraction(0), Fraction(1)]]
    with Budget(Limits(seconds=-1.0)).in_force(), pytest.raises(LimitReached, match="a matrix"):
        way(game)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=3), st.data())
def test_equilibria_are_where_nobody_gains_alone(sizes, data) -> None:
    places = list(itertools.product(*map(range, sizes)))
    payoffs = [tuple(data.draw(st.integers(0, 2)) for _ in sizes) for _ in places]
    of = dict(zip(places, payoffs, strict=True))
    expected = [
        i
        for i, place in enumerate(places)
        if all(
            of[(*place[:p], c, *place[p + 1 :])][p] <= of[place][p]
            for p, size in enumerate(sizes)
            for c in range(size)
        )
    ]
    assert pure_equilibria(payoffs, sizes) == expected


@pytest.mark.parametrize("seed", range(6))
def test_a_tall_matrix_is_seen_by_the_other_player(seed: int, monkeypatch) -> None:
    """The same value; and strategies that make sure of it."""
    rng = random.Random(seed)
    tall = [[Fraction(rng.randrange(100)) for _ in range(3)] for _ in range(12)]
    plain, around = solve_matrix(tall), enclose_matrix(tall)
    monkeypatch.setattr(module, "TALL", 4)
    turned, enclosed = solve_matrix(tall), enclose_matrix(tall)
    assert turned.value == plain.value
    assert turned.is_right(tall)
    assert around.low <= plain.value <= around.high
    assert enclosed.low <= plain.value <= enclosed.high
    assert enclosed.high - enclosed.low < 1e-9
    columns = zip(*tall, strict=True)
    assert min(sum(p * x for p, x in zip(enclosed.rows, c, strict=True)) for c in columns) == (
        enclosed.low
    )


def test_tens_of_thousands_of_rows() -> None:
    """Their squares would fill the memory. Rows with a saddle are solved before that is asked."""
    rows = [[Fraction(k), Fraction(70_000 - k)] for k in range(30_000)]
    rows += [[Fraction(70_000), Fraction(0)]]
    found = solve_matrix(rows)
    assert found.is_right(rows)
