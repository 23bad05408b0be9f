"""`ggp runs`: the moves that keep a player's promise, along all plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ggp.cli.common import (
    Name,
    err,
    game_options,
    limit_options,
    limits_from,
    load_game,
    note_unreachable,
    print_json,
    role_name,
    say,
    state_from,
)
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.errors import InputError
from ggp.limits import Budget
from ggp.show import progress
from ggp.show.pictures import PICTURES, require_pictures
from ggp.show.runs import draw_runs, runs_csv, runs_text
from ggp.solver import solve as find_solution
from ggp.solver.methods import METHODS
from ggp.solver.runs import runs as find_runs
from ggp.text import plain


@click.command()
@game_options
@limit_options
@click.option(
    "--moves",
    type=click.IntRange(min=1, max=100),
    default=1,
    show_default=True,
    help="How many moves of the player are followed.",
)
@click.option("--role", help="Whose moves (default: the winner's, else the player to move).")
@click.option(
    "--from", "start", metavar="FACTS", help="Begin with this state instead of the initial one."
)
@click.option("--misere", is_flag=True, help="Exchange the two roles' goals at the end of play.")
@click.option("--method", type=click.Choice(list(METHODS)), help="How to solve the game.")
@click.option(
    "--output",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Write the counts to FILE: .csv, .txt, or a picture (.png, .svg, .pdf: extra ggp[table]).",
)
def runs(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    moves: int,
    role: str | None,
    start: str | None,
    misere: bool,
    method: str | None,
    output: Path | None,
) -> int:
    """Show which moves win (or keep what can be had), along all plays, and how often each is made.

    \b
    Example: ggp runs games/colouring/colouring.kif.jinja --moves 2

    All plays are followed in which the player makes only such moves, and the others any. Where the
    moves lie on a board the counts do too: patterns there are what strategies are made of.

    JSON: player, promise, may_be_endless, positions, moves (number, plays, counts).
    """
    if output:
        if output.suffix not in (".csv", ".txt", *PICTURES):
            kinds = ", ".join((".csv", ".txt", *PICTURES))
            raise InputError(f"{output}: runs are written as one of {kinds}")
        if output.suffix in PICTURES:
            require_pictures()
        require_writable(output)
        require_distinct(file, output)
    limits = limits_from(seconds, positions, memory)
    budget = Budget(limits)
    game = load_game(file, settings, strict_case, limits, budget)
    with budget.in_force():
        state = state_from(game, start)
        if start is not None:
            note_unreachable(state)
    game = state.game
    with progress(err, "solving") as watch:
        options: dict[str, Any] = {"budget": budget, "progress": watch}
        solution = find_solution(game, starts=[state], misere=misere, method=method, **options)
        player = role_name(game, role) if role else None
        if player is None:
            result = solution.result(state)
            told = (result, solution.to_move(state))
            player = next((own for own in told if own in solution.players), None)
    with progress(err, "following plays") as watch:
        options = {"budget": budget, "progress": watch}
        found = find_runs(solution, player or solution.players[0], moves, state, **options)
    if output:
        if output.suffix in PICTURES:
            draw_runs(output, found, plain(file.name))
        else:
            text = runs_csv(found) if output.suffix == ".csv" else runs_text(found) + "\n"
            write_whole(output, text.encode())
    if form == "json":
        print_json("runs", found.as_json())
        return 0
    if output is None:
        click.echo(runs_text(found))
    say(plain(f"{found.positions:,} positions on these plays, {budget.seconds:.2f} s"))
    return 0
