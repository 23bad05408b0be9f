"""What a parser says of text that it cannot read: the place, the line, and what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lark import Token, UnexpectedToken

from ggp.errors import KifSyntaxError
from ggp.kif.source import Source, Span


def syntax_error(span: Span, message: str) -> KifSyntaxError:
    """The error at `span`, its line shown with a caret under the place."""
    return KifSyntaxError(f"{span}: {message}\n{span.excerpt()}", span)


def unexpected(
    source: Source, error: UnexpectedToken, words: Mapping[str, str], outside: frozenset[str]
) -> KifSyntaxError:
    """The error of a token that the grammar has no place for.

    `words` says what to call each terminal, in the order to list them; those in `outside` cannot
    stand in parentheses (lark's sets of expected terminals do not tell).
    """
    opened = _open(error.interactive_parser.parser_state.value_stack)
    if error.token.type == "$END" and opened:
        span = Span(source, opened[0].start_pos or 0, opened[0].end_pos or 0)
        return syntax_error(span, "unmatched '(': expected ')' before the end of the file")
    start, end = error.token.start_pos or 0, error.token.end_pos or 0
    found = f"'{error.token[:40]}'"
    if error.token.type == "$END":
        found, end = "end of the file", len(source.text.rstrip())
        start = max(0, end - 1)
    possible = error.expected - (outside if opened else {"RPAR"})
    message = f"unexpected {found}: expected {_listed(possible, words)}"
    if opened:
        line, column = source.place(opened[-1].start_pos or 0)
        message += f" (the '(' of line {line}, column {column} is open)"
    return syntax_error(Span(source, start, end), message)


def _open(stack: Sequence[object]) -> list[Token]:
    """The opening parentheses on a parser's stack whose closing ones have not come yet."""
    found: list[Token] = []
    for item in stack:
        if isinstance(item, Token) and item.type == "LPAR":
            found.append(item)
        elif isinstance(item, Token) and item.type == "RPAR":
            found.pop()
    return found


def _listed(terminals: set[str], words: Mapping[str, str]) -> str:
    *most, last = dict.fromkeys(word for name, word in words.items() if name in terminals)
    return f"{', '.join(most)} or {last}" if most else last
