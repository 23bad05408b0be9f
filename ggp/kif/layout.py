"""The canonical layout of KIF rule sheets, which `ggp fmt` writes.

Each list is printed on one line where it fits, and broken otherwise, as in D. C. Oppen,
"Prettyprinting", ACM TOPLAS 2 (1980): rules and connectives *consistently*, each part on a line of
its own, other lists *inconsistently*, each line filled. Rules with a body are always broken. As
all parts are known before the first is printed, one pass up the tree finds what fits, one down
prints it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.errors import LimitReached
from ggp.kif.commented import CommentedForm, read_forms
from ggp.kif.reader import read_kif
from ggp.kif.source import Source
from ggp.limits import DEFAULT, Limits

WIDTH = 100
"""Columns of a line, but for comments and for what cannot be broken."""

INDENT, MOST_INDENT = 4, 60
"""Columns that the parts of a broken list stand further right; the most that a line begins with,
so that deep nesting does not blow up a text."""

_CONSISTENT = {"<=", "and", "or", "not"}

_Broken = Iterator[tuple[CommentedForm, int]]


def format(text: str) -> str:
    """`text`, a rule sheet in KIF, in the canonical layout; comments are kept.

    Raises `KifSyntaxError` where it cannot be read, and `LimitReached` where it, or what it would
    become, is too long or too deep to be read.

    >>> print(format("(<= (p ?x) (q ?x) ; why\\n )"), end="")
    (<= (p ?x)
        (q ?x))  ; why
    """
    return lay_out(Source("<text>", text))


def lay_out(source: Source, limits: Limits = DEFAULT) -> str:
    """The text of `source`, KIF, in the canonical layout.

    Raises `KifSyntaxError` and `LimitReached` as `read_kif` does, the latter also where the layout
    itself is longer than `limits` allow.
    """
    read_kif(source, limits)
    page = _Page()
    for form in read_forms(source.text):
        page.top(form)
    text = page.text()
    if len(text) > limits.characters:
        found = f"{source.name} would have {len(text):,}"
        raise LimitReached("characters", limits.characters, found)
    return text


class _Page:
    """The lines so far, and the column that the next character comes to (from 0)."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.column = 0
        self.is_ended = False
        self.one_line: dict[CommentedForm, str] = {}

    def text(self) -> str:
        """All of it, with one line end at the end if there is anything."""
        return "".join([*self.pieces, "\n"]) if self.pieces else ""

    def top(self, form: CommentedForm) -> None:
        """Print a top-level form, or a comment between such forms."""
        if self.pieces:
            self._newline(0)
            if form.blank:
                self._newline(0)
        if form.is_comment:
            self._word(form.text)
            return
        self._measure(form)
        # Generators in place of calls: the depth of a text does not meet Python's limit.
        running = [iter([(form, 0)])]
        while running:
            following = next(running[-1], None)
            if following is None:
                running.pop()
            elif self._fits(*following, self.column):
                self._word(self.one_line[following[0]])
            else:
                running.append(self._broken(*following))
        self._remark(form.remarks)

    def _measure(self, top: CommentedForm) -> None:
        """Find the lists, and parts of lists, that have a line to themselves or less."""
        ahead, lists = [top], []
        while ahead:
            form = ahead.pop()
            lists.append(form)
            ahead.extend(form.parts or ())
        self.one_line = {}
        for form in reversed(lists):
            line = self._line_of(form)
            if line is not None:
                self.one_line[form] = line

    def _line_of(self, form: CommentedForm) -> str | None:
        """The text of `form` in one line, or None where it must be broken."""
        if form.parts is None:
            return None if form.is_comment and not form.is_inline else form.text
        if form.opened or _is_rule(form):
            return None
        length = 1 + len(form.parts)
        for part in form.parts:
            if part.remarks or part not in self.one_line:
                return None
            length += len(self.one_line[part])
            if length > WIDTH:
                return None
        return f"({' '.join([self.one_line[part] for part in form.parts])})"

    def _fits(self, form: CommentedForm, closing: int, column: int) -> bool:
        """Whether `form` fits between `column` and the margin, with what closes behind it."""
        line = self.one_line.get(form)
        return line is not None and column + len(line) + closing <= WIDTH

    def _broken(self, form: CommentedForm, closing: int) -> _Broken:
        """Print a form that does not fit; yields, in their time, parts that are to be printed.

        With each comes the number of parentheses that close right behind it.
        """
        if form.parts is None:
            self._word(form.text)
            return
        start, parts = self.column, form.parts
        self._word("(")
        self._remark(form.opened)
        name = _name(form)
        consistent = name.lower() in _CONSISTENT
        indent = start + (len(name) + 2 if consistent else INDENT)
        for number, part in enumerate(parts):
            behind = closing + 1 if number == len(parts) - 1 else 0
            if part.is_comment or self.is_ended:
                self._newline(indent)
            elif number == 1 and (consistent or len(parts) == 2) and self.column < MOST_INDENT:
                self._word(" ")
            elif number and (consistent or not self._fits(part, behind, self.column + 1)):
                self._newline(indent)
            elif number:
                self._word(" ")
            yield part, behind
            self._remark(part.remarks)
            self.is_ended = self.is_ended or part.is_comment
        if self.is_ended:
            self._newline(start)
        self._word(")")

    def _word(self, text: str) -> None:
        self.pieces.append(text)
        self.column += len(text)

    def _newline(self, indent: int) -> None:
        self.column = min(indent, MOST_INDENT)
        self.pieces.append("\n" + " " * self.column)
        self.is_ended = False

    def _remark(self, comments: list[str]) -> None:
        for comment in comments:
            self.pieces.append(f"  {comment}")
            self.is_ended = True


def _name(form: CommentedForm) -> str:
    """What a list begins with, if that is a symbol."""
    return next((part.text for part in form.parts or () if not part.is_comment), "")


def _is_rule(form: CommentedForm) -> bool:
    """Whether this is a rule with a body, comments counted."""
    return len(form.parts or ()) > 2 and _name(form) == "<="
