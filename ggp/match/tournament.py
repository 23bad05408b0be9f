"""Everybody against everybody: the matches of a tournament, and what they come to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

from openskill.models import PlackettLuce

from ggp.errors import InputError

MOST_MATCHES = 100_000
"""Matches of one tournament."""

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
    the match could not be played, for which `failure` is the reason."""

    fixture: Fixture
    goals: tuple[int, ...]
    errors: tuple[int, ...]
    failure: str = ""


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

    `points` (of 1 for a match): against each other player of a match 1 for more goals, a half for
    as many, divided by their number; a match alone gives the goal divided by 100. `share`: points
    by match, with an interval of 95 % (Wilson, 1927). `rating`: of the Plackett-Luce model (Weng
    and Lin, 2011), as openskill computes it, with twice the deviation either way; those who were
    alone with one sheet, once each, count as having met there.
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


def points(goals: Sequence[int], seat: int) -> float:
    """What a seat gets for a match."""
    if len(goals) == 1:
        return goals[0] / 100
    others = [goal for place, goal in enumerate(goals) if place != seat]
    return sum((goals[seat] > goal) + (goals[seat] == goal) / 2 for goal in others) / len(others)


def standings(players: Sequence[str], results: Iterable[Result]) -> list[Standing]:
    """Of all players, the best share first; the results in the order in which they are given."""
    model = PlackettLuce()
    ratings = {player: model.rating(name=player) for player in players}
    matches = dict.fromkeys(players, 0)
    won = dict.fromkeys(players, 0.0)
    goals = dict.fromkeys(players, 0)
    errors = dict.fromkeys(players, 0)
    alone: dict[int, list[dict[str, int]]] = {}

    def rate(met: Mapping[str, int]) -> None:
        scores = [float(goal) for goal in met.values()]
        teams = model.rate([[ratings[player]] for player in met], scores=scores)
        ratings.update({player: team[0] for player, team in zip(met, teams, strict=True)})

    for result in results:
        if result.failure:
            continue
        for seat, player in enumerate(result.fixture.players):
            matches[player] += 1
            won[player] += points(result.goals, seat)
            goals[player] += result.goals[seat]
            errors[player] += result.errors[seat]
        own = result.fixture.players
        if len(set(own)) == len(own) > 1:
            rate(dict(zip(own, result.goals, strict=True)))
        if len(own) == 1:
            # The first time of each player is held against the first of the others, and so on.
            times = alone.setdefault(result.fixture.sheet, [])
            here = next((time for time in times if own[0] not in time), None)
            if here is None:
                times.append(here := {})
            here[own[0]] = result.goals[0]
            if len(here) == len(players) > 1:
                rate(here)
                times.remove(here)
    for here in (time for times in alone.values() for time in times if len(time) > 1):
        rate(here)
    found = []
    for player in players:
        count, rating = matches[player], ratings[player]
        share = won[player] / count if count else 0.0
        spread = 2 * rating.sigma
        found.append(
            Standing(
                player,
                count,
                won[player],
                share,
                wilson(share, count),
                goals[player] / count if count else 0.0,
                errors[player],
                rating.mu,
                (rating.mu - spread, rating.mu + spread),
            )
        )
    return sorted(found, key=lambda standing: (-standing.share, standing.player))


def wilson(share: float, count: int) -> tuple[float, float]:
    """The interval of 95 % for a share of so many cases (E. B. Wilson, Journal of the American
    Statistical Association 22, 1927)."""
    if not count:
        return 0.0, 1.0
    square = CERTAIN**2 / count
    middle = (share + square / 2) / (1 + square)
    half = CERTAIN * math.sqrt(share * (1 - share) / count + square / count / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)
