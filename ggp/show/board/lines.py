"""Lines of text: their style and width, and how parts flow into them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from ggp.show.board.pieces import Mark

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


def flow(parts: Iterable[Text], style: Style) -> Lines:
    """Parts as by `flowing`, each cut to the width."""
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
