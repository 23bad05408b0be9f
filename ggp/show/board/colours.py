"""Colours of roles in pictures: told apart by people who do not see colours, too."""

from __future__ import annotations

FILLS = ("#9fd3f0", "#a33b00", "#f3e27a", "#005a8c", "#8fd6b8", "#8a2f6b", "#f0b48a", "#2f2f2f")
"""Light and dark in turn, so that they differ in print; hues after Okabe and Ito (Color Universal
Design, 2008), which the usual kinds of colour blindness tell apart."""

NOBODY = "#b5b0a2"
"""Of what is no role's."""

INK, FAINT, LINE, PAPER = "#1c1c1c", "#6b6b6b", "#8f8f8f", "#ffffff"
"""Of letters, of what explains, of lines, of the ground."""

CELL, FRESH = "#f7f5ef", "#fff0a8"
"""Of a place, and of one that the last move changed."""


def fill(owner: int | None) -> str:
    """The colour of a role's things."""
    return NOBODY if owner is None else FILLS[owner % len(FILLS)]


def ink(owner: int | None) -> str:
    """The colour of letters on them."""
    return PAPER if owner is not None and owner % 2 else INK
