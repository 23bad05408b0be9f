"""In which row groups of a table a position can be, and how long later answers may take."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ggp
from ggp.solver import SearchSolution
from ggp.solver.layers import reading
from tests.conftest import GAMES


@pytest.mark.parametrize(
    ("rank", "key", "groups"),
    [
        (-3, 0, [0]),
        (-3, 9, [0]),
        (-3, 10, []),
        (-2, 5, [0, 1]),
        (-2, 4, [0]),
        (0, 7, [1]),
        (1, 7, []),
        (-4, 7, []),
        (5, 2**64 - 1, [2]),
        (5, 2**64 - 2, []),
    ],
)
def test_a_position_is_in_groups_of_its_rank_and_key(rank, key, groups) -> None:
    """Ranks from -3 to -2, -2 to 0, and 5; first words of keys from 0 to 9, 5 to 20, and the
    last."""
    file = object.__new__(reading._File)
    bounds = [[-3, -2, 0, 9], [-2, 0, 5, 20], [5, 5, 2**64 - 1, 2**64 - 1]]
    up = reading._UP
    moved = [[low + up, high + up, *keys] for low, high, *keys in bounds]
    file.__dict__["_bounds"] = np.array(moved, dtype=np.uint64)
    assert file.groups(rank, key) == groups


def test_each_limit_of_time_is_that_of_the_answers_after_it() -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    found = object.__new__(SearchSolution)
    found.game, found._later = game, None
    for seconds in (7.0, 3.0):
        found.limit(seconds)
        assert found._later == replace(game.limits, seconds=seconds)
