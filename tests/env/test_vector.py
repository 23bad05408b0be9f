"""Games stepped together do what each does by itself, by its rules."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
import ggp.env
from ggp.env.spaces import Spaces
from tests.conftest import all_sheets
from tests.env.sheets import SHIPPED, TEXTS, game

ROUNDS = 60
"""Steps of every game, unless all sheets are tried."""


def follow(own: ggp.Game, n: int, steps: int, observations: str = "bits") -> int:
    """Step games at random and hold every answer against those of `State`; how many games ended.

    The moves of chance are found from the state that follows, where only one leads there.
    """
    env = ggp.env.vector(own, n, observations=observations, max_steps=40, seed=3)
    spaces = Spaces(own, observations)
    players, single = len(own.players), len(own.players) == 1
    seen, info = env.reset()
    ended = 0
    begun = [0] * n
    for _ in range(steps):
        before = [env.state(i) for i in range(n)]
        mask = info["action_mask"].reshape(n, players, -1)
        for i, state in enumerate(before):
            for player, role in enumerate(own.players):
                legal = {str(spaces.move(player, a)) for a in np.flatnonzero(mask[i, player])}
                assert legal == set(map(str, state.legal(role)))
            choosing = [p for p, role in enumerate(own.players) if len(state.legal(role)) > 1]
            assert info["to_move"][i] == (choosing[0] if len(choosing) == 1 else -1)
        actions = env.sample()
        seen, rewards, terminated, truncated, info = env.step(actions)
        given, paid = actions.reshape(n, players), rewards.reshape(n, players)
        final = dict(zip(info["ended"].tolist(), info["final_observation"], strict=True))
        for i, state in enumerate(before):
            joint = {role: spaces.move(p, int(given[i, p])) for p, role in enumerate(own.players)}
            rest = {} if own.chance is None else {own.roles[own.chance]: None}
            throws = state.legal(own.roles[own.chance]) if rest else [None]
            if rest:
                options = [state.play({**joint, own.roles[own.chance]: t}) for t in throws]
            else:
                options = [state.play(joint)]
            begun[i] += 1
            is_over = bool(terminated[i] or truncated[i])
            if not is_over:
                assert env.state(i) in options
                following = env.state(i)
            else:
                assert env.state(i) == own.initial
                begun[i] = 0
                ended += 1
                fits = [s for s in options if s.terminal == terminated[i]]
                told = [
                    [spaces.reward(s.goals[r]) for r in own.players] for s in fits if s.terminal
                ]
                if terminated[i]:
                    assert any(np.allclose(paid[i], one) for one in told)
                if len(options) > 1:
                    continue
                following = options[0]
            assert following.terminal == bool(terminated[i])
            assert bool(truncated[i]) == (is_over and not following.terminal)
            if not terminated[i]:
                assert not paid[i].any()
            if own.has_percepts:
                continue
            own_view = final[i] if is_over else seen[i]
            assert np.array_equal(own_view, spaces.observed(following.bits))
            if is_over:
                assert np.array_equal(seen[i], spaces.observed(own.initial.bits))
    assert single or rewards.shape == (n, players)
    return ended


@pytest.mark.parametrize("name", [*SHIPPED, *TEXTS])
def test_steps_are_those_of_the_rules(name) -> None:
    assert follow(game(name), 3, ROUNDS) > 0


@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_steps_of_shipped_sheets_are_those_of_the_rules(sheet) -> None:
    assert follow(ggp.load(sheet), 2, 41) > 0


def test_games_beyond_one_block_of_lanes_are_stepped_alike() -> None:
    assert follow(game("tic-tac-toe"), 1100, 6) > 0
