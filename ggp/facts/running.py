"""Many instances checked at once, in processes of their own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from ggp.facts.checking import Report, Verdict, check, report_of
from ggp.facts.file import Instance
from ggp.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

GONE = "the process that looked at it ended without an answer (out of memory?)"


def run(
    instances: Sequence[Instance], limits: Limits = DEFAULT, jobs: int = 1
) -> Generator[tuple[int, Report]]:
    """The report of each instance and its number, in the order in which they are done.

    With one job all is done in this process. Where this iterator is closed, or Ctrl-C comes, the
    others are ended.
    """
    jobs = min(jobs, len(instances))
    if jobs <= 1:
        for number, instance in enumerate(instances):
            yield number, check(instance, limits)
        return
    workers = [_Worker(limits) for _ in range(jobs)]
    try:
        yield from _shared_out(instances, workers)
    finally:
        for worker in workers:
            worker.end()


def _shared_out(
    instances: Sequence[Instance], workers: list[_Worker]
) -> Iterator[tuple[int, Report]]:
    """Each worker gets the next instance as soon as it is free."""
    waiting = iter(enumerate(instances))
    busy = {}
    for worker in workers:
        number, instance = next(waiting)
        busy[worker.give(instance)] = worker, number
    while busy:
        heard = wait(list(busy))
        for pipe in [pipe for pipe in busy if pipe in heard]:
            worker, number = busy.pop(pipe)
            yield number, worker.take() or report_of(instances[number], _gone())
            following = next(waiting, None)
            if following is not None:
                busy[worker.give(following[1])] = worker, following[0]


def _gone() -> Verdict:
    return Verdict(None, "failed", why=GONE, code=3)


class _Worker:
    """A process that checks one instance after the other; a new one where it is gone."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def give(self, instance: Instance) -> Connection:
        """Have an instance checked; something can be read from the connection when it is."""
        if self._process is None or self._pipe is None:
            self._start()
        assert self._pipe is not None
        with suppress(OSError):  # it is gone, which `take` will say
            self._pipe.send(instance)
        return self._pipe

    def take(self) -> Report | None:
        """The report; None where the process is gone."""
        assert self._pipe is not None
        try:
            report: Report = self._pipe.recv()
        except (EOFError, OSError):
            self.end()
            return None
        return report

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        with _deaf():
            self._process = context.Process(target=_live, args=(theirs, self._limits), daemon=True)
            self._process.start()
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


def _live(pipe: Connection, limits: Limits) -> None:
    """The life of a process."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send(check(pipe.recv(), limits))


def _end_with_parent() -> None:
    """End this process, whatever it computes, when the one that started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
