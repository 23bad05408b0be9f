"""The facts and rules of a text as a tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from ggp.kif import Expr
from ggp.lsp.index import Index, Occurrence
from ggp.rules import keywords as kw
from ggp.text import plain, shortened

MOST_NAME = 80
"""Characters of an entry."""


@dataclass(frozen=True)
class OutlineEntry:
    """A fact or rule, or several of one relation that follow each other.

    `word` says what kind it is: a keyword, `fact` or `rule`. `start` to `end` is all of it,
    `head_start` to `head_end` what to show of it.
    """

    name: str
    word: str
    start: int
    end: int
    head_start: int
    head_end: int
    children: tuple[OutlineEntry, ...] = field(default=())


def outline(index: Index) -> list[OutlineEntry]:
    """The facts and rules in order; neighbours of one relation are one entry with children."""
    heads = zip(index.heads, index.forms, strict=True)
    known = [(head, form) for head, form in heads if head is not None]
    found = []
    for (name, arity), run in groupby(known, key=lambda pair: (pair[0].name, pair[0].arity)):
        own = tuple(_entry(index, head, form) for head, form in run)
        if len(own) == 1:
            found.append(own[0])
            continue
        first, last = own[0], own[-1]
        title = plain(shortened(f"{name}/{arity}", MOST_NAME))
        place = first.head_start, first.head_end
        found.append(OutlineEntry(title, first.word, first.start, last.end, *place, own))
    return found


def _entry(index: Index, head: Occurrence, form: Expr) -> OutlineEntry:
    start, end = head.outer_start, max(head.outer_start, min(head.outer_end, form.end))
    name = plain(shortened(index.written(start, end), MOST_NAME)) or head.name
    word = "fact" if head.role == "form" else "rule"
    if head.name in kw.RELATIONS:
        word = head.name
    return OutlineEntry(name, word, form.start, form.end, start, end)
