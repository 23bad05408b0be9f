"""A player's HTTP server, lenient enough for every game manager there is.

h11 does the HTTP; what it cannot know is done here: bodies without a length end where their
parentheses balance, and a reply is stated as HTTP/1.0 and the connection closed after it, for which
the Dresden server waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from http import HTTPStatus
from urllib.parse import unquote_plus

import h11

from ggp.errors import GgpError, LimitReached
from ggp.match.messages import parse_message
from ggp.match.service import PlayerService
from ggp.text import plain

log = logging.getLogger(__name__)

MAX_BODY = 2 << 20
MAX_HEADER = 2 << 20
MAX_CONNECTIONS = 512
PATIENCE = 10.0
"""Seconds to wait for a message that does not come to its end."""

IDLE = 1.0
"""Seconds of silence after which a body of unknown length counts as complete."""


class _Refused(Exception):
    """A request that gets an HTTP error; the connection's other state does not matter."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class PlayerServer:
    """Answers GGP messages over HTTP on one address."""

    def __init__(self, service: PlayerService) -> None:
        self.service = service
        self._server: asyncio.Server | None = None
        self._open = 0

    async def start(self, host: str, port: int) -> int:
        """Listen; returns the port, which the system chooses if `port` is 0."""
        self._server = await asyncio.start_server(self._connected, host, port)
        return int(self._server.sockets[0].getsockname()[1])

    async def serve_forever(self) -> None:
        """Answer until cancelled."""
        assert self._server is not None
        async with self._server:
            await self._server.serve_forever()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection is one message."""
        arrived = time.monotonic()
        self._open += 1
        try:
            status, body = await self._answer(reader, arrived)
            writer.write(_response(status, body))
            await asyncio.wait_for(writer.drain(), PATIENCE)
            if status >= 400:
                await _let_finish(reader, writer)
        except (TimeoutError, OSError):
            log.info("the other side went away")
        except Exception:
            # Whatever one message does, the player lives on.
            log.exception("a message could not be answered")
        finally:
            self._open -= 1
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, arrived: float) -> tuple[int, str]:
        try:
            if self._open > MAX_CONNECTIONS:
                raise _Refused(503, "too many connections")
            text = await _Request(reader).message()
            if text is None:
                return 200, ""
            # A long message takes a while to read; others must not wait for it.
            message = await asyncio.to_thread(parse_message, text)
            reply = await self.service.reply(message, arrived)
            log.info("%s -> %s", type(message).__name__.upper(), plain(reply))
            return 200, reply
        except _Refused as refused:
            log.warning("refused: %s", plain(refused))
            return refused.status, str(refused)
        except LimitReached as error:
            log.warning("refused: %s", plain(error))
            return 413, "message too large"
        except (GgpError, RecursionError) as error:
            log.warning("malformed message: %s", plain(str(error).splitlines()[0][:200]))
            return 400, "malformed message"


async def _let_finish(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read on for a moment: closing with input unread would wipe out the reply on its way."""
    writer.write_eof()
    with contextlib.suppress(asyncio.TimeoutError):
        async with asyncio.timeout(IDLE):
            while await reader.read(65536):
                pass


class _Request:
    """Reads the one request of a connection."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self.reader = reader
        self.http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEADER)

    async def message(self) -> str | None:
        """The text of the message; None for a request that only asks for permission (OPTIONS)."""
        try:
            return await asyncio.wait_for(self._message(), PATIENCE)
        except TimeoutError:
            raise _Refused(408, "the message did not come to its end") from None
        except h11.RemoteProtocolError as error:
            raise _Refused(400, f"malformed HTTP: {error}") from None

    async def _message(self) -> str | None:
        request = await self._request()
        if request.method == b"OPTIONS":
            return None
        if request.method == b"GET":
            return unquote_plus(request.target.decode("ascii", "replace").lstrip("/"))
        if request.method != b"POST":
            raise _Refused(405, "only POST and GET")
        sized = any(name == b"content-length" for name, _ in request.headers)
        body = await (self._sized_body() if sized else self._open_body())
        return body.decode("utf-8", "replace").strip()

    async def _request(self) -> h11.Request:
        while True:
            event = self.http.next_event()
            if isinstance(event, h11.Request):
                return event
            if not isinstance(event, type(h11.NEED_DATA)):
                raise _Refused(400, "no request")
            data = await self.reader.read(65536)
            self.http.receive_data(data)

    async def _sized_body(self) -> bytes:
        """A body with a Content-Length, which may be wrong.

        Some managers count characters, not bytes, so that more may follow; and a body whose
        parentheses balance is taken as it is where the rest of the stated length does not come.
        """
        body = b""
        while True:
            event = self.http.next_event()
            if isinstance(event, h11.Data):
                body += bytes(event.data)
                if len(body) > MAX_BODY:
                    raise _Refused(413, "message too large")
            elif isinstance(event, h11.EndOfMessage):
                return await self._until_balanced(body + self.http.trailing_data[0])
            else:
                patience = IDLE if _is_balanced(body) else PATIENCE
                try:
                    data = await asyncio.wait_for(self.reader.read(65536), patience)
                except TimeoutError:
                    data = b""
                if not data and _is_balanced(body):
                    return body
                self.http.receive_data(data)

    async def _open_body(self) -> bytes:
        """A body without a length."""
        self.http.next_event()
        rest, _ = self.http.trailing_data
        return await self._until_balanced(rest)

    async def _until_balanced(self, body: bytes) -> bytes:
        """`body` and what follows it until its parentheses balance, or nothing more comes."""
        while not _is_balanced(body):
            try:
                data = await asyncio.wait_for(self.reader.read(65536), IDLE)
            except TimeoutError:
                break
            if not data:
                break
            body += data
            if len(body) > MAX_BODY:
                raise _Refused(413, "message too large")
        return body


def _is_balanced(body: bytes) -> bool:
    return body.count(b"(") > 0 and body.count(b"(") <= body.count(b")")


def _response(status: int, body: str) -> bytes:
    """A whole reply. Some managers read no further than the stated length, others to the end."""
    content = body.encode("utf-8")
    headers = [
        ("Content-Type", "text/acl"),
        ("Content-Length", str(len(content))),
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Allow-Methods", "POST, GET, OPTIONS"),
        ("Access-Control-Allow-Headers", "Content-Type, Sender, Receiver"),
        ("Access-Control-Max-Age", "86400"),
        ("Connection", "close"),
    ]
    http = h11.Connection(h11.SERVER)
    http.receive_data(b"GET / HTTP/1.0\r\n\r\n")
    http.next_event()
    reason = HTTPStatus(status).phrase.encode("ascii")
    data = http.send(h11.Response(status_code=status, reason=reason, headers=headers))
    data += http.send(h11.Data(data=content)) + http.send(h11.EndOfMessage())
    # h11 knows no other status line; these peers speak HTTP/1.0.
    return data.replace(b"HTTP/1.1", b"HTTP/1.0", 1)
