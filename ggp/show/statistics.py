"""The counts of a solved game as text."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from ggp.text import number, plain

MAX_ROWS = 12
"""Scores, plies and nim-values that are listed on a terminal."""


def statistics_table(data: dict[str, Any]) -> Table:
    """What `Statistics.as_json` gives, a line for each count."""
    table = Table("", "", title="All positions", title_justify="left", show_header=False)
    table.columns[1].overflow = "fold"
    for name, value in statistics_rows(data):
        table.add_row(plain(name), Text(plain(value)))
    return table


def statistics_rows(data: dict[str, Any]) -> list[tuple[str, str]]:
    """The same as pairs of what is counted and how many there are."""
    rows: list[tuple[str, str]] = []

    def row(name: str, value: str) -> None:
        rows.append((name, value))

    def never(length: int | None, why: str) -> str:
        return why if length is None else f"{length:,}"

    row("positions", f"{data['positions']:,}")
    row("ends of play", f"{data['ends']:,}")
    row("moves", f"{data['moves']:,}")
    row("shortest play", never(data["shortest_play"], "no end is reached"))
    row("longest play", never(data["longest_play"], "play can go on for ever"))
    for name, count in data["results"].items():
        what = {"draw": "draws", "depends": "depend on an indifferent player"}
        row(what.get(name, f"won by {name}"), f"{count:,}")
    for player, side in data["sides"].items():
        sizes = ", ".join(f"{side[k]:,} {k}" for k in ("winning", "losing", "drawn") if side[k])
        row(f"{player} to move", ": ".join(filter(None, (f"{side['positions']:,}", sizes))))
        kinds = ("winning", "losing", "drawing")
        moves = ", ".join(f"{side[f'{k}_moves']:,} {k}" for k in kinds if side[f"{k}_moves"])
        row(f"moves of {player}", ": ".join(filter(None, (f"{side['moves']:,}", moves))))
    if not data["results"]:
        for score in data["scores"][:MAX_ROWS]:
            value = score["score"]
            shown = " ".join(map(number, value)) if isinstance(value, list) else value or "endless"
            row(f"score {shown}", f"{score['positions']:,}")
        if left := data["scores"][MAX_ROWS:]:
            count = sum(score["positions"] for score in left)
            row(f"{len(left):,} more score{'s' * (len(left) > 1)}", f"{count:,}")
    row("by ply", _listed(dict(enumerate(data["plies"]))))
    if data["nim_values"]:
        row("by nim-value", _listed(data["nim_values"]))
    return rows


def _listed(counts: dict[Any, int]) -> str:
    shown = ", ".join(f"{key}: {count:,}" for key, count in list(counts.items())[:MAX_ROWS])
    more = len(counts) - MAX_ROWS
    return f"{shown} and {more} more" if more > 0 else shown
