"""The examples of exchange with other libraries run, and find what they say."""

from __future__ import annotations

import runpy
import sys

import pytest

from tests.conftest import ROOT


def told(name: str, capsys, monkeypatch, *arguments: str) -> str:
    """What an example prints."""
    file = ROOT / "examples" / f"{name}.py"
    monkeypatch.setattr(sys, "argv", [str(file), *arguments])
    runpy.run_path(str(file), run_name="__main__")
    return capsys.readouterr().out


def test_kuhn_poker_is_played_well(capsys, monkeypatch) -> None:
    pytest.importorskip("pyspiel")
    *rows, last = told("open_spiel_kuhn", capsys, monkeypatch).splitlines()[1:]
    away = [float(row.split()[1]) for row in rows]
    assert away[-1] < away[0] / 50
    assert float(rows[-1].split()[2]) == pytest.approx(float(last.split()[2]), abs=0.002)


@pytest.mark.slow
def test_games_of_open_spiel_are_solved(capsys, monkeypatch) -> None:
    pytest.importorskip("pyspiel")
    text = told("open_spiel_solve", capsys, monkeypatch)
    assert text.startswith("tic_tac_toe: draw, 5,478 positions\n")
    assert text.count("verified: True") == text.count("a strategy") == 5
    own = told("open_spiel_solve", capsys, monkeypatch, "nim(pile_sizes=2;2)")
    assert own.startswith("nim(pile_sizes=2;2): player 1, ")


def test_a_game_is_exchanged(capsys, monkeypatch) -> None:
    for name in ("networkx", "polars", "sympy"):
        pytest.importorskip(name)
    text = told("exchange", capsys, monkeypatch)
    assert "88 nodes and 372 edges longest play: 9" in text
    assert "lost by who is to move: [0, 4, 8, 12, 16, 20]" in text
    assert "Piecewise((0, Eq(Mod(n, 4), 0))" in text
