"""Where the verbs have many things done: in processes of this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ggp.cli.common import Command
from ggp.pool import Spread, spread

Item = TypeVar("Item")
Result = TypeVar("Result")


def cluster_option(command: Command) -> Command:
    """Where work is done."""
    return click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Work on a Ray cluster: local (one is started), HOST:PORT, ray://HOST:PORT "
        "(extra ggp[cluster]).",
    )(command)


@contextmanager
def spreading(cluster: str | None, jobs: int | None) -> Iterator[Spread]:
    """What does things side by side: `jobs` at once, on a cluster without such a bound if None.

    Raises `InputError` where the cluster is not there.
    """
    if cluster is None:

        def here(
            work: Callable[[Item], Result], items: Iterable[Item], /
        ) -> Generator[tuple[int, Result | None]]:
            return spread(work, items, jobs or 1)

        yield here
        return
    # Imported here: who does without needs no Ray.
    from ggp.cluster.engine import LOCAL, connected
    from ggp.cluster.pool import spread_over

    with connected(cluster, jobs) as ray:

        def there(
            work: Callable[[Item], Result], items: Iterable[Item], /
        ) -> Generator[tuple[int, Result | None]]:
            return spread_over(ray, work, items, None if cluster == LOCAL else jobs)

        yield there


@contextmanager
def counted(
    console: Console, what: str, total: int, *, shown: bool = True
) -> Iterator[Callable[[int], None]]:
    """What is called when some more of so many are done, and shows that where somebody watches; not
    if it is not to be `shown`, as where each of them shows how far it is."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    hidden = not (shown and console.is_terminal)
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)
