"""Figures of environments, clusters and games solved in parts, in one table.

    python -m benchmarks.beyond

Runs `env`, `cluster` and `parts` one after the other, some five minutes, and prints what they found
as Markdown. Ratios and figures for each position do not hang much on the machine; seconds do.
"""

from __future__ import annotations

import contextlib
import platform
import sys

from benchmarks import cluster, env, parts
from ggp.machine.engine.native import host


def main() -> None:
    """Print the table; what is measured meanwhile goes to standard error."""
    machine = host()
    print(f"{platform.machine()}, {machine.cpu}, vectors of {64 * machine.width} bits\n")
    print("| figure | value |\n|---|---:|")
    with env.one_core(), env.loop_in_cpp() as loop:
        for name in env.SHEETS:
            speeds, alike, fastest = env.measured(name, 4096, 1.0, loop)
            _row(f"{name}: steps a second of `vector` with bits and masks", f"{speeds[4]:,.0f}")
            if alike:
                _row(f"{name}: over C++ of OpenSpiel that makes masks and tensors", f"{alike:.1f}")
            _row(f"{name}: over the fastest C++ of OpenSpiel", f"{fastest:.1f}")
    with contextlib.redirect_stdout(sys.stderr):
        seconds = cluster.main()
        solved = parts.main()
    for name in ("start of a cluster", "end of a cluster"):
        _row(f"{name}, s", f"{seconds[name]:.1f}")
    for name in ("a task of a cluster", "a task of processes"):
        _row(f"{name} that does nothing, ms", f"{1000 * seconds[name]:.2f}")
    for name in cluster.COMMANDS:
        times = [seconds[f"{name}, {way}"] for way in cluster.WAYS]
        for way, time in zip(cluster.WAYS, times, strict=True):
            _row(
                f"{name}, {way}: time, of that of {next(iter(cluster.WAYS))}",
                f"{time / times[0]:.2f}",
            )
    for one in solved:
        name = f"connect four 6x4 in {one.parts} parts"
        _row(f"{name}: time, of that of threads", f"{one.ratio:.2f}")
        _row(f"{name}: bytes sent a position, keys and codes", f"{one.keys:.1f} + {one.codes:.1f}")
        _row(f"{name}: messages a million positions", f"{1e6 * one.messages:.0f}")
        _row(
            f"{name}: bytes a position on disk, layers and table",
            f"{one.kept:.1f} + {one.table:.1f}",
        )


def _row(figure: str, value: str) -> None:
    print(f"| {figure} | {value} |", flush=True)


if __name__ == "__main__":
    main()
