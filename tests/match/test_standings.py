"""What matches of a tournament come to: plans by count, points, shares, ratings, rounding."""

from __future__ import annotations

from itertools import product
from math import perm, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.errors import InputError
from ggp.match import tournament
from ggp.match.tournament import Fixture, Result, Standing, fixtures, points, standings, wilson


@pytest.mark.parametrize("rounds", [0, 1, 3])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("roles", [1, 2, 3, 4])
def test_plans_by_count(roles, players, rounds) -> None:
    """All orders of distinct players; with fewer than roles all seatings but those of one alone."""
    plan = fixtures([roles], "abcd"[:players], rounds)
    each = perm(players, roles) if players >= roles else players**roles - players
    assert len(plan) == rounds * each
    assert len({fixture.players for fixture in plan}) == (each if rounds else 0)
    assert all(len(fixture.players) == roles for fixture in plan)


def test_matches_are_numbered_over_all_sheets_and_rounds() -> None:
    plan = fixtures([1, 2], ["a", "b"], 2)
    sheets = [0, 0, 1, 1] * 2
    seats = [("a",), ("b",), ("a", "b"), ("b", "a")] * 2
    assert plan == [
        Fixture(n, sheet, own) for n, (sheet, own) in enumerate(zip(sheets, seats, strict=True))
    ]


@pytest.mark.parametrize(
    ("roles", "players", "why"),
    [
        ([1], ["a", "a"], "different names"),
        ([2], ["a", "b", "a"], "different names"),
        ([2], ["a"], "two players at least"),
        ([1, 2], ["a"], "two players at least"),
        ([3], [], "two players at least"),
    ],
)
def test_players_that_are_too_few_or_of_one_name(roles, players, why) -> None:
    with pytest.raises(InputError, match=why):
        fixtures(roles, players, 1)


def test_one_player_alone_plays_games_of_one_role() -> None:
    assert fixtures([1], ["a"], 1) == [Fixture(0, 0, ("a",))]


@pytest.mark.parametrize(("roles", "rounds", "matches"), [(2, 1, 6), (2, 2, 12), (1, 2, 6)])
def test_a_tournament_has_no_more_matches_than_allowed(monkeypatch, roles, rounds, matches) -> None:
    monkeypatch.setattr(tournament, "MOST_MATCHES", matches)
    assert len(fixtures([roles], ["a", "b", "c"], rounds)) == matches
    monkeypatch.setattr(tournament, "MOST_MATCHES", matches - 1)
    with pytest.raises(InputError, match=f"more than {matches - 1} matches"):
        fixtures([roles], ["a", "b", "c"], rounds)


@pytest.mark.parametrize(
    ("goals", "each"),
    [
        ((0,), [0]), ((100,), [1]), ((25,), [0.25]),
        ((1, 0), [1, 0]), ((0, 100), [0, 1]), ((0, 0), [0.5, 0.5]),
        ((100, 50, 0), [1, 0.5, 0]), ((50, 50, 100), [0.25, 0.25, 1]), ((7, 7, 7), [0.5] * 3),
        ((3, 2, 1, 0), [1, 2 / 3, 1 / 3, 0]), ((0, 0, 0, 1), [1 / 3, 1 / 3, 1 / 3, 1]),
    ],
)  # fmt: skip
def test_points_by_seat(goals, each) -> None:
    assert [points(goals, seat) for seat in range(len(goals))] == pytest.approx(each)


@pytest.mark.parametrize("goals", list(product((0, 50, 100), repeat=3)))
def test_points_of_a_match_sum_to_half_the_seats(goals) -> None:
    """Each pair shares one point, which is divided by the number of others."""
    assert sum(points(goals, seat) for seat in range(3)) == pytest.approx(3 / 2)


@pytest.mark.parametrize("count", [1, 2, 7, 100, 5_000])
@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.73, 1])
def test_the_ends_of_wilsons_interval_are_1_96_deviations_away(share, count) -> None:
    """That is its definition: |share - p| = 1.96 sqrt(p (1 - p) / count) at both ends p."""
    low, high = wilson(share, count)
    assert 0 <= low <= share <= high + 1e-12 <= 1 + 1e-12
    for end in (low, high):
        deviation = sqrt(end * (1 - end) / count)
        assert abs(share - end) == pytest.approx(1.96 * deviation, abs=1e-7)
    assert low < high


@pytest.mark.parametrize(
    ("share", "count", "low", "high"),
    [
        (0, 0, 0, 1), (0.5, 0, 0, 1),
        # z² / (n + z²), and what is left of it, with z² = 3.8416.
        (0, 1, 0, 0.7935), (1, 1, 0.2065, 1), (0, 10, 0, 0.2775), (1, 10, 0.7225, 1),
        (0.5, 4, 0.15, 0.85),
    ],
)  # fmt: skip
def test_intervals_of_few_cases(share, count, low, high) -> None:
    assert wilson(share, count) == pytest.approx((low, high), abs=5e-5)


def match(seats: str, *goals: int, errors: tuple[int, ...] = ()) -> Result:
    return Result(Fixture(0, 0, tuple(seats)), goals, errors or (0,) * len(goals))


FAILED = Result(Fixture(0, 0, ("a", "b")), (), (), "no rules")


@pytest.mark.parametrize(
    ("results", "rows"),
    [
        # Player, matches, points, share, mean goal, errors.
        ([], [("a", 0, 0, 0, 0, 0), ("b", 0, 0, 0, 0, 0)]),
        ([FAILED], [("a", 0, 0, 0, 0, 0), ("b", 0, 0, 0, 0, 0)]),
        (
            [match("ab", 30, 80, errors=(2, 0)), FAILED, match("ba", 60, 60, errors=(1, 3))],
            [("b", 2, 1.5, 0.75, 70, 1), ("a", 2, 0.5, 0.25, 45, 5)],
        ),
        (
            [match("a", 30), match("a", 80, errors=(1,))],
            [("a", 2, 1.1, 0.55, 55, 1), ("b", 0, 0, 0, 0, 0)],
        ),
        # Of two seats in a match the mean counts, against those of others.
        (
            [match("aab", 100, 0, 50, errors=(1, 2, 4))],
            [("a", 1, 0.5, 0.5, 50, 3), ("b", 1, 0.5, 0.5, 50, 4)],
        ),
        (
            [match("aba", 0, 100, 50)],
            [("b", 1, 1, 1, 100, 0), ("a", 1, 0, 0, 25, 0)],
        ),
    ],
)
def test_matches_points_goals_and_errors_of_players(results, rows) -> None:
    found = standings(["a", "b"], results)
    told = [(s.player, s.matches, s.points, s.share, s.goals, s.errors) for s in found]
    assert [row[0] for row in told] == [row[0] for row in rows]
    assert [row[1:] for row in told] == [pytest.approx(row[1:]) for row in rows]
    assert [s.interval for s in found] == [wilson(s.share, s.matches) for s in found]


def test_the_best_share_comes_first_and_of_equals_the_first_name() -> None:
    results = [match("cb", 100, 0), match("da", 50, 50), match("c", 0)]
    assert [s.player for s in standings("dcba", results)] == ["a", "c", "d", "b"]


# Of the Plackett-Luce model with prior 25 ± 25/3 (Weng and Lin, JMLR 12, 2011, algorithm 4): two
# equals differ after a match by sigma² / c / 2 either way, c² = 2 (sigma² + beta²), beta = 25/6;
# before each match openskill adds (25/300)² to sigma².
SQUARE = (25 / 3) ** 2 + (25 / 300) ** 2
GAIN = SQUARE / sqrt(2 * (SQUARE + (25 / 6) ** 2)) / 2


@pytest.mark.parametrize(
    ("results", "gains"),
    [
        ([], (0, 0)),
        ([FAILED], (0, 0)),
        ([match("ab", 100, 0)], (GAIN, -GAIN)),
        ([match("ab", 51, 50)], (GAIN, -GAIN)),
        ([match("ba", 100, 0)], (-GAIN, GAIN)),
        # Who were alone with one sheet have met there, each time once.
        ([match("a", 100), match("b", 0)], (GAIN, -GAIN)),
        ([match("b", 60), match("a", 40)], (-GAIN, GAIN)),
        ([match("a", 100), match("a", 0)], (0, 0)),
        ([match("a", 100), match("a", 0), match("b", 50)], (GAIN, -GAIN)),
        # A player alone is not rated; of one in two seats the mean is.
        ([match("a", 100)], (0, 0)),
        ([match("aab", 100, 100, 0)], (GAIN, -GAIN)),
    ],
)
def test_ratings_after_a_match(results, gains) -> None:
    found = {s.player: s for s in standings("ab", results)}
    assert [found[p].rating - 25 for p in "ab"] == pytest.approx(gains)
    for standing in found.values():
        low, high = standing.rating_interval
        assert standing.rating == pytest.approx((low + high) / 2)
        rated = any(gains)
        # Twice the deviation either way; a match makes it less.
        assert (high - low < 4 * 25 / 3) is rated
        assert high - low == pytest.approx(4 * 25 / 3, rel=0.05)


def test_ratings_follow_the_order_of_matches() -> None:
    """Three matches that a wins make more of a difference than one."""
    once, thrice = (standings("ab", [match("ab", 1, 0)] * count) for count in (1, 3))
    assert thrice[0].rating > once[0].rating > 25 > once[1].rating > thrice[1].rating


ROW = Standing(
    "a", 3, 1 / 3, 1 / 9, (0.012345678, 0.987654321), 33.33333, 2, 26.12345, (1.239, 9.994)
)


@given(st.permutations(range(12)))
def test_the_order_of_matches_does_not_matter(order) -> None:
    """The rating of one match follows from those before: of three equals the one that won last
    came out best."""
    pairs = ["ab", "bc", "ca", "ba", "cb", "ac"] * 2
    results = [
        Result(Fixture(n, 0, tuple(own)), (100, 0) if n % 3 else (0, 100), (0, 0))
        for n, own in enumerate(pairs)
    ]
    assert standings("abc", [results[n] for n in order]) == standings("abc", results)


def test_standings_as_data_are_rounded() -> None:
    """Points to thousandths, shares to four places, goals and ratings to hundredths."""
    assert ROW.as_dict() == {
        "player": "a",
        "matches": 3,
        "points": 0.333,
        "share": 0.1111,
        "share_interval": [0.0123, 0.9877],
        "mean_goal": 33.33,
        "errors": 2,
        "rating": 26.12,
        "rating_interval": [1.24, 9.99],
    }
