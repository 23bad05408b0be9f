"""Results in the types of the protocol."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from ggp.kif import Span
from ggp.lsp.completion import Completion, Proposal
from ggp.lsp.lines import Lines
from ggp.lsp.outline import OutlineEntry
from ggp.lsp.sheet import OpenSheet
from ggp.rules import Diagnostic, Edit

SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}

_SYMBOLS = {
    "role": lsp.SymbolKind.Object,
    "init": lsp.SymbolKind.Field,
    "base": lsp.SymbolKind.Field,
    "next": lsp.SymbolKind.Property,
    "legal": lsp.SymbolKind.Method,
    "input": lsp.SymbolKind.Method,
    "sees": lsp.SymbolKind.Method,
    "goal": lsp.SymbolKind.Number,
    "terminal": lsp.SymbolKind.Event,
    "fact": lsp.SymbolKind.Constant,
}

_ITEMS = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "relation": lsp.CompletionItemKind.Function,
    "function": lsp.CompletionItemKind.Field,
    "constant": lsp.CompletionItemKind.Constant,
    "variable": lsp.CompletionItemKind.Variable,
}


def spread(lines: Lines, start: int, end: int) -> lsp.Range:
    """The range of the characters `start` to `end`."""
    return lsp.Range(lsp.Position(*lines.place(start)), lsp.Position(*lines.place(end)))


def offset(lines: Lines, position: lsp.Position) -> int:
    """The offset of a position."""
    return lines.offset(max(0, position.line), max(0, position.character))


def whole(lines: Lines) -> lsp.Range:
    """The range of all of a text."""
    return spread(lines, 0, len(lines.text))


def diagnostic(sheet: OpenSheet, found: Diagnostic) -> lsp.Diagnostic:
    """A diagnostic of a sheet; its hint is part of the message."""
    hint = f"\nhint: {found.hint}" if found.hint else ""
    return lsp.Diagnostic(
        range=_range(sheet, found.span),
        message=found.message + hint,
        severity=SEVERITY[found.severity],
        code=found.code,
        source="ggp",
        related_information=[
            lsp.DiagnosticRelatedInformation(
                lsp.Location(sheet.uri, _range(sheet, span)), word or found.name
            )
            for span, word in found.related
        ],
        data={"name": found.name},
    )


def remark(message: str, severity: lsp.DiagnosticSeverity) -> lsp.Diagnostic:
    """A diagnostic of a text as a whole."""
    start = lsp.Position(0, 0)
    return lsp.Diagnostic(lsp.Range(start, start), message, severity, source="ggp")


def _range(sheet: OpenSheet, span: Span) -> lsp.Range:
    return spread(sheet.lines, span.start, span.end)


def edits(sheet: OpenSheet, changes: Iterable[Edit]) -> lsp.WorkspaceEdit:
    """Changes of one sheet."""
    own = [lsp.TextEdit(_range(sheet, each.span), each.text) for each in changes]
    return lsp.WorkspaceEdit(changes={sheet.uri: own})


def symbol(lines: Lines, entry: OutlineEntry) -> lsp.DocumentSymbol:
    """An entry of an outline with those in it."""
    return lsp.DocumentSymbol(
        name=entry.name,
        kind=_SYMBOLS.get(entry.word, lsp.SymbolKind.Function),
        range=spread(lines, entry.start, entry.end),
        selection_range=spread(lines, entry.head_start, entry.head_end),
        detail=entry.word,
        children=[symbol(lines, child) for child in entry.children],
    )


def items(
    lines: Lines, completion: Completion, end: int, *, snippets: bool
) -> list[lsp.CompletionItem]:
    """What can be written, from where it begins to `end`."""
    place = spread(lines, completion.start, end)
    return [
        _item(proposal, number, place, completion.is_first, snippets)
        for number, proposal in enumerate(completion.proposals)
    ]


def _item(
    proposal: Proposal, number: int, place: lsp.Range, is_first: bool, snippets: bool
) -> lsp.CompletionItem:
    text, is_snippet = proposal.name, False
    if proposal.needs_parentheses and not is_first:
        is_snippet = snippets
        text = f"({_escaped(text)} $0)" if snippets else f"({text}"
    counted = proposal.arity and proposal.kind in ("relation", "function")
    plain, snippet = lsp.InsertTextFormat.PlainText, lsp.InsertTextFormat.Snippet
    return lsp.CompletionItem(
        label=proposal.name,
        kind=_ITEMS[proposal.kind],
        detail=f"{proposal.name}/{proposal.arity}" if counted else proposal.kind,
        sort_text=f"{number:05}",
        filter_text=proposal.name,
        text_edit=lsp.TextEdit(place, text),
        insert_text_format=snippet if is_snippet else plain,
    )


def _escaped(text: str) -> str:
    """A name as it is written in a snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
