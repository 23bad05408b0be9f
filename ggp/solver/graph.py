"""Positions as arrays, and backward induction on them.

Acyclic games and the acyclic parts of others: a position is valued once all that follows it is
(Zermelo 1913). Two players with opposed interests and endless play: for each score, attractors say
who can force it (retrograde analysis; Thompson 1986). One player: the best score within reach, and
the fewest moves to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.arrays import counted
from ggp.errors import NotSolvable
from ggp.limits import Budget, look
from ggp.solver.indifference import Bounds, indifference
from ggp.solver.position_graph import CHANCE, ENDED, Ints, PositionGraph

EDGE_BYTES, PLAYER_BYTES = 18, 32
"""What working backward takes at the most: by edge (its source, its place by target, and what is
looked at of a layer), and by position for each player. (Measured: 67 to 101 % of it.)"""

TIE_BYTES = 16
"""The same by position for each player, of bounds."""


@dataclass(frozen=True, eq=False)
class Values:
    """What each position is worth under best play.

    `payoff` (n, players). `status` (n,): `ENDS` where best play comes to an end, `ENDLESS` where it
    does not (a draw, or no end within reach), `OPEN` where endless play has no value and nothing
    can be said. `rank` (n, players): the moves in which a player can force an end that is worth
    `forced` (n, players) to them; -1 where the player cannot force an end that beats losing.
    `unique` (n,): True where it is sure that no player's indifference decides about a score.
    `least` (n, players): what players get at the least, whatever those choose who are indifferent;
    None where that decides nowhere.
    """

    payoff: NDArray[np.float64]
    status: NDArray[np.int8]
    forced: NDArray[np.float64]
    rank: NDArray[np.int32]
    unique: NDArray[np.bool_]
    least: NDArray[np.float64] | None = None


ENDS, ENDLESS, OPEN = 0, 1, 2


def evaluate(graph: PositionGraph, budget: Budget | None = None) -> Values:
    """The value of every position for its players.

    With one player the value is the best score within reach. With more, every player seeks their
    own best score (for three and more: maxⁿ, Luckhardt and Irani 1986). For two opposed players
    endless play is a draw, worth half of what there is to share. Where others can go on for ever,
    positions stay open. Where chance decides a position is worth the mean of what may follow, and
    play that can go on for ever stays open.

    Raises `LimitReached` where the budget is spent, or will be by the memory that this takes.
    """
    work = _Work(graph, budget or Budget())
    if graph.has_chance:
        return _induction(graph, work)
    if graph.payoff.shape[1] == 1:
        return _best_in_reach(graph, work)
    values = _induction(graph, work)
    if graph.payoff.shape[1] == 2 and graph.is_zero_sum and values.status.any():
        return _retrograde(graph, work)
    return values


class _Work:
    """Looks at the limits before each layer of positions."""

    def __init__(self, graph: PositionGraph, budget: Budget) -> None:
        self._graph, self._budget = graph, budget
        self._detail = f"working backward over {len(graph):,} positions"
        each = PLAYER_BYTES + (TIE_BYTES if graph.has_ties else 0)
        self.look(EDGE_BYTES * len(graph.target) + each * graph.payoff.size)

    def look(self, planned: int = 0) -> None:
        """Raise `LimitReached` where a limit is passed."""
        self._budget.check(self._detail, planned)
        look(self._detail)

    def before(self, frontier: Ints) -> tuple[NDArray[np.int32], Ints]:
        """The positions from which moves lead to `frontier`, and how many lead there."""
        self.look()
        return counted(self._graph.source[self._graph.edges_into(frontier)])


def _induction(graph: PositionGraph, work: _Work) -> Values:
    """Value positions in the order in which their successors are done."""
    payoff = graph.payoff.copy()
    known = graph.mover == ENDED
    rank = np.zeros(len(graph), dtype=np.int32) if graph.later is None else graph.later.copy()
    pending = graph.out_degree.copy()
    bounds = indifference(graph)
    frontier: Ints = np.flatnonzero(known)
    while len(frontier):
        touched, times = work.before(frontier)
        pending[touched] -= times
        frontier = touched[(pending[touched] == 0) & ~known[touched]].astype(np.int64)
        known[frontier] = True
        thrown = frontier[graph.mover[frontier] == CHANCE]
        if len(thrown):
            edges = graph.target[graph.edges_from(thrown)]
            sizes = graph.out_degree[thrown]
            starts = np.cumsum(sizes) - sizes
            payoff[thrown] = np.add.reduceat(payoff[edges], starts, axis=0) / sizes[:, None]
            is_move = thrown < (len(graph) if graph.halves is None else graph.halves)
            rank[thrown] = np.maximum.reduceat(rank[edges], starts) + is_move
            if isinstance(bounds, Bounds):
                bounds.throw(thrown, edges, starts, sizes)
        decided = frontier[graph.mover[frontier] != CHANCE]
        if len(decided):
            if bounds:
                bounds.choose(decided)
            chosen = _choose(graph, payoff, rank, decided)
            payoff[decided] = payoff[chosen]
            rank[decided] = rank[chosen] + 1
    rank[~known] = -1
    ranks = np.repeat(rank[:, None], payoff.shape[1], axis=1)
    unique = bounds.are_one if bounds else np.ones(len(graph), dtype=np.bool_)
    status = np.where(known, ENDS, OPEN).astype(np.int8)
    return Values(payoff, status, payoff, ranks, unique, bounds.least if bounds else None)


def _choose(
    graph: PositionGraph,
    payoff: NDArray[np.float64],
    rank: NDArray[np.int32],
    positions: Ints,
) -> Ints:
    """The successor that the mover picks at each of `positions`.

    Among equally good ones a winner prefers the shortest way and everybody else the longest.
    """
    edges = graph.edges_from(positions)
    sizes = graph.out_degree[positions]
    owner = np.repeat(np.arange(len(positions)), sizes)
    targets = graph.target[edges]
    movers = graph.mover[positions][owner]
    own = payoff[targets, movers]
    starts = np.cumsum(sizes) - sizes
    best = np.maximum.reduceat(own, starts)
    is_best = own >= best[owner] - graph.slack
    average = payoff[targets].mean(axis=1)
    haste = np.where(own > average, -rank[targets], rank[targets]).astype(np.int64)
    order = np.lexsort((-haste, ~is_best, owner))
    return np.asarray(targets[order[starts]].astype(np.int64))


def nim_values(graph: PositionGraph, budget: Budget | None = None) -> NDArray[np.int32]:
    """The nim-value of every position of an impartial game under normal play: the mex of its
    options' values (Sprague, Grundy). The graph must be acyclic.

    Raises `NotSolvable` where that does not hold, `LimitReached` where the budget is spent.
    """
    work = _Work(graph, budget or Budget())
    value = np.full(len(graph), -1, dtype=np.int32)
    pending = graph.out_degree.copy()
    frontier: Ints = np.flatnonzero(pending == 0)
    value[frontier] = 0
    while len(frontier):
        touched, times = work.before(frontier)
        pending[touched] -= times
        frontier = touched[pending[touched] == 0].astype(np.int64)
        if len(frontier):
            options = value[graph.target[graph.edges_from(frontier)]]
            value[frontier] = _least_excluded(options, graph.out_degree[frontier])
    if (value < 0).any():
        raise NotSolvable("nim-values need a game that always ends")
    return value


def _least_excluded(values: NDArray[np.int32], sizes: Ints) -> Ints:
    """The mex of each of some groups of values, which follow one another, so many each, at least
    one."""
    starts = np.cumsum(sizes) - sizes
    if values.max() < 64:
        seen = np.bitwise_or.reduceat(np.left_shift(np.uint64(1), values.astype(np.uint64)), starts)
        if (~seen).all():
            lowest = ~seen & (seen + np.uint64(1))
            return np.log2(lowest.astype(np.float64)).astype(np.int64)
    group = np.repeat(np.arange(len(sizes)), sizes)
    # A mex is at most the size of its group: what is greater leaves no gap below it.
    wide = int(sizes.max()) + 1
    both = np.unique(group * wide + np.minimum(values, wide - 1))
    group, found = np.divmod(both, wide)
    first = np.searchsorted(group, np.arange(len(sizes)))
    place = np.arange(len(both)) - first[group]
    differs = np.where(found == place, wide, place)
    many = np.bincount(group, minlength=len(sizes))
    return np.asarray(np.minimum(np.minimum.reduceat(differs, first), many).astype(np.int64))


def _best_in_reach(graph: PositionGraph, work: _Work) -> Values:
    """One player: the best score that can be reached, and the least number of moves to it."""
    payoff = graph.payoff.copy()
    known = np.zeros(len(graph), dtype=np.bool_)
    rank = np.zeros(len(graph), dtype=np.int32)
    ends = graph.mover == ENDED
    for score in np.unique(graph.payoff[ends, 0])[::-1]:
        frontier: Ints = np.flatnonzero(ends & ~known & (graph.payoff[:, 0] == score))
        distance = 0
        while len(frontier):
            known[frontier] = True
            payoff[frontier, 0] = score
            rank[frontier] = distance
            sources, _ = work.before(frontier)
            frontier = sources[~known[sources]].astype(np.int64)
            distance += 1
    rank[~known] = -1
    status = np.where(known, ENDS, ENDLESS).astype(np.int8)
    return Values(payoff, status, payoff, rank[:, None], np.ones(len(graph), dtype=np.bool_))


def _retrograde(graph: PositionGraph, work: _Work) -> Values:
    """Two opposed players: what each can force, score by score, endless play being a draw.

    Whoever can force an end that is better than a draw gets the best such end. Elsewhere the value
    is a draw, by an end of play if both can force one, else endless.
    """
    ends = graph.mover == ENDED
    scores = np.unique(graph.payoff[ends, 0])
    total = float(graph.payoff[ends].sum(axis=1)[0]) if len(scores) else 0.0
    up = {s: _attractor(graph, 0, ends & (graph.payoff[:, 0] >= s), work) for s in scores}
    down = {s: _attractor(graph, 1, ends & (graph.payoff[:, 0] <= s), work) for s in scores}
    first = np.where(ends, graph.payoff[:, 0], total / 2)
    for score in scores[scores > total / 2]:
        first[(up[score] >= 0) & ~ends] = score
    for score in scores[scores < total / 2][::-1]:
        first[(down[score] >= 0) & ~ends] = score
    decided = ends | (first != total / 2)
    if total / 2 in up:
        decided |= (up[total / 2] >= 0) & (down[total / 2] >= 0)
    payoff = np.stack([first, total - first], axis=1)
    forced = payoff.copy()
    rank = np.where(ends[:, None], 0, np.full((len(graph), 2), -1)).astype(np.int32)
    worst, best = graph.bounds
    # Better scores come last and overwrite what a player can force at the least.
    for player, steps, order in ((0, up, scores), (1, down, scores[::-1])):
        for score in order:
            own = score if player == 0 else total - score
            loses = score == (worst if player == 0 else best) and own < total / 2
            if not loses:
                # An end worth less than the position is no end to strive for.
                can = (steps[score] >= 0) & ~ends & (own >= payoff[:, player])
                forced[can, player] = own
                rank[can, player] = steps[score][can]
    status = np.where(decided, ENDS, ENDLESS).astype(np.int8)
    return Values(payoff, status, forced, rank, np.ones(len(graph), dtype=np.bool_))


def _attractor(
    graph: PositionGraph, player: int, goal: NDArray[np.bool_], work: _Work
) -> NDArray[np.int32]:
    """Moves in which `player` can force play into `goal`, -1 where they cannot."""
    steps = np.full(len(graph), -1, dtype=np.int32)
    steps[goal] = 0
    pending = graph.out_degree.copy()
    frontier: Ints = np.flatnonzero(goal)
    distance = 0
    while len(frontier):
        distance += 1
        touched, times = work.before(frontier)
        pending[touched] -= times
        open_ones = touched[(steps[touched] < 0) & (graph.mover[touched] >= 0)]
        own = graph.mover[open_ones] == player
        frontier = open_ones[own | (pending[open_ones] == 0)].astype(np.int64)
        steps[frontier] = distance
    return steps
