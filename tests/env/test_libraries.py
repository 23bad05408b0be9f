"""Environments pass the conformance tests of the libraries that they are for."""

from __future__ import annotations

import warnings

import pytest

import ggp
import ggp.env
from tests.env.sheets import SHIPPED, TEXTS, game

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)

ALONE = ["lights-out", "hanoi", "dice"]
BOARDS = ["tic-tac-toe", "lights-out", "fox-and-geese"]
EVERY = [*SHIPPED, *TEXTS]

ADVICE = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "We recommend agents to be named in the format",
    "Action mask numpy array is all zeros",
    "Observation numpy array is all zeros",
]
"""What PettingZoo says of environments with masks, of agents named like roles, of ends, and of
players who have seen nothing."""


@pytest.fixture
def _advised():
    with warnings.catch_warnings():
        for text in ADVICE:
            warnings.filterwarnings("ignore", message=text)
        yield


@pytest.mark.parametrize("name", ALONE)
def test_gymnasium_finds_nothing_wrong(name) -> None:
    env = ggp.env.gymnasium(game(name), render_mode="ansi")
    with warnings.catch_warnings():
        # Nothing registers environments of all sheets.
        warnings.filterwarnings("ignore", message=".*Not able to test alternative render modes")
        check_env(env)


@pytest.mark.parametrize("name", ["tic-tac-toe", "three", "cards"])
def test_gymnasium_finds_nothing_wrong_with_one_role_of_several(name) -> None:
    own = game(name)
    for role in own.players:
        check_env(ggp.env.gymnasium(own, role=role), skip_render_check=True)


@pytest.mark.usefixtures("_advised")
@pytest.mark.parametrize("name", EVERY)
def test_pettingzoo_finds_nothing_wrong(name, capsys) -> None:
    own = game(name)
    api_test(ggp.env.aec(own, max_steps=50), num_cycles=200)
    parallel_api_test(ggp.env.parallel(own, max_steps=50), num_cycles=200)
    seed_test(lambda: ggp.env.aec(own, max_steps=50), num_cycles=50)
    parallel_seed_test(lambda: ggp.env.parallel(own, max_steps=50), num_cycles=50)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.usefixtures("_advised")
@pytest.mark.parametrize("name", BOARDS)
def test_planes_are_observed_alike(name, capsys) -> None:
    own = game(name)
    api_test(ggp.env.aec(own, max_steps=30, observations="planes"), num_cycles=100)
    parallel_api_test(ggp.env.parallel(own, max_steps=30, observations="planes"), num_cycles=100)
    if len(own.players) == 1:
        check_env(ggp.env.gymnasium(own, observations="planes"), skip_render_check=True)
    assert "Passed" in capsys.readouterr().out
