"""Playing: a state and a clock to a move."""

from ggp.play.beliefs import Beliefs
from ggp.play.player import Player, Suggestion

__all__ = ["Beliefs", "Player", "Suggestion"]
