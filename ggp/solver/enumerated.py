"""GDL games solved by complete enumeration of their positions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.plays.sampled import marked_roles
from ggp.errors import GoalError, NoLegalMove, NotSolvable
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget, Limits, account
from ggp.machine import NO_GOAL, Progress, Space, explore
from ggp.solver.choices import Choices, as_players, require_open
from ggp.solver.folding import Folding
from ggp.solver.gdl import GdlSolution, GdlTree
from ggp.solver.graph import evaluate, nim_values
from ggp.solver.part import SolvedPart
from ggp.solver.position_graph import ENDED, PositionGraph


def require_playable(game: Game, space: Space) -> None:
    """Raise `NoLegalMove` or `GoalError` for a fault of the rules among the positions."""
    if len(space.stuck):
        place = int(space.stuck[0])
        role = game.roles[int(np.flatnonzero(space.legal_counts[place] == 0)[0])]
        raise NoLegalMove(f"{role} has no legal move in {State(game, space.state(place))}")
    goals = space.goals[:, game.player_indices]
    faulty = np.flatnonzero(space.terminal & (goals <= NO_GOAL).any(axis=1))
    if len(faulty):
        State(game, space.state(int(faulty[0]))).goals  # noqa: B018 - raises with the details
        raise GoalError("a terminal state without exactly one goal value for each role")


def movers(game: Game, space: Space) -> NDArray[np.int16]:
    """The index of the role to move at each position, `ENDED` at the end of play.

    Where a role moves together with chance it is that role. Raises `NotSolvable` where two other
    roles have a choice at once, or there is none.
    """
    choice = (space.legal_counts > 1) & ~space.terminal[:, None]
    if game.chance is not None:
        alone = choice.sum(axis=1) == 1
        choice[:, game.chance] &= alone
    both = np.flatnonzero(choice.sum(axis=1) > 1)
    if len(both):
        GdlTree(game).mover(State(game, space.state(int(both[0]))))
    mover: NDArray[np.int16] = choice.argmax(axis=1).astype(np.int16)
    if not game.player_indices:
        raise NotSolvable("nobody but chance plays")
    mover[~choice.any(axis=1)] = game.player_indices[0]
    forced = ~choice.any(axis=1) & ~space.terminal
    turns = game.turns if forced.any() and len(game.roles) > 1 else None
    if turns:
        told = marked_roles(game, turns, space.rows[forced])
        mover[forced] = np.where(told >= 0, told, mover[forced])
    mover[space.terminal] = ENDED
    return mover


def _bounds(game: Game, misere: bool) -> tuple[float, float]:
    """The worst and the best goal that the rules have for the role that payoff 0 belongs to."""
    values = game.net.goals[game.player_indices[1 if misere else 0]]
    return (values[0][0], values[-1][0]) if values else (0, 100)


@dataclass(frozen=True, eq=False)
class GdlPart(SolvedPart):
    """A solved part of a game; `edge` has the edge of the space that each choice is a part of."""

    edge: NDArray[np.int64]


class GameSolution(GdlSolution):
    """A GDL game solved by enumerating its positions and working backward from the ends.

    With `folding` the positions of `space` stand for all their images. `budget` is what is left for
    the first of them; for others that are asked for later, there are `limits` anew.

    Raises `LimitReached`.
    """

    engine = "numpy"

    def __init__(
        self,
        game: Game,
        space: Space,
        *,
        misere: bool = False,
        folding: Folding | None = None,
        limits: Limits | None = None,
        progress: Progress | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(game, misere=misere)
        self._folding = folding
        self.has_chance = game.chance is not None
        self._misere = misere
        self._limits = limits or game.limits
        self._progress = progress
        self._parts: list[tuple[Space, GdlPart]] = []
        self._last: tuple[int, tuple[Space, GdlPart, int]] | None = None
        self._nim_values: NDArray[np.int32] | None = None
        self.seconds = 0.0
        self.positions = 0
        self._add(space, budget or Budget(self._limits))
        self.method = self._name_method() + self._up_to

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_progress": None}

    @property
    def _up_to(self) -> str:
        return f", up to {len(self._folding.group)} symmetries" if self._folding else ""

    def _name_method(self) -> str:
        part = self._parts[0][1]
        count = len(self.players)
        if self.has_chance:
            return "expectation by backward induction"
        if count == 1:
            return "shortest way to the best goal"
        if count > 2:
            return "maxn by backward induction"
        if not part.graph.is_zero_sum:
            return "backward induction, each role for itself"
        return "retrograde analysis" if part.may_go_round else "backward induction"

    def _add(self, space: Space, budget: Budget) -> GdlPart:
        started = time.monotonic()
        require_playable(self.game, space)
        require_open(self.game, space)
        columns = self.game.player_indices
        payoff = np.where(space.terminal[:, None], space.goals[:, columns], 0).astype(np.float64)
        choices = Choices.of(space, movers(self.game, space), self.game.chance)
        more = np.zeros((len(choices.mover) - len(space), len(columns)))
        graph = PositionGraph(
            mover=as_players(choices.mover, self.game.chance),
            payoff=np.concatenate([payoff[:, ::-1] if self._misere else payoff, more]),
            first_edge=choices.first_edge,
            target=choices.target,
            bounds=_bounds(self.game, self._misere),
            halves=len(space),
        )
        part = GdlPart(graph, evaluate(graph, budget), choices.edge)
        self._parts.append((space, part))
        self.may_go_round |= part.may_go_round
        self.positions += len(space)
        self.seconds += time.monotonic() - started
        return part

    def _standing(self, state: State) -> int:
        """The state that stands for another, as bits."""
        return self._folding.standing(state.bits) if self._folding else state.bits

    def _locate(self, state: State) -> tuple[Space, GdlPart, int]:
        # One position is mostly asked of several things, one after the other.
        if self._last is None or self._last[0] != state.bits:
            self._last = state.bits, self._located(state)
        return self._last[1]

    def _located(self, state: State) -> tuple[Space, GdlPart, int]:
        standing = self._standing(state)
        for space, part in self._parts:
            place = space.position(standing)
            if place is not None:
                return space, part, place
        budget, machine = account(self._limits), self.game.machine
        space = explore(machine, [state.bits], budget, fold=self._folding, progress=self._progress)
        self.seconds += budget.seconds
        part = self._add(space, budget)
        return space, part, 0

    @property
    def first_part(self) -> tuple[Space, GdlPart]:
        """The positions that were enumerated first, and their solution."""
        return self._parts[0]

    def polars(self) -> Any:  # noqa: ANN401 - polars is imported when it is asked for
        """The positions that were enumerated first as a `polars.DataFrame`, a row each.

        The columns are those of the tables that `write_table` writes. Raises `InputError` where
        polars is not installed, `LimitReached` where it takes too long.
        """
        from ggp.solver.tables import frame

        return frame(self, account(self._limits))

    @property
    def nim_values(self) -> NDArray[np.int32] | None:
        """The nim-values of the positions of `first_part`, where they are in use."""
        return self._nim_values

    def use_nim_values(self, budget: Budget | None = None) -> None:
        """Make `nim_value` answer; for impartial games under normal play only.

        Raises `NotSolvable` where a value passes what can be computed, and `LimitReached`.
        """
        self._nim_values = nim_values(self._parts[0][1].graph, budget or Budget(self._limits))
        self.method = f"Sprague-Grundy theory on all positions{self._up_to}"

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position that can be reached, where the game has nim-values."""
        space, _ = self._parts[0]
        place = space.position(self._standing(self._own(position)))
        if self._nim_values is None or place is None:
            return None
        return int(self._nim_values[place])

    def value(self, position: State) -> dict[str, float] | None:
        """Every role's goal under best play; None where best play never ends."""
        _, part, place = self._locate(self._own(position))
        return self._goals(part.score(place))

    def worth(self, position: State) -> dict[str, float] | None:
        """The value, play without end being a draw between two opposed roles."""
        _, part, place = self._locate(self._own(position))
        return self._goals(part.worth(place))

    def _goals(self, score: list[float] | None) -> dict[str, float] | None:
        if score is None:
            return None
        goals = (int(goal) if float(goal).is_integer() else goal for goal in score)
        return dict(zip(self.players, goals, strict=True))

    def unique(self, position: State) -> bool:
        """Whether the value does not hang on what an indifferent role chooses."""
        _, part, place = self._locate(self._own(position))
        return bool(part.values.unique[place])

    def secured(self, position: State, player: str) -> tuple[float | None, bool]:
        """The least goal at an end of play that `player` can make sure of, and whether that may
        be by keeping play from ending."""
        _, part, place = self._locate(self._own(position))
        return part.secured(place, self.players.index(player))

    def _sure(self, root: State, player: str) -> Callable[[State], Term]:
        space, part, place = self._locate(self._own(root))
        alone, _ = part.against_all(place, self.players.index(player))
        if alone is part:
            return self.progress

        def pick(position: State) -> Term:
            state = self._own(position)
            place = space.position(self._standing(state))
            assert place is not None
            return self._moves(state, space, part, place, [alone.progress_edge(place)])[0]

        return pick

    def mover(self, position: State) -> str | None:
        """The role to move; None at the end of play, or if all are forced and no marker tells."""
        space, part, place = self._locate(self._own(position))
        index = int(part.graph.mover[place])
        has_choice = (space.legal_counts[place] > 1).any()
        if index < 0 or not (has_choice or self.game.turns or len(self.players) == 1):
            return None
        return self.players[index]

    def _moves(
        self, state: State, space: Space, part: GdlPart, place: int, edges: list[int]
    ) -> list[Term]:
        """The moves of some edges that leave a place where `state` is, or what stands for it."""
        if not edges:
            return []
        role = self.game.player_indices[int(part.graph.mover[place])]
        made = [int(number) for number in space.joint[part.edge[edges], role]]
        if self._folding:
            made = self._folding.back(self._folding.element(state.bits), made)
        return [self.game.evaluator.move(role, number) for number in made]

    def best(self, position: State) -> tuple[Term, ...]:
        """All best moves of the role to move, sorted by their text."""
        state = self._own(position)
        space, part, place = self._locate(state)
        return tuple(sorted(self._moves(state, space, part, place, part.best_edges(place))))

    def progress(self, position: State) -> Term:
        """A best move that brings the end nearer; raises `IllegalMove` where play is over."""
        state = self._going(position)
        space, part, place = self._locate(state)
        return self._moves(state, space, part, place, [part.progress_edge(place)])[0]
