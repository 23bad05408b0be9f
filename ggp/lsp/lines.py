"""Places as editors count them: lines and columns from 0, columns in units of an encoding."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_END = re.compile(r"\r\n|\n|\r")

_WIDTH: dict[Encoding, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-32": len,
}


class Lines:
    """The lines of a text, which end as the protocol says: with \\n, \\r\\n or \\r."""

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self.text = text
        self._width = _WIDTH[encoding]
        ends = list(_END.finditer(text))
        self._starts = [0, *(match.end() for match in ends)]
        self._ends = [*(match.start() for match in ends), len(text)]

    @property
    def end(self) -> tuple[int, int]:
        """Where the text ends."""
        return self.place(len(self.text))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at `offset`; of one in a line's end, that end."""
        line = bisect_right(self._starts, max(0, offset)) - 1
        last = min(offset, self._ends[line])
        return line, self._width(self.text[self._starts[line] : last])

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; what lies beyond a line, or the text, is the end of it."""
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[line], self._ends[line]
        if self.text.isascii():
            return min(start + column, end)
        at, units = start, 0
        while at < end and units < column:
            units += self._width(self.text[at])
            at += 1
        return at
