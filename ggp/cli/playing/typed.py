"""Moves as people type them."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import IllegalMove
from ggp.kif import Term
from ggp.show.moves import MAX_TEXT
from ggp.text import shortened

MAX_NAMED = 6
"""Moves that are told of where a text could be several."""


def named(line: str, legal: Sequence[Term]) -> Term:
    """The legal move that a number, its text or the beginning of its text names.

    Raises `IllegalMove` where that is none or several.
    """
    is_number = line.isdecimal() and len(line) < 9 and 1 <= int(line) <= len(legal)
    if is_number and Term(line) not in legal:
        return legal[int(line) - 1]
    wanted = _bare(line)
    exact = [move for move in legal if _bare(str(move)) == wanted]
    found = exact or [move for move in legal if _bare(str(move)).startswith(wanted)]
    if len(found) == 1:
        return found[0]
    shown = shortened(line, MAX_TEXT)
    if found:
        some = ", ".join(shortened(str(move), MAX_TEXT) for move in found[:MAX_NAMED])
        raise IllegalMove(f"{shown} could be {some}{', …' if len(found) > MAX_NAMED else ''}")
    raise IllegalMove(f"{shown} is not legal here")


def containing(text: str, legal: Sequence[Term]) -> list[tuple[int, Term]]:
    """The moves in whose text another is, with their numbers from 1 on."""
    wanted = text.lower().strip()
    return [(i, move) for i, move in enumerate(legal, 1) if wanted in str(move).lower()]


def _bare(text: str) -> str:
    """Without parentheses around it, and in small letters; what was `strip`ped is no part of it."""
    return " ".join(text.lower().strip("() ").split())
