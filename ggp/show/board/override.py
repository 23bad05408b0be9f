"""What a file beside a sheet says of how its boards are drawn: names, glyphs, which way up.

`NAME.board.toml` beside `NAME.kif` (or `NAME.kif.jinja`, `NAME.hrf`). All of it may be left out:

    [names]                  # roles, relations and contents, as they are to be called
    xplayer = "crosses"
    [glyphs]                 # contents, as they are to be drawn: up to three columns
    x = "×"
    [boards.cell]            # the board that shows the fluents of this relation
    columns = 1              # the argument of the fluent that names columns
    rows = 2                 # and the one that names rows
    flip = ["rows"]          # turned round: "rows", "columns" or both
    blank = "b"              # the content that is drawn as none; "" for no such content
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from ggp.errors import InputError
from ggp.kif import Source, read_bytes
from ggp.show.board.families import Row
from ggp.show.board.model import Board, BoardLayer
from ggp.show.board.pieces import MAX_TITLE, Content, Mark, contents_of
from ggp.text import plain, shortened

SUFFIX, MOST_BYTES = ".board.toml", 100_000
ENDINGS = (".jinja", ".kif", ".hrf")

GLYPH = 3
"""Columns of a glyph."""

SIDES = ("columns", "rows")


@dataclass(frozen=True)
class BoardOverride:
    """What is said of one board; `columns` and `rows` are arguments of a fluent, from 1."""

    columns: int | None = None
    rows: int | None = None
    flip: tuple[str, ...] = ()
    blank: str | None = None


@dataclass(frozen=True)
class Override:
    """What is said of a game."""

    names: Mapping[str, str] = field(default_factory=dict)
    glyphs: Mapping[str, str] = field(default_factory=dict)
    boards: Mapping[str, BoardOverride] = field(default_factory=dict)

    def of(self, board: Board) -> BoardOverride:
        """What is said of a board, by the relation of any of its layers."""
        found = (self.boards.get(layer.family.relation[0]) for layer in board.layers)
        return next((own for own in found if own), BoardOverride())


def override_file(sheet: Path) -> Path:
    """The file that may stand beside a sheet."""
    name = sheet.name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return sheet.with_name(name + SUFFIX)


def override_of(source: Source) -> Override:
    """What the file beside a sheet says; nothing where there is none, or no sheet is a file.

    Raises `InputError` for a file that cannot be read, or says what means nothing.
    """
    file = override_file(source.file) if source.file else None
    if file is None or not file.is_file():
        return Override()
    data = read_bytes(file, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(f"{file}: longer than {MOST_BYTES:,} bytes", file=file)
    try:
        return _override(tomllib.loads(data.decode("utf-8")))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, ValueError) as error:
        raise InputError(f"{file}: {error}", file=file) from None
    except RecursionError:
        raise InputError(f"{file}: nested too deep", file=file) from None


def _override(told: dict[str, Any]) -> Override:
    _only(told, ("names", "glyphs", "boards"), "the file")
    boards = _table(told, "boards")
    return Override(
        _texts(_table(told, "names"), "names"),
        {key: _glyph(key, text) for key, text in _texts(_table(told, "glyphs"), "glyphs").items()},
        {key: _board(key, own) for key, own in boards.items()},
    )


def _only(told: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in told:
        if key not in known:
            raise ValueError(f"{where} has {key}, expected {', '.join(known)}")


def _table(told: Mapping[str, Any], key: str) -> dict[str, Any]:
    own = told.get(key, {})
    if not isinstance(own, dict):
        raise ValueError(f"{key} is no table")
    return own


def _texts(told: Mapping[str, Any], where: str) -> dict[str, str]:
    for key, text in told.items():
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"{where}.{key} is no text")
    return {key: plain(shortened(text, MAX_TITLE)).replace("\n", "·") for key, text in told.items()}


def _glyph(key: str, text: str) -> str:
    if not 0 < cell_len(text) <= GLYPH:
        raise ValueError(f"glyphs.{key} is not 1 to {GLYPH} columns wide")
    if text.strip("·.") == "":
        raise ValueError(f"glyphs.{key} looks like an empty place")
    return text


def _board(name: str, told: object) -> BoardOverride:
    if not isinstance(told, dict):
        raise ValueError(f"boards.{name} is no table")
    where = f"boards.{name}"
    _only(told, (*SIDES, "flip", "blank"), where)
    for side in SIDES:
        number = told.get(side)
        if number is not None and (type(number) is not int or number < 1):
            raise ValueError(f"{where}.{side} is no number of an argument")
    flip = told.get("flip", [])
    if not isinstance(flip, list) or any(side not in SIDES for side in flip):
        raise ValueError(f"{where}.flip is no list of {' or '.join(SIDES)}")
    blank = told.get("blank")
    if blank is not None and not isinstance(blank, str):
        raise ValueError(f"{where}.blank is no text")
    return BoardOverride(told.get("columns"), told.get("rows"), tuple(flip), blank)


# -- what it changes -----------------------------------------------------------------------------


@contextmanager
def naming(source: Source) -> Iterator[None]:
    """Errors within name the file beside the sheet."""
    try:
        yield
    except InputError as error:
        file = override_file(source.file) if source.file else None
        raise InputError(f"{file}: {error}", file=file) from None


def word_of(layer: BoardLayer, content: Row) -> str:
    """A content as the file names it; a mere mark has the name of its relation."""
    return " ".join(map(str, content)) or layer.family.relation[0]


def blanked(layer: BoardLayer, told: BoardOverride) -> BoardLayer:
    """A layer with the blank that is asked for."""
    if told.blank is None:
        return layer
    found = [own for own in contents_of(layer) if own and " ".join(map(str, own)) == told.blank]
    return replace(layer, blank=found[0] if found else None)


def held(board: Board, told: BoardOverride) -> Board:
    """A board the way it is asked for; raises `InputError` for arguments that are none of it."""
    columns, rows = (_axis(board, number) for number in (told.columns, told.rows))
    if columns is None and rows is not None and rows == board.column:
        columns = board.row
    if rows is None and columns is not None and columns == board.row:
        rows = board.column
    column = board.column if columns is None else columns
    row = board.row if rows is None else rows
    if column == row or {column, row} & set(board.slices):
        what = board.layers[0].family.relation[0]
        raise InputError(f"boards.{what}: columns and rows are not two sides of the board")
    axes = list(board.axes)
    for side in told.flip:
        axis = column if side == "columns" else row
        if axis is not None:
            axes[axis] = axes[axis][::-1]
    return replace(board, column=column, row=row, axes=tuple(axes))


def _axis(board: Board, number: int | None) -> int | None:
    """The axis that an argument of a fluent names."""
    if number is None:
        return None
    layer = board.layers[0]
    if number - 1 not in layer.places:
        what = layer.family.relation[0]
        raise InputError(f"boards.{what}: argument {number} names no place")
    return layer.places.index(number - 1)


def marked(
    marks: Mapping[Content, Mark], layers: Sequence[BoardLayer], told: Override
) -> dict[Content, Mark]:
    """Marks with the glyphs and the names that are asked for."""
    found = {}
    for (at, content), mark in marks.items():
        word = word_of(layers[at], content)
        glyph = told.glyphs.get(word)
        if glyph is not None:
            letters = glyph if glyph.isascii() else mark.ascii
            mark = replace(mark, text=glyph, ascii=letters, disc=False)
        found[at, content] = replace(mark, title=told.names.get(word, mark.title))
    return found
