"""Runs: which moves keep a player's promise along all plays, and how often each is made.

All plays from a position in which the player makes only such moves, and the others any (Diaconescu,
"Computational Modelling for Combinatorial Game Strategies", sections 5.2 and 5.3): how often each
move is made, as the first, the second and so on, shows patterns that a strategy can be made of.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ggp.errors import LimitReached, NotSolvable, UnknownName
from ggp.game import State
from ggp.graphs import has_cycle
from ggp.kif import Term
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.solution import Solution
from ggp.solver.tree import moves_of

MAX_PLIES = 10_000
"""Moves of all players that plays are followed for."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Plays in which a player keeps a promise: `counts[k]` says of their move number k + 1 how many
    plays, each as far as that move, end with it. `promise` is what `Solution.secured` says of the
    first position, as `may_be_endless`, which holds as well where these moves can go round;
    `positions` come up in these plays.
    """

    player: str
    promise: float | None
    may_be_endless: bool
    counts: tuple[dict[Term, int], ...]
    positions: int

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data, moves that are made most first."""
        return {
            "player": self.player,
            "promise": self.promise,
            "may_be_endless": self.may_be_endless,
            "positions": self.positions,
            "moves": [
                {
                    "number": number,
                    "plays": sum(own.values()),
                    "counts": {str(move): count for move, count in own.items()},
                }
                for number, own in enumerate(self.counts, 1)
            ],
        }


def runs(
    solution: Solution[State, Term],
    player: str,
    moves: int,
    start: State | None = None,
    *,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Runs:
    """The plays from `start` (by default the first state) up to so many moves of a player.

    A move is made in them if what was secured at the start still is after it. Raises `NotSolvable`
    where chance decides or strategies are mixed, `UnknownName`, and `LimitReached`.
    """
    if player not in solution.players:
        raise UnknownName(f"no player {player} (there are: {', '.join(solution.players)})")
    if solution.has_chance:
        why = "where chance decides or moves are made at once"
        raise NotSolvable(f"runs: {why}, no moves make sure of a value")
    root = solution.initial if start is None else start
    assert root is not None
    tree = solution.tree()
    budget = budget or Budget(root.game.limits)
    promise, may_be_endless = secured = solution.secured(root, player)
    known: dict[State, bool] = {}

    def keeps(state: State) -> bool:
        if state not in known:
            known[state] = solution.keeps(state, player, secured)
        return known[state]

    counts: list[Counter[Term]] = [Counter() for _ in range(moves)]
    frontier = {(root, 0): 1}
    looked, seen = 0, dict[State, set[State]]()
    for _ in range(MAX_PLIES):
        following: Counter[tuple[State, int]] = Counter()
        for (state, made), ways in frontier.items():
            looked += 1
            next_ones = seen.setdefault(state, set())
            budget.spend(looked)
            if progress:
                progress(looked + len(frontier), looked)
            if state.terminal:
                continue
            is_own = tree.mover(state) == player
            for move, after in moves_of(tree, state):
                if is_own and not keeps(after):
                    continue
                next_ones.add(after)
                if is_own:
                    counts[made][move] += ways
                if made + is_own < moves:
                    following[after, made + is_own] += ways
        if not following:
            break
        frontier = dict(following)
    else:
        raise LimitReached("plies", MAX_PLIES, "plays go on")
    ordered = (
        dict(sorted(own.items(), key=lambda item: (-item[1], str(item[0])))) for own in counts
    )
    may_be_endless = may_be_endless or (promise is not None and has_cycle(seen))
    return Runs(player, promise, may_be_endless, tuple(ordered), len(seen))
