"""How fast values of short games are found.

    python benchmarks/values.py [--length 7]

Each row is measured in a process of its own, because what one row finds would help the next:
Toads and Frogs on all strips up to a length, random games of birthday 3, sums of random switches.
Games are canonical forms that were asked for, "new" those that were not in the table before.
Then starts of rule sheets: pieces that were worked out, seconds for these in a process that has
worked out another sheet before, in a new one (which numba's start and imports are part of), and of
the whole command from its start to its end. The loops are compiled before.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import ggp
from ggp.solver.valued import values
from ggp.theory import ShortGame
from ggp.theory.short.table import LEFT

GAMES = Path(__file__).parent.parent / "games"

SHEETS: list[tuple[str, dict[str, object]]] = [
    ("kayles/kayles-7.kif", {}),
    ("domineering/domineering.kif.jinja", {"rows": 4, "columns": 4}),
    ("domineering/domineering.kif.jinja", {"rows": 5, "columns": 5}),
    ("clobber/clobber.kif.jinja", {"rows": 3, "columns": 4}),
    ("clobber/clobber.kif.jinja", {"rows": 4, "columns": 4}),
]
"""The first one has the loops compiled."""

OTHER: tuple[str, dict[str, object]] = ("toads-and-frogs/toads-and-frogs.kif.jinja", {})
"""What a process works out before it is measured."""


def moves(strip: str, animal: str, other: str, step: int) -> Iterator[str]:
    """The strips that one animal can make of a strip: a step, or a jump over one of the others."""
    for i, cell in enumerate(strip):
        for width in (1, 2):
            to = i + width * step
            if cell != animal or not 0 <= to < len(strip) or strip[to] != "_":
                continue
            if width == 1 or strip[i + step] == other:
                cells = list(strip)
                cells[i], cells[to] = "_", animal
                yield "".join(cells)


@cache
def toads_and_frogs(strip: str) -> ShortGame:
    """The value of a strip of T (Left's, to the right), F and _ (Winning Ways, chapter 1)."""
    return ShortGame(
        [toads_and_frogs(to) for to in moves(strip, "T", "F", 1)],
        [toads_and_frogs(to) for to in moves(strip, "F", "T", -1)],
    )


def all_strips(length: int) -> int:
    """Toads and Frogs on every strip up to a length."""
    strips = (s for n in range(1, length + 1) for s in itertools.product("TF_", repeat=n))
    return len([toads_and_frogs("".join(strip)) for strip in strips])


def birthday_three(count: int) -> int:
    """Games whose options are random games of the 22 born by day 2."""
    chance = random.Random(1)
    days = [ShortGame()]
    for _ in range(2):
        sides = [s for n in range(3) for s in itertools.combinations(days, n)]
        days = list({ShortGame(left, right) for left in sides for right in sides})
    assert len(days) == 22
    for _ in range(count):
        ShortGame(chance.sample(days, 4), chance.sample(days, 4))
    return count


def switches(count: int) -> int:
    """Sums of 8 switches {x|y} with random x and y."""
    chance = random.Random(2)
    for _ in range(count):
        drawn = (sorted(chance.sample(range(-8, 9), 2)) for _ in range(8))
        sum(ShortGame([high], [low]) for low, high in drawn)
    return 8 * count


def measure(rows: tuple[Callable[[int], int], int]) -> tuple[int, int, float]:
    """Games asked for, games new in the table, seconds."""
    work, size = rows
    before, started = len(LEFT), time.perf_counter()
    count = work(size)
    return count, len(LEFT) - before, time.perf_counter() - started


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--length", type=int, default=7, help="of the longest strip")
    parser.add_argument("--sheets", type=int, default=len(SHEETS), help="how many of them")
    parser.add_argument("--count", type=int, default=20_000, help="of random games")
    given = parser.parse_args()
    rows = [
        (f"Toads and Frogs up to {given.length}", all_strips, given.length),
        ("random, birthday 3", birthday_three, given.count),
        ("sums of 8 switches", switches, given.count // 100),
    ]
    print("| what | games | new | seconds | games per second |\n|---|---:|---:|---:|---:|")
    for name, work, size in rows:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            count, new, seconds = pool.apply(measure, ((work, size),))
        print(f"| {name} | {count:,} | {new:,} | {seconds:.2f} | {count / seconds:,.0f} |")
    sheets(given)


def sheet(settings: tuple[str, dict[str, object]]) -> tuple[int, float, str]:
    """Pieces, seconds without reading and grounding the rules, and the value."""
    game = ggp.load(GAMES / settings[0], **settings[1])
    assert game.is_ground
    started = time.perf_counter()
    found = values(game)
    return found.count, time.perf_counter() - started, str(found.whole)


def sheets(given: argparse.Namespace) -> None:
    """The table of rule sheets."""
    print("\n| sheet | value | pieces | seconds | in a new process | of the command |")
    print("|---|---|---:|---:|---:|---:|")
    for name, settings in SHEETS[: given.sheets]:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            count, first, value = pool.apply(sheet, ((name, settings),))
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            pool.apply(sheet, (OTHER,))
            _, seconds, _ = pool.apply(sheet, ((name, settings),))
        given_ = [word for key, x in settings.items() for word in ("--set", f"{key}={x}")]
        started = time.perf_counter()
        command = [sys.executable, "-m", "ggp", "value", str(GAMES / name), *given_]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        whole = time.perf_counter() - started
        size = " ".join(str(x) for x in settings.values())
        shown = value if len(value) < 40 else f"{value[:37]}..."
        print(
            f"| {name} {size} | `{shown}` | {count:,} | {seconds:.3f} | {first:.2f} | {whole:.2f} |"
        )


if __name__ == "__main__":
    main()
