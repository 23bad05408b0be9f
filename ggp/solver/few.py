"""Positions that are solved one at a time, next to others that are solved already.

Of a `GameTree` each position that is asked for may bring no more than a few new ones. What it takes
to make arrays of these is a hundred times what it takes to look at their moves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from ggp.solver.position_graph import CHANCE, ENDED
from ggp.solver.tree import GameTree, mover_of, moves_of, scores

FEW = 64
"""New positions at the most."""

Known = Callable[[Hashable], tuple[list[float], int] | None]


class SolvedPosition(NamedTuple):
    """A position between two opposed players, from which all play under best play ends.

    `payoff`: the score of each player; `rank`: moves until then, of who wins as few, of who does
    not as many as can be had; `mover`: the number of a player, or `ENDED`; `best`: the numbers of
    all best moves; `nearest`: that of one which brings the end nearest. It answers as a
    `SolvedPart` does, whatever the place.
    """

    payoff: list[float]
    rank: int
    mover: int
    best: list[int]
    nearest: int

    def score(self, place: int) -> list[float]:
        """The scores under best play."""
        return self.payoff

    def worth(self, place: int) -> list[float]:
        """The same."""
        return self.payoff

    def is_unique(self, place: int) -> bool:
        """Whether nobody's indifference decides: never between two opposed players."""
        return True

    def mover_at(self, place: int) -> int:
        """The number of the player to move."""
        return self.mover

    def known_at(self, place: int) -> tuple[list[float], int]:
        """Scores, and how long play goes on."""
        return self.payoff, self.rank

    def secured(self, place: int, player: int) -> tuple[float, bool]:
        """What a player can make sure of; never by keeping play from ending."""
        return self.payoff[player], False

    def best_edges(self, place: int) -> list[int]:
        """The numbers of all best moves."""
        return self.best

    def progress_edge(self, place: int) -> int:
        """The number of the best move that brings the end nearest."""
        return self.nearest


def solve_few(
    tree: GameTree[Any, Any], root: Hashable, known: Known
) -> dict[Hashable, tuple[SolvedPosition, list[Any]]] | None:
    """All that is new below a position, each with its moves, by backward induction (Zermelo 1913).

    `known`: scores of what is solved already, and how long play goes on there. None where this is
    not enough: too many positions, play that can go round, chance, players who are not opposed, or
    a position without moves.
    """
    players = list(tree.players)
    if len(players) != 2:
        return None
    found: dict[Hashable, tuple[SolvedPosition, list[Any]]] = {}
    opened: dict[Hashable, tuple[int, list[tuple[Any, Hashable]]]] = {}
    both: float | None = None

    def worth(position: Hashable) -> tuple[list[float], int] | None:
        own = found.get(position)
        return (own[0].payoff, own[0].rank) if own else known(position)

    stack = [root]
    while stack:
        position = stack[-1]
        if position in found:
            stack.pop()
            continue
        is_new = position not in opened
        if is_new:
            if len(opened) == FEW:
                return None
            ended = scores(tree, position)
            mover = ENDED if ended else mover_of(tree, position, players)
            pairs = [] if ended else moves_of(tree, position)
            opened[position] = mover, pairs
            if ended:
                found[position] = SolvedPosition(ended, 0, ENDED, [], 0), []
            elif mover == CHANCE or not pairs:
                return None
        mover, pairs = opened[position]
        worths = [worth(after) for _, after in pairs]
        after = [one for one in worths if one]
        if len(after) < len(worths):
            if not is_new:
                return None  # one of them waits for this one: play can go round
            stack += [q for (_, q), one in zip(pairs, worths, strict=True) if not one]
            continue
        if pairs:
            found[position] = _chosen(after, mover), [move for move, _ in pairs]
        total = sum(found[position][0].payoff)
        both = total if both is None else both
        if both != total or any(sum(payoff) != both for payoff, _ in after):
            return None
        stack.pop()
    return found


def _chosen(after: list[tuple[list[float], int]], mover: int) -> SolvedPosition:
    """A position by the scores of what its moves lead to, and how long play goes on there."""
    most = max(payoff[mover] for payoff, _ in after)
    best = [i for i, (payoff, _) in enumerate(after) if payoff[mover] == most]
    nearest = min(best, key=lambda i: after[i][1])
    payoff = after[nearest][0]
    # A winner prefers the shortest way and everybody else the longest.
    is_won = most > sum(payoff) / 2
    rank = after[nearest][1] if is_won else max(after[i][1] for i in best)
    return SolvedPosition(payoff, rank + 1, mover, best, nearest)
