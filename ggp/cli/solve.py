"""`ggp solve`: value, best moves and strategies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from ggp.cli.common import (
    Name,
    err,
    error_json,
    game_of,
    game_options,
    hint_once,
    limit_options,
    limits_from,
    load_rules,
    note_unreachable,
    print_json,
    role_name,
    say,
    state_from,
    tell,
)
from ggp.cli.files import require_distinct, require_writable
from ggp.cli.heaps import heaps_beyond, solve_heaps, tell_heaps
from ggp.cli.outputs import Outputs, Wanted
from ggp.cli.spreading import cluster_option
from ggp.errors import GgpError, InputError, UnknownName
from ggp.game import Game
from ggp.limits import Budget
from ggp.show import NO_SOLUTION, progress, solution_json, solution_text
from ggp.show.pictures import require_picture
from ggp.show.strategy import PLAYS
from ggp.show.strategy import SUFFIXES as STRATEGIES
from ggp.solver import solve as find_solution
from ggp.solver.columns import pyarrow_or_error
from ggp.solver.controller import SUFFIXES
from ggp.solver.layers.packed import Keeping, require_apt, usable_cores
from ggp.solver.layers.plan import Elsewhere
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.layers.tablebase import require_place
from ggp.solver.methods import IN_FILES, METHODS
from ggp.solver.smaller import solved_by_smaller_sheet
from ggp.solver.tables import require_format


def _list_methods(ctx: click.Context, option: click.Parameter, method: str | None) -> str | None:
    """Print what methods there are, if that is asked for, and end."""
    if method != "help":
        return method
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, what in METHODS.items():
        table.add_row(Text(name, "bold"), Text(what))
    say(table)
    ctx.exit(0)


@click.command()
@game_options
@limit_options
@click.option(
    "--from",
    "start",
    metavar="FACTS",
    help='Solve this state instead of the initial one: "(heap 1 3) (control left)".',
)
@click.option(
    "--method",
    type=click.Choice(["help", *METHODS]),
    is_eager=True,
    callback=_list_methods,
    help="How to solve it (`--method help` lists the ways; default: the first that applies).",
)
@click.option(
    "--heap",
    "sizes",
    multiple=True,
    type=click.IntRange(min=0),
    metavar="SIZE",
    help="Solve heaps of these sizes, one for each of the sheet's: places on a chain as long as "
    "need be, 0 where play runs to.",
)
@click.option("--misere", is_flag=True, help="Exchange the two roles' goals at the end of play.")
@click.option(
    "--strategy",
    "strategy_file",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Write a strategy to FILE (.dot, .svg, .json, .kif), verified against all replies.",
)
@click.option(
    "--plays",
    "plays_file",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Write the graph of all plays in which a role makes nothing but winning moves, or such as "
    "keep what it can be sure of, to FILE (.dot, .svg, .json), verified likewise.",
)
@click.option(
    "--controller",
    "controller_file",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Write a strategy as rules, a guard for each move, to FILE (.txt, .json, .py or .kif).",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Say in a sentence how to keep the value, where one is found (heaps, answers to moves).",
)
@click.option(
    "--statistics",
    "with_statistics",
    is_flag=True,
    help="Count all positions: won, lost and drawn, by player, by ply, by nim-value.",
)
@click.option(
    "--table",
    "table_file",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Write all positions, solved, to FILE (.csv, or .parquet: extra ggp[table]), or packed "
    "layers to a folder of Parquet files (a name without a suffix; of positions that symmetries "
    "map to each other one).",
)
@click.option(
    "--plot",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Draw what --statistics counts, or nim-values of heaps by size with --heap, to FILE "
    "(.svg, .png, .pdf: extra ggp[table]).",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    help="Threads for many positions (default: as many as there are processors).",
)
@click.option(
    "--checkpoint",
    type=Name(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Solve by packed positions that are kept in DIR; if stopped, the same command goes on.",
)
@click.option(
    "--spill",
    type=Name(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Solve by packed positions that are kept in files in DIR for the time being.",
)
@cluster_option
@click.option(
    "--parts",
    type=click.IntRange(min=1),
    help="Parts that a cluster divides the positions into, a power of two (default: as many as it "
    "has processors, or the next power).",
)
@click.option("--role", help="Whose strategy (default: the winner's, else the player to move).")
def solve(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    start: str | None,
    method: str | None,
    sizes: tuple[int, ...],
    misere: bool,
    strategy_file: Path | None,
    plays_file: Path | None,
    controller_file: Path | None,
    role: str | None,
    explain: bool,
    with_statistics: bool,
    table_file: Path | None,
    plot: Path | None,
    threads: int | None,
    checkpoint: Path | None,
    spill: Path | None,
    cluster: str | None,
    parts: int | None,
) -> int:
    """Solve a game exactly: who wins, every role's goal under best play, all best moves.

    \b
    Example: ggp solve games/nim/rows.kif.jinja --set rows=5

    JSON: outcome (N: the player to move wins, P: the other does, draw, or null), result (the
    winning role, draw or null), goals, best, to_move, method, positions, seconds, engine, and for
    impartial games nim_value. Where chance has a part, goals are means and expected is true.

    With --statistics and --table every position that play comes to is enumerated, whatever method
    solves the game; where moves are made at once a table has best strategies in place of moves.
    What cannot be had of all that is asked for is told at the end, and the rest is made.
    """
    named = (
        (strategy_file, "a strategy", STRATEGIES),
        (plays_file, "a graph of plays", PLAYS),
        (controller_file, "a controller", SUFFIXES),
    )
    written: list[Path] = []
    for path, what, suffixes in named:
        if path:
            if path.suffix not in suffixes:
                raise InputError(f"{path}: {what} is written as {' '.join(suffixes)}")
            require_writable(path)
            require_distinct(file, path, *written)
            written.append(path)
    in_folder = table_file is not None and not table_file.suffix
    if table_file and in_folder:
        if method not in (None, *IN_FILES):
            raise InputError(f"{table_file}: a folder is for the methods {' and '.join(IN_FILES)}")
        pyarrow_or_error()
        require_place(table_file)
        for folder in filter(None, (checkpoint, spill)):
            if folder.resolve() == table_file.resolve():
                raise InputError(f"{table_file}: a table is written to a folder of its own")
    elif table_file:
        require_format(table_file)
        require_writable(table_file)
        require_distinct(file, table_file, *written)
        written.append(table_file)
    if plot:
        if not (with_statistics or sizes):
            raise InputError("--plot draws what --statistics counts, or heaps with --heap")
        require_picture(plot)
        require_writable(plot)
        require_distinct(file, plot, *written)
    limits = limits_from(seconds, positions, memory)
    budget = Budget(limits)
    rules = load_rules(file, settings, strict_case, limits, budget)
    # What is asked for besides a solution needs the ground form.
    files = (strategy_file, plays_file, controller_file, table_file)
    besides = (start, sizes, *files, cluster, checkpoint, spill)
    is_alone = not (any(besides) or with_statistics or explain) and method in (None, "heaps")
    with progress(err, "proving"):
        early = solved_by_smaller_sheet(rules, budget, misere=misere) if is_alone else None
    if sizes:
        others = (start, method, *files, cluster, parts, checkpoint, spill, role, threads)
        if any(others) or with_statistics or explain or positions is not None:
            raise InputError(
                "--heap is answered by theory alone: no other way to solve goes with "
                "it, no role, and nothing that is made of positions"
            )
        # By a shorter chain they are proved without a net of the long one.
        game = Game(rules, limits, grounded=False)
        return solve_heaps(game, sizes, budget, form, plot, file.name, misere=misere)
    game = early.game if early else game_of(rules, limits, budget)
    more = (role, with_statistics, explain, *besides[2:])
    try:
        with budget.in_force():
            state = state_from(game, start)
    except UnknownName:
        is_plain = not any(more) and method in (None, "heaps")
        beyond = heaps_beyond(game, start or "", budget, misere=misere) if is_plain else None
        if beyond is None:
            raise
        return tell_heaps(beyond, form)
    game = state.game
    if start is not None:
        with game.within(budget):
            note_unreachable(state)
    if role is not None:
        role = role_name(game, role)
        if not (explain or any(path for path, _, _ in named)):
            raise InputError("--role goes with --strategy, --plays, --controller or --explain")
    if misere and len(game.players) != 2:
        raise InputError("--misere needs a game of two roles")
    if cluster:
        require_apt(game)
    if table_file and in_folder:
        require_place(table_file, rules=game.rules.fingerprint)
    actors = click.get_current_context().with_resource(_actors(cluster, parts))
    # Who says how it is to be done, or watches, hears what is planned.
    hint = hint_once() if err.is_terminal or memory or method or checkpoint or spill else None
    keeping = Keeping(threads or usable_cores(), checkpoint, spill, actors, in_folder, hint)
    with progress(err, "solving") as watch:
        try:
            options: dict[str, Any] = {"misere": misere, "budget": budget, "progress": watch}
            solution = early or find_solution(
                game, starts=[state], method=method, keeping=keeping, **options
            )
            data = solution_json(solution, state)
            if isinstance(solution, LayerSolution) and actors:
                data["cluster"] = solution.told_elsewhere()
        except GgpError as error:
            if form != "json":
                raise
            why = {"why_not": str(error), "error": error_json(error)}
            print_json("solve", {**NO_SOLUTION, **why})
            return tell(error)
    if form != "json":
        say(solution_text(data))
    asked = Wanted(
        role, strategy_file, plays_file, explain, controller_file, with_statistics, plot,
        table_file, file.name, keeping.threads, misere,
    )  # fmt: skip
    outputs = Outputs(asked, solution, state, budget)
    failed = outputs.make()
    if form == "json":
        fault = {"error": error_json(failed)} if failed else {}
        print_json("solve", {**data, **outputs.data, **fault})
    else:
        outputs.tell()
    return tell(failed) if failed else 0


@contextmanager
def _actors(cluster: str | None, parts: int | None) -> Iterator[Elsewhere | None]:
    """Those that solve a game on a cluster, if that is asked for."""
    if cluster is None:
        if parts is not None:
            raise InputError("--parts are those of a --cluster")
        yield None
        return
    # Imported here: who does without needs no Ray.
    from ggp.cluster.engine import connected
    from ggp.cluster.solving.actors import Actors

    with connected(cluster) as ray:
        yield Actors(ray, parts)
