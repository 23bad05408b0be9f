"""One game in progress, as the environments of single games share it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.env.spaces import Spaces
from ggp.errors import InputError
from ggp.game import State
from ggp.show.board import scene_of, scene_text

Bits = NDArray[np.int8]


class Course:
    """The course of one game after another: states, what players see, what they get.

    Chance draws from `random`. A player who has one legal move makes it, whatever they say. Who
    says what is not legal ends the game: it is worth a goal of 0 to them, and nothing to others.
    """

    def __init__(self, spaces: Spaces, max_steps: int | None = None) -> None:
        if max_steps is not None and max_steps < 1:
            raise InputError("max_steps is 1 or more")
        self.spaces, self.max_steps = spaces, max_steps
        self.random = np.random.default_rng()
        self.begin()

    def begin(self, random: np.random.Generator | None = None) -> None:
        """Begin a game, with other random numbers where they are given."""
        self.random = random or self.random
        self.state: State = self.spaces.game.initial
        self.steps = 0
        self.illegal: tuple[int, ...] = ()
        shape = (len(self.spaces.roles), *self.spaces.shape)
        self._percepts = np.zeros(shape, dtype=np.int8)

    @property
    def terminated(self) -> bool:
        """Whether the game came to an end."""
        return bool(self.illegal) or self.state.terminal

    @property
    def truncated(self) -> bool:
        """Whether it is given up for its length."""
        return not self.terminated and self.max_steps is not None and self.steps >= self.max_steps

    def legal(self, player: int) -> list[int]:
        """The legal actions of a player, ascending; none once the game is over."""
        if self.terminated:
            return []
        role = self.spaces.roles[player]
        self.state.require_legal(self.spaces.players[player])
        return [i - self.spaces.net.move_offset[role] for i in self.state.legal_indices()[role]]

    @property
    def choosing(self) -> list[int]:
        """The players who have a choice."""
        return [p for p in range(len(self.spaces.roles)) if len(self.legal(p)) > 1]

    def mask(self, player: int) -> Bits:
        """Which actions of a player are legal."""
        found = np.zeros(self.spaces.actions, dtype=np.int8)
        found[self.legal(player)] = 1
        return found

    def seen(self, player: int) -> Bits:
        """What a player observes."""
        if self.spaces.is_private:
            return np.array(self._percepts[player])
        return self.spaces.observed(self.state.bits)

    def reward(self, player: int) -> float:
        """What the end is worth to a player; 0 before it."""
        if self.illegal:
            return self.spaces.reward(0) if player in self.illegal else 0.0
        if not self.state.terminal:
            return 0.0
        return self.spaces.reward(self.state.goals[self.spaces.players[player]])

    def play(self, actions: Sequence[Any], asked: Collection[int] | None = None) -> None:
        """One joint move: an action of each player, of which those without a choice mean nothing.

        `asked`: the players who looked before the move, by default all; others see later what they
        would have seen now, together with what follows. Raises `NoLegalMove` and `GoalError` where
        the rules are at fault.
        """
        legal = [self.legal(player) for player in range(len(self.spaces.roles))]
        said = list(zip(actions, legal, strict=True))
        self.steps += 1
        self.illegal = tuple(
            p for p, (action, own) in enumerate(said) if len(own) > 1 and action not in own
        )
        if self.illegal:
            return
        joint = [0] * len(self.spaces.game.roles)
        chosen = [own[0] if len(own) == 1 else int(action) for action, own in said]
        for role, action in zip(self.spaces.roles, chosen, strict=True):
            joint[role] = self.spaces.net.move_offset[role] + action
        self._draw(joint)
        if self.spaces.is_private:
            self._perceive(joint, chosen, asked)
        self.state = self.state.after(joint)
        if self.state.terminal:
            _ = self.state.goals  # raises where they are wrong

    def _draw(self, joint: list[int]) -> None:
        chance = self.spaces.game.chance
        if chance is not None:
            self.state.require_legal(self.spaces.game.roles[chance])
            own = self.state.legal_indices()[chance]
            joint[chance] = own[int(self.random.integers(len(own)))]

    def _perceive(
        self, joint: Sequence[int], chosen: Sequence[int], asked: Collection[int] | None
    ) -> None:
        seen = self.spaces.game.evaluator.percepts(self.state.position, joint)
        for player, action in enumerate(chosen):
            if asked is None or player in asked:
                self._percepts[player] = 0
            own = seen[self.spaces.roles[player]]
            self._percepts[player] |= self.spaces.percept(player, own, action)

    def text(self) -> str:
        """The state as `ggp board` draws it."""
        return scene_text(scene_of(self.state), ascii=True).plain
