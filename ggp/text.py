"""Text that may come from strangers, made safe for terminals and logs."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

MAX_BITS = 2_000
"""Of numerators and denominators that are written out."""


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


def fraction(value: Fraction) -> str:
    """An exact number, as a decimal of 30 digits where it would have more than some 600.

    >>> fraction(Fraction(1, 3)), fraction(Fraction(1, 3**2000))[:9]
    ('1/3', '≈ 5.72124')
    """
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS:
        return str(value)
    with localcontext() as context:
        context.prec = 30
        return f"≈ {Decimal(value.numerator) / Decimal(value.denominator)}"


def numbers_first(text: str) -> tuple[bool, int, str]:
    """A key to sort by: numbers in their order, then other texts.

    >>> sorted(["b", "10", "a", "9"], key=numbers_first)
    ['9', '10', 'a', 'b']
    """
    return not text.isdecimal(), len(text) if text.isdecimal() else 0, text


def shortened(text: str, most: int = 400) -> str:
    """`text` with its middle left out where it is longer than `most` characters.

    >>> shortened("abcdefghij", 7)
    'abc…hij'
    """
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f"{text[: most - 1 - end]}…{text[-end:]}"
