"""Names of a sheet as they may be shown."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from ggp.text import plain, shortened


def name_of(name: object, length: int = 40) -> str:
    """A name or term of a sheet as it may be shown, cut to so many characters."""
    return plain(shortened(str(name), length)).replace("\n", "·")


def fitted(text: str, width: int) -> str:
    """A text cut to so many columns."""
    return text if cell_len(text) <= width else set_cell_size(text, width)


def labels(names: Sequence[str], width: int) -> list[str]:
    """Names cut to so many columns. Where that would make two the same, what all begin with is left
    out, but for digits; where that does not help, all but their ends.

    >>> labels(["column-9", "column-10"], 6), labels(["one", "two"], 6)
    (['9', '10'], ['one', 'two'])
    """
    first, last = min(names, default=""), max(names, default="")
    head = next((at for at, c in enumerate(first) if not last.startswith(c, at)), len(first))
    while head and first[head - 1].isdigit():
        head -= 1
    tails, ends = [name[head:] for name in names], [name[-width:] for name in names]
    for choice in (names, tails, ends):
        cut = [fitted(name, width) for name in choice]
        if all(cut) and len(set(cut)) == len(set(names)):
            return cut
    return [fitted(name, width) for name in names]
