"""Bodies of requests to messages: short ones at once, long ones in a process of their own.

Reading holds the interpreter, and whoever holds it keeps everybody else waiting. So only short
messages are read in the answering half; of the others the shortest is read first, each within
`SECONDS`.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from urllib.parse import unquote_to_bytes

from ggp.errors import GgpError, LimitReached
from ggp.match.messages import BadMessage, Message, parse_message
from ggp.process import Process

SHORT = 1 << 13
"""Bytes of a message that is read at once: some milliseconds at the most."""

SECONDS = 10.0
"""Seconds for one message."""

MAX_WAITING = 64 << 20
"""Bytes of the messages that wait."""

MEMORY = 2 << 30


@dataclass(frozen=True)
class Body:
    """The text of a message as it came; `in_url` if it is part of an address (GET)."""

    content: bytes
    in_url: bool = False

    def read(self) -> Message:
        """The message; raises what `parse_message` raises."""
        content = self.content
        if self.in_url:
            content = unquote_to_bytes(content.lstrip(b"/").replace(b"+", b" "))
        try:
            return parse_message(content.decode("utf-8", "replace"))
        except RecursionError:
            raise BadMessage("a message nested too deeply") from None


@dataclass(order=True)
class _Waiting:
    size: int
    number: int
    body: Body = field(compare=False)
    message: asyncio.Future[Message] = field(compare=False)


class Reader:
    """Reads bodies, one long one at a time."""

    def __init__(self) -> None:
        self._queue: list[_Waiting] = []
        self._numbers = itertools.count()
        self._current: _Waiting | None = None
        self._process: Process | None = None
        self._alarm: asyncio.TimerHandle | None = None

    async def read(self, body: Body) -> Message:
        """The message in `body`; `LimitReached` where too much waits or it takes too long."""
        size = len(body.content)
        if size <= SHORT:
            return body.read()
        if size + sum(waiting.size for waiting in self._queue) > MAX_WAITING:
            raise LimitReached("waiting", MAX_WAITING, "bytes of messages to be read")
        waiting = _Waiting(size, next(self._numbers), body, asyncio.Future())
        heapq.heappush(self._queue, waiting)
        self._next()
        try:
            return await waiting.message
        finally:
            if waiting in self._queue:
                self._queue.remove(waiting)
                heapq.heapify(self._queue)

    def close(self) -> None:
        """End the process."""
        if self._alarm:
            self._alarm.cancel()
        if self._process:
            self._process.close()
        self._process = None

    def _next(self) -> None:
        if self._current or not self._queue:
            return
        if self._process is None or not self._process.alive:
            self._process = Process(read_bodies, self._hear, MEMORY)
        self._current = heapq.heappop(self._queue)
        self._process.send(self._current.body)
        self._alarm = asyncio.get_running_loop().call_later(SECONDS, self._give_up)

    def _give_up(self) -> None:
        self.close()
        self._hear(LimitReached("time", SECONDS, "seconds for reading a message"))

    def _hear(self, said: Message | GgpError | None) -> None:
        waiting, self._current = self._current, None
        if self._alarm:
            self._alarm.cancel()
        if waiting and not waiting.message.done():
            if said is None:
                said = LimitReached("memory", MEMORY, "while reading a message")
            if isinstance(said, GgpError):
                waiting.message.set_exception(said)
            else:
                waiting.message.set_result(said)
        self._next()


def read_bodies(pipe: Connection) -> None:
    """The life of the reading process."""
    while True:
        body = pipe.recv()
        try:
            pipe.send(body.read())
        except LimitReached as error:
            # Errors with several arguments do not survive the way through a pipe.
            pipe.send(BadMessage(str(error)))
        except GgpError as error:
            pipe.send(BadMessage(str(error).partition("\n")[0][:200]))
