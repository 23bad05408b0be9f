"""How fast games are played, against a loop written in C and against Sancho.

    python benchmarks/machine.py [--seconds S] [SHEETS…] > docs/machine.md

Always measured: connect-four 7x6 from `games/`, beside random play of the same game on bitboards
in C (`connect_four.c`, where there is a C compiler), and some other sheets of `games/`. Further
sheets follow. Each runs in a process of its own by `ggp bench`, one after the other, on one thread.
Sancho's figures (Java; S. Draper and A. Rose) are of its net on another machine, where this loop in
C made 10,000,000 playouts a second; they are scaled to what the loop makes here. Progress goes to
standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
GAMES = HERE.parent / "games"

CONNECT_FOUR = ("connect-four/connect-four.kif.jinja", "columns=7", "rows=6")
OURS = [
    CONNECT_FOUR,
    ("tic-tac-toe/tic-tac-toe.kif",),
    ("nim/rows.kif.jinja", "rows=4"),
    ("kayles/kayles-7.kif",),
    ("clobber/clobber-4x4.kif",),
    ("domineering/domineering.kif.jinja",),
    ("fox-and-geese/fox-and-geese.kif",),
]

SANCHO = {
    "ticTacToe": 143_000,
    "connectFour": 74_000,
    "breakthroughSmall": 44_300,
    "breakthrough": 20_100,
    "nim3": 70_300,
    "chomp": 86_100,
    "eightPuzzle": 4_800,
    "maze": 336_000,
    "knightThrough": 36_300,
    "sheepAndWolf": 6_100,
    "dotsAndBoxes": 23_200,
    "pentago": 9_300,
    "checkers": 3_800,
    "amazons_8x8": 1_400,
    "hex": 1_100,
}
SANCHO_LOOP = 10_000_000
"""Playouts a second of the loop in C on the machine of these figures."""


def run_in_c(name: str, *arguments: str) -> list[float] | None:
    """The numbers that a program in C of this folder prints; None without a C compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program, source = Path(folder) / name, str(HERE / f"{name}.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    return list(map(float, done.stdout.split()))


def loop_in_c(seconds: float) -> float | None:
    """Playouts a second of connect-four on bitboards; None without a C compiler."""
    found = run_in_c("connect_four", str(seconds))
    return found and found[0] / found[2]


def measure(sheet: Path, settings: list[str], seconds: float, engine: str) -> dict[str, Any]:
    """What `ggp bench` says of a sheet."""
    command = [sys.executable, "-m", "ggp", "bench", str(sheet), "--format", "json"]
    command += ["--seconds", str(seconds), "--engine", engine]
    command += [part for setting in settings for part in ("--set", setting)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3600)
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1][:100]}
    return dict(json.loads(done.stdout))


def row(name: str, found: dict[str, Any], loop: float | None) -> str:
    """A line of the table."""
    if "error" in found:
        return f"| {name} | {found['error']} |" + " |" * 9
    engines = {speed["engine"]: speed for speed in found["engines"]}
    if "llvm" not in engines:
        speed = found["engines"][0]
        rate = f"{speed['playouts_per_second']:,.1f}"
        return (
            f"| {name} | {speed['engine']} | {found['ground_seconds']:.2f} | | {rate} |" + " |" * 6
        )
    slow, fast = engines["interpreter"], engines["llvm"]
    sancho = ""
    if name in SANCHO and loop:
        sancho = f"{fast['playouts_per_second'] / (SANCHO[name] * loop / SANCHO_LOOP):,.0f}"
    ratio = f"{fast['playouts_per_second'] / loop:.2f}" if loop else ""
    cells = [
        name,
        f"{found['gates']:,}",
        f"{found['ground_seconds']:.2f}",
        f"{fast['mean_length']:.1f}",
        f"{slow['playouts_per_second']:,.0f}",
        f"{fast['playouts_per_second']:,.0f}",
        f"{fast['states_per_second']:,.0f}",
        f"{fast['compile_seconds']:.2f}",
        f"{slow['first_playout_seconds']:.3f}",
        ratio,
        sancho,
    ]
    return f"| {' | '.join(cells)} |"


def engines_of(sheet: Path, settings: list[str], seconds: float) -> dict[str, Any]:
    """The figures of both engines."""
    found = measure(sheet, settings, seconds, "interpreter")
    if "error" in found or found["gates"] is None:
        return found
    fast = measure(sheet, settings, seconds, "llvm")
    if "error" in fast:
        return fast
    return fast | {"engines": [*found["engines"], *fast["engines"]]}


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sheets", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()
    loop = loop_in_c(options.seconds)
    print("# Speed of the machine\n")
    print("Made by `python benchmarks/machine.py SHEETS…`; see there for what is measured.\n")
    if loop:
        print(f"Connect-four 7x6 in C, one thread, {platform.machine()}: {loop:,.0f} playouts/s.\n")
    titles = ["sheet", "gates", "ground s", "length", "interpreted/s", "llvm/s", "states/s"]
    titles += ["compile s", "first play s", "of C loop", "of Sancho"]
    print(f"| {' | '.join(titles)} |\n|---|{'---:|' * (len(titles) - 1)}")
    wanted = [(GAMES / path, list(settings)) for path, *settings in OURS]
    wanted += [(sheet, []) for sheet in options.sheets]
    for sheet, settings in wanted:
        name = " ".join([sheet.name.split(".")[0], *settings])
        found = engines_of(sheet, settings, options.seconds)
        print(row(name, found, loop), flush=True)
        print(name, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
