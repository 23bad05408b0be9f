"""How long sheets take to ground, and how large their nets are.

    python benchmarks/grounding.py SHEETS… > docs/grounding.md

Each sheet is grounded in a process of its own; the clock is that of the grounding alone, the memory
the peak of the whole process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LIMIT = 100
"""Seconds for one sheet."""

CHILD = """
import json, sys, time
from ggp.errors import GgpError
from ggp.ground import ground
from ggp.kif import read_source
from ggp.limits import Limits, peak_memory
from ggp.rules import read_rules
rules = read_rules(read_source(sys.argv[1]))
started = time.monotonic()
try:
    net = ground(rules, Limits(ground_seconds=float(sys.argv[2])))
    row = {"fluents": len(net.fluents), "moves": sum(map(len, net.moves)),
           "gates": len(net.gates), "literals": net.literals}
except GgpError as error:
    row = {"error": str(error).splitlines()[0]}
print(json.dumps({**row, "seconds": time.monotonic() - started, "memory": peak_memory()}))
"""


def measure(sheet: Path) -> dict[str, float | str]:
    """The figures of one sheet."""
    command = [sys.executable, "-c", CHILD, str(sheet), str(LIMIT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=4 * LIMIT, check=False)
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1][:80], "seconds": 0.0, "memory": 0.0}
    return dict(json.loads(done.stdout))


def main(sheets: list[Path]) -> None:
    """Print the table in Markdown, after a summary."""
    rows = []
    for sheet in sheets:
        rows.append((sheet.stem, measure(sheet)))
        print(sheet.stem, rows[-1][1], file=sys.stderr, flush=True)
    ground = [row for _, row in rows if "error" not in row]
    print("# Grounding\n")
    within = ", ".join(
        f"{sum(float(row['seconds']) <= s for row in ground)} within {s} s" for s in (1, 10, 60)
    )
    print(
        f"{len(ground)} of {len(rows)} sheets ground: {within}. Limits: {LIMIT} s and the default"
    )
    print("number of ground rules. Seconds of grounding alone, peak memory of the process.\n")
    print("| sheet | seconds | fluents | moves | gates | literals | MB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, row in rows:
        memory = f"{float(row['memory']) / 1e6:.0f}"
        if "error" in row:
            print(f"| {name} | – | {row['error']} | | | | {memory} |")
        else:
            figures = " | ".join(f"{row[k]:,}" for k in ("fluents", "moves", "gates", "literals"))
            print(f"| {name} | {float(row['seconds']):.2f} | {figures} | {memory} |")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
