"""`ggp show`: rules, dependencies, the net in figures, positions per ply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from ggp.cli.common import (
    Name,
    err,
    error_json,
    game_options,
    limit_options,
    limits_from,
    load_game,
    print_json,
    read_settings,
    say,
    tell,
    template_parameters,
)
from ggp.cli.drawing import drawn
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.cli.sampling import Recipe, random_plays
from ggp.cli.spreading import cluster_option, counted, spreading
from ggp.errors import BudgetSpent, InputError, LimitReached
from ggp.game import Game
from ggp.kif import find_source
from ggp.limits import Budget, Limits
from ggp.machine import Playouts, perft
from ggp.rules import RuleSet
from ggp.show import net_figures
from ggp.show.pictures import require_picture
from ggp.show.playouts import playouts_json, playouts_table
from ggp.show.plots import perft_plot, playouts_plot
from ggp.text import plain

MOST_PLAYOUTS = 10**12


@click.command()
@game_options
@limit_options
@click.option("--rules", is_flag=True, help="The rules in normal form.")
@click.option("--graph", is_flag=True, help="Which relation depends on which, by stratum.")
@click.option("--net", is_flag=True, help="The ground net in figures.")
@click.option(
    "--perft",
    "plies",
    type=click.IntRange(min=0),
    metavar="N",
    help="Distinct positions, joint moves and ends of play for each ply up to N.",
)
@click.option(
    "--playouts",
    type=click.IntRange(1, MOST_PLAYOUTS),
    metavar="N",
    help="How long N random plays are, and which goals they end with.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="With --playouts, processes that play (default 1; on a cluster one a core).",
)
@cluster_option
@click.option(
    "--plot",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Draw the plies or the random plays to FILE (.svg, .png, .pdf: extra ggp[table]).",
)
def show(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    rules: bool,
    graph: bool,
    net: bool,
    plies: int | None,
    playouts: int | None,
    jobs: int | None,
    cluster: str | None,
    plot: Path | None,
) -> int:
    """Show a game: what it starts from, its rules, its ground form, its first plies.

    \b
    Example: ggp show games/tic-tac-toe/tic-tac-toe.kif --perft 9

    JSON: game, roles, parameters, initial, and on demand rules, graph (relation, stratum,
    depends_on, not), net (fluents, moves, gates, literals, groups, state_bits, marker, …), perft
    (ply, positions, moves, terminal), playouts (count, finished, stuck, unfinished, mean_length,
    lengths: plays by their number of moves, goals: by role and goal), interrupted.
    """
    if playouts is None and (jobs is not None or cluster is not None):
        raise InputError("--jobs and --cluster are for --playouts")
    if plot is not None:
        if (plies is None) == (playouts is None):
            raise InputError("--plot draws one of --perft and --playouts")
        require_picture(plot)
        require_writable(plot)
        require_distinct(file, plot)
    limits = limits_from(seconds, positions, memory)
    budget = Budget(limits)
    with budget.in_force():
        return _show(
            file,
            form,
            settings,
            strict_case,
            budget,
            ShownParts(rules, graph, net, plies, playouts, jobs, cluster, plot),
        )


@dataclass(frozen=True)
class ShownParts:
    """What is asked for."""

    rules: bool
    graph: bool
    net: bool
    plies: int | None
    playouts: int | None
    jobs: int | None
    cluster: str | None
    plot: Path | None


def _show(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    budget: Budget,
    parts: ShownParts,
) -> int:
    limits = budget.limits
    game = load_game(file, settings, strict_case, limits)
    data: dict[str, Any] = {
        "game": game.name,
        "roles": list(game.roles),
        "parameters": template_parameters(file),
        "initial": [str(fact) for fact in game.initial.facts],
    }
    if parts.rules:
        data["rules"] = [str(rule) for rule in game.rules.rules]
    if parts.graph:
        data["graph"] = _graph(game.rules)
    if parts.net:
        data["net"] = net_figures(game)
    reached = None
    if parts.plies is not None:
        data["perft"] = []
        try:
            data["perft"].extend(_plies(game, parts.plies, budget))
        except LimitReached as error:
            reached = error
    if parts.playouts is not None and not reached:
        recipe = _recipe(file, settings, strict_case, limits)
        found, interrupted = _playouts(game, recipe, budget, parts)
        data["playouts"] = playouts_json(found)
        if interrupted:
            data["interrupted"] = True
        elif found.count < parts.playouts:
            detail = f"{found.count:,} random plays"
            reached = BudgetSpent("time", budget.limits.seconds, detail)
        if parts.plot and not interrupted:
            write_whole(parts.plot, playouts_plot(found, file.name).data(parts.plot.suffix))
    if parts.plot and data.get("perft"):
        write_whole(parts.plot, perft_plot(data["perft"], file.name).data(parts.plot.suffix))
    if form == "json":
        print_json("show", data | ({"error": error_json(reached)} if reached else {}))
    else:
        _print(game, data)
    if data.get("interrupted"):
        raise KeyboardInterrupt
    return tell(reached) if reached else 0


def _plies(game: Game, most: int, budget: Budget) -> Iterator[dict[str, int]]:
    start, packed = game.initial.bits, lambda: game.packed_machine
    for ply, found in enumerate(perft(game.machine, start, most, budget, packed)):
        count, moves, ends = found
        yield {"ply": ply, "positions": count, "moves": moves, "terminal": ends}


def _playouts(
    game: Game, recipe: Recipe, budget: Budget, parts: ShownParts
) -> tuple[Playouts, bool]:
    """Random plays, and whether Ctrl-C kept them from being as many as are asked for."""
    assert parts.playouts is not None
    found = None
    until = budget.started + budget.limits.seconds
    here = parts.cluster is None and (parts.jobs or 1) == 1
    try:
        with (
            spreading(parts.cluster, parts.jobs) as spread,
            counted(err, "playing", parts.playouts) as advance,
            closing(
                random_plays(spread, game if here else recipe, parts.playouts, until)
            ) as played,
        ):
            for part in played:
                found = part if found is None else found + part
                advance(part.count)
    except KeyboardInterrupt:
        if found is None:
            raise
        return found, True
    assert found is not None
    return found, False


def _recipe(file: Path, settings: tuple[str, ...], strict_case: bool, limits: Limits) -> Recipe:
    source, _ = find_source(file, limits)
    given = tuple(read_settings(settings).items())
    return Recipe(
        source.name, source.text, source.declared, source.file, given, strict_case, limits
    )


def _graph(rules: RuleSet) -> list[dict[str, Any]]:
    strata = rules.graph.strata
    return [
        {
            "relation": f"{name}/{arity}",
            "stratum": strata[name, arity],
            "depends_on": [f"{n}/{a}" for n, a in rules.graph.positive[name, arity]],
            "not": [f"{n}/{a}" for n, a in rules.graph.negative[name, arity]],
        }
        for name, arity in sorted(strata, key=lambda node: (strata[node], node))
        if (name, arity) in rules.graph.positive
    ]


def _print(game: Game, data: dict[str, Any]) -> None:
    say(Text(plain(game.name), "bold"))
    say(plain(f"roles: {', '.join(game.roles)}"))
    if data["parameters"]:
        settings = ", ".join(f"{name} = {value}" for name, value in data["parameters"].items())
        say(plain(f"parameters and their defaults: {settings}"))
    if "rules" in data:
        say(plain("\n".join(data["rules"])))
    if "graph" in data:
        _print_graph(data["graph"])
    if "net" in data:
        _print_net(data["net"])
    if "perft" in data:
        _print_perft(data["perft"])
    if "playouts" in data:
        say(playouts_table(data["playouts"]))
    if len(data) == 4:
        say(drawn(game.initial))


def _print_graph(graph: list[dict[str, Any]]) -> None:
    for row in graph:
        body = [*row["depends_on"], *(f"not {name}" for name in row["not"])]
        say(plain(f"{row['stratum']:>3}  {row['relation']:<20} <- {', '.join(body) or 'facts'}"))


def _print_net(net: dict[str, Any]) -> None:
    say(plain(f"{'engine':<18}{net['engine']:>12}"))
    if "why" in net:
        say(plain(f"not grounded: {net['why']}"))
        return
    for key in ("fluents", "moves", "gates", "literals", "recursive_blocks", "ground_rules"):
        say(f"{key.replace('_', ' '):<18}{net[key]:>12,}")
    _print_circuit(net["circuit"])
    exact = sum(group["exact"] for group in net["groups"])
    say(f"{'groups':<18}{len(net['groups']):>12,} ({exact} with exactly one fluent true)")
    kinds = Counter(group["kind"] for group in net["groups"] if group["kind"])
    for name, count in sorted(kinds.items()):
        say(f"{'  ' + name + 's':<18}{count:>12,}")
    say(f"{'bits of a state':<18}{net['state_bits']:>12,}")
    if net["beyond_base"]:
        beyond = net["beyond_base"]
        say(plain(f"not in base or input: {len(beyond):,}, for one {beyond[0]}"))
    if net["marker"]:
        shown = ", ".join(f"{r}: {' '.join(f) or '–'}" for r, f in net["marker"]["fluents"].items())
        say(plain(f"turn marker       {shown}"))


def _print_circuit(circuit: dict[str, int]) -> None:
    lowered = ("as_written", "hashed", "factored", "one_move", "packed")
    shown = " → ".join(f"{name.replace('_', ' ')} {circuit[name]:,}" for name in lowered)
    say(f"gates of two inputs: {shown}")
    stages = ", ".join(
        f"{name} {circuit[f'step_{name}']:,}" for name in ("choice", "next", "end", "goals")
    )
    rows = f"{circuit['step_instructions']:,} instructions on {circuit['step_rows']:,} rows"
    say(f"gates of a step of random play: {stages}; {rows}")


def _print_perft(rows: list[dict[str, int]]) -> None:
    table = Table(box=None, pad_edge=False)
    for title in ("ply", "positions", "moves", "terminal"):
        table.add_column(title, justify="right")
    for row in rows:
        table.add_row(*(f"{row[key]:,}" for key in ("ply", "positions", "moves", "terminal")))
    say(table)
