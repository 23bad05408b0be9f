"""How long best play between two opposed players lasts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.arrays import counted
from ggp.limits import look
from ggp.solver.graph import ENDS, Values
from ggp.solver.position_graph import PositionGraph


def lengths(graph: PositionGraph, values: Values) -> NDArray[np.int32]:
    """For each position that somebody wins the moves to the end, if both make best moves, the
    winner the quickest and the other the slowest; -1 elsewhere.

    An attractor over best moves alone: what the loser could play besides gives more away, and may
    take longer. Of two opposed players, without chance.
    """
    first = values.payoff[:, 0]
    is_decided = (first != values.payoff[:, 1]) & (values.status == ENDS)
    wins = (first > values.payoff[:, 1]).astype(np.int16)
    is_best = first[graph.source] == first[graph.target]
    pending = np.bincount(graph.source[is_best], minlength=len(graph))
    found = np.full(len(graph), -1, dtype=np.int32)
    frontier: NDArray[np.int64] = np.flatnonzero(is_decided & (graph.mover < 0))
    found[frontier] = 0
    steps = 0
    while len(frontier):
        look("the moves to the end")
        steps += 1
        edges = graph.edges_into(frontier)
        sources, times = counted(graph.source[edges[is_best[edges]]])
        pending[sources] -= times
        # Player 0 wins where `wins` is 1.
        own = graph.mover[sources] == 1 - wins[sources]
        ready = is_decided[sources] & (found[sources] < 0) & (own | (pending[sources] == 0))
        frontier = sources[ready].astype(np.int64)
        found[frontier] = steps
    return found
