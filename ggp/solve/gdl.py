"""GDL games as trees, and their solution by complete enumeration."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from ggp.errors import GoalError, NoLegalMove, NotSolvable
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget, Limits
from ggp.machine import NO_GOAL, Progress, Space, explore
from ggp.solve.graph import PositionGraph, evaluate, nim_values
from ggp.solve.solution import Part, Solution
from ggp.solve.tree import GameTree


class GdlTree:
    """A game whose roles move one at a time, as a `GameTree` over its states.

    `misere` exchanges the goals of two roles at the end of play.
    """

    def __init__(self, game: Game, *, misere: bool = False) -> None:
        if misere and len(game.roles) != 2:
            raise NotSolvable("misère play is defined for two roles")
        if "random" in game.roles:
            raise NotSolvable("the role 'random' is played by chance")
        self.game = game
        self.misere = misere
        self.players = game.roles

    def mover(self, position: State) -> str:
        """The role with a choice, or the marked one where all are forced."""
        return self.players[self._mover(position)]

    def _mover(self, position: State) -> int:
        free = [i for i, moves in enumerate(position.legal_indices()) if len(moves) > 1]
        if len(free) > 1:
            names = " and ".join(self.players[i] for i in free)
            raise NotSolvable(f"simultaneous moves: {names} both have a choice in {position!r}")
        control = position.control
        return free[0] if free else self.players.index(control) if control else 0

    def moves(self, position: State) -> dict[Term, State]:
        """The moves of the role to move; the others have no choice."""
        mover = self._mover(position)
        game = self.game
        joint = [moves[0] for moves in position.legal_indices() if moves]
        if len(joint) < len(self.players):
            raise NoLegalMove(f"a role has no legal move in {position!r}")
        found = {}
        for index in position.legal_indices()[mover]:
            joint[mover] = index
            found[game.evaluator.move(mover, index)] = position.after(joint)
        return found

    def result(self, position: State) -> dict[str, float] | None:
        """The goals at the end of play."""
        if not position.terminal:
            return None
        goals: dict[str, float] = dict(position.goals)
        if self.misere:
            first, second = self.players
            goals = {first: goals[second], second: goals[first]}
        return goals


def require_playable(game: Game, space: Space) -> None:
    """Raise `NoLegalMove` or `GoalError` for a fault of the rules among the positions."""
    if len(space.stuck):
        place = int(space.stuck[0])
        role = game.roles[int(np.flatnonzero(space.legal_counts[place] == 0)[0])]
        raise NoLegalMove(f"{role} has no legal move in {State(game, space.state(place))!r}")
    faulty = np.flatnonzero(space.terminal & (space.goals <= NO_GOAL).any(axis=1))
    if len(faulty):
        State(game, space.state(int(faulty[0]))).goals  # noqa: B018 - raises with the details
        raise GoalError("a terminal state without exactly one goal value for each role")


def movers(game: Game, space: Space) -> NDArray[np.int16]:
    """The index of the role to move at each position, -1 at the end of play.

    Raises `NotSolvable` where two roles have a choice at once.
    """
    choice = (space.legal_counts > 1) & ~space.terminal[:, None]
    both = np.flatnonzero(choice.sum(axis=1) > 1)
    if len(both):
        GdlTree(game).mover(State(game, space.state(int(both[0]))))
    mover: NDArray[np.int16] = choice.argmax(axis=1).astype(np.int16)
    forced = ~choice.any(axis=1) & ~space.terminal
    marker = game.marker if forced.any() and len(game.roles) > 1 else None
    if marker:
        shown = {bits: role for role, bits in enumerate(marker.bits)}
        for place in np.flatnonzero(forced):
            mover[place] = shown.get(space.state(int(place)) & marker.mask, 0)
    mover[space.terminal] = -1
    return mover


def _bounds(game: Game, misere: bool) -> tuple[float, float]:
    """The worst and the best goal that the rules have for the role that payoff 0 belongs to."""
    values = game.net.goals[1 if misere else 0]
    return (values[0][0], values[-1][0]) if values else (0, 100)


class GameSolution(Solution[State, Term]):
    """A GDL game solved by enumerating its positions and working backward from the ends."""

    engine = "numpy"

    def __init__(
        self,
        game: Game,
        space: Space,
        *,
        misere: bool = False,
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.game = game
        self.players = game.roles
        self.initial = game.initial
        self._misere = misere
        self._limits = limits or game.limits
        self._progress = progress
        self._tree = GdlTree(game, misere=misere)
        self._parts: list[tuple[Space, Part]] = []
        self._has_nim_values = False
        self.seconds = 0.0
        self.positions = 0
        self._add(space)
        self.method = self._name_method()

    def _name_method(self) -> str:
        part = self._parts[0][1]
        count = len(self.players)
        if count == 1:
            return "shortest way to the best goal"
        if count > 2:
            return "maxn by backward induction"
        if not part.graph.is_zero_sum:
            return "backward induction, each role for itself"
        return "backward induction" if self._acyclic else "retrograde analysis"

    def _add(self, space: Space) -> Part:
        started = time.monotonic()
        require_playable(self.game, space)
        payoff = np.where(space.terminal[:, None], space.goals, 0).astype(np.float64)
        graph = PositionGraph(
            mover=movers(self.game, space),
            payoff=payoff[:, ::-1] if self._misere else payoff,
            first_edge=space.first_edge,
            target=space.target,
            bounds=_bounds(self.game, self._misere),
        )
        part = Part(graph, evaluate(graph))
        self._parts.append((space, part))
        self.positions += len(space)
        self.seconds += time.monotonic() - started
        return part

    @property
    def _acyclic(self) -> bool:
        ranks = self._parts[0][1].values.rank
        return bool((ranks[:, 0] == ranks[:, 1]).all())

    def _locate(self, state: State) -> tuple[Space, Part, int]:
        for space, part in self._parts:
            place = space.position(state.bits)
            if place is not None:
                return space, part, place
        budget = Budget(self._limits)
        space = explore(self.game.engine, [state.bits], budget, progress=self._progress)
        part = self._add(space)
        self.seconds += budget.seconds
        return space, part, 0

    def _own(self, position: State) -> State:
        """The position as a state of this very game."""
        return position if position.game is self.game else self.game.state(position.facts)

    def tree(self) -> GameTree[State, Term]:
        """The game as a tree over its states."""
        return self._tree

    def use_nim_values(self) -> None:
        """Make `nim_value` answer; for impartial games under normal play only.

        Raises `NotSolvable` where a value passes what can be computed.
        """
        nim_values(self._parts[0][1].graph)
        self._has_nim_values = True
        self.method = "Sprague-Grundy theory on all positions"

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position that can be reached, where the game has nim-values."""
        space, part = self._parts[0]
        place = space.position(self._own(position).bits)
        if not self._has_nim_values or place is None:
            return None
        return int(part.nim_values[place])

    def value(self, position: State) -> dict[str, float] | None:
        """Every role's goal under best play; None where best play never ends."""
        _, part, place = self._locate(self._own(position))
        score = part.score(place)
        if score is None:
            return None
        return {role: int(goal) for role, goal in zip(self.players, score, strict=True)}

    def unique(self, position: State) -> bool:
        """Whether the value does not hang on what an indifferent role chooses."""
        _, part, place = self._locate(self._own(position))
        return bool(part.values.unique[place])

    def secured(self, position: State, player: str) -> tuple[float | None, bool]:
        """The least goal at an end of play that `player` can make sure of, and whether that may
        be by keeping play from ending."""
        _, part, place = self._locate(self._own(position))
        return part.secured(place, self.players.index(player))

    def mover(self, position: State) -> str | None:
        """The role to move; None at the end of play, or if all are forced and no marker tells."""
        space, part, place = self._locate(self._own(position))
        index = int(part.graph.mover[place])
        has_choice = (space.legal_counts[place] > 1).any()
        if index < 0 or not (has_choice or self.game.marker or len(self.players) == 1):
            return None
        return self.players[index]

    def to_move(self, position: State) -> str | None:
        """The role whose turn it is, at the end of play too where the rules tell."""
        return self.mover(position) or position.control

    def _moves(self, space: Space, part: Part, place: int, edges: list[int]) -> list[Term]:
        mover, move = int(part.graph.mover[place]), self.game.evaluator.move
        return [move(mover, int(space.joint[edge, mover])) for edge in edges]

    def best(self, position: State) -> tuple[Term, ...]:
        """All best moves of the role to move, sorted by their text."""
        space, part, place = self._locate(self._own(position))
        return tuple(sorted(self._moves(space, part, place, part.best_edges(place))))

    def progress(self, position: State) -> Term:
        """A best move that brings the end nearer."""
        space, part, place = self._locate(self._own(position))
        return self._moves(space, part, place, [part.progress_edge(place)])[0]
