"""Nim-values and periods of subtraction games, against published tables and plain mex."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.theory import SubtractionGame, mex, misere_outcome, nim_sum
from tests.conftest import shared

SETS = st.sets(st.integers(1, 9), min_size=1, max_size=4)


def test_mex_and_nim_sum() -> None:
    assert [mex(v) for v in ([], [1], [0, 1, 2], [0, 2, 3])] == [0, 0, 3, 1]
    assert nim_sum([]) == 0
    assert nim_sum([1, 2, 3]) == 0


@pytest.mark.parametrize(
    ("taken", "size", "values"),
    [
        ({1, 2, 5}, 12, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]),
        ({1, 5, 7}, 12, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]),
        ({1, 2, 3}, 21, [n % 4 for n in range(22)]),
        ({1, 2}, 7, [0, 1, 2, 0, 1, 2, 0, 1]),
        ({1, 5}, 11, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]),
    ],
)
def test_the_tables_of_the_2007_thesis_on_gdl(taken, size, values) -> None:
    """Tables 2 to 5 of the master's thesis on classifying combinatorial games in GDL."""
    assert SubtractionGame(taken).nim_values(size) == values


def test_a_heap_that_stops_at_2_counts_from_2() -> None:
    game = SubtractionGame({1, 5, 7}, floor=2)
    assert game.nim_values(8) == [0, 1, 0, 1, 0, 1, 0]
    assert game.nim_value(2) == 0
    assert game.options(7) == [6, 2]
    with pytest.raises(ValueError, match="below the floor"):
        game.nim_value(1)


def test_the_table_of_periods() -> None:
    with open(shared("truth", "impartial.json"), encoding="utf-8") as file:
        rows = json.load(file)["subtraction"]
    assert len(rows) > 50
    for row in rows:
        game = SubtractionGame(row["S"])
        assert (game.preperiod, game.period) == (row["preperiod"], row["period"])
        first = row["preperiod"]
        assert game.nim_values(first + game.period - 1)[first:] == row["period_values"]


@given(SETS, st.integers(0, 3))
def test_a_proved_period_holds_as_far_as_one_looks(taken, floor) -> None:
    game = SubtractionGame(taken, floor)
    plain: list[int] = []
    for n in range(400):
        plain.append(mex(plain[n - d] for d in taken if d <= n))
    assert [game.nim_value(floor + n) for n in range(400)] == plain


def test_any_heap_size_is_answered() -> None:
    assert SubtractionGame({1, 2, 5}).nim_value(10**18) == 10**18 % 3


@given(st.sets(st.integers(1, 30), min_size=1, max_size=5))
def test_ferguson_pairing(taken) -> None:
    """g(n) = 1 exactly if g(n - min S) = 0 (T. Ferguson 1974)."""
    game = SubtractionGame(taken)
    least = min(taken)
    values = game.nim_values(200)
    assert all((values[n] == 1) == (values[n - least] == 0) for n in range(least, 201))


@pytest.mark.parametrize("taken", [set(), {0}, {-1, 2}])
def test_impossible_sets_are_refused(taken) -> None:
    with pytest.raises(ValueError, match="positive integers"):
        SubtractionGame(taken)


def brute(games, sizes) -> bool:
    """Misère: whoever cannot move wins."""
    options = [
        (*sizes[:i], s, *sizes[i + 1 :]) for i, g in enumerate(games) for s in g.options(sizes[i])
    ]
    return not options or any(not brute(games, option) for option in options)


@given(SETS, SETS, st.integers(0, 6), st.integers(0, 6))
def test_misere_sums_by_definition(first, second, m, n) -> None:
    games = [SubtractionGame(first), SubtractionGame(second)]
    assert misere_outcome(games, (m, n)) == ("N" if brute(games, (m, n)) else "P")


def test_misere_is_not_the_exclusive_or_of_shifted_values() -> None:
    """S = {1}, heaps 1 and 1: the method says P, the truth is N."""
    one = SubtractionGame({1})
    assert misere_outcome([one, one], [1, 1]) == "N"


def test_misere_123_from_21() -> None:
    game = SubtractionGame({1, 2, 3})
    lost = [n for n in range(22) if misere_outcome([game], [n]) == "P"]
    assert lost == [1, 5, 9, 13, 17, 21]
