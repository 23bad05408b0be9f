"""Cells as text: what is written in them, between them, and for them where there is no room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from ggp.kif import Term
from ggp.show.board.families import Row
from ggp.show.board.lines import Lines, Style, flow
from ggp.show.board.scene import DrawnBoard
from ggp.show.board.words import fitted, labels, name_of

COLOURS = ("cyan", "red", "green", "magenta", "yellow", "blue", "bright_white", "bright_green")
"""Of roles, in order."""

MAX_CELL, MAX_LABEL, MAX_CHANGED = 3, 6, 24
"""Columns of cell marks, and of a name beside a board; changed places that are named."""


def colour(role: int) -> str:
    """The colour of a role."""
    return COLOURS[role % len(COLOURS)]


@dataclass(frozen=True)
class Ruler:
    """Columns of the names of rows, of a cell, and between cells."""

    margin: int
    cell: int
    gap: int


def labels_of(names: Sequence[Term], style: Style) -> list[str]:
    """The names beside rows."""
    return labels([style.name(name_of(name)) for name in names], MAX_LABEL)


def content_of(drawn: DrawnBoard, key: Row, style: Style) -> str:
    """What is written in a cell: as much as there is room for."""
    return fitted(marks_of(drawn, key, style), MAX_CELL)


def marks_of(drawn: DrawnBoard, key: Row, style: Style) -> str:
    """All marks of a cell, with or without room."""
    return "".join(style.mark(mark) for mark in drawn.cells.get(key, ()))


def paint(drawn: DrawnBoard, key: Row) -> str:
    """The style of a cell: its owner's."""
    marks = drawn.cells.get(key, ())
    owner = next((mark.owner for mark in marks if mark.owner is not None), None)
    return "dim" if not marks else "bold" if owner is None else f"bold {colour(owner)}"


def changed_lines(drawn: DrawnBoard, style: Style) -> Lines:
    """The names of what the last move changed, where there is no room for brackets."""
    keys = sorted(drawn.changed, key=drawn.board.rank)
    names = [Text(f"[{style.name(' '.join(map(name_of, key)))}]") for key in keys[:MAX_CHANGED]]
    if len(keys) > MAX_CHANGED:
        names.append(Text(f"and {len(keys) - MAX_CHANGED} more", "dim"))
    return flow([Text("changed", "dim"), *names], style) if names else []


def append_cells(
    line: Text, drawn: DrawnBoard, keys: Sequence[Row], ruler: Ruler, style: Style
) -> None:
    """The cells of a row; what the last move changed is in brackets."""
    places = drawn.board.keys
    for number, key in enumerate(keys):
        before = number > 0 and keys[number - 1] in drawn.changed
        after = key in drawn.changed
        mark = "|" if before and after else "[" if after else "]" if before else " "
        line.append(mark * ruler.gap, "dim")
        text = content_of(drawn, key, style)
        if not text and key in places:
            text = style.blank
        line.append(centred(text, ruler.cell), paint(drawn, key))
    if keys and keys[-1] in drawn.changed:
        line.append("]" * ruler.gap, "dim")
    line.rstrip()


def centred(text: str, width: int) -> str:
    """A text in the middle of so many columns."""
    room = width - cell_len(text)
    return " " * (room - room // 2) + text + " " * (room // 2)
