"""`ggp tournament`: many matches, everybody against everybody."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.table import Table

from ggp.cli.common import (
    SCHEMA,
    Name,
    err,
    format_option,
    game_from,
    out,
    print_json,
    read_settings,
)
from ggp.cli.players import clock_options, player_of
from ggp.cli.spreading import cluster_option, spreading
from ggp.errors import GgpError, InputError
from ggp.game import Game
from ggp.kif import Source, find_source, read
from ggp.match.asking import Address
from ggp.match.manager import Making, MatchSettings, require_apart, run_match
from ggp.match.records import Record, read_record, states_of
from ggp.match.tournament import Fixture, Result, Standing, fixtures, standings
from ggp.pool import Spread
from ggp.text import plain, shortened

GONE = "the process that played it ended without an answer"

PLAN = "tournament.json"
"""The file that says what a folder of records belongs to."""


@dataclass(frozen=True)
class _MatchOrder:
    """A match for a process of its own, which needs no file."""

    source: Source
    game: str
    parameters: tuple[str, ...]
    fixture: Fixture
    settings: MatchSettings
    record: Path | None
    rulesheet: str


@click.command()
@click.argument("files", nargs=-1, required=True, type=Name(path_type=Path))
@click.option("--player", "players", multiple=True, help="Name or address; repeated, two at least.")
@click.option("--set", "parameters", multiple=True, metavar="NAME=VALUE", help="Set a parameter.")
@click.option(
    "--rounds", type=click.IntRange(1, 1_000), default=1, show_default=True, help="How often."
)
@clock_options(5.0, 1.0)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Matches at once (default 1, on a cluster one a core); more than there are cores make "
    "players slower.",
)
@cluster_option
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of chance.")
@click.option(
    "--output",
    type=Name(path_type=Path),
    help="Keep the records in this folder, and go on from those that are there.",
)
@click.option(
    "--csv", "as_csv", is_flag=True, help="Print the standings as comma-separated values."
)
@format_option
def tournament(
    files: tuple[Path, ...],
    players: tuple[str, ...],
    parameters: tuple[str, ...],
    rounds: int,
    start_clock: float,
    play_clock: float,
    jobs: int | None,
    cluster: str | None,
    seed: int,
    output: Path | None,
    as_csv: bool,
    form: str,
) -> int:
    """Run matches on each of some sheets: every player against every other in all roles.

    Players are named as for `ggp match`. With --output each record is kept as it is done, so that
    the same command goes on where it was ended. Players of our own are the same with the same
    --seed wherever their moves do not hang on the clock. Exit code 1 if a match could not be played
    or a player made an error.

    \b
    Example: ggp tournament games/tic-tac-toe/tic-tac-toe.kif --player mcts --player random

    JSON: matches (sheet, players, goals, errors, failure, unkept), standings (player, matches,
    points, share, share_interval, mean_goal, errors, rating, rating_interval).
    """
    if as_csv and form == "json":
        raise InputError("--csv and --format json are two forms: say one")
    if not players:
        raise click.UsageError("say who plays: --player NAME, two of them at least")
    for name in players:
        if name == "human":
            raise InputError("a person plays no tournament: see ggp match")
        if cluster is not None and isinstance(player_of(name, seed)[1], Address):
            raise InputError(f"{name}: on a cluster players are those of ggp")
        player_of(name, seed)
    sources = [find_source(file)[0] for file in files]
    given = read_settings(parameters)
    games = [
        game_from(source, given, called=file) for file, source in zip(files, sources, strict=True)
    ]
    roles = [len(game.players) for game in games]
    plan = fixtures(roles, players, rounds)
    for fixture in plan:
        require_apart(player_of(name, seed)[1] for name in fixture.players)
    sheets = ["\n".join(map(str, read(game.rules.source))) for game in games]
    if output is not None:
        _claim(output, files, sheets, parameters, players, start_clock, play_clock, seed)
    orders = [
        _MatchOrder(
            sources[fixture.sheet],
            games[fixture.sheet].name,
            parameters,
            fixture,
            MatchSettings(start_clock, play_clock, seed=seed + fixture.number),
            output / f"{fixture.number:06d}.json" if output else None,
            sheets[fixture.sheet],
        )
        for fixture in plan
    ]
    results: dict[int, Result] = {}
    code = 0
    try:
        with spreading(cluster, jobs) as spread:
            for result in _results(orders, games, spread):
                results[result.fixture.number] = result
                if err.is_terminal:
                    err.print(
                        plain(_line(files, result, len(results), len(orders))), markup=False,
                        highlight=False,
                    )  # fmt: skip
    except KeyboardInterrupt:
        # Those that were done while nobody asked are kept as well.
        for order in orders:
            fixture = order.fixture
            if fixture.number not in results and (kept := _kept(order, games[fixture.sheet])):
                results[fixture.number] = kept
        told = f"interrupted after {len(results)} of {len(orders)} matches"
        told += "; the same command goes on from these" if output else ""
        err.print(told, markup=False, highlight=False, style="yellow")
        code = 130
    done = [results[number] for number in sorted(results)]
    table = standings(players, done)
    if form == "json":
        matches = [
            {
                "sheet": str(files[r.fixture.sheet]),
                "players": list(r.fixture.players),
                "goals": list(r.goals),
                "errors": list(r.errors),
                "failure": r.failure or None,
                "unkept": r.unkept or None,
            }
            for r in done
        ]
        data = {"matches": matches, "standings": [row.as_dict() for row in table]}
        print_json("tournament", data)
    elif as_csv:
        click.echo(_csv(table), nl=False)
    else:
        out.print(_table(table))
        if len(files) > 1:
            out.print(_by_sheet(files, table, done))
    failed = [result for result in done if result.failure]
    for result in failed:
        err.print(
            plain(shortened(f"{files[result.fixture.sheet]}: {result.failure}")), markup=False,
            style="yellow",
        )  # fmt: skip
    lost = [result.unkept for result in done if result.unkept]
    if lost:
        told = f"of {len(lost)} matches no record could be kept, the first for {lost[0]}"
        err.print(plain(shortened(told)), markup=False, highlight=False, style="yellow")
    faults = [row for row in table if row.errors]
    for row in faults:
        err.print(
            plain(f"{row.player}: {row.errors} answers late, missing or illegal"), markup=False,
            highlight=False, style="yellow",
        )  # fmt: skip
    return code or (1 if failed or lost or faults else 0)


def _claim(
    folder: Path,
    files: Sequence[Path],
    sheets: Sequence[str],
    parameters: Sequence[str],
    players: Sequence[str],
    start_clock: float,
    play_clock: float,
    seed: int,
) -> None:
    """Make the folder that of this tournament; raises `InputError` where it is another's."""
    about = {
        "schema": f"ggp-tournament-plan/{SCHEMA}",
        "sheets": list(map(str, files)),
        "rules": [hashlib.sha256(sheet.encode()).hexdigest() for sheet in sheets],
        "parameters": list(parameters),
        "players": list(players),
        "clocks": [start_clock, play_clock],
        "seed": seed,
    }
    plan = folder / PLAN
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if plan.exists():
            there = json.loads(plan.read_text("utf-8"))
            kept = there if isinstance(there, dict) else {}
            if other := [name for name, value in about.items() if kept.get(name) != value]:
                raise InputError(
                    f"{folder}: the records of a tournament with other {', '.join(other)} are there"
                )
        elif any(folder.iterdir()):
            raise InputError(f"{folder}: not empty, and no tournament is kept there")
        else:
            plan.write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    except FileExistsError:
        raise InputError(f"{folder}: a file is there, where records need a folder") from None
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{plan}: damaged ({error}): play into another folder") from None


def _results(
    orders: Sequence[_MatchOrder], games: Sequence[Game], spread: Spread
) -> Iterator[Result]:
    """The results of all matches as they are done, those that are kept already first."""
    left = []
    for order in orders:
        kept = _kept(order, games[order.fixture.sheet])
        if kept:
            yield kept
        else:
            left.append(order)
    with closing(spread(_played, left)) as played:
        for number, found in played:
            yield _settled(left[number], found)


def _settled(order: _MatchOrder, found: Record | str | None) -> Result:
    """The result of a match that was played, whose record is kept if that is wished."""
    fixture = order.fixture
    if found is None:
        return Result(fixture, (), (), GONE)
    if isinstance(found, str):
        return Result(fixture, (), (), found)
    try:
        if order.record is not None:
            found.write(order.record)
    except GgpError as error:
        # What was played counts all the same.
        return replace(_result(fixture, found), unkept=str(error))
    return _result(fixture, found)


def _result(fixture: Fixture, record: Record) -> Result:
    """What a whole record says of a match."""
    goals = record.goals or ()
    own = [i for i, name in enumerate(record.players) if name != "chance"]
    errors = tuple(sum(bool(row[i]) for row in record.errors) for i in own)
    return Result(fixture, tuple(goals[i] for i in own), errors)


def _kept(order: _MatchOrder, game: Game) -> Result | None:
    """The result of a match that was played before; None where the record is not of that match, is
    damaged, or has goals that its moves do not lead to: it is played again."""
    if order.record is None or not order.record.is_file():
        return None
    try:
        record = read_record(order.record)
    except InputError:
        return None
    seats = [str(p) if isinstance(p, Address) else name for name, p in _players(order)]
    own = [i for i, name in enumerate(record.players) if name != "chance"]
    goals, width = record.goals or (), len(record.players)
    if (
        (record.game, record.rulesheet) != (order.game, order.rulesheet)
        or [record.players[i] for i in own] != seats
        or len(goals) != width
        or not all(len(row) == width for row in record.errors)
    ):
        return None
    try:
        last = states_of(record, game)[-1]
        reached = last.goals if last.terminal else {}
    except GgpError:
        return None
    if [reached.get(player) for player in game.players] != [goals[i] for i in own]:
        return None
    return _result(order.fixture, record)


def _players(order: _MatchOrder) -> list[tuple[str, Address | Making]]:
    return [player_of(name, order.settings.seed) for name in order.fixture.players]


def _played(order: _MatchOrder) -> Record | str:
    """The record of a match, or why it could not be played."""
    try:
        game = game_from(order.source, read_settings(order.parameters))
        return run_match(game, _players(order), order.settings)
    except GgpError as error:
        return f"{type(error).__name__}: {error}"


def _labels(files: Sequence[Path]) -> list[str]:
    """What the sheets are called: by the names of their files, where these tell them apart."""
    names = [file.name for file in files]
    return [
        name if names.count(name) == 1 else str(file)
        for name, file in zip(names, files, strict=True)
    ]


def _line(files: Sequence[Path], result: Result, done: int, of: int) -> str:
    goals = result.failure or " ".join(map(str, result.goals))
    name = _labels(files)[result.fixture.sheet]
    return f"{done}/{of} {name}: {' '.join(result.fixture.players)}: {shortened(goals)}"


def _table(rows: Sequence[Standing]) -> Table:
    table = Table(box=None)
    for name in ("player", "matches", "points", "share", "95 %", "goal", "errors", "rating"):
        is_name = name == "player"
        table.add_column(name, justify="left" if is_name else "right", overflow="fold")
    for row in rows:
        low, high = row.interval
        half = (row.rating_interval[1] - row.rating_interval[0]) / 2
        told = [
            f"{row.points:g}",
            f"{row.share:.1%}",
            f"{low:.0%} … {high:.0%}",
            f"{row.goals:.1f}",
            str(row.errors),
            f"{row.rating:.1f} ± {half:.1f}",
        ]
        told = told if row.matches else ["–"] * len(told)
        table.add_row(plain(row.player), str(row.matches), *told)
    return table


def _by_sheet(files: Sequence[Path], rows: Sequence[Standing], results: Sequence[Result]) -> Table:
    """The points of each player on each sheet, and in how many matches."""
    table = Table(box=None)
    table.add_column("sheet")
    for row in rows:
        table.add_column(plain(row.player), justify="right")
    for number, label in enumerate(_labels(files)):
        own = [result for result in results if result.fixture.sheet == number]
        shares = {row.player: row for row in standings([row.player for row in rows], own)}
        cells = [shares[row.player] for row in rows]
        table.add_row(plain(label), *(f"{c.points:g} of {c.matches}" for c in cells))
    return table


def _csv(rows: Sequence[Standing]) -> str:
    file = io.StringIO()
    data = [row.as_dict() for row in rows]
    names = [name for name in data[0] if not name.endswith("_interval")] if data else []
    wide = [f"{name}_{end}" for name in ("share", "rating") for end in ("low", "high")]
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*names, *wide])
    for row in data:
        ends = [*row["share_interval"], *row["rating_interval"]]
        writer.writerow([*(row[name] for name in names), *ends])
    return file.getvalue()
