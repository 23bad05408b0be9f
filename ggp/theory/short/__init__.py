"""Short partisan games under normal play, by their values."""

from ggp.theory.short.game import ShortGame
from ggp.theory.short.meter import GameLimit, limited
from ggp.theory.short.parsing import NotationError
from ggp.theory.short.thermograph import Thermograph

__all__ = ["GameLimit", "NotationError", "ShortGame", "Thermograph", "limited"]
