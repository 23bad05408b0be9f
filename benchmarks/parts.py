"""What it takes to solve a game in parts: keys and codes sent, messages, time, files.

    python benchmarks/parts.py [COLUMNS ROWS [PARTS ...]]

Connect four (6x4 by default) on actors of a cluster of this machine: 1, 2 and 4 of them, and
without a cluster on as many threads as there are processors. Figures for each position do not hang
on the machine; the ratio of times does (parts share the processors). The last lines reckon from
the largest number of parts what games of 10**10 and 10**12 positions would take.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import ggp
from ggp.cluster.engine import connected
from ggp.cluster.solving.actors import Actors
from ggp.limits import Budget
from ggp.solver.layers.solution import Keeping, LayerSolution

SHEET = Path(__file__).parent.parent / "games" / "connect-four" / "connect-four.kif.jinja"

HEAD = (
    "       parts   seconds   ratio  bytes sent   of keys  of codes   messages  a million   on disk"
    "   table"
)
"""Bytes are those for each position."""

MACHINE = 64
"""Processors of a machine that the last lines reckon with."""


@dataclass(frozen=True)
class Figures:
    """What some parts took: time beside that of threads; bytes of keys and codes, messages, and
    bytes on disk, of layers and of the table, for each position."""

    parts: int
    seconds: float
    ratio: float
    keys: float
    codes: float
    messages: float
    kept: float
    table: float


def main(columns: int = 6, rows: int = 4, *parts: int) -> list[Figures]:
    """Print a row for each number of parts."""
    game = ggp.load(SHEET, columns=columns, rows=rows)
    cores = len(os.sched_getaffinity(0))
    alone, seconds = _solved(game, Keeping(threads=cores))
    count = alone.positions
    print(f"connect four {columns}x{rows}, up to symmetry: {count:,} positions, ", end="")
    print(f"{alone.moves / count:.2f} moves each; {game.packed_machine.coding.words} words a key")
    print(HEAD)
    print(f"{f'{cores} threads':>12}  {seconds:8.1f}  {1:6.2f}")
    found = []
    with connected("local") as ray:
        for number in parts or (1, 2, 4):
            found.append(one := _figures(game, alone, Actors(ray, number), seconds))
            sent = one.keys + one.codes
            print(f"{number:12}  {one.seconds:8.1f}  {one.ratio:6.2f}  {sent:10.1f}", end="")
            print(f"  {one.keys:8.1f}  {one.codes:8.2f}  {one.messages * count:9,.0f}", end="")
            print(f"  {1e6 * one.messages:9.1f}  {one.kept:8.1f}  {one.table:6.1f}", flush=True)
    _reckon(game, alone, seconds * cores)
    return found


def _figures(game: ggp.Game, alone: LayerSolution, actors: Actors, seconds: float) -> Figures:
    count = alone.positions
    with tempfile.TemporaryDirectory() as folder:
        keeping = Keeping(checkpoint=Path(folder) / "kept", elsewhere=actors)
        found, took = _solved(game, keeping)
        sent = found.told_elsewhere()
        assert sent
        assert (found.positions, found.moves) == (count, alone.moves)
        kept = _size(Path(folder) / "kept") / count
        found.write_table(Path(folder) / "table", Budget(game.limits))
        table = _size(Path(folder) / "table") / count
    parts = (sent[name] / count for name in ("key_bytes", "code_bytes", "messages"))
    return Figures(actors.parts, took, took / seconds, *parts, kept, table)


def _solved(game: ggp.Game, keeping: Keeping) -> tuple[LayerSolution, float]:
    began = time.perf_counter()
    found = game.solve(method="layers", keeping=keeping, time=36_000)
    assert isinstance(found, LayerSolution)
    return found, time.perf_counter() - began


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _reckon(game: ggp.Game, found: LayerSolution, seconds: float) -> None:
    """What many positions would take, every key that is come to being sent, none of them twice
    within a part (as where layers are far larger than what is sorted at once)."""
    words, moves = game.packed_machine.coding.words, found.moves / found.positions
    second = seconds / found.positions
    # Forward a key for each move; back a key and a code for each.
    sent = moves * (2 * 8 * words + 1)
    for positions in (10**10, 10**12):
        machines = max(1, round(positions / 10**10))
        hours = positions * second / MACHINE / machines / 3600
        network = positions * sent / machines / (hours * 3600) / 1e9 if machines > 1 else 0.0
        print(
            f"{positions:.0e} positions: {positions * (8 * words + 1) / 1e12:.2f} TB of layers, "
            f"at most {positions * moves * 8 * words / 1e12:.2f} TB of keys on their way, "
            f"{positions * sent / 1e12:.1f} TB sent; {machines} machines of {MACHINE} processors: "
            f"{hours:.2f} hours, {network:.2f} GB/s each way for every machine"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
