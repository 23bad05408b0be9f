"""Corrections to choose from, and what diagnostics mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types as lsp

from ggp.lint.explain import explanation
from ggp.lint.fixes import corrections
from ggp.lsp import wire
from ggp.lsp.sheet import Sheet
from ggp.rules import Diagnostic
from ggp.rules.catalogue import entry

FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.ggp"

MOST_EXPLAINED = 2
"""Diagnostics that are explained at one place."""


def actions(
    sheet: Sheet, start: int, end: int, only: Sequence[lsp.CodeActionKind | str] | None
) -> list[lsp.CodeAction]:
    """The corrections of what is said of the characters `start` to `end`, and one that makes all
    that are safe; of the kinds `only`, if given."""
    found = []
    if _is_asked(lsp.CodeActionKind.QuickFix.value, only):
        for each in sheet.diagnostics:
            if each.fix and each.span.start <= end and start <= each.span.end:
                found.append(_correction(sheet, each))
    if _is_asked(FIX_ALL, only) and (safe := corrections(sheet.diagnostics)):
        title = "make all corrections that keep the rules' meaning"
        edit = wire.edits(sheet, safe)
        found.append(lsp.CodeAction(title, lsp.CodeActionKind(FIX_ALL), edit=edit))
    return found


def _is_asked(kind: str, only: Sequence[lsp.CodeActionKind | str] | None) -> bool:
    """Whether a kind, or one that it is part of, is wanted."""
    if only is None:
        return True
    asked = (each.value if isinstance(each, lsp.CodeActionKind) else each for each in only)
    return any(not each or kind == each or kind.startswith(f"{each}.") for each in asked)


def _correction(sheet: Sheet, found: Diagnostic) -> lsp.CodeAction:
    assert found.fix is not None
    return lsp.CodeAction(
        title=found.fix.title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[wire.diagnostic(sheet, found)],
        is_preferred=found.fix.safe,
        edit=wire.edits(sheet, found.fix.edits),
    )


def explanations(diagnostics: Iterable[Diagnostic], offset: int) -> list[str]:
    """What the diagnostics at a place mean, in Markdown, those of the shortest places first."""
    here = [d for d in diagnostics if d.span.start <= offset <= d.span.end]
    here.sort(key=lambda d: d.span.end - d.span.start)
    names = list(dict.fromkeys(d.name for d in here))
    return [explanation(entry(name)).strip() for name in names[:MOST_EXPLAINED]]
