"""Everybody against everybody: the matches of a tournament, and what they come to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from random import Random
from typing import Any

from openskill.models import PlackettLuce

from ggp.errors import InputError

MOST_MATCHES = 100_000
"""Matches of one tournament."""

ORDERS, ORDERED = 20, 20_000
"""Orders of the matches of which ratings are the mean, and matches in all of them together beyond
which there are fewer, two at the least."""

CERTAIN = 1.96
"""Deviations of an interval that holds 95 of 100 cases of a normal distribution."""


@dataclass(frozen=True)
class Fixture:
    """One match to be played: which of the sheets, and who takes each role but that of chance."""

    number: int
    sheet: int
    players: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """What a match came to: goals by role, and answers that were bad or late; none of either where
    the match could not be played, for which `failure` is the reason. `unkept`: why there is no
    record of one that was played."""

    fixture: Fixture
    goals: tuple[int, ...]
    errors: tuple[int, ...]
    failure: str = ""
    unkept: str = ""


def fixtures(roles: Sequence[int], players: Sequence[str], rounds: int) -> list[Fixture]:
    """All matches of a tournament over sheets with so many roles: in each round everybody meets
    everybody else in each order of the roles; with fewer players than roles, themselves as well.

    Raises `InputError` for players of the same name, too few of them, or too many matches.
    """
    if len(set(players)) < len(players):
        raise InputError("players of a tournament have different names")
    found: list[Fixture] = []
    for _ in range(rounds):
        for sheet, count in enumerate(roles):
            if count == 1:
                seats: Iterable[tuple[str, ...]] = ((player,) for player in players)
            elif len(players) < 2:
                raise InputError("a tournament needs two players at least")
            elif len(players) < count:
                # Those in which all are the same say nothing about anybody.
                seats = (own for own in product(players, repeat=count) if len(set(own)) > 1)
            else:
                seats = permutations(players, count)
            for own in seats:
                found.append(Fixture(len(found), sheet, own))
                if len(found) > MOST_MATCHES:
                    raise InputError(f"more than {MOST_MATCHES:,} matches")
    return found


@dataclass(frozen=True)
class Standing:
    """A player's part in a tournament.

    `points` (of 1 for a match): against each seat of another player in a match 1 for more goals, a
    half for as many, divided by their number (the mean, where the player has several seats); a
    match alone gives the goal divided by 100. `share`: points
    by match, with an interval of 95 % (Wilson, 1927). `rating`: of the Plackett-Luce model (Weng
    and Lin, 2011), as openskill computes it, with twice the deviation either way, the mean over
    several orders of the matches; those who were alone with one sheet, once each, count as having
    met there.
    """

    player: str
    matches: int
    points: float
    share: float
    interval: tuple[float, float]
    goals: float
    errors: int
    rating: float
    rating_interval: tuple[float, float]

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "player": self.player,
            "matches": self.matches,
            "points": round(self.points, 3),
            "share": round(self.share, 4),
            "share_interval": [round(x, 4) for x in self.interval],
            "mean_goal": round(self.goals, 2),
            "errors": self.errors,
            "rating": round(self.rating, 2),
            "rating_interval": [round(x, 2) for x in self.rating_interval],
        }


def points(goals: Sequence[int], seat: int, players: Sequence[str] | None = None) -> float:
    """What a seat gets for a match; `players` says who has which, where one may have several."""
    if len(goals) == 1:
        return goals[0] / 100
    names = players or [str(place) for place in range(len(goals))]
    others = [goal for goal, name in zip(goals, names, strict=True) if name != names[seat]]
    return sum((goals[seat] > goal) + (goals[seat] == goal) / 2 for goal in others) / len(others)


def standings(players: Sequence[str], results: Iterable[Result]) -> list[Standing]:
    """Of all players, the best share first. The order of the results does not matter."""
    matches = dict.fromkeys(players, 0)
    won = dict.fromkeys(players, 0.0)
    goals = dict.fromkeys(players, 0.0)
    errors = dict.fromkeys(players, 0)
    alone: dict[int, list[dict[str, float]]] = {}
    met: list[Mapping[str, float]] = []
    for result in sorted(results, key=lambda result: result.fixture.number):
        if result.failure:
            continue
        own = result.fixture.players
        mean: dict[str, float] = {}
        for player in dict.fromkeys(own):
            # Of several seats in one match the mean counts.
            seats = [seat for seat, other in enumerate(own) if other == player]
            mean[player] = sum(result.goals[seat] for seat in seats) / len(seats)
            matches[player] += 1
            won[player] += sum(points(result.goals, seat, own) for seat in seats) / len(seats)
            goals[player] += mean[player]
            errors[player] += sum(result.errors[seat] for seat in seats)
        if len(mean) > 1:
            met.append(mean)
        if len(own) == 1:
            # The first time of each player is held against the first of the others, and so on.
            times = alone.setdefault(result.fixture.sheet, [])
            here = next((time for time in times if own[0] not in time), None)
            if here is None:
                times.append(here := {})
            here[own[0]] = result.goals[0]
            if len(here) == len(players) > 1:
                met.append(here)
                times.remove(here)
    met += [time for times in alone.values() for time in times if len(time) > 1]
    ratings = _ratings(players, met)
    found = []
    for player in players:
        count, (rating, deviation) = matches[player], ratings[player]
        share = won[player] / count if count else 0.0
        spread = 2 * deviation
        found.append(
            Standing(
                player,
                count,
                won[player],
                share,
                wilson(share, count),
                goals[player] / count if count else 0.0,
                errors[player],
                rating,
                (rating - spread, rating + spread),
            )
        )
    return sorted(found, key=lambda standing: (-standing.share, standing.player))


def _ratings(
    players: Sequence[str], met: Sequence[Mapping[str, float]]
) -> dict[str, tuple[float, float]]:
    """The rating of each player, and its deviation, from the scores of those who met.

    One rating follows from another in the order of the matches, which says nothing: the mean of
    several orders by chance, always the same.
    """
    model, chance = PlackettLuce(), Random(1)
    orders = min(ORDERS, max(2, ORDERED // max(1, len(met))))
    found = {player: (0.0, 0.0) for player in players}
    for _ in range(orders):
        now = {player: model.rating(name=player) for player in players}
        for scores in chance.sample(met, len(met)):
            teams = model.rate([[now[player]] for player in scores], scores=list(scores.values()))
            now.update({player: team[0] for player, team in zip(scores, teams, strict=True)})
        for player, (rating, deviation) in found.items():
            mine = now[player]
            found[player] = (rating + mine.mu / orders, deviation + mine.sigma / orders)
    return found


def wilson(share: float, count: int) -> tuple[float, float]:
    """The interval of 95 % for a share of so many cases (E. B. Wilson, Journal of the American
    Statistical Association 22, 1927)."""
    if not count:
        return 0.0, 1.0
    square = CERTAIN**2 / count
    middle = (share + square / 2) / (1 + square)
    half = CERTAIN * math.sqrt(share * (1 - share) / count + square / count / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)
