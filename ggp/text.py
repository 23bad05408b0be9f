"""Text that may come from strangers, made safe for terminals and logs."""

from __future__ import annotations


def plain(text: object) -> str:
    """`text` with every character that a terminal could act on replaced by `·`.

    >>> plain("a\\x1b[31mb")
    'a·[31mb'
    """
    return "".join(c if c.isprintable() or c == "\n" else "·" for c in str(text))


def number(value: float) -> str:
    """A number with thousands separated, without a needless fraction.

    >>> number(600161), number(0.5)
    ('600,161', '0.5')
    """
    return f"{int(value):,}" if value == int(value) else f"{value:g}"


def shortened(text: str, most: int = 400) -> str:
    """`text` with its middle left out where it is longer than `most` characters.

    >>> shortened("abcdefghij", 7)
    'abc…hij'
    """
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f"{text[: most - 1 - end]}…{text[-end:]}"
