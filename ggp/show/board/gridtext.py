"""Grids as text, with the names of rows and columns, side by side where there is room."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ggp.kif import Term
from ggp.show.board.celltext import (
    MAX_CELL,
    MAX_LABEL,
    Ruler,
    append_cells,
    centred,
    changed_lines,
    content_of,
    labels_of,
)
from ggp.show.board.families import Row
from ggp.show.board.lines import Lines, Style
from ggp.show.board.scene import DrawnBoard
from ggp.show.board.words import fitted, labels, name_of

GAP = 3
"""Columns between two grids."""


def grid_lines(drawn: DrawnBoard, style: Style) -> Lines | None:
    """All grids of a board, side by side where there is room; None where one is too wide."""
    board = drawn.board
    texts = {content_of(drawn, key, style) for key in drawn.cells}
    inner = max(map(cell_len, texts), default=1) or 1
    heads = _heads(board.columns, style)
    wanted = max(map(cell_len, heads))
    margin = max(map(cell_len, labels_of(board.rows, style))) + 1
    slant = (len(board.rows) - 1) * abs(board.lean)
    for wide, gap in ((max(inner, min(wanted, MAX_CELL)), 1), (inner, 1), (inner, 0)):
        wide += (wide + gap) % 2 if board.lean else 0
        need = margin + (wide + gap) * len(heads) + gap + slant * (wide + gap) // 2
        if need <= style.width:
            blocks = [_grid(drawn, grid, Ruler(margin, wide, gap), style) for grid in board.grids]
            lines = _arranged(blocks, need, style, _across(drawn))
            return lines if gap else [*lines, *changed_lines(drawn, style)]
    return None


def _across(drawn: DrawnBoard) -> int:
    """How many grids are in one row, 0 for any number."""
    slices = drawn.board.slices
    return len(drawn.board.axes[slices[1]]) if len(slices) == 2 else 0


def _heads(names: Sequence[Term], style: Style) -> list[str]:
    """The names of columns, which are as wide as marks; numbers are written downwards later."""
    whole = [style.name(name_of(name)) for name in names]
    most = MAX_LABEL if all(name.isdecimal() for name in whole) else MAX_CELL
    return labels(whole, most)


def _grid(drawn: DrawnBoard, grid: Row, ruler: Ruler, style: Style) -> Lines:
    board = drawn.board
    lines = []
    rows = board.rows
    half = (ruler.cell + ruler.gap) // 2
    shift = 0 if board.lean >= 0 else (len(rows) - 1) * half
    for number, (row, label) in enumerate(zip(rows, labels_of(rows, style), strict=True)):
        line = Text(set_cell_size(label, ruler.margin), "dim")
        line.append(" " * (shift + board.lean * number * half))
        append_cells(line, drawn, [board.key(grid, c, row) for c in board.columns], ruler, style)
        lines.append(line)
    at_bottom = board.upright
    shift += board.lean * (len(rows) - 1) * half if at_bottom else 0
    heads = _head_lines(_heads(board.columns, style), ruler, shift)
    title = [Text(style.name(" ".join(map(name_of, grid))), "dim")] if grid else []
    return [*title, *lines, *heads] if at_bottom else [*title, *heads, *lines]


def _head_lines(heads: Sequence[str], ruler: Ruler, shift: int) -> Lines:
    """The names of columns; numbers that are too wide for theirs are in several lines."""
    parts = [_parts(label, ruler.cell) for label in heads]
    lines = []
    for level in reversed(range(max(map(len, parts)))):
        line = Text(" " * (ruler.margin + ruler.gap + shift), "dim")
        for own in parts:
            label = own[level] if level < len(own) else ""
            line.append(centred(label, ruler.cell) + " " * ruler.gap)
        line.rstrip()
        lines.append(line)
    return lines


def _parts(label: str, width: int) -> list[str]:
    """A name in parts of a width: its last digits, those before them, and so on."""
    if not (label.isascii() and label.isdecimal()):
        return [fitted(label, width)]
    ends = range(len(label), 0, -width)
    return [label[max(0, end - width) : end] for end in ends]


def _arranged(blocks: Sequence[Lines], width: int, style: Style, across: int) -> Lines:
    """Blocks of lines side by side."""
    most = max(1, (style.width + GAP) // (width + GAP))
    across = min(across, most) if across else most
    lines: Lines = []
    for start in range(0, len(blocks), across):
        if lines:
            lines.append(Text())
        for parts in zip(*blocks[start : start + across], strict=True):
            line = Text()
            for number, part in enumerate(parts):
                line.append(" " * (number * (width + GAP) - line.cell_len)).append_text(part)
            lines.append(line)
    return lines
