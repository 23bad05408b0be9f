"""Processes that answer the studio's questions about rule sheets.

Three ways to be answered: once (`answer_to`), time and again about something that is kept
(`Room`), and bit by bit (`jobs.Job`). All of them end their process when it takes too long; its
memory is bounded by the system.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from ggp import process
from ggp.errors import GgpError
from ggp.process import Process
from ggp.text import plain, shortened

MAX_ERROR = 2_000
"""Characters of an error that is told."""

NO_MEMORY = "it took more memory than there is for it"
"""What ends a process that nobody here has ended."""

Work = Callable[[Any], Any]
"""A function of a module, which runs in a process of its own; order and answer are pickled."""


class Refusal(GgpError):
    """What the user asked for cannot be had, and why."""


@dataclass(frozen=True)
class Failed:
    """What a process says when the work raised an error."""

    why: str


class Nursery:
    """Loads once what all processes need, while the server answers already."""

    def __init__(self) -> None:
        process.preload("ggp.studio.nursery")
        self._loading = asyncio.ensure_future(process.warm())
        # What goes wrong is told to those who wait; at Ctrl-C nobody does.
        self._loading.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def ready(self) -> None:
        """Wait until a new process can be had without delay."""
        await asyncio.shield(self._loading)


def told(error: BaseException) -> str:
    """An error as a user may read it."""
    if isinstance(error, MemoryError):
        return NO_MEMORY
    words = plain(shortened(str(error) or type(error).__name__, MAX_ERROR))
    return words if isinstance(error, GgpError) else f"{type(error).__name__}: {words}"


async def answer_to(work: Work, order: object, seconds: float, memory: int) -> Any:  # noqa: ANN401
    """What `work` makes of an order, in a process that ends with it.

    Raises `Refusal` where that raises an error, or passes a limit. Cancelling this ends the
    process.
    """
    room = Room(partial(_same, work), memory)
    try:
        return await room.ask(order, seconds)
    finally:
        room.close()


def _same(work: Work) -> Work:
    return work


class Room:
    """A process that answers one order after the other.

    `make` runs in the process and gives the function that answers; so it can keep things.
    """

    def __init__(self, make: Callable[[], Work], memory: int) -> None:
        self._turn = asyncio.Lock()
        self._waiting: asyncio.Future[Any] | None = None
        self._process = Process(partial(_live, make), self._heard, memory)

    @property
    def is_open(self) -> bool:
        """Whether it still answers."""
        return self._process.alive

    async def ask(self, order: object, seconds: float) -> Any:  # noqa: ANN401 - of the work
        """The answer to an order; orders wait for each other.

        Raises `Refusal` where there is none; after one that took too long the room is closed.
        """
        async with self._turn:
            if not self.is_open:
                raise Refusal("the process is gone")
            self._waiting = asyncio.get_running_loop().create_future()
            self._process.send((order,))
            try:
                answer = await asyncio.wait_for(self._waiting, seconds)
            except TimeoutError:
                self.close()
                raise Refusal(f"it took more than {seconds:g} s and was stopped") from None
            except asyncio.CancelledError:
                self.close()
                raise
            finally:
                self._waiting = None
        if isinstance(answer, Failed):
            raise Refusal(answer.why)
        return answer

    def close(self) -> None:
        """End the process at once."""
        self._process.close()
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(Failed("it was stopped"))

    def _heard(self, answer: Any) -> None:  # noqa: ANN401 - of the work
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(Failed(NO_MEMORY) if answer is None else answer[0])


def _live(make: Callable[[], Work], pipe: Connection) -> None:
    """The life of a room's process."""
    work = make()
    while True:
        (order,) = pipe.recv()
        pipe.send((safely(work, order),))


def safely(work: Work, order: object) -> Any:  # noqa: ANN401 - of the work
    """The answer, or why there is none: whatever a stranger's rules bring about ends here."""
    try:
        return work(order)
    except Exception as error:
        return Failed(told(error))
