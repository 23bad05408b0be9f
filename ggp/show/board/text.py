"""A scene as text for terminals, of a given width, with or without Unicode."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ggp.kif import Term
from ggp.show.board.families import Row, pick
from ggp.show.board.pieces import Mark, title_of
from ggp.show.board.scene import Drawn, Pile, Scene
from ggp.show.board.words import fitted, labels, name_of

COLOURS = ("cyan", "red", "green", "magenta", "yellow", "blue", "bright_white", "bright_green")
"""Of roles, in order."""

MAX_CELL, MAX_LABEL, MAX_NAME, MAX_LEGEND, MAX_DOTS = 3, 6, 12, 24, 20
"""Columns of cell marks, of a name beside a board and of one beside a pile; marks explained; things
drawn of a pile."""

MAX_LISTED = 8
"""Lines of facts that are in no drawing."""

GAP = 3
"""Columns between two grids."""

Lines = list[Text]


@dataclass(frozen=True)
class Style:
    """How text is written: its width, and whether in ASCII alone."""

    width: int = 80
    ascii: bool = False

    def name(self, text: str) -> str:
        """A name as it is written."""
        return "".join(c if c.isascii() else "?" for c in text) if self.ascii else text

    def mark(self, mark: Mark) -> str:
        """A mark as it is written."""
        return self.name(mark.ascii if self.ascii else mark.text)

    def cut(self, line: Text) -> None:
        """Leave out of a line what there is no room for."""
        line.truncate(self.width, overflow="crop" if self.ascii else "ellipsis")

    @property
    def blank(self) -> str:
        """An empty place."""
        return "." if self.ascii else "·"


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
    lines += _flow((_value(name, value, style) for name, value in scene.values), style)
    facts = [Text(style.name(fact)) for fact in scene.facts]
    if scene.omitted:
        facts.append(Text(f"and {scene.omitted:,} more", "dim"))
    listed = _flow(facts, style)
    lines += listed[:MAX_LISTED]
    if len(listed) > MAX_LISTED:
        lines.append(Text(f"and {len(listed) - MAX_LISTED:,} more lines of facts", "dim"))
    for line in lines:
        style.cut(line)
    return Text("\n").join(lines or [Text("(no fact holds)")])


def colour(role: int) -> str:
    """The colour of a role."""
    return COLOURS[role % len(COLOURS)]


def _value(name: str, value: str, style: Style) -> Text:
    return Text.assemble((style.name(name), "dim"), " ", style.name(value))


def _flow(parts: Iterable[Text], style: Style) -> Lines:
    whole = list(parts)
    for part in whole:
        style.cut(part)
    return flowing(whole, style.width)


def flowing(parts: Iterable[Text], width: int) -> Lines:
    """Parts one after the other, as many in a line as there is room for."""
    lines: Lines = []
    for part in parts:
        if lines and lines[-1].cell_len + 2 + part.cell_len <= width:
            lines[-1].append("  ").append_text(part)
        else:
            lines.append(part.copy())
    return lines


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


def board_lines(drawn: Drawn, style: Style, *, named: bool) -> Lines:
    """A board, with a legend of what its marks mean."""
    lines = [Text(style.name(drawn.title), "dim")] if named else []
    if drawn.board.points:
        body = _graph(drawn, style)
    elif drawn.board.row is None:
        body = _strip(drawn, style)
    else:
        body = _grids(drawn, style)
    body = body or [*_listed(drawn, style), *_changed(drawn, style)]
    return lines + body + _crowded(drawn, style) + _legend(drawn, style)


def _content(drawn: Drawn, key: Row, style: Style) -> str:
    return fitted(_all(drawn, key, style), MAX_CELL)


def _all(drawn: Drawn, key: Row, style: Style) -> str:
    return "".join(style.mark(mark) for mark in drawn.cells.get(key, ()))


def _crowded(drawn: Drawn, style: Style) -> Lines:
    """The places that have more than there is room for."""
    keys = [key for key in drawn.cells if cell_len(_all(drawn, key, style)) > MAX_CELL]
    parts = []
    for key in sorted(keys, key=drawn.board.rank):
        marks = " ".join(style.mark(mark) for mark in drawn.cells[key])
        name = style.name(" ".join(map(name_of, key)))
        parts.append(Text.assemble((f"{name}: ", "dim"), (marks, _paint(drawn, key))))
    lines = _flow(parts, style)
    more = [Text("and more places", "dim")] if len(lines) > MAX_LISTED else []
    return lines[:MAX_LISTED] + more


def _changed(drawn: Drawn, style: Style) -> Lines:
    """The names of what the last move changed, where there is no room for brackets."""
    keys = sorted(drawn.changed, key=drawn.board.rank)
    names = [Text(f"[{style.name(' '.join(map(name_of, key)))}]") for key in keys[:MAX_LEGEND]]
    if len(keys) > MAX_LEGEND:
        names.append(Text(f"and {len(keys) - MAX_LEGEND} more", "dim"))
    return _flow([Text("changed", "dim"), *names], style) if names else []


def _paint(drawn: Drawn, key: Row) -> str:
    marks = drawn.cells.get(key, ())
    owner = next((mark.owner for mark in marks if mark.owner is not None), None)
    return "dim" if not marks else "bold" if owner is None else f"bold {colour(owner)}"


def _legend(drawn: Drawn, style: Style) -> Lines:
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
    return _flow([*parts, *_blanks(drawn, style)], style)


def _blanks(drawn: Drawn, style: Style) -> list[Text]:
    """What an empty place is, where all else is of one kind and nobody's."""
    layers = drawn.board.layers
    marks = {mark for marks in drawn.cells.values() for mark in marks}
    if len(layers) > 1 or layers[0].blank is None or any(m.owner is not None for m in marks):
        return []
    title = title_of(layers[0], layers[0].blank)
    kinds = {pick(row, layers[0].content) for row in layers[0].family.known}
    entry = Text.assemble((style.blank, "dim"), (f" {style.name(title)}", "dim"))
    return [entry] if len(kinds) == 2 else []


def _grids(drawn: Drawn, style: Style) -> Lines | None:
    """All grids of a board, side by side where there is room; None where one is too wide."""
    board = drawn.board
    texts = {_content(drawn, key, style) for key in drawn.cells}
    inner = max(map(cell_len, texts), default=1) or 1
    heads = _heads(board.columns, style)
    wanted = max(map(cell_len, heads))
    margin = max(map(cell_len, _labels(board.rows, style))) + 1
    slant = (len(board.rows) - 1) * abs(board.lean)
    for wide, gap in ((max(inner, min(wanted, MAX_CELL)), 1), (inner, 1), (inner, 0)):
        wide += (wide + gap) % 2 if board.lean else 0
        need = margin + (wide + gap) * len(heads) + gap + slant * (wide + gap) // 2
        if need <= style.width:
            blocks = [_grid(drawn, grid, Ruler(margin, wide, gap), style) for grid in board.grids]
            lines = _arranged(blocks, need, style, _across(drawn))
            return lines if gap else [*lines, *_changed(drawn, style)]
    return None


def _across(drawn: Drawn) -> int:
    """How many grids are in one row, 0 for any number."""
    slices = drawn.board.slices
    return len(drawn.board.axes[slices[1]]) if len(slices) == 2 else 0


def _labels(names: Sequence[Term], style: Style) -> list[str]:
    """The names beside rows."""
    return labels([style.name(name_of(name)) for name in names], MAX_LABEL)


def _heads(names: Sequence[Term], style: Style) -> list[str]:
    """The names of columns, which are as wide as marks; numbers are written downwards later."""
    whole = [style.name(name_of(name)) for name in names]
    most = MAX_LABEL if all(name.isdecimal() for name in whole) else MAX_CELL
    return labels(whole, most)


@dataclass(frozen=True)
class Ruler:
    """Columns of the names of rows, of a cell, and between cells."""

    margin: int
    cell: int
    gap: int


def _grid(drawn: Drawn, grid: Row, ruler: Ruler, style: Style) -> Lines:
    board = drawn.board
    lines = []
    rows = board.rows
    half = (ruler.cell + ruler.gap) // 2
    shift = 0 if board.lean >= 0 else (len(rows) - 1) * half
    for number, (row, label) in enumerate(zip(rows, _labels(rows, style), strict=True)):
        line = Text(set_cell_size(label, ruler.margin), "dim")
        line.append(" " * (shift + board.lean * number * half))
        _append_cells(line, drawn, [board.key(grid, c, row) for c in board.columns], ruler, style)
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
            line.append(_centred(label, ruler.cell) + " " * ruler.gap)
        line.rstrip()
        lines.append(line)
    return lines


def _parts(label: str, width: int) -> list[str]:
    """A name in parts of a width: its last digits, those before them, and so on."""
    if not (label.isascii() and label.isdecimal()):
        return [fitted(label, width)]
    ends = range(len(label), 0, -width)
    return [label[max(0, end - width) : end] for end in ends]


def _append_cells(
    line: Text, drawn: Drawn, keys: Sequence[Row], ruler: Ruler, style: Style
) -> None:
    """The cells of a row; what the last move changed is in brackets."""
    places = drawn.board.keys
    for number, key in enumerate(keys):
        before = number > 0 and keys[number - 1] in drawn.changed
        after = key in drawn.changed
        mark = "|" if before and after else "[" if after else "]" if before else " "
        line.append(mark * ruler.gap, "dim")
        text = _content(drawn, key, style)
        if not text and key in places:
            text = style.blank
        line.append(_centred(text, ruler.cell), _paint(drawn, key))
    if keys and keys[-1] in drawn.changed:
        line.append("]" * ruler.gap, "dim")
    line.rstrip()


def _centred(text: str, width: int) -> str:
    room = width - cell_len(text)
    return " " * (room - room // 2) + text + " " * (room // 2)


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


def _strip(drawn: Drawn, style: Style) -> Lines:
    """A board of one row: names above contents, in as many lines as it takes."""
    keys = [(name,) for name in drawn.board.columns]
    names = _labels(drawn.board.columns, style)
    texts = [_content(drawn, key, style) or style.blank for key in keys]
    wide = max(map(cell_len, [*names, *texts]))
    across = max(1, (style.width - 1) // (wide + 1))
    lines: Lines = []
    for start in range(0, len(keys), across):
        part = slice(start, start + across)
        head = Text(" " + " ".join(_centred(label, wide) for label in names[part]), "dim")
        line = Text()
        _append_cells(line, drawn, keys[part], Ruler(0, wide, 1), style)
        head.rstrip()
        lines += [head, line]
    return lines


def _graph(drawn: Drawn, style: Style) -> Lines | None:
    """Places where they are: their contents, or else their names."""
    points = drawn.board.points
    names = dict(zip(points, _labels([key[0] for key in points], style), strict=True))
    texts = [_content(drawn, key, style) for key in drawn.cells]
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
            text = _content(drawn, key, style)
            changed = key in drawn.changed
            text = f"[{text or names[key]}]" if changed else f" {text or names[key]} "
            line.append(_centred(text, wide), _paint(drawn, key))
        line.rstrip()
        lines.append(line)
    return lines


def _listed(drawn: Drawn, style: Style) -> Lines:
    """The places that have something, for boards that nothing else has room for."""
    parts = []
    for key in sorted(drawn.cells, key=drawn.board.rank):
        name = style.name(" ".join(map(name_of, key)))
        parts.append(
            Text.assemble((name, "dim"), " ", (_content(drawn, key, style), _paint(drawn, key)))
        )
    return _flow(parts, style)
