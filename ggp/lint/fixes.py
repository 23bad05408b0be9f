"""Corrections of a text."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.kif import Source
from ggp.rules import Diagnostic, Edit


def fixed(source: Source, diagnostics: Iterable[Diagnostic], *, unsafe: bool = False) -> str:
    """The text with the safe corrections of `diagnostics` (all of them if `unsafe`) made.

    Of corrections that overlap the first is made: check again to make the others.
    """
    return edited(source.text, corrections(diagnostics, unsafe=unsafe))


def corrections(diagnostics: Iterable[Diagnostic], *, unsafe: bool = False) -> list[Edit]:
    """The edits that `fixed` makes, in the order of the text."""
    edits = [edit for d in diagnostics if d.fix and (d.fix.safe or unsafe) for edit in d.fix.edits]
    return _apart(sorted(edits, key=lambda edit: edit.span.start))


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    """The edits without those that reach into an earlier one."""
    found: list[Edit] = []
    for edit in edits:
        if not found or found[-1].span.end <= edit.span.start:
            found.append(edit)
    return found


def edited(text: str, edits: Iterable[Edit]) -> str:
    """`text` with edits made that are in order and do not overlap."""
    parts, place = [], 0
    for edit in edits:
        parts += [text[place : edit.span.start], edit.text]
        place = edit.span.end
    return "".join([*parts, text[place:]])
