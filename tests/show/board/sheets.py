"""The sheets that boards are tested with, each loaded once."""

from __future__ import annotations

from functools import cache

import ggp
from ggp.game import Game
from tests.conftest import GAMES, shared

NAMES = sorted(str(path.relative_to(GAMES)) for path in GAMES.rglob("*.kif*"))

PUBLIC = [
    "ticTacToe", "connectFour", "breakthroughSmall", "nim1", "hex", "peg", "lightsOut",
    "sudokuGrade1", "eightPuzzle", "roshambo2", "sheepAndWolf", "blocksWorldSerial",
    "chickentoetictac", "cubicup", "cubicup_3player", "dualConnect4", "futoshiki4", "hodgepodge",
    "nineBoardTicTacToePie", "chineseCheckers4", "copolymer_4_pie", "knightsTour",
     "pentago", "nim4", "maze", "snakeParallel", "max_knights",
]  # fmt: skip
"""Sheets of the reference material that are drawn in no time."""


@cache
def game(name: str) -> Game:
    """A sheet of this project, by its path below `games/`, or of the reference material."""
    if "/" not in name:
        return ggp.load(shared("corpus", "games", f"{name}.kif"))
    return ggp.load(GAMES / name)
