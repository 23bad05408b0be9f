"""One solved graph of positions: scores, best moves, and what a player can be sure of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from ggp.errors import NotSolvable
from ggp.solver.graph import ENDLESS, ENDS, OPEN, Values, evaluate
from ggp.solver.position_graph import ENDED, PositionGraph

AT_ONCE = 1_000_000
"""Moves of which it is worked out together which are best, as soon as it is asked of one position;
where there are more, of each position by itself."""


@dataclass(frozen=True, eq=False)
class SolvedPart:
    """One solved graph."""

    graph: PositionGraph
    values: Values

    def score(self, place: int) -> list[float] | None:
        """The scores of a position under best play, None where that never ends.

        Raises `NotSolvable` where endless play has no value.
        """
        status = self.values.status[place]
        if status == OPEN:
            raise NotSolvable("play can go on for ever, which has no value in this game")
        return None if status == ENDLESS else self.values.payoff[place].tolist()

    def is_unique(self, place: int) -> bool:
        """Whether it is sure that no player's indifference decides about the score."""
        return bool(self.values.unique[place])

    def mover_at(self, place: int) -> int:
        """The number of the player to move; less than 0 for chance and at the end of play."""
        return int(self.graph.mover[place])

    def known_at(self, place: int) -> tuple[list[float], int]:
        """Of a part that `is_plain` scores, and how long play goes on."""
        return self.values.payoff[place].tolist(), int(self.values.rank[place, 0])

    @property
    def is_plain(self) -> bool:
        """Whether this is of two opposed players, without chance, and all best play ends, either
        player being sure of it."""
        return self._is_opposed and not self.may_go_round and bool((self.values.rank >= 0).all())

    @property
    def _is_opposed(self) -> bool:
        graph = self.graph
        return graph.payoff.shape[1] == 2 and graph.is_zero_sum and not graph.has_chance

    @property
    def may_go_round(self) -> bool:
        """Whether best moves of two opposed players may lead round and round."""
        values, rank = self.values, self.values.rank
        if not self._is_opposed:
            return False
        return not ((values.status == ENDS).all() and (rank[:, 0] == rank[:, 1]).all())

    def worth(self, place: int) -> list[float] | None:
        """The same, where play without end counts as the draw that it is to two opposed players."""
        score = self.score(place)
        is_drawn = score is None and self.values.payoff.shape[1] == 2
        return self.values.payoff[place].tolist() if is_drawn else score

    @cached_property
    def _may_end(self) -> NDArray[np.bool_]:
        """Whether some play from a position comes to an end."""
        found: NDArray[np.bool_] = np.asarray(self.values.status == ENDS)
        if not found.all():
            frontier = np.flatnonzero(found)
            while len(frontier):
                before = np.unique(self.graph.source[self.graph.edges_into(frontier)])
                frontier = before[~found[before]].astype(np.int64)
                found[frontier] = True
        return found

    @cached_property
    def _has_draws(self) -> bool:
        """Whether play goes on for ever somewhere, which is a draw between two opposed players."""
        return self.values.payoff.shape[1] == 2 and bool((self.values.status == ENDLESS).any())

    def secured(self, place: int, player: int) -> tuple[float | None, bool]:
        """The least score at an end of play that a player can make sure of, and whether that may
        be by keeping play from ending."""
        if self.graph.mover[place] == ENDED:
            return float(self.graph.payoff[place, player]), False
        part, own = self.against_all(place, player)
        if part is not self:
            return part.secured(place, own)
        values = self.values
        if not self._may_end[place]:
            return None, True
        if values.rank[place, player] >= 0:
            forced = float(values.forced[place, player])
            # Whom the other lets off may prefer a draw without end to the end that they can force.
            return forced, self._has_draws and forced < float(values.payoff[place].sum()) / 2
        self.score(place)
        if self.graph.has_chance:
            return float(values.payoff[place, player]), True
        if values.payoff.shape[1] == 1:
            return None, True
        drawn = float(values.payoff[place, player])
        # Where no end is worth as much as a draw, there is nothing but to stay out of all ends.
        ends = self.graph.payoff[self.graph.mover == ENDED, player]
        return drawn if (ends >= drawn).any() else None, True

    def against_all(self, place: int, player: int) -> tuple[SolvedPart, int]:
        """The part that tells what a player can make sure of at `place`, and who they are there.

        Where interests are not opposed anyway: of the player against all others as one (maximin;
        von Neumann and Morgenstern 1944). Play without end is worse there for the player than any
        end if they can force one that is not the worst, else better than any.
        """
        graph = self.graph
        count = graph.payoff.shape[1]
        if count == 1 or graph.has_chance or (count == 2 and graph.is_zero_sum):
            return self, player
        by_force, by_staying = self._alone[player, True], self._alone[player, False]
        forced, kept = by_force.secured(place, 0)[0], by_staying.secured(place, 0)[0]
        can_force = by_force.values.rank[place, 0] >= 0
        is_worst = forced == by_force.worst and (kept is None or kept > by_force.worst)
        return by_force if can_force and not is_worst else by_staying, 0

    @cached_property
    def _alone(self) -> _Alone:
        return _Alone(self.graph)

    def best_edges(self, place: int) -> list[int]:
        """The edges of all best moves of the player to move."""
        self.score(place)
        if len(self.graph.target) > AT_ONCE:
            found = self.all_best_edges(place, place + 1)
        else:
            best, first = self._best
            found = best[first[place] : first[place + 1]]
        edges: list[int] = found.tolist()
        return edges

    @cached_property
    def _best(self) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """The edges of all best moves, ascending, and where those of each position begin."""
        found = self.all_best_edges(0, len(self.graph))
        return found, np.searchsorted(found, self.graph.first_edge)

    def all_best_edges(self, start: int, stop: int) -> NDArray[np.int64]:
        """The edges of all best moves at some positions in a row, ascending; of those alone that
        have a value and are not decided by chance."""
        graph, values = self.graph, self.values
        edges = np.arange(graph.first_edge[start], graph.first_edge[stop])
        source, target = graph.source[edges], graph.target[edges]
        mover = graph.mover[source]
        own = np.maximum(mover, 0)
        lost = np.abs(values.payoff[target, own] - values.payoff[source, own])
        good = (lost <= graph.slack) & (mover >= 0)
        good &= (values.status[target] != OPEN) & (values.status[source] != OPEN)
        if values.least is not None:
            # Some move is sure to be worth as much, whatever those choose who are indifferent.
            sure = values.least[target, own] >= values.payoff[source, own] - graph.slack
            good &= sure | ~values.unique[source]
        if values.payoff.shape[1] == 1 and not graph.has_chance:
            after, now = values.rank[target, 0], values.rank[source, 0]
            good &= (after < now) & (after >= 0)
        return np.asarray(edges[good])

    def progress_edge(self, place: int) -> int:
        """The edge that brings the mover nearest to the end that they can force, if any."""
        mover = int(self.graph.mover[place])
        rank, forced = self.values.rank[:, mover], self.values.forced[:, mover]
        if rank[place] < 0:
            edges = self.best_edges(place)
            return edges[0] if edges else int(self.graph.first_edge[place])
        leaving = range(int(self.graph.first_edge[place]), int(self.graph.first_edge[place + 1]))
        nearer = [
            (int(rank[after]), edge)
            for edge in leaving
            for after in [self.graph.target[edge]]
            if forced[after] == forced[place] and 0 <= rank[after] < rank[place]
        ]
        return min(nearer)[1]


@dataclass(frozen=True, eq=False)
class _PlayerAlone(SolvedPart):
    """Play of one player (0) against all others as one; scores are less by `shift`."""

    shift: float
    endless_is_worst: bool

    @property
    def worst(self) -> float:
        """The least score at an end."""
        ends = self.graph.payoff[self.graph.mover == ENDED, 0]
        return float(ends.min()) + self.shift if len(ends) else 0.0

    def secured(self, place: int, player: int) -> tuple[float | None, bool]:
        """As of any part."""
        if self.values.status[place] == ENDLESS:
            return None, True
        return float(self.values.payoff[place, player]) + self.shift, not self.endless_is_worst


class _Alone(dict[tuple[int, bool], _PlayerAlone]):
    """For a player, and whether play without end is the worst for them (or the best): their play
    against all others as one. Made when it is asked for."""

    def __init__(self, graph: PositionGraph) -> None:
        super().__init__()
        self._graph = graph

    def __missing__(self, key: tuple[int, bool]) -> _PlayerAlone:
        player, endless_is_worst = key
        graph = self._graph
        ends = graph.payoff[graph.mover == ENDED, player]
        # Play without end is worth nothing: all ends are worth more, or all of them less.
        shift = 0.0
        if len(ends):
            shift = float(ends.min() - 1 if endless_is_worst else ends.max() + 1)
        own = graph.payoff[:, player] - shift
        opposed = PositionGraph(
            mover=np.where(graph.mover < 0, graph.mover, graph.mover != player).astype(np.int16),
            payoff=np.stack([own, -own], axis=1),
            first_edge=graph.first_edge,
            target=graph.target,
            bounds=(inf, -inf),
        )
        made = _PlayerAlone(opposed, evaluate(opposed), shift, endless_is_worst)
        return self.setdefault(key, made)
