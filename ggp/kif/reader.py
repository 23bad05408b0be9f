"""KIF text to expressions: the concrete syntax with its places in the text.

The grammar is `grammar.lark`; lark makes an LALR(1) parser of it, so neither the depth nor the
length of the input meets Python's recursion limit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken

from ggp.errors import KifSyntaxError, LimitReached
from ggp.kif.expressions import Atom, Expr, List
from ggp.kif.faults import syntax_error
from ggp.kif.recovery import recovered
from ggp.kif.source import Source
from ggp.kif.terms import Term
from ggp.limits import DEFAULT, Limits


class _Builder(Transformer[Token, list[Expr]]):
    """What lark calls at each reduction; stateless, so that all parses can share it."""

    def start(self, children: list[Expr]) -> list[Expr]:
        return children

    def atom(self, children: list[Token]) -> Atom:
        token = children[0]
        return Atom(token.value, token.start_pos or 0, token.end_pos or 0)

    def list(self, children: Sequence[Token | Expr]) -> List:
        opening, closing = children[0], children[-1]
        assert isinstance(opening, Token)
        assert isinstance(closing, Token)
        items = tuple(child for child in children if not isinstance(child, Token))
        return List(items, opening.start_pos or 0, closing.end_pos or 0)


@cache
def _parser() -> Lark:
    grammar = files("ggp.kif").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", transformer=_Builder(), maybe_placeholders=False)


def read_kif(source: Source, limits: Limits = DEFAULT) -> list[Expr]:
    """The top-level expressions of `source`, KIF, in order.

    Raises `KifSyntaxError` with file, line, column, the line with a caret and what was expected,
    and `LimitReached` for a text that is longer or nested deeper than `limits` allow.
    """
    check_size(source, limits, _NOT_NESTING)
    try:
        exprs: list[Expr] = _parser().parse(source.text)  # type: ignore[assignment]
    except (UnexpectedToken, UnexpectedCharacters):
        first = recovered(source).faults[0]
        raise syntax_error(first.span, first.message) from None
    return exprs


# A block comment begins at the start of a symbol only: `a#|` is a symbol to the parser too.
_NOT_NESTING = re.compile(r";[^\r\n]*|#\|.*?\|#|[^ \t\r\n\f();]+|[ \t\r\n\f]+", re.DOTALL)


_SYMBOL = re.compile(r"(?!#\||\?)[^ \t\r\n\f();\ud800-\udfff]+")


def is_symbol(text: str) -> bool:
    """Whether `text` can be a symbol in KIF, in which all terms are printed."""
    return bool(_SYMBOL.fullmatch(text))


def check_size(source: Source, limits: Limits, not_nesting: re.Pattern[str]) -> None:
    """Raise `LimitReached` for a text that is too long or has too many parentheses open.

    `not_nesting` matches all that is no parenthesis, comments and quoted text included.
    """
    if len(source.text) > limits.characters:
        found = f"{source.name} has {len(source.text):,}"
        raise LimitReached("characters", limits.characters, found)
    depth = deepest = 0
    for parenthesis in not_nesting.sub("", source.text):
        depth += 1 if parenthesis == "(" else -1
        deepest = max(deepest, depth)
    if deepest > limits.depth:
        raise LimitReached("depth", limits.depth, f"{source.name} is {deepest:,} parentheses deep")


def to_term(expr: Expr) -> Term:
    """The term that `expr` spells; `(f)` is `f`.

    Raises `KifSyntaxError` where a list is empty or begins with a list.
    """
    if isinstance(expr, Atom):
        return Term(expr.text)
    if not expr.items or not isinstance(expr.items[0], Atom):
        raise KifSyntaxError(f"not a term: {expr}")
    return Term(expr.items[0].text, tuple(to_term(item) for item in expr.items[1:]))


def to_expr(term: Term) -> Expr:
    """The expression that spells `term`, without a place."""
    head = Atom(term.name)
    return List((head, *map(to_expr, term.args))) if term.args else head


def read_term(text: str, name: str = "<term>", limits: Limits = DEFAULT) -> Term:
    """The one term in `text`; raises `KifSyntaxError` where there is none or more than one."""
    exprs = read_kif(Source(name, text), limits)
    if len(exprs) != 1:
        raise KifSyntaxError(f"expected one term, found {len(exprs)}: {text[:80]}")
    return to_term(exprs[0])


def read_terms(text: str, name: str = "<terms>", limits: Limits = DEFAULT) -> list[Term]:
    """All terms in `text`, in order; raises `KifSyntaxError` where one is malformed."""
    return [to_term(expr) for expr in read_kif(Source(name, text), limits)]
