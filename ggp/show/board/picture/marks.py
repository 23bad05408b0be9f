"""Marks in a picture: discs and other shapes, letters on them, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from xml.etree.ElementTree import Element

from ggp.show.board import colours
from ggp.show.board.picture.canvas import (
    CELL,
    LETTER,
    Box,
    Point,
    add,
    group,
    points,
    write,
)
from ggp.show.board.pieces import Mark
from ggp.show.board.scene import DrawnBoard

MAX_MARKS, MAX_LEGEND = 4, 24
"""Marks on a place; marks explained."""

LINE, SIZE, GAP, SIGN = 22, 12, 14, 26
"""Pixels of a line of the legend, of its letters, between two entries, and of a mark."""

HOLLOW = "○"
"""The mark of nobody's things that are drawn as a mere outline."""

SHAPES = (0, 4, 3, 6)
"""Corners of the pieces of two roles each; 0 is a disc."""


def disc(
    parent: Element, at: Point, radius: float, owner: int | None, *, hollow: bool = False
) -> None:
    """A piece: a disc with the colour of its owner, whose shape tells the owner, too."""
    is_outline = owner is None and hollow
    (x, y), shade = at, colours.PAPER if is_outline else colours.fill(owner)
    common = {"fill": shade, "stroke": colours.INK, "stroke_width": 1.5}
    sides = SHAPES[(owner or 0) // 2 % len(SHAPES)]
    if sides == 0:
        add(parent, "circle", cx=x, cy=y, r=radius, **common)
    else:
        turn = pi / sides if sides == 4 else -pi / 2
        corners = [
            (
                x + radius * cos(turn + 2 * pi * i / sides),
                y + radius * sin(turn + 2 * pi * i / sides),
            )
            for i in range(sides)
        ]
        add(parent, "polygon", points=points(corners), **common)


def draw_mark(parent: Element, mark: Mark, at: Point, size: float) -> None:
    """A mark in a square of a size."""
    if mark.disc:
        disc(parent, at, size * 0.36, mark.owner, hollow=mark.text in HOLLOW)
        return
    letters = max(1, len(mark.text))
    if mark.owner is None:
        high = min(0.58, 0.86 / (letters * LETTER)) * size
        write(parent, mark.text, at, high, colours.INK)
        return
    disc(parent, at, size * 0.42, mark.owner)
    high = min(0.5, 0.64 / (letters * LETTER)) * size
    write(parent, mark.text, at, high, colours.ink(mark.owner), font_weight="bold")


def draw_marks(parent: Element, marks: Sequence[Mark], at: Point) -> None:
    """One mark in the middle, up to four in quarters, the number of more."""
    if len(marks) == 1:
        draw_mark(parent, marks[0], at, CELL)
        return
    if len(marks) > MAX_MARKS:
        write(parent, f"{len(marks)}…", at, CELL / 2)
        return
    for number, mark in enumerate(marks):
        dx, dy = CELL / 4 * (2 * (number % 2) - 1), CELL / 4 * (2 * (number // 2) - 1)
        dy = 0 if len(marks) == 2 else dy
        draw_mark(parent, mark, (at[0] + dx, at[1] + dy), CELL / 2)


def legend(drawn: DrawnBoard, width: int) -> Box | None:
    """Marks that do not say what they are, with what they mean; of too many how many more."""
    shown = {mark for marks in drawn.cells.values() for mark in marks}
    unclear = sorted(
        (m for m in shown if m.disc or m.text != m.title), key=lambda m: (m.text, m.title)
    )
    if not unclear:
        return None
    left = len(unclear) - MAX_LEGEND
    entries: list[tuple[Mark | None, str]] = [(m, m.title) for m in unclear[:MAX_LEGEND]]
    if left > 0:
        entries.append((None, f"and {left:,} more"))
    places = _flowing([SIGN + _wide(text) + GAP for _, text in entries], width)
    ends = [x + SIGN + _wide(text) for (x, _), (_, text) in zip(places, entries, strict=True)]
    box = group(max(ends), places[-1][1] + LINE)
    for (x, y), (mark, text) in zip(places, entries, strict=True):
        if mark is not None:
            draw_mark(box.element, mark, (x + 10, y + LINE / 2), LINE)
        at = (x + SIGN - 2, y + LINE / 2)
        write(box.element, text, at, SIZE, colours.FAINT, text_anchor="start")
    return box


def _wide(text: str) -> float:
    return len(text) * SIZE * LETTER


def _flowing(widths: Sequence[float], width: float) -> list[Point]:
    """Where things of these widths lie, one after the other, as many in a line as there is room."""
    places: list[Point] = []
    x, y = 0.0, 0.0
    for need in widths:
        if x and x + need > width:
            x, y = 0.0, y + LINE
        places.append((x, y))
        x += need
    return places
