"""Trials of what was learned: who sits where, and what matches come to."""

from __future__ import annotations

from itertools import product

import pytest

import ggp
from ggp.match import trial as module
from ggp.match.records import Record
from ggp.match.seats import MatchSettings
from ggp.match.trial import LEARNED, RIVAL, seatings, share_of, trial
from ggp.play import SearchPlayer

NAMES = {"L": LEARNED, "M": RIVAL}

TWO = """
(role a) (role b) (init p) (legal a x) (legal b y) (<= (next q) (does a x)) (<= terminal (true q))
(goal a 100) (goal b 0)
"""

FOUR = TWO.replace("(role b)", "(role random) (role b) (role c)") + (
    "(legal random z) (legal c z) (goal c 0) (goal random 0)"
)


def names(text: str) -> tuple[str, ...]:
    return tuple(NAMES[letter] for letter in text)


@pytest.mark.parametrize(
    ("players", "orders"),
    [
        (1, ["L", "M"]),
        (2, ["LM", "ML"]),
        (3, ["LMM", "MLL", "MLM", "LML", "MML", "LLM"]),
        (4, ["LMMM", "MLLL", "MLMM", "LMLL", "MMLM", "LLML", "MMML", "LLLM"]),
    ],
)
def test_each_is_alone_in_each_role_once(players, orders) -> None:
    assert sorted(seatings(players)) == sorted(map(names, orders))


def record(goals, errors=()) -> Record:
    return Record("", "", "", (), (), 1, 1, 0, "", goals=goals, errors=list(errors))


@pytest.mark.parametrize(
    ("goals", "order", "share"),
    [
        ((100, 0), "LM", 1), ((100, 0), "ML", 0), ((50, 50), "LM", 0.5), ((0, 1), "ML", 1),
        # One of its own against two: a win and a draw, a draw and a loss.
        ((60, 60, 0), "LMM", 0.75), ((60, 60, 100), "LMM", 0.25),
        # Two of its own: pairs of its own roles do not count.
        ((100, 0, 50), "LLM", 0.5), ((100, 50, 50), "LLM", 0.75), ((0, 0, 100), "LML", 0.75),
    ],
)  # fmt: skip
def test_the_share_is_that_of_pairs_of_a_role_of_each(goals, order, share) -> None:
    assert share_of(record(goals), range(len(goals)), names(order)) == share


@pytest.mark.parametrize("order", ["LM", "ML", "LMM", "LLM", "MLM"])
def test_the_shares_of_both_sum_to_1(order) -> None:
    other = order.translate(str.maketrans("LM", "ML"))
    for goals in product((0, 50, 100), repeat=len(order)):
        roles = range(len(order))
        both = [share_of(record(goals), roles, names(seats)) for seats in (order, other)]
        assert sum(both) == pytest.approx(1)


@pytest.mark.parametrize(
    ("order", "errors", "share"),
    [
        ("LM", [("", "")], 1),
        ("LM", [("", ""), ("TO", "")], 0),
        ("LM", [("", ""), ("", "IL (x)")], None),
        ("LM", [("CE", "TO")], 0),
        ("ML", [("TO", "")], None),
        ("ML", [("", "TO")], 0),
        ("LMM", [("", "", "TO")], None),
        ("MLL", [("", "", "TO")], 0),
    ],
)
def test_a_match_is_lost_by_errors_of_the_models_player_alone(order, errors, share) -> None:
    """Where only the other made one it counts for nothing."""
    goals = (100,) + (0,) * (len(order) - 1)
    assert share_of(record(goals, errors), range(len(order)), names(order)) == share


@pytest.mark.parametrize(
    ("goals", "errors", "share"),
    [
        ((0, 100, 50), [("", "", "")], 1),
        ((100, 0, 50), [], 0),
        # Chance makes no errors that anybody is charged with.
        ((0, 100, 50), [("TO", "", "")], 1),
        ((0, 100, 50), [("", "TO", "")], 0),
        ((0, 100, 50), [("", "", "TO")], None),
    ],
)
def test_seats_are_those_of_players_and_not_of_chance(goals, errors, share) -> None:
    assert share_of(record(goals, errors), (1, 2), names("LM")) == share


def test_there_is_a_seat_for_each_player() -> None:
    with pytest.raises(ValueError, match="shorter"):
        share_of(record((100, 0)), (0, 1), names("LMM")[:1])


def test_a_match_that_is_not_over_counts_for_nothing() -> None:
    assert share_of(record(None), (0, 1), names("LM")) is None
    assert share_of(record(None, [("TO", "")]), (0, 1), names("LM")) is None


class Table:
    """In place of matches: `a` always has 100, others 0, and errors as they are laid down."""

    def __init__(self, errors=()) -> None:
        self.errors, self.met, self.settings, self.makers = iter(errors), [], [], []

    def run(self, game, players, settings) -> Record:
        self.met.append("".join("LM"[name == RIVAL] for name, _ in players))
        self.makers += [make for _, make in players]
        self.settings.append(settings)
        goals = [100 if role == "a" else 0 for role in game.roles]
        errors = [game.roles.index("a")] if next(self.errors, "") == "a late" else []
        row = ["TO" if place in errors else "" for place in range(len(goals))]
        return record(tuple(goals), [tuple(row)])


@pytest.fixture
def table(monkeypatch):
    found = Table()
    monkeypatch.setattr(module, "run_match", found.run)
    return found


ROUND_OF_TWO = ["LM", "ML"]
ROUND_OF_THREE = ["LMM", "MLL", "MLM", "LML", "MML", "LLM"]


@pytest.mark.parametrize(
    ("matches", "rounds", "one_round"),
    [
        (0, 0, ROUND_OF_TWO), (1, 1, ROUND_OF_TWO), (2, 1, ROUND_OF_TWO), (3, 2, ROUND_OF_TWO),
        (1, 1, ROUND_OF_THREE), (6, 1, ROUND_OF_THREE), (7, 2, ROUND_OF_THREE),
    ],
)  # fmt: skip
def test_a_trial_is_made_of_whole_rounds(table, matches, rounds, one_round) -> None:
    """Each match has a seed of its own and is told of."""
    game, told = ggp.parse(TWO if one_round is ROUND_OF_TWO else FOUR), []
    verdict = trial(game, None, matches, start_clock=3, play_clock=2, seed=5, told=told.append)
    count = rounds * len(one_round)
    assert sorted(table.met) == sorted(one_round * rounds)
    assert sorted(table.met[: len(one_round)]) == sorted(one_round * min(rounds, 1))
    assert told == [1] * count
    assert table.settings == [MatchSettings(3, 2, seed=5 + number) for number in range(count)]
    assert (verdict.rival, verdict.matches, verdict.play_clock) == (RIVAL, count, 2)


def test_the_verdict_of_even_players_is_a_half(table) -> None:
    """Whoever has role a wins, and each has it as often: 0.5, of four matches from 0.15 to 0.85
    (z² = 3.8416: the half width is z sqrt(1/16 + z²/64) / (1 + z²/4) = 0.35)."""
    verdict = trial(ggp.parse(TWO), None, 4, start_clock=1, play_clock=1)
    assert verdict.share == 0.5
    assert (round(verdict.low, 4), round(verdict.high, 4)) == (0.15, 0.85)
    assert [settings.seed for settings in table.settings] == [0, 1, 2, 3]


def test_matches_that_count_for_nothing_are_left_out_of_the_verdict(table) -> None:
    """The second match is the rival's: it has role a, and is late."""
    table.errors = iter(["", "a late", "", ""])
    verdict = trial(ggp.parse(TWO), None, 4, start_clock=1, play_clock=1)
    assert (verdict.matches, verdict.share) == (3, pytest.approx(2 / 3))


def test_a_trial_of_no_match_says_nothing(table) -> None:
    verdict = trial(ggp.parse(TWO), None, 0, start_clock=1, play_clock=1)
    assert (verdict.matches, verdict.share, verdict.low, verdict.high) == (0, 0, 0, 1)


def test_the_rival_is_the_search_player(table) -> None:
    game = ggp.parse(TWO)
    trial(game, None, 1, start_clock=1, play_clock=1)
    assert table.met == ["LM", "ML"]
    assert type(table.makers[1](game, "b")) is SearchPlayer
    assert type(table.makers[2](game, "a")) is SearchPlayer
