"""Progress of long work, on a terminal only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress as Bar
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from ggp.machine import Progress


@contextmanager
def progress(console: Console, what: str) -> Iterator[Progress | None]:
    """A callback that shows positions found and their rate; None where nobody watches."""
    if not console.is_terminal:
        yield None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)

        def update(found: int, expanded: int) -> None:
            elapsed = bar.tasks[0].elapsed or 1e-9
            rate = f"{expanded / elapsed:,.0f}/s"
            text = f"{what}: {found:,} positions found, {found - expanded:,} waiting, {rate}"
            bar.update(task, description=text)

        yield update
