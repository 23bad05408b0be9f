"""Places as editors count them: lines and columns from 0, columns in units of an encoding."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_END = re.compile(r"\r\n|\n|\r")

_LONGER: dict[Encoding, tuple[int, ...]] = {
    "utf-8": (0x80, 0x800, 0x10000),
    "utf-16": (0x10000,),
    "utf-32": (),
}
"""The characters from which on one takes one unit more, and another, and another."""


class Lines:
    """The lines of a text, which end as the protocol says: with \\n, \\r\\n or \\r."""

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self.text = text
        ends = list(_END.finditer(text))
        self._starts = [0, *(match.end() for match in ends)]
        self._ends = [*(match.start() for match in ends), len(text)]
        longer = _LONGER[encoding] if not text.isascii() else ()
        least = chr(longer[0]) if longer else ""
        self._long = [i for i, c in enumerate(text) if c >= least] if longer else []
        extra = (bisect_right(longer, ord(text[i])) for i in self._long)
        self._extra = [0, *accumulate(extra)]

    def _units(self, offset: int) -> int:
        """Units of all characters before one."""
        return offset + self._extra[bisect_left(self._long, offset)]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at `offset`; of one in a line's end, that end."""
        line = bisect_right(self._starts, max(0, offset)) - 1
        last = min(offset, self._ends[line])
        return line, self._units(last) - self._units(self._starts[line])

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; what lies beyond a line, or the text, is the end of it."""
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[line], self._ends[line]
        wanted = self._units(start) + column
        return start + bisect_left(range(start, end), wanted, key=self._units)
