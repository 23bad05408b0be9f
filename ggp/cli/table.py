"""`ggp table`: the answers for many starts in one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ggp.cli.common import (
    err,
    facts_from,
    game_options,
    limit_options,
    limits_from,
    load_game,
    print_json,
    read_settings,
    say,
)
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.errors import InputError
from ggp.game import Game
from ggp.kif import find_source, parameters
from ggp.limits import Budget, Limits
from ggp.show import progress
from ggp.show.grid import (
    WHAT,
    band,
    conjectures,
    draw_grid,
    grid_csv,
    grid_text,
    sequences,
)
from ggp.show.pictures import PICTURES, require_pictures
from ggp.solver.sweep import Axis, Cell, fact_axis, sweep
from ggp.solver.templates import combinations, game_for, parameter_axis
from ggp.text import plain


@click.command()
@game_options
@limit_options
@click.option(
    "--vary",
    multiple=True,
    metavar="FACT=VALUES",
    help="Let a fact of the start vary: 'heap 1=0..10', '(cell ? 2)=b,x'; may be repeated.",
)
@click.option(
    "--sweep",
    "swept",
    multiple=True,
    metavar="NAME=VALUES",
    help="Let a parameter of a template vary: 'rows=1..9'; may be repeated.",
)
@click.option(
    "--from", "start", metavar="FACTS", help="Begin with this state instead of the initial one."
)
@click.option(
    "--what",
    type=click.Choice(WHAT),
    help="What to show of each start (default: the outcome, or goals where it has no sense).",
)
@click.option("--misere", is_flag=True, help="Exchange the two roles' goals at the end of play.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the table to FILE: .csv, .txt, or a picture (.png, .svg, .pdf: extra ggp[table]).",
)
def table(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    vary: tuple[str, ...],
    swept: tuple[str, ...],
    start: str | None,
    what: str | None,
    misere: bool,
    output: Path | None,
) -> int:
    """Solve many starts at once: facts of the first state vary, or parameters of a template.

    \b
    Example: ggp table multiples --vary 'heap 1=0..20' --vary 'heap 2=0..20'

    The states need not be such as play comes to. Where a template has too short a chain for the
    values, the parameter that a fact comes from is set to the largest of them. Sequences in the
    table that fit a simple closed form are named: these are conjectures.

    JSON: axes (name, values), cells (at, outcome, result, goals, nim_value, best), methods, and
    sequences (first, terms, forms: kind, text, first, last), band.
    """
    if not vary and not swept:
        raise InputError("a table needs --vary FACT=VALUES or --sweep NAME=VALUES")
    if output:
        if output.suffix not in (".csv", ".txt", *PICTURES):
            kinds = ", ".join((".csv", ".txt", *PICTURES))
            raise InputError(f"{output}: a table is written as one of {kinds}")
        if output.suffix in PICTURES:
            require_pictures()
        require_writable(output)
        require_distinct(file, output)
    limits = limits_from(seconds, positions, memory)
    budget = Budget(limits)
    axes = [fact_axis(text) for text in vary]
    outer = [parameter_axis(text) for text in swept]
    given = read_settings(settings)

    def make(values: Mapping[str, str]) -> Game:
        settings = tuple(f"{name}={value}" for name, value in values.items())
        return load_game(file, settings, strict_case, limits, budget)

    cells: list[Cell] = []
    methods: dict[str, None] = {}
    players: tuple[str, ...] = ()
    with progress(err, "solving") as watch:
        for chosen in combinations(outer):
            values = {**given, **chosen}
            game, _ = game_for(make, values, _free_parameters(file, values, limits), axes)
            facts = None if start is None else facts_from(start)
            found, method = sweep(
                game, axes, facts=facts, misere=misere, budget=budget, progress=watch,
                with_best=True,
            )  # fmt: skip
            cells += [replace(cell, at=(*chosen.values(), *cell.at)) for cell in found]
            methods[method] = None
            players = game.players
    every = [*outer, *axes]
    what = what or ("outcome" if any(cell.outcome for cell in cells) else "goals")
    if output:
        _write(output, cells, every, what, players, file)
    data = _json(cells, every, list(methods))
    if form == "json":
        print_json("table", data)
        return 0
    if output is None:
        click.echo(grid_text(cells, every, what))
    for name, forms in conjectures(cells, every).items():
        say(plain(f"{name}: {'; '.join(map(str, forms))}"))
    if found_band := band(cells, every):
        say(plain(found_band))
    say(plain(f"{len(cells):,} starts by {', '.join(methods)}, {budget.seconds:.2f} s"))
    return 0


def _free_parameters(file: Path, given: Mapping[str, str], limits: Limits) -> list[str]:
    """The parameters of a template that are integers and were not given."""
    source, is_parametric = find_source(file, limits)
    if not is_parametric:
        return []
    return [n for n, v in parameters(source).items() if type(v) is int and n not in given]


def _write(
    output: Path,
    cells: list[Cell],
    axes: list[Axis],
    what: str,
    players: Sequence[str],
    file: Path,
) -> None:
    if output.suffix in PICTURES:
        draw_grid(output, cells, axes, what, file.name)
    elif output.suffix == ".csv":
        write_whole(output, grid_csv(cells, axes, players).encode())
    else:
        write_whole(output, (grid_text(cells, axes, what) + "\n").encode())


def _json(cells: list[Cell], axes: list[Axis], methods: list[str]) -> dict[str, Any]:
    forms = conjectures(cells, axes)
    return {
        "axes": [{"name": axis.name, "values": list(axis.values)} for axis in axes],
        "cells": [cell.as_json() for cell in cells],
        "methods": methods,
        "sequences": {
            name: {
                "first": first,
                "terms": terms,
                "forms": [dict(form.__dict__) for form in forms.get(name, ())],
            }
            for name, (first, terms) in sequences(cells, axes).items()
        },
        "band": band(cells, axes),
    }
