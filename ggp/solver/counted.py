"""Counts of the positions, plays and moves of a solved game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.displayed import Displayed


@dataclass(frozen=True)
class SideCounts:
    """The positions in which it is one player's turn, ends of play among them where that is told.

    `winning`, `losing`, `drawn`: how many of them are so for that player under best play;
    `winning_moves`, …: of the player's moves, how many lead to a position that is so for the same
    player.
    """

    positions: int = 0
    winning: int = 0
    losing: int = 0
    drawn: int = 0
    moves: int = 0
    winning_moves: int = 0
    losing_moves: int = 0
    drawing_moves: int = 0

    def as_json(self) -> dict[str, int]:
        """All counts by name."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class Statistics(Displayed):
    """Counts over all positions that play comes to from where it starts.

    `positions`, `ends` of play, joint `moves`; `shortest` and `longest` play from the start in
    moves (None: no end is reached; play can go on for ever). `results`: how many positions each
    player wins under best play, `draw` for those that nobody does; empty for one player and where
    scores are means. `scores`: how many positions have which scores, in the order of the players
    (None: best play never ends; "open": it may never end, which has no value, or the score is not
    determined). `sides`: by player, none where moves are made at once. `plies`: how many positions
    the start is so many moves from, at the least. `nim_values`: how many positions have which,
    where the game has nim-values.
    """

    positions: int
    ends: int
    moves: int
    shortest: int | None
    longest: int | None
    players: tuple[str, ...]
    results: dict[str, int]
    scores: tuple[tuple[tuple[float, ...] | str | None, int], ...]
    sides: dict[str, SideCounts]
    plies: tuple[int, ...]
    nim_values: dict[int, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The counts in the shape of `ggp solve --statistics --format json`."""
        return {
            "positions": self.positions,
            "ends": self.ends,
            "moves": self.moves,
            "shortest_play": self.shortest,
            "longest_play": self.longest,
            "results": self.results,
            "scores": [
                {"score": list(score) if isinstance(score, tuple) else score, "positions": count}
                for score, count in self.scores
            ],
            "sides": {player: side.as_json() for player, side in self.sides.items()},
            "plies": list(self.plies),
            "nim_values": {str(value): count for value, count in self.nim_values.items()},
        }
