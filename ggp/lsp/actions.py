"""Corrections to choose from, and what diagnostics mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types as lsp

from ggp.lint.explain import explanation
from ggp.lint.fixes import corrections
from ggp.lsp import wire
from ggp.lsp.sheet import OpenSheet
from ggp.rules import Diagnostic, Fix
from ggp.rules.catalogue import entry

FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.ggp"

MOST_EDITS = 2_000
"""Edits of one correction; what takes more is for the command line."""

MOST_EXPLAINED = 2
"""Diagnostics that are explained at one place."""


def actions(
    sheet: OpenSheet, start: int, end: int, only: Sequence[lsp.CodeActionKind | str] | None
) -> list[lsp.CodeAction]:
    """The corrections of what is said of the characters `start` to `end`, and one that makes all
    that are safe; of the kinds `only`, if given."""
    found = []
    if _is_asked(lsp.CodeActionKind.QuickFix.value, only):
        here = (d for d in sheet.diagnostics if d.span.start <= end and start <= d.span.end)
        fixable = ((d, d.fix) for d in here if d.fix and len(d.fix.edits) <= MOST_EDITS)
        found += [_correction(sheet, each, fix) for each, fix in fixable]
    safe = corrections(sheet.diagnostics) if _is_asked(FIX_ALL, only) else []
    if safe:
        title = "make all corrections that keep the rules' meaning"
        edit = wire.edits(sheet, safe[:MOST_EDITS])
        found.append(lsp.CodeAction(title, FIX_ALL, edit=edit))
    return found


def _is_asked(kind: str, only: Sequence[lsp.CodeActionKind | str] | None) -> bool:
    """Whether a kind, or one that it is part of, is wanted."""
    if only is None:
        return True
    asked = (each.value if isinstance(each, lsp.CodeActionKind) else each for each in only)
    return any(not each or kind == each or kind.startswith(f"{each}.") for each in asked)


def _correction(sheet: OpenSheet, found: Diagnostic, fix: Fix) -> lsp.CodeAction:
    return lsp.CodeAction(
        title=fix.title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[wire.diagnostic(sheet, found)],
        is_preferred=fix.safe,
        edit=wire.edits(sheet, fix.edits),
    )


def explanations(diagnostics: Iterable[Diagnostic], offset: int) -> list[str]:
    """What the diagnostics at a place mean, in Markdown, those of the shortest places first."""
    here = [d for d in diagnostics if d.span.start <= offset <= d.span.end]
    here.sort(key=lambda d: d.span.end - d.span.start)
    names = list(dict.fromkeys(d.name for d in here))
    return [explanation(entry(name)).strip() for name in names[:MOST_EXPLAINED]]
