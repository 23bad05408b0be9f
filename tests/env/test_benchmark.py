"""The benchmark beside OpenSpiel compares equal games, and prints its table."""

from __future__ import annotations

import random
import runpy
import sys

import pytest

import ggp
from tests.conftest import ROOT

pyspiel = pytest.importorskip("pyspiel")

MODULE = runpy.run_path(str(ROOT / "benchmarks" / "env.py"))


def move_of(name: str, text: str, action: int) -> str:
    """The move of the sheet that an action of OpenSpiel stands for."""
    if name == "tic_tac_toe":
        return f"(mark {action // 3 + 1} {action % 3 + 1})"
    if name == "connect_four":
        return f"(drop {action + 1})"
    # The side that begins is at the top there: files and rows are turned round.
    x, y, w, z = ("abcdefgh".index(c) + 1 if c.isalpha() else 9 - int(c) for c in text[:4])
    return f"(move {y} {x} {z} {w})"


@pytest.mark.parametrize("name", list(MODULE["SHEETS"]))
def test_the_games_that_are_compared_are_equal(name) -> None:
    """In lockstep through plays at random: the same moves everywhere, and the same ends."""
    path, parameters = MODULE["SHEETS"][name]
    own, theirs, choose = ggp.load(path, **parameters), pyspiel.load_game(name), random.Random(7)
    for _ in range(20):
        state, other = own.initial, theirs.new_initial_state()
        while not other.is_terminal():
            actions = {
                move_of(name, other.action_to_string(a), a): a for a in other.legal_actions()
            }
            assert not state.terminal
            assert set(actions) == set(map(str, state.legal(state.control)))
            assert own.roles.index(state.control) == other.current_player()
            move = choose.choice(sorted(actions))
            state = state.play(move)
            other.apply_action(actions[move])
        assert state.terminal
        assert [goal / 50 - 1 for goal in state.goals.values()] == list(other.returns())


@pytest.mark.slow
def test_the_benchmark_makes_a_table(monkeypatch, capsys) -> None:
    main = MODULE["main"]
    sheets = MODULE["SHEETS"]
    monkeypatch.setitem(main.__globals__, "SHEETS", {"tic_tac_toe": sheets["tic_tac_toe"]})
    monkeypatch.setattr(sys, "argv", ["env.py", "--seconds", "0.02", "--games", "512"])
    main()
    *_, row = capsys.readouterr().out.strip().splitlines()
    name, *figures = [cell.strip() for cell in row.strip("|").split("|")]
    assert name == "tic_tac_toe"
    assert len(figures) == 9
    assert all(float(f.replace(",", "")) > 0 for f in figures if f)
    assert sum(map(bool, figures)) >= 6
