"""Moves, what they are worth and how a game ended, in words of one line."""

from __future__ import annotations

from ggp.game import State
from ggp.kif import Term
from ggp.play.advice import Worth
from ggp.show.board.words import name_of
from ggp.text import plain, shortened

MAX_TEXT = 60
"""Characters of a move that are shown."""


def move_text(move: Term, most: int = MAX_TEXT) -> str:
    """A move, as it may be shown in one line."""
    return plain(shortened(str(move), most)).replace("\n", "·")


def worth_text(worth: Worth) -> str:
    """What a move is worth: exact as `= 100`, an estimate as `≈ 61.5`."""
    if worth.value is None:
        return "?"
    return f"= {worth.value:g}" if worth.exact else f"≈ {worth.value:.1f}"


def result_text(state: State) -> str:
    """How the game ended; raises `GoalError` where the rules do not say."""
    scores = ", ".join(f"{name_of(role)} {goal}" for role, goal in state.goals.items())
    return f"The game is over: {scores}"
