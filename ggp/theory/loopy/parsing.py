"""Text to loopy games: the notation of CGSuite, with names of games within themselves.

The grammar is `values.lark`; it holds that of short games. Sums and short games are found while the
text is being read; braces that a game may stand within are put together when they are closed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from ggp.theory.loopy import value as values
from ggp.theory.loopy.graph import GraphDraft
from ggp.theory.loopy.value import Value
from ggp.theory.short import NotationError, ShortGame
from ggp.theory.short.parsing import (
    MOST_CHARACTERS,
    explained,
    integer,
    number_up_star_of,
    outermost,
    place,
)

CONSTANT = re.compile(r"(-?\d+(?:/\d+)?)?([a-z]+|..on.)((?:[*∗]\d*)?)")
SIGNS = {"^[on]": "upon", "v[on]": "downon", "^<on>": "power", "v<on>": "downpower"}


@dataclass(eq=False)
class _Braces:
    """A game still to be put together, which may stand within itself by its name."""

    left: list[_Part]
    right: list[_Part]
    name: str = ""


@dataclass
class _Side:
    """Options, or slashes and options that make one option."""

    parts: list[_Part]


_Part = Value | _Braces | Token
"""An option: a game, or one still to be put together, or the name of one around it."""


def parse(text: str) -> Value:
    """The game that a text says. Raises NotationError."""
    if len(text) > MOST_CHARACTERS:
        raise NotationError(f"more than {MOST_CHARACTERS:,} characters", 1, MOST_CHARACTERS + 1)
    try:
        return _grammar().parse(text)  # type: ignore[return-value]
    except UnexpectedInput as error:
        raise explained(error, text) from None


@cache
def _grammar() -> Lark:
    grammar = Path(__file__).with_name("values.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", transformer=_LoopyGames())


class _LoopyGames(Transformer[Token, Value]):
    """Makes games while the text is being read, so that nothing is walked afterwards."""

    def start(self, found: list[_Part]) -> Value:
        return _closed(found[0])

    def sided(self, found: list[_Part]) -> Value:
        first, sign, second = found
        assert isinstance(sign, Token)
        try:
            return values.of_sides(_closed(first), _closed(second))
        except NotationError:
            raise
        except ValueError as error:
            raise NotationError(str(error), *place(sign)) from None

    def add(self, pair: list[_Part]) -> Value:
        return values.add(*map(_closed, pair))

    def subtract(self, pair: list[_Part]) -> Value:
        first, second = map(_closed, pair)
        return values.add(first, values.negate(second))

    def negate(self, found: list[_Part]) -> Value:
        return values.negate(_closed(found[0]))

    def multiple(self, found: tuple[Token, _Part]) -> Value:
        count, game = found
        return values.multiple(integer(count, count.rstrip(".· \t\r\n")), _closed(game))

    def switch(self, found: list[_Part]) -> Value:
        games = [_closed(part) for part in found]
        return values.made(games, [values.negate(game) for game in games])

    def tiny(self, found: list[_Part]) -> Value:
        return values.tiny(_closed(found[0]))

    def miny(self, found: list[_Part]) -> Value:
        return values.negate(self.tiny(found))

    def value(self, found: list[Token]) -> Value:
        return _short(found[0])

    def loopy(self, found: list[Token]) -> Value:
        (token,) = found
        parts = CONSTANT.fullmatch(token)
        assert parts is not None
        number, sign, star = parts.groups()
        sign = sign.replace("↑", "^").replace("↓", "v")
        game = values.constant(SIGNS.get(sign, sign))
        for written in filter(None, (number, star)):
            part = _short(Token.new_borrow_pos("VALUE", written, token))
            game = values.add(game, part)
        return game

    def name(self, found: list[Token]) -> Token:
        return found[0]

    def side(self, found: list[_Part]) -> _Side:
        return _Side(list(found))

    def braces(self, found: list[_Side | Token]) -> _Part:
        return _nested(found)

    def named(self, found: list[_Side | Token]) -> _Part:
        token, *inside = found
        assert isinstance(token, Token)
        if token == "pass":
            raise NotationError("'pass' has no place here", *place(token))
        made = _nested(inside)
        if isinstance(made, _Braces):
            made.name = str(token)
        return made


def _short(token: Token) -> Value:
    return Value(ShortGame._of(number_up_star_of(token)))


def _nested(found: list[_Side | Token]) -> _Part:
    """The game of sides with slashes between; a short one is found at once."""
    left, right = (_options(side) for side in outermost(found))
    if all(isinstance(part, Value) and part.short is not None for part in (*left, *right)):
        return values.made(*([p for p in s if isinstance(p, Value)] for s in (left, right)))
    return _Braces(left, right)


def _options(found: list[_Side | Token]) -> list[_Part]:
    if len(found) > 1:
        return [_nested(found)]
    (side,) = found
    assert isinstance(side, _Side)
    return side.parts


def _closed(part: _Part) -> Value:
    """The game of a part that stands in no braces, put together."""
    if isinstance(part, Value):
        return part
    if isinstance(part, Token):
        raise _unnamed(part)
    draft, names = GraphDraft(), dict[str, list[int]]()
    start = draft.add()
    todo: list[tuple[_Braces, int] | str] = [(part, start)]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            names[item].pop()
            continue
        braces, here = item
        if braces.name:
            names.setdefault(braces.name, []).append(here)
            todo.append(braces.name)
        for side, options in (draft.left, braces.left), (draft.right, braces.right):
            for option in options:
                if isinstance(option, Value):
                    side[here].append(values.entered(draft, option))
                elif isinstance(option, Token):
                    side[here].append(here if option == "pass" else _named(option, names))
                else:
                    side[here].append(draft.add())
                    todo.append((option, side[here][-1]))
    return values.of_graph(draft.settled(start))


def _named(token: Token, names: dict[str, list[int]]) -> int:
    if not names.get(token):
        raise _unnamed(token)
    return names[token][-1]


def _unnamed(token: Token) -> NotationError:
    return NotationError(f"'{str(token)[:20]}' names no game around it", *place(token))
