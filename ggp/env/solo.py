"""Games for one learner, as environments of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from ggp.env.boxes import action_box, observation_box
from ggp.env.course import Bits, Course
from ggp.env.spaces import Spaces
from ggp.errors import InputError, UnknownName
from ggp.game import State
from ggp.kif import Term

Opponent = Callable[[State, str], Term | str]
"""Who plays a role where it has a choice: the move for a state and the role's name."""


class SoloGame(gymnasium.Env[Bits, np.int64]):  # type: ignore[misc]
    """One role of a game; the others are played by `opponent`, by default at random.

    `info["action_mask"]` says which actions are legal. Another action ends the game, at the worth
    of a goal of 0, and is told in `info["illegal"]`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4, "name": "ggp"}  # noqa: RUF012 - as the library has it

    def __init__(
        self,
        spaces: Spaces,
        role: str | None,
        opponent: Opponent | None,
        max_steps: int | None,
        render_mode: str | None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise InputError(f"games are rendered as ansi, not as {render_mode}")
        self.spaces, self.opponent, self.render_mode = spaces, opponent, render_mode
        self.player = _player(spaces, role)
        self.observation_space, self.action_space = observation_box(spaces), action_box(spaces)
        self._course = Course(spaces, max_steps)

    @property
    def state(self) -> State:
        """The state of the game."""
        return self._course.state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bits, dict[str, Any]]:
        """Begin a game: what is observed, and the mask."""
        super().reset(seed=seed)
        self._course.begin(self.np_random)
        return self._course.seen(self.player), self._info()

    def step(self, action: Any) -> tuple[Bits, float, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """A move of the role, and of all others: observation, reward, terminated, truncated, info.

        Raises `NoLegalMove` and `GoalError` where the rules are at fault, `IllegalMove` for one of
        the opponent, and `ResetNeeded` when the game is over.
        """
        course = self._course
        if course.terminated or course.truncated:
            raise gymnasium.error.ResetNeeded("the game is over: reset the environment")
        players = range(len(self.spaces.roles))
        course.play([action if p == self.player else self._reply(p) for p in players])
        return (
            course.seen(self.player), course.reward(self.player), course.terminated,
            course.truncated, self._info(),
        )  # fmt: skip

    def _reply(self, player: int) -> int:
        own = self._course.legal(player)
        if self.opponent is None or len(own) == 1:
            return own[int(self._course.random.integers(len(own)))]
        role = self.spaces.players[player]
        move = self.opponent(self.state, role)
        # Whoever plays against the learner must not end games by illegal moves.
        return self.spaces.legal_action(self.state, player, move)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._course.mask(self.player)}
        return info | ({"illegal": True} if self._course.illegal else {})

    def render(self) -> str | None:
        """The state as text, if the render mode is `ansi`."""
        return self._course.text() if self.render_mode == "ansi" else None


def _player(spaces: Spaces, role: str | None) -> int:
    if role is not None:
        index = spaces.game.role_index(role)
        if index not in spaces.roles:
            raise UnknownName(f"{role} plays by chance, and nobody else can")
        return spaces.roles.index(index)
    if len(spaces.roles) > 1:
        names = ", ".join(spaces.players)
        raise InputError(f"{spaces.game.name} has several players: say which role ({names}) learns")
    return 0
