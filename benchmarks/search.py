"""How fast the tree search is: `python -m benchmarks.search SHEETS… [--seconds S] [--threads N]`.

For each sheet, from its first state: descents and random plays a second, positions of the tree, and
bytes that each takes; and beside it, in the same run, plain UCT: one descent and one random play at
a time. A row for each in Markdown. Machine code is there before the clock starts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import ggp
from ggp.play.search.leaves import Settings
from ggp.play.search.search import TreeSearch
from ggp.play.simple import PLAIN

WARM = 0.5
"""Seconds of search before the clock starts."""


def measured(
    game: ggp.Game, settings: Settings, threads: int, seconds: float
) -> tuple[float, int, float]:
    """Descents a second, positions, bytes by position."""
    for long in (WARM, seconds):
        search = TreeSearch(game, 0, seed=1, settings=settings, threads=threads)
        search.start(game.initial)
        began = time.perf_counter()
        search.run(time.monotonic() + long)
        spent = time.perf_counter() - began
    tree = search.tree
    size = sum(array.nbytes for array in tree) / len(tree.kind)
    return search.descents / spent, tree.size, size


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sheets", nargs="+")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    print("| sheet | descents/s | plays/s | positions | bytes each | plain UCT/s | ratio |")
    print("|---|---|---|---|---|---|---|")
    for sheet in given.sheets:
        game = ggp.load(sheet)
        game.machine.compile()
        for unit in game.machine.player.units:
            unit.compile()
        rate, size, each = measured(game, Settings(), given.threads, given.seconds)
        plain, _, _ = measured(game, PLAIN, 1, given.seconds)
        print(
            f"| {Path(sheet).stem} | {rate:,.0f} | {rate * Settings().plays:,.0f} | {size:,} "
            f"| {each:.0f} | {plain:,.0f} | {rate / plain:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
