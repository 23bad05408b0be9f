"""`ggp lsp` as an editor meets it: over standard input and output, message by message."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys

import psutil
import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

import ggp
from ggp.cli import lsp as verb
from tests.conftest import GAMES
from tests.lsp.client import PATIENCE, Editor, applied, session, soon

URI = "file:///games/sheet.kif"
TICTACTOE = (GAMES / "tic-tac-toe" / "tic-tac-toe.kif").read_text(encoding="utf-8")
SOUND = """(role white)
(init (step 0))
(succ 0 1)
(legal white go)
(legal white stay)
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= terminal (true (step 1)))
(goal white 100)
"""


def code_action(uri: str, line: int, *, only=None) -> lsp.CodeActionParams:
    place = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 999))
    context = lsp.CodeActionContext([], only)
    return lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), place, context)


def test_a_day_at_work() -> None:
    async def day(editor) -> None:
        client = editor.client
        editor.open(URI, TICTACTOE)
        assert await editor.diagnostics(URI) == []

        faulty = TICTACTOE + "(<= (p ?x)\n    (line ?x)\n"
        editor.change(URI, 2, faulty)
        found = await editor.diagnostics(URI, 2)
        assert found[0].code == "GDL101"
        assert found[0].severity == lsp.DiagnosticSeverity.Error
        assert "\nhint: " in found[0].message
        line = found[0].range.start.line
        actions = await soon(client.text_document_code_action_async(code_action(URI, line)))
        mended = editor.edited(URI, actions[0].edit)
        assert actions[0].kind == lsp.CodeActionKind.QuickFix
        editor.change(URI, 3, mended)
        assert "GDL101" not in {d.code for d in await editor.diagnostics(URI, 3)}

        editor.change(URI, 4, TICTACTOE)
        assert await editor.diagnostics(URI, 4) == []
        place = editor.at(URI, "(true (c", "ell")
        hover = await soon(client.text_document_hover_async(lsp.HoverParams(**place)))
        assert "`cell/3`: fluent" in hover.contents.value
        while "being worked out" in hover.contents.value:
            hover = await soon(client.text_document_hover_async(lsp.HoverParams(**place)))
        assert "Exactly one of `(cell 1 1 b)`, `(cell 1 1 o)`, `(cell 1 1 x)`" in (
            hover.contents.value
        )

        place = editor.at(URI, "(li", "ne ?")
        heads = await soon(client.text_document_definition_async(lsp.DefinitionParams(**place)))
        assert {text for _, text in editor.shown(URI, [h.range for h in heads])} == {"line"}
        assert len(heads) == 4
        context = lsp.ReferenceContext(include_declaration=True)
        asked = lsp.ReferenceParams(context=context, **place)
        everywhere = await soon(client.text_document_references_async(asked))
        assert len(everywhere) == TICTACTOE.count("(line ")
        asked = lsp.DocumentHighlightParams(**place)
        marked = await soon(client.text_document_document_highlight_async(asked))
        kinds = [each.kind for each in marked]
        assert kinds.count(lsp.DocumentHighlightKind.Write) == 4
        assert len(kinds) == len(everywhere)

        asked = lsp.RenameParams(new_name="row", **place)
        renamed = editor.edited(URI, await soon(client.text_document_rename_async(asked)))
        assert renamed == TICTACTOE.replace("(line ", "(row ")

        symbols = await soon(
            client.text_document_document_symbol_async(
                lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(URI))
            )
        )
        assert [s.name for s in symbols[:3]] == ["role/1", "init/1", "legal/2"]
        assert len(symbols[1].children) == 10

        ugly = TICTACTOE.replace("\n    ", " ")
        editor.change(URI, 5, ugly)
        asked = lsp.DocumentFormattingParams(
            lsp.TextDocumentIdentifier(URI), lsp.FormattingOptions(4, True)
        )
        edits = await soon(client.text_document_formatting_async(asked))
        assert applied(ugly, edits) == TICTACTOE

        half = TICTACTOE + "\n(<= (open ?z)\n    (true (ce"
        editor.change(URI, 6, half)
        asked = lsp.CompletionParams(**editor.at(URI, "(true (ce", ""))
        asked.position = lsp.Position(half.count("\n"), len("    (true (ce"))
        offered = await soon(client.text_document_completion_async(asked))
        assert {item.label for item in offered.items} == {"cell", "control"}
        edits = await soon(
            client.text_document_formatting_async(
                lsp.DocumentFormattingParams(
                    lsp.TextDocumentIdentifier(URI), lsp.FormattingOptions(4, True)
                )
            )
        )
        assert not edits

        editor.close(URI)
        assert await editor.diagnostics(URI, None) == []

    assert session(day).said == b""


@pytest.mark.slow
def test_heaps_are_told_of_their_fluents() -> None:
    async def test(editor) -> None:
        text = (GAMES / "subtraction" / "sg-357.kif").read_text(encoding="utf-8")
        editor.open(URI, text)
        assert await editor.diagnostics(URI) == []
        asked = lsp.HoverParams(**editor.at(URI, "(init (", "heap"))
        hover = await soon(editor.client.text_document_hover_async(asked))
        while "ask again" in hover.contents.value:
            hover = await soon(editor.client.text_document_hover_async(asked))
        assert "A heap, `(heap 1 ?)`, of 10 at the start" in hover.contents.value

    session(test)


def test_all_that_is_safe_is_corrected_at_once() -> None:
    async def test(editor) -> None:
        text = SOUND.replace(
            "(<= terminal (true (step 1)))", "(<= (terminal) (or (true (step 1))))"
        )
        editor.open(URI, text)
        assert len(await editor.diagnostics(URI)) == 2
        asked = code_action(URI, 0, only=[lsp.CodeActionKind.SourceFixAll])
        actions = await soon(editor.client.text_document_code_action_async(asked))
        assert [a.kind for a in actions] == ["source.fixAll.ggp"]
        editor.change(URI, 2, editor.edited(URI, actions[0].edit))
        assert editor.texts[URI] == SOUND
        assert await editor.diagnostics(URI, 2) == []
        quick = code_action(URI, 6, only=[lsp.CodeActionKind.QuickFix])
        assert not await soon(editor.client.text_document_code_action_async(quick))

    session(test)


def test_safe_corrections_are_preferred_and_name_what_they_mend() -> None:
    async def test(editor) -> None:
        editor.open(URI, SOUND.replace("<= terminal", "<= (terminal)"))
        (found,) = await editor.diagnostics(URI)
        asked = code_action(URI, 6, only=[lsp.CodeActionKind.QuickFix])
        (action,) = await soon(editor.client.text_document_code_action_async(asked))
        assert action.is_preferred
        assert list(action.diagnostics) == [found]
        assert editor.edited(URI, action.edit) == SOUND

    session(test)


def test_only_the_last_of_many_versions_is_told_of() -> None:
    async def test(editor) -> None:
        editor.open(URI, SOUND)
        assert await editor.diagnostics(URI) == []
        for version in range(2, 102):
            editor.change(URI, version, SOUND + f"(unused{version} a)\n")
        told = []
        while not told or told[-1].version != 101:
            told.append(await soon(editor.published.get()))
        versions = [params.version for params in told]
        assert versions == sorted(set(versions))
        assert "unused101" in told[-1].diagnostics[0].message

    session(test)


def test_places_are_counted_as_agreed() -> None:
    text = "(role \U0001f600x)\r\n(init ü)\r\n\t(legal \U0001f600x (gö ü)) (unused \U0001f600x)\r\n"

    async def test(editor) -> None:
        assert editor.capabilities.position_encoding == "utf-16"
        editor.open(URI, text)
        found = next(d for d in await editor.diagnostics(URI) if "unused" in d.message)
        assert editor.shown(URI, [found.range])[0][1].startswith("(unused")
        place = editor.at(URI, "legal \U0001f600x (g", "ö")
        asked = lsp.RenameParams(new_name="move", **place)
        edit = await soon(editor.client.text_document_rename_async(asked))
        assert editor.edited(URI, edit) == text.replace("gö", "move")

    session(test)


def test_other_encodings_of_places_can_be_agreed_on() -> None:
    encodings = [lsp.PositionEncodingKind.Utf8]
    general = lsp.GeneralClientCapabilities(position_encodings=encodings)

    async def test(editor) -> None:
        assert editor.capabilities.position_encoding == "utf-8"
        editor.open(URI, "(role ü) (init ü)")
        document = lsp.TextDocumentIdentifier(URI)
        asked = lsp.ReferenceParams(lsp.ReferenceContext(True), document, lsp.Position(0, 16))
        found = await soon(editor.client.text_document_references_async(asked))
        columns = [(f.range.start.character, f.range.end.character) for f in found]
        assert columns == [(6, 8), (16, 18)]

    session(test, lsp.ClientCapabilities(general=general))


def test_sheets_are_told_apart_by_folder() -> None:
    async def test(editor) -> None:
        one, two = "file:///a/same.kif", "file:///b/same.kif"
        editor.open(one, SOUND)
        editor.open(two, SOUND + "(unused a)\n")
        assert await editor.diagnostics(one) == []
        assert len(await editor.diagnostics(two)) == 1
        editor.close(two)
        place = editor.at(one, "(st", "ep 0")
        asked = lsp.DefinitionParams(**place)
        found = await soon(editor.client.text_document_definition_async(asked))
        assert {location.uri for location in found} == {one}

    session(test)


def test_templates_are_never_rendered_and_infix_sheets_are_checked() -> None:
    async def test(editor) -> None:
        template, infix = "file:///x/nim.kif.jinja", "file:///x/nim.hrf"
        editor.open(template, "{# parameters #}{% for i in range(3) %}(role r{{ i }}){% endfor %}")
        (told,) = await editor.diagnostics(template)
        assert told.severity == lsp.DiagnosticSeverity.Information
        assert "command line" in told.message
        editor.open(infix, "role(a)\np(X) :- q(X")
        assert (await editor.diagnostics(infix))[0].severity == lsp.DiagnosticSeverity.Error
        for uri in (template, infix):
            hover = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(0, 1))
            assert await soon(editor.client.text_document_hover_async(hover)) is None

    session(test)


HOSTILE = {
    "parentheses": ("(" * 100_000, "depth"),
    "or": (f"(<= p {' '.join(f'(or a{i} b{i})' for i in range(40))})", "branches"),
    "length": ("(a b)\n" * 400_000, "characters"),
}


def test_hostile_text_is_a_few_diagnostics_and_the_server_lives_on() -> None:
    async def test(editor) -> None:
        editor.open(URI, SOUND)
        for version, (text, limit) in enumerate(HOSTILE.values(), 2):
            editor.change(URI, version, text)
            told = [d.message for d in await editor.diagnostics(URI, version)]
            assert len(told) <= 5
            assert any(f"limit reached: {limit}" in message for message in told)
        editor.change(URI, 9, SOUND)
        assert await editor.diagnostics(URI, 9) == []

    session(test)


EMPTY = ["", "; nothing\n#| here |#", "(())", "a" * 1_000_000, "(role", ")))", "(? ?) ((a) b) (<=)"]


def test_every_question_about_every_place_has_an_answer() -> None:
    async def test(editor) -> None:
        for number, text in enumerate(EMPTY):
            uri = f"file:///{number}.kif"
            editor.open(uri, text)
            await editor.diagnostics(uri)
            for line, column in ((0, 0), (0, 3), (0, 2**31 - 1), (2**31 - 1, 2**31 - 1)):
                for method, params in questions(uri, lsp.Position(line, column)):
                    await soon(getattr(editor.client, f"text_document_{method}_async")(params))

    assert session(test).said == b""


def questions(uri: str, position: lsp.Position) -> list[tuple[str, object]]:
    """What can be asked about a place."""
    document = lsp.TextDocumentIdentifier(uri)
    place = {"text_document": document, "position": position}
    return [
        ("hover", lsp.HoverParams(**place)),
        ("definition", lsp.DefinitionParams(**place)),
        ("references", lsp.ReferenceParams(context=lsp.ReferenceContext(True), **place)),
        ("document_highlight", lsp.DocumentHighlightParams(**place)),
        ("completion", lsp.CompletionParams(**place)),
        ("document_symbol", lsp.DocumentSymbolParams(document)),
        ("formatting", lsp.DocumentFormattingParams(document, lsp.FormattingOptions(4, True))),
        ("code_action", code_action(uri, position.line)),
    ]


def test_what_is_not_open_is_not_read() -> None:
    async def test(editor) -> None:
        for uri in ("file:///etc/passwd", "file:///nowhere.kif", "nonsense"):
            asked = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(0, 0))
            assert await soon(editor.client.text_document_hover_async(asked)) is None

    session(test)


def test_a_name_that_cannot_be_is_refused_with_a_reason() -> None:
    async def test(editor) -> None:
        editor.open(URI, SOUND)
        for new in ("true", "a b", "?x", "", "go", "GO", "(", "random"):
            asked = lsp.RenameParams(new_name=new, **editor.at(URI, "(role w", "hite"))
            with pytest.raises(JsonRpcException) as refused:
                await soon(editor.client.text_document_rename_async(asked))
            assert refused.value.code == lsp.LSPErrorCodes.RequestFailed.value
            assert refused.value.message
        asked = lsp.PrepareRenameParams(**editor.at(URI, "(ro", "le"))
        with pytest.raises(JsonRpcException, match="keyword"):
            await soon(editor.client.text_document_prepare_rename_async(asked))
        asked = lsp.PrepareRenameParams(**editor.at(URI, "(role w", "hite"))
        place = await soon(editor.client.text_document_prepare_rename_async(asked))
        assert editor.shown(URI, [place]) == [(1, "white")]

    assert session(test).said == b""


def test_a_layout_keeps_how_lines_end() -> None:
    async def test(editor) -> None:
        text = SOUND.replace("\n", "\r\n")
        editor.open(URI, text)
        asked = lsp.DocumentFormattingParams(
            lsp.TextDocumentIdentifier(URI), lsp.FormattingOptions(4, True)
        )
        edits = await soon(editor.client.text_document_formatting_async(asked))
        assert applied(text, edits) == ggp.format(SOUND).replace("\n", "\r\n")

    session(test)


def test_an_error_in_a_request_is_answered_and_the_server_lives_on() -> None:
    async def test(editor) -> None:
        with pytest.raises(JsonRpcException):
            await soon(editor.client.protocol.send_request_async("no/such", {}))
        editor.change("file:///never/opened.kif", 2, SOUND)
        editor.open(URI, SOUND)
        assert await editor.diagnostics(URI) == []

    session(test)


@pytest.mark.parametrize("text", [SOUND, "\n".join(f"(<= p{k} {'(or a b c d e)' * 5})" for k in
                                                   range(60))], ids=["idle", "busy"])  # fmt: skip
def test_a_client_that_is_gone_ends_the_server_and_leaves_no_process(text) -> None:
    async def run() -> None:
        editor = Editor()
        await editor.start()
        editor.open(URI, SOUND)
        await editor.diagnostics(URI)
        editor.change(URI, 2, text)
        children = psutil.Process(editor.server.pid).children(recursive=True)
        assert children
        editor.server.stdin.close()
        assert await editor.ended() == 1
        _, alive = psutil.wait_procs(children, timeout=PATIENCE)
        assert not alive

    asyncio.run(run())


def test_an_editor_that_vanishes_with_its_pipes_open_is_missed() -> None:
    async def run() -> None:
        with subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE
        ) as program:
            editor = Editor()
            await editor.start(process=program.pid)
        assert await editor.ended() == 1

    asyncio.run(run())


def test_a_port_serves_one_editor() -> None:
    command = [sys.executable, "-m", "ggp", "lsp", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        port = int(server.stderr.readline().rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            assert connection.recv(16).startswith(b"Content-Length:")
        assert server.wait(PATIENCE) == 1


def test_without_pygls_it_is_said_how_to_get_it(ggp_, monkeypatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] in ("pygls", "lsprotocol")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.startswith("ggp.lsp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    code, output, errors = ggp_("lsp")
    assert (code, output) == (2, "")
    assert "pip install 'ggp[lsp]'" in errors
    assert verb.lsp.name == "lsp"
