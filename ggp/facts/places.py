"""Where in a TOML text its keys are.

Libraries that read TOML do not say; `tomllib` does the reading, and what follows relies on it: the
text is TOML without a fault.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

Path = tuple[str | int, ...]
"""Keys, and numbers in arrays, that lead to a value."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:[^"\\]|\\.)*"|' r"'[^']*'", re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}#\r\n]+")
_DOT = re.compile(r"[ \t]*(\.?)[ \t]*")


@dataclass(frozen=True)
class TomlEntry:
    """A key with its value, or the header of a table, from `start` to `end` (exclusive).

    `table`: the table under whose header a key stands; None for a header itself, and for what is
    inside of an inline table.
    """

    path: Path
    start: int
    end: int
    table: Path | None


def entries(text: str) -> list[TomlEntry]:
    """All keys and headers of a TOML text, in the order of the text; a dotted key is one entry.

    Raises `RecursionError` for values that are nested too deeply.
    """
    scan = _Scan(text)
    scan.document()
    return sorted(scan.found, key=lambda entry: entry.start)


def starts(found: list[TomlEntry]) -> dict[Path, int]:
    """Where each path of entries is first spoken of."""
    places: dict[Path, int] = {}
    for entry in found:
        for length in range(1, len(entry.path) + 1):
            places.setdefault(entry.path[:length], entry.start)
    return places


class _Scan:
    """One way through a text; `at` is the character that comes next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: list[TomlEntry] = []
        self._counts: dict[Path, int] = {}

    def document(self) -> None:
        """Everything."""
        table: Path = ()
        self._skip()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table, table)
            self._skip()

    def _skip(self) -> None:
        self._match(_BLANK)

    def _match(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise ValueError(f"not TOML at character {self.at}")
        self.at = match.end()
        return match.group()

    def _header(self) -> Path:
        """The table that a header opens."""
        start = self.at
        is_array = self.text.startswith("[[", start)
        self.at += 2 if is_array else 1
        self._match(_BLANK)
        names = self._key()
        self.at = self.text.index("]", self.at) + (2 if is_array else 1)
        path: Path = ()
        for name in names[:-1]:
            path = self._latest((*path, name))
        path = (*path, names[-1])
        if is_array:
            number = self._counts.get(path, 0)
            self._counts[path] = number + 1
            path = (*path, number)
        self.found.append(TomlEntry(path, start, self.at, None))
        return path

    def _latest(self, path: Path) -> Path:
        """A table, or the last one of an array of tables."""
        return (*path, self._counts[path] - 1) if path in self._counts else path

    def _key(self) -> list[str]:
        """The parts of a key that may be dotted."""
        names = []
        while True:
            quoted = self.text[self.at] in "\"'"
            word = self._match(_STRING if quoted else _BARE)
            names.append(next(iter(tomllib.loads(f"{word}=0"))) if quoted else word)
            if "." not in self._match(_DOT):
                return names

    def _pair(self, path: Path, table: Path | None) -> None:
        """A key, and its value."""
        start = self.at
        path = (*path, *self._key())
        self.at = self.text.index("=", self.at) + 1
        self._value(path)
        self.found.append(TomlEntry(path, start, self.at, table))

    def _value(self, path: Path) -> None:
        self._skip()
        first = self.text[self.at]
        if first in "\"'":
            self._match(_STRING)
        elif first == "[":
            self._array(path)
        elif first == "{":
            self._inline(path)
        else:
            word = self._match(_SCALAR)
            self.at -= len(word) - len(word.rstrip())

    def _array(self, path: Path) -> None:
        number = 0
        while not self._closes("]"):
            self._value((*path, number))
            number += 1

    def _inline(self, path: Path) -> None:
        while not self._closes("}"):
            self._pair(path, None)

    def _closes(self, bracket: str) -> bool:
        """Step over the bracket that opens, or a comma; whether the one that closes comes next."""
        if self.text[self.at] in "[{,":
            self.at += 1
        self._skip()
        if self.text[self.at] == ",":
            self.at += 1
            self._skip()
        if self.text[self.at] == bracket:
            self.at += 1
            return True
        return False
