"""ggp: read, check, classify, solve and play any game written in GDL."""

from ggp.errors import GgpError
from ggp.game import Game, State, load, parse
from ggp.kif import Term

__all__ = ["Game", "GgpError", "State", "Term", "load", "parse"]
