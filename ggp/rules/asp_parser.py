"""The rules of an answer-set program as they are written; `asp.lark` is the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken

from ggp.kif import Atom, Expr, List, Source, Span, syntax_error, unexpected


@dataclass(frozen=True)
class Negation:
    """An atom that must not hold."""

    atom: Expr
    sign: Atom


@dataclass(frozen=True)
class Unequal:
    """Two terms, or two lists of terms, that differ."""

    left: tuple[Expr, ...]
    right: tuple[Expr, ...]
    sign: Atom


Literal = Expr | Negation | Unequal


@dataclass(frozen=True)
class AspRule:
    """A head and the parts of its body; `sign` is the arrow between."""

    head: Expr
    body: tuple[Literal, ...]
    sign: Atom


def _atom(token: Token, text: str) -> Atom:
    return Atom(text, token.start_pos or 0, token.end_pos or 0)


class _AspBuilder(Transformer[Token, list[AspRule]]):
    """What lark calls at each reduction; stateless, so that all parses can share it."""

    def start(self, children: list[AspRule]) -> list[AspRule]:
        return children

    def rule(self, children: list[Token | Literal]) -> AspRule:
        head, *body = (child for child in children if not isinstance(child, Token))
        assert isinstance(head, Atom | List)
        sign = next((_atom(c, "<=") for c in children if isinstance(c, Token)), Atom("<="))
        return AspRule(head, tuple(body), sign)

    def negation(self, children: tuple[Token, Expr]) -> Negation:
        return Negation(children[1], _atom(children[0], "not"))

    def unequal(self, children: tuple[Expr, Token, Expr]) -> Unequal:
        left, sign, right = children
        return Unequal((left,), (right,), _atom(sign, "distinct"))

    def all_unequal(self, children: tuple[tuple[Expr, ...], Token, tuple[Expr, ...]]) -> Unequal:
        left, sign, right = children
        return Unequal(left, right, _atom(sign, "distinct"))

    def terms(self, children: list[Token | Expr]) -> tuple[Expr, ...]:
        return tuple(child for child in children if not isinstance(child, Token))

    def symbol(self, children: list[Token]) -> Atom:
        return _atom(children[0], children[0].value)

    def variable(self, children: list[Token]) -> Atom:
        return _atom(children[0], f"?{children[0]}")

    def compound(self, children: list[Token | Expr]) -> List:
        name, closing = children[0], children[-1]
        assert isinstance(name, Token)
        assert isinstance(closing, Token)
        items = (_atom(name, name.value), *self.terms(children))
        return List(items, name.start_pos or 0, closing.end_pos or 0)


@cache
def _parser() -> Lark:
    grammar = files("ggp.rules").joinpath("asp.lark").read_text(encoding="utf-8")
    return Lark(
        grammar, parser="lalr", lexer="basic", transformer=_AspBuilder(), maybe_placeholders=False
    )


_WORDS = {
    "WORD": "a name",
    "NUMBER": "a number",
    "VARIABLE": "a variable",
    "LPAR": "'('",
    "NOT": "'not'",
    "COMMA": "','",
    "UNEQUAL": "'!='",
    "IF": "':-'",
    "RPAR": "')'",
    "_DOT": "'.'",
    "$END": "the end of the file",
}
_OUTSIDE = frozenset({"IF", "_DOT", "$END"})


def parse_asp(source: Source, text: str) -> list[AspRule]:
    """The rules in `text`, which is that of `source` with what is no rule made blank.

    A variable `X` is the atom `?X`, the next time `?T+1`. Raises `KifSyntaxError` with file, line,
    column and the line with a caret.
    """
    try:
        rules: list[AspRule] = _parser().parse(text)  # type: ignore[assignment]
    except UnexpectedToken as error:
        raise unexpected(source, error, _WORDS, _OUTSIDE) from None
    except UnexpectedCharacters as error:
        offset = error.pos_in_stream or 0
        message = f"unexpected {text[offset]!a}: expected a rule such as 'ggp convert' writes"
        raise syntax_error(Span(source, offset, offset + 1), message) from None
    return rules
