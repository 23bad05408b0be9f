"""The examples run, and learn what they say."""

from __future__ import annotations

import runpy
from itertools import pairwise

import pytest

from tests.conftest import ROOT


def shown(name: str, capsys) -> list[str]:
    """The words that an example prints."""
    runpy.run_path(str(ROOT / "examples" / name), run_name="__main__")
    return capsys.readouterr().out.split()


def test_the_tower_of_hanoi_is_learned(capsys) -> None:
    pytest.importorskip("gymnasium")
    assert shown("env_hanoi.py", capsys) == ["7", "moves,", "reward", "1"]


@pytest.mark.slow
def test_a_policy_learns_on_many_boards(capsys) -> None:
    before, _, after, _ = shown("env_policy.py", capsys)
    assert float(before) < 0.4
    assert float(after) > 0.6


@pytest.mark.slow
def test_self_play_beats_random_play(capsys) -> None:
    pytest.importorskip("jax")
    shown_ = shown("learning.py", capsys)
    points = [float(word) for before, word in pairwise(shown_) if before == "steps:"]
    assert points[-1] > 80
    assert points[-1] > points[0]


def test_a_table_in_parts_is_read_by_others(capsys) -> None:
    """Of 4 x 4 up to symmetry; the counts are those of the solution without a table."""
    pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    lines = shown("tablebase.py", capsys)
    assert lines[0] == "80,541"
    assert lines[-6:] == ["draw:", "45,079", "red:", "18,253", "yellow:", "17,209"]
