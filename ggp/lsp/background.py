"""Work on sheets in processes of its own, so that no text can keep the server from answering."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ggp import apart
from ggp.errors import LimitReached


@dataclass(frozen=True)
class BoundedScript:
    """A script, and what it may take for one sheet: seconds of a processor, and bytes."""

    script: Path
    seconds: float
    memory: int


_HERE = Path(__file__).parent

CHECKING = BoundedScript(_HERE / "checking.py", 30.0, 1 << 30)
GROUNDING = BoundedScript(_HERE / "grounding.py", 20.0, 2 << 30)
FINDING = BoundedScript(_HERE / "finding.py", 40.0, 2 << 30)
"""The latter two keep limits of their own, which are lower; these are for what they do not see."""


PATIENCE = 0.5
"""Seconds of computing after which a process whose result nobody wants is ended: to start another
takes as long as most sheets."""


class Stale(Exception):
    """Nobody wants the result any more."""


class Background:
    """Does one job after the other, on one sheet after the other."""

    def __init__(self, job: BoundedScript) -> None:
        self._job = job
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix=job.script.stem)
        self._closing = threading.Event()

    async def ask(self, name: str, text: str, is_stale: Callable[[], bool]) -> Any:  # noqa: ANN401
        """What the script answers for a sheet.

        `is_stale` is called from another thread. Raises `Stale` once it holds, `LimitReached`
        where the job takes too much, `apart.Gone` where its process ends.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._asked, name, text, is_stale)

    def _asked(self, name: str, text: str, is_stale: Callable[[], bool]) -> Any:  # noqa: ANN401
        def check(held: int, computed: float) -> None:
            if self._closing.is_set() or (computed > PATIENCE and is_stale()):
                raise Stale
            if computed > self._job.seconds:
                raise LimitReached("time", self._job.seconds, name)
            if held > self._job.memory:
                raise LimitReached("memory", self._job.memory, name)

        if is_stale():
            raise Stale
        return apart.ask(self._job.script, (sys.path, name, text), check)

    def close(self) -> None:
        """End what is going on, and take no more."""
        self._closing.set()
        self._threads.shutdown(cancel_futures=True)
