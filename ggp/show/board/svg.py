"""A scene as a picture: boards, piles and values one below the other, in SVG.

The elements are built as a tree, so that no name of a sheet can become markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ggp.show.board import colours
from ggp.show.board.families import Row
from ggp.show.board.pieces import Mark
from ggp.show.board.scene import Drawn, Pile, Scene
from ggp.show.board.words import labels, name_of

CELL, EDGE, GAP, LINE = 40, 12, 24, 18
"""Pixels: of a cell, of the margin, between grids, of a line of text."""

WIDTH = 640
"""Pixels beyond which grids and words go on below."""

LETTER = 0.6
"""The width of a letter as a part of its height; monospaced letters have it."""

MAX_CELLS = 4_000
"""Cells of a board; of larger ones what lies where is listed."""

MAX_STACK, MAX_LABEL, MAX_MARKS, MAX_LEGEND, MAX_LINES = 40, 8, 4, 24, 12
"""Things drawn of a pile; letters of a name beside a board; marks on a place; marks explained;
lines of facts."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A part of a picture with its size in pixels."""

    element: Element
    width: float
    height: float


def scene_svg(scene: Scene, *, width: int = WIDTH, label: str = "") -> str:
    """The picture of a scene as the text of an SVG file, about `width` pixels wide.

    `label`: what it shows, in words, as an alternative text. Each place is a group of the class
    `place`, `data-board` and `data-place` of which are the numbers of its board and of it there
    (`Board.numbers`).
    """
    boxes = list(_boxes(scene, width))
    wide = max([box.width for box in boxes] or [1]) + 2 * EDGE
    high = sum(box.height for box in boxes) + (len(boxes) - 1) * EDGE + 2 * EDGE
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {wide:g} {high:g}",
            "width": f"{wide:g}",
            "height": f"{high:g}",
            "font-family": "ui-monospace, Menlo, Consolas, monospace",
            "font-size": "13",
            "role": "img",
        },
    )
    SubElement(root, "title").text = name_of(label) if label else _told(scene)
    SubElement(root, "desc").text = described(scene)
    _add(root, "rect", width=wide, height=high, fill=colours.PAPER)
    y: float = EDGE
    for box in boxes:
        box.element.set("transform", f"translate({EDGE} {y:g})")
        root.append(box.element)
        y += box.height + EDGE
    indent(root, " ")
    return tostring(root, encoding="unicode") + "\n"


def _told(scene: Scene) -> str:
    if scene.terminal:
        return f"the end of a game, {scene.over}"
    return "a position" if scene.turn is None else f"a position, {scene.roles[scene.turn]} to move"


def described(scene: Scene) -> str:
    """What lies where, in words: the text for those who do not see the picture."""
    parts = []
    for drawn in scene.boards:
        held: dict[str, list[str]] = {}
        for key in sorted(drawn.cells, key=drawn.board.rank):
            for mark in drawn.cells[key]:
                held.setdefault(mark.title, []).append(" ".join(map(name_of, key)))
        told = [f"{title} at {', '.join(places)}" for title, places in held.items()]
        parts.append(f"{drawn.title}: {'; '.join(told) or 'empty'}")
    for name, piles in scene.piles:
        parts.append(f"{name}: {', '.join(f'{pile.name} {pile.count}' for pile in piles)}")
    parts += [f"{name} {value}" for name, value in scene.values]
    return ". ".join([*parts, *scene.facts])


def _boxes(scene: Scene, width: int) -> Iterable[Box]:
    """The parts of a picture from top to bottom."""
    if scene.turn is not None and not scene.terminal:
        yield _turn(scene.roles[scene.turn], scene.turn)
    if scene.terminal:
        yield _words([scene.over])
    for drawn in scene.boards:
        if len(scene.boards) > 1:
            yield _words([drawn.title], colours.FAINT)
        yield _board(drawn, width) if len(drawn.board.keys) <= MAX_CELLS else _listed(drawn, width)
        legend = _legend(drawn, width)
        if legend:
            yield legend
    for name, piles in scene.piles:
        yield _piles(name, piles, width)
    if scene.values:
        yield _words(wrapped([f"{name} {value}" for name, value in scene.values], width))
    if scene.facts:
        lines = wrapped(scene.facts, width)
        more = scene.omitted or len(lines) > MAX_LINES
        yield _words([*lines[:MAX_LINES], *(["and more facts"] if more else [])])


def _add(parent: Element, tag: str, /, **attributes: object) -> Element:
    """A child; `_` of a name stands for `-`."""
    written = {
        name.rstrip("_").replace("_", "-"): f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in attributes.items()
    }
    return SubElement(parent, tag, written)


def _write(
    parent: Element, text: str, at: Point, size: float = 13, colour: str = colours.INK, **more: str
) -> None:
    """A text in the middle of a point, unless it is said to start there."""
    x, y = at
    given = {"text_anchor": "middle", "dominant_baseline": "central"} | more
    _add(parent, "text", x=x, y=y, font_size=size, fill=colour, **given).text = text


def _group(width: float, height: float) -> Box:
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


def _words(lines: Sequence[str], colour: str = colours.INK) -> Box:
    wide = max(map(len, lines), default=0) * 13 * LETTER
    box = _group(wide, len(lines) * LINE)
    for number, line in enumerate(lines):
        y = number * LINE + LINE / 2
        _write(box.element, line, (0, y), 13, colour, text_anchor="start", style="white-space:pre")
    return box


def _turn(name: str, role: int) -> Box:
    box = _group(LINE + 6 + len(name) * 13 * LETTER, LINE)
    _disc(box.element, (LINE / 2, LINE / 2), LINE / 2 - 2, role)
    _write(box.element, name, (LINE + 6, LINE / 2), text_anchor="start", font_weight="bold")
    return box


HOLLOW = "○"
"""The mark of nobody's things that are drawn as a mere outline."""


def _disc(
    parent: Element, at: Point, radius: float, owner: int | None, *, hollow: bool = False
) -> None:
    """A piece: a disc with the colour of its owner, whose shape tells the owner, too."""
    is_outline = owner is None and hollow
    (x, y), shade = at, colours.PAPER if is_outline else colours.fill(owner)
    common = {"fill": shade, "stroke": colours.INK, "stroke_width": 1.5}
    sides = SHAPES[(owner or 0) // 2 % len(SHAPES)]
    if sides == 0:
        _add(parent, "circle", cx=x, cy=y, r=radius, **common)
    else:
        turn = pi / sides if sides == 4 else -pi / 2
        corners = [
            (
                x + radius * cos(turn + 2 * pi * i / sides),
                y + radius * sin(turn + 2 * pi * i / sides),
            )
            for i in range(sides)
        ]
        _add(parent, "polygon", points=_points(corners), **common)


SHAPES = (0, 4, 3, 6)
"""Corners of the pieces of two roles each; 0 is a disc."""


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _mark(parent: Element, mark: Mark, at: Point, size: float) -> None:
    """A mark in a square of a size."""
    if mark.disc:
        _disc(parent, at, size * 0.36, mark.owner, hollow=mark.text in HOLLOW)
        return
    letters = max(1, len(mark.text))
    if mark.owner is None:
        high = min(0.58, 0.86 / (letters * LETTER)) * size
        _write(parent, mark.text, at, high, colours.INK)
        return
    _disc(parent, at, size * 0.42, mark.owner)
    high = min(0.5, 0.64 / (letters * LETTER)) * size
    _write(parent, mark.text, at, high, colours.ink(mark.owner), font_weight="bold")


def _place(parent: Element, drawn: Drawn, key: Row, at: Point, outline: Sequence[Point]) -> None:
    """A place with what lies on it; its title says so in words, its attributes its numbers."""
    marks = drawn.cells.get(key, ())
    number = drawn.board.numbers[key]
    own = _add(parent, "g", class_="place", data_board=drawn.number, data_place=number)
    held = ", ".join(mark.title for mark in marks) or "empty"
    SubElement(own, "title").text = f"{' '.join(map(name_of, key))}: {held}"
    fresh = key in drawn.changed
    _add(
        own,
        "polygon",
        points=_points(outline),
        fill=colours.FRESH if fresh else colours.CELL,
        stroke=colours.INK if fresh else colours.LINE,
        stroke_width=2 if fresh else 1,
    )
    _marks(own, marks, at)


def _marks(parent: Element, marks: Sequence[Mark], at: Point) -> None:
    """One mark in the middle, up to four in quarters, the number of more."""
    if len(marks) == 1:
        _mark(parent, marks[0], at, CELL)
        return
    if len(marks) > MAX_MARKS:
        _write(parent, f"{len(marks)}…", at, CELL / 2)
        return
    for number, mark in enumerate(marks):
        dx, dy = CELL / 4 * (2 * (number % 2) - 1), CELL / 4 * (2 * (number // 2) - 1)
        dy = 0 if len(marks) == 2 else dy
        _mark(parent, mark, (at[0] + dx, at[1] + dy), CELL / 2)


def _board(drawn: Drawn, width: int) -> Box:
    if drawn.board.points:
        return _graph(drawn)
    if drawn.board.row is None:
        return _strip(drawn, width)
    return _grids(drawn, width)


def _grids(drawn: Drawn, width: int) -> Box:
    """All grids of a board, side by side where there is room."""
    board = drawn.board
    made = [_grid(drawn, grid) for grid in board.grids]
    across = len(board.axes[board.slices[1]]) if len(board.slices) == 2 else len(made)
    most = max(1, int((width + GAP) // (made[0].width + GAP)))
    across = across if across * (made[0].width + GAP) <= 2 * width else min(across, most)
    across = min(across, most) if len(board.slices) == 1 else across
    rows = -(-len(made) // across)
    step_x, step_y = made[0].width + GAP, made[0].height + GAP
    box = _group(across * step_x - GAP, rows * step_y - GAP)
    for number, own in enumerate(made):
        x, y = number % across * step_x, number // across * step_y
        own.element.set("transform", f"translate({x:g} {y:g})")
        box.element.append(own.element)
    return box


def label_of(name: object) -> str:
    """A name beside a board, cut to what there is room for."""
    text = name_of(name)
    return text if len(text) <= MAX_LABEL else text[: MAX_LABEL - 1] + "…"


def labels_of(names: Sequence[object]) -> list[str]:
    """Names beside a board, or below piles, so cut that they still differ."""
    cut = [label_of(name) for name in names]
    return cut if len(set(cut)) == len(cut) else labels([*map(name_of, names)], MAX_LABEL)


@dataclass(frozen=True)
class Frame:
    """Where the cells of a grid lie: `left` and `top` of the first centre, `step` from row to row,
    `lean` to the right with each row."""

    left: float
    top: float
    step: float
    lean: float

    def at(self, column: int, row: int) -> Point:
        """The middle of a cell."""
        return self.left + row * self.lean + column * CELL, self.top + row * self.step


def _grid(drawn: Drawn, grid: Row) -> Box:
    board = drawn.board
    rows, columns = board.rows, board.columns
    beside = labels_of(rows)
    margin = max(map(len, beside)) * 12 * LETTER + 8
    title = LINE if grid else 0
    at_top = 0 if board.upright else LINE
    step, half = (CELL * 0.75**0.5, CELL / 3**0.5) if board.lean else (CELL, CELL / 2)
    slant = (len(rows) - 1) * CELL / 2 * abs(board.lean)
    left = margin + CELL / 2 + (slant if board.lean < 0 else 0)
    frame = Frame(left, title + at_top + half, step, board.lean * CELL / 2)
    high = title + LINE + (len(rows) - 1) * step + 2 * half
    box = _group(margin + len(columns) * CELL + slant, high)
    if grid:
        at = margin, LINE / 2
        text = " ".join(map(name_of, grid))
        _write(box.element, text, at, 12, colours.FAINT, text_anchor="start")
    last = len(rows) - 1 if board.upright else 0
    level = high - LINE / 2 if board.upright else title + LINE / 2
    for x, column in enumerate(labels_of(columns)):
        _head(box.element, column, (frame.at(x, last)[0], level))
    for y, row in enumerate(rows):
        start, height = frame.at(0, y)
        at = start - CELL / 2 - 6, height
        _write(box.element, beside[y], at, 12, colours.FAINT, text_anchor="end")
        _cells(box.element, drawn, [board.key(grid, c, row) for c in columns], frame, y)
    return box


def _cells(parent: Element, drawn: Drawn, keys: Sequence[Row], frame: Frame, row: int) -> None:
    """The cells of a row; of some there may be none."""
    outline = _hexagon if drawn.board.lean else _square
    for column, key in enumerate(keys):
        if key in drawn.board.keys:
            at = frame.at(column, row)
            _place(parent, drawn, key, at, outline(at))


def _head(parent: Element, name: object, at: Point) -> None:
    """The name of a column, in letters small enough for it."""
    text = label_of(name)
    _write(parent, text, at, min(12, (CELL - 4) / (LETTER * max(1, len(text)))), colours.FAINT)


def _square(at: Point) -> list[Point]:
    (x, y), half = at, CELL / 2
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _hexagon(at: Point) -> list[Point]:
    """With two upright sides, so that those of one row touch."""
    (x, y), radius = at, CELL / 3**0.5
    turns = [pi / 6 + i * pi / 3 for i in range(6)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _strip(drawn: Drawn, width: int) -> Box:
    """A board of one row: names above contents, in as many lines as it takes."""
    names = drawn.board.columns
    across = max(1, min(len(names), width // CELL))
    rows = -(-len(names) // across)
    step = CELL + LINE + 4
    box = _group(across * CELL, rows * step)
    for number, (name, label) in enumerate(zip(names, labels_of(names), strict=True)):
        x, y = number % across * CELL + CELL / 2, number // across * step
        _head(box.element, label, (x, y + LINE / 2))
        at = (x, y + LINE + CELL / 2)
        _place(box.element, drawn, (name,), at, _square(at))
    return box


def _graph(drawn: Drawn) -> Box:
    """Places where they are, with lines between neighbours."""
    points, step = drawn.board.points, CELL * 1.5
    places = {k: (x * step + CELL / 2, y * step + CELL / 2) for k, (x, y) in points.items()}
    wide, high = (max(point[i] for point in places.values()) + CELL / 2 for i in (0, 1))
    box = _group(wide, high + LINE / 2)
    for one, other in drawn.board.edges:
        (x1, y1), (x2, y2) = places[one], places[other]
        _add(box.element, "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colours.LINE)
    texts = labels_of([key[0] for key in places])
    for (key, at), text in zip(places.items(), texts, strict=True):
        _place(box.element, drawn, key, at, _circle(at))
        _write(box.element, text, (at[0], at[1] + CELL * 0.48), 9, colours.FAINT)
    return box


def _circle(at: Point) -> list[Point]:
    turns = [i * pi / 12 for i in range(24)]
    return [(at[0] + CELL * 0.38 * cos(t), at[1] + CELL * 0.38 * sin(t)) for t in turns]


def _piles(name: str, piles: Sequence[Pile], width: int) -> Box:
    """Stacks side by side, each with its number and its name below."""
    most = max([pile.height for pile in piles if pile.height <= MAX_STACK] or [0])
    step = min(9.0, 180 / max(1, most))
    across = max(1, min(len(piles), width // (CELL + 8)))
    high = most * step + 2 * LINE + 8
    rows = -(-len(piles) // across)
    box = _group(max(across * (CELL + 8), len(name) * 13 * LETTER), LINE + rows * high)
    _write(box.element, name, (0, LINE / 2), 13, colours.FAINT, text_anchor="start")
    texts = labels_of([pile.name for pile in piles])
    for number, (pile, text) in enumerate(zip(piles, texts, strict=True)):
        x = number % across * (CELL + 8) + CELL / 2
        foot = LINE + number // across * high + most * step + 4
        box.element.append(_stack(pile, text, (x, foot), step))
    return box


def _stack(pile: Pile, label: str, foot: Point, step: float) -> Element:
    """A pile on its foot, with its name: things, or just their number where there are too many."""
    own = Element("g", {"class": "pile"})
    x, y = foot
    SubElement(own, "title").text = f"{pile.name}: {pile.count}"
    for level in range(pile.height if pile.height <= MAX_STACK else 0):
        _add(
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
    _add(own, "line", x1=x - CELL / 2, x2=x + CELL / 2, y1=y + 4, y2=y + 4, stroke=colours.INK)
    _write(own, label_of(pile.count), (x, y + 4 + LINE / 2), 13, font_weight="bold")
    _head(own, label, (x, y + 4 + LINE * 1.4))
    return own


def _legend(drawn: Drawn, width: int) -> Box | None:
    """Marks that do not say what they are, with what they mean."""
    shown = {mark for marks in drawn.cells.values() for mark in marks}
    unclear = sorted(
        (m for m in shown if m.disc or m.text != m.title), key=lambda m: (m.text, m.title)
    )[:MAX_LEGEND]
    if not unclear:
        return None
    places: list[Point] = []
    x, y = 0.0, 0.0
    for mark in unclear:
        need = 26 + len(mark.title) * 12 * LETTER + 14
        if x and x + need > width:
            x, y = 0.0, y + 22
        places.append((x, y))
        x += need
    box = _group(
        max(at[0] + 26 + len(m.title) * 12 * LETTER for at, m in zip(places, unclear, strict=True)),
        y + 22,
    )
    for (x, y), mark in zip(places, unclear, strict=True):
        _mark(box.element, mark, (x + 10, y + 11), 22)
        _write(box.element, mark.title, (x + 24, y + 11), 12, colours.FAINT, text_anchor="start")
    return box


def _listed(drawn: Drawn, width: int) -> Box:
    """What lies where, of a board with too many places."""
    parts = [
        f"{' '.join(map(name_of, key))} {' '.join(mark.title for mark in drawn.cells[key])}"
        for key in sorted(drawn.cells, key=drawn.board.rank)
    ]
    lines = wrapped(parts, width)
    return _words([*lines[:MAX_LINES], *(["and more places"] if len(lines) > MAX_LINES else [])])
