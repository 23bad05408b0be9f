"""`ggp table`: the answers for many starts in one run."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ggp.cli.common import (
    Name,
    err,
    facts_from,
    game_options,
    limit_options,
    limits_from,
    print_json,
    read_settings,
    say,
)
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.cli.spreading import cluster_option, counted, spreading
from ggp.cli.sweeping import Choice, SheetCells, SheetQuestion, answers, named, unanswered
from ggp.errors import BudgetSpent, InputError, LimitReached, NotSolvable
from ggp.kif import find_source
from ggp.limits import Budget
from ggp.show import progress
from ggp.show.grid import (
    WHAT,
    band,
    conjectures,
    draw_grid,
    grid_csv,
    grid_frame,
    grid_text,
    sequences,
)
from ggp.show.pictures import PICTURES, require_pictures
from ggp.solver.columns import polars_or_error
from ggp.solver.methods import SMALL
from ggp.solver.sweep import Axis, Cell, fact_axis, require_few
from ggp.solver.templates import combinations, parameter_axis
from ggp.text import plain

KINDS = (".csv", ".parquet", ".txt", *PICTURES)
"""Of files that a table is written to."""


@click.command()
@game_options
@limit_options
@click.option(
    "--vary",
    multiple=True,
    metavar="FACT=VALUES",
    help="Let a fact of the start vary: 'heap 1=0..10', '(cell 2 2 ?)=b,x'; may be repeated.",
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
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Sheets of a sweep solved at once, in a process each (default 1, on a cluster one a "
    "core).",
)
@cluster_option
@click.option("--misere", is_flag=True, help="Exchange the two roles' goals at the end of play.")
@click.option(
    "--output",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Write the table to FILE: .csv, .txt, .parquet (extra ggp[exchange]), or a picture "
    "(.png, .svg, .pdf: extra ggp[table]).",
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
    jobs: int | None,
    cluster: str | None,
    misere: bool,
    output: Path | None,
) -> int:
    """Solve many starts at once: facts of the first state vary, or parameters of a template.

    \b
    Example: ggp table multiples --vary 'heap 1=0..20' --vary 'heap 2=0..20'

    The states need not be such as play comes to. Where a template has too short a chain for the
    values, the parameter that a fact comes from, a number that is not --set, is set to the
    largest of them. Sequences in the table that fit a simple closed form are named: these are
    conjectures. Interrupted, what is solved is printed, and written to --output. A start that has
    no value leaves its cell empty. A sheet that a limit ends leaves all of its cells empty, and the
    exit code is 3. With --jobs or --cluster each sheet may take --time, and so may all.

    JSON: axes (name, values), cells (at, outcome, result, goals, nim_value, best, undetermined),
    methods, and sequences (first, terms, forms: kind, text, first, last), band, limits (sheet,
    reason), interrupted.
    """
    if not vary and not swept:
        raise InputError("a table needs --vary FACT=VALUES or --sweep NAME=VALUES")
    if output:
        if output.suffix not in KINDS:
            raise InputError(f"{output}: a table is written as one of {', '.join(KINDS)}")
        if output.suffix == ".parquet":
            polars_or_error()
        if output.suffix in PICTURES:
            require_pictures()
        require_writable(output)
        require_distinct(file, output)
    limits = limits_from(seconds, positions, memory)
    budget = Budget(limits)
    axes = [fact_axis(text) for text in vary]
    outer = [parameter_axis(text) for text in swept]
    require_few(axes)
    facts = None if start is None else tuple(facts_from(start))
    given = read_settings(settings)
    for axis in outer:
        if axis.name in given:
            raise InputError(f"{axis.name} is both set and swept")
    question = SheetQuestion(
        find_source(file, limits)[0], file, given, strict_case, limits,
        tuple(axes), facts, misere,
    )  # fmt: skip
    choices = list(combinations(outer))
    found: dict[int, SheetCells] = {}
    ended: dict[int, LimitReached] = {}
    interrupted = False
    try:
        _solve_all(question, choices, budget, jobs, cluster, found, ended)
    except KeyboardInterrupt:
        if not found:
            raise
        interrupted = True
    except BudgetSpent as spent:
        ended |= dict.fromkeys(set(range(len(choices))) - found.keys() - ended.keys(), spent)
    if ended and not found:
        raise ended[min(ended)]
    every = [*outer, *axes]
    cells = [cell for number in sorted(found) for cell in found[number].cells]
    if all(cell.undetermined for cell in cells) and not (ended or interrupted):
        raise NotSolvable(cells[0].undetermined or "")
    methods = list(dict.fromkeys(found[number].method for number in sorted(found)))
    what = what or ("outcome" if any(cell.outcome for cell in cells) else "goals")
    if output:
        whole = _whole(choices, found, axes)
        _write(output, whole, every, what, found[max(found)].players, file)
    if form == "json":
        limits_met = [
            {"sheet": dict(choices[number]), "reason": str(ended[number])}
            for number in sorted(ended)
        ]
        print_json("table", _json(cells, every, methods, limits_met, interrupted))
    else:
        _print(choices, found, axes, every, what, with_grid=output is None or interrupted)
        for number in sorted(ended):
            say(plain(f"{named(choices[number])}: {ended[number]}"))
        unknown = [cell for cell in cells if cell.undetermined]
        if unknown:
            told = f"{len(unknown):,} of {len(cells):,} starts have no value"
            say(plain(f"{told}, the first {' '.join(unknown[0].at)}: {unknown[0].undetermined}"))
        how = ", interrupted" if interrupted else ""
        by = ", ".join(methods)
        say(plain(f"{len(cells):,} starts by {by}, {budget.seconds:.2f} s{how}"))
    if interrupted:
        raise KeyboardInterrupt
    return 3 if ended else 0


def _solve_all(
    question: SheetQuestion,
    choices: Sequence[Choice],
    budget: Budget,
    jobs: int | None,
    cluster: str | None,
    found: dict[int, SheetCells],
    ended: dict[int, LimitReached],
) -> None:
    """Put the answer for each choice, or the limit that there is none within, where it is to be
    found, also if this is interrupted or raises `BudgetSpent`."""

    def keep(number: int, answer: SheetCells | LimitReached) -> None:
        if isinstance(answer, SheetCells):
            found[number] = answer
        else:
            ended[number] = answer

    if cluster is None and (jobs or 1) == 1:
        with progress(err, "solving") as watch, spreading(None, 1) as spread:
            asked = replace(question, here=(budget, watch))
            with closing(answers(asked, choices, budget, spread)) as done:
                for number, answer in done:
                    keep(number, answer)
        return
    with (
        spreading(cluster, jobs) as spread,
        counted(err, "solving", len(choices)) as advance,
        closing(answers(question, choices, budget, spread)) as done,
    ):
        for number, answer in done:
            keep(number, answer)
            advance(1)


def _print(
    choices: Sequence[Choice],
    found: Mapping[int, SheetCells],
    axes: Sequence[Axis],
    every: Sequence[Axis],
    what: str,
    *,
    with_grid: bool,
) -> None:
    """The table, and what is seen in it if it is whole."""
    cells = _whole(choices, found, axes)
    if with_grid:
        click.echo(grid_text(cells, every, what))
    if len(found) < len(choices) or any(cell.undetermined for cell in cells):
        return
    forms_of = conjectures(cells, every)
    for name, forms in forms_of.items():
        say(plain(f"{name}: {'; '.join(map(str, forms))}"))
    # Of an a(n) without a closed form it would say nothing.
    if {"a(n)", "b(n)"} <= forms_of.keys() and (found_band := band(cells, every)):
        say(plain(found_band))
    if {"p(k)", "q(k)"} <= forms_of.keys():
        names = " and ".join(axis.name for axis in every)
        say(plain(f"p(k) and q(k): what {names} are, in either order, where who is to move loses"))
    if what == "nim_value" and all(cell.nim_value is None for cell in cells):
        where = f"under the normal rule, turn by turn, of up to {SMALL:,} positions"
        say(f"no nim-values: they are of impartial play {where}")


def _whole(
    choices: Sequence[Choice], found: Mapping[int, SheetCells], axes: Sequence[Axis]
) -> list[Cell]:
    """The cells of all sheets, with holes where nothing is known."""
    cells: list[Cell] = []
    for number, choice in enumerate(choices):
        cells += found[number].cells if number in found else unanswered(choice, axes)
    return cells


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
    elif output.suffix == ".parquet":
        data = io.BytesIO()
        grid_frame(cells, axes, players).write_parquet(data)
        write_whole(output, data.getvalue())
    else:
        write_whole(output, (grid_text(cells, axes, what) + "\n").encode())


def _json(
    cells: list[Cell],
    axes: list[Axis],
    methods: list[str],
    limits: list[dict[str, Any]],
    interrupted: bool,
) -> dict[str, Any]:
    has_holes = interrupted or bool(limits) or any(cell.undetermined for cell in cells)
    forms = {} if has_holes else conjectures(cells, axes)
    seen = {} if has_holes else sequences(cells, axes)
    return {
        "axes": [{"name": axis.name, "values": list(axis.values)} for axis in axes],
        "cells": [cell.as_json() for cell in cells],
        "methods": methods,
        "sequences": {
            name: {
                "first": first,
                "terms": terms,
                "forms": [form.as_json() for form in forms.get(name, ())],
            }
            for name, (first, terms) in seen.items()
        },
        "band": None if has_holes else band(cells, axes),
        "limits": limits,
        "interrupted": interrupted,
    }
