"""Playing: a state and a clock to a move."""

from ggp.play.beliefs import Beliefs
from ggp.play.flat import FlatPlayer
from ggp.play.player import Insight, Player, Suggestion
from ggp.play.search_player import SearchPlayer, ValuesPlayer
from ggp.play.simple import FirstPlayer, GreedyPlayer, PerfectPlayer, RandomPlayer, UctPlayer

PLAYERS: dict[str, type[Player]] = {
    "mcts": SearchPlayer,
    "values": ValuesPlayer,
    "perfect": PerfectPlayer,
    "uct": UctPlayer,
    "flat": FlatPlayer,
    "greedy": GreedyPlayer,
    "random": RandomPlayer,
    "first": FirstPlayer,
}
"""The players that come with ggp, by the names that commands know them by, the best first."""

__all__ = [
    "PLAYERS",
    "Beliefs",
    "FirstPlayer",
    "FlatPlayer",
    "GreedyPlayer",
    "Insight",
    "PerfectPlayer",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "Suggestion",
    "UctPlayer",
    "ValuesPlayer",
]
