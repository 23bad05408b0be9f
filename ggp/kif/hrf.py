"""Infix GDL (HRF) to expressions: the notation of Stanford's GameMaster and of pyggp.

`legal(P,mark(M,N)) :- true(cell(M,N,b)) & true(control(P))` gives the same expressions as its KIF,
with the places of the infix text. The grammar is `hrf.lark`; as for KIF, lark makes an LALR(1)
parser of it, so that no input meets Python's recursion limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken

from ggp.errors import KifSyntaxError, LimitReached
from ggp.kif.expressions import Atom, Expr, List
from ggp.kif.faults import syntax_error, unexpected
from ggp.kif.reader import check_size, is_symbol
from ggp.kif.source import Source, Span
from ggp.limits import DEFAULT, Limits

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")


class _BadName(Exception):
    """A quoted name that is no symbol; `token` is where it stands."""

    def __init__(self, token: Atom, why: str) -> None:
        super().__init__(why)
        self.token = token


def _unescape(match: re.Match[str]) -> str:
    what = match.group(1)
    return chr(int(what[1:], 16)) if len(what) > 1 else _ESCAPES.get(what, what)


def _atom(token: Token, text: str) -> Atom:
    return Atom(text, token.start_pos or 0, token.end_pos or 0)


def _exprs(children: Iterable[Token | Expr | None]) -> tuple[Expr, ...]:
    return tuple(child for child in children if isinstance(child, Atom | List))


def _joined(name: str, parts: tuple[Expr, ...], between: Token) -> List:
    """The list `(name parts...)` that is written with an operator between its parts."""
    return List((_atom(between, name), *parts), parts[0].start, parts[-1].end)


class _HrfBuilder(Transformer[Token, list[Expr]]):
    """What lark calls at each reduction; stateless, so that all parses can share it."""

    def start(self, children: list[Expr]) -> list[Expr]:
        return children

    def rule(self, children: list[Token | Expr]) -> List:
        arrow = next(child for child in children if isinstance(child, Token))
        head, *body = _exprs(children)
        end = body[-1].end if body else arrow.end_pos or 0
        return List((_atom(arrow, "<="), head, *body), head.start, end)

    def disjunction(self, children: list[Token | Expr]) -> List:
        between = next(child for child in children if isinstance(child, Token))
        return _joined("or", _exprs(children), between)

    def conjunction(self, children: list[Token | Expr]) -> Expr:
        parts = _exprs(children)
        between = next((child for child in children if isinstance(child, Token)), None)
        return parts[0] if between is None else _joined("and", parts, between)

    def group(self, children: list[Token | Expr]) -> Expr:
        inner = self.conjunction(children[1:-1])
        opening, closing = children[0], children[-1]
        assert isinstance(opening, Token)
        assert isinstance(closing, Token)
        if isinstance(inner, Atom):
            return inner
        return List(inner.items, opening.start_pos or 0, closing.end_pos or 0)

    def unequal(self, children: Sequence[Token | Expr]) -> List:
        between = children[1]
        assert isinstance(between, Token)
        return _joined("distinct", _exprs(children), between)

    def negation(self, children: Sequence[Token | Expr]) -> List:
        sign, inner = children
        assert isinstance(sign, Token)
        assert not isinstance(inner, Token)
        return List((_atom(sign, "not"), inner), sign.start_pos or 0, inner.end)

    def compound(self, children: list[Token | Expr | None]) -> List:
        name, *arguments = _exprs(children)
        closing = children[-1]
        assert isinstance(closing, Token)
        # The empty name stands for none: ''(a(),b) is the list ((a) b), which no rule can use.
        items = arguments if name == Atom("") else [name, *arguments]
        return List(tuple(items), name.start, closing.end_pos or 0)

    def bare(self, children: list[Atom]) -> Atom:
        if not children[0].text:
            raise _BadName(children[0], "a name of no characters")
        return children[0]

    def variable(self, children: list[Token]) -> Atom:
        token = children[0]
        # A hyphen keeps the fresh variable apart from all that can be written.
        return _atom(token, f"?any-{token.start_pos}" if token == "_" else f"?{token}")

    def symbol(self, children: list[Token]) -> Atom:
        return _atom(children[0], children[0].value)

    def quoted(self, children: list[Token]) -> Atom:
        found = _atom(children[0], _ESCAPE.sub(_unescape, children[0][1:-1]))
        if found.text.startswith("?"):
            raise _BadName(found, "a quoted name cannot begin with '?'")
        if found.text and not is_symbol(found.text):
            raise _BadName(found, "a name cannot hold white space, parentheses or ';'")
        return found


@cache
def _parser() -> Lark:
    grammar = files("ggp.kif").joinpath("hrf.lark").read_text(encoding="utf-8")
    return Lark(
        grammar, parser="lalr", lexer="basic", transformer=_HrfBuilder(), maybe_placeholders=False
    )


_NOT_NESTING = re.compile(r"%[^\r\n]*|'(?:[^'\\\r\n]|\\.)*'|[^()%']+|'")


def read_hrf(source: Source, limits: Limits = DEFAULT) -> list[Expr]:
    """The clauses of `source`, infix GDL, as the expressions that KIF has for them, in order.

    Variables `P` are `?P`; each lone `_` is a variable of its own. Raises `KifSyntaxError` with
    file, line, column, the line with a caret and what was expected, and `LimitReached` for a text
    that is longer or nested deeper than `limits` allow.
    """
    check_size(source, limits, _NOT_NESTING)
    exprs = read_clauses(source)
    if (depth := _depth(exprs)) > limits.depth:
        raise LimitReached("depth", limits.depth, f"{source.name} is {depth:,} levels deep")
    return exprs


def read_clauses(source: Source) -> list[Expr]:
    """The same of a text whose size is known to be within the limits."""
    try:
        exprs: list[Expr] = _parser().parse(source.text)  # type: ignore[assignment]
    except UnexpectedToken as error:
        raise unexpected(source, error, _WORDS, _OUTSIDE) from None
    except UnexpectedCharacters as error:
        raise _no_token(source, error.pos_in_stream or 0) from None
    except _BadName as error:
        span = Span(source, error.token.start, error.token.end)
        raise syntax_error(span, f"{error}; expected a symbol of KIF") from None
    return exprs


def _depth(exprs: Iterable[Expr]) -> int:
    """The deepest nesting of lists; a group is more than one where `~`, `&` and `|` meet in it."""
    depth = 0
    level = [expr for expr in exprs if isinstance(expr, List)]
    while level:
        depth += 1
        level = [item for expr in level for item in expr.items if isinstance(item, List)]
    return depth


_WORDS = {
    "WORD": "a name",
    "QUOTED": "a name",
    "VARIABLE": "a variable",
    "LPAR": "'('",
    "TILDE": "'~'",
    "NOT": "'~'",
    "AND": "'&'",
    "COMMA": "','",
    "OR": "'|'",
    "UNEQUAL": "'!='",
    "IF": "':-'",
    "RPAR": "')'",
    "_DOT": "'.'",
    "$END": "the end of the file",
}
_OUTSIDE = frozenset({"IF", "_DOT", "$END"})


def _no_token(source: Source, offset: int) -> KifSyntaxError:
    """A character that no token begins with."""
    span = Span(source, offset, offset + 1)
    if source.text[offset] == "'":
        message = "this name never ends on its line, or has an unknown escape; expected a quote"
    else:
        shown = ascii(source.text[offset])
        message = f"unexpected {shown}: expected a name (any other than plain words in quotes)"
    return syntax_error(span, message)
