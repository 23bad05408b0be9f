"""Texts with a name, and places in them."""

from __future__ import annotations

import os
import select
import stat
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import FileIO
from pathlib import Path
from typing import Literal

from ggp.errors import InputError, LimitReached
from ggp.limits import DEFAULT, Limits

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

PATIENCE = 10.0
"""Seconds without a byte after which a pipe is given up."""

Syntax = Literal["kif", "hrf", "asp"]
"""Prefix GDL, infix GDL, and answer-set programs that GDL was translated to."""

_SYNTAX_OF: dict[str, Syntax] = {".hrf": "hrf", ".lp": "asp"}


def syntax_of(name: str | Path) -> Syntax:
    """The syntax that a file's name promises; KIF where it says nothing else."""
    return _SYNTAX_OF.get(Path(str(name).removesuffix(".jinja")).suffix.lower(), "kif")


@dataclass(frozen=True, eq=False)
class Source:
    """A text and the name that messages call it by (a path, or what the caller says).

    `notes` holds remarks on how the text was read, such as a fallback encoding. The syntax is the
    one that the name promises, unless one is `declared`. `file` is where the text was read.
    """

    name: str
    text: str
    notes: tuple[str, ...] = field(default=())
    declared: Syntax | None = None
    file: Path | None = None

    @property
    def syntax(self) -> Syntax:
        """What the text is written in."""
        return self.declared or syntax_of(self.name)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0] + [i + 1 for i, c in enumerate(self.text) if c == "\n"]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both counted from 1, of the character at `offset`."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its end."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else None].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """The characters `start` to `end` (exclusive) of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.place(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.place(self.start)[1]

    @property
    def end_line(self) -> int:
        """Line of the last character."""
        return self.source.place(max(self.start, self.end - 1))[0]

    @property
    def end_column(self) -> int:
        """Column just after the last character."""
        return self.source.place(max(self.start, self.end - 1))[1] + 1

    def __str__(self) -> str:
        line, column = self.source.place(self.start)
        return f"{self.source.name}:{line}:{column}"

    def excerpt(self, width: int = 100) -> str:
        """The line of the first character with carets under the span, cut to `width` columns."""
        line, column = self.source.place(self.start)
        shift = max(0, column - 1 - width // 2)
        first = self.start - (column - 1) + shift
        raw = self.source.text[first : first + width].split("\n", 1)[0].rstrip("\r")
        shown = "".join(c if c.isprintable() else " " for c in raw)
        last = self.end_column - 1 if self.end_line == line else shift + len(shown)
        carets = max(1, min(last, shift + width) - (column - 1))
        return f"{shown}\n{' ' * (column - 1 - shift)}{'^' * carets}"


def decode(data: bytes, name: str, limits: Limits = DEFAULT) -> Source:
    """Make a source of `data`: UTF-8, with or without a byte-order mark, else Latin-1 with a note.

    Raises `LimitReached` for too much text and `InputError` for binary data.
    """
    if len(data) > 4 * limits.characters:
        raise LimitReached("characters", limits.characters, f"{name} is larger than that")
    if b"\0" in data:
        raise InputError(f"{name}: binary data, not a rule sheet", file=name)
    try:
        text, notes = data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        text = data.decode("latin-1")
        where = data.count(b"\n", 0, error.start) + 1
        return Source(name, text, (f"not UTF-8 (line {where}): read as Latin-1",))
    return Source(name, text, notes)


def read_source(path: str | Path, limits: Limits = DEFAULT) -> Source:
    """Read the file at `path`; raises `InputError` where there is no readable file."""
    source = decode(read_bytes(path, 4 * limits.characters + 1), str(path), limits)
    return replace(source, file=Path(path))


def read_bytes(path: str | Path, most: int) -> bytes:
    """What the file at `path` begins with, at most so many bytes.

    Raises `InputError` where there is no readable file, and for a pipe that nothing is written to
    for `PATIENCE` seconds.
    """
    try:
        # A pipe that nobody has opened for writing must not hang here.
        with open(os.open(path, _FLAGS), "rb", 0) as file:
            if not stat.S_ISFIFO(os.fstat(file.fileno()).st_mode):
                return _all_of(file, most)
            return _piped(file, path, most)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: {reason}", file=path) from error


def _all_of(file: FileIO, most: int) -> bytes:
    data = bytearray()
    while len(data) < most and (piece := file.read(most - len(data))):
        data += piece
    return bytes(data)


def _piped(file: FileIO, path: str | Path, most: int) -> bytes:
    data = bytearray()
    while len(data) < most:
        ready, _, _ = select.select([file], [], [], PATIENCE)
        if not ready:
            raise InputError(f"{path}: nothing is written to this pipe", file=path)
        piece = file.read(most - len(data))
        if not piece:
            break
        data += piece
    if not data:
        raise InputError(f"{path}: nothing is written to this pipe", file=path)
    return bytes(data)
