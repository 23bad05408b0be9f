"""The language server: what editors ask, and who answers it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Protocol, TypeVar

import psutil
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ggp.kif import Term
from ggp.lsp import answers, wire
from ggp.lsp.actions import actions, explanations
from ggp.lsp.desk import Desk
from ggp.lsp.hover import hover as told_of
from ggp.lsp.index import MOST
from ggp.lsp.sheet import OpenSheet

WAIT_KNOWN, WAIT_CHECKED = 0.7, 3.0
"""Seconds that an answer waits for what is proved of a fluent, and for diagnostics."""

LOOK = 2.0
"""Seconds between two looks whether the editor is still there."""


class Server(LanguageServer):
    """The server of one editor. `was_shut_down`: whether the editor said goodbye."""

    def __init__(self) -> None:
        super().__init__(
            "ggp", version("ggp"), text_document_sync_kind=lsp.TextDocumentSyncKind.Full
        )
        self.desk = Desk(self.text_document_publish_diagnostics)
        self.was_shut_down = False
        self._watch: asyncio.Task[None] | None = None
        for method, handler, options in _FEATURES:
            self.feature(method, options)(handler)

    def kif(self, document: lsp.TextDocumentIdentifier) -> OpenSheet | None:
        """The sheet in KIF of that address, if it is open and not too large to be looked into."""
        sheet = self.desk.sheet(document.uri)
        return sheet if sheet and sheet.is_kif and len(sheet.text) <= MOST else None

    def opened(self, uri: str) -> OpenSheet:
        """The text of an address as it is now in the editor."""
        document = self.workspace.get_text_document(uri)
        encoding = lsp.PositionEncodingKind(self.workspace.position_encoding or "utf-16")
        return OpenSheet(uri, document.version, document.source, encoding.value)

    def end_with(self, process: int) -> None:
        """End this server when the editor, that process, is gone without a word."""
        if psutil.pid_exists(process):
            self._watch = asyncio.get_running_loop().create_task(self._watching(process))

    async def _watching(self, process: int) -> None:
        while psutil.pid_exists(process):
            await asyncio.sleep(LOOK)
        self.desk.close()
        # The thread that reads from the editor may never come back.
        os._exit(1)


class _Params(Protocol):
    """What is asked about a text."""

    @property
    def text_document(self) -> lsp.TextDocumentIdentifier:
        """The address of the text."""


Params = TypeVar("Params", bound=_Params)
Answer = TypeVar("Answer")


def _about(
    answer: Callable[[OpenSheet, Params], Answer],
) -> Callable[[Server, Params], Answer | None]:
    """A handler that answers for sheets in KIF, and says nothing of anything else."""

    def handler(ls: Server, params: Params) -> Answer | None:
        sheet = ls.kif(params.text_document)
        return None if sheet is None else answer(sheet, params)

    return handler


def _initialize(ls: Server, params: lsp.InitializeParams) -> None:
    if params.process_id:
        ls.end_with(params.process_id)


def _shutdown(ls: Server, params: None) -> None:
    ls.was_shut_down = True
    ls.desk.close()


def _did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    ls.desk.put(ls.opened(params.text_document.uri), delay=0)


def _did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    ls.desk.put(ls.opened(params.text_document.uri))


def _did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    ls.desk.remove(params.text_document.uri)


async def _hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    sheet = ls.kif(params.text_document)
    if sheet is None:
        return None
    offset = wire.offset(sheet.lines, params.position)
    told = told_of(sheet.index, offset)
    parts = [told.text] if told else []
    if told and told.fluent:
        parts += await _proved(ls, sheet, told.fluent)
    parts += explanations(sheet.diagnostics, offset)
    if not parts:
        return None
    formats = _hover_formats(ls.client_capabilities)
    is_plain = bool(formats) and lsp.MarkupKind.Markdown not in formats
    kind = lsp.MarkupKind.PlainText if is_plain else lsp.MarkupKind.Markdown
    place = wire.spread(sheet.lines, told.start, told.end) if told else None
    return lsp.Hover(lsp.MarkupContent(kind, "\n\n".join(parts)), place)


async def _proved(ls: Server, sheet: OpenSheet, fluent: Term) -> list[str]:
    """What is proved of a fluent, in sentences; nothing of a sheet with errors."""
    if any(found.severity == "error" for found in sheet.diagnostics):
        return []
    known = await ls.desk.known(sheet, WAIT_KNOWN)
    if known is None:
        return ["What is proved of it is being worked out: ask again."]
    is_pending = known.found is None and not known.failure
    pending = ["Heaps and step counters are being looked for: ask again."] if is_pending else []
    return known.told(fluent) + pending


def _hover_formats(client: lsp.ClientCapabilities) -> Iterable[lsp.MarkupKind]:
    document = client.text_document
    return (document and document.hover and document.hover.content_format) or ()


def _completion(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    sheet = ls.kif(params.text_document)
    if sheet is None:
        return None
    snippets = _takes_snippets(ls.client_capabilities)
    return answers.completion(sheet, params.position, snippets=snippets)


def _takes_snippets(client: lsp.ClientCapabilities) -> bool:
    document = client.text_document
    item = document and document.completion and document.completion.completion_item
    return bool(item and item.snippet_support)


async def _code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
    sheet = ls.desk.sheet(params.text_document.uri)
    if sheet is None:
        return None
    waiting = asyncio.ensure_future(sheet.checked.wait())
    await asyncio.wait([waiting], timeout=WAIT_CHECKED)
    waiting.cancel()
    start = wire.offset(sheet.lines, params.range.start)
    end = wire.offset(sheet.lines, params.range.end)
    return actions(sheet, start, end, params.context.only)


_FEATURES = (
    (lsp.INITIALIZE, _initialize, None),
    (lsp.SHUTDOWN, _shutdown, None),
    (lsp.TEXT_DOCUMENT_DID_OPEN, _did_open, None),
    (lsp.TEXT_DOCUMENT_DID_CHANGE, _did_change, None),
    (lsp.TEXT_DOCUMENT_DID_CLOSE, _did_close, None),
    (lsp.TEXT_DOCUMENT_HOVER, _hover, None),
    (
        lsp.TEXT_DOCUMENT_COMPLETION,
        _completion,
        lsp.CompletionOptions(trigger_characters=["(", "?"]),
    ),
    (lsp.TEXT_DOCUMENT_DEFINITION, _about(answers.definition), None),
    (lsp.TEXT_DOCUMENT_REFERENCES, _about(answers.used), None),
    (lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, _about(answers.highlights), None),
    (lsp.TEXT_DOCUMENT_PREPARE_RENAME, _about(answers.renamed_place), None),
    (lsp.TEXT_DOCUMENT_RENAME, _about(answers.renamed), lsp.RenameOptions(prepare_provider=True)),
    (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _about(answers.symbols), None),
    (lsp.TEXT_DOCUMENT_FORMATTING, _about(answers.layout), None),
    (
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        _code_action,
        lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
    ),
)
