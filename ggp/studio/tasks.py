"""Long work that pages ask for, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ggp.studio.elsewhere import Elsewhere
from ggp.studio.library import Sheet

HOUR = 3_600.0


@dataclass(frozen=True)
class Order:
    """A sheet, and what the page says about it: plain data that anybody may have written."""

    sheet: Sheet
    asked: Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """Work (see `jobs.Work`), and what it may take: seconds, and bytes on top of what is loaded."""

    work: Elsewhere
    seconds: float = 900.0
    memory: int = 3 << 30


TASKS = {
    "analyse": Task(Elsewhere("analysing", "analyse")),
    "solve": Task(Elsewhere("solving", "solve_sheet")),
    "strategy": Task(Elsewhere("solving", "strategy")),
    "heaps": Task(Elsewhere("solving", "heaps")),
    "axes": Task(Elsewhere("proposing", "propose"), 60.0),
    "table": Task(Elsewhere("tabling", "table")),
    "value": Task(Elsewhere("valuing", "value")),
    "notation": Task(Elsewhere("valuing", "notation"), 40.0, 1 << 30),
    "seats": Task(Elsewhere("matching", "seats"), 90.0),
    "watch": Task(Elsewhere("matching", "watch"), HOUR),
    "review": Task(Elsewhere("reviewing", "review"), HOUR),
}
