"""KIF text with its comments: a tree in which each stands beside the code that it is about.

The parser of `grammar.lark` forgets comments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ggp.kif.tokens import Kind, tokens

_LINE_END = re.compile(r"\r\n?|\n")
_BLANKS = " \t\f"


@dataclass(slots=True, eq=False)
class CommentedForm:
    """A symbol, a list or a comment that stands among them.

    `parts` are those of a list, None of anything else, whose `text` this is. `opened` and
    `remarks` are the comments that end the line of the list's opening parenthesis, and of the
    form's last character. `blank`: whether blank lines come before.
    """

    text: str = ""
    parts: list[CommentedForm] | None = None
    is_comment: bool = False
    is_inline: bool = False
    blank: bool = False
    opened: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Comment:
    """A comment whose place is not known yet, and the line ends before it."""

    text: str
    newlines: int


def read_forms(text: str) -> list[CommentedForm]:
    """The top-level forms and comments of `text`, which `read_kif` has read, in order.

    A comment that ends a line of code is a remark on what it follows, beyond the parentheses that
    close next. One with code before and behind on its line stays between them. Any other has a
    line of its own.
    """
    builder = _CommentedBuilder()
    for token in tokens(text):
        builder.take(token.kind, token.text)
    return builder.finished()


class _CommentedBuilder:
    def __init__(self) -> None:
        self.open = [CommentedForm(parts=[])]
        # What a comment on this line is a remark on; None before the first token.
        self.remarks: list[str] | None = None
        self.waiting: list[_Comment] = []
        self.newlines = 0

    def take(self, kind: Kind, text: str) -> None:
        """Put the next token in its place."""
        if kind == "space":
            self.newlines = len(_LINE_END.findall(text))
            return
        if kind in ("line", "block"):
            self.waiting.append(_Comment(_tidy(text), self.newlines))
        else:
            if self.waiting:
                self._settle(ends_line=self.newlines > 0)
            if kind == "close":
                self._close()
            else:
                self._add(CommentedForm(text) if kind == "symbol" else CommentedForm(parts=[]))
        self.newlines = 0

    def finished(self) -> list[CommentedForm]:
        """All forms, when there are no more tokens."""
        self._settle(ends_line=True)
        return _parts(self.open[0])

    def _add(self, form: CommentedForm) -> None:
        form.blank = self.newlines > 1
        _parts(self.open[-1]).append(form)
        if form.parts is None:
            self.remarks = form.remarks
        else:
            self.open.append(form)
            self.remarks = form.opened

    def _close(self) -> None:
        form = self.open.pop()
        # Remarks move on behind the parentheses, which so can follow the code before them.
        if self.remarks:
            form.remarks.extend(self.remarks)
            self.remarks.clear()
        self.remarks = form.remarks

    def _settle(self, ends_line: bool) -> None:
        """Give the waiting comments their places, now that it is known what comes next."""
        count = self._on_the_line()
        beside, own = self.waiting[:count], self.waiting[count:]
        self.waiting = []
        if beside and (ends_line or own):
            assert self.remarks is not None
            self.remarks.extend(comment.text for comment in beside)
        elif beside:
            is_inline = len(self.open) > 1 and not self.remarks
            is_inline = is_inline and not any("\n" in comment.text for comment in beside)
            self._stand(beside, is_inline)
        self._stand(own, is_inline=False)

    def _on_the_line(self) -> int:
        """How many of the waiting comments stand on the line of the code before them."""
        if self.remarks is None or (self.remarks and self.remarks[-1].startswith(";")):
            return 0
        below = (i for i, comment in enumerate(self.waiting) if comment.newlines)
        return next(below, len(self.waiting))

    def _stand(self, comments: list[_Comment], is_inline: bool) -> None:
        """Let comments be parts of the list that is open."""
        for comment in comments:
            form = CommentedForm(comment.text, None, True, is_inline, comment.newlines > 1)
            _parts(self.open[-1]).append(form)
            self.remarks = []


def _parts(form: CommentedForm) -> list[CommentedForm]:
    assert form.parts is not None
    return form.parts


def _tidy(comment: str) -> str:
    """A comment with plain line ends and without blanks before them."""
    return "\n".join(line.rstrip(_BLANKS) for line in _LINE_END.split(comment))
