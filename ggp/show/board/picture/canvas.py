"""Parts of a picture: groups of elements with a size, letters in them, names cut to fit.

The elements are built as a tree, so that no name of a sheet can become markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from ggp.show.board import colours
from ggp.show.board.words import labels, name_of

CELL, EDGE, GAP, LINE = 40, 12, 24, 18
"""Pixels: of a cell, of the margin, between grids, of a line of text."""

LETTER = 0.6
"""The width of a letter as a part of its height; monospaced letters have it."""

MAX_LABEL, MAX_LINES = 8, 12
"""Letters of a name beside a board; lines of facts."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A part of a picture with its size in pixels."""

    element: Element
    width: float
    height: float


def add(parent: Element, tag: str, /, **attributes: object) -> Element:
    """A child; `_` of a name stands for `-`."""
    written = {
        name.rstrip("_").replace("_", "-"): f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in attributes.items()
    }
    return SubElement(parent, tag, written)


def write(
    parent: Element, text: str, at: Point, size: float = 13, colour: str = colours.INK, **more: str
) -> None:
    """A text in the middle of a point, unless it is said to start there."""
    x, y = at
    given = {"text_anchor": "middle", "dominant_baseline": "central"} | more
    add(parent, "text", x=x, y=y, font_size=size, fill=colour, **given).text = text


def group(width: float, height: float) -> Box:
    """An empty part of a picture, of such a size."""
    return Box(Element("g"), width, height)


def wrapped(parts: Iterable[str], width: int) -> list[str]:
    """Parts one after the other, as many in a line as there is room for."""
    most = max(10, int(width / (13 * LETTER)))
    lines: list[str] = []
    for part in parts:
        text = part if len(part) <= most else part[: most - 1] + "…"
        if lines and len(lines[-1]) + 3 + len(text) <= most:
            lines[-1] += f"   {text}"
        else:
            lines.append(text)
    return lines


def words(lines: Sequence[str], colour: str = colours.INK) -> Box:
    """Lines of text, one below the other."""
    wide = max(map(len, lines), default=0) * 13 * LETTER
    box = group(wide, len(lines) * LINE)
    for number, line in enumerate(lines):
        y = number * LINE + LINE / 2
        write(box.element, line, (0, y), 13, colour, text_anchor="start", style="white-space:pre")
    return box


def points(corners: Iterable[Point]) -> str:
    """Points as an attribute of a polygon lists them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def label_of(name: object) -> str:
    """A name beside a board, cut to what there is room for."""
    text = name_of(name)
    return text if len(text) <= MAX_LABEL else text[: MAX_LABEL - 1] + "…"


def labels_of(names: Sequence[object]) -> list[str]:
    """Names beside a board, or below piles, so cut that they still differ."""
    cut = [label_of(name) for name in names]
    return cut if len(set(cut)) == len(cut) else labels([*map(name_of, names)], MAX_LABEL)


def head(parent: Element, name: object, at: Point) -> None:
    """The name of a column, in letters small enough for it."""
    text = label_of(name)
    write(parent, text, at, min(12, (CELL - 4) / (LETTER * max(1, len(text)))), colours.FAINT)
