"""The sheets that boards are tested with, each loaded once."""

from __future__ import annotations

from functools import cache

import ggp
from ggp.game import Game
from tests.conftest import GAMES, shared

NAMES = sorted(str(path.relative_to(GAMES)) for path in GAMES.rglob("*.kif*"))

PUBLIC = [
    "ticTacToe", "connectFour", "breakthroughSmall", "nim1", "hex", "peg", "lightsOut",
    "sudokuGrade1", "eightPuzzle", "roshambo2", "sheepAndWolf",
]  # fmt: skip
"""Sheets of the reference material."""


@cache
def game(name: str) -> Game:
    """A sheet of this project, by its path below `games/`, or of the reference material."""
    if name in PUBLIC:
        return ggp.load(shared("corpus", "games", f"{name}.kif"))
    return ggp.load(GAMES / name)
