"""`ggp record`: write random plays as a trace."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ggp.cli.common import Name, load_game
from ggp.traces import record_traces


@click.command()
@click.argument("file", type=Name(path_type=Path))
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a parameter.")
@click.option("--strict-case", is_flag=True, help="Keep upper and lower case apart.")
@click.option(
    "--playouts",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="Number of random plays.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random choice.")
def record(
    file: Path, settings: tuple[str, ...], strict_case: bool, playouts: int, seed: int
) -> int:
    """Write random plays, one JSON object a line, to standard output (see `ggp conform`).

    \b
    Example: ggp record games/kayles/kayles-7.kif --playouts 3 > kayles-7.jsonl
    """
    game = load_game(file, settings, strict_case)
    for line in record_traces(game, playouts, seed):
        click.echo(json.dumps(line, separators=(",", ":")))
    return 0
