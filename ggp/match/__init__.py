"""The GGP match protocol: a player that a game manager can call."""

from ggp.match.messages import BadMessage, parse_message
from ggp.match.server import PlayerServer
from ggp.match.service import PlayerService, RefusedMessage, Settings

__all__ = [
    "BadMessage",
    "PlayerServer",
    "PlayerService",
    "RefusedMessage",
    "Settings",
    "parse_message",
]
