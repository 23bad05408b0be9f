"""Which rule sheets the arguments of a command stand for: files, folders, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence

from ggp.errors import GgpError, InputError
from ggp.kif import Source, decode, find_source
from ggp.limits import DEFAULT, Limits
from ggp.shipped import SUFFIXES

STDIN = "-"

CALLED = "<stdin>"
"""How messages call standard input."""

ENDINGS = (*SUFFIXES, ".hrf")
"""Of the names of sheets, templates among them."""

MOST_BYTES = 4 * DEFAULT.characters + 1


def sheets_of(files: Iterable[str], endings: Collection[str] = ENDINGS) -> list[str]:
    """The files, and in place of folders the sheets in them (names with one of `endings`), none
    twice, in order; what is hidden and links are passed over in folders."""
    found: dict[str, str] = {}
    for file in files:
        for name in _within(file, tuple(endings)) if os.path.isdir(file) else [file]:
            found.setdefault(name if name == STDIN else os.path.realpath(name), name)
    return list(found.values())


def _within(folder: str, endings: tuple[str, ...]) -> Iterator[str]:
    """The sheets in a folder, in order; a folder in it that cannot be read is in their place."""
    found = []
    walk = os.walk(folder, onerror=lambda error: found.append(str(error.filename)))
    for place, folders, names in walk:
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = [os.path.join(place, name) for name in names if not name.startswith(".")]
        found += [path for path in paths if path.endswith(endings) and not os.path.islink(path)]
    yield from sorted(found)


def read_stdin() -> bytes:
    """What standard input holds, as far as a sheet may be long."""
    if sys.stdin is None:
        raise InputError(f"{CALLED}: there is no standard input", file=STDIN)
    data: bytes = sys.stdin.buffer.read(MOST_BYTES)
    return data


def read_input() -> Source:
    """Standard input as a sheet in KIF."""
    return decode(read_stdin(), CALLED)


Read = tuple[str, Source | GgpError]
"""A file, and what is read of it or why it cannot be read."""


class SheetReadings:
    """Files with what is read of each, or why it cannot be read: one after the other, as they are
    asked for; `stdin`: whether - is standard input. Templates are not rendered."""

    def __init__(
        self, files: Sequence[str], limits: Limits = DEFAULT, *, stdin: bool = False
    ) -> None:
        self._files, self._limits, self._stdin = files, limits, stdin

    def __len__(self) -> int:
        return len(self._files)

    def __iter__(self) -> Iterator[Read]:
        for file in self._files:
            yield file, self._read(file)

    def _read(self, file: str) -> Source | GgpError:
        try:
            is_input = self._stdin and file == STDIN
            return read_input() if is_input else find_source(file, self._limits)[0]
        except GgpError as error:
            return error
