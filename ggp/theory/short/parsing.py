"""Text to games: the notation of CGSuite, with sums and multiples.

The grammar is `values.lark`. Where an operand is expected, `-1^` is the number −1 plus up, as it is
printed; `-(1^)` is the negative of a game. Slashes nest: `{2||1|0}` is `{2|{1|0}}`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TypeVar

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from ggp.theory.short import sums
from ggp.theory.short.canonical import canonical
from ggp.theory.short.table import ZERO, number_up_star

MOST_CHARACTERS = 1_000_000
MOST_SLASHES = 50

PARTS = re.compile(
    r"(?P<number>-?\d+(?:/\d+)?)?(?P<ups>[\^↑v↓⇑⇓]*)(?P<count>\d*)([*∗](?P<star>\d*))?"
)

Side = list[int]
T = TypeVar("T")


class NotationError(ValueError):
    """What is no game in this notation. `line` and `column` (from 1) say where it fails."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{line}:{column}: {message}")
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[NotationError], tuple[str, int, int]]:
        message = str(self).split(": ", 1)[1]
        return type(self), (message, self.line, self.column)


def parse(text: str) -> int:
    """The game of the table that a text says. Raises NotationError."""
    if len(text) > MOST_CHARACTERS:
        raise NotationError(f"more than {MOST_CHARACTERS:,} characters", 1, MOST_CHARACTERS + 1)
    try:
        return int(_grammar().parse(text))  # type: ignore[call-overload, no-any-return]
    except UnexpectedInput as error:
        raise explained(error, text) from None


def explained(error: UnexpectedInput, text: str) -> NotationError:
    """What the grammar did not expect, as a `NotationError`."""
    if isinstance(error, UnexpectedCharacters):
        return NotationError(f"{error.char!r} has no place here", error.line, error.column)
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return NotationError(f"{str(error.token)[:20]!r} has no place here", *place(error.token))
    lines = text.split("\n")
    return NotationError("the text ends within a game", len(lines), len(lines[-1]) + 1)


def place(token: Token) -> tuple[int, int]:
    """Line and column of a token."""
    return token.line or 1, token.column or 1


@cache
def _grammar() -> Lark:
    grammar = Path(__file__).with_name("values.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", transformer=_Games())


class _Games(Transformer[Token, int]):
    """Makes games while the text is being read, so that nothing is walked afterwards."""

    def start(self, found: Side) -> int:
        return found[0]

    def add(self, pair: Side) -> int:
        return sums.add(*pair)

    def subtract(self, pair: Side) -> int:
        return sums.subtract(*pair)

    def negate(self, found: Side) -> int:
        return sums.negate(found[0])

    def multiple(self, found: tuple[Token, int]) -> int:
        count, game = found
        return sums.multiple(integer(count, count.rstrip(".· \t\r\n")), game)

    def switch(self, found: Side) -> int:
        return canonical(found, [sums.negate(game) for game in found])

    def tiny(self, found: Side) -> int:
        return tiny(found[0])

    def miny(self, found: Side) -> int:
        return sums.negate(tiny(found[0]))

    def value(self, found: list[Token]) -> int:
        return number_up_star_of(found[0])

    def side(self, found: Side) -> Side:
        return list(found)

    def braces(self, found: list[Side | Token]) -> int:
        return _nested(found)


def number_up_star_of(token: Token) -> int:
    """The game of a number, ups or downs and a nimber. Raises NotationError."""
    parts = PARTS.fullmatch(token)
    assert parts is not None
    number = fraction(token, parts["number"] or "0")
    arrows = parts["ups"]
    ups = len(arrows) * (2 if arrows in ("⇑", "⇓") else 1)
    ups = integer(token, parts["count"]) if parts["count"] else ups
    star = parts["star"]
    nimber = 0 if star is None else integer(token, star) if star else 1
    try:
        return number_up_star(number, -ups if arrows[:1] in ("v", "↓", "⇓") else ups, nimber)
    except ValueError as error:
        raise NotationError(str(error), *place(token)) from None


def tiny(game: int) -> int:
    """{ 0 || 0 | −G }."""
    return canonical([ZERO], [canonical([ZERO], [sums.negate(game)])])


def _nested(found: list[Side | Token]) -> int:
    """The game of sides with slashes between."""
    left, right = outermost(found)
    return canonical(_side(left), _side(right))


def outermost(found: list[T | Token]) -> tuple[list[T | Token], list[T | Token]]:
    """What is left and right of the most slashes, which divide the outermost game."""
    slashes = [(len(item), n) for n, item in enumerate(found) if isinstance(item, Token)]
    most = max(slashes)[0]
    first, *others = (n for count, n in slashes if count == most)
    if others or most > MOST_SLASHES:
        token = found[(others or [first])[0]]
        assert isinstance(token, Token)
        what = "a second time; more slashes divide an outer game" if others else "too many slashes"
        raise NotationError(f"{str(token)[:60]!r}: {what}", *place(token))
    return found[:first], found[first + 1 :]


def _side(found: list[Side | Token]) -> Side:
    if len(found) > 1:
        return [_nested(found)]
    (games,) = found
    assert not isinstance(games, Token)
    return games


def integer(token: Token, digits: str) -> int:
    """An integer of a token. Raises NotationError if it is too long."""
    try:
        return int(digits)
    except ValueError:
        raise NotationError("a number has too many digits", *place(token)) from None


def fraction(token: Token, written: str) -> int | Fraction:
    """A number of a token. Raises NotationError."""
    numerator, _, denominator = written.partition("/")
    if not denominator:
        return integer(token, numerator)
    if not int(denominator.strip("0") or "0"):
        raise NotationError("a denominator is zero", *place(token))
    return Fraction(integer(token, numerator), integer(token, denominator))
