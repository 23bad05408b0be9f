"""`ggp conform`: hold the engine against recorded plays."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ggp.cli.common import Name, Number, format_option, limits_from, print_json, say
from ggp.errors import GgpError
from ggp.game import load
from ggp.limits import Limits
from ggp.text import plain
from ggp.traces import read_trace, replay


@click.command()
@click.argument("files", nargs=-1, required=True, type=Name(path_type=Path))
@click.option(
    "--traces",
    "folder",
    required=True,
    type=Name(path_type=Path),
    help="Folder with a trace NAME.jsonl or NAME.jsonl.gz for each sheet NAME.kif.",
)
@format_option
@click.option("--ground-seconds", type=Number(min=0), help="Most seconds of grounding.")
def conform(files: tuple[Path, ...], folder: Path, form: str, ground_seconds: float | None) -> int:
    """Replay recorded plays: every state, legal move, end and goal must agree.

    \b
    Example: ggp conform games/*.kif --traces traces/

    JSON: sheets (list of file, status, engine, steps, seconds, detail), agree, differ, failed,
    missing. Engine is unground where grounding passed its limits. Status is agree, differ (detail
    says where first), failed (the sheet could not be loaded or played) or missing (no trace). Exit
    code 1 unless all agree.
    """
    limits = limits_from(None, None, None, ground_seconds)
    rows = []
    for file in files:
        row = _conform(file, folder, limits)
        rows.append(row)
        if form == "text":
            style = "green" if row["status"] == "agree" else "red"
            line = f"{file.stem:<36} {row['steps']:>4} steps {row['seconds']:>7.2f} s  "
            line += f"{row['engine'] or '':<12} "
            detail = row["detail"] or ""
            say(Text(plain(line)).append(row["status"], style).append(plain(f"  {detail}")))
    counts = {
        status: sum(row["status"] == status for row in rows)
        for status in ("agree", "differ", "failed", "missing")
    }
    if form == "json":
        print_json("conform", {"sheets": rows, **counts})
    else:
        say(", ".join(f"{count} {status}" for status, count in counts.items()))
    return 0 if counts["agree"] == len(rows) else 1


def _conform(file: Path, folder: Path, limits: Limits) -> dict[str, Any]:
    started = time.monotonic()
    steps, status, detail, engine = 0, "agree", None, None
    traces = [folder / f"{file.stem}.jsonl{suffix}" for suffix in ("", ".gz")]
    trace = next((path for path in traces if path.exists()), None)
    if trace is None:
        status = "missing"
    else:
        try:
            game = load(file, limits=limits)
            engine = game.evaluator.engine
            steps, difference = replay(game, read_trace(trace))
            if difference:
                status, detail = "differ", str(difference)
        except GgpError as error:
            status, detail = "failed", str(error).splitlines()[0]
    seconds = round(time.monotonic() - started, 2)
    return {
        "file": str(file),
        "status": status,
        "engine": engine,
        "steps": steps,
        "seconds": seconds,
        "detail": detail,
    }
