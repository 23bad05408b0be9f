"""Processes of their own for all that a stranger's text makes us compute.

Rules and messages may take all the time and memory there is. In a process of its own that can hurt
nobody: the answering half stays awake and can end the process at any time. Processes are forked
from one in which everything is loaded (`preload`), so that a new one costs some milliseconds; where
the system cannot fork, each loads what it needs anew.
"""

from __future__ import annotations

import asyncio
import atexit
import importlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import psutil

from ggp.environment import begin

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext
    from multiprocessing.process import BaseProcess

Heard = Callable[[Any], None]

TRIES, BETWEEN = 10, 0.02
"""How often it is tried to begin a process, and seconds between."""

FORKS = "forkserver" in multiprocessing.get_all_start_methods()

_PRELOADED: list[str] = []

_closing = threading.Lock()
"""Of who closes what Python knows of a process that is gone. At its own end Python joins all that
it knows, and would stumble over one that is closed meanwhile: from then on nobody closes any."""

# What is registered last is called first: before `multiprocessing` joins.
atexit.register(_closing.acquire)


def preload(module: str) -> None:
    """Have another module imported by the process that others are forked from; to be called before
    the first of them is begun."""
    if module not in _PRELOADED:
        _PRELOADED.append(module)


@cache
def _context() -> SpawnContext | ForkServerContext:
    if not FORKS:
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["ggp.forked", *_PRELOADED])
    return context


@contextmanager
def _deaf() -> Iterator[None]:
    """What is begun meanwhile does not hear Ctrl-C until it says so (`ggp.forked`): a process takes
    over which signals are blocked, and would tell at length where it was interrupted."""
    if not FORKS:
        yield
        return
    # Begun by `multiprocessing` before the first process, which makes this thread hear it again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Process:
    """A process, and what it says.

    It runs `life` with its end of a pipe. `heard` is called on the running event loop with each
    thing that it says, and with None once it is gone. Neither orders nor words ever wait for the
    other side: a thread of its own deals with each direction.
    """

    def __init__(self, life: Callable[[Connection], None], heard: Heard, memory: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._heard = heard
        self._orders: SimpleQueue[Any] = SimpleQueue()
        self._pipe, theirs = _context().Pipe()
        self._process = _begun(life, theirs, memory)
        theirs.close()
        self._over = False
        self._ending = threading.Lock()
        self._dictating = threading.Thread(target=self._dictate, daemon=True)
        self._dictating.start()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether the process is still heard."""
        return not self._over

    def send(self, order: object) -> None:
        """Give an order; nothing happens where the process is gone."""
        self._orders.put(order)

    def close(self) -> None:
        """End the process at once; nothing more is heard of it."""
        self._over = True
        self._orders.put(None)
        with self._ending, suppress(ValueError):  # closed: it is gone
            self._process.kill()

    def _listen(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self._say(self._pipe.recv())
        self._orders.put(None)
        self._process.join()
        self._say(None)
        # Whoever refers to this may live long, and files that are open are few.
        self._dictating.join()
        self._pipe.close()
        with _closing, self._ending:
            self._process.close()

    def _dictate(self) -> None:
        with suppress(OSError, ValueError):
            while (order := self._orders.get()) is not None:
                self._pipe.send(order)

    def _say(self, word: object) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._hear, word)

    def _hear(self, word: object) -> None:
        if not self._over:
            self._over = word is None
            self._heard(word)


def _begun(life: Callable[[Connection], None], pipe: Connection, memory: int) -> BaseProcess:
    """A process that lives. Where the one that it is to be forked from was killed there is a new
    one as soon as the system says so."""
    left = TRIES
    while True:
        made = _context().Process(target=_live, args=(life, pipe, memory), daemon=True)
        try:
            with _deaf():
                begin(made)
        except (OSError, EOFError):
            left -= 1
            if not left:
                raise
            time.sleep(BETWEEN)
        else:
            return made


def load() -> None:
    """Wait until a new process can be had without delay: of a thread that may wait."""
    first = _context().Process(target=_load, args=(_PRELOADED,), daemon=True)
    with _deaf():
        begin(first)
    first.join()


def _load(modules: list[str]) -> None:
    """Where nothing can be forked: compiled loops lie on the disk after this, at least."""
    if not FORKS:
        for module in modules:
            importlib.import_module(module)


async def warm() -> None:
    """Wait until a new process can be had without delay; that may be cancelled."""
    loop = asyncio.get_running_loop()
    here: asyncio.Future[None] = loop.create_future()

    def tell(error: BaseException | None) -> None:
        if not here.done():
            here.set_result(None) if error is None else here.set_exception(error)

    def wait() -> None:
        failed: BaseException | None = None
        try:
            load()
        except BaseException as error:
            failed = error
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(tell, failed)

    # Not of the loop's own threads: these would be waited for.
    threading.Thread(target=wait, daemon=True).start()
    await here


def _live(life: Callable[[Connection], None], pipe: Connection, memory: int) -> None:
    """The life of a process: bounded in memory, ended with its parent."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _limit_memory(memory)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        life(pipe)


def _end_with_parent() -> None:
    """End this process, whatever it computes, when the answering half is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _limit_memory(memory: int) -> None:
    """Bound what this process takes on top of what is loaded already."""
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    memory += psutil.Process().memory_info().vms
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or memory < hard:
        resource.setrlimit(resource.RLIMIT_AS, (memory, hard))
