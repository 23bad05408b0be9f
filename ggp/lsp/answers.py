"""Answers to what is asked about one sheet, in the types of the protocol."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from ggp.errors import GgpError
from ggp.kif import lay_out
from ggp.lsp import wire
from ggp.lsp.completion import complete
from ggp.lsp.index import Occurrence
from ggp.lsp.navigation import definitions, references
from ggp.lsp.outline import outline
from ggp.lsp.rename import RefusedName, renamable, rename
from ggp.lsp.sheet import OpenSheet


def completion(
    sheet: OpenSheet, position: lsp.Position, *, snippets: bool
) -> lsp.CompletionList | None:
    """What can be written at a place."""
    offset = wire.offset(sheet.lines, position)
    found = complete(sheet.index, offset)
    if found is None:
        return None
    return lsp.CompletionList(False, wire.items(sheet.lines, found, offset, snippets=snippets))


def definition(sheet: OpenSheet, params: lsp.DefinitionParams) -> list[lsp.Location]:
    """Where what is at a place is defined."""
    return _locations(sheet, definitions(sheet.index, wire.offset(sheet.lines, params.position)))


def used(sheet: OpenSheet, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """Every place where what is at a place is named."""
    offset = wire.offset(sheet.lines, params.position)
    with_definitions = params.context.include_declaration
    return _locations(sheet, references(sheet.index, offset, with_definitions=with_definitions))


def _locations(sheet: OpenSheet, places: Iterable[Occurrence]) -> list[lsp.Location]:
    return [lsp.Location(sheet.uri, _range(sheet, each)) for each in places]


def _range(sheet: OpenSheet, place: Occurrence) -> lsp.Range:
    return wire.spread(sheet.lines, place.start, place.end)


def highlights(
    sheet: OpenSheet, params: lsp.DocumentHighlightParams
) -> list[lsp.DocumentHighlight]:
    """The same, told apart by whether it is defined there."""
    write, read = lsp.DocumentHighlightKind.Write, lsp.DocumentHighlightKind.Read
    found = references(sheet.index, wire.offset(sheet.lines, params.position))
    return [
        lsp.DocumentHighlight(_range(sheet, each), write if each.is_making else read)
        for each in found
    ]


def renamed_place(sheet: OpenSheet, params: lsp.PrepareRenameParams) -> lsp.Range:
    """The name at a place, if it can be changed; what it raises says why it cannot."""
    try:
        return _range(sheet, renamable(sheet.index, wire.offset(sheet.lines, params.position)))
    except RefusedName as error:
        raise _failed(error) from None


def renamed(sheet: OpenSheet, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    """What changes the name at a place; what it raises says why it cannot be."""
    try:
        places = rename(sheet.index, wire.offset(sheet.lines, params.position), params.new_name)
    except RefusedName as error:
        raise _failed(error) from None
    edits = [lsp.TextEdit(_range(sheet, each), params.new_name) for each in places]
    return lsp.WorkspaceEdit(changes={sheet.uri: edits})


def _failed(error: GgpError) -> JsonRpcException:
    return JsonRpcException(str(error), lsp.LSPErrorCodes.RequestFailed.value)


def symbols(sheet: OpenSheet, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """The outline."""
    return [wire.symbol(sheet.lines, entry) for entry in outline(sheet.index)]


def layout(sheet: OpenSheet, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
    """What lays the sheet out, its lines ending as they did; None where it cannot be read."""
    try:
        text = lay_out(sheet.source)
    except GgpError:
        return None  # the diagnostics say why
    if "\r\n" in sheet.text:
        text = text.replace("\n", "\r\n")
    return [] if text == sheet.text else [lsp.TextEdit(wire.whole(sheet.lines), text)]
