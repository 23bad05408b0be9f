"""Boards in a picture: grids of squares or hexagons, rows, places with lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from xml.etree.ElementTree import Element, SubElement

from ggp.show.board import colours
from ggp.show.board.families import Row
from ggp.show.board.picture.canvas import (
    CELL,
    GAP,
    LETTER,
    LINE,
    MAX_LINES,
    Box,
    Point,
    add,
    group,
    head,
    labels_of,
    points,
    words,
    wrapped,
    write,
)
from ggp.show.board.picture.marks import draw_marks
from ggp.show.board.scene import DrawnBoard
from ggp.show.board.words import name_of

MAX_CELLS = 4_000
"""Cells of a board; of larger ones what lies where is listed."""


def board_box(drawn: DrawnBoard, width: int) -> Box:
    """A board about so wide; of one with too many places what lies where, in words."""
    if len(drawn.board.keys) > MAX_CELLS:
        return _listed(drawn, width)
    if drawn.board.points:
        return _graph(drawn)
    if drawn.board.row is None:
        return _strip(drawn, width)
    return _grids(drawn, width)


def _place(
    parent: Element, drawn: DrawnBoard, key: Row, at: Point, outline: Sequence[Point]
) -> None:
    """A place with what lies on it; its title says so in words, its attributes its numbers."""
    marks = drawn.cells.get(key, ())
    number = drawn.board.numbers[key]
    own = add(parent, "g", class_="place", data_board=drawn.number, data_place=number)
    held = ", ".join(mark.title for mark in marks) or "empty"
    SubElement(own, "title").text = f"{' '.join(map(name_of, key))}: {held}"
    fresh = key in drawn.changed
    add(
        own,
        "polygon",
        points=points(outline),
        fill=colours.FRESH if fresh else colours.CELL,
        stroke=colours.INK if fresh else colours.LINE,
        stroke_width=2 if fresh else 1,
    )
    draw_marks(own, marks, at)


def _raise_changed(parent: Element, drawn: DrawnBoard) -> None:
    """Draw changed places above the others, which would hide a part of their outlines."""
    changed = {str(drawn.board.numbers[key]) for key in drawn.changed}
    for own in [part for part in parent if part.get("data-place") in changed]:
        parent.remove(own)
        parent.append(own)


def _grids(drawn: DrawnBoard, width: int) -> Box:
    """All grids of a board, side by side where there is room."""
    board = drawn.board
    made = [_grid(drawn, grid) for grid in board.grids]
    across = len(board.axes[board.slices[1]]) if len(board.slices) == 2 else len(made)
    most = max(1, int((width + GAP) // (made[0].width + GAP)))
    across = across if across * (made[0].width + GAP) <= 2 * width else min(across, most)
    across = min(across, most) if len(board.slices) == 1 else across
    rows = -(-len(made) // across)
    step_x, step_y = made[0].width + GAP, made[0].height + GAP
    box = group(across * step_x - GAP, rows * step_y - GAP)
    for number, own in enumerate(made):
        x, y = number % across * step_x, number // across * step_y
        own.element.set("transform", f"translate({x:g} {y:g})")
        box.element.append(own.element)
    return box


@dataclass(frozen=True)
class GridFrame:
    """Where the cells of a grid lie: `left` and `top` of the first centre, `step` from row to row,
    `lean` to the right with each row."""

    left: float
    top: float
    step: float
    lean: float

    def at(self, column: int, row: int) -> Point:
        """The middle of a cell."""
        return self.left + row * self.lean + column * CELL, self.top + row * self.step


def _grid(drawn: DrawnBoard, grid: Row) -> Box:
    board = drawn.board
    rows, columns = board.rows, board.columns
    beside = labels_of(rows)
    margin = max(map(len, beside)) * 12 * LETTER + 8
    title = LINE if grid else 0
    at_top = 0 if board.upright else LINE
    step, half = (CELL * 0.75**0.5, CELL / 3**0.5) if board.lean else (CELL, CELL / 2)
    slant = (len(rows) - 1) * CELL / 2 * abs(board.lean)
    left = margin + CELL / 2 + (slant if board.lean < 0 else 0)
    frame = GridFrame(left, title + at_top + half, step, board.lean * CELL / 2)
    high = title + LINE + (len(rows) - 1) * step + 2 * half
    box = group(margin + len(columns) * CELL + slant, high)
    if grid:
        at = margin, LINE / 2
        text = " ".join(map(name_of, grid))
        write(box.element, text, at, 12, colours.FAINT, text_anchor="start")
    last = len(rows) - 1 if board.upright else 0
    level = high - LINE / 2 if board.upright else title + LINE / 2
    for x, column in enumerate(labels_of(columns)):
        head(box.element, column, (frame.at(x, last)[0], level))
    for y, row in enumerate(rows):
        start, height = frame.at(0, y)
        at = start - CELL / 2 - 6, height
        write(box.element, beside[y], at, 12, colours.FAINT, text_anchor="end")
        _cells(box.element, drawn, [board.key(grid, c, row) for c in columns], frame, y)
    _raise_changed(box.element, drawn)
    return box


def _cells(
    parent: Element, drawn: DrawnBoard, keys: Sequence[Row], frame: GridFrame, row: int
) -> None:
    """The cells of a row; of some there may be none."""
    outline = _hexagon if drawn.board.lean else _square
    for column, key in enumerate(keys):
        if key in drawn.board.keys:
            at = frame.at(column, row)
            _place(parent, drawn, key, at, outline(at))


def _square(at: Point) -> list[Point]:
    (x, y), half = at, CELL / 2
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _hexagon(at: Point) -> list[Point]:
    """With two upright sides, so that those of one row touch."""
    (x, y), radius = at, CELL / 3**0.5
    turns = [pi / 6 + i * pi / 3 for i in range(6)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _strip(drawn: DrawnBoard, width: int) -> Box:
    """A board of one row: names above contents, in as many lines as it takes."""
    names = drawn.board.columns
    across = max(1, min(len(names), width // CELL))
    rows = -(-len(names) // across)
    step = CELL + LINE + 4
    box = group(across * CELL, rows * step)
    for number, (name, label) in enumerate(zip(names, labels_of(names), strict=True)):
        x, y = number % across * CELL + CELL / 2, number // across * step
        head(box.element, label, (x, y + LINE / 2))
        at = (x, y + LINE + CELL / 2)
        _place(box.element, drawn, (name,), at, _square(at))
    _raise_changed(box.element, drawn)
    return box


def _graph(drawn: DrawnBoard) -> Box:
    """Places where they are, with lines between neighbours."""
    points, step = drawn.board.points, CELL * 1.5
    places = {k: (x * step + CELL / 2, y * step + CELL / 2) for k, (x, y) in points.items()}
    wide, high = (max(point[i] for point in places.values()) + CELL / 2 for i in (0, 1))
    box = group(wide, high + LINE / 2)
    for one, other in drawn.board.edges:
        (x1, y1), (x2, y2) = places[one], places[other]
        add(box.element, "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colours.LINE)
    texts = labels_of([key[0] for key in places])
    for (key, at), text in zip(places.items(), texts, strict=True):
        _place(box.element, drawn, key, at, _circle(at))
        write(box.element, text, (at[0], at[1] + CELL * 0.48), 9, colours.FAINT)
    return box


def _circle(at: Point) -> list[Point]:
    turns = [i * pi / 12 for i in range(24)]
    return [(at[0] + CELL * 0.38 * cos(t), at[1] + CELL * 0.38 * sin(t)) for t in turns]


def _listed(drawn: DrawnBoard, width: int) -> Box:
    """What lies where, of a board with too many places."""
    parts = [
        f"{' '.join(map(name_of, key))} {' '.join(mark.title for mark in drawn.cells[key])}"
        for key in sorted(drawn.cells, key=drawn.board.rank)
    ]
    lines = wrapped(parts, width)
    return words([*lines[:MAX_LINES], *(["and more places"] if len(lines) > MAX_LINES else [])])
