"""What a solved game is like as a whole: counts of its positions, plays and moves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.analysis import Positions
from ggp.analysis.claims.length import longest_from
from ggp.analysis.plays.sampled import marked_roles
from ggp.errors import NotSolvable
from ggp.game import Game, State
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.at_once import counted
from ggp.solver.counted import SideCounts, Statistics
from ggp.solver.enumerated import GameSolution
from ggp.solver.gdl import SimultaneousMoves
from ggp.solver.graph import OPEN
from ggp.solver.layers.census import DRAWN
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.methods import has_nim_values
from ggp.solver.passes.solution import PassSolution
from ggp.solver.position_graph import CHANCE
from ggp.solver.positions import SOON
from ggp.solver.simultaneous import SimultaneousSolution

DRAW, NOBODY, UNKNOWN = -1, -2, -3
"""In place of who wins: nobody does; there is one player only, or scores are means; it hangs on a
player who is indifferent, or endless play has no value."""


def statistics(
    game: Game,
    starts: Sequence[State] = (),
    *,
    misere: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
    keeping: Keeping | None = None,
) -> Statistics:
    """Counts over all positions that play comes to from `starts` (by default the initial state).

    Every position is enumerated and counted by itself, whatever method solves the game; in packed
    layers where there are more than `positions.SOON` and these apply. `keeping`: with how many
    threads. Raises `LimitReached` where the budget is spent, and what solving raises.
    """
    budget = budget or Budget(game.limits)
    with game.within(budget):
        positions = _positions(game, starts, budget, progress)
        if not positions.are_at_most(SOON):
            for packed in (_in_layers, _by_passes):
                with suppress(NotSolvable):
                    return packed(positions, misere, keeping)
        found = _solved(positions, misere)
        if isinstance(found, GameSolution):
            return _Count(found).statistics()
        return counted(found)


def _positions(
    game: Game, starts: Sequence[State], budget: Budget, progress: Progress | None
) -> Positions:
    """Those that some states lead to, by default the initial one."""
    roots = [state.bits for state in starts] or [game.initial.bits]
    return Positions(game, budget, progress, roots)


def _in_layers(positions: Positions, misere: bool, keeping: Keeping | None) -> Statistics:
    """The same by packed layers; raises `NotSolvable` where they do not apply."""
    solution = LayerSolution(positions, misere=misere, keeping=keeping, progress=positions.progress)
    found = solution.census(positions.roots, positions.budget)
    players, layers = solution.players, solution.layers
    total = layers.total or 0
    results, sides = _by_winner(players, found.positions, found.moves)
    return Statistics(
        positions=len(layers),
        ends=found.ends,
        moves=layers.moves,
        shortest=found.shortest,
        longest=found.longest,
        players=players,
        results=results,
        scores=tuple(
            ((float(score), float(total - score)) if results else (float(score),), int(count))
            for score, count in reversed(list(zip(layers.scores, found.codes, strict=True)))
            if count
        ),
        sides=sides,
        plies=tuple(found.plies[ply] for ply in range(max(found.plies) + 1)),
    )


def _by_winner(
    players: tuple[str, ...], positions: NDArray[np.int64], moves: NDArray[np.int64]
) -> tuple[dict[str, int], dict[str, SideCounts]]:
    """The results and sides from positions and moves by whose turn it is and who wins; none of one
    player."""
    if len(players) != 2:
        return {}, {}
    won, lost, drawn = positions.sum(axis=0).tolist()
    sides = {}
    for i, player in enumerate(players):
        own, made = positions[i].tolist(), moves[i].tolist()
        sides[player] = SideCounts(
            sum(own),
            own[i],
            own[1 - i],
            own[DRAWN],
            sum(made),
            made[i],
            made[1 - i],
            made[DRAWN],
        )
    return {players[0]: won, players[1]: lost, "draw": drawn}, sides


def _by_passes(positions: Positions, misere: bool, keeping: Keeping | None) -> Statistics:
    """The same by passes over packed positions; raises `NotSolvable` where they do not apply."""
    solution = PassSolution(positions, misere=misere, keeping=keeping, progress=positions.progress)
    found = solution.census(positions.budget)
    results, sides = _by_winner(solution.players, found.positions, found.moves)
    counted = reversed(list(enumerate(found.codes.tolist())))
    scores: list[tuple[tuple[float, ...] | str | None, int]] = [
        (tuple(solution.levels.scores(code)), n) for code, n in counted if n
    ]
    return Statistics(
        positions=solution.positions,
        ends=found.ends,
        moves=solution.moves,
        shortest=solution.shortest,
        longest=solution.longest(positions.roots, positions.budget),
        players=solution.players,
        results=results,
        scores=(*scores, *([(None, found.endless)] if found.endless else [])),
        sides=sides,
        plies=solution.plies,
    )


def enumerated(
    game: Game,
    starts: Sequence[State],
    misere: bool,
    budget: Budget,
    progress: Progress | None,
) -> GameSolution:
    """All positions from some states, solved, with nim-values where the game has them.

    It is looked whether it has of no more than `methods.SMALL` positions. Raises `NotSolvable`
    where moves are made at once.
    """
    return _in_turn(_positions(game, starts, budget, progress), misere)


def solved(
    game: Game,
    starts: Sequence[State],
    misere: bool,
    budget: Budget,
    progress: Progress | None,
) -> GameSolution | SimultaneousSolution:
    """The same, also of games with moves at once."""
    return _solved(_positions(game, starts, budget, progress), misere)


def _solved(positions: Positions, misere: bool) -> GameSolution | SimultaneousSolution:
    try:
        return _in_turn(positions, misere)
    except AtOnce:
        if misere:
            raise
        return SimultaneousSolution(positions.game, positions.reachable, positions.budget)


class AtOnce(NotSolvable):
    """Moves are made at once, where one was to move at a time."""


def _in_turn(positions: Positions, misere: bool) -> GameSolution:
    game, budget = positions.game, positions.budget
    try:
        solution = GameSolution(game, positions.reachable, misere=misere, budget=budget)
    except SimultaneousMoves as error:
        raise AtOnce(f"for games in turn alone, and here {error}") from None
    if not misere and has_nim_values(positions):
        with suppress(NotSolvable):
            solution.use_nim_values(budget)
    return solution


class _Count:
    def __init__(self, solution: GameSolution) -> None:
        self.players, self.nim_values = solution.players, solution.nim_values
        self.space, self.part = solution.first_part
        self.count = len(self.space)
        self.winner, self.turn = winners(solution), turns(solution)

    def statistics(self) -> Statistics:
        """All counts."""
        space = self.space
        ends = space.depth[space.terminal]
        longest = longest_from(space)[: self._roots]
        values = self.nim_values
        return Statistics(
            positions=self.count,
            ends=len(ends),
            moves=len(space.target),
            shortest=int(ends.min()) if len(ends) else None,
            longest=None if (longest < 0).any() else int(longest.max()),
            players=self.players,
            results=self._results(),
            scores=tuple(self._scores()),
            sides=self._sides(),
            plies=tuple(np.bincount(space.depth).tolist()),
            nim_values={} if values is None else _counts(values),
        )

    @property
    def _roots(self) -> int:
        return int((self.space.depth == 0).sum())

    def _results(self) -> dict[str, int]:
        if (self.winner == NOBODY).all():
            return {}
        counts = _counts(self.winner)
        named = {player: counts.get(i, 0) for i, player in enumerate(self.players)}
        more = {"draw": counts.get(DRAW, 0), "depends": counts.get(UNKNOWN, 0)}
        return {**named, **{name: n for name, n in more.items() if n or name == "draw"}}

    def _scores(self) -> list[tuple[tuple[float, ...] | str | None, int]]:
        values = self.part.values
        status = values.status[: self.count]
        payoff = values.payoff[: self.count][status == 0]
        if self.part.graph.slack and len(payoff):
            payoff = np.stack([_joined(own, self.part.graph.slack) for own in payoff.T], axis=1)
        rows, counts = np.unique(payoff, axis=0, return_counts=True)
        found: list[tuple[tuple[float, ...] | str | None, int]] = [
            (tuple(row), n)
            for row, n in zip(rows.tolist()[::-1], counts.tolist()[::-1], strict=True)
        ]
        open_ = int((status == OPEN).sum())
        endless = int((status != 0).sum()) - open_
        found += [(None, endless)] if endless else []
        found += [("open", open_)] if open_ else []
        return found

    def _sides(self) -> dict[str, SideCounts]:
        if (self.winner == NOBODY).all():
            return {}
        graph = self.part.graph
        # Without chance all positions of the graph are those of the space.
        mover, leads_to = self.turn[graph.source], self.winner[graph.target]
        found = {}
        for i, player in enumerate(self.players):
            own, made = self.winner[self.turn == i], leads_to[mover == i]
            found[player] = SideCounts(
                len(own), *_won_lost_drawn(own, i), len(made), *_won_lost_drawn(made, i)
            )
        return found


def _joined(scores: NDArray[np.float64], slack: float) -> NDArray[np.float64]:
    """The same, and one number for means that differ by rounding: the one that is soonest said."""
    values, of = np.unique(scores, return_inverse=True)
    ends = np.flatnonzero(np.diff(values) > slack) + 1
    said = [min(own.tolist(), key=lambda x: len(repr(x))) for own in np.split(values, ends)]
    return np.array(said)[np.searchsorted(ends, of.ravel(), side="right")]


def _won_lost_drawn(winner: NDArray[np.int16], player: int) -> tuple[int, int, int]:
    won = int((winner == player).sum())
    drawn = int((winner == DRAW).sum())
    return won, int((winner >= 0).sum()) - won, drawn


def _counts(values: NDArray[np.integer[Any]]) -> dict[int, int]:
    found, counts = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def winners(solution: GameSolution) -> NDArray[np.int16]:
    """For each position of a solution's first part the player who wins, or else `DRAW`, `NOBODY` or
    `UNKNOWN`; as `Solution.result` says it."""
    space, part = solution.first_part
    payoff, status = part.values.payoff[: len(space)], part.values.status[: len(space)]
    if payoff.shape[1] < 2 or solution.has_chance:
        return np.full(len(space), NOBODY, dtype=np.int16)
    top = payoff.max(axis=1)
    is_top = payoff == top[:, None]
    found = np.where(is_top.sum(axis=1) == 1, is_top.argmax(axis=1), DRAW)
    found = np.where(status == 0, found, DRAW)
    unclear = (status == OPEN) | ~part.values.unique[: len(space)]
    return np.where(unclear, UNKNOWN, found).astype(np.int16)


def turns(solution: GameSolution) -> NDArray[np.int16]:
    """For each position of a solution's first part the player whose turn it is, at the ends too
    where that is told; -1 where nobody's is."""
    space, part = solution.first_part
    game = solution.game
    mover = part.graph.mover[: len(space)].copy()
    mover[mover == CHANCE] = -1
    if len(game.players) > 1 and game.turns is None:
        # Where all are forced nothing tells.
        mover[~(space.legal_counts > 1).any(axis=1)] = -1
    if len(game.roles) > 1 and game.turns is not None:
        told = marked_roles(game, game.turns, space.rows)
        as_player = np.full(len(game.roles) + 1, -1, dtype=np.int16)
        as_player[list(game.player_indices)] = np.arange(len(game.players))
        ends = space.terminal
        mover[ends] = as_player[told[ends]]
    return mover
