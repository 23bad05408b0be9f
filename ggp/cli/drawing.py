"""Positions drawn for the terminal: as wide as it is, with the letters that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from ggp.cli.common import out

if TYPE_CHECKING:
    from ggp.game import State

WIDTH, WIDEST = 100, 400
"""Columns where no terminal says how many there are; columns at the most."""

LETTERS = "·●○◆▲–…"


def can_draw(console: Console) -> bool:
    """Whether a console has the letters that boards are drawn with, besides those of ASCII."""
    try:
        LETTERS.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def columns_of(console: Console) -> int:
    """How wide a drawing on a console may be."""
    return min(WIDEST, console.width if console.is_terminal else WIDTH)


def drawn(state: State, before: State | None = None, console: Console = out) -> Text:
    """A state as it is drawn on a console; what has changed since `before` is marked."""
    # Imported here: what only answers in JSON does without.
    from ggp.show.board import scene_of, scene_text

    scene = scene_of(state, before)
    return scene_text(scene, columns_of(console), ascii=not can_draw(console))
