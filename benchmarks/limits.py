"""How far commands pass the limits that they are given.

`python -m benchmarks.limits SHEETS… [--time S] [--memory MB]` runs `analyse`, `solve` and
`show --perft` on each sheet with `--time`, then `analyse` and `solve` with `--memory`. It prints
the seconds that each took, and the most memory that the process held, with what those below it do
not share, as ratios of what was allowed; the worst come last. Wall time hangs on what else the
machine does: run it alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil

VERBS = (["analyse"], ["solve"], ["show", "--perft", "50"])


def measured(arguments: list[str], patience: float) -> tuple[float, int, int]:
    """Seconds, the most bytes held, and the exit code of a command; -1 if it had to be killed."""
    began, held = time.monotonic(), 0
    command = [sys.executable, "-m", "ggp", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        process = psutil.Process(running.pid)
        while running.poll() is None:
            with suppress(psutil.Error):
                below = process.children(recursive=True)
                own = sum(p.memory_info().rss - p.memory_info().shared for p in below)
                held = max(held, process.memory_info().rss + own)
            if time.monotonic() - began > patience:
                for child in (*process.children(recursive=True), process):
                    child.kill()
                return time.monotonic() - began, held, -1
            time.sleep(0.02)
        return time.monotonic() - began, held, running.returncode


def main() -> None:
    """Measure, and print a row a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sheets", nargs="+", type=Path)
    parser.add_argument("--time", type=float, default=3.0, help="Seconds; 0: not measured.")
    parser.add_argument("--memory", type=int, default=400, help="MB; 0: not measured.")
    options = parser.parse_args()
    rows = []
    for sheet in options.sheets:
        for verb in VERBS if options.time else ():
            limit = [*verb, str(sheet), "--time", str(options.time)]
            seconds, _, code = measured(limit, 20 * options.time)
            rows.append((seconds / options.time, f"{seconds:.1f} s", code, verb[0], sheet.stem))
            print(*rows[-1], flush=True)
        for verb in VERBS[:2] if options.memory else ():
            limit = [*verb, str(sheet), "--time", "20", "--memory", str(options.memory)]
            _, held, code = measured(limit, 60)
            megabytes = held / (1 << 20)
            ratio = megabytes / options.memory
            rows.append((ratio, f"{megabytes:.0f} MB", code, verb[0], sheet.stem))
            print(*rows[-1], flush=True)
    print("the worst:")
    for ratio, figure, code, verb, name in sorted(rows)[-20:]:
        print(f"{ratio:6.2f}  {figure:>9}  {verb:<8} {name}  (exit code {code})")


if __name__ == "__main__":
    main()
