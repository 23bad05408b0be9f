"""Reading on after a syntax error in infix GDL: at the next clause.

A clause ends at its dot, or where a line begins in the first column and goes on with nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ggp.errors import KifSyntaxError, LimitReached
from ggp.kif.expressions import Atom, Expr, List
from ggp.kif.hrf import read_clauses
from ggp.kif.recovery import Forms, TextFault
from ggp.kif.source import Source, Span

MOST = 200
"""Faults of one text, after which no more of it is read."""

_TOKEN = re.compile(
    r"(?P<skip>%[^\r\n]*|[ \t\r\f]+|\n)"
    r"|(?P<name>'(?:[^'\\\r\n]|\\.)*'|[A-Za-z0-9_]+|-[0-9]+)"
    r"|(?P<between>:-|!=|[(,&|~])"
    r"|(?P<dot>\.)"
    r"|(?P<other>.)",
    re.DOTALL,
)

_CONTINUING = re.compile(r":-|!=|[),&|]")
"""What no clause begins with."""


def recovered_infix(source: Source, first: KifSyntaxError) -> Forms:
    """What can be read of a text in infix GDL whose `first` syntax error is known: its clauses one
    by one."""
    found = Forms([], [], [])
    for start, end in _clauses(source.text):
        try:
            found.forms.extend(_shifted(e, start) for e in _read(source, start, end))
        except KifSyntaxError as error:
            found.broken.append(_names(source.text, start, end))
            found.faults.append(_fault(source, error, start, end))
        if len(found.faults) == MOST:
            found.broken.append(_names(source.text, end, len(source.text)))
            break
    if not found.faults:  # Parts of what is no text of clauses may be some.
        found.faults.append(_fault(source, first, 0, len(source.text)))
    return found


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Where the clauses of a text begin and end, as far as a look at its tokens tells."""
    start, last = None, ""
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "skip":
            continue
        at = token.start()
        is_first = at == 0 or text[at - 1] == "\n"
        begins = is_first and last != "between" and not _CONTINUING.match(text, at)
        if start is not None and begins:
            yield start, at
            start = None
        if start is None:
            start = at
        last = token.lastgroup or ""
        if last == "dot":
            yield start, token.end()
            start, last = None, ""
    if start is not None:
        yield start, len(text)


def _read(source: Source, start: int, end: int) -> list[Expr]:
    """The expressions of a clause, placed as if nothing stood before it."""
    part = Source(source.name, source.text[start:end], declared="hrf")
    try:
        return read_clauses(part)
    except LimitReached as error:
        raise KifSyntaxError(str(error), Span(part, 0, 1)) from None


def _shifted(expr: Expr, by: int) -> Expr:
    """An expression of a clause where it stands in the whole text. No recursion: it may be deep."""
    order, todo = [], [expr]
    while todo:
        part = todo.pop()
        order.append(part)
        todo.extend(part.items if isinstance(part, List) else ())
    made: dict[int, Expr] = {}
    for part in reversed(order):
        start, end = part.start + by, part.end + by
        if isinstance(part, Atom):
            made[id(part)] = Atom(part.text, start, end)
        else:
            made[id(part)] = List(tuple(made[id(item)] for item in part.items), start, end)
    return made[id(expr)]


def _fault(source: Source, error: KifSyntaxError, start: int, end: int) -> TextFault:
    """The fault of a clause, in the words of its error and at its place in the whole text."""
    place = error.span if isinstance(error.span, Span) else Span(source, 0, 1)
    message = str(error).splitlines()[0].removeprefix(f"{place}: ")
    if source.text[end:].strip():
        line = source.place(end + len(source.text[end:]) - len(source.text[end:].lstrip()))[0]
        message = message.replace("the end of the file", f"the clause of line {line}")
        message = message.replace("end of the file", f"clause of line {line}")
    shift = source.place(start)[0] - 1
    message = _LINE.sub(lambda found: f"of line {int(found.group(1)) + shift}, column", message)
    return TextFault("syntax", Span(source, place.start + start, place.end + start), message)


_LINE = re.compile(r"of line (\d+), column")
"""Where a parenthesis that is open stands, as `unexpected` says it."""


def _names(text: str, start: int, end: int) -> List:
    """The names in a clause that cannot be read, as a list of atoms."""
    found = [token for token in _TOKEN.finditer(text, start, end) if token.lastgroup == "name"]
    atoms = (Atom(token.group().strip("'"), token.start(), token.end()) for token in found)
    return List(tuple(atoms), start, end)
