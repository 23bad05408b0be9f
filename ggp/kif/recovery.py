"""Reading on after a syntax error: every unmatched parenthesis of a text, and the forms around it.

A text whose parentheses do not match is cut where its author means forms to end: at a parenthesis
in the first column. Within a form the indentation tells which parenthesis was to be closed: a line
that begins no further to the right than an open parenthesis which begins a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ggp.kif.expressions import Atom, Expr, List
from ggp.kif.source import Source, Span
from ggp.kif.tokens import Token, tokens

Kind = Literal["unmatched-open", "unmatched-close", "open-comment", "syntax"]


@dataclass(frozen=True)
class TextFault:
    """Where a text is no text of its syntax.

    `edits` (start, end, text) would mend it, `fix` says in words what they do; `related` is a place
    that has to do with it, and why.
    """

    kind: Kind
    span: Span
    message: str
    hint: str = ""
    fix: str = ""
    edits: tuple[tuple[int, int, str], ...] = ()
    related: tuple[tuple[Span, str], ...] = ()


@dataclass(frozen=True)
class Forms:
    """The top-level forms that can be read, those that cannot (as far as they go), and the faults.

    Forms and broken forms are in the order of the text.
    """

    forms: list[Expr]
    broken: list[Expr]
    faults: list[TextFault]


def recovered(source: Source) -> Forms:
    """What can be read of a text in KIF whose parentheses do not match, or with a comment that
    never ends; of any other text, its forms."""
    return _Recovery(source).read()


class _Recovery:
    """One reading of a text that is known to be faulty."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found = Forms([], [], [])
        self.first_column: list[int] = []
        self.tokens = list(self._scan())
        self.partner = _partners(self.tokens)

    def read(self) -> Forms:
        """The forms of the text, and its faults."""
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind == "close":
                at = self._stray(at)
            elif token.kind == "open" and at not in self.partner:
                at = self._unclosed(at)
            else:
                end = self.partner.get(at, at) + 1
                if self._column(at) == 1:
                    self.first_column.append(len(self.found.forms))
                self.found.forms.extend(_parse(self.tokens[at:end]))
                at = end
        self.found.faults.sort(key=lambda fault: fault.span.start)
        return self.found

    def _scan(self) -> Iterator[Token]:
        for token in tokens(self.source.text):
            if token.kind == "endless":
                span = Span(self.source, token.start, token.start + 2)
                message = "this block comment never ends; expected '|#'"
                self.found.faults.append(TextFault("open-comment", span, message))
            elif token.kind in ("open", "close", "symbol"):
                yield token

    def _line(self, offset: int) -> int:
        return self.source.place(offset)[0]

    def _span(self, token: Token) -> Span:
        return Span(self.source, token.start, token.end)

    def _indent(self, at: int) -> int | None:
        """The column of a token that is the first of its line, from 1; else None."""
        line, column = self.source.place(self.tokens[at].start)
        before = self.tokens[at - 1] if at else None
        return None if before and self._line(before.start) == line else column

    def _stray(self, at: int) -> int:
        """Report the closing parentheses from `at` on, which close nothing; where to read on."""
        end = at
        while end < len(self.tokens) and self.tokens[end].kind == "close":
            end += 1
        many = end - at
        span = Span(self.source, self.tokens[at].start, self.tokens[end - 1].end)
        stray = "unmatched ')'" if many == 1 else f"{many} unmatched ')'"
        message = f"{stray}: expected '(', a symbol or the end of the file"
        first, begun = self._cut_off(), self._begun() if many == 1 else None
        if begun is not None:
            fault = self._missing_open(begun, span, message)
        elif first is None:
            edits = tuple((token.start, token.end, "") for token in self.tokens[at:end])
            title = "delete it" if many == 1 else "delete them"
            fault = TextFault("unmatched-close", span, message, title, title, edits)
        else:
            form = self.found.forms[first]
            rest = self.found.forms[first + 1 :]
            hint = f"a ')' too many at the end of line {self._line(form.end - 1)}"
            early = Span(self.source, form.end - 1, form.end)
            word = f"this ')' ends the form of line {self._line(form.start)}, perhaps too early"
            edits = ((form.end - 1, form.end, ""),)
            fault = TextFault(
                "unmatched-close", span, message, hint, "delete it", edits, ((early, word),)
            )
            del self.found.forms[first:]
            assert isinstance(form, List)
            self.found.broken.append(List((*form.items, *rest), form.start, span.end))
        self.found.faults.append(fault)
        return end

    def _missing_open(self, first: int, span: Span, message: str) -> TextFault:
        """The fault of a ')' whose form has lost its '(': the forms from `first` on are parts."""
        form, *rest = self.found.forms[first:]
        del self.found.forms[first:]
        self.found.broken.append(List((form, *rest), form.start, span.end))
        related = ((Span(self.source, form.start, form.start + 1), "a '(' is missing before this"),)
        hint = f"write ( at the start of line {self._line(form.start)}"
        edits = ((form.start, form.start, "("),)
        return TextFault("unmatched-close", span, message, hint, "write (", edits, related)

    def _begun(self) -> int | None:
        """The last form in the first column if it is a name that forms begin with: its parenthesis
        is missing."""
        at = self._last_in_first_column()
        return at if at is not None and isinstance(self.found.forms[at], Atom) else None

    def _cut_off(self) -> int | None:
        """The last list among the forms if indented forms follow it: they were to be part of it."""
        at = self._last_in_first_column()
        return at if at is not None and isinstance(self.found.forms[at], List) else None

    def _last_in_first_column(self) -> int | None:
        """The last form that begins in the first column, if others follow it."""
        forms = self.found.forms
        while self.first_column and self.first_column[-1] >= len(forms):
            self.first_column.pop()
        at = self.first_column[-1] if self.first_column else len(forms)
        return at if at < len(forms) - 1 else None

    def _column(self, at: int) -> int:
        return self.source.place(self.tokens[at].start)[1]

    def _unclosed(self, at: int) -> int:
        """Report the parenthesis at `at`, which is never closed; where to read on."""
        end = at + 1
        while end < len(self.tokens) and not self._begins(end):
            end += 1
        opened = self._open_at(at, end)
        self.found.faults.append(self._never_closed(at, end, len(opened), self._suspect(at, end)))
        closing = [Token("close", ")", self.tokens[end - 1].end, self.tokens[end - 1].end)]
        chunk = [*self.tokens[at:end], *closing * len(opened)]
        self.found.broken.extend(_parse(chunk))
        return end

    def _open_at(self, start: int, end: int) -> list[int]:
        """The parentheses that tokens open and do not close, by place."""
        opened: list[int] = []
        for place in range(start, end):
            if self.tokens[place].kind == "open":
                opened.append(place)
            elif self.tokens[place].kind == "close" and opened:
                opened.pop()
        return opened

    def _suspect(self, start: int, end: int) -> tuple[int, int] | None:
        """A parenthesis that should have been closed, as the text is indented, and what follows
        it: both begin a line, the second no further to the right."""
        opened: list[tuple[int, int]] = []  # with the deepest indentation down to there
        for place in range(start, end):
            indent = self._indent(place)
            if indent is not None and opened and opened[-1][1] >= indent:
                deep = (i for i, _ in opened if (self._indent(i) or 0) >= indent)
                return next(deep), place
            if self.tokens[place].kind == "open":
                own = 0 if place == start else indent or 0
                opened.append((place, max(own, opened[-1][1] if opened else 0)))
            elif self.tokens[place].kind == "close" and opened:
                opened.pop()
        return None

    def _begins(self, at: int) -> bool:
        return self.tokens[at].kind == "open" and self._column(at) == 1

    def _never_closed(
        self, at: int, end: int, many: int, suspect: tuple[int, int] | None
    ) -> TextFault:
        opening, last = self.tokens[suspect[0] if suspect else at], self.tokens[end - 1]
        next_line = self._line(self.tokens[end].start) if end < len(self.tokens) else None
        before = f"line {next_line}" if next_line else "the end of the file"
        more = f" ({many} are open there)" if many > 1 else ""
        message = f"unmatched '(': expected ')' before {before}{more}"
        missing = ")" * many
        hint = f"write {missing} at the end of line {self._line(last.end - 1)}"
        edits: tuple[tuple[int, int, str], ...] = ((last.end, last.end, missing),)
        related: tuple[tuple[Span, str], ...] = ()
        if suspect:
            follows = self.tokens[suspect[1] - 1]
            hint = f"write ) at the end of line {self._line(follows.end - 1)}, as it is indented"
            edits = ((follows.end, follows.end, ")"),)
            if many > 1:
                edits += ((last.end, last.end, ")" * (many - 1)),)
            related = ((self._span(self.tokens[at]), "the form that is never closed"),)
        title = f"write {missing}"
        return TextFault(
            "unmatched-open", self._span(opening), message, hint, title, edits, related
        )


def _partners(listed: Sequence[Token]) -> dict[int, int]:
    """For each parenthesis that is closed, by place: the place of the one that closes it."""
    opened: list[int] = []
    partner = {}
    for place, token in enumerate(listed):
        if token.kind == "open":
            opened.append(place)
        elif token.kind == "close" and opened:
            partner[opened.pop()] = place
    return partner


def _parse(listed: Sequence[Token]) -> list[Expr]:
    """The expressions of tokens whose parentheses match."""
    stack: list[tuple[int, list[Expr]]] = [(0, [])]
    for token in listed:
        if token.kind == "open":
            stack.append((token.start, []))
        elif token.kind == "close":
            start, items = stack.pop()
            stack[-1][1].append(List(tuple(items), start, token.end))
        else:
            stack[-1][1].append(Atom(token.text, token.start, token.end))
    return stack[0][1]
