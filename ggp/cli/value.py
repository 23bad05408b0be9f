"""`ggp value`: positions as short games."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from ggp.cli.common import (
    err,
    game_options,
    limit_options,
    limits_from,
    load_game,
    print_json,
    say,
    state_from,
)
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.errors import InputError, LimitReached
from ggp.limits import Budget
from ggp.show import progress
from ggp.show.atlas import draw_atlas
from ggp.show.pictures import PICTURES, require_pictures
from ggp.show.thermograph import thermograph_svg, thermograph_text
from ggp.show.values import (
    Atlas,
    Found,
    counted,
    loopy_rows,
    sensible,
    short,
    turns_told,
    value_rows,
    written,
)
from ggp.solver.valued import (
    BoardValues,
    ComesAgain,
    LoopyValue,
    NoValue,
    ValuedMove,
    any_boards,
    values,
)
from ggp.solver.valued.values import MAX_GAMES
from ggp.text import plain, shortened
from ggp.theory import GameLimit

MOST_ROWS = 100
"""Rows of a table of values."""


@click.command()
@game_options
@limit_options
@click.option("--at", "start", metavar="FACTS", help="The position, by default the first one.")
@click.option("--moves", "with_moves", is_flag=True, help="List all moves with their values.")
@click.option(
    "--all",
    "boards",
    flag_value="all",
    help="Count the boards of each value, of all that moves of either player lead to.",
)
@click.option(
    "--any",
    "boards",
    flag_value="any",
    help="The same of all boards that the rules admit, whether moves lead there or not.",
)
@click.option(
    "--thermograph",
    "picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the thermograph to FILE (.svg).",
)
@click.option(
    "--table",
    "table_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the value of every board to FILE (.csv).",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw how many boards have which value to FILE (.svg, .png, .pdf: extra ggp[table]).",
)
def value(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    start: str | None,
    with_moves: bool,
    boards: str | None,
    picture: Path | None,
    table_file: Path | None,
    plot: Path | None,
) -> int:
    """The value of a position in the theory of combinatorial games; the first role is Left.

    Canonical form, outcome, mean, temperature, best moves of both players; first it is checked that
    the game has values: on all boards that moves of either player lead to.

    \b
    Example: ggp value games/domineering/domineering-4x4.kif --moves

    JSON: value (canonical form in CGSuite's notation), outcome (L, R, N, P), mean, temperature,
    left_stop, right_stop (fractions as text), left_moves, right_moves (moves that are neither
    dominated nor reversible; if all are, those not dominated), legitimate, why_not, left, right
    (the roles), birthday, reduced, atomic_weight (null if not all-small), boards or pieces (how
    many were worked out); with --moves moves (role, move, value, sensible), with --all and --any
    atlas (value, boards, birthday, outcome). Exit code 1 if the game has no values.
    """
    for path, endings in ((picture, (".svg",)), (table_file, (".csv",)), (plot, PICTURES)):
        if path is not None:
            if path.suffix.lower() not in endings:
                wanted = " or ".join(endings)
                raise InputError(f"{path}: expected a name that ends in {wanted}", file=path)
            require_writable(path)
    require_distinct(*filter(None, (picture, table_file, plot)))
    if plot is not None:
        require_pictures()
    limits = limits_from(seconds, positions, memory)
    budget = Budget(limits)
    game = load_game(file, settings, strict_case, limits, budget)
    try:
        with progress(err, "boards") as show:
            at = state_from(game, start, "--at", turn=True)
            every = boards != "any" and bool(boards or table_file or plot)
            found = values(game, at, every=every, budget=budget, progress=show)
            atlas: Atlas | None = found if isinstance(found, BoardValues) else None
            if boards == "any":
                atlas = any_boards(game, at, budget=budget, progress=show)
        if picture is not None:
            write_whole(picture, thermograph_svg(found.whole.thermograph).encode())
        if table_file is not None and atlas is not None:
            write_whole(table_file, _csv(atlas).encode())
        if plot is not None and atlas is not None:
            draw_atlas(plot, counted(atlas), game.name)
        return _answer(found, form, with_moves, atlas if boards else None)
    except NoValue as error:
        return _refused(error, form)
    except GameLimit as error:
        raise LimitReached("games", MAX_GAMES, str(error)) from error


def _answer(found: Found, form: str, with_moves: bool, atlas: Atlas | None) -> int:
    """Print what was found."""
    if form == "json":
        print_json("value", _json(found, with_moves, atlas))
        return 0
    _tell(found, with_moves, atlas)
    return 0


def _refused(error: NoValue, form: str) -> int:
    """Say that the game has no values as short games, and why; what it is as a loopy game."""
    loopy = LoopyValue(error.boards) if isinstance(error, ComesAgain) else None
    if form == "json":
        names = "value outcome mean temperature left_stop right_stop"
        nothing: dict[str, Any] = dict.fromkeys(names.split())
        data = {**nothing, "left_moves": [], "right_moves": [], "legitimate": False}
        data |= {"why_not": str(error), "facts": list(error.facts)}
        print_json("value", {**data, "loopy": _loopy_json(loopy)} if loopy else data)
        return 1
    say(Text(plain(f"no value: {error}"), "red"))
    if error.facts:
        say(plain(f"for example {shortened(' '.join(error.facts), 1_000)}"))
    if loopy:
        _tell_loopy(loopy)
    else:
        say("docs/theory.md lists the conditions; ggp solve tells who wins all the same")
    return 1


def _loopy_json(loopy: LoopyValue) -> dict[str, Any]:
    sides = [str(side) for side in loopy.sides] if loopy.sides else [None, None]
    data = {"value": loopy.text, "outcome": loopy.outcome, "onside": sides[0], "offside": sides[1]}
    return {**data, "boards": loopy.boards.count, "why_not": loopy.why}


def _tell_loopy(loopy: LoopyValue) -> None:
    """What a position is as a loopy game."""
    for name, what in loopy_rows(loopy):
        say(Text.assemble((f"{name:<16} ", "bold"), plain(shortened(what, 1_000))))


def _json(found: Found, with_moves: bool, atlas: Atlas | None) -> dict[str, Any]:
    whole, listed = found.whole, found.moves()
    left, right = found.game.roles
    weight = whole.atomic_weight
    data: dict[str, Any] = {
        "value": written(whole),
        "outcome": whole.outcome,
        "mean": str(whole.mean),
        "temperature": str(whole.temperature),
        "left_stop": str(whole.left_stop),
        "right_stop": str(whole.right_stop),
        "left_moves": sensible(listed, left),
        "right_moves": sensible(listed, right),
        "legitimate": True,
        "why_not": None,
        "left": left,
        "right": right,
        "turn": turns_told(found),
        "birthday": whole.birthday,
        "reduced": written(whole.reduced),
        "atomic_weight": written(weight) if weight is not None else None,
        found.unit: found.count,
    }
    if with_moves:
        data["moves"] = [
            {"role": m.role, "move": m.move, "value": written(m.value), "sensible": m.sensible}
            for m in listed
        ]
    if atlas is not None:
        data["boards"] = atlas.count
        data["atlas"] = [
            {
                "value": written(one),
                "boards": count,
                "birthday": one.birthday,
                "outcome": one.outcome,
            }
            for one, count in counted(atlas)
        ]
    return data


def _tell(found: Found, with_moves: bool, atlas: Atlas | None) -> None:
    whole, listed = found.whole, found.moves()
    for name, what in value_rows(found, listed):
        say(Text.assemble((f"{plain(name):<16} ", "bold"), plain(shortened(what, 1_000))))
    if whole.temperature > 0:
        say(thermograph_text(whole.thermograph))
    if with_moves:
        say(_moves_table(listed))
    if atlas is not None:
        say(_atlas_table(atlas))


def _moves_table(listed: Sequence[ValuedMove]) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("role", "move", "value", ""):
        table.add_column(title)
    for one in listed:
        shown = short(one.value)
        mark = "sensible" if one.sensible else ""
        table.add_row(*(Text(plain(cell)) for cell in (one.role, one.move, shown, mark)))
    return table


def _atlas_table(found: Atlas) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("boards", "value", "birthday", "outcome"):
        table.add_column(title, justify="right" if title == "boards" else "left")
    every = counted(found)
    for one, count in every[:MOST_ROWS]:
        cells = (f"{count:,}", short(one), str(one.birthday), one.outcome)
        table.add_row(*map(Text, cells))
    if len(every) > MOST_ROWS:
        rest = sum(count for _, count in every[MOST_ROWS:])
        left = f"{len(every) - MOST_ROWS:,} other values: --table or --format json lists all"
        table.add_row(f"{rest:,}", left)
    return table


def _csv(found: Atlas) -> str:
    """Every board with its value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["board", "value", "outcome", "mean", "temperature", "birthday"])
    for facts, one in found.listed():
        row = [written(one), one.outcome, one.mean, one.temperature, one.birthday]
        writer.writerow([" ".join(facts), *row])
    return text.getvalue()
