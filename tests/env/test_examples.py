"""The examples run, and learn what they say."""

from __future__ import annotations

import runpy

import pytest

from tests.conftest import ROOT


def shown(name: str, capsys) -> list[str]:
    """The words that an example prints."""
    runpy.run_path(str(ROOT / "examples" / name), run_name="__main__")
    return capsys.readouterr().out.split()


def test_the_tower_of_hanoi_is_learned(capsys) -> None:
    pytest.importorskip("gymnasium")
    assert shown("env_hanoi.py", capsys) == ["7", "moves,", "reward", "1"]


def test_a_policy_learns_on_many_boards(capsys) -> None:
    before, _, after, _ = shown("env_policy.py", capsys)
    assert float(before) < 0.4
    assert float(after) > 0.6
