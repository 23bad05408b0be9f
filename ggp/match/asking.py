"""One message of a game manager to a player over HTTP, and what comes back."""

from __future__ import annotations

import asyncio
import os
import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

import h11

from ggp.errors import InputError

MAX_REPLY = 1 << 16
"""Bytes of a reply's body."""

CONNECTING = 5.0
"""Seconds to connect."""

HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
LENGTH = re.compile(rb"^content-length:[ \t]*([0-9]+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
"""Where a head ends that HTTP does not allow, and the length that stands in it."""


@dataclass(frozen=True)
class Reply:
    """What came of one message: the text, or None and an `error`: `TO` (the time was over), `CE`
    (no connection, closed without a reply that HTTP allows, or a reply too long). `why`: what the
    system says of a connection that could not be made."""

    text: str | None
    error: str = ""
    why: str = ""


TOO_LONG = Reply(None, f"CE more than {MAX_REPLY:,} bytes")
"""What comes of a reply that is not read to its end."""


@dataclass(frozen=True)
class Address:
    """Where a player listens."""

    host: str
    port: int

    @classmethod
    def of(cls, url: str) -> Address:
        """From `http://host:port` or `host:port`; raises `InputError` for anything else."""
        try:
            parts = urlsplit(url if "//" in url else f"http://{url}")
            port = parts.port
        except ValueError:
            raise InputError(f"{url}: not the address of a player") from None
        rest = parts.username or parts.query or parts.path.strip("/")
        if parts.scheme != "http" or not parts.hostname or rest:
            raise InputError(f"{url}: a player's address is http://HOST:PORT")
        return cls(parts.hostname, port or 9147)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


async def ask(
    address: Address,
    message: str,
    sender: str,
    name: str,
    seconds: float,
    *,
    is_dresden: bool = False,
) -> Reply:
    """Send a message and wait for the reply, so many seconds in all.

    `is_dresden`: as the Dresden controller does it, without a Host, and the reply is all that comes
    until the connection is closed, whatever its length is said to be. Never raises for what the
    other side does or fails to do.
    """
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(seconds):
            async with asyncio.timeout(CONNECTING):
                reader, writer = await asyncio.open_connection(address.host, address.port)
            return await _exchange(
                reader, writer, address, message, sender, name, is_dresden=is_dresden
            )
    except TimeoutError:
        return Reply(None, "TO") if writer else Reply(None, "CE", "no answer")
    except (h11.RemoteProtocolError, asyncio.IncompleteReadError):
        return Reply(None, "CE")
    except OSError as error:
        return Reply(None, "CE", "" if writer else _reason(error))
    finally:
        if writer:
            writer.transport.abort()


def _reason(error: OSError) -> str:
    """Why there is no connection, without the address, which who asks knows."""
    if error.errno is not None and error.errno > 0 and not isinstance(error, socket.gaierror):
        return os.strerror(error.errno)
    return error.strerror or "no connection"


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    address: Address,
    message: str,
    sender: str,
    name: str,
    *,
    is_dresden: bool,
) -> Reply:
    body = message.encode("utf-8", "replace")
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_REPLY)
    headers = [
        ("Accept", "text/delim"),
        ("Host", address.host),
        ("Sender", sender),
        ("Receiver", name),
        ("Content-Type", "text/acl"),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
    ]
    request = h11.Request(method="POST", target="/", headers=headers)
    head = connection.send(request) or b""
    # h11 knows no other version; the real managers speak HTTP/1.0, and one of them names no host.
    head = head.replace(b" HTTP/1.1\r\n", b" HTTP/1.0\r\n", 1)
    if is_dresden:
        head = re.sub(rb"\r\nHost: [^\r]*", b"", head, count=1)
    writer.write(head)
    for part in (h11.Data(data=body), h11.EndOfMessage()):
        writer.write(connection.send(part) or b"")
    await writer.drain()
    found, is_answered = bytearray(), False
    came = bytearray()
    while True:
        try:
            event = connection.next_event()
        except h11.RemoteProtocolError:
            # A length that is not kept to is not looked at, as long as there is an answer.
            if is_answered and found:
                break
            if is_answered:
                raise
            return await _of_any_head(reader, came, is_dresden=is_dresden)
        is_answered |= isinstance(event, h11.Response)
        if isinstance(event, h11.Data):
            found += event.data
            if len(found) > MAX_REPLY:
                return TOO_LONG
        elif event is h11.NEED_DATA:
            received = await reader.read(1 << 14)
            came += received
            connection.receive_data(received)
        elif not isinstance(event, (h11.Response, h11.InformationalResponse)):
            break
    if is_dresden and is_answered:
        found += connection.trailing_data[0]
        while more := await reader.read(1 << 14):
            found += more
            if len(found) > MAX_REPLY:
                return TOO_LONG
    text = found.decode("utf-8", "replace").strip()
    return Reply(text) if is_answered else Reply(None, "CE")


async def _of_any_head(reader: asyncio.StreamReader, came: bytearray, *, is_dresden: bool) -> Reply:
    """A reply whose head is none that HTTP allows, as the real managers read it: what stands after
    the first empty line, of the length that is told, or all (the Dresden controller) until the
    connection is closed."""
    while True:
        head = HEAD_ENDS.search(came)
        told = LENGTH.search(came, 0, head.start()) if head and not is_dresden else None
        length = int(told[1][:9]) if told else None
        if head and length is not None and len(came) >= head.end() + length:
            break
        if len(came) > MAX_REPLY:
            return TOO_LONG
        more = await reader.read(1 << 14)
        if not more:
            break
        came += more
    if not head:
        return Reply(None, "CE")
    body = came[head.end() :] if length is None else came[head.end() : head.end() + length]
    return Reply(body.decode("utf-8", "replace").strip())
