"""What hangs on players to whom several moves are equally good, worked backward."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.solver.position_graph import ENDED, Ints, PositionGraph

MOST_ENDS = 64
"""Ends with other scores up to which it is known of each position which of them may come."""


def indifference(graph: PositionGraph) -> Bounds | Ends | None:
    """What comes of the choices of those who are indifferent; None where they decide nothing."""
    if not graph.has_ties:
        return None
    if not graph.has_chance:
        scores = np.unique(graph.payoff[graph.mover == ENDED], axis=0)
        if len(scores) <= MOST_ENDS:
            return Ends(graph, scores)
    return Bounds(graph)


class Ends:
    """With which scores play may end from each position, whatever those choose who are indifferent.

    A mover may take an option with an outcome of it that is worth as much as what the best option
    is sure to be worth; as after each move they may choose otherwise than after the others, each
    such outcome can come about (of subgame-perfect play).
    """

    def __init__(self, graph: PositionGraph, scores: NDArray[np.float64]) -> None:
        self._graph = graph
        ends = np.flatnonzero(graph.mover == ENDED)
        self._sets = np.zeros(len(graph), dtype=np.uint64)
        _, kinds = np.unique(graph.payoff[ends], axis=0, return_inverse=True)
        self._sets[ends] = np.left_shift(np.uint64(1), kinds.reshape(-1).astype(np.uint64))
        self._bit = np.left_shift(np.uint64(1), np.arange(len(scores), dtype=np.uint64))
        self._scores = scores
        self.least = graph.payoff.copy()

    def choose(self, positions: Ints) -> None:
        """Of positions where a player decides."""
        graph = self._graph
        targets, sizes = graph.target[graph.edges_from(positions)], graph.out_degree[positions]
        starts, movers = np.cumsum(sizes) - sizes, graph.mover[positions]
        sure = np.maximum.reduceat(self.least[targets, np.repeat(movers, sizes)], starts)
        found = np.bitwise_or.reduceat(self._sets[targets], starts)
        left = np.zeros(len(positions), dtype=np.uint64)
        least = np.full((len(positions), self._scores.shape[1]), np.inf)
        for bit, scores in zip(self._bit, self._scores, strict=True):
            may_come = ((found & bit) != 0) & (scores[movers] >= sure)
            left[may_come] |= bit
            least[may_come] = np.minimum(least[may_come], scores)
        self._sets[positions], self.least[positions] = left, least

    @property
    def are_one(self) -> NDArray[np.bool_]:
        """Whether play ends in one way; also at positions without a value."""
        return np.asarray((self._sets & (self._sets - np.uint64(1))) == 0)


class Bounds:
    """Between what the score of each player at each position lies, whatever those choose who are
    indifferent: a mover may take each option that may turn out to be as good as what the best
    option is sure to be worth."""

    def __init__(self, graph: PositionGraph) -> None:
        self._graph, self._low, self._high = graph, graph.payoff.copy(), graph.payoff.copy()

    def throw(self, positions: Ints, targets: NDArray[np.int32], starts: Ints, sizes: Ints) -> None:
        """Of positions where chance decides, from those that may follow."""
        for bound in (self._low, self._high):
            bound[positions] = np.add.reduceat(bound[targets], starts, axis=0) / sizes[:, None]

    def choose(self, positions: Ints) -> None:
        """Of positions where a player decides."""
        graph, low, high = self._graph, self._low, self._high
        targets, sizes = graph.target[graph.edges_from(positions)], graph.out_degree[positions]
        starts, movers = np.cumsum(sizes) - sizes, np.repeat(graph.mover[positions], sizes)
        sure = np.maximum.reduceat(low[targets, movers], starts)
        is_left = (high[targets, movers] >= np.repeat(sure, sizes) - graph.slack)[:, None]
        least = np.where(is_left, low[targets], np.inf)
        low[positions] = np.minimum.reduceat(least, starts, axis=0)
        low[positions, graph.mover[positions]] = sure
        most = np.where(is_left, high[targets], -np.inf)
        high[positions] = np.maximum.reduceat(most, starts, axis=0)

    @property
    def least(self) -> NDArray[np.float64]:
        """What each player gets at the least."""
        return self._low

    @property
    def are_one(self) -> NDArray[np.bool_]:
        """Whether there is nothing between the bounds, nor at positions without a value."""
        return np.asarray((self._low == self._high).all(axis=1))
