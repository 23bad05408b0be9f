"""KIF text to expressions: the concrete syntax with its places in the text.

The grammar is `grammar.lark`; lark makes an LALR(1) parser of it, so neither the depth nor the
length of the input meets Python's recursion limit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from lark import Lark, Token, Transformer, Tree, UnexpectedCharacters, UnexpectedToken

from ggp.errors import KifSyntaxError, LimitReached
from ggp.kif.faults import syntax_error
from ggp.kif.source import Source, Span
from ggp.kif.terms import Term
from ggp.limits import DEFAULT, Limits


@dataclass(frozen=True, slots=True)
class Atom:
    """A symbol or variable as it is spelled in the text; `start` and `end` are offsets."""

    text: str
    start: int = field(default=0, compare=False, repr=False)
    end: int = field(default=0, compare=False, repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class List:
    """A parenthesised list."""

    items: tuple[Atom | List, ...]
    start: int = field(default=0, compare=False, repr=False)
    end: int = field(default=0, compare=False, repr=False)

    def __str__(self) -> str:
        # Called by name, an inner list costs one frame: lists of any permitted depth have a text.
        return f"({' '.join([item.__str__() for item in self.items])})"


Expr = Atom | List


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
    except UnexpectedToken as error:
        raise _unbalanced(source, error) from None
    except UnexpectedCharacters as error:
        offset = error.pos_in_stream or 0
        span = Span(source, offset, offset + 2)
        raise syntax_error(span, "this block comment never ends; expected '|#'") from None
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


def _unbalanced(source: Source, error: UnexpectedToken) -> KifSyntaxError:
    """The only two ways in which tokens can fail: a `)` too many, or one too few."""
    if error.token.type == "RPAR":
        offset = error.token.start_pos or 0
        message = "unmatched ')': expected '(', a symbol or the end of the file"
        return syntax_error(Span(source, offset, offset + 1), message)
    stack = error.interactive_parser.parser_state.value_stack
    opened = [token.start_pos or 0 for token in stack if isinstance(token, Token)]
    outermost = Span(source, opened[0], opened[0] + 1)
    more = f" ({len(opened)} are open at the end of the file)" if len(opened) > 1 else ""
    inside = [source.place(start) for start in _starts(stack) if start > opened[0]]
    line = next((line for line, column in inside if column == 1), None)
    where = f"; perhaps before line {line}" if line else ""
    return syntax_error(
        outermost, f"unmatched '(': expected ')' before the end of the file{more}{where}"
    )


def _starts(stack: Sequence[object]) -> list[int]:
    """Offsets of everything on the parser's stack, in order."""
    found = []
    for item in stack:
        if isinstance(item, Token):
            found.append(item.start_pos or 0)
        elif isinstance(item, Atom | List):
            found.append(item.start)
        elif isinstance(item, Tree):  # the forms of a list that is still open
            found.extend(_starts(item.children))
    return found


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
