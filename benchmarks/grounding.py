"""How long sheets take to ground, how large their nets are, and what their states take.

    python benchmarks/grounding.py SHEETS… > docs/grounding.md

Each sheet is grounded in a process of its own with the default limits, except for the time. The
clock is that of the grounding alone, the memory the peak of the process, or of the one that it has
ground in, after grounding. Groups are searched for 20 seconds at the most. Progress goes to
standard error.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LIMIT = 60
"""Seconds of grounding for one sheet."""

CHILD = """
import json, resource, sys, time
import ggp
from ggp.ground import state_bits
from ggp.kif import read_source
from ggp.limits import Limits
from ggp.rules import read_rules
rules = read_rules(read_source(sys.argv[1]))
started = time.monotonic()
game = ggp.Game(rules, Limits(ground_seconds=float(sys.argv[2])))
row = {"seconds": time.monotonic() - started}
whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
row["memory"] = max(resource.getrusage(who).ru_maxrss for who in whose) * 1024
if game.is_ground:
    net = game.net
    row |= {"engine": "net", "atoms": len(net.fluents) + len(net.legal), "gates": len(net.gates),
            "literals": net.literals, "fluents": len(net.fluents)}
    started = time.monotonic()
    row |= {"groups": len(game.groups), "bits": state_bits(net, game.groups)}
    row["group_seconds"] = time.monotonic() - started
else:
    row |= {"engine": "unground", "why": str(game.too_large)}
print(json.dumps(row))
"""

HEAD = """| sheet | engine | seconds | atoms | gates | literals | fluents | groups | bits | group \
seconds | MB |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"""


def measure(sheet: Path) -> dict[str, float | str]:
    """The figures of one sheet."""
    command = [sys.executable, "-c", CHILD, str(sheet), str(LIMIT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        return {"engine": "none", "why": done.stderr.strip().splitlines()[-1][:80]}
    return dict(json.loads(done.stdout))


def line(name: str, row: dict[str, float | str]) -> str:
    """One row of the table."""
    if row["engine"] != "net":
        memory = f"{float(row.get('memory', 0)) / 1e6:.0f}"
        return f"| {name} | {row['engine']} | {row['why']} | | | | | | | | {memory} |"
    counts = " | ".join(f"{row[k]:,}" for k in ("atoms", "gates", "literals", "fluents"))
    groups = f"{row['groups']} | {row['bits']:,} | {float(row['group_seconds']):.2f}"
    seconds, memory = f"{float(row['seconds']):.2f}", f"{float(row['memory']) / 1e6:.0f}"
    return f"| {name} | net | {seconds} | {counts} | {groups} | {memory} |"


def main(sheets: list[Path]) -> None:
    """Print the table in Markdown, after a summary."""
    rows = []
    for sheet in sheets:
        rows.append((sheet.stem, measure(sheet)))
        print(sheet.stem, rows[-1][1], file=sys.stderr, flush=True)
    ground = [row for _, row in rows if row["engine"] == "net"]
    counts = {s: sum(float(row["seconds"]) <= s for row in ground) for s in (1, 10, 60)}
    within = ", ".join(f"{n} ({n / len(rows):.0%}) within {s} s" for s, n in counts.items())
    packed = {b: sum(int(row["bits"]) <= b for row in ground) for b in (64, 128, 256)}
    bits = ", ".join(f"{n} in {b}" for b, n in packed.items())
    print("# Grounding\n")
    print("Made by `python benchmarks/grounding.py SHEETS…`; see there for what is measured.\n")
    print(f"{len(ground)} of {len(rows)} sheets ground: {within}. The others are played unground.")
    print(f"States that fit into so many bits, groups packed: {bits}.\n")
    print(HEAD)
    for name, row in rows:
        print(line(name, row))


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
