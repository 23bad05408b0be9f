"""Who plays: the number of roles, and whether chance takes part."""

from __future__ import annotations

from ggp.analysis.evidence import Evidence
from ggp.analysis.finding import Finding
from ggp.game import Game


def players(game: Game) -> Finding:
    """The number of roles, `random` apart."""
    count = len(game.players)
    return Finding("players", count, "proved", Evidence(f"role facts: {', '.join(game.roles)}"))


def deterministic(game: Game) -> Finding:
    """Whether no role is played by chance."""
    chance = game.chance is not None
    why = "there is a role 'random'" if chance else "no role is named 'random'"
    return Finding("deterministic", not chance, "proved", Evidence(why))
