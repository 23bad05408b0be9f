"""Loopy games: positions may come back, and play that never ends is a draw."""

from ggp.theory.loopy.game import LoopyGame
from ggp.theory.loopy.simplify import NotStopperSided

__all__ = ["LoopyGame", "NotStopperSided"]
