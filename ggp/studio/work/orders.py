"""What processes are asked for, as plain data that the server makes without the rest of the
package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ggp.studio.library import SheetText

MOST_SECONDS = 60.0
"""For a move of the machine at a table."""


@dataclass(frozen=True)
class Opening:
    """What a table begins with: a sheet, who sits where (persons where nothing is said), seconds
    for a move, the facts of the first state if not the initial one, and moves made already."""

    sheet: SheetText
    seats: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 1.0
    start: str = ""
    line: str = ""
