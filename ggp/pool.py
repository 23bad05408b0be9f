"""Many things done side by side, in processes of their own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ggp.environment import begin

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Item = TypeVar("Item")
Result = TypeVar("Result")


class Spread(Protocol):
    """What does many things side by side: `spread` in so many processes, or a cluster."""

    def __call__(
        self, work: Callable[[Item], Result], items: Iterable[Item], /
    ) -> Generator[tuple[int, Result | None]]:
        """What `spread` says, but for where and how many at once."""


def spread(
    work: Callable[[Item], Result], items: Iterable[Item], jobs: int = 1
) -> Generator[tuple[int, Result | None]]:
    """What `work` makes of each item, with the item's number, in the order in which it is done.

    None where the process that worked on it ended without an answer. With one job all is done in
    this process. Items are taken when there is somebody to work on them. `work` must be a function
    of a module, and raise nothing. Where this iterator is closed, or Ctrl-C comes, the processes
    are ended.
    """
    jobs = min(jobs, len(items)) if isinstance(items, Sized) else jobs
    if jobs <= 1:
        for number, item in enumerate(items):
            yield number, work(item)
        return
    workers = [_Worker(work) for _ in range(jobs)]
    try:
        yield from _shared_out(items, workers)
    finally:
        for worker in workers:
            worker.end()


def _shared_out(items: Iterable[Any], workers: list[_Worker]) -> Iterator[tuple[int, Any]]:
    """Each worker gets the next item as soon as it is free."""
    waiting = iter(enumerate(items))
    busy = {}
    for worker, (number, item) in zip(workers, waiting, strict=False):
        busy[worker.give(item)] = worker, number
    while busy:
        heard = wait(list(busy))
        for pipe in [pipe for pipe in busy if pipe in heard]:
            worker, number = busy.pop(pipe)
            yield number, worker.take()
            following = next(waiting, None)
            if following is not None:
                busy[worker.give(following[1])] = worker, following[0]


class _Worker:
    """A process that works on one item after the other; a new one where it is gone."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def give(self, item: object) -> Connection:
        """Have an item worked on; something can be read from the connection when it is."""
        if self._process is None or self._pipe is None:
            self._start()
        assert self._pipe is not None
        with suppress(OSError):  # it is gone, which `take` will say
            self._pipe.send(item)
        return self._pipe

    def take(self) -> Any:  # noqa: ANN401 - whatever the work makes
        """The result; None where the process is gone."""
        assert self._pipe is not None
        try:
            return self._pipe.recv()
        except (EOFError, OSError):
            self.end()
            return None

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        with _deaf():
            self._process = context.Process(target=_live, args=(theirs, self._work), daemon=True)
            begin(self._process)
        theirs.close()

    def end(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


@contextmanager
def _deaf() -> Iterator[None]:
    """What begins here ignores Ctrl-C: it is ended by who started it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: Any = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _live(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """The life of a process."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send(work(pipe.recv()))


def _end_with_parent() -> None:
    """End this process, whatever it computes, when the one that started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
