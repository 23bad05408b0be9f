"""`ggp bench`: how fast a game is played here."""

from __future__ import annotations

import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from ggp.cli.common import Name, Number, game_options, limits_from, load_game, print_json, say
from ggp.cli.files import require_writable, write_whole
from ggp.errors import GgpError
from ggp.game import Game
from ggp.machine.warm import warm_up
from ggp.play.speed import Engine, Speed, measure
from ggp.text import plain

ENGINES: tuple[Engine, ...] = ("interpreter", "llvm", "reference")


@click.command()
@game_options
@click.option(
    "--engine",
    type=click.Choice(["all", *ENGINES]),
    help="What to measure; by default the interpreter and llvm.",
)
@click.option(
    "--seconds",
    type=Number(min=0.1, max=3600),
    default=3.0,
    show_default=True,
    help="Seconds of random play for each engine.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1, max=256),
    default=1,
    show_default=True,
    help="Threads that play at once.",
)
@click.option(
    "--ground-seconds",
    type=Number(min=0),
    help="Seconds of grounding after which the game is measured unground.",
)
@click.option(
    "--gdl-perf",
    type=(Name(path_type=Path, dir_okay=False), Number(min=0.1)),
    default=None,
    metavar="OUT SECONDS",
    help="Play for so many seconds and write the result for the harness gdl-perf.",
)
def bench(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    engine: str | None,
    seconds: float,
    threads: int,
    ground_seconds: float | None,
    gdl_perf: tuple[Path, float] | None,
) -> int:
    """Measure random play and expansion of positions, one engine against another.

    The interpreter runs a game at once, llvm after compiling it (nothing is taken from the cache
    here); the reference engine is the slow one that all are tested against. Figures are
    noisy: compare engines in one run, and run more than one.

    \b
    Example: ggp bench games/tic-tac-toe/tic-tac-toe.kif --seconds 1

    JSON: game, ground_seconds, gates, and engines: list of engine, threads, playouts_per_second,
    steps_per_second, states_per_second, compile_seconds, first_playout_seconds, playouts,
    mean_length; the figures of the fastest engine stand at the top too.
    """
    if gdl_perf:
        require_writable(gdl_perf[0])
        return _gdl_perf(file, settings, strict_case, *gdl_perf, threads)
    began = time.perf_counter()
    limits = limits_from(None, None, None, ground_seconds)
    game = load_game(file, settings, strict_case, limits)
    data: dict[str, Any] = {"game": game.name, "ground_seconds": time.perf_counter() - began}
    if game.is_ground:
        warm_up()
    speeds = [measure(game, name, seconds, threads) for name in _engines(game, engine)]
    best = max(speeds, key=lambda speed: speed.steps_per_second)
    data |= best.as_dict()
    data["gates"] = None
    if game.is_ground:
        data["gates"] = sum(unit.circuit.needed() for unit in game.machine.player.units)
    data["engines"] = [speed.as_dict() for speed in speeds]
    if form == "json":
        print_json("bench", data)
    else:
        _print(game, data, speeds)
    return 0


def _engines(game: Game, asked: str | None) -> tuple[Engine, ...]:
    if not game.is_ground:
        return ("reference",)
    if asked is None:
        return ENGINES[:2]
    return tuple(name for name in ENGINES if asked in ("all", name))


def _print(game: Game, data: dict[str, Any], speeds: list[Speed]) -> None:
    say(plain(game.name))
    gates = f"{data['gates']:,} gates a step, " if data["gates"] else ""
    say(
        f"grounded in {data['ground_seconds']:.2f} s, {gates}{data['mean_length']:.1f} moves a "
        f"play, threads: {data['threads']}"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("engine", no_wrap=True)
    for title in ("playouts/s", "steps/s", "states/s", "compiled", "first play"):
        table.add_column(title, justify="right", no_wrap=True)
    for speed in speeds:
        table.add_row(
            speed.engine,
            f"{speed.playouts_per_second:,.0f}",
            f"{speed.steps_per_second:,.0f}",
            "–" if speed.states_per_second is None else f"{speed.states_per_second:,.0f}",
            "–" if speed.compile_seconds is None else f"{speed.compile_seconds:.2f} s",
            "–" if speed.first_playout_seconds is None else f"{speed.first_playout_seconds:.3f} s",
        )
    say(table)


def _gdl_perf(
    file: Path,
    settings: tuple[str, ...],
    strict_case: bool,
    out: Path,
    seconds: float,
    threads: int,
) -> int:
    """Play for a time and write the four results, or the error, one to a line."""
    lines = {"version": f"ggp {version('ggp')}"}
    try:
        game = load_game(file, settings, strict_case)
        speed = measure(game, "llvm", seconds, threads, expand=False)
        spent = speed.playouts / speed.playouts_per_second if speed.playouts else seconds
        lines |= {
            "millisecondsTaken": str(round(1000 * spent)),
            "numStateChanges": str(round(speed.steps_per_second * spent)),
            "numRollouts": str(speed.playouts),
        }
    except GgpError as error:
        lines["errorMessage"] = " ".join(plain(error).split())
        write_whole(out, _lines(lines))
        raise
    write_whole(out, _lines(lines))
    return 0


def _lines(values: dict[str, str]) -> bytes:
    return "".join(f"{key} = {value}\n" for key, value in values.items()).encode()
