"""A player's HTTP server, lenient enough for every game manager there is.

h11 does the HTTP; what it cannot know is done here: bodies without a length end where their
parentheses balance, and a reply is stated as HTTP/1.0 and the connection closed after it, for which
the Dresden server waits. All that is kept of a client is bounded, and nothing here takes longer
than some milliseconds at a time.
"""

from __future__ import annotations

import asyncio
import logging
import time
from http import HTTPStatus

import h11

from ggp.errors import GgpError, LimitReached
from ggp.match.page import POLICY
from ggp.match.reading import Body, Reader
from ggp.match.service import PlayerService
from ggp.match.underway import RefusedMessage
from ggp.text import plain

log = logging.getLogger(__name__)

MAX_BODY = 2 << 20
MAX_HEADERS = 1 << 16
"""Bytes of a request's header without its first line, which may hold a message (GET)."""

MAX_HEADER_LINES = 100
MAX_CONNECTIONS = 512
MAX_PIPELINED = 16
"""Requests answered on one connection, if they are sent without waiting for a reply."""

PATIENCE = 10.0
"""Seconds to wait for a message that does not come to its end."""

IDLE = 1.0
"""Seconds of silence after which a body of unknown length counts as complete."""


_BLANK = b" \t\r\n"


class _Refused(Exception):
    """A request that gets an HTTP error; the connection's other state does not matter."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class PlayerServer:
    """Answers GGP messages over HTTP on one address."""

    def __init__(self, service: PlayerService) -> None:
        self.service = service
        self._reader = Reader()
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._unread: dict[asyncio.StreamWriter, None] = {}

    async def start(self, host: str, port: int) -> int:
        """Listen; returns the port, which the system chooses if `port` is 0."""
        self._server = await asyncio.start_server(self._connected, host, port)
        return int(self._server.sockets[0].getsockname()[1])

    async def serve_forever(self) -> None:
        """Answer until cancelled."""
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            self.close()

    def close(self) -> None:
        """Listen no more and drop all connections."""
        if self._server:
            self._server.close()
        self._reader.close()
        for task, writer in self._connections.items():
            writer.transport.abort()
            task.cancel()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection in a task that is ours to end."""
        if len(self._connections) >= MAX_CONNECTIONS:
            # Whoever is silent longest makes room; whoever waits for an answer is not dropped.
            if not self._unread:
                writer.transport.abort()
                return
            oldest = next(iter(self._unread))
            del self._unread[oldest]
            oldest.transport.abort()
        self._unread[writer] = None
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._connections[task] = writer
        task.add_done_callback(lambda _: self._gone(task, writer))

    def _gone(self, task: asyncio.Task[None], writer: asyncio.StreamWriter) -> None:
        self._connections.pop(task, None)
        self._unread.pop(writer, None)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection is one message, or several if they come in one piece."""
        arrived = time.monotonic()
        request = _Request(reader)
        try:
            for number in range(MAX_PIPELINED):
                status, body = await self._answer(request, writer, arrived)
                is_page = status == 200 and request.wants_page
                more = status == 200 and request.rest != b"" and number + 1 < MAX_PIPELINED
                writer.write(_response(status, body, more, is_page=is_page))
                await asyncio.wait_for(writer.drain(), PATIENCE)
                if not more:
                    break
                request, arrived = _Request(reader, request.rest), time.monotonic()
            if status >= 400:
                await _let_finish(reader, writer)
        except (TimeoutError, OSError):
            log.info("the other side went away")
        except Exception:
            # Whatever one message does, the player lives on.
            log.exception("a message could not be answered")
        finally:
            writer.close()

    async def _answer(
        self, request: _Request, writer: asyncio.StreamWriter, arrived: float
    ) -> tuple[int, str]:
        try:
            body = await request.body()
            self._unread.pop(writer, None)
            if request.wants_page:
                return 200, self.service.page()
            if body is None:
                return 200, ""
            message = await self._reader.read(body)
            reply = await self.service.reply(message, arrived)
            log.info("%s -> %s", type(message).__name__.upper(), plain(reply))
            return 200, reply
        except _Refused as refused:
            log.warning("refused: %s", plain(refused))
            return refused.status, str(refused)
        except RefusedMessage as error:
            log.warning("refused: %s", plain(error))
            return 400, plain(error)
        except LimitReached as error:
            log.warning("refused: %s", plain(error))
            return 413, "message too large"
        except GgpError as error:
            log.warning("malformed message: %s", plain(str(error).splitlines()[0][:200]))
            return 400, "malformed message"


async def _let_finish(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read on for a moment: closing with input unread would wipe out the reply on its way."""
    writer.write_eof()
    try:
        async with asyncio.timeout(IDLE):
            while await reader.read(65536):
                pass
    except TimeoutError:
        pass


class _Request:
    """Reads one request; `rest` is what came after it."""

    def __init__(self, reader: asyncio.StreamReader, begun: bytes = b"") -> None:
        self.reader = reader
        self.rest = begun
        self.wants_page = False

    async def body(self) -> Body | None:
        """The message; None for a request that only asks for permission (OPTIONS), or for the page
        (`wants_page`)."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._body()
        except TimeoutError:
            raise _Refused(408, "the message did not come to its end") from None
        except h11.RemoteProtocolError as error:
            raise _Refused(400, f"malformed HTTP: {error}") from None

    async def _body(self) -> Body | None:
        http = h11.Connection(h11.SERVER, max_incomplete_event_size=2 * MAX_BODY)
        head, rest = await self._head()
        http.receive_data(head)
        request = http.next_event()
        if not isinstance(request, h11.Request):
            raise _Refused(400, "no request")
        self.rest = rest.lstrip(_BLANK)
        if request.method == b"OPTIONS":
            return None
        if request.method == b"GET":
            if request.target == b"/":
                self.wants_page = True
                return None
            return Body(request.target, in_url=True)
        if request.method != b"POST":
            raise _Refused(405, "only POST and GET")
        if any(name in (b"content-length", b"transfer-encoding") for name, _ in request.headers):
            return Body(await self._sized_body(http, rest))
        return Body(await self._until_balanced(_BodyText(rest)))

    async def _head(self) -> tuple[bytes, bytes]:
        """The lines up to the first empty one, and what came after them."""
        data = bytearray(self.rest.lstrip(_BLANK))
        first = end = -1
        seen = 0
        while True:
            first = data.find(b"\n", seen) if first < 0 else first
            if first >= 0:
                found = [
                    at + len(mark)
                    for mark in (b"\n\r\n", b"\n\n")
                    if (at := data.find(mark, max(first, seen - 3))) >= 0
                ]
                end = min(found, default=-1)
                head = (end if end >= 0 else len(data)) - first
                lines = data.count(b"\n", first, end if end >= 0 else len(data))
                if head > MAX_HEADERS or lines > MAX_HEADER_LINES:
                    raise _Refused(431, "too many headers")
                if end >= 0:
                    return bytes(data[:end]), bytes(data[end:])
            elif len(data) > MAX_BODY:
                raise _Refused(414, "message too large")
            seen = len(data)
            more = await self.reader.read(65536)
            if not more:
                raise _Refused(400, "no request")
            # Empty lines before a request mean nothing (RFC 9112, section 2.2).
            data += more if data else more.lstrip(_BLANK)

    async def _sized_body(self, http: h11.Connection, begun: bytes) -> bytes:
        """A body with a Content-Length, which may be wrong, or in chunks.

        Some managers count characters, not bytes, so that more may follow; and a body whose
        parentheses balance is taken as it is where the rest of the stated length does not come.
        """
        text = _BodyText(b"")
        if begun:
            http.receive_data(begun)
        while True:
            event = http.next_event()
            if isinstance(event, h11.Data):
                text.add(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                rest = http.trailing_data[0]
                if text.is_balanced:
                    self.rest = rest.lstrip(_BLANK)
                    return bytes(text.content)
                text.add(rest)
                return await self._until_balanced(text)
            else:
                self.rest = b""
                patience = IDLE if text.is_balanced else PATIENCE
                try:
                    data = await asyncio.wait_for(self.reader.read(65536), patience)
                except TimeoutError:
                    data = b""
                if not data and text.is_balanced:
                    return bytes(text.content)
                http.receive_data(data)

    async def _until_balanced(self, text: _BodyText) -> bytes:
        """`text` and what follows it until its parentheses balance, or nothing more comes."""
        self.rest = b""
        while not text.is_balanced:
            try:
                data = await asyncio.wait_for(self.reader.read(65536), IDLE)
            except TimeoutError:
                break
            if not data:
                break
            text.add(data)
        return bytes(text.content)


class _BodyText:
    """What has come of a body, and whether its parentheses balance."""

    def __init__(self, begun: bytes) -> None:
        self.content = bytearray()
        self._open = self._closed = 0
        self.add(begun)

    def add(self, data: bytes) -> None:
        self.content += data
        self._open += data.count(b"(")
        self._closed += data.count(b")")
        if len(self.content) > MAX_BODY:
            raise _Refused(413, "message too large")

    @property
    def is_balanced(self) -> bool:
        return 0 < self._open <= self._closed


def _response(status: int, body: str, more: bool, *, is_page: bool = False) -> bytes:
    """A whole reply; `more` if another one follows, `is_page` if it is for a browser.

    Some managers read no further than the stated length, others to the end.
    """
    content = body.encode("utf-8")
    kind = [("Content-Type", "text/acl")]
    if is_page:
        kind = [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
        ]
    headers = [
        *kind,
        ("Content-Length", str(len(content))),
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Allow-Methods", "POST, GET, OPTIONS"),
        ("Access-Control-Allow-Headers", "Content-Type, Sender, Receiver"),
        ("Access-Control-Max-Age", "86400"),
        ("Connection", "keep-alive" if more else "close"),
    ]
    http = h11.Connection(h11.SERVER)
    http.receive_data(b"GET / HTTP/1.1\r\nHost: any\r\n\r\n")
    http.next_event()
    reason = HTTPStatus(status).phrase.encode("ascii")
    data = http.send(h11.Response(status_code=status, reason=reason, headers=headers))
    data += http.send(h11.Data(data=content)) + http.send(h11.EndOfMessage())
    # h11 knows no other status line; these peers speak HTTP/1.0.
    return data.replace(b"HTTP/1.1", b"HTTP/1.0", 1)
