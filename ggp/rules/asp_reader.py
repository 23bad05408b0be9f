"""Answer-set programs back to the rules of a game; only those that `asp.py` writes are read.

The lines that all such programs share are recognised as they stand; the rest is parsed, and the
time is taken out of its atoms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from ggp.errors import KifSyntaxError
from ggp.kif import Atom, Expr, List, Source, Span, check_size, is_symbol, syntax_error
from ggp.limits import DEFAULT, Limits
from ggp.rules.asp import FRAME, RESERVED, TIMED_KEYWORDS, TIMELESS_KEYWORDS
from ggp.rules.asp_parser import AspRule, Literal, Negation, Unequal, parse_asp
from ggp.rules.rule import Signature

_TIME, _NEXT_TIME = Atom("?T"), Atom("?T+1")
_TIMED = frozenset({("holds", 2), *((name, size + 1) for name, size in TIMED_KEYWORDS.items())})
_KEYWORDS = _TIMED.union(TIMELESS_KEYWORDS.items())
_NAME = re.compile(r'% ([a-z][A-Za-z0-9_]*) = (".*")')
_SETTING = re.compile(r"#const horizon=[0-9]+\.|#defined [a-z][A-Za-z0-9_]*/[0-9]+\.")


_NOT_NESTING = re.compile(r"%[^\r\n]*|[^()%]+")


def read_asp(source: Source, limits: Limits = DEFAULT) -> list[Expr]:
    """The clauses of the game that `source` encodes, as expressions with their places in it.

    Raises `KifSyntaxError` with file, line, column and the line with a caret where the program is
    not of the form that `write_asp` gives, and `LimitReached` as the other readers do.
    """
    check_size(source, limits, _NOT_NESTING)
    names, text = _split(source)
    rules = parse_asp(source, text)
    program = _Program(source, names, rules)
    return [program.clause(rule) for rule in rules]


def _split(source: Source) -> tuple[dict[str, str], str]:
    """What the generated names stand for, and the text with all but the rules made blank."""
    names: dict[str, str] = {}
    lines = []
    missing = dict.fromkeys(FRAME)
    offset = 0
    for line in source.text.split("\n"):
        shown = line.rstrip("\r")
        if shown in missing or _SETTING.fullmatch(shown):
            missing.pop(shown, None)
            line = " " * len(line)
        elif match := _NAME.fullmatch(shown):
            span = Span(source, offset, offset + len(shown))
            names[match.group(1)] = _symbol(match.group(2), span)
        lines.append(line)
        offset += len(lines[-1]) + 1
    for line in missing:
        message = f"no program that 'ggp convert' wrote: expected a line '{line}'"
        raise syntax_error(Span(source, 0, 1), message)
    return names, "\n".join(lines)


def _symbol(text: str, span: Span) -> str:
    """The symbol that the JSON of a comment spells."""
    try:
        found = json.loads(text)
    except ValueError:
        found = ""
    if not is_symbol(found):
        raise syntax_error(span, "expected a symbol of KIF as a JSON string after '='")
    return str(found)


class _Program:
    """Takes the time out of the rules of one program."""

    def __init__(self, source: Source, names: dict[str, str], rules: Iterable[AspRule]) -> None:
        self.source = source
        self.names = names
        heads = (_relation(rule.head) for rule in rules if _last(rule.head) == _TIME)
        self.timed = _TIMED.union(heads)

    def _fault(self, expr: Expr, message: str) -> KifSyntaxError:
        return syntax_error(Span(self.source, expr.start, expr.end), message)

    def clause(self, rule: AspRule) -> Expr:
        """The fact or rule of the game."""
        head, time = self._head(rule.head)
        body = [literal for part in rule.body for literal in self._literal(part, time)]
        if not body:
            return head
        return List((rule.sign, head, *body), head.start, body[-1].end)

    def _head(self, expr: Expr) -> tuple[Expr, Atom]:
        """The head without its time, and the time that its body has."""
        if _relation(expr) != ("holds", 2):
            time = _TIME if _relation(expr) in self.timed else Atom("0")
            if _relation(expr) == ("does", 3):
                raise self._fault(expr, "moves are chosen: expected no rule for does")
            return self._relation_atom(expr, time), time
        assert isinstance(expr, List)
        name, fluent, when = expr.items
        if when not in (_NEXT_TIME, Atom("0")):
            raise self._fault(when, "expected 0 or T+1, the time that a fluent begins to hold")
        word, time = ("next", _TIME) if when == _NEXT_TIME else ("init", Atom("0"))
        head = Atom(word, name.start, name.end)
        return List((head, self._term(fluent)), expr.start, expr.end), time

    def _literal(self, literal: Literal, time: Atom) -> Iterator[Expr]:
        """The literals of GDL that one of the program is; none where it only tells the time."""
        if isinstance(literal, Negation):
            atom = self._relation_atom(literal.atom, time)
            yield List((literal.sign, atom), literal.sign.start, atom.end)
        elif isinstance(literal, Unequal):
            yield self._unequal(literal)
        elif _relation(literal) == ("time", 1):
            if _last(literal) not in (time, _NEXT_TIME):
                raise self._fault(literal, "expected time(T) or time(T+1)")
        else:
            yield self._relation_atom(literal, time)

    def _unequal(self, literal: Unequal) -> Expr:
        start, end, sign = literal.left[0].start, literal.right[-1].end, literal.sign
        if len(literal.left) != len(literal.right):
            raise self._fault(sign, "expected as many terms on either side")
        pairs = zip(map(self._term, literal.left), map(self._term, literal.right), strict=True)
        parts = [List((sign, left, right), start, end) for left, right in pairs]
        if len(parts) == 1:
            return parts[0]
        return List((Atom("or", sign.start, sign.end), *parts), start, end)

    def _relation_atom(self, expr: Expr, time: Atom) -> Expr:
        """An atom of GDL from one of the program, its time checked and taken out."""
        name, size = _relation(expr)
        if expr == _TIME or name.startswith("?") or name[:1].isdigit():
            raise self._fault(expr, "expected a relation")
        if name in RESERVED and (name, size) not in _KEYWORDS:
            raise self._fault(expr, f"{name}/{size} is no relation of such a program; expected one")
        items = expr.items if isinstance(expr, List) else (expr,)
        if (name, size) in self.timed:
            if items[-1] != time:
                raise self._fault(items[-1], f"expected the time {str(time).lstrip('?')}")
            items = items[:-1]
        symbol = "true" if name == "holds" else self.names.get(name, name)
        head = Atom(symbol, items[0].start, items[0].end)
        if len(items) == 1:
            return Atom(symbol, expr.start, expr.end)
        return List((head, *map(self._term, items[1:])), expr.start, expr.end)

    def _term(self, expr: Expr) -> Expr:
        """A term with the names of the sheet."""
        if isinstance(expr, List):
            return List(tuple(map(self._term, expr.items)), expr.start, expr.end)
        if expr in (_TIME, _NEXT_TIME):
            raise self._fault(expr, f"{expr.text[1:]} is the time; expected a term of the game")
        return Atom(self.names.get(expr.text, expr.text), expr.start, expr.end)


def _relation(expr: Expr) -> Signature:
    """The predicate of an atom and its number of arguments."""
    if isinstance(expr, Atom):
        return expr.text, 0
    return str(expr.items[0]), len(expr.items) - 1


def _last(expr: Expr) -> Expr:
    return expr.items[-1] if isinstance(expr, List) else expr
