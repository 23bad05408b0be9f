"""Random plays divided into runs of blocks are those of one long run."""

from __future__ import annotations

from functools import reduce
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp.cli.sampling import _Runs, random_plays
from ggp.machine import BLOCK
from ggp.pool import spread
from tests.cli.test_json import checked
from tests.conftest import GAMES

COUNT = 3 * BLOCK + 5
GAME = ggp.load(GAMES / "kayles" / "kayles-7.kif")
ALL = GAME.playouts(COUNT, seed=3)


@settings(max_examples=10)
@given(st.permutations(range(4)), st.integers(0, 3))
def test_in_whatever_order_blocks_are_played(order, at) -> None:
    parts = []
    for block in order:
        count = min(BLOCK, COUNT - block * BLOCK)
        parts.append(GAME.machine.playouts(GAME.initial, count, 3, first=block))
    assert reduce(lambda a, b: a + b, parts) == ALL
    assert parts[at] != ALL


@pytest.mark.parametrize("count", [1, BLOCK, COUNT])
def test_parts_are_the_whole(count) -> None:
    parts = list(random_plays(spread, GAME, count))
    assert reduce(lambda a, b: a + b, parts) == GAME.playouts(count)


@given(st.integers(1, 10**12), st.lists(st.floats(0, 1e6), min_size=1, max_size=20))
def test_runs_leave_out_no_play_and_make_none_twice(count, seconds) -> None:
    """However quick they are; a million million plays come in no more runs than that allows."""
    runs, expected = _Runs(count), 0
    for number, (first, many) in enumerate(runs):
        assert first * BLOCK == expected
        assert 0 < many <= count - expected
        expected += many
        assert many % BLOCK == 0 or expected == count
        runs.learn(many, seconds[number % len(seconds)])
        if number > 200:
            return
    assert expected == count


def test_a_game_that_ends_where_it_begins_is_no_exception() -> None:
    sheet = "(role a) (init p) (legal a m) terminal (goal a 70)"
    game = ggp.parse(sheet)
    parts = list(random_plays(spread, game, COUNT))
    assert reduce(lambda a, b: a + b, parts) == game.playouts(COUNT)


def test_interrupted_plays_that_were_made_are_told(ggp_, monkeypatch) -> None:
    show = import_module("ggp.cli.show")
    plays = show.random_plays

    def interrupted(*arguments):
        yield next(plays(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(show, "random_plays", interrupted)
    code, output, _ = ggp_("show", "kayles/kayles-7", "--playouts", "100000", "--format", "json")
    data = checked(output, "show")
    assert (code, data["interrupted"]) == (130, True)
    assert data["playouts"]["count"] == BLOCK


def test_plays_in_processes_are_those_of_one(ggp_) -> None:
    command = ["show", "kayles/kayles-7", "--playouts", str(COUNT), "--format", "json"]
    assert ggp_(*command, "--jobs", "2") == ggp_(*command)
