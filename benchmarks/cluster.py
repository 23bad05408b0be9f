"""What a cluster of this machine costs and gives, beside processes (`--jobs`).

    python benchmarks/cluster.py

Seconds of one run each; nothing is asserted. The commands are timed as a whole: with a cluster its
start and its end, which are told apart above, are in them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ggp.cluster.engine import connected
from ggp.cluster.pool import spread_over
from ggp.pool import spread

TASKS, WORKERS = 2_000, 2

COMMANDS = {
    "a sweep of 29 sheets": ["table", "kayles/kayles", "--sweep", "n=2..30"],
    "20 sheets analysed": ["analyse", "--brief", *["tic-tac-toe", "nim/rows"] * 10],
    "100 million random plays": ["show", "tic-tac-toe", "--playouts", "100000000"],
}

WAYS = {
    "1 process": ["--jobs", "1"],
    "2 processes": ["--jobs", "2"],
    "cluster, 1 worker": ["--cluster", "local", "--jobs", "1"],
    "cluster, 2 workers": ["--cluster", "local", "--jobs", "2"],
}

FOUND: dict[str, float] = {}
"""What was measured so far."""


def main() -> dict[str, float]:
    """Print a line for each figure; all of them, in seconds, by name."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["GGP_CACHE"] = cache
        _tasks()
        subprocess.run([sys.executable, "-m", "ggp", "analyse", "nim/rows"], capture_output=True)
        for name, command in COMMANDS.items():
            for way, options in WAYS.items():
                with _timed(f"{name}, {way}"):
                    subprocess.run(
                        [sys.executable, "-m", "ggp", *command, *options],
                        stdout=subprocess.DEVNULL,
                        check=True,
                    )
    return FOUND


def _tasks() -> None:
    """The start, the end, and what a task costs that does nothing."""
    began = time.perf_counter()
    with connected("local", WORKERS) as ray:
        _line("start of a cluster", time.perf_counter() - began)
        with _timed("the first task"):
            list(spread_over(ray, abs, [1]))
        _each("a task of a cluster", lambda: list(spread_over(ray, abs, range(TASKS))))
        began = time.perf_counter()
    _line("end of a cluster", time.perf_counter() - began)
    _each("a task of processes", lambda: list(spread(abs, range(TASKS), WORKERS)))


def _each(name: str, work: Callable[[], object]) -> None:
    began = time.perf_counter()
    work()
    FOUND[name] = (time.perf_counter() - began) / TASKS
    print(f"{name:<44}{FOUND[name] * 1e6:>9.0f} µs", flush=True)


@contextmanager
def _timed(name: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    _line(name, time.perf_counter() - began)


def _line(name: str, seconds: float) -> None:
    FOUND[name] = seconds
    print(f"{name:<44}{seconds:>9.2f} s", flush=True)


if __name__ == "__main__":
    main()
