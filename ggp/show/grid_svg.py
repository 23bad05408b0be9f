"""A table over one or two axes as a picture, readable without colour: letters in cells, or where
they are too small fills of different lightness; some cells may not be known yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from xml.etree.ElementTree import Element, SubElement, tostring

from ggp.show.grid import shown
from ggp.show.outcomes import SHORT
from ggp.show.pictures import Alt, labelled, literal
from ggp.solver.sweep import Axis, Cell

WIDE, LARGEST, SMALLEST = 640, 26, 4
"""Pixels of the cells of a row together, about; of one cell at the most and at the least."""

LETTERS, TITLED = 11, 2_500
"""Pixels of a cell from which on letters are written; cells up to which each has a title."""

TICKS = 16
"""Values that are named beside an axis, about."""

EDGE, INK = "#666666", "#1c1c1c"

FILLS = {"P": "#a6a6a6", "N": "#ffffff", "=": "#cfe0f2"}
"""Of outcomes: grey where the player to move loses."""

Cells = Mapping[tuple[str, ...], Cell]


@dataclass(frozen=True)
class Look:
    """How an answer is drawn: a mark of some letters on a ground, and what it means."""

    mark: str
    fill: str
    told: str


def grid_svg(cells: Cells, axes: Sequence[Axis], what: str, title: str) -> str:
    """The picture: the last axis across, the one before it upward; `cells` by their values on the
    axes. Cells that are not there are left open."""
    across = axes[-1].values
    up = axes[-2].values if len(axes) > 1 else ("",)
    looks = looks_of(cells, what)
    size = max(SMALLEST, min(LARGEST, WIDE // max(len(across), len(up))))
    left = 10 + 7 * max((len(literal(value, 12)) for value in up), default=0)
    left += 16 if len(axes) > 1 else 0
    width, top = left + size * len(across) + 10, 8
    bottom = top + size * len(up)
    marks = list(dict.fromkeys(looks.values()))
    height = bottom + 44 + 20 * len(marks)
    wide = max(width, left + 40 + 8 * max((len(look.told) for look in marks), default=0))
    root = _root(wide, height)
    boxes, letters = _layers(root, size)
    for i, value_up in enumerate(up):
        y = bottom - size * (i + 1)
        for j, value in enumerate(across):
            at = (value_up, value) if len(axes) > 1 else (value,)
            look = looks.get(shown(cells[at], what)) if at in cells else None
            made = _cell(boxes, letters, (left + size * j, y), size, look)
            made.set("data-at", f"{i} {j}")
            if len(across) * len(up) <= TITLED:
                SubElement(made, "title").text = told_of(axes, at, look)
    _name(root, axes, (left, top, bottom), size)
    boxes, letters = _layers(root, 16)
    for k, look in enumerate(marks):
        y = bottom + 40 + 20 * k
        _cell(boxes, letters, (left, y), 16, look)
        _text(root, left + 24, y + 13, look.told)
    names = " and ".join(axis.name for axis in axes)
    counts = ", ".join(f"{look.told}: {n:,}" for look, n in _counted(cells, what, looks))
    about = f"{len(cells):,} starts over {names}; {counts}"
    return labelled(tostring(root, encoding="unicode") + "\n", Alt(title, about))


def told_of(axes: Sequence[Axis], at: Sequence[str], look: Look | None) -> str:
    """A start and its answer in words."""
    where = ", ".join(f"{axis.name} = {value}" for axis, value in zip(axes, at, strict=True))
    return literal(f"{where}: {look.told if look else 'not known'}", 200)


def looks_of(cells: Cells, what: str) -> dict[str, Look]:
    """How each of the answers in a table is drawn, by its text."""
    kinds = sorted({shown(cell, what) for cell in cells.values()})
    if what == "nim_value":
        most = max((int(kind) for kind in kinds if kind), default=0)
        kinds.sort(key=lambda kind: int(kind or -1))
        return {k: Look(k or ".", _grey(int(k or 0), most), k or "none") for k in kinds}
    found = {}
    codes = iter(ascii_uppercase)
    for number, kind in enumerate(kinds):
        if what == "outcome" or kind == "draw":
            mark = "=" if kind == "draw" else kind or "."
            told = SHORT.get(kind, kind or "none")
            found[kind] = Look(mark, FILLS.get(mark, "#f4f4f4"), told)
            continue
        mark = next(codes, "…")
        told = f"{mark}: {literal(kind, 80)}" if kind else "none"
        found[kind] = Look(mark if kind else ".", _grey(number, len(kinds)), told)
    return found


def _grey(number: int, most: int) -> str:
    """White for the first, darker for each that follows, never so dark that ink is not read."""
    light = 255 - round(105 * number / max(1, most))
    return f"#{light:02x}{light:02x}{light:02x}"


def _counted(cells: Cells, what: str, looks: Mapping[str, Look]) -> list[tuple[Look, int]]:
    texts = [shown(cell, what) for cell in cells.values()]
    return [(look, texts.count(kind)) for kind, look in list(looks.items())[:40]]


def _root(width: int, height: int) -> Element:
    own = {
        "xmlns": "http://www.w3.org/2000/svg",
        "width": str(width),
        "height": str(height),
        "viewBox": f"0 0 {width} {height}",
        "font-family": "ui-monospace, Menlo, Consolas, monospace",
        "font-size": "12",
    }
    root = Element("svg", own)
    SubElement(root, "rect", {"width": str(width), "height": str(height), "fill": "#fff"})
    return root


def _layers(root: Element, size: int) -> tuple[Element, Element]:
    """What boxes and letters of cells of a size are put in."""
    thin = "0.5" if size >= LETTERS else "0.2"
    boxes = SubElement(root, "g", {"stroke": EDGE, "stroke-width": thin})
    own = {"text-anchor": "middle", "fill": INK, "font-size": str(min(12, size - 3))}
    return boxes, SubElement(root, "g", {**own, "pointer-events": "none"})


def _cell(
    boxes: Element, letters: Element, at: tuple[int, int], size: int, look: Look | None
) -> Element:
    x, y = at
    own = {"x": f"{x}", "y": f"{y}", "width": f"{size}", "height": f"{size}"}
    own["fill"] = look.fill if look else "#ffffff"
    if look and size >= LETTERS and 6 * len(look.mark) <= size:
        low = y + size / 2 + min(12, size - 3) * 0.36
        letter = SubElement(letters, "text", {"x": f"{x + size / 2:g}", "y": f"{low:.1f}"})
        letter.text = look.mark
    return SubElement(boxes, "rect", own if look else own | {"stroke-dasharray": "1 3"})


def _text(parent: Element, x: float, y: float, text: str, anchor: str = "start") -> Element:
    own = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": anchor, "fill": INK}
    made = SubElement(parent, "text", own)
    made.text = text
    return made


def _name(root: Element, axes: Sequence[Axis], place: tuple[int, int, int], size: int) -> None:
    """The names of axes, and values beside them."""
    left, top, bottom = place
    across = axes[-1]
    longest = max(len(literal(value, 12)) for value in across.values)
    for k in _ticks(across.values, -(-(7 * longest + 6) // size)):
        value = literal(across.values[k], 12)
        _text(root, left + size * (k + 0.5), bottom + 14, value, "middle")
    _text(root, left, bottom + 30, f"{literal(across.name, 40)} →")
    if len(axes) < 2:
        return
    up = axes[-2]
    for k in _ticks(up.values, -(-13 // size)):
        y = bottom - size * (k + 0.5) + 4
        _text(root, left - 6, y, literal(up.values[k], 12), "end")
    name = _text(root, 0, 0, f"{literal(up.name, 40)} →")
    name.set("transform", f"translate(12 {max(top + 20, bottom)}) rotate(-90)")


def _ticks(values: Sequence[str], least: int) -> list[int]:
    """The places that are named: as many as there is room for, in steps of 1, 2, 5, 10 and so on;
    round numbers where all are numbers that follow each other."""
    need = max(least, -(-len(values) // (2 * TICKS)))
    step = next(s * 10**k for k in range(9) for s in (1, 2, 5) if s * 10**k >= need)
    first = int(values[0]) if values[0].isdigit() else 0
    if list(values) != [str(first + i) for i in range(len(values))]:
        first = 0
    return [i for i in range(len(values)) if (first + i) % step == 0]
