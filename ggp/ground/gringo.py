"""clingo's grounder in a process that can be stopped, and its limits.

clingo joins relations for as long as it takes: no thread can be ended while it does, and a process
that ends with such a thread aborts. So it runs in a child, which is killed when a limit is passed,
and otherwise kept for the next program.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from ggp.errors import LimitReached, RulesError
from ggp.ground.assemble import GroundProgram
from ggp.limits import Limits, memory_in_use

CHILD = Path(__file__).with_name("child.py")

MAX_IDLE = 256 << 20
"""Bytes of a child that is kept for the next program."""

TICK = 0.05
"""Seconds between two looks at the limits."""


@dataclass
class Meter:
    """Counts ground rules and seconds of several programs together, and watches the memory."""

    limits: Limits
    started: float = field(default_factory=time.monotonic)
    rules: int = 0

    def check(self, others: int = 0) -> None:
        """Raise `LimitReached` when time is over, or memory; `others`: bytes of a child."""
        if time.monotonic() - self.started > self.limits.ground_seconds:
            raise LimitReached("ground_seconds", self.limits.ground_seconds)
        if memory_in_use() + others > self.limits.memory:
            raise LimitReached("memory", self.limits.memory, "while grounding")


@dataclass(frozen=True)
class Grounded:
    """A ground program: its rules, if they were kept; the texts of shown atoms with their numbers;
    and of each wanted signature all atoms."""

    program: GroundProgram
    shown: Sequence[tuple[str, int]]
    atoms: Mapping[tuple[str, int], Sequence[str]]


def run(program: str, meter: Meter, *, keep: bool, wanted: Sequence[tuple[str, int]]) -> Grounded:
    """Ground a program in clingo's language; `keep`: its rules are asked for, not atoms alone.

    Raises `LimitReached` where a limit of `meter` is passed, `RulesError` where clingo refuses.
    """
    meter.check()
    child = _Child.taken()
    try:
        allowed = meter.limits.ground_rules - meter.rules
        answer = child.ask((program, keep, allowed, list(wanted)), meter)
    except BaseException:
        child.end()
        raise
    if child.is_worth_keeping:
        _Child.idle.append(child)
    else:
        child.end()
    fault = answer.get("fault")
    if fault == "rules":
        raise LimitReached("ground_rules", meter.limits.ground_rules)
    if fault == "memory":
        raise LimitReached("memory", meter.limits.memory, "while grounding")
    if fault is not None:
        raise RulesError(f"cannot be grounded: {fault}")
    meter.rules += answer["rules"]
    columns = (np.frombuffer(column, dtype=np.int64) for column in answer["columns"])
    return Grounded(GroundProgram(*columns), answer["shown"], answer["atoms"])


class _Child:
    """A process that grounds."""

    idle: list[_Child] = []  # noqa: RUF012 - of all together
    """Those that wait for the next program."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(CHILD)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._owner = os.getpid()
        self._talk: threading.Thread | None = None
        self._memory = psutil.Process(self._process.pid)

    @classmethod
    def taken(cls) -> _Child:
        """One that is idle, or a new one."""
        while cls.idle:
            child = cls.idle.pop()
            if child.is_ours and child.is_alive:
                return child
        return cls()

    @property
    def is_ours(self) -> bool:
        """Whether this process started it, and not one that it was forked from."""
        return self._owner == os.getpid()

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def is_worth_keeping(self) -> bool:
        """Whether it can ground another program, and is small."""
        return self.is_alive and self._bytes() < MAX_IDLE

    def ask(self, order: tuple[Any, ...], meter: Meter) -> dict[str, Any]:
        """What comes of an order; raises `LimitReached` as soon as `meter` does."""
        answers: list[dict[str, Any]] = []

        def talk() -> None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            # All of them say that the child is gone.
            with suppress(OSError, EOFError, ValueError, pickle.UnpicklingError):
                pickle.dump(order, self._process.stdin)
                self._process.stdin.flush()
                answers.append(pickle.load(self._process.stdout))

        self._talk = threading.Thread(target=talk, daemon=True)
        self._talk.start()
        while self._talk.is_alive():
            self._talk.join(TICK)
            meter.check(self._bytes())
        if not answers:
            raise LimitReached("memory", meter.limits.memory, "the grounding process was ended")
        return answers[0]

    def _bytes(self) -> int:
        with suppress(psutil.Error):
            return int(self._memory.memory_info().rss)
        return 0

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
        if child.is_ours:
            child.end()
