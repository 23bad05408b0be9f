"""Long work that pages ask for, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ggp.studio.elsewhere import Errand
from ggp.studio.library import SheetText

HOUR = 3_600.0


@dataclass(frozen=True)
class Order:
    """A sheet, and what the page says about it: plain data that anybody may have written."""

    sheet: SheetText
    asked: Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """Work (see `jobs.Work`), and what it may take: seconds, and bytes on top of what is loaded."""

    work: Errand
    seconds: float = 900.0
    memory: int = 3 << 30


TASKS = {
    "analyse": Task(Errand("analysing", "analyse")),
    "solve": Task(Errand("solving", "solve_sheet")),
    "strategy": Task(Errand("solving", "strategy")),
    "heaps": Task(Errand("solving", "heaps")),
    "axes": Task(Errand("proposing", "propose"), 60.0),
    "table": Task(Errand("tabling", "table")),
    "value": Task(Errand("valuing", "value")),
    "notation": Task(Errand("valuing", "notation"), 40.0, 1 << 30),
    "seats": Task(Errand("matching", "seats"), 90.0),
    "watch": Task(Errand("matching", "watch"), HOUR),
    "review": Task(Errand("reviewing", "review"), HOUR),
}
