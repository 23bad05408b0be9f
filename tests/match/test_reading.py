"""Bodies of requests to messages: which is read when, and what comes of those that cannot be."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ggp.errors import GgpError, LimitReached
from ggp.match import reading
from ggp.match.messages import MAX_MOVES, Abort, BadMessage, Info, Play
from ggp.match.reading import SHORT, Body, Reader, read_bodies
from tests.match.orders import Orders


@pytest.mark.parametrize(
    ("content", "in_url", "message"),
    [
        (b"( INFO )", False, Info()),
        (b"/(%20INFO%20)", True, Info()),
        (b"/(+INFO+)", True, Info()),
        (b"(PLAY+m+(a%2Bb%20c))", True, Play("m", ("a+b", "c"))),
        (b"(PLAY m (a+b %41))", False, Play("m", ("a+b", "%41"))),
        ("(ABORT süß)".encode(), False, Abort("süß")),
        (b"/(ABORT%20s%C3%BC%C3%9F)", True, Abort("süß")),
        # What is not UTF-8 is no reason to give up.
        (b"(ABORT s\xff)", False, Abort("s\ufffd")),
        (b"(ABORT+s%ff)", True, Abort("s\ufffd")),
    ],
)
def test_a_body_of_a_post_and_one_in_an_address(content, in_url, message) -> None:
    assert Body(content, in_url).read() == message


@pytest.mark.parametrize("body", [Body(b"/(INFO)"), Body(b"(+INFO+)"), Body(b"(%49NFO)", False)])
def test_only_an_address_is_unquoted(body) -> None:
    with pytest.raises(BadMessage):
        body.read()


class Scripted:
    """The reading process, which says what it is told to say; `log` has all that were begun."""

    log: list[Scripted]

    def __init__(self, life: Any, heard: Any, memory: int) -> None:
        assert life is read_bodies
        self.heard, self.bodies, self.alive = heard, [], True
        self.log.append(self)

    def send(self, body: Body) -> None:
        self.bodies.append(body)

    def say(self, word: Any) -> None:
        self.alive = self.alive and word is not None
        self.heard(word)

    def close(self) -> None:
        self.alive = False


@pytest.fixture
def begun(monkeypatch):
    """The processes that readers have begun."""
    monkeypatch.setattr(Scripted, "log", [], raising=False)
    monkeypatch.setattr(reading, "Process", Scripted)
    return Scripted.log


def long(name: str, more: int) -> Body:
    """A message of `SHORT + more` bytes."""
    return Body(f"(ABORT {name:<{SHORT + more - 8}})".encode())


def run(scene) -> None:
    asyncio.run(asyncio.wait_for(scene(), 60))


async def asked(reader: Reader, *bodies: Body) -> list[asyncio.Task]:
    """The bodies given to a reader in this order."""
    tasks = [asyncio.create_task(reader.read(body)) for body in bodies]
    await settled()
    return tasks


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_short_messages_are_read_at_once_and_long_ones_elsewhere(begun) -> None:
    """8192 bytes are short."""

    async def scene() -> None:
        reader = Reader()
        assert len(long("x", 0).content) == SHORT == 8_192
        assert await reader.read(long("x", 0)) == Abort("x")
        with pytest.raises(BadMessage):
            await reader.read(Body(b"(INFO"))
        assert begun == []
        body = long("x", 1)
        (task,) = await asked(reader, body)
        assert begun[0].bodies == [body]
        begun[0].say(Abort("y"))
        assert await task == Abort("y")
        reader.close()

    run(scene)


def test_the_shortest_that_waits_is_read_first_and_one_at_a_time(begun) -> None:
    """Of equal length the first that came."""

    async def scene() -> None:
        reader = Reader()
        bodies = [long("a", 9), long("b", 7), long("c", 3), long("d", 7), long("e", 1)]
        tasks = await asked(reader, *bodies)
        read = []
        for _ in bodies:
            read.append(begun[0].bodies[-1].content.split()[1].decode())
            assert len(begun[0].bodies) == len(read)
            begun[0].say(Abort(read[-1]))
        assert read == ["a", "e", "c", "b", "d"]
        assert [(await task).match for task in tasks] == ["a", "b", "c", "d", "e"]
        assert len(begun) == 1
        reader.close()

    run(scene)


def test_what_waits_has_a_limit(begun, monkeypatch) -> None:
    """What is being read waits no more; a message of just the room that is left has its place."""
    monkeypatch.setattr(reading, "MAX_WAITING", 4 * SHORT)

    async def scene() -> None:
        reader = Reader()
        await asked(reader, long("a", 999), long("b", 7), long("c", 5))
        for more, fits in ((SHORT - 11, False), (SHORT - 12, True), (1, False)):
            (task,) = await asked(reader, long("d", more))
            assert task.done() is not fits
            if not fits:
                assert task.exception().limit == "waiting"
        (task,) = await asked(Reader(), long("e", 3 * SHORT + 1))
        assert task.exception().value == 4 * SHORT
        reader.close()

    run(scene)


def test_whoever_gives_up_waits_no_more(begun) -> None:
    """Neither a message in the queue nor the one that is read keeps others from being read."""

    async def scene() -> None:
        reader = Reader()
        tasks = await asked(reader, long("a", 1), long("b", 2), long("c", 3), long("d", 4))
        for place in (0, 2):
            tasks[place].cancel()
        await settled()
        begun[0].say(Abort("a"))
        begun[0].say(BadMessage("no message"))
        begun[0].say(Abort("d"))
        assert [body.content.split()[1] for body in begun[0].bodies] == [b"a", b"b", b"d"]
        assert [task.cancelled() for task in tasks] == [True, False, True, False]
        with pytest.raises(BadMessage, match="no message"):
            await tasks[1]
        assert await tasks[3] == Abort("d")
        reader.close()

    run(scene)


def test_a_message_that_ends_the_process_is_refused_and_the_next_has_another(begun) -> None:
    async def scene() -> None:
        reader = Reader()
        tasks = await asked(reader, long("a", 1), long("b", 2))
        begun[0].say(None)
        with pytest.raises(LimitReached, match="while reading a message") as error:
            await tasks[0]
        assert error.value.limit == "memory"
        assert [body.content.split()[1] for body in begun[1].bodies] == [b"b"]
        begun[1].say(Abort("b"))
        assert await tasks[1] == Abort("b")
        reader.close()
        assert not begun[1].alive

    run(scene)


def test_a_message_that_takes_too_long_is_refused_and_the_next_has_another(
    begun, monkeypatch
) -> None:
    monkeypatch.setattr(reading, "SECONDS", 0.01)

    async def scene() -> None:
        reader = Reader()
        (task,) = await asked(reader, long("a", 1))
        with pytest.raises(LimitReached, match="seconds for reading") as error:
            await task
        assert (error.value.limit, error.value.value) == ("time", 0.01)
        assert not begun[0].alive
        monkeypatch.setattr(reading, "SECONDS", 1_000)
        (task,) = await asked(reader, long("b", 2))
        assert [len(process.bodies) for process in begun] == [1, 1]
        begun[1].say(Abort("b"))
        assert await task == Abort("b")
        # The alarm of what was read is off.
        assert reader._alarm.cancelled()
        reader.close()

    run(scene)


def test_a_reader_that_is_closed_has_neither_process_nor_alarm(begun) -> None:
    async def scene() -> None:
        reader = Reader()
        reader.close()
        await asked(reader, long("a", 1))
        alarm = reader._alarm
        assert not alarm.cancelled()
        reader.close()
        assert alarm.cancelled()
        assert not begun[0].alive

    run(scene)


class Failing:
    """A body that cannot be read."""

    def __init__(self, text: str) -> None:
        self.text = text

    def read(self) -> None:
        raise BadMessage(self.text)


def said(*bodies: Any) -> list[Any]:
    pipe = Orders(*bodies)
    with pytest.raises(EOFError):
        read_bodies(pipe)
    return pipe.said


def test_the_reading_process_answers_each_body_with_a_message_or_an_error() -> None:
    moves = Body(f"(PLAY m ({'a' * MAX_MOVES}))".encode())
    info, syntax, limit, again = said(Body(b"(INFO)"), Body(b"(INFO"), moves, Body(b"(ABORT m)"))
    assert (info, again) == (Info(), Abort("m"))
    assert isinstance(syntax, BadMessage)
    assert str(syntax) == "a message is one list that begins with a verb"
    assert isinstance(limit, GgpError)
    assert str(limit) == "limit reached: characters = 65,536 (moves of 65,538)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one\ntwo\nthree", "one"),
        ("x" * 200, "x" * 200),
        ("x" * 199 + "yz", "x" * 199 + "y"),
        ("x\n" + "y" * 300, "x"),
    ],
)
def test_the_first_line_of_an_error_is_told_and_200_letters_of_it(text, told) -> None:
    (error,) = said(Failing(text))
    assert (type(error), str(error)) == (BadMessage, told)
