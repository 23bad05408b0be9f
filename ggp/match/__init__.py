"""The GGP match protocol: a player that a game manager can call."""

from ggp.match.messages import BadMessage, parse_message
from ggp.match.server import PlayerServer
from ggp.match.service import PlayerService, PlayerSettings
from ggp.match.underway import RefusedMessage

__all__ = [
    "BadMessage",
    "PlayerServer",
    "PlayerService",
    "PlayerSettings",
    "RefusedMessage",
    "parse_message",
]
