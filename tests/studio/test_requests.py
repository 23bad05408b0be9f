"""Requests that no page sends: each is refused in words, and tables and the server stay."""

from __future__ import annotations

import asyncio
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from ggp.cli.studio import own_sheets
from ggp.studio.serving import server_of
from tests.studio.conftest import Running

TIC = "shipped/tic-tac-toe/tic-tac-toe"

DEEP = "[" * 900 + "]" * 900

ODD = {
    "deep": DEEP,
    "a huge number": "9" * 400,
    "half a character": '"\\ud800"',
    "half a character in a name": '{"\\ud800": ""}',
    "no number": "NaN",
    "infinity": "1e999",
    "many": "[" + "0," * 200_000 + "0]",
}

ASKED = ("/api/tables", "/api/jobs", "/api/check", "/api/format", "/api/drafts", "/api/save")


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_odd_values_are_refused_wherever_they_are(studio: Running, odd: str) -> None:
    table = studio.table(TIC)
    for path in (*ASKED, f"/api/tables/{table['table']}"):
        for name in ("text", "seconds", "x", "turn"):
            own = {"game": f'"{TIC}"', "task": '"seats"', "do": '"look"', name: odd}
            body = ", ".join(f'"{key}": {value}' for key, value in own.items())
            reply = studio.ask(path, f"{{{body}}}".encode())
            assert reply.status == 400, (path, name, reply.body)
            assert reply.data["error"]
    assert studio.tell(table, "move", move=0)["path"] == "0"


def test_files_of_any_name_have_keys_that_addresses_can_hold(tmp_path: Path) -> None:
    names = [b"a\nb.kif", b"bad\xff.kif", "\u202ertl.kif".encode(), b"per%20cent#?.kif"]
    for name in names:
        (tmp_path / name.decode(errors="surrogateescape")).write_text("(role a)")
    found = own_sheets((tmp_path,))
    assert {file.name.encode(errors="surrogateescape") for _, file in found} == set(names)
    assert all(key.isprintable() and key.encode() for key, _ in found)


def test_no_two_files_have_the_same_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("a", "b/a"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "x.kif").write_text("(role a)")
    monkeypatch.chdir(tmp_path / "b")
    found = own_sheets((Path("a"), Path("../a")))
    assert len({key for key, _ in found}) == len({file for _, file in found}) == 2


HEADS: dict[str, Any] = {
    "a date": "a = [1979-05-27]",
    "a date in a table": "a = [{b = 1979-05-27}]",
    "a number of 5000 digits": "a = 0x" + "f" * 5_000,
    "a deep list": "a = " + "[" * 200 + "]" * 200,
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_odd_parameters_of_one_template_do_not_take_the_gallery_away(
    studio: Running, head: str
) -> None:
    file = studio.folder / "odd.kif.jinja"
    file.write_text(f"{{# parameters\n{head}\n#}}\n(role a)")
    try:
        assert studio.ask("/").status == 200
    finally:
        file.unlink()


SILENT = {
    "nothing": b"",
    "half a head": b"POST /api/check HTTP/1.1\r\nHost: localhost\r\n",
    "half a second head": b"GET /static/none HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
    "half a body": b"POST /api/check HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
}


@pytest.mark.parametrize("said", SILENT.values(), ids=SILENT)
def test_connections_that_say_nothing_more_are_ended(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("guard", "patience"):
        monkeypatch.setattr(f"ggp.studio.{module}.PATIENCE", 0.2)

    async def main() -> tuple[bytes, bytes]:
        listening = socket.create_server(("127.0.0.1", 0))
        server = server_of(list)
        serving = asyncio.ensure_future(server.serve(sockets=[listening]))
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(said)
        silent = await reader.read()
        writer.close()
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"GET /static/studio.css HTTP/1.0\r\nHost: localhost\r\n\r\n")
        answered = await reader.read()
        writer.close()
        server.should_exit = True
        await serving
        return silent, answered

    silent, answered = asyncio.run(asyncio.wait_for(main(), 60))
    assert answered.startswith(b"HTTP/1.1 200")
    assert silent.count(b"HTTP/1.1") == (b"Content-Length" in said or b"\n\r\n" in said)


def test_a_folder_that_takes_long_to_list_keeps_nobody_waiting() -> None:
    let = threading.Event()
    looking = threading.Event()

    def slow() -> list[tuple[str, Path]]:
        looking.set()
        let.wait(10)
        return []

    async def answer(port: int, path: str, body: str = "") -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        how = f"POST {path} HTTP/1.0\r\n{kind}" if body else f"GET {path} HTTP/1.0\r\n"
        writer.write(f"{how}Host: localhost\r\n\r\n{body}".encode())
        found = await reader.read()
        writer.close()
        return found

    async def main() -> None:
        listening = socket.create_server(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        server = server_of(slow)
        serving = asyncio.ensure_future(server.serve(sockets=[listening]))
        unknown = '{"game": "own/none"}'
        asked = [
            asyncio.ensure_future(answer(port, *one))
            for one in [
                ("/play/own/none",),
                ("/picture/own/none",),
                ("/api/check", unknown),
                ("/api/tables", unknown),
                ("/api/save", unknown),
            ]
        ]
        await asyncio.to_thread(looking.wait, 60)
        assert (await answer(port, "/static/studio.css")).startswith(b"HTTP/1.1 200")
        assert not any(one.done() for one in asked)
        let.set()
        assert all(b"404" in found.partition(b"\r\n")[0] for found in await asyncio.gather(*asked))
        server.should_exit = True
        await serving

    try:
        asyncio.run(asyncio.wait_for(main(), 60))
    finally:
        let.set()
