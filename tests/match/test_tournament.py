"""Tournaments: who meets whom, points, intervals, ratings."""

from __future__ import annotations

from collections import Counter

import pytest

from ggp.errors import InputError
from ggp.match.tournament import Fixture, Result, fixtures, points, standings, wilson


def test_everybody_meets_everybody_in_both_roles() -> None:
    plan = fixtures([2, 2], ["a", "b", "c"], rounds=2)
    met = Counter((fixture.sheet, fixture.players) for fixture in plan)
    assert set(met.values()) == {2}
    assert len(met) == 2 * 6
    assert [fixture.number for fixture in plan] == list(range(24))


def test_one_role_and_more_roles_than_players() -> None:
    assert [f.players for f in fixtures([1], ["a", "b"], 1)] == [("a",), ("b",)]
    three = {f.players for f in fixtures([3], ["a", "b"], 1)}
    assert len(three) == 6
    assert ("a", "a", "a") not in three
    assert len(fixtures([3], ["a", "b", "c"], 1)) == 6


def test_plans_that_cannot_be() -> None:
    for roles, players, rounds in (([2], ["a"], 1), ([2], ["a", "a"], 1)):
        with pytest.raises(InputError):
            fixtures(roles, players, rounds)
    with pytest.raises(InputError, match="100,000"):
        fixtures([2] * 100, [str(i) for i in range(40)], 1)


def test_points_of_a_match() -> None:
    assert [points((100, 0), seat) for seat in (0, 1)] == [1, 0]
    assert [points((50, 50), seat) for seat in (0, 1)] == [0.5, 0.5]
    assert [points((100, 40, 40), seat) for seat in range(3)] == [1, 0.25, 0.25]
    assert points((40,), 0) == 0.4


def test_wilson_of_the_textbook() -> None:
    """8 of 10: 0.490 to 0.943 (Newcombe, Statistics in Medicine 17, 1998, has such tables)."""
    low, high = wilson(0.8, 10)
    assert (round(low, 3), round(high, 3)) == (0.49, 0.943)
    assert wilson(0, 0) == (0, 1)
    assert wilson(1.0, 20)[1] == pytest.approx(1.0)


def result(number: int, players: tuple[str, ...], goals: tuple[int, ...]) -> Result:
    return Result(Fixture(number, 0, players), goals, (0,) * len(goals))


def test_standings() -> None:
    results = []
    for number in range(20):
        pair = ("a", "b") if number % 2 else ("b", "a")
        goals = (100, 0) if pair[0] == "a" else (0, 100)
        results.append(result(number, pair, goals))
    results.append(Result(Fixture(20, 0, ("a", "b")), (), (), "the rules are wrong"))
    first, second = standings(["b", "a"], results)
    assert (first.player, first.matches, first.points, first.errors) == ("a", 20, 20.0, 0)
    assert (second.player, second.share) == ("b", 0.0)
    assert first.rating > 25 > second.rating
    assert first.rating_interval[0] < first.rating < first.rating_interval[1]
    assert standings(["b", "a"], results) == [first, second]
