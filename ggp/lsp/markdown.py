"""Text of sheets in Markdown."""

from __future__ import annotations

from ggp.text import plain, shortened

MOST = 120
"""Characters of a piece of code."""


def code(text: str) -> str:
    """Some text of a sheet as code in Markdown, whatever it holds."""
    shown = plain(shortened(" ".join(text.split()), MOST))
    ticks = "`"
    while ticks in shown:
        ticks += "`"
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}" if shown else ""
