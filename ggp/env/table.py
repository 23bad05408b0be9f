"""Games of any number of players, as environments of PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from ggp.env.boxes import action_box, masked_box
from ggp.env.course import Bits, Course
from ggp.env.spaces import Spaces
from ggp.errors import InputError
from ggp.game import State

Observation = dict[str, Bits]


class SharedEnvironment:
    """What both kinds of environments share: agents are the players, by the names of their roles.

    An observation is what a player observes, and under `action_mask` which actions are legal. What
    is said by who has no choice means nothing. An action that is not legal ends the game, see
    `Course`, and is told in `infos` under `illegal`.
    """

    def __init__(self, spaces: Spaces, max_steps: int | None, render_mode: str | None) -> None:
        if render_mode not in (None, "ansi"):
            raise InputError(f"games are rendered as ansi, not as {render_mode}")
        self.spaces, self.render_mode = spaces, render_mode
        self.possible_agents = list(spaces.players)
        self.agents: list[str] = []
        self._course = Course(spaces, max_steps)
        self.observation_spaces = {agent: masked_box(spaces) for agent in self.possible_agents}
        self.action_spaces = {agent: action_box(spaces) for agent in self.possible_agents}

    @property
    def game_state(self) -> State:
        """The state of the game."""
        return self._course.state

    def observation_space(self, agent: str) -> Any:  # noqa: ANN401 - of a library without types
        """The space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:  # noqa: ANN401 - of a library without types
        """The space of what an agent can do."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent observes, and which of its actions are legal."""
        player = self.possible_agents.index(agent)
        return {"observation": self._course.seen(player), "action_mask": self._course.mask(player)}

    def render(self) -> str | None:
        """The state as text, if the render mode is `ansi`."""
        return self._course.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is left open."""

    def _begin(self, seed: int | None) -> None:
        self.agents = list(self.possible_agents)
        self._course.begin(None if seed is None else np.random.default_rng(seed))

    def _info(self, agent: str) -> dict[str, Any]:
        player = self.possible_agents.index(agent)
        info: dict[str, Any] = {"action_mask": self._course.mask(player)}
        return info | ({"illegal": True} if player in self._course.illegal else {})


class TurnGame(SharedEnvironment, AECEnv[str, Observation, Any]):  # type: ignore[misc]
    """One agent after the other.

    Asked are those who have a choice, and several of one state in the order of the roles: none sees
    what another has said. Where nobody has a choice the player whose turn it is says what there is
    to say, else the first one. Where the rules say what roles see, an agent is shown all that it
    saw and did since it was last asked.
    """

    metadata = {"render_modes": ["ansi"], "name": "ggp", "is_parallelizable": False}  # noqa: RUF012

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._ask()

    def _ask(self) -> None:
        """Find out who is to be asked about the state."""
        self.infos = {agent: self._info(agent) for agent in self.agents}
        course = self._course
        self._said: dict[int, Any] = {}
        self._asked = course.choosing or [self._turn()]
        self.agent_selection = self.possible_agents[self._asked[0]]

    def _turn(self) -> int:
        control = None if self._course.terminated else self._course.state.control
        return self.possible_agents.index(control) if control in self.possible_agents else 0

    def step(self, action: Any) -> None:  # noqa: ANN401 - of a library without types
        """What the selected agent does; None if the game is over for it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._said[self._asked.pop(0)] = action
        if self._asked:
            self.agent_selection = self.possible_agents[self._asked[0]]
            return
        course = self._course
        said = [self._said.get(player) for player in range(len(self.possible_agents))]
        course.play(said, asked=self._said)
        for player, name in enumerate(self.possible_agents):
            self.rewards[name] = course.reward(player)
            self.terminations[name], self.truncations[name] = course.terminated, course.truncated
        self._accumulate_rewards()
        self._ask()


class JointGame(SharedEnvironment, ParallelEnv[str, Observation, Any]):  # type: ignore[misc]
    """All agents at once: one step is one joint move."""

    metadata = {"render_modes": ["ansi"], "name": "ggp"}  # noqa: RUF012 - as the library has it

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game: what each agent observes, and infos."""
        self._begin(seed)
        return self._seen(), {agent: self._info(agent) for agent in self.agents}

    def _seen(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """One action of each agent: observations, rewards, terminations, truncations, infos."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        course = self._course
        course.play([actions.get(agent) for agent in self.possible_agents])
        agents = self.agents
        results = (
            self._seen(),
            {agent: course.reward(player) for player, agent in enumerate(agents)},
            dict.fromkeys(agents, course.terminated),
            dict.fromkeys(agents, course.truncated),
            {agent: self._info(agent) for agent in agents},
        )
        if course.terminated or course.truncated:
            self.agents = []
        return results
