"""Games as trees: what any game must offer to be solved, GDL or not.

After R. Diaconescu, "Computational Modelling for Combinatorial Game Strategies": the theory of
strategies is written once against this interface, and a concrete game is an instance of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from ggp.errors import GoalError, NoLegalMove
from ggp.limits import Budget
from ggp.solver.position_graph import CHANCE, ENDED, PositionGraph

Position = TypeVar("Position", bound=Hashable)
Move = TypeVar("Move")


class GameTree(Protocol[Position, Move]):  # type: ignore[misc]  # invariant in its moves
    """A game of perfect information in which one player moves at a time.

    `players` in a fixed order; `mover(position)` is the player to move there; `moves(position)`
    gives the moves with the positions that they lead to, as a mapping or as pairs;
    `result(position)` is None where play goes on, else the score of every player (a mapping), or
    simply the winner, or `"draw"`. Positions are hashable.
    """

    @property
    def players(self) -> Sequence[str]:
        """The players in a fixed order."""

    def mover(self, position: Position) -> str | None:
        """The player to move; `"random"`, if that is no player, where chance decides. At the end of
        play the player whose turn it is, or None."""

    def moves(
        self, position: Position
    ) -> Mapping[Move, Position] | Iterable[tuple[Move, Position]]:
        """The moves with the positions that they lead to."""

    def result(self, position: Position) -> Mapping[str, float] | str | None:
        """What the game ended with, or None where play goes on."""


CHANCE_MOVER = "random"
"""What a tree calls the mover where chance decides: every move there is equally likely."""


def mover_of(tree: GameTree[Any, Any], position: Hashable, players: Sequence[str]) -> int:
    """The number of the player to move, or `CHANCE`."""
    mover = tree.mover(position)
    return CHANCE if mover == CHANCE_MOVER and mover not in players else players.index(mover)


def scores(tree: GameTree[Any, Any], position: Hashable) -> list[float] | None:
    """The score of each player in order at the end of play, or None where play goes on.

    A winner scores 1 and everybody else 0; a draw is 0.5 for each.
    """
    result = tree.result(position)
    if result is None:
        return None
    players = list(tree.players)
    if isinstance(result, Mapping):
        if set(result) != set(players):
            raise GoalError(f"the result at {position} must score exactly {', '.join(players)}")
        return [float(result[player]) for player in players]
    if result == "draw":
        return [0.5] * len(players)
    if result not in players:
        raise GoalError(f"{result} at {position} is no player")
    return [float(player == result) for player in players]


def moves_of(tree: GameTree[Any, Any], position: Hashable) -> list[tuple[Any, Any]]:
    """The moves at a position as pairs of a move and the position that it leads to."""
    moves = tree.moves(position)
    return list(moves.items() if isinstance(moves, Mapping) else moves)


def expand(
    tree: GameTree[Any, Any],
    roots: Iterable[Hashable],
    budget: Budget,
    known: Callable[[Hashable], tuple[list[float], int] | None] = lambda _: None,
) -> tuple[PositionGraph, dict[Hashable, int], list[Any]]:
    """All positions below `roots` as a graph, the number of each, and the move of each edge.

    `known`: of what is solved already, scores and how long play goes on; it is an end of this
    graph. Raises `NoLegalMove` where play goes on but there is no move, `LimitReached` on
    overdraft.
    """
    index: dict[Hashable, int] = {root: i for i, root in enumerate(dict.fromkeys(roots))}
    order = list(index)
    players = list(tree.players)
    movers: list[int] = []
    payoffs: list[list[float]] = []
    first, targets, moves = [0], [], []
    later: list[int] = []
    for position in order:
        solved = known(position)
        later.append(solved[1] if solved else 0)
        ended = solved[0] if solved else scores(tree, position)
        payoffs.append(ended or [0.0] * len(players))
        movers.append(ENDED if ended else mover_of(tree, position, players))
        for move, following in [] if ended else moves_of(tree, position):
            if following not in index:
                index[following] = len(order)
                order.append(following)
                if len(order) % 256 == 0:
                    budget.spend(len(order))
            targets.append(index[following])
            moves.append(move)
        if not ended and len(targets) == first[-1]:
            raise NoLegalMove(f"no move at {position}, but the game is not over")
        first.append(len(targets))
    budget.spend(len(order))
    own = [payoff[0] for payoff, mover in zip(payoffs, movers, strict=True) if mover == ENDED]
    if any(
        isinstance(tree.result(p), str)
        for p, mover in zip(order, movers, strict=True)
        if mover == ENDED
    ):
        own += [0.0, 1.0]
    graph = PositionGraph(
        mover=np.array(movers, dtype=np.int16),
        payoff=np.array(payoffs, dtype=np.float64).reshape(len(order), len(players)),
        first_edge=np.array(first, dtype=np.int64),
        target=np.array(targets, dtype=np.int32),
        bounds=(min(own, default=0.0), max(own, default=1.0)),
        later=np.array(later, dtype=np.int32),
    )
    return graph, index, moves
