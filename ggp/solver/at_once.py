"""Games with moves at once: solved, counted, and as tables of values and best strategies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.claims.length import longest_from
from ggp.errors import NotSolvable
from ggp.game import State
from ggp.limits import Budget, look
from ggp.solver.columns import distinct_names, states_as_columns
from ggp.solver.counted import Statistics
from ggp.solver.folding import Folding
from ggp.solver.simultaneous import SimultaneousSolution
from ggp.solver.valuation import ComesRound

if TYPE_CHECKING:
    from ggp.solver.positions import PositionSolver

CHUNK = 1 << 10
"""Positions whose columns are made together: of each a matrix is solved."""


def solved_at_once(search: PositionSolver) -> SimultaneousSolution:
    """The solution of a game in which roles choose at the same time, by all positions, or with
    symmetries by one of each orbit.

    Raises `NotSolvable` where no two ever do, or play comes round, `LimitReached`.
    """
    try:
        return _solved(search, search.folding)
    except ComesRound:
        # It may come to an image of a position, which is as good as to stay there.
        folding = None if search.folding else Folding.of(search.game)
        if folding is None:
            raise
        return _solved(search, folding)


def _solved(search: PositionSolver, folding: Folding | None) -> SimultaneousSolution:
    space = search.space(folding)
    choice = (space.legal_counts > 1) & ~space.terminal[:, None]
    if (choice[:, list(search.game.player_indices)].sum(axis=1) <= 1).all():
        raise NotSolvable("simultaneous: no two roles ever have a choice at once")
    return SimultaneousSolution(search.game, space, search.budget, folding)


def counted(solution: SimultaneousSolution) -> Statistics:
    """Counts over all positions of a solution.

    Values are means where strategies are mixed, so that nobody is said to win; of positions that
    are not determined the score is `open`.
    """
    space = solution.space
    ends = space.depth[space.terminal]
    longest = longest_from(space)[: int((space.depth == 0).sum())]
    scores: Counter[tuple[float, ...] | str | None] = Counter()
    for place in range(len(space)):
        if place % CHUNK == 0:
            look("positions counted")
        worth = solution.worth_at(place)
        if solution.is_endless_at(place):
            scores[None] += 1
        else:
            scores["open" if worth is None else tuple(map(float, worth))] += 1
    known: list[tuple[float, ...] | str | None] = []
    known += sorted((s for s in scores if isinstance(s, tuple)), reverse=True)
    known += [kind for kind in ("open", None) if kind in scores]
    return Statistics(
        positions=len(space),
        ends=len(ends),
        moves=len(space.target),
        shortest=int(ends.min()) if len(ends) else None,
        longest=None if (longest < 0).any() else int(longest.max()),
        players=solution.players,
        results={},
        scores=tuple((score, scores[score]) for score in known),
        sides={},
        plies=tuple(np.bincount(space.depth).tolist()),
    )


class AtOnceTable:
    """The columns of all positions, as of games in turn.

    `turn` is who alone has a choice; `best` a best strategy of each player who has one, with the
    probabilities of moves; goals are exact up to rounding, none where they are not determined.
    """

    nim_values: NDArray[np.int32] | None = None

    def __init__(
        self, solution: SimultaneousSolution, number: str, reserved: Sequence[str]
    ) -> None:
        self.game, self._solution, self._space = solution.game, solution, solution.space
        self.columns = states_as_columns(self.game, self._held(0, len(self)))
        players = self.game.players
        self.names = [
            number,
            *distinct_names([column.name for column in self.columns], reserved),
            "turn",
            *(f"goal {player}" for player in players),
            "result",
            "distance",
            "best",
        ]

    def __len__(self) -> int:
        return len(self._space)

    def _held(self, start: int, stop: int) -> NDArray[np.bool_]:
        return self._space.machine.coding.held(self._space.rows[start:stop])

    def parts(self, budget: Budget) -> Iterator[list[Sequence[Any]]]:
        """The values of all columns, position by position in the order of discovery."""
        for start in range(0, len(self), CHUNK):
            budget.check(f"{start:,} of {len(self):,} positions written")
            yield self._part(start, min(start + CHUNK, len(self)))

    def _part(self, start: int, stop: int) -> list[Sequence[Any]]:
        places, players = range(start, stop), self.game.players
        held = self._held(start, stop)
        endless = [self._solution.is_endless_at(place) for place in places]
        worth = [self._solution.worth_at(place) for place in places]
        made: list[Sequence[Any]] = [list(places)]
        made += [column.values(held).tolist() for column in self.columns]
        states = [State(self.game, self._space.state(place)) for place in places]
        made.append([self._solution.mover(state) for state in states])
        for i in range(len(players)):
            shown = (None if no_end else own for own, no_end in zip(worth, endless, strict=True))
            made.append([None if own is None else float(own[i]) for own in shown])
        made += [["endless" if no_end else None for no_end in endless], [None] * len(places)]
        pairs = zip(states, worth, strict=True)
        made.append(["" if own is None else self._best(state) for state, own in pairs])
        return made

    def _best(self, state: State) -> str:
        mixed = self._solution.mixed(state).items()
        return "; ".join(
            f"{player}: {', '.join(f'{move} {p}' for move, p in sorted(moves.items()))}"
            for player, moves in mixed
        )
