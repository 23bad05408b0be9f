"""Random plays as plain data and as text."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from ggp.machine import Playouts
from ggp.text import plain

MOST_GOALS = 12
"""Goals of a role that are listed."""


def playouts_json(found: Playouts) -> dict[str, Any]:
    """What random plays came to, in the shape of `ggp show --playouts --format json`."""
    return {
        "count": found.count,
        "finished": found.finished,
        "stuck": found.stuck,
        "unfinished": found.unfinished,
        "mean_length": found.mean_length,
        "lengths": found.lengths.tolist(),
        "goals": {
            role: {str(value): count for value, count in own.items()}
            for role, own in found.goals.items()
        },
    }


def playouts_rows(data: dict[str, Any]) -> list[tuple[str, str]]:
    """The same in words: what is counted, and what came of it."""
    lengths = [n for n, count in enumerate(data["lengths"]) if count]
    rows = [("random plays", f"{data['count']:,}")]
    if lengths:
        range_ = f"{lengths[0]:,} to {lengths[-1]:,}, {data['mean_length']:.1f} on average"
        rows.append(("moves of a play", range_ if len(lengths) > 1 else f"{lengths[0]:,}"))
    for name, what in (("stuck", "without a legal move"), ("unfinished", "given up")):
        if data[name]:
            rows.append((what, f"{data[name]:,}"))
    for role, own in data["goals"].items():
        shown = [f"{value}: {count:,}" for value, count in own.items() if count]
        more = f" and {len(shown) - MOST_GOALS} more" if len(shown) > MOST_GOALS else ""
        rows.append((f"goals of {role}", ", ".join(shown[:MOST_GOALS]) + more))
    return rows


def playouts_table(data: dict[str, Any]) -> Table:
    """What `playouts_json` gives, a line for each count."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, what in playouts_rows(data):
        table.add_row(Text(plain(name)), Text(plain(what)))
    return table
