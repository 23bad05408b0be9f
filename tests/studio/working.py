"""Work of the studio done here, without a server: what it says, by slot."""

from __future__ import annotations

import re
from typing import Any

from ggp.studio.library import Library, SheetText
from ggp.studio.tasks import TASKS, Order
from ggp.studio.work.analysing import MOST

LIBRARY = Library()


def shipped(name: str, **values: str) -> SheetText:
    """A sheet of the package."""
    return LIBRARY.sheet(f"shipped/{name}", values)


LONG = "heaps", "solve", "strategy", "table", "value"


def said(task: str, sheet: SheetText, **asked: Any) -> dict[str, str]:
    """The HTML of each slot, as it is in the end, however long it takes where a page may ask so."""
    asked = {"seconds": MOST, **asked} if task in LONG else asked
    found: dict[str, str] = {}

    def say(part: dict[str, Any]) -> None:
        found[part.get("slot", "")] = part["html"]

    TASKS[task].work(Order(sheet, asked), say, lambda text: None)
    return found


def text_of(html: str) -> str:
    """What is read of a part of a page, without pictures."""
    bare = re.sub(r"<svg.*?</svg>", " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", bare)).strip()
