"""A scene as lines of text, with the cells that can be pointed at in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.text import Text

from ggp.show.board import Scene, scene_text
from ggp.show.board.celltext import MAX_CELL
from ggp.show.board.families import Row
from ggp.show.board.lines import Style
from ggp.show.board.pieces import Mark
from ggp.show.board.scene import DrawnBoard
from ggp.show.board.text import board_lines

PROBE, MAX_PROBES = 0xF0000, 60_000
"""The first of the signs for private use that tell where cells are drawn, and their number."""

ASIDE = 2
"""How much further off a cell seems that is one line away, when the cursor goes up or down."""


@dataclass(frozen=True)
class CellPlace:
    """A cell of a board of the scene: so many columns of a line from `x` on."""

    board: int
    key: Row
    x: int
    y: int
    width: int

    @property
    def centre(self) -> float:
        """Its middle."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class TextDrawing:
    """Lines, and the places in them."""

    lines: tuple[Text, ...]
    places: tuple[CellPlace, ...] = ()

    def at(self, x: int, y: int) -> CellPlace | None:
        """The cell at a point, or beside it."""
        near = [p for p in self.places if p.y == y and p.x - 1 <= x <= p.x + p.width]
        return min(near, key=lambda p: abs(p.centre - x - 0.5), default=None)

    def beside(self, place: CellPlace, dx: int, dy: int) -> CellPlace:
        """The next cell to the left or right (`dx` -1 or 1), or above or below; itself where there
        is none."""
        if dx:
            row = [p for p in self.places if p.y == place.y and (p.x - place.x) * dx > 0]
            return min(row, key=lambda p: abs(p.x - place.x), default=place)
        rows = [p for p in self.places if (p.y - place.y) * dy > 0]
        return min(
            rows,
            key=lambda p: (abs(p.y - place.y) * ASIDE + abs(p.centre - place.centre), p.y, p.x),
            default=place,
        )

    def marked(self, styles: Iterable[tuple[CellPlace, str]]) -> Text:
        """The text with some cells in styles of their own."""
        lines = [line.copy() for line in self.lines]
        for place, style in styles:
            line = lines[place.y]
            line.stylize(style, *_span(line.plain, place))
        return Text("\n").join(lines)


def beside_others(scene: Scene, most: int, least: int, *, is_ascii: bool) -> TextDrawing:
    """A scene in no more columns than its boards take, so that other things can stand next to it;
    `least` for what is told below them, `most` at the most."""
    wide = drawing(scene, most, is_ascii=is_ascii)
    need = max([least, *(place.x + place.width + 1 for place in wide.places)])
    return drawing(scene, need, is_ascii=is_ascii) if need < most else wide


def drawing(scene: Scene, width: int, *, is_ascii: bool) -> TextDrawing:
    """A scene, but for whose turn it is, in lines no longer than `width`."""
    style = Style(max(width, 20), is_ascii)
    lines: list[Text] = []
    places: list[CellPlace] = []
    is_named = len(scene.boards) > 1
    for number, drawn in enumerate(scene.boards):
        own = board_lines(drawn, style, named=is_named)
        places += _places(number, drawn, style, own, named=is_named, top=len(lines))
        lines += own
    rest = replace(scene, boards=(), turn=None)
    if not scene.boards or rest.piles or rest.values or rest.facts:
        lines += scene_text(rest, width, ascii=is_ascii).split("\n")
    return TextDrawing(tuple(lines), tuple(places))


def _places(
    number: int, drawn: DrawnBoard, style: Style, lines: Sequence[Text], *, named: bool, top: int
) -> list[CellPlace]:
    """Where the cells of a board are drawn; none where that cannot be told.

    The board is drawn once more with a sign of its own in each cell, as wide as the widest.
    """
    keys = sorted({*drawn.board.keys, *drawn.board.points})
    if len(keys) > MAX_PROBES:
        return []
    shown = {key: _content(marks, style) for key, marks in drawn.cells.items()}
    wide = min(MAX_CELL, max(map(cell_len, shown.values()), default=1)) or 1
    signs = {key: chr(PROBE + i) * wide for i, key in enumerate(keys)}
    cells = {key: (Mark(sign, sign, sign),) for key, sign in signs.items()}
    probed = board_lines(replace(drawn, cells=cells), replace(style, ascii=False), named=named)
    found = [
        CellPlace(number, keys[sign], x, y, wide)
        for y, line in enumerate(probed)
        for sign, x in _signs(line.plain)
    ]
    if len(probed) > len(lines) or not all(_agrees(p, lines[p.y], shown, drawn) for p in found):
        return []
    return [replace(place, y=place.y + top) for place in found]


def _content(marks: Sequence[Mark], style: Style) -> str:
    return "".join(map(style.mark, marks))


def _signs(line: str) -> Iterable[tuple[int, int]]:
    """The numbers of the signs in a line, each with the column it begins at."""
    x, last = 0, -1
    for character in line:
        number = ord(character) - PROBE
        if 0 <= number < MAX_PROBES and number != last:
            yield number, x
        last = number
        x += cell_len(character)


def _agrees(place: CellPlace, line: Text, shown: dict[Row, str], drawn: DrawnBoard) -> bool:
    """Whether what is drawn of a place is there indeed."""
    content = shown.get(place.key, "")
    if not content or drawn.board.points:
        return place.x < line.cell_len
    wider = replace(place, x=max(0, place.x - 1), width=place.width + 2)
    start, end = _span(line.plain, wider)
    return content[0] in line.plain[start:end]


def _span(line: str, place: CellPlace) -> tuple[int, int]:
    """The characters of a line that a place covers."""
    x, start, end = 0, len(line), len(line)
    for i, character in enumerate(line):
        if x >= place.x and start == len(line):
            start = i
        if x >= place.x + place.width:
            end = i
            break
        x += cell_len(character)
    return start, end
