"""Positions as small boards without names of places, to be parts of a larger picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, isqrt, pi, sin
from xml.etree.ElementTree import Element, SubElement

from ggp.show.board import Scene, colours
from ggp.show.board.families import Row
from ggp.show.board.model import Board
from ggp.show.board.picture.canvas import LETTER, Box, label_of
from ggp.show.board.picture.marks import MAX_MARKS, draw_mark
from ggp.show.board.picture.marks import legend as marks_legend
from ggp.show.board.pieces import Mark
from ggp.show.board.scene import DrawnBoard, Pile

SIDE = 132
"""Pixels of the longer side of a board, at the most."""

LEAST, CELL = 7, 20
"""Pixels of a cell at the least and at the most; boards with smaller ones are not drawn."""

GAP, TEXT, MAX_STACK = 6, 9, 12
"""Pixels between boards, of a letter's height; things drawn of a pile."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Ground:
    """Where the places of a board lie: their middles, how many corners they have (0: round), and
    all of it in pixels."""

    places: Mapping[Row, Point]
    corners: int
    cell: float
    width: float
    height: float


def thumbnail(scene: Scene) -> Box | None:
    """The boards and piles of a scene, one below the other; None where they are too large."""
    boxes = [_board(drawn) for drawn in scene.boards]
    boxes += [_piles(piles) for _, piles in scene.piles if piles]
    found = [box for box in boxes if box is not None]
    if len(found) < len(boxes) or not boxes:
        return None
    width = max(box.width for box in found)
    whole, y = Element("g"), 0.0
    for box in found:
        box.element.set("transform", f"translate({(width - box.width) / 2:g} {y:g})")
        whole.append(box.element)
        y += box.height + GAP
    return Box(whole, width, y - GAP)


def legend(scenes: Iterable[Scene], width: int) -> Box | None:
    """What the marks of some scenes mean, each once."""
    every = [drawn for scene in scenes for drawn in scene.boards]
    marks = {mark: None for drawn in every for own in drawn.cells.values() for mark in own}
    if not marks:
        return None
    return marks_legend(replace(every[0], cells={(): tuple(marks)}), width)


def size_of(scene: Scene) -> int:
    """How many places a scene has."""
    return sum(len(drawn.board.keys) for drawn in scene.boards)


def _board(drawn: DrawnBoard) -> Box | None:
    ground = _ground(drawn.board)
    if ground is None:
        return None
    box = Box(Element("g"), ground.width, ground.height)
    ends = [(ground.places[a], ground.places[b]) for a, b in drawn.board.edges]
    lines = "".join(f"M{x1:.5g} {y1:.5g}L{x2:.5g} {y2:.5g}" for (x1, y1), (x2, y2) in ends)
    outlines = "".join(_outline(ground, at) for at in ground.places.values())
    line = {"stroke": colours.LINE, "stroke-width": "0.7"}
    if lines:
        SubElement(box.element, "path", {"d": lines, "fill": "none", **line})
    SubElement(box.element, "path", {"d": outlines, "fill": colours.CELL, **line})
    for key, marks in drawn.cells.items():
        if key in ground.places:
            _marks(box.element, marks, ground.places[key], ground.cell)
    return box


def _outline(ground: Ground, at: Point) -> str:
    """A place as a part of a path."""
    (x, y), cell = at, ground.cell
    if ground.corners == 0:
        r = 0.38 * cell
        arc = f"a{r:.4g} {r:.4g} 0 1 0"
        return f"M{x - r:.5g} {y:.5g}{arc} {2 * r:.4g} 0{arc} {-2 * r:.4g} 0z"
    if ground.corners == 4:
        return f"M{x - cell / 2:.5g} {y - cell / 2:.5g}h{cell:.4g}v{cell:.4g}h{-cell:.4g}z"
    r = cell / 3**0.5
    turns = [pi / 6 + i * pi / 3 for i in range(6)]
    return "M" + "L".join(f"{x + r * cos(t):.5g} {y + r * sin(t):.5g}" for t in turns) + "z"


def _ground(board: Board) -> Ground | None:
    """The places of a board of any kind; None where they are too many."""
    if board.points:
        return _graph(board)
    return _strip(board) if board.row is None else _grids(board)


def _cell(longest: float) -> float | None:
    """The size of a cell where so many lie side by side."""
    size = min(CELL, SIDE / longest)
    return size if size >= LEAST else None


def _graph(board: Board) -> Ground | None:
    wide, high = (max(point[i] for point in board.points.values()) for i in (0, 1))
    cell = _cell(1.4 * max(wide, high) + 1)
    if cell is None:
        return None
    places = {
        key: (1.4 * cell * x + cell / 2, 1.4 * cell * y + cell / 2)
        for key, (x, y) in board.points.items()
    }
    return Ground(places, 0, cell, (1.4 * wide + 1) * cell, (1.4 * high + 1) * cell)


def _strip(board: Board) -> Ground | None:
    """A row; a long one in several lines."""
    names = board.columns
    lines = max(1, isqrt(len(names) // 8))
    across = -(-len(names) // lines)
    cell = _cell(across)
    if cell is None:
        return None
    places: dict[Row, Point] = {
        (name,): ((i % across + 0.5) * cell, (i // across * 1.4 + 0.5) * cell)
        for i, name in enumerate(names)
    }
    return Ground(places, 4, cell, across * cell, (1.4 * lines - 0.4) * cell)


def _grids(board: Board) -> Ground | None:
    rows, columns, grids = board.rows, board.columns, board.grids
    across = len(board.axes[board.slices[1]]) if len(board.slices) == 2 else isqrt(len(grids))
    across = max(1, across)
    down = -(-len(grids) // across)
    lean, step = board.lean / 2, 3**0.5 / 2 if board.lean else 1
    # Of one grid, in cells; with half a cell to the next one.
    wide = len(columns) + (len(rows) - 1) * abs(lean)
    high = (len(rows) - 1) * step + (2 / 3**0.5 if board.lean else 1)
    whole_wide, whole_high = across * (wide + 0.5) - 0.5, down * (high + 0.5) - 0.5
    cell = _cell(max(whole_wide, whole_high))
    if cell is None:
        return None
    first = (len(rows) - 1) * max(0, -lean) + 0.5
    places: dict[Row, Point] = {}
    for number, grid in enumerate(grids):
        left, top = number % across * (wide + 0.5), number // across * (high + 0.5)
        for y, row in enumerate(rows):
            for x, column in enumerate(columns):
                key = board.key(grid, column, row)
                if key in board.keys:
                    at_y = top + y * step + (1 / 3**0.5 if board.lean else 0.5)
                    places[key] = ((left + first + x + y * lean) * cell, at_y * cell)
    return Ground(places, 6 if board.lean else 4, cell, whole_wide * cell, whole_high * cell)


def _marks(parent: Element, marks: Sequence[Mark], at: Point, cell: float) -> None:
    """One mark in the middle, up to four in quarters, the number of more."""
    if len(marks) > MAX_MARKS:
        _write(parent, f"{len(marks)}…", at, cell / 2)
        return
    if len(marks) == 1:
        draw_mark(parent, marks[0], at, cell)
        return
    for number, mark in enumerate(marks):
        dx, dy = cell / 4 * (2 * (number % 2) - 1), cell / 4 * (2 * (number // 2) - 1)
        draw_mark(parent, mark, (at[0] + dx, at[1] + (0 if len(marks) == 2 else dy)), cell / 2)


def _piles(piles: Sequence[Pile]) -> Box | None:
    """Stacks side by side with their numbers below."""
    step, wide = 5, 18
    if len(piles) * wide > 2 * SIDE:
        return None
    most = max((pile.height for pile in piles if pile.height <= MAX_STACK), default=0)
    foot = most * step + 2
    box = Box(Element("g"), len(piles) * wide, foot + TEXT + 5)
    for number, pile in enumerate(piles):
        x = number * wide + wide / 2
        height = pile.height if pile.height <= MAX_STACK else 0
        things = "".join(
            f"M{x - 6:g} {foot - step * (level + 1):g}h12v{step - 1}h-12z"
            for level in range(height)
        )
        look = {"fill": colours.FILLS[0], "stroke": colours.INK, "stroke-width": "0.7"}
        if things:
            SubElement(box.element, "path", {"d": things, **look})
        base = {"d": f"M{x - 8:g} {foot:g}h16", "stroke": colours.INK}
        SubElement(box.element, "path", base)
        _write(box.element, label_of(pile.count), (x, foot + TEXT / 2 + 3), TEXT, wide)
    return box


def _write(parent: Element, text: str, at: Point, size: float, room: float = 0) -> None:
    if room:
        size = min(size, room / (LETTER * max(1, len(text))))
    own = {"x": f"{at[0]:g}", "y": f"{at[1]:g}", "font-size": f"{size:.3g}", "fill": colours.INK}
    more = {"text-anchor": "middle", "dominant-baseline": "central"}
    SubElement(parent, "text", {**own, **more}).text = text
