"""Playing: a state and a clock to a move."""

from ggp.play.beliefs import Beliefs
from ggp.play.player import Player, Suggestion
from ggp.play.playouts import playouts, random_moves

__all__ = ["Beliefs", "Player", "Suggestion", "playouts", "random_moves"]
