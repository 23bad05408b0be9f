"""A point of play, as OpenSpiel asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pyspiel

from ggp.env.spiel.play import PlayPoint, SequentialPlay
from ggp.env.spiel.resampling import Draw, resampled
from ggp.errors import InputError
from ggp.text import plain

if TYPE_CHECKING:
    from ggp.env.spiel.game import GdlGame


class GdlState(pyspiel.State):  # type: ignore[misc]  # pyspiel says nothing of its types
    """A point of play; `node` says which. What OpenSpiel writes down of it is its history."""

    def __init__(self, game: GdlGame) -> None:
        super().__init__(game)
        self._node: PlayPoint | None = game.play.start

    def __reduce__(self) -> tuple[Callable[..., GdlState], tuple[GdlGame, str]]:
        return _state, (self.get_game(), self.serialize())

    @property
    def play(self) -> SequentialPlay:
        """The choices of the game."""
        play: SequentialPlay = self.get_game().play
        return play

    @property
    def node(self) -> PlayPoint:
        """Where play is."""
        if self._node is None:
            self._node = self._replayed()
        return self._node

    def _replayed(self) -> PlayPoint:
        play, history = self.play, self.full_history()
        node, place = play.start, 0
        while place < len(history):
            choosers = play.choosers(node)
            count = len(play.roles) if len(choosers) > 1 else 1
            made = {item.player: item.action for item in history[place : place + count]}
            place += count
            node = play.chosen(node, made) if choosers else play.thrown(node, *made.values())
        return node

    def current_player(self) -> int:
        """Who is to choose: a player, all at once, chance, or nobody."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        choosers = self.play.choosers(self.node)
        if not choosers:
            return int(pyspiel.PlayerId.CHANCE)
        if len(choosers) > 1 and not self.get_game().kind.simultaneous:
            raise InputError(f"several choose at once, unlike the kind says, in {self.node.state}")
        return choosers[0] if len(choosers) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        """Whether play is over."""
        return self.play.is_over(self.node)

    def returns(self) -> list[float]:
        """The utility of each player; 0 before the end."""
        play, game = self.play, self.get_game()
        if not self.is_terminal():
            return [0.0] * len(play.roles)
        if not self.node.state.terminal:
            total = game.kind.total
            share = game.low if total is None else total / len(play.roles)
            return game.utilities([float(share)] * len(play.roles))  # type: ignore[no-any-return]
        goals = self.node.state.goals
        return game.utilities([float(goals[player]) for player in game.game.players])  # type: ignore[no-any-return]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The moves of chance, all equally likely."""
        chance = self.play.game.chance
        assert chance is not None
        actions = self.play.actions(self.node, chance)
        return [(action, 1.0 / len(actions)) for action in actions]

    def resample_from_infostate(self, player: int, sampler: Draw) -> GdlState:
        """A state that `player` cannot tell from this one; see `resampled`."""
        if not self.play.game.has_percepts:
            return self.clone()  # type: ignore[no-any-return]
        return resampled(self, player, sampler)

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.actions(self.node, self.play.roles[player])

    def _apply_action(self, action: int) -> None:
        player = self.current_player()
        if player < 0:
            self._node = self.play.thrown(self.node, action)
        else:
            self._node = self.play.chosen(self.node, {player: action})

    def _apply_actions(self, actions: list[int]) -> None:
        self._node = self.play.chosen(self.node, dict(enumerate(actions)))

    def _action_to_string(self, player: int, action: int) -> str:
        play = self.play
        role = play.roles[player] if player >= 0 else play.game.chance
        assert role is not None
        return plain(play.moves[role][action])

    def __str__(self) -> str:
        game, node = self.get_game(), self.node
        parts = [str(node.state)]
        if node.pending is not None:
            move = game.game.evaluator.move
            chosen = [str(move(r, node.pending[r])) for r in game.play.roles]
            parts.append("moves " + " ".join(chosen))
        if not game.kind.ends:
            # Where play is broken off it matters how far it is.
            parts.append(f"ply {node.plies} of {game.kind.horizon}")
        return plain("; ".join(parts))


def _state(game: GdlGame, text: str) -> GdlState:
    state: GdlState = game.deserialize_state(text)
    return state
