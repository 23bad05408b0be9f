"""Scripts that work in processes of their own, so that they can be stopped at any time.

What a stranger's text makes a library compute may take all the time and memory there is, in one
call that nothing can interrupt: no thread can be ended while it lasts, and a process that ends with
such a thread aborts. So it runs in a child, which is killed when a limit is passed, and otherwise
kept for the next order. Orders and answers are pickles, between this package and itself.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

CHILD = Path(__file__).with_name("child.py")

MAX_IDLE = 256 << 20
"""Bytes of a child that is kept for the next order."""

TICK = 0.05
"""Seconds between two looks at the limits."""


class Gone(Exception):
    """The child ended without an answer: the system took its memory, or somebody killed it."""


Check = Callable[[int, float], None]
"""Called time and again with the bytes that a child holds and the seconds that it has computed for
an order, which other work on the machine does not add to; what it raises ends the child."""


def ask(script: Path, order: object, check: Check) -> Any:  # noqa: ANN401
    """What `script` answers to an order, in a child that runs it (see `ggp.child`).

    Ctrl-C ends the child, too. Raises `Gone` where the child ends by itself.
    """
    check(0, 0.0)
    with _Child.taking:
        child = _Child.taken(script)
    try:
        answer = child.ask(order, check)
    except BaseException:
        child.end()
        raise
    if child.is_worth_keeping:
        _Child.idle.append(child)
    else:
        child.end()
    return answer


class _Child:
    """A process that runs a script."""

    idle: list[_Child] = []  # noqa: RUF012 - of all together
    """Those that wait for the next order."""
    taking = threading.Lock()

    def __init__(self, script: Path) -> None:
        self.script = script
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(CHILD), str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._owner = os.getpid()
        self._talk: threading.Thread | None = None
        self._usage = psutil.Process(self._process.pid)

    @classmethod
    def taken(cls, script: Path) -> _Child:
        """An idle one that runs the script, or a new one."""
        # Those of a process that this one was forked from are not ours.
        cls.idle[:] = [child for child in cls.idle if child._owner == os.getpid()]
        for place, child in enumerate(cls.idle):
            if child.script == script:
                del cls.idle[place]
                if child.is_worth_keeping:
                    return child
                child.end()
                break
        return cls(script)

    @property
    def is_worth_keeping(self) -> bool:
        """Whether it can take another order, and is small."""
        return self._process.poll() is None and self._bytes() < MAX_IDLE

    def ask(self, order: object, check: Check) -> Any:  # noqa: ANN401
        """What comes of an order; ends as soon as `check` raises."""
        answers: list[Any] = []
        before = self._computed()

        def talk() -> None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            # All of them say that the child is gone.
            with suppress(OSError, EOFError, ValueError, pickle.UnpicklingError):
                pickle.dump(order, self._process.stdin)
                self._process.stdin.flush()
                answers.append(pickle.load(self._process.stdout))

        thread = threading.Thread(target=talk, daemon=True)
        thread.start()
        self._talk = thread  # only now can `end`, on Ctrl-C, wait for it
        while thread.is_alive():
            thread.join(TICK)
            check(self._bytes(), self._computed() - before)
        if not answers:
            raise Gone
        return answers[0]

    def _bytes(self) -> int:
        with suppress(psutil.Error):
            return int(self._usage.memory_info().rss)
        return 0

    def _computed(self) -> float:
        """Seconds of a processor that the process has had."""
        with suppress(psutil.Error):
            spent = self._usage.cpu_times()
            return float(spent.user + spent.system)
        return 0.0

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        if self._talk:
            self._talk.join()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()


@atexit.register
def _end_all() -> None:
    while _Child.idle:
        child = _Child.idle.pop()
        if child._owner == os.getpid():
            child.end()
