"""How long play can last at the most, by the weights that prove it acyclic."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.analysis.evidence import Evidence, Ranking
from ggp.analysis.finding import Finding
from ggp.game import Game
from ggp.ground import Group, disjoint


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
    why = f"the sum that falls begins {falls} above the least that it can be"
    return Finding("length_bound", bound, "proved", Evidence(why))
