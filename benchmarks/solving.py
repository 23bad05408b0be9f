"""What solving takes: `python -m benchmarks.solving [SHEETS…] [--time S] [--memory MB] [--jobs N]`.

Each sheet is solved by `ggp solve` in a process of its own, whose peak memory is measured; a row
for each, in Markdown, on standard output as it is there, and after the last how many were solved by
which method (the rows of `docs/solving.md`). Without sheets: games of known size (numbers of
positions by J. Tromp for connect-four), by several methods and numbers of threads; and how many
times as long Nim rows 8 take as a loop in C (`nim_rows.c`) for its half of the positions.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.machine import run_in_c

FOUR = "connect-four/connect-four"
FIGURES = [
    (FOUR, ["columns=5", "rows=4"], ["--method", "positions"]),
    (FOUR, ["columns=5", "rows=4"], ["--threads", "1"]),
    (FOUR, ["columns=5", "rows=5"], ["--threads", "1"]),
    (FOUR, ["columns=5", "rows=5"], ["--threads", "2"]),
    (FOUR, ["columns=6", "rows=4"], ["--threads", "1"]),
    (FOUR, ["columns=6", "rows=4"], ["--threads", "2"]),
    (FOUR, ["columns=5", "rows=5"], ["--method", "alpha-beta"]),
    (FOUR, ["columns=5", "rows=5"], ["--method", "proof-numbers"]),
    ("fox-and-geese", [], ["--method", "positions"]),
    ("fox-and-geese", [], ["--method", "layers"]),
    ("colouring/colouring", ["n=5"], ["--method", "alpha-beta"]),
    ("colouring/colouring", ["n=6"], ["--method", "layers"]),
    ("colouring/colouring", ["n=6"], ["--method", "alpha-beta"]),
    ("colouring/colouring", ["n=7"], ["--method", "alpha-beta"]),
    ("colouring/colouring", ["n=8"], ["--method", "alpha-beta"]),
    ("domineering/domineering", ["rows=6", "columns=6"], ["--method", "alpha-beta"]),
    ("nim/rows", ["rows=8"], ["--method", "layers"]),
    ("nim/rows", ["rows=8"], []),
    ("pursuit", ["columns=10", "rows=10", "cops=2"], ["--method", "positions"]),
    *(
        ("pursuit", [f"columns={n}", f"rows={n}", "cops=2"], ["--method", "passes", *threads])
        for n in (10, 13, 16)
        for threads in (["--threads", "1"], ["--threads", "2"])
    ),
]


@dataclass(frozen=True)
class Solved:
    """What came of one command: `data` as in `ggp solve --format json`, and the peak in MB."""

    name: str
    options: str
    data: dict[str, Any]
    peak: float

    def row(self) -> str:
        """A row of the table."""
        data = self.data
        case = f"{self.name} {self.options}".rstrip()
        if data.get("method") is None:
            why = str(data.get("why_not") or data.get("error", {}).get("message") or "no answer")
            return f"| {case} | – | – | {why[:110]} | – | – | {self.peak:,.0f} |"
        goals = data.get("goals")
        value = " ".join(f"{goal:g}" for goal in goals.values()) if goals else "endless"
        positions = data["positions"]
        cells = [
            case,
            data.get("outcome") or "–",
            value,
            data["method"],
            f"{positions:,}",
            f"{data['seconds']:.1f}",
            f"{self.peak:,.0f}",
        ]
        return f"| {' | '.join(cells)} |"


def solved(
    sheet: str, settings: Sequence[str], options: Sequence[str], limits: list[str]
) -> Solved:
    """Solve one sheet in a child."""
    arguments = [x for setting in settings for x in ("--set", setting)]
    command = [sys.executable, "-m", "ggp", "solve", sheet, *arguments, *options, *limits]
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen(
            [*command, "--format", "json"], stdout=out, stderr=subprocess.DEVNULL
        )
        _, _, used = os.wait4(child.pid, 0)
        out.seek(0)
        text = out.read()
    try:
        data = json.loads(text)
    except ValueError:
        data = {}
    name = Path(sheet).name.removesuffix(".kif")
    given = " ".join([*settings, *options])
    return Solved(name, given, data, used.ru_maxrss / 1024)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sheets", nargs="*")
    parser.add_argument("--time", type=float, default=600)
    parser.add_argument("--memory", type=int, default=8192)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    limits = ["--time", str(given.time), "--memory", str(given.memory)]
    cases = [(sheet, [], []) for sheet in given.sheets] or FIGURES
    print("| sheet | outcome | goals | method, or why not | positions | seconds | peak MB |")
    print("|---|---|---|---|---:|---:|---:|")
    lock = threading.Lock()

    def solve(case: tuple[str, list[str], list[str]]) -> Solved:
        found = solved(*case, limits)
        with lock:
            print(f"{found.name}: {found.data.get('method')}", file=sys.stderr, flush=True)
        return found

    rows = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for found in pool.map(solve, cases):
            rows.append(found)
            print(found.row(), flush=True)
    print(f"\n{beside_c(limits) if not given.sheets else summary(rows)}")


def summary(rows: Sequence[Solved]) -> str:
    """How many of the sheets were solved, and by which methods."""
    methods = Counter(row.data["method"].split(",")[0] for row in rows if row.data.get("method"))
    counts = ", ".join(f"{method} {count}" for method, count in methods.most_common())
    return f"{methods.total()} of {len(rows)} sheets were solved: {counts}."


def beside_c(limits: list[str]) -> str:
    """All positions of Nim rows 8, by one thread, beside the loop in C."""
    loop = run_in_c("nim_rows", "8")
    if loop is None:
        return "No C compiler to compare with."
    count, moves, _, spent = loop
    found = solved("nim/rows", ["rows=8"], ["--method", "layers", "--threads", "1"], limits)
    if found.data.get("method") is None:
        return found.row()
    seconds, positions = found.data["seconds"], found.data["positions"]
    ratio = seconds / positions / (spent / count)
    return (
        f"Nim rows 8: {positions:,} positions in {seconds:.1f} s by one thread; a loop in C, "
        f"without turns, {count:,.0f} positions and {moves:,.0f} moves in {spent:.2f} s: "
        f"{ratio:.0f} times as long for a position."
    )


if __name__ == "__main__":
    main()
