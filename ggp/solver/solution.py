"""What solving a game gives: values, outcomes, best moves and strategies of any position."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import Any, Generic, Literal, TypeVar

from ggp.displayed import Displayed
from ggp.errors import NotSolvable, UnknownName
from ggp.limits import Budget, Limits
from ggp.solver.few import SolvedPosition, solve_few
from ggp.solver.graph import evaluate
from ggp.solver.part import SolvedPart
from ggp.solver.strategy import PlayGraph, Strategy, all_plays, extract
from ggp.solver.tree import GameTree, expand

Position = TypeVar("Position", bound=Hashable)
Move = TypeVar("Move")


class Solution(Displayed, ABC, Generic[Position, Move]):
    """The exact solution of a game; every answer is proved by complete search or by theory.

    `method` says how, `reason` why that way, `positions` how many positions it took, `seconds` how
    long, `engine` what evaluated the rules; `certainty` is `exhaustive` where all was looked at
    that matters, `proved` where theory tells of what was not. `initial` is the position that play
    starts from, if the game has one. Where chance has a part (`has_chance`), values are means.
    Where best moves may lead round and round (`may_go_round`), `progress` has one that does not.
    """

    method: str
    reason: str = ""
    engine: str
    certainty: Literal["exhaustive", "proved"] = "exhaustive"
    positions: int
    seconds: float
    players: tuple[str, ...]
    initial: Position | None
    has_chance: bool = False
    may_go_round: bool = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.method}, {self.positions:,} positions>"

    @abstractmethod
    def value(self, position: Position) -> dict[str, float] | None:
        """Every player's score under best play; None where best play never ends."""

    def worth(self, position: Position) -> dict[str, float] | None:
        """The value, where play without end counts as the draw that it is to two opposed players:
        half of what there is to share."""
        return self.value(position)

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
        """A best move of the player to move that brings the end nearer; of a position in which play
        goes on."""

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

    def told_by(self, position: Position) -> Solution[Position, Move]:
        """The solution that a position's answers are from: this one, or that which it asks where
        nothing is proved of a position."""
        return self

    def limit(self, seconds: float) -> None:
        """Give each answer that has still to be searched for so much time."""

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
        root = self._root(player, start)
        secured = self.secured(root, player)
        found = extract(self.tree(), player, root, self._sure(root, player), secured)
        if found.may_be_endless and secured[0] is not None and not found.goes_round():
            return replace(found, may_be_endless=False)
        return found

    def plays(self, player: str, start: Position | None = None) -> PlayGraph[Position, Move]:
        """All plays from `start` in which `player` keeps what is `secured` there, by every move
        that does; every reply of the others."""
        root = self._root(player, start)
        secured = self.secured(root, player)
        return all_plays(
            self.tree(), player, root, lambda after: self.keeps(after, player, secured), secured
        )

    def keeps(self, position: Position, player: str, secured: tuple[float | None, bool]) -> bool:
        """Whether at a position as much is secured as elsewhere."""
        (least, may_be_endless), (goal, is_endless) = secured, self.secured(position, player)
        is_enough = goal is None if least is None else goal is None or goal >= least
        return is_enough and (may_be_endless or not is_endless)

    def _root(self, player: str, start: Position | None) -> Position:
        """Where a strategy of a player starts; raises where there is none."""
        root = self.initial if start is None else start
        if self.has_chance:
            raise NotSolvable("with chance a value is a mean, which no strategy makes sure of")
        if root is None:
            raise ValueError("this game has no initial position: say where the strategy starts")
        if player not in self.players:
            raise UnknownName(f"no player {player} (there are: {', '.join(self.players)})")
        return root


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
        self._place: dict[Hashable, tuple[SolvedPart | SolvedPosition, int, list[Any]]] = {}
        self._count = 0
        self._are_plain = True
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

    def _locate(self, position: Hashable) -> tuple[SolvedPart | SolvedPosition, int, list[Any]]:
        if position not in self._place and not self._add_few(position):
            self._add([position], None)
        return self._place[position]

    def _add_few(self, root: Hashable) -> bool:
        """Work out the few positions that are new below one; whether they are as few as that."""
        if not self._count or not self._are_plain:
            return False
        started = time.monotonic()
        found = solve_few(self._tree, root, self._known)
        if found is not None:
            self._count += 1
            self._place |= {position: (own, 0, moves) for position, (own, moves) in found.items()}
            self.positions += len(found)
        self.seconds += time.monotonic() - started
        return found is not None

    def _add(self, roots: list[Hashable], budget: Budget | None) -> None:
        """Work out all that some positions lead to."""
        started = time.monotonic()
        budget = budget or Budget(self._limits)
        graph, index, moves = expand(self._tree, roots, budget, self._known)
        part = SolvedPart(graph, evaluate(graph, budget))
        if self._count and self._are_plain and not part.is_plain:
            graph, index, moves = expand(self._tree, roots, budget)
            part = SolvedPart(graph, evaluate(graph, budget))
        self._are_plain &= part.is_plain
        self.may_go_round |= part.may_go_round
        self.has_chance |= graph.has_chance
        self._count += 1
        before = len(self._place)
        for position, place in index.items():
            self._place.setdefault(position, (part, place, moves))
        self.positions += len(self._place) - before
        self.seconds += time.monotonic() - started

    def _known(self, position: Hashable) -> tuple[list[float], int] | None:
        """The scores of a position that is solved, and the moves until play is over there: where
        all that was asked for so far ends, between two opposed players, that is all there is to
        know of it."""
        if not self._are_plain or position not in self._place:
            return None
        part, place, _ = self._place[position]
        return part.known_at(place)

    def value(self, position: Hashable) -> dict[str, float] | None:
        """Every player's score under best play; None where best play never ends."""
        part, place, _ = self._locate(position)
        score = part.score(place)
        return None if score is None else dict(zip(self.players, score, strict=True))

    def worth(self, position: Hashable) -> dict[str, float] | None:
        """The value, play without end being a draw between two opposed players."""
        part, place, _ = self._locate(position)
        score = part.worth(place)
        return None if score is None else dict(zip(self.players, score, strict=True))

    def unique(self, position: Hashable) -> bool:
        """Whether the value does not hang on what an indifferent player chooses."""
        part, place, _ = self._locate(position)
        return part.is_unique(place)

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
        mover = part.mover_at(place)
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
        # `strategy` sees to it that all is of one search.
        assert isinstance(part, SolvedPart)
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
