"""What all environments share: who plays, what actions and observations mean, what ends are worth.

An action of a role is the place of its move among all moves that the role may ever have, in the
order of their text; a mask says which are legal. An observation is a row of zeros and ones:

* `bits`: one for each fluent of the ground rules, in the order of their text;
* `planes`: (channels, rows, columns) of the board that the rules have, see `planes`;
* of a game whose rules say what roles see (`sees`, GDL-II) neither: a player's observation is one
  for each of its percepts, in the order of their text, and one for each of its actions: what it saw
  of the last move, and its own part in it. Zeros at the beginning.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ggp.env.planes import NONE, Planes, planes
from ggp.errors import IllegalMove, InputError, UnknownName
from ggp.game import Game, State, load
from ggp.kif import Term

Kind = Literal["bits", "planes"]

Source = str | os.PathLike[str] | Game
"""What environments are made from: a path, as for `ggp.load`, or a game."""


def game_of(source: Source, parameters: dict[str, Any]) -> Game:
    """The game of a path, with the parameters of a template; or the game that was given.

    Raises what `ggp.load` raises, and `InputError` for parameters of a game that is made already.
    """
    if not isinstance(source, Game):
        return load(os.fspath(source), **parameters)
    if parameters:
        raise InputError(f"{source.name} is a game already: it takes no parameters")
    return source


class Spaces:
    """Players, actions, observations and rewards of a game.

    Raises `LimitReached` for a game without a ground form, whose actions nobody can list, and
    `InputError` for planes where there is no board, and where there is nobody to play or nothing.
    """

    def __init__(self, game: Game, observations: Kind = "bits") -> None:
        if observations not in get_args(Kind):
            raise InputError(f"observations are {' or '.join(get_args(Kind))}, not {observations}")
        self.game, self.net = game, game.net
        self.roles = game.player_indices
        """The places of the players among the roles."""
        if not self.roles:
            raise InputError(f"{game.name}: nobody but chance plays")
        if game.initial.terminal:
            raise InputError(f"{game.name}: the game is over before it begins")
        self.is_private = game.has_percepts
        if self.is_private and observations == "planes":
            raise InputError(f"{game.name}: its players do not see the board (sees); use bits")
        self.planes: Planes | None = planes(game) if observations == "planes" else None

    @property
    def players(self) -> tuple[str, ...]:
        """The roles that choose by themselves, in the order of their facts."""
        return self.game.players

    @cached_property
    def actions(self) -> int:
        """Actions of each player: the most that one of them has."""
        return max(len(self.net.moves[role]) for role in self.roles)

    def move(self, player: int, action: int) -> Term:
        """The move that an action of a player stands for; raises `UnknownName` where none is."""
        moves = self.net.moves[self.roles[player]]
        if not 0 <= action < len(moves):
            raise UnknownName(f"{self.players[player]} has no action {action}")
        return moves[action]

    def action(self, player: int, move: Term | str) -> int:
        """The action of a player that stands for a move; raises `UnknownName` where none does."""
        role, term = self.roles[player], self.game.term(move)
        number = self.net.move_index[role].get(term)
        if number is None:
            raise UnknownName(f"{term} is no move of {self.players[player]}")
        return number - self.net.move_offset[role]

    def legal_action(self, state: State, player: int, move: Term | str) -> int:
        """The action of a player for a move that is legal in a state; raises `IllegalMove`."""
        term = self.game.term(move)
        if term not in state.legal(self.players[player]):
            raise IllegalMove(f"{term} is not legal here for {self.players[player]}")
        return self.action(player, term)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation, the same for all players."""
        if self.is_private:
            return (max(len(self.net.sees[role]) for role in self.roles) + self.actions,)
        return (len(self.net.fluents),) if self.planes is None else self.planes.shape

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """For each number of an observation, flat, its fluent; `NONE` for those that are zero."""
        if self.planes is None:
            return np.arange(len(self.net.fluents))
        return self.planes.fluents.reshape(-1)

    def observed(self, bits: int) -> NDArray[np.int8]:
        """The observation of a state, given as the number of its fluents; for all players."""
        content = bits.to_bytes(len(self.net.fluents) // 8 + 1, "little")
        held = np.unpackbits(np.frombuffer(content, dtype=np.uint8), bitorder="little")
        return np.where(self.order == NONE, 0, held[self.order]).astype(np.int8).reshape(self.shape)

    def percept(self, player: int, seen: Sequence[Term], action: int) -> NDArray[np.int8]:
        """The observation of a player who saw this of a move in which it did that."""
        found = np.zeros(self.shape, dtype=np.int8)
        place = {percept: i for i, (percept, _) in enumerate(self.net.sees[self.roles[player]])}
        found[[place[percept] for percept in seen]] = 1
        found[self.shape[0] - self.actions + action] = 1
        return found

    def reward(self, goal: int) -> float:
        """What a goal at the end is worth: 0 to 1 for one player alone, else -1 to 1."""
        return goal / 100 if len(self.roles) == 1 else goal / 50 - 1
