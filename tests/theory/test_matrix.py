"""Matrix games, of which every solution proves itself, and games in normal form."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.theory.matrix import pure_equilibria, solve_matrix

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


def test_what_is_not_optimal_is_not_right() -> None:
    good = solve_matrix([[0, 1], [1, 0]])
    assert not good.is_right([[0, 1], [2, 0]])
    with pytest.raises(ValueError, match="at least"):
        solve_matrix([])


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
