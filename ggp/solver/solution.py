"""What solving a game gives: values, outcomes, best moves and strategies of any position."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ggp.errors import NotSolvable, UnknownName
from ggp.limits import Budget, Limits
from ggp.solver.graph import ENDED, ENDLESS, ENDS, OPEN, PositionGraph, Values, evaluate
from ggp.solver.strategy import Strategy, extract
from ggp.solver.tree import GameTree, expand

Position = TypeVar("Position", bound=Hashable)
Move = TypeVar("Move")


class Solution(ABC, Generic[Position, Move]):
    """The exact solution of a game; every answer is proved by complete search or by theory.

    `method` says how, `reason` why that way, `positions` how many positions it took, `seconds` how
    long, `engine` what evaluated the rules. `initial` is the position that play starts from, if the
    game has one. Where chance has a part (`has_chance`), values are means.
    """

    method: str
    reason: str = ""
    engine: str
    positions: int
    seconds: float
    players: tuple[str, ...]
    initial: Position | None
    has_chance: bool = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.method}, {self.positions:,} positions>"

    @abstractmethod
    def value(self, position: Position) -> dict[str, float] | None:
        """Every player's score under best play; None where best play never ends."""

    @abstractmethod
    def mover(self, position: Position) -> str | None:
        """The player to move, or None at the end of play."""

    @abstractmethod
    def best(self, position: Position) -> tuple[Move, ...]:
        """All best moves of the player to move, sorted by their text; empty at the end.

        With one player: those on a shortest way to the best score.
        """

    @abstractmethod
    def tree(self) -> GameTree[Position, Move]:
        """The game as a tree, for strategies and their verification."""

    @abstractmethod
    def progress(self, position: Position) -> Move:
        """A best move of the player to move that brings the end nearer."""

    def secured(self, position: Position, player: str) -> tuple[float | None, bool]:
        """The least score at an end of play that `player` can make sure of whatever the others do
        (None: they can keep play from ending, or no end is in reach), and whether that may be by
        keeping play from ending.

        With two opposed players that is the value. Otherwise it may be less: the best end that
        can be forced, if that is not the worst there is; else the worst that can come up if the
        player stays out of all worse ends, be it for ever.
        """
        value = self.value(position)
        return (None, True) if value is None else (value[player], False)

    def _sure(self, root: Position, player: str) -> Callable[[Position], Move]:
        """Moves by which `player` makes sure of what is secured at `root`."""
        return self.progress

    def unique(self, position: Position) -> bool:
        """Whether the value does not hang on what an indifferent player chooses."""
        return True

    def result(self, position: Position) -> str | None:
        """The player whose score is highest, or `"draw"`; None for a single player, where a player
        who is indifferent decides about the others, and where scores are means."""
        value = self.value(position)
        if len(self.players) < 2 or self.has_chance or not self.unique(position):
            return None
        if value is None:
            return "draw"
        top = max(value.values())
        winners = [player for player in self.players if value[player] == top]
        return winners[0] if len(winners) == 1 else "draw"

    def outcome(self, position: Position) -> str | None:
        """`N` if the player to move wins, `P` if the other does, `"draw"`; None where that has no
        sense: with one player, with three or more, or at an end where nobody is to move."""
        if len(self.players) != 2:
            return None
        result = self.result(position)
        if result in ("draw", None):
            return result
        mover = self.to_move(position)
        return None if mover is None else "N" if result == mover else "P"

    def to_move(self, position: Position) -> str | None:
        """The player whose turn it is, at the end of play too where that can be told."""
        return self.mover(position)

    def strategy(self, player: str, start: Position | None = None) -> Strategy[Position, Move]:
        """A strategy of `player` from `start` (the initial position by default) that makes sure of
        what is `secured`: one move wherever the player is to move, every reply of the others."""
        root = self.initial if start is None else start
        if self.has_chance:
            raise NotSolvable("with chance a value is a mean, which no strategy makes sure of")
        if root is None:
            raise ValueError("this game has no initial position: say where the strategy starts")
        if player not in self.players:
            raise UnknownName(f"no player {player} (there are: {', '.join(self.players)})")
        secured = self.secured(root, player)
        found = extract(self.tree(), player, root, self._sure(root, player), secured)
        if found.may_be_endless and secured[0] is not None and not found.goes_round():
            return replace(found, may_be_endless=False)
        return found


@dataclass(frozen=True, eq=False)
class Part:
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
        single = values.payoff.shape[1] == 1 and not self.graph.has_chance
        return None if single else float(values.payoff[place, player]), True

    def against_all(self, place: int, player: int) -> tuple[Part, int]:
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
        graph, values = self.graph, self.values
        mover = int(graph.mover[place])
        if mover < 0:
            return []
        self.score(place)
        edges = np.arange(graph.first_edge[place], graph.first_edge[place + 1])
        targets = graph.target[edges]
        good = values.payoff[targets, mover] == values.payoff[place, mover]
        good &= values.status[targets] != OPEN
        if values.payoff.shape[1] == 1 and not graph.has_chance:
            good &= (values.rank[targets, 0] < values.rank[place, 0]) & (
                values.rank[targets, 0] >= 0
            )
        return [int(e) for e in edges[good]]

    def all_best_edges(self, start: int, stop: int) -> NDArray[np.int64]:
        """The edges of all best moves at some positions in a row, ascending; of those alone that
        have a value and are not decided by chance."""
        graph, values = self.graph, self.values
        edges = np.arange(graph.first_edge[start], graph.first_edge[stop])
        source, target = graph.source[edges], graph.target[edges]
        mover = graph.mover[source]
        own = np.maximum(mover, 0)
        good = (values.payoff[target, own] == values.payoff[source, own]) & (mover >= 0)
        good &= (values.status[target] != OPEN) & (values.status[source] != OPEN)
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
class _PlayerAlone(Part):
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


class TreeSolution(Solution[Any, Any]):
    """The solution of a `GameTree`, worked out from whatever positions are asked for."""

    engine = "python"

    def __init__(
        self,
        tree: GameTree[Any, Any],
        limits: Limits,
        initial: Hashable = None,
        budget: Budget | None = None,
        starts: Iterable[Hashable] = (),
    ) -> None:
        self._tree = tree
        self._limits = limits
        self._place: dict[Hashable, tuple[Part, int, list[Any]]] = {}
        self._count = 0
        self.players = tuple(tree.players)
        self.initial = initial
        self.method = "backward induction"
        self.positions = 0
        self.seconds = 0.0
        roots = list(dict.fromkeys(starts)) or ([] if initial is None else [initial])
        if roots:
            self._add(roots, budget)

    def tree(self) -> GameTree[Any, Any]:
        """The tree that was solved."""
        return self._tree

    def _locate(self, position: Hashable) -> tuple[Part, int, list[Any]]:
        if position not in self._place:
            self._add([position], None)
        return self._place[position]

    def _add(self, roots: list[Hashable], budget: Budget | None) -> None:
        """Work out all that some positions lead to."""
        started = time.monotonic()
        budget = budget or Budget(self._limits)
        graph, index, moves = expand(self._tree, roots, budget)
        part = Part(graph, evaluate(graph, budget))
        self.has_chance |= graph.has_chance
        self._count += 1
        for position, place in index.items():
            self._place.setdefault(position, (part, place, moves))
        self.positions += len(graph)
        self.seconds += time.monotonic() - started

    def value(self, position: Hashable) -> dict[str, float] | None:
        """Every player's score under best play; None where best play never ends."""
        part, place, _ = self._locate(position)
        score = part.score(place)
        return None if score is None else dict(zip(self.players, score, strict=True))

    def unique(self, position: Hashable) -> bool:
        """Whether the value does not hang on what an indifferent player chooses."""
        part, place, _ = self._locate(position)
        return bool(part.values.unique[place])

    def strategy(self, player: str, start: Hashable = None) -> Strategy[Any, Any]:
        """A strategy of `player`; every choice is taken from one search that begins at its root."""
        root = self.initial if start is None else start
        if root is not None and (self._count > 1 or root not in self._place):
            fresh = TreeSolution(self._tree, self._limits, root)
            return Solution.strategy(fresh, player, root)
        return super().strategy(player, start)

    def secured(self, position: Hashable, player: str) -> tuple[float | None, bool]:
        """The least score at an end of play that `player` can make sure of, and whether that may
        be by keeping play from ending."""
        part, place, _ = self._locate(position)
        return part.secured(place, self.players.index(player))

    def mover(self, position: Hashable) -> str | None:
        """The player to move, or None at the end of play."""
        part, place, _ = self._locate(position)
        mover = int(part.graph.mover[place])
        return None if mover < 0 else self.players[mover]

    def to_move(self, position: Hashable) -> str | None:
        """The player whose turn it is, also at the end of play where the tree tells."""
        return self._tree.mover(position)

    def best(self, position: Hashable) -> tuple[Any, ...]:
        """All best moves, sorted by their text."""
        part, place, moves = self._locate(position)
        return tuple(sorted((moves[e] for e in part.best_edges(place)), key=str))

    def _sure(self, root: Hashable, player: str) -> Callable[[Hashable], Any]:
        part, place, moves = self._locate(root)
        alone, _ = part.against_all(place, self.players.index(player))
        if alone is part:
            return self.progress

        def pick(position: Hashable) -> Any:  # noqa: ANN401
            return moves[alone.progress_edge(self._place[position][1])]

        return pick

    def progress(self, position: Hashable) -> Any:  # noqa: ANN401
        """A best move that brings the end nearer."""
        part, place, moves = self._locate(position)
        return moves[part.progress_edge(place)]
