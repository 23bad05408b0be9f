"""A scene as text for terminals, of a given width, with or without Unicode."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ggp.show.board.celltext import (
    MAX_CELL,
    Ruler,
    append_cells,
    centred,
    changed_lines,
    colour,
    content_of,
    labels_of,
    marks_of,
    paint,
)
from ggp.show.board.families import Row, pick
from ggp.show.board.gridtext import grid_lines
from ggp.show.board.lines import Lines, Style, flow
from ggp.show.board.pieces import title_of
from ggp.show.board.scene import DrawnBoard, Pile, Scene
from ggp.show.board.words import labels, name_of

MAX_NAME, MAX_LEGEND, MAX_DOTS = 12, 24, 20
"""Columns of a name beside a pile; marks explained; things drawn of a pile."""

MAX_LISTED = 8
"""Lines of facts that are in no drawing."""


def scene_text(scene: Scene, width: int = 80, *, ascii: bool = False) -> Text:
    """A scene as text of lines no longer than `width` columns."""
    style = Style(max(width, 20), ascii)
    lines: Lines = []
    if scene.turn is not None and not scene.terminal:
        name = style.name(scene.roles[scene.turn])
        lines.append(Text.assemble("turn: ", (name, f"bold {colour(scene.turn)}")))
    if scene.terminal:
        lines.append(Text(style.name(scene.over), "bold"))
    for drawn in scene.boards:
        lines += board_lines(drawn, style, named=len(scene.boards) > 1)
    for name, piles in scene.piles:
        lines += _pile_lines(name, piles, style)
    lines += flow((_value(name, value, style) for name, value in scene.values), style)
    facts = [Text(style.name(fact)) for fact in scene.facts]
    if scene.omitted:
        facts.append(Text(f"and {scene.omitted:,} more", "dim"))
    listed = flow(facts, style)
    lines += listed[:MAX_LISTED]
    if len(listed) > MAX_LISTED:
        lines.append(Text(f"and {len(listed) - MAX_LISTED:,} more lines of facts", "dim"))
    for line in lines:
        style.cut(line)
    return Text("\n").join(lines or [Text("(no fact holds)")])


def _value(name: str, value: str, style: Style) -> Text:
    return Text.assemble((style.name(name), "dim"), " ", style.name(value))


def _pile_lines(name: str, piles: Sequence[Pile], style: Style) -> Lines:
    names = labels([style.name(pile.name) for pile in piles], MAX_NAME)
    margin = max(map(cell_len, names), default=0)
    dot = "o" if style.ascii else "●"
    lines = [Text(style.name(name), "dim")]
    for label, pile in zip(names, piles, strict=True):
        dots = dot * pile.height if pile.most <= min(MAX_DOTS, style.width - margin - 10) else ""
        count = style.name(pile.count)
        lines.append(
            Text.assemble(set_cell_size(label, margin), " ", dots, " " * bool(dots), count)
        )
    return lines


def board_lines(drawn: DrawnBoard, style: Style, *, named: bool) -> Lines:
    """A board, with a legend of what its marks mean."""
    lines = [Text(style.name(drawn.title), "dim")] if named else []
    if drawn.board.points:
        body = _graph(drawn, style)
    elif drawn.board.row is None:
        body = _strip(drawn, style)
    else:
        body = grid_lines(drawn, style)
    body = body or [*_listed(drawn, style), *changed_lines(drawn, style)]
    return lines + body + _crowded(drawn, style) + _legend(drawn, style)


def _crowded(drawn: DrawnBoard, style: Style) -> Lines:
    """The places that have more than there is room for."""
    keys = [key for key in drawn.cells if cell_len(marks_of(drawn, key, style)) > MAX_CELL]
    parts = []
    for key in sorted(keys, key=drawn.board.rank):
        marks = " ".join(style.mark(mark) for mark in drawn.cells[key])
        name = style.name(" ".join(map(name_of, key)))
        parts.append(Text.assemble((f"{name}: ", "dim"), (marks, paint(drawn, key))))
    lines = flow(parts, style)
    more = [Text("and more places", "dim")] if len(lines) > MAX_LISTED else []
    return lines[:MAX_LISTED] + more


def _legend(drawn: DrawnBoard, style: Style) -> Lines:
    """Marks that do not say what they are."""
    shown = {mark for marks in drawn.cells.values() for mark in marks}
    unclear = sorted(
        {(style.mark(m), m.title, m.owner) for m in shown if style.mark(m) != m.title},
        key=lambda entry: (entry[0], entry[1]),
    )
    parts = [
        Text.assemble(
            (mark, "" if owner is None else colour(owner)), (f" {style.name(title)}", "dim")
        )
        for mark, title, owner in unclear[:MAX_LEGEND]
    ]
    if len(unclear) > MAX_LEGEND:
        parts.append(Text(f"and {len(unclear) - MAX_LEGEND} more marks", "dim"))
    return flow([*parts, *_blanks(drawn, style)], style)


def _blanks(drawn: DrawnBoard, style: Style) -> list[Text]:
    """What an empty place is, where all else is of one kind and nobody's."""
    layers = drawn.board.layers
    marks = {mark for marks in drawn.cells.values() for mark in marks}
    if len(layers) > 1 or layers[0].blank is None or any(m.owner is not None for m in marks):
        return []
    title = title_of(layers[0], layers[0].blank)
    kinds = {pick(row, layers[0].content) for row in layers[0].family.known}
    entry = Text.assemble((style.blank, "dim"), (f" {style.name(title)}", "dim"))
    return [entry] if len(kinds) == 2 else []


def _strip(drawn: DrawnBoard, style: Style) -> Lines:
    """A board of one row: names above contents, in as many lines as it takes."""
    keys = [(name,) for name in drawn.board.columns]
    names = labels_of(drawn.board.columns, style)
    texts = [content_of(drawn, key, style) or style.blank for key in keys]
    wide = max(map(cell_len, [*names, *texts]))
    across = max(1, (style.width - 1) // (wide + 1))
    lines: Lines = []
    for start in range(0, len(keys), across):
        part = slice(start, start + across)
        head = Text(" " + " ".join(centred(label, wide) for label in names[part]), "dim")
        line = Text()
        append_cells(line, drawn, keys[part], Ruler(0, wide, 1), style)
        head.rstrip()
        lines += [head, line]
    return lines


def _graph(drawn: DrawnBoard, style: Style) -> Lines | None:
    """Places where they are: their contents, or else their names."""
    points = drawn.board.points
    names = dict(zip(points, labels_of([key[0] for key in points], style), strict=True))
    texts = [content_of(drawn, key, style) for key in drawn.cells]
    wide = max(map(cell_len, [*names.values(), *texts])) + 2
    room = style.width // wide
    columns = max(x for x, _ in points.values())
    scale = min(1.0, (room - 1) / columns) if columns else 1.0
    taken: dict[tuple[int, int], Row] = {}
    for key, (x, y) in sorted(points.items(), key=lambda item: (item[1][1], item[1][0])):
        spot = (round(2 * x * scale), round(y))
        while any((spot[0] + d, spot[1]) in taken for d in (-1, 0, 1)):
            spot = (spot[0] + 1, spot[1])
        taken[spot] = key
    if (max(x for x, _ in taken) * wide) // 2 + wide > style.width:
        return None
    lines: Lines = []
    for y in range(max(y for _, y in taken) + 1):
        line = Text()
        for x, key in sorted((x, key) for (x, own), key in taken.items() if own == y):
            line.append(" " * (x * wide // 2 - line.cell_len))
            text = content_of(drawn, key, style)
            changed = key in drawn.changed
            text = f"[{text or names[key]}]" if changed else f" {text or names[key]} "
            line.append(centred(text, wide), paint(drawn, key))
        line.rstrip()
        lines.append(line)
    return lines


def _listed(drawn: DrawnBoard, style: Style) -> Lines:
    """The places that have something, for boards that nothing else has room for."""
    parts = []
    for key in sorted(drawn.cells, key=drawn.board.rank):
        name = style.name(" ".join(map(name_of, key)))
        parts.append(
            Text.assemble((name, "dim"), " ", (content_of(drawn, key, style), paint(drawn, key)))
        )
    return flow(parts, style)
