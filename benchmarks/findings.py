"""What can be settled about public sheets, and how: a table of findings.

    python benchmarks/findings.py RAW SHEETS… > docs/findings.md

Each sheet is analysed in a process of its own, two at a time, for 60 seconds at the most and up to
3,000,000 positions. RAW is a file with a line of JSON for each sheet that is done; what it holds is
not made again, so that a run that was broken off goes on. `benchmarks/findings_notes.md` says which
sheets are delicate, and goes into the page as it is. Progress goes to standard error.
"""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

SECONDS, POSITIONS = 60, 3_000_000
"""The limits for one sheet."""

CHILD = """
import json, sys, time
import ggp
started = time.monotonic()
game = ggp.load(sys.argv[1])
loaded = time.monotonic() - started
findings = game.analyse(time=float(sys.argv[2]), positions=int(sys.argv[3]))
kinds = {f.property: f.evidence.as_json()["kind"] for f in findings}
rows = {
    f.property: [f.value, "by witness" if kinds[f.property] == "witness" else f.certainty]
    for f in findings
}
print(json.dumps({"findings": rows, "load": loaded, "seconds": time.monotonic() - started}))
"""

COLUMNS = (
    "players", "turns", "form", "impartial", "all_small", "cyclic", "playable", "terminating",
    "outcome_kind", "winnable", "zero_sum", "shortest_play", "longest_play", "reachable_states",
    "heaps",
)  # fmt: skip

MARKS = {"proved": "", "exhaustive": "ᵉ", "by witness": "ʷ", "unknown": ""}


def measure(sheet: Path) -> dict[str, Any]:
    """The findings of one sheet."""
    command = [sys.executable, "-c", CHILD, str(sheet), str(SECONDS), str(POSITIONS)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    except subprocess.TimeoutExpired:
        return {"error": "more than 600 s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["killed"])[-1][:100]}
    return dict(json.loads(done.stdout))


def cell(finding: list[Any] | None) -> str:
    """A value with a mark for how it was found."""
    if finding is None:
        return ""
    value, certainty = finding
    if certainty == "unknown":
        return "?"
    if isinstance(value, list):
        text = str(len(value))
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
    return text + MARKS[certainty]


def share(rows: list[dict[str, Any]], name: str) -> str:
    """How many of the sheets that a property is asked of are settled, and how."""
    asked = [row["findings"][name][1] for row in rows if name in row["findings"]]
    counts = {kind: asked.count(kind) for kind in ("proved", "exhaustive", "by witness", "unknown")}
    settled = len(asked) - counts["unknown"]
    shown = " | ".join(str(counts[kind]) for kind in counts)
    rate = f"{settled / len(asked):.0%}" if asked else "–"
    return f"| {name.replace('_', ' ')} | {len(asked)} | {settled} ({rate}) | {shown} |"


def main(raw: Path, sheets: list[Path]) -> None:
    """Print the page in Markdown."""
    known = {}
    if raw.exists():
        known = {r["sheet"]: r for r in map(json.loads, raw.read_text().splitlines())}
    left = [sheet for sheet in sheets if sheet.stem not in known]
    with raw.open("a") as file, ThreadPoolExecutor(2) as pool:
        for sheet, row in zip(left, pool.map(measure, left), strict=True):
            known[sheet.stem] = {"sheet": sheet.stem, **row}
            file.write(json.dumps(known[sheet.stem]) + "\n")
            file.flush()
            print(sheet.stem, row.get("seconds", row.get("error")), file=sys.stderr, flush=True)
    rows = [known[sheet.stem] for sheet in sheets]
    good = [row for row in rows if "findings" in row]
    print("# Findings about public sheets\n")
    print("Made by `python benchmarks/findings.py RAW SHEETS…`; see there for the limits.")
    print("ᵉ every position was enumerated, ʷ shown by a witness, ? unknown, no mark: proved.")
    print("Empty: the question has no sense for the game.\n")
    print("| property | asked | settled | proved | exhaustive | by witness | unknown |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name in COLUMNS:
        print(share(good, name))
    print()
    print((Path(__file__).parent / "findings_notes.md").read_text().strip() + "\n")
    print("| sheet | " + " | ".join(name.replace("_", " ") for name in COLUMNS) + " | seconds |")
    print("|---|" + "---|" * len(COLUMNS) + "---:|")
    for row in rows:
        if "findings" in row:
            cells = " | ".join(cell(row["findings"].get(name)) for name in COLUMNS)
            print(f"| {row['sheet']} | {cells} | {row['seconds']:.0f} |")
        else:
            print(f"| {row['sheet']} | {row['error']} |" + " |" * len(COLUMNS))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(argument) for argument in sys.argv[2:]])
