"""Piles in a picture: stacks of things with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from ggp.show.board import colours
from ggp.show.board.picture.canvas import (
    CELL,
    LETTER,
    LINE,
    Box,
    Point,
    add,
    group,
    head,
    label_of,
    labels_of,
    write,
)
from ggp.show.board.scene import Pile

MAX_STACK = 40
"""Things drawn of a pile."""


def piles_box(name: str, piles: Sequence[Pile], width: int) -> Box:
    """Stacks side by side, each with its number and its name below."""
    most = max([pile.height for pile in piles if pile.height <= MAX_STACK] or [0])
    step = min(9.0, 180 / max(1, most))
    across = max(1, min(len(piles), width // (CELL + 8)))
    high = most * step + 2 * LINE + 8
    rows = -(-len(piles) // across)
    box = group(max(across * (CELL + 8), len(name) * 13 * LETTER), LINE + rows * high)
    write(box.element, name, (0, LINE / 2), 13, colours.FAINT, text_anchor="start")
    texts = labels_of([pile.name for pile in piles])
    for number, (pile, text) in enumerate(zip(piles, texts, strict=True)):
        x = number % across * (CELL + 8) + CELL / 2
        foot = LINE + number // across * high + most * step + 4
        box.element.append(_stack(pile, text, (x, foot), step, max(CELL / 2, most * step)))
    return box


def _stack(pile: Pile, label: str, foot: Point, step: float, room: float) -> Element:
    """A pile on its foot, with its name: things, or just their number where there are too many."""
    numbers = {"data-board": str(pile.ground), "data-place": str(pile.place)}
    own = Element("g", {"class": "place pile", **numbers})
    x, y = foot
    SubElement(own, "title").text = f"{pile.name}: {pile.count}"
    # Where it is clicked; all piles as high as there is room, so that small ones can be hit.
    left, right, high, low = x - CELL / 2, x + CELL / 2, y - room, y + 4
    corners = f"{left:g},{high:g} {right:g},{high:g} {right:g},{low:g} {left:g},{low:g}"
    add(own, "polygon", points=corners, fill=colours.PAPER)
    for level in range(pile.height if pile.height <= MAX_STACK else 0):
        add(
            own,
            "rect",
            x=x - CELL * 0.36,
            y=y - step * level - step * 0.55,
            width=CELL * 0.72,
            height=step * 0.9,
            rx=step / 2.2,
            fill=colours.FILLS[0],
            stroke=colours.INK,
        )
    add(own, "line", x1=x - CELL / 2, x2=x + CELL / 2, y1=y + 4, y2=y + 4, stroke=colours.INK)
    write(own, label_of(pile.count), (x, y + 4 + LINE / 2), 13, font_weight="bold")
    head(own, label, (x, y + 4 + LINE * 1.4))
    return own
