"""An editor for tests: a client that starts `ggp lsp` and speaks the protocol with it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from ggp.lsp.lines import Lines

PATIENCE = 120.0
"""Seconds to wait for anything; far more than it takes anywhere."""


class Editor:
    """One client with its server, and what the server said."""

    def __init__(self) -> None:
        self.client = LanguageClient("tests", "1")
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.texts: dict[str, str] = {}
        self.capabilities: lsp.ServerCapabilities | None = None
        self.said = b""

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def shown(params: lsp.ShowMessageParams) -> None:
            pass

    @property
    def server(self) -> asyncio.subprocess.Process:
        return self.client._server

    async def start(
        self, capabilities: lsp.ClientCapabilities | None = None, process: int | None = None
    ) -> None:
        await self.client.start_io(sys.executable, "-m", "ggp", "lsp", limit=1 << 26)
        self.listening = asyncio.create_task(self._listen())
        params = lsp.InitializeParams(
            capabilities=capabilities or lsp.ClientCapabilities(), process_id=process or os.getpid()
        )
        result = await soon(self.client.initialize_async(params))
        self.capabilities = result.capabilities
        self.client.initialized(lsp.InitializedParams())

    async def _listen(self) -> None:
        while piece := await self.server.stderr.read(4096):
            self.said += piece

    async def end(self) -> int:
        """Say goodbye; the exit code of the server."""
        await soon(self.client.shutdown_async(None))
        self.client.exit(None)
        return await self.ended()

    async def ended(self) -> int:
        """Wait until the server has ended; its exit code."""
        code = await soon(self.server.wait())
        await soon(self.listening)
        await soon(self.client.stop())
        return code

    def open(self, uri: str, text: str) -> None:
        self.texts[uri] = text
        item = lsp.TextDocumentItem(uri, "kif", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def change(self, uri: str, version: int, text: str) -> None:
        self.texts[uri] = text
        document = lsp.VersionedTextDocumentIdentifier(uri=uri, version=version)
        changes = [lsp.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, changes))

    def close(self, uri: str) -> None:
        document = lsp.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))

    async def diagnostics(self, uri: str, version: int | None = 1) -> list[lsp.Diagnostic]:
        """The diagnostics of a version of a text, when they come."""
        while True:
            params = await soon(self.published.get())
            if params.uri == uri and params.version == version:
                return list(params.diagnostics)

    def at(self, uri: str, before: str, after: str = "") -> dict[str, Any]:
        """The place between two texts that follow each other."""
        offset = self.texts[uri].index(before + after) + len(before)
        place = lsp.Position(*Lines(self.texts[uri]).place(offset))
        return {"text_document": lsp.TextDocumentIdentifier(uri), "position": place}

    def shown(self, uri: str, places: list[lsp.Range]) -> list[tuple[int, str]]:
        """Ranges as line, from 1, and text."""
        text, lines = self.texts[uri], Lines(self.texts[uri])
        found = []
        for place in places:
            start = lines.offset(place.start.line, place.start.character)
            end = lines.offset(place.end.line, place.end.character)
            found.append((place.start.line + 1, text[start:end]))
        return found

    def edited(self, uri: str, edit: lsp.WorkspaceEdit) -> str:
        """The text of a sheet with a change made."""
        assert list(edit.changes) == [uri]
        return applied(self.texts[uri], edit.changes[uri])


def applied(text: str, edits: list[lsp.TextEdit]) -> str:
    """A text with edits made."""
    lines = Lines(text)
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character))[::-1]:
        start = lines.offset(edit.range.start.line, edit.range.start.character)
        end = lines.offset(edit.range.end.line, edit.range.end.character)
        text = text[:start] + edit.new_text + text[end:]
    return text


async def soon(wanted: Awaitable[Any]) -> Any:
    return await asyncio.wait_for(wanted, PATIENCE)


def session(
    test: Callable[[Editor], Awaitable[None]], capabilities: lsp.ClientCapabilities | None = None
) -> Editor:
    """Run a test with an editor that then ends its server, which must end well."""

    async def run() -> Editor:
        editor = Editor()
        await editor.start(capabilities)
        try:
            await test(editor)
        except BaseException:
            editor.server.kill()
            await editor.ended()
            raise
        assert await editor.end() == 0
        return editor

    return asyncio.run(run())
