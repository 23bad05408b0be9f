"""What a page is told of a sitting, in texts fit to be shown as text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ggp.errors import GgpError, GoalError
from ggp.game import State
from ggp.kif import Term
from ggp.play.advice import Worth
from ggp.play.sitting.sitting import Sitting, choices
from ggp.show.board.clicking import Spot, meant
from ggp.show.board.families import Row
from ggp.show.board.scene import Move
from ggp.show.board.words import name_of
from ggp.show.moves import move_text, result_text, worth_text
from ggp.text import numbers_first, plain, shortened

MAX_MOVE, MAX_SAID, MAX_POSITION = 200, 400, 20_000
"""Characters of a move, of a message, and of a position that cannot be drawn."""


def line(text: object) -> str:
    """The first line of an error or another message."""
    return plain(shortened(str(text).partition("\n")[0], MAX_SAID))


def status(sitting: Sitting, role: str | None) -> str:
    """Whose move it is: that of `role`, or nobody's at the end."""
    if role is None:
        return ending(sitting.state)
    if role not in sitting.people:
        return f"{name_of(role)} is thinking …"
    told = [f"{name_of(other)} has chosen" for other in sitting.pending]
    return "; ".join([*told, f"{name_of(role)} to move"])


def ending(state: State) -> str:
    """How a game ended, or what the rules get wrong there."""
    try:
        return result_text(state)
    except GoalError as error:
        return line(f"The game is over: {error}")
    except GgpError as error:
        return line(error)


def last(sitting: Sitting) -> str:
    """The last moves that were chosen between several."""
    chosen = next(filter(None, map(choices, reversed(sitting.history))), {})
    return "; ".join(f"{name_of(role)} {move_text(move)}" for role, move in chosen.items())


def listed(
    moves: Sequence[Move], clicked: Sequence[Spot], worths: Mapping[Term, Worth]
) -> list[dict[str, Any]]:
    """The moves that are meant by the clicks so far, each with its number among all: the best
    first, where that is known."""
    wanted = {move.text for move in meant(moves, clicked)}
    found = [(i, move.text) for i, move in enumerate(moves) if move.text in wanted]
    found.sort(key=lambda own: (-_value(worths.get(own[1])), _counted(str(own[1]))))
    return [
        {
            "id": i,
            "text": move_text(move, MAX_MOVE),
            "worth": worth_text(worths[move]) if move in worths else "",
        }
        for i, move in found
    ]


def _counted(text: str) -> list[tuple[bool, int, str]]:
    """A key by which numbers in texts stand in their order."""
    return [numbers_first(part) for part in re.split(r"([0-9]+)", text)]


def best_through(
    moves: Sequence[Move], clicked: Sequence[Spot], worths: Mapping[Term, Worth]
) -> list[tuple[Spot, str, int]]:
    """The places that can be clicked next, what the best move through each is worth, and the number
    of the group of places that mean the same."""
    best: dict[Spot, Worth] = {}
    groups: dict[frozenset[Row], int] = {}
    group: dict[Spot, int] = {}
    at = len(clicked)
    for move in meant(moves, clicked):
        worth = worths.get(move.text)
        if worth is None or worth.value is None or len(move.clicks) <= at:
            continue
        board, keys = move.clicks[at]
        number = groups.setdefault(keys, len(groups))
        for key in keys:
            if _value(best.get((board, key))) < _value(worth):
                best[board, key], group[board, key] = worth, number
    return [(spot, worth_text(worth), group[spot]) for spot, worth in sorted(best.items())]


def _value(worth: Worth | None) -> float:
    return -1.0 if worth is None or worth.value is None else worth.value


def position(state: State) -> str:
    """The facts of a state."""
    return plain(shortened(" ".join(map(str, state.facts)), MAX_POSITION))
