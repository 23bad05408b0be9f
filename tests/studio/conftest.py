"""A studio that runs as a user starts it, and what its pages would ask."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest

from ggp import limits


@pytest.fixture(autouse=True)
def memory_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests of this process have left in memory does not count against the limits of a
    studio, which are smaller than those of the commands."""
    process, left = limits._process(), limits.memory_in_use()

    def taken() -> SimpleNamespace:
        now = process.memory_info()
        return SimpleNamespace(rss=max(0, now.rss - getattr(now, "shared", 0) - left))

    monkeypatch.setattr(limits, "_process", lambda: SimpleNamespace(memory_info=taken))


HOSTILE = "<script>alert`1`</script>"
"""A symbol, in which there are no parentheses."""


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: str

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Running:
    """A studio by its address; `folder` holds the user's sheets."""

    address: str
    folder: Path

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    def ask(self, path: str, body: object = None, *, method: str = "", **headers: str) -> Reply:
        """One request; with a body a POST of JSON."""
        connection = http.client.HTTPConnection(self.host, timeout=120)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            given = {"Content-Type": "application/json", **given}
        connection.request(method or ("GET" if data is None else "POST"), path, data, given)
        answer = connection.getresponse()
        reply = Reply(answer.status, dict(answer.getheaders()), answer.read().decode())
        connection.close()
        return reply

    def table(self, game: str, **opening: Any) -> dict[str, Any]:
        reply = self.ask("/api/tables", {"game": game, **opening})
        assert reply.status == 200, reply.body
        found: dict[str, Any] = reply.data
        return found

    def tell(self, shown: dict[str, Any], do: str, **message: Any) -> dict[str, Any]:
        """What a table shows after a message that is made for what it shows now."""
        body = {"do": do, "turn": shown["view"]["turn"], **message}
        reply = self.ask(f"/api/tables/{shown['table']}", body)
        assert reply.status == 200, reply.body
        found: dict[str, Any] = reply.data
        return found


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    folder = tmp_path_factory.mktemp("own")
    (folder / "mine.kif").write_text("(role a)\n(init (on 1))\n(legal a go)\n(foo")
    named = "(role |x|) (role <script>alert(1)</script>)"
    (folder / "named.kif").write_text(named)
    command = [sys.executable, "-m", "ggp", "studio", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        said = process.stdout.readline()
        address = re.search(r"http://\S+/", said)
        assert address, said
        yield Running(address[0], folder)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130  # interrupted
