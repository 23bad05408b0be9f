"""The tokens of KIF, comments among them: what `grammar.lark` takes for one, as one expression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, cast

Kind = Literal["space", "line", "block", "open", "close", "symbol", "endless"]

_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n\f]+)"
    r"|(?P<line>;[^\r\n]*)"
    r"|(?P<block>#\|.*?\|#)"
    r"|(?P<endless>#\|.*)"
    r"|(?P<open>\()"
    r"|(?P<close>\))"
    r"|(?P<symbol>[^ \t\r\n\f();]+)",
    re.DOTALL,
)


class Token(NamedTuple):
    """A token and where it stands: the characters `start` to `end` (exclusive)."""

    kind: Kind
    text: str
    start: int
    end: int


def tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of `text`, or of a part of it; joined, their texts are that part again.

    A block comment that never ends is `endless`, and the last token.
    """
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        yield Token(cast(Kind, match.lastgroup), match.group(), match.start(), match.end())
