"""Long work, bit by bit: in a process of its own, with progress, until it is done or stopped."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Literal

from ggp.errors import UnknownName
from ggp.process import Process
from ggp.studio.asking import NO_MEMORY, Refusal, told
from ggp.text import plain, shortened

MOST_WORKING, MOST_WAITING, MOST_KEPT = 2, 40, 100
"""Jobs at once; jobs that wait for that; jobs whose results are kept, the last ones."""

MAX_PARTS, MAX_BYTES = 20_000, 64 << 20
"""Of one job's results."""

ABANDONED = 90.0
"""Seconds after which a job that nobody asks about is stopped: its page is closed."""

OFTEN = 0.2
"""Seconds between two tellings of progress."""

MAX_TOLD = 300
"""Characters of progress."""

Say = Callable[[dict[str, Any]], None]
Heed = Callable[[str], None]
Work = Callable[[Any, Say, Heed], None]
"""What takes an order, says its results as plain data, one part after the other, and says how far
it is."""


@dataclass
class Job:
    """A piece of work, and what came of it so far."""

    work: Work
    order: object
    seconds: float
    memory: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: Literal["waiting", "working", "done", "failed", "stopped"] = "waiting"
    progress: str = ""
    parts: list[dict[str, Any]] = field(default_factory=list)
    size: int = 0
    asked: float = field(default_factory=time.monotonic)
    process: Process | None = None
    timer: asyncio.TimerHandle | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state not in ("waiting", "working")

    def told(self, after: int) -> dict[str, Any]:
        """What came of it beyond the first parts."""
        self.asked = time.monotonic()
        return {
            "job": self.token,
            "state": self.state,
            "progress": self.progress,
            "parts": self.parts[after:],
            "count": len(self.parts),
        }


class Jobs:
    """All jobs of the studio. To be used on the event loop."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._waiting: deque[Job] = deque()
        self._working: list[Job] = []

    def begin(self, work: Work, order: object, seconds: float, memory: int) -> Job:
        """Have some work done as soon as there is room; it is stopped after so many seconds.

        Raises `Refusal` where too many wait.
        """
        self.sweep()
        if len(self._waiting) >= MOST_WAITING:
            raise Refusal("too much is waiting to be done: stop something, or wait")
        job = Job(work, order, seconds, memory)
        self._jobs[job.token] = job
        self._waiting.append(job)
        self._next()
        return job

    def get(self, token: str) -> Job:
        """The job of that token; raises `UnknownName` where there is none (any more)."""
        self.sweep()
        if token not in self._jobs:
            raise UnknownName("there is no such job any more")
        return self._jobs[token]

    def stop(self, job: Job, why: str = "stopped") -> None:
        """End a job; what came of it is kept."""
        if not job.is_over:
            job.progress = why
            self._end(job, "stopped")

    def close(self) -> None:
        """End all of them."""
        self._waiting.clear()
        for job in list(self._jobs.values()):
            if not job.is_over:
                self._end(job, "stopped")

    def _next(self) -> None:
        while self._waiting and len(self._working) < MOST_WORKING:
            job = self._waiting.popleft()
            job.state = "working"
            self._working.append(job)
            life = partial(_live, job.work)
            job.process = Process(life, partial(self._heard, job), job.memory)
            job.process.send((job.order,))
            late = partial(self.stop, job, f"stopped after {job.seconds:g} s")
            job.timer = asyncio.get_running_loop().call_later(job.seconds, late)

    def _heard(self, job: Job, word: tuple[str, Any] | None) -> None:
        if job.is_over:
            return
        if word is None:
            job.progress = NO_MEMORY
            self._end(job, "failed")
            return
        what, value = word
        if what == "progress":
            job.progress = value
        elif what == "part":
            self._add(job, value)
        elif what == "failed":
            job.progress = value
            self._end(job, "failed")
        else:
            job.progress = ""
            self._end(job, "done")

    def _add(self, job: Job, part: dict[str, Any]) -> None:
        job.size += _size(part)
        if len(job.parts) >= MAX_PARTS or job.size > MAX_BYTES:
            self.stop(job, "stopped: the results are too large to be shown")
        else:
            job.parts.append(part)

    def _end(self, job: Job, state: Literal["done", "failed", "stopped"]) -> None:
        job.state = state
        if job in self._working:
            self._working.remove(job)
        if job in self._waiting:
            self._waiting.remove(job)
        if job.timer:
            job.timer.cancel()
        if job.process:
            job.process.close()
        self._next()

    def sweep(self) -> None:
        """Stop what nobody asks about, and forget what is old."""
        now = time.monotonic()
        for job in list(self._jobs.values()):
            if not job.is_over and now - job.asked > ABANDONED:
                self.stop(job, "stopped: the page was closed")
        over = [job for job in self._jobs.values() if job.is_over]
        held = sum(job.size for job in over)
        for job in over:
            if len(self._jobs) <= MOST_KEPT and held <= MAX_BYTES:
                break
            held -= job.size
            del self._jobs[job.token]


def _size(part: object) -> int:
    """About how many bytes plain data takes."""
    if isinstance(part, str):
        return len(part)
    if isinstance(part, dict):
        return sum(map(_size, part.values()))
    return sum(map(_size, part)) if isinstance(part, list | tuple) else 8


def _live(work: Work, pipe: Connection) -> None:
    """The life of a job's process."""
    (order,) = pipe.recv()
    last = 0.0

    def say(part: dict[str, Any]) -> None:
        pipe.send(("part", part))

    def heed(text: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= OFTEN:
            last = now
            pipe.send(("progress", plain(shortened(text, MAX_TOLD))))

    try:
        work(order, say, heed)
    except Exception as error:
        pipe.send(("failed", told(error)))
    else:
        pipe.send(("done", None))
    while True:  # until it is ended: what was said is read first
        time.sleep(60)
