"""Stated limits: what a rule sheet, a grounding or a search may use before it is stopped.

Rule sheets come from strangers, so every resource has a bound with a default. Passing one raises
`LimitReached`, which names the limit; nothing is ever cut off silently.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf

import psutil

from ggp.errors import BudgetSpent, LimitReached


@dataclass(frozen=True)
class Limits:
    """Bounds on reading, grounding and searching one game.

    `characters`, `depth`: size of the text and nesting of its parentheses. `branches`, `rules`:
    branches that one rule may expand to by its disjunctions, and rules of the whole sheet.
    `ground_rules`, `ground_seconds`: size and time of the ground program; past them, or past
    `memory`, a game is played unground. `positions`, `seconds`,
    `memory`: size of a search (memory in bytes of the whole process); unground, `seconds` is the
    time for one question about one state. `packed_positions`: positions that are kept packed,
    without the moves between them. `joint_moves`: joint moves of one state.
    """

    characters: int = 2_000_000
    depth: int = 400
    branches: int = 4_096
    rules: int = 200_000
    ground_rules: int = 3_000_000
    ground_seconds: float = 60.0
    positions: int = 10_000_000
    packed_positions: int = 2_000_000_000
    joint_moves: int = 1_000_000
    seconds: float = 600.0
    memory: int = 8 << 30


DEFAULT = Limits()


BETWEEN = 0.005
"""Seconds between two looks at the memory in use: a file is read for that, and whoever reads one
lets go of Python's lock, and waits for it as long as others want it."""


def memory_in_use() -> int:
    """Resident memory of this process now, in bytes, but for files that are mapped into it.

    Not the most that it ever was: a process that once used much must not refuse small games.
    """
    now = _process().memory_info()
    return int(now.rss - getattr(now, "shared", 0))


@cache
def _process() -> psutil.Process:
    return psutil.Process()


stop = threading.Event()
"""Set when somebody asked for the end (Ctrl-C): work that looks at its account ends with
`KeyboardInterrupt`, also where what the signal raised was lost, as in a compilation it can be."""


@dataclass
class Budget:
    """One search's account against its limits; `spend` raises `LimitReached` on overdraft."""

    limits: Limits = DEFAULT
    started: float = field(default_factory=time.monotonic)
    _memory_until: float = field(default=0.0, init=False, repr=False, compare=False)
    """When memory is to be looked at again."""

    @property
    def seconds(self) -> float:
        """Seconds since this budget was opened."""
        return time.monotonic() - self.started

    def spend(self, positions: int) -> None:
        """Check `positions` held so far, the time and the memory against the limits."""
        if positions > self.limits.positions:
            raise LimitReached("positions", self.limits.positions, f"{positions:,} found so far")
        self.check(f"{positions:,} positions so far")

    def check(self, detail: str, planned: int = 0) -> None:
        """Check the time and the memory against the limits, with `planned` bytes to come."""
        if stop.is_set():
            raise KeyboardInterrupt
        now = time.monotonic()
        if now - self.started > self.limits.seconds:
            raise BudgetSpent("time", self.limits.seconds, detail)
        if planned or now >= self._memory_until:
            if memory_in_use() + planned > self.limits.memory:
                raise BudgetSpent("memory", self.limits.memory, detail)
            self._memory_until = now + BETWEEN

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """While this lasts, `look` and `time_left` are about this account (as well)."""
        token = _in_force.set((*_in_force.get(), self))
        try:
            yield
        finally:
            _in_force.reset(token)


_in_force: ContextVar[tuple[Budget, ...]] = ContextVar("budgets in force", default=())


def look(detail: str = "") -> None:
    """Raise `BudgetSpent` where an account that is in force is overdrawn.

    For work that takes long and has no account of its own, because its outcome is kept: what it
    finds does not hang on the account, only whether it may go on.
    """
    for budget in _in_force.get():
        budget.check(detail)


def time_left() -> float:
    """Seconds until `look` will raise, if memory does not run out before."""
    return min((b.limits.seconds - b.seconds for b in _in_force.get()), default=inf)


def account(limits: Limits) -> Budget:
    """An account for work that is asked for later, which ends no later than those in force."""
    return Budget(replace(limits, seconds=min(limits.seconds, max(0.0, time_left()))))
