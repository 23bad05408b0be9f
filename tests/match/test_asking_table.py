"""How long a reply may be, over a wire of our own."""

from __future__ import annotations

import asyncio

import pytest

from ggp.match.asking import MAX_REPLY, TOO_LONG, Address, Reply, ask


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
        (MAX_REPLY + 1, TOO_LONG),
    ],
    ids=["none", "one", "one less", "the limit", "one more"],
)
def test_a_reply_is_as_long_as_the_limit_and_no_longer(length: int, reply: Reply) -> None:
    assert asyncio.run(asked(b"x" * length)) == reply


@pytest.mark.parametrize(
    ("length", "after", "stays", "base", "dresden"),
    [
        (10, b"", False, Reply("(mark 1 1)"), Reply("(mark 1 1)")),
        (999, b"", False, Reply("(mark 1 1)"), Reply("(mark 1 1)")),
        (10, b" (z z", False, Reply("(mark 1 1)"), Reply("(mark 1 1) (z z")),
        (10, b"", True, Reply("(mark 1 1)"), Reply(None, "TO")),
    ],
    ids=["right", "too much", "too little", "not closed"],
)
def test_dresden_reads_until_the_end_and_looks_at_no_length(
    length, after, stays, base, dresden
) -> None:
    """Of both servers' behaviour on the wire; what is cut off is an answer for either."""

    async def scene(is_dresden: bool) -> Reply:
        over = asyncio.Event()

        async def answer(reader, writer) -> None:
            await reader.readuntil(b"\r\n\r\n")
            head = f"HTTP/1.0 200 OK\r\nContent-Length: {length}\r\n\r\n"
            writer.write(head.encode() + b"(mark 1 1)" + after)
            await writer.drain()
            if stays:
                await over.wait()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            at = Address("127.0.0.1", server.sockets[0].getsockname()[1])
            seconds = 1.0 if stays and is_dresden else 20.0
            said = await ask(at, "( INFO )", "s", "n", seconds, is_dresden=is_dresden)
            over.set()
            return said

    assert asyncio.run(scene(is_dresden=False)) == base
    assert asyncio.run(scene(is_dresden=True)) == dresden


@pytest.mark.parametrize(
    ("late", "reply"),
    [(b" x", Reply("(mark 1 1) x")), (b"y" * (MAX_REPLY + 1), TOO_LONG)],
    ids=["little", "too much"],
)
def test_what_comes_late_is_a_part_of_what_dresden_reads(late, reply) -> None:
    async def scene() -> Reply:
        async def answer(reader, writer) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.0 200 OK\r\nContent-Length: 10\r\n\r\n(mark 1 1)")
            await writer.drain()
            await asyncio.sleep(0.2)
            writer.write(late)
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            at = Address("127.0.0.1", server.sockets[0].getsockname()[1])
            return await ask(at, "( INFO )", "s", "n", 60.0, is_dresden=True)

    assert asyncio.run(scene()) == reply


@pytest.mark.parametrize(
    ("sent", "stays", "base", "dresden"),
    [
        (b"garbage\r\n\r\nnoop", False, "noop", "noop"),
        (b"garbage\n\n noop \n", False, "noop", "noop"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: -5\r\n\r\nnoop", False, "noop", "noop"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: abc\r\n\r\nnoop", False, "noop", "noop"),
        (b"HTTP/1.0 200 OK\r\nfoo\r\n\r\nnoop", False, "noop", "noop"),
        (b"what\r\ncontent-length:  2 \r\n\r\nnoop", False, "no", "noop"),
        (b"what\r\nContent-Length: 4\r\n\r\nnoop", True, "noop", None),
        (b"what\r\nContent-Length: 99\r\n\r\nnoop", False, "noop", "noop"),
        (b"garbage\r\n\r\n", False, "", ""),
    ],
)
def test_heads_that_are_no_http_are_read_as_the_real_managers_read_them(
    sent, stays, base, dresden
) -> None:
    """ggp-base's server ignores the status line, the Dresden controller the length as well."""

    async def scene(is_dresden: bool) -> Reply:
        over = asyncio.Event()

        async def answer(reader, writer) -> None:
            await reader.readuntil(b"\r\n\r\n")
            # In two parts, of which the first ends within the head.
            writer.write(sent[:6])
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.write(sent[6:])
            await writer.drain()
            if stays:
                await over.wait()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            at = Address("127.0.0.1", server.sockets[0].getsockname()[1])
            seconds = 1.0 if stays and is_dresden else 20.0
            said = await ask(at, "( INFO )", "s", "n", seconds, is_dresden=is_dresden)
            over.set()
            return said

    assert asyncio.run(scene(is_dresden=False)) == Reply(base)
    wanted = Reply(None, "TO") if dresden is None else Reply(dresden)
    assert asyncio.run(scene(is_dresden=True)) == wanted


@pytest.mark.parametrize("sent", [b"", b"garbage", b"\x00\xff" * 99, b"a\r\n" * 99])
def test_what_has_no_head_is_no_reply(sent) -> None:
    async def scene() -> Reply:
        async def answer(reader, writer) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(sent)
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            at = Address("127.0.0.1", server.sockets[0].getsockname()[1])
            return await ask(at, "( INFO )", "s", "n", 20.0)

    assert asyncio.run(scene()) == Reply(None, "CE")


@pytest.mark.parametrize(
    ("is_dresden", "host"),
    [(False, ["Host: 127.0.0.1"]), (True, [])],
    ids=["ggp-base", "dresden"],
)
def test_what_is_sent_is_what_the_real_managers_send(is_dresden, host) -> None:
    """HTTP/1.0 of both, and a Host of ggp-base's server alone; the line on closing is ours."""
    sent = []

    async def scene() -> Reply:
        async def answer(reader, writer) -> None:
            sent.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(b"HTTP/1.0 200 OK\r\n\r\nok")
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            at = Address("127.0.0.1", server.sockets[0].getsockname()[1])
            return await ask(at, "( INFO )", "s", "n", 60.0, is_dresden=is_dresden)

    assert asyncio.run(scene()) == Reply("ok")
    assert sent[0].decode().split("\r\n")[:-2] == [
        "POST / HTTP/1.0",
        *host,
        "Accept: text/delim",
        "Sender: s",
        "Receiver: n",
        "Content-Type: text/acl",
        "Content-Length: 8",
        "Connection: close",
    ]
