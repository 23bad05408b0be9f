"""Recorded plays of the reference prover: every state, legal set, end and goal agrees."""

from __future__ import annotations

import json

import pytest

import ggp
from ggp import InputError
from ggp.traces import read_trace, record_traces, replay
from tests.conftest import GAMES, shared

SMALL = [
    *("2pttc", "3pttc", "4pttc", "aipsrovers01", "beatMania", "blocker", "buttons", "chomp"),
    *("choicethroughalt", "circlesolitaire", "coins_atomic", "connectFour", "cubicup_3player"),
    *("dotsAndBoxes", "eightPuzzle", "escortLatch", "futoshiki4", "gt_chicken", "hanoi_6_disks"),
    *("hitori", "lightsOn", "maze", "nim1", "peg", "queens06ug", "ruleDepthLinear"),
    *("sheepAndWolf", "ticTacToe", "tictactoe_3player", "troublemaker01"),
]


@pytest.mark.parametrize("name", SMALL)
def test_the_reference_prover_agrees(name) -> None:
    trace = shared("corpus", "traces", f"{name}.jsonl.gz")
    game = ggp.load(shared("corpus", "games", f"{name}.kif"))
    steps, difference = replay(game, read_trace(trace))
    assert difference is None
    assert steps > 3


def test_a_recorded_trace_replays_and_a_changed_one_does_not() -> None:
    game = ggp.load(GAMES / "kayles" / "kayles-7.kif")
    records = list(record_traces(game, 3, seed=4))
    assert records == list(record_traces(game, 3, seed=4))
    steps, difference = replay(game, iter(records))
    assert difference is None
    assert steps == records[-1]["steps"]
    for key, value in [("terminal", True), ("state", ["x"]), ("legal", {"left": []})]:
        changed = json.loads(json.dumps(records))
        changed[3][key] = value
        agreed, difference = replay(game, iter(changed))
        assert agreed == 2
        assert difference is not None
        assert key.split()[0] in difference.what


def test_an_unreadable_trace_is_refused(tmp_path) -> None:
    broken = tmp_path / "t.jsonl"
    broken.write_text("{")
    with pytest.raises(InputError):
        list(read_trace(broken))
    with pytest.raises(InputError):
        list(read_trace(tmp_path / "missing.jsonl.gz"))
