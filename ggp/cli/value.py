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
    Name,
    err,
    facts_from,
    game_options,
    limit_options,
    limits_from,
    load_game,
    note_unreachable,
    print_json,
    say,
)
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.errors import InputError, LimitReached
from ggp.game import Game, State
from ggp.limits import Budget
from ggp.show import progress
from ggp.show.atlas import draw_atlas
from ggp.show.board.count import drawn_pieces
from ggp.show.pictures import PICTURES, require_pictures
from ggp.show.thermograph import thermograph_svg, thermograph_text
from ggp.show.turns import require_turn
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
    AnyBoards,
    ComesAgain,
    LoopyValue,
    NoValue,
    PieceValues,
    SomeBoards,
    ValuedMove,
    any_boards,
    values,
)
from ggp.solver.valued.values import MAX_GAMES
from ggp.text import plain, shortened
from ggp.theory import GameLimit, ShortGame

MOST_ROWS = 100
"""Rows of a table of values."""


@click.command()
@game_options
@limit_options
@click.option(
    "--at",
    "start",
    metavar="FACTS",
    help="The position, by default the first one; whose turn it is does not matter.",
)
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
    "--pieces",
    type=click.IntRange(min=0),
    metavar="N",
    help="With --all or --any: boards with at most N places that are not blank.",
)
@click.option("--unicode", "in_unicode", is_flag=True, help="Write values with ↑, ↓, ∗ and ±.")
@click.option(
    "--thermograph",
    "picture",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Draw the thermograph to FILE (.svg).",
)
@click.option(
    "--table",
    "table_file",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Write the value of every board to FILE (.csv).",
)
@click.option(
    "--plot",
    type=Name(path_type=Path),
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
    pieces: int | None,
    in_unicode: bool,
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
    atlas (value, boards, birthday, outcome) and unvalued (how many boards have none). Exit code 1
    if the game has no values.

    --table and --plot are of --all, unless --any is given. Boards from which play can go on for
    ever have no value as short games; the table has what each player can move to from there. Of
    --any what was found before a limit was reached is told, and the exit code is 3.
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
    boards = boards or ("all" if table_file or plot else None)
    if pieces is not None and not boards:
        raise InputError("--pieces is of all boards: give --all or --any as well")
    limits = limits_from(seconds, positions, memory)
    budget = Budget(limits)
    game = load_game(file, settings, strict_case, limits, budget)

    def tell_atlas(atlas: Atlas | None) -> None:
        if table_file is not None and atlas is not None:
            write_whole(table_file, _csv(atlas, unicode=in_unicode).encode())
        if plot is not None and atlas is not None:
            draw_atlas(plot, counted(atlas), game.name)

    try:
        with progress(err, "boards") as show:
            with budget.in_force():
                at = _position(game, start)
            few = None if pieces is None else (drawn_pieces(at.game), pieces)
            found = values(at.game, at, every=boards == "all", budget=budget, progress=show)
            atlas = _some(found, few) if boards == "all" else None
            if boards == "any":
                atlas = any_boards(at.game, at, few=few, budget=budget, progress=show)
        if picture is not None:
            write_whole(picture, thermograph_svg(found.whole.thermograph).encode())
        tell_atlas(atlas)
        _answer(found, form, with_moves, atlas, unicode=in_unicode)
        if isinstance(atlas, AnyBoards) and atlas.reached is not None:
            raise atlas.reached
        return 0
    except NoValue as error:
        rest = None
        if isinstance(error, ComesAgain) and boards:
            rest = _some(error.boards, few)
            tell_atlas(rest)
        return _refused(error, form, rest, unicode=in_unicode)
    except GameLimit as error:
        raise LimitReached("games", MAX_GAMES, str(error)) from error


def _position(game: Game, text: str | None) -> State:
    """The position that facts tell; the first role is to move where they do not say who is."""
    if text is None:
        return game.initial
    facts = facts_from(text, "--at")
    game = game.covering([facts])
    state = game.state(facts)
    marker = game.marker
    if marker and marker.role(state.bits) is None and not state.bits & marker.mask:
        state = State(game, marker.place(state.bits, 0))
    require_turn(state, "--at", always=True)
    note_unreachable(state)
    return state


def _some(found: Found, few: tuple[int, int] | None) -> Atlas | None:
    """The boards that were asked for."""
    if isinstance(found, PieceValues):
        return None
    return SomeBoards(found, few) if few else found


def _answer(
    found: Found, form: str, with_moves: bool, atlas: Atlas | None, *, unicode: bool
) -> None:
    """Print what was found."""
    if form == "json":
        print_json("value", _json(found, with_moves, atlas, unicode=unicode))
    else:
        _tell(found, with_moves, atlas, unicode=unicode)


def _refused(error: NoValue, form: str, atlas: Atlas | None, *, unicode: bool) -> int:
    """Say that the game has no values as short games, and why; what it is as a loopy game."""
    loopy = LoopyValue(error.boards) if isinstance(error, ComesAgain) else None
    if form == "json":
        names = "value outcome mean temperature left_stop right_stop"
        nothing: dict[str, Any] = dict.fromkeys(names.split())
        data = {**nothing, "left_moves": [], "right_moves": [], "legitimate": False}
        data |= {"why_not": str(error), "facts": list(error.facts)}
        data |= {"loopy": _loopy_json(loopy)} if loopy else {}
        data |= _atlas_json(atlas, unicode=unicode) if atlas else {}
        print_json("value", data)
        return 1
    say(Text(plain(f"no value: {error}"), "red"))
    if error.facts:
        say(plain(f"for example {shortened(' '.join(error.facts), 1_000)}"))
    if loopy:
        _tell_loopy(loopy)
    else:
        say("docs/theory.md lists the conditions; ggp solve tells who wins all the same")
    if atlas:
        say(_atlas_table(atlas, unicode=unicode))
    return 1


def _loopy_json(loopy: LoopyValue) -> dict[str, Any]:
    sides = [str(side) for side in loopy.sides] if loopy.sides else [None, None]
    data = {"value": loopy.text, "outcome": loopy.outcome, "onside": sides[0], "offside": sides[1]}
    return {**data, "boards": loopy.boards.count, "why_not": loopy.why}


def _tell_loopy(loopy: LoopyValue) -> None:
    """What a position is as a loopy game."""
    for name, what in loopy_rows(loopy):
        say(Text.assemble((f"{name:<16} ", "bold"), plain(shortened(what, 1_000))))


def _json(found: Found, with_moves: bool, atlas: Atlas | None, *, unicode: bool) -> dict[str, Any]:
    def text(game: ShortGame) -> str | None:
        return written(game, unicode=unicode)

    whole, listed = found.whole, found.moves()
    left, right = found.game.roles
    weight = whole.atomic_weight
    data: dict[str, Any] = {
        "value": text(whole),
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
        "reduced": text(whole.reduced),
        "atomic_weight": text(weight) if weight is not None else None,
        found.unit: found.count,
    }
    if with_moves:
        data["moves"] = [
            {"role": m.role, "move": m.move, "value": text(m.value), "sensible": m.sensible}
            for m in listed
        ]
    return data | _atlas_json(atlas, unicode=unicode) if atlas is not None else data


def _atlas_json(atlas: Atlas, *, unicode: bool) -> dict[str, Any]:
    return {
        "boards": atlas.count,
        "unvalued": sum(1 for _ in atlas.unvalued()),
        "atlas": [
            {
                "value": written(one, unicode=unicode),
                "boards": count,
                "birthday": one.birthday,
                "outcome": one.outcome,
            }
            for one, count in counted(atlas)
        ],
    }


def _tell(found: Found, with_moves: bool, atlas: Atlas | None, *, unicode: bool) -> None:
    whole, listed = found.whole, found.moves()
    for name, what in value_rows(found, listed, unicode=unicode):
        say(Text.assemble((f"{plain(name):<16} ", "bold"), plain(shortened(what, 1_000))))
    if whole.temperature > 0:
        say(thermograph_text(whole.thermograph))
    if with_moves:
        say(_moves_table(listed, unicode=unicode))
    if atlas is not None:
        say(_atlas_table(atlas, unicode=unicode))


def _moves_table(listed: Sequence[ValuedMove], *, unicode: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("role", "move", "value", ""):
        table.add_column(title)
    for one in listed:
        shown = short(one.value, unicode=unicode)
        mark = "sensible" if one.sensible else ""
        table.add_row(*(Text(plain(cell)) for cell in (one.role, one.move, shown, mark)))
    return table


def _atlas_table(found: Atlas, *, unicode: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("boards", "value", "birthday", "outcome"):
        table.add_column(title, justify="right" if title == "boards" else "left")
    every = counted(found)
    for one, count in every[:MOST_ROWS]:
        cells = (f"{count:,}", short(one, unicode=unicode), str(one.birthday), one.outcome)
        table.add_row(*map(Text, cells))
    if len(every) > MOST_ROWS:
        rest = sum(count for _, count in every[MOST_ROWS:])
        left = f"{len(every) - MOST_ROWS:,} other values: --table or --format json lists all"
        table.add_row(f"{rest:,}", left)
    if unvalued := sum(1 for _ in found.unvalued()):
        table.add_row(f"{unvalued:,}", "no value: play can go on for ever (--table lists options)")
    return table


def _csv(found: Atlas, *, unicode: bool) -> str:
    """Every board with its value; without one, with what each player can move to."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = ["board", "value", "outcome", "mean", "temperature", "birthday"]
    writer.writerow([*names, "left_options", "right_options"])
    for facts, one in found.listed():
        row = [written(one, unicode=unicode), one.outcome, one.mean, one.temperature, one.birthday]
        writer.writerow([" ".join(facts), *row, "", ""])
    for facts, left, right in found.unvalued():
        writer.writerow([" ".join(facts), *[""] * 5, "; ".join(left), "; ".join(right)])
    return text.getvalue()
