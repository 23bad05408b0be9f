"""How long a reply may be, over a wire of our own."""

from __future__ import annotations

import asyncio

import pytest

from ggp.match.asking import MAX_REPLY, Address, Reply, ask


async def asked(body: bytes) -> Reply:
    """The reply of one who answers with this body."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body))
        writer.write(body)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        return await ask(Address("127.0.0.1", port), "( INFO )", "sender", "name", 20.0)


@pytest.mark.parametrize(
    ("length", "reply"),
    [
        (0, Reply("")),
        (1, Reply("x")),
        (MAX_REPLY - 1, Reply("x" * (MAX_REPLY - 1))),
        (MAX_REPLY, Reply("x" * MAX_REPLY)),
        (MAX_REPLY + 1, Reply(None, "CE")),
    ],
    ids=["none", "one", "one less", "the limit", "one more"],
)
def test_a_reply_is_as_long_as_the_limit_and_no_longer(length: int, reply: Reply) -> None:
    assert asyncio.run(asked(b"x" * length)) == reply


def test_a_length_that_is_not_kept_to_is_not_looked_at() -> None:
    """Of PROTOCOL: Dresden ignores Content-Length; less than it, and then the end, is a reply."""

    async def scene() -> Reply:
        async def answer(reader, writer) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.0 200 OK\r\nContent-Length: 999\r\n\r\n(mark 1 1)")
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            return await ask(Address("127.0.0.1", port), "( INFO )", "sender", "name", 20.0)

    assert asyncio.run(scene()) == Reply("(mark 1 1)")
