"""Progress of long work, on a terminal only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console
from rich.progress import Progress as Bar
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from ggp.machine import Progress


@contextmanager
def progress(console: Console, what: str) -> Iterator[Progress | None]:
    """A callback that shows positions found, their rate, and what is left; None where nobody
    watches."""
    if not console.is_terminal:
        yield None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        told = Told(what)
        yield lambda found, done: bar.update(task, description=told(found, done))


class Told:
    """The text for how far work has come that goes over positions once, or several times.

    While positions are still being found, those that wait say how long it takes at the least.
    When what was found is gone through once more, and is no more than before, its number is known,
    and so is about how long.
    """

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._clock = what, clock
        self._began = clock()
        self._last = 0
        self._known: int | None = None

    def __call__(self, found: int, done: int) -> str:
        """The text when so many of those that were found are done."""
        if done < self._last:
            self._began, self._known = self._clock(), found
        self._last = done
        rate = done / max(self._clock() - self._began, 1e-9)
        left = timedelta(seconds=round((found - done) / rate)) if done and found > done else None
        if found != self._known:
            text = f"{found:,} positions found, {found - done:,} waiting, {rate:,.0f}/s"
            about = "at least"
        else:
            text, about = f"{done:,} of {found:,} positions, {rate:,.0f}/s", "about"
        return f"{self._what}: {text}" + (f", {about} {left} to go" if left else "")
