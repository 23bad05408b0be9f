"""How long play lasts, and how many states it can come to."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.evidence import Enumeration, Evidence, Ranking
from ggp.analysis.finding import Finding
from ggp.analysis.positions import Positions
from ggp.arrays import counted
from ggp.game import Game
from ggp.ground import Group, disjoint
from ggp.limits import look
from ggp.machine import Space


def reachable_states(positions: Positions) -> Finding:
    """The number of states of legal play."""
    count = len(positions.reachable)
    return Finding("reachable_states", count, "exhaustive", Enumeration("counted", count))


def longest_from(space: Space) -> NDArray[np.int32]:
    """The length of the longest play from each position, -1 where play can go on for ever.

    Positions are peeled off from the ends of play inward (Kahn 1962); the round in which one is
    peeled is its longest play.
    """
    longest = np.full(len(space), -1, dtype=np.int32)
    pending = space.out_degree.copy()
    frontier = np.flatnonzero(pending == 0)
    length = 0
    while len(frontier):
        longest[frontier] = length
        look("the longest play")
        touched, times = counted(space.source[space.edges_into(frontier)])
        pending[touched] -= times
        frontier = touched[pending[touched] == 0].astype(np.int64)
        length += 1
    return longest


def _longest_to_an_end(space: Space, rounds: NDArray[np.int32]) -> int:
    """The longest play from the first position that ends and is not just stuck, -1 without any.

    `rounds`: how long play lasts from each position if where it is stuck counts as well.
    """
    longest = np.where(space.terminal, 0, -1)
    for place in np.argsort(rounds, kind="stable").tolist():
        following = space.target[space.edges(place)]
        if len(following) and longest[following].max() >= 0:
            longest[place] = longest[following].max() + 1
    return int(longest[0])


def shortest_play(positions: Positions) -> Finding:
    """The fewest moves in which play can end; None if it cannot."""
    space = positions.reachable
    depths = space.depth[space.terminal]
    value = int(depths.min()) if len(depths) else None
    why = "fewest moves to an end of play" if len(depths) else "no end of play can be reached"
    return Finding("shortest_play", value, "exhaustive", Enumeration(why, len(space)))


def longest_play(positions: Positions) -> Finding:
    """The most moves until an end of play; None if there is no bound, or no end."""
    space = positions.reachable
    rounds = longest_from(space)
    value = int(rounds[0])
    why = "most moves until an end of play" if value >= 0 else "play can go on for ever"
    if value >= 0 and len(space.stuck):
        value = _longest_to_an_end(space, rounds)
        why = why if value >= 0 else "no end of play can be reached"
    evidence = Enumeration(why, len(space))
    return Finding("longest_play", value if value >= 0 else None, "exhaustive", evidence)


def length_bound(game: Game, groups: Iterable[Group], ranking: Ranking) -> Finding:
    """The most moves that any play can last, from weights whose sum falls.

    Each move of a role that lowers the sum does so by one at least, from what it is at the start to
    the least that it can be where the proved `groups` hold.
    """
    net, roles = game.net, game.roles
    index = {str(f): i for i, f in enumerate(net.fluents)}
    weights = {index[f]: w for f, w in ranking.weights.items()}
    least, free = 0, set(weights)
    for group in disjoint(g for g in groups if not free.isdisjoint(g.fluents)):
        own = [weights.get(f, 0) for f in group.fluents]
        least += min(own if group.exact else [0, *own])
        free.difference_update(group.fluents)
    least += sum(min(0, weights[f]) for f in free)
    falls = sum(weights.get(f, 0) for f in net.initial) - least
    strict = len(ranking.strict or roles)
    # In a circle of turns each role has one of as many moves as there are roles.
    bound = falls if strict == len(roles) else (falls // strict + 1) * len(roles)
    if ranking.passes:
        # Before, between and after moves that lower the sum not all roles pass.
        bound = (falls + 1) * len(roles) - 1
    why = f"the sum that falls begins {falls} above the least that it can be"
    return Finding("length_bound", bound, "proved", Evidence(why))
