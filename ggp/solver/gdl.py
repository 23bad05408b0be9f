"""GDL games as trees over their states, and what all solutions of a game have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ggp.errors import IllegalMove, NoLegalMove, NotSolvable
from ggp.game import Game, State
from ggp.kif import Term
from ggp.solver.solution import Solution, TreeSolution
from ggp.solver.tree import CHANCE_MOVER, GameTree


class SimultaneousMoves(NotSolvable):
    """Two players have a choice at once, where one was to move at a time."""


@dataclass(frozen=True)
class Throw:
    """A state in which the players have made their moves, and chance has not yet made its own.

    `joint` holds the numbers of the moves; that of chance is to be replaced.
    """

    state: State
    joint: tuple[int, ...]


class StateSolution(TreeSolution):
    """The solution of a `GdlTree`: where all roles are forced and the rules do not show whose turn
    it is, it is nobody's."""

    _tree: GdlTree

    def mover(self, position: Any) -> str | None:  # noqa: ANN401
        """The role to move; None at the end of play, or where nothing tells."""
        return super().mover(position) if self._tree.shows_turn(position) else None

    def to_move(self, position: Any) -> str | None:  # noqa: ANN401
        """The role whose turn it is, also at the end of play where that can be told."""
        return super().to_move(position) if self._tree.shows_turn(position) else None


class GdlTree:
    """A game whose roles move one at a time, as a `GameTree` over its states.

    Where a role moves together with chance, the position between the two is a `Throw`. `misere`
    exchanges the goals of two roles at the end of play. `turn` tells whose turn it is in states
    where nobody has a choice and the rules do not show it.
    """

    def __init__(
        self,
        game: Game,
        *,
        misere: bool = False,
        turn: Callable[[State], str | None] | None = None,
    ) -> None:
        if misere and len(game.players) != 2:
            raise NotSolvable("misère play is defined for two roles")
        self.game = game
        self.misere = misere
        self.players = game.players
        self._turn = turn

    def mover(self, position: State | Throw) -> str:
        """The role with a choice, or the marked one where all are forced."""
        mover = self._mover(position)
        return CHANCE_MOVER if mover == self.game.chance else self.game.roles[mover]

    def shows_turn(self, position: State | Throw) -> bool:
        """Whether some role has a choice, or the rules show whose turn it is."""
        if isinstance(position, Throw) or len(self.players) == 1:
            return True
        legal = [] if position.terminal else position.legal_indices()
        if any(len(moves) > 1 for moves in legal) or position.control:
            return True
        return bool(self._turn and self._turn(position))

    def _mover(self, position: State | Throw) -> int:
        chance = self.game.chance
        if isinstance(position, Throw):
            assert chance is not None
            return chance
        legal = [] if position.terminal else position.legal_indices()
        free = [i for i, moves in enumerate(legal) if len(moves) > 1]
        if len(free) > 1:
            free = [i for i in free if i != chance]
        if len(free) > 1:
            names = " and ".join(self.game.roles[i] for i in free)
            raise SimultaneousMoves(f"simultaneous moves: {names} both have a choice in {position}")
        if free:
            return free[0]
        told = self._turn(position) if self._turn else None
        control = position.control or told or self.players[0]
        return self.game.roles.index(control)

    def legal(self, position: State) -> list[Term]:
        """The moves of the role to move, alone."""
        mover, legal = self._mover(position), position.legal_indices()
        if not all(legal):
            raise NoLegalMove(f"a role has no legal move in {position}")
        return [self.game.evaluator.move(mover, number) for number in legal[mover]]

    def moves(self, position: State | Throw) -> dict[Term, Any]:
        """The moves of the role to move; the others, chance apart, have no choice."""
        mover, chance = self._mover(position), self.game.chance
        state = position.state if isinstance(position, Throw) else position
        legal = state.legal_indices()
        if not all(legal):
            raise NoLegalMove(f"a role has no legal move in {state}")
        joint = [moves[0] for moves in legal]
        if isinstance(position, Throw):
            joint = list(position.joint)
        is_open = chance not in (None, mover) and len(legal[chance or 0]) > 1
        joints = [(*joint[:mover], number, *joint[mover + 1 :]) for number in legal[mover]]
        after = [Throw(state, own) for own in joints] if is_open else state.after_each(joints)
        terms = [self.game.evaluator.move(mover, number) for number in legal[mover]]
        return dict(zip(terms, after, strict=True))

    def result(self, position: State | Throw) -> dict[str, float] | None:
        """The goals at the end of play."""
        if isinstance(position, Throw) or not position.terminal:
            return None
        held = position.goals
        goals: dict[str, float] = {role: held[role] for role in self.players}
        if self.misere:
            first, second = self.players
            goals = {first: goals[second], second: goals[first]}
        return goals


class GdlSolution(Solution[State, Term]):
    """A solution of a GDL game: `game`, seen as a `GdlTree`."""

    def __init__(self, game: Game, *, misere: bool = False) -> None:
        self.game = game
        self.players: tuple[str, ...] = game.players
        self.initial: State = game.initial
        self._tree = GdlTree(game, misere=misere)

    def _own(self, position: State) -> State:
        """The position as a state of this very game."""
        return position if position.game is self.game else self.game.state(position.facts)

    def _going(self, position: State) -> State:
        """The same; raises `IllegalMove` where play is over."""
        state = self._own(position)
        if state.terminal:
            raise IllegalMove("the game is over: no move is possible")
        return state

    def tree(self) -> GameTree[State, Term]:
        """The game as a tree over its states."""
        return self._tree

    def mover(self, position: State) -> str | None:
        """The role to move; None at the end of play, or if all are forced and no marker tells."""
        state = self._own(position)
        if state.terminal:
            return None
        has_choice = any(len(moves) > 1 for moves in state.legal_indices())
        known = has_choice or self.game.turns or len(self.players) == 1
        return self._tree.mover(state) if known else None

    def to_move(self, position: State) -> str | None:
        """The role whose turn it is, at the end of play too where the rules tell."""
        return self.mover(position) or position.control
