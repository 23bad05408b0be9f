"""`ggp board`: positions drawn as people would draw them, of one sheet or of many."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import Progress
from rich.text import Text

from ggp.cli.common import (
    Name,
    Number,
    err,
    format_option,
    limits_from,
    out,
    print_json,
    read_settings,
    say,
    sheet_options,
    state_from,
)
from ggp.cli.drawing import WIDEST, WIDTH, can_draw, columns_of
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.cli.sheets import sheets_of
from ggp.errors import GgpError, InputError, LimitReached
from ggp.kif import read_sheet
from ggp.limits import Budget, Limits
from ggp.pool import spread
from ggp.text import plain, shortened

if TYPE_CHECKING:
    from ggp.game import Game, State

ENDINGS = (".html", ".svg", ".txt")

AFTER, MOST_AFTER = 12, 10_000
"""Steps of play after which the second position of many sheets is drawn; steps at the most."""

TITLE = "Boards"


@dataclass(frozen=True)
class _BoardWish:
    """What is to be drawn of each sheet, and how."""

    settings: tuple[str, ...]
    strict_case: bool
    limits: Limits
    start: str | None
    after: tuple[int, ...]
    seed: int
    form: str
    width: int
    ascii: bool


@dataclass(frozen=True)
class _Sight:
    """What came of one sheet: for each position a title and what the form asks for, or an error."""

    name: str
    drawn: tuple[tuple[str, Any], ...] = ()
    error: str = ""
    code: int = 0


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@format_option
@sheet_options
@click.option("--from", "start", metavar="FACTS", help="Draw this state instead of the first one.")
@click.option(
    "--after",
    type=click.IntRange(0, MOST_AFTER),
    metavar="N",
    help=f"Draw what N random steps of play lead to (of several sheets as well, default {AFTER}).",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random choice.")
@click.option(
    "--output",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Write to FILE: .html, .txt, or of one sheet .svg.",
)
@click.option(
    "--width",
    type=click.IntRange(20, WIDEST),
    help=f"Columns of text (default: the terminal's, else {WIDTH}).",
)
@click.option("--ascii", is_flag=True, help="Text without other letters than ASCII.")
@click.option("--time", "seconds", type=Number(min=0), help="Most seconds for a sheet.")
@click.option("--memory", type=click.IntRange(min=1), metavar="MB", help="Memory of a process.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes (default: one a core).")
def board(
    files: tuple[str, ...],
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    start: str | None,
    after: int | None,
    seed: int,
    output: Path | None,
    width: int | None,
    ascii: bool,
    seconds: float | None,
    memory: int | None,
    jobs: int | None,
) -> int:
    """Draw positions: boards, piles and counters, found from the rules alone.

    \b
    Example: ggp board games/connect-four/connect-four.kif.jinja --after 9

    Of several sheets, or of folders, the first position of each and one from a random play are
    drawn: a contact sheet. What is at places that the last step changed is marked.

    JSON: sheets (file, error, positions: after, turn, terminal, boards, piles, values, facts,
    facts_left_out, moves).
    """
    sheets = sheets_of(files)
    several = len(sheets) > 1 or any(os.path.isdir(file) for file in files)
    if several and start is not None:
        raise click.UsageError("--from is for one sheet")
    kind = _kind(output, form, several)
    if output is not None:
        require_writable(output)
        require_distinct(*map(Path, sheets), output)
    steps = (0, AFTER if after is None else after) if several else (after or 0,)
    columns = width or (columns_of(out) if output is None else WIDTH)
    limits = limits_from(seconds, None, memory)
    ascii = ascii or (output is None and not can_draw(out))
    wish = _BoardWish(settings, strict_case, limits, start, steps, seed, kind, columns, ascii)
    sights = _all(sheets, wish, jobs or os.cpu_count() or 1, several)
    if output is not None:
        _write(output, sights, kind)
        count = sum(bool(sight.drawn) for sight in sights)
        say(plain(f"{output}: {count:,} sheet{'' if count == 1 else 's'} drawn"))
    elif form == "json":
        print_json("board", {"sheets": [_as_json(sight) for sight in sights]})
    else:
        _print(sights, several)
    for sight in sights:
        if sight.error and (output is not None or form != "json"):
            # Most errors begin with the file already.
            told = "" if sight.error.startswith(sight.name) else f"{sight.name}: "
            err.print(Text(plain(told + sight.error), "red"))
    return max((sight.code for sight in sights), default=0)


def _kind(output: Path | None, form: str, several: bool) -> str:
    """What is made of each sheet: `text`, `json`, `svg` or `html`."""
    if output is None:
        return form
    if form == "json":
        raise click.UsageError("--output writes pictures and text; JSON goes to standard output")
    if output.suffix not in ENDINGS:
        raise InputError(f"{output}: boards are written as one of {', '.join(ENDINGS)}")
    if several and output.suffix == ".svg":
        raise InputError(f"{output}: several sheets are written as .html or .txt")
    return {".txt": "text"}.get(output.suffix, output.suffix[1:])


def _all(sheets: Sequence[str], wish: _BoardWish, jobs: int, several: bool) -> list[_Sight]:
    """All sheets, drawn side by side, in their order."""
    found: dict[int, _Sight] = {}
    work = partial(_look, wish)
    with (
        Progress(console=err, transient=True, disable=not err.is_terminal) as watch,
        closing(spread(work, sheets, jobs if several else 1)) as done,
    ):
        task = watch.add_task("drawing", total=len(sheets))
        for number, sight in done:
            why = "the process that drew it came to an end"
            found[number] = sight or _Sight(sheets[number], error=why, code=3)
            watch.update(task, completed=len(found))
    return [found[number] for number in range(len(sheets))]


def _look(wish: _BoardWish, file: str) -> _Sight:
    """What is made of a sheet; an error is part of it."""
    budget = Budget(wish.limits)
    try:
        with budget.in_force():
            game = _game(wish, file)
            drawn = [_drawn(wish, game, after) for after in wish.after]
    except (GgpError, OSError) as error:
        code = 3 if isinstance(error, LimitReached) else 2
        return _Sight(file, error=shortened(str(error).splitlines()[0], 300), code=code)
    return _Sight(file, tuple(drawn))


def _game(wish: _BoardWish, file: str) -> Game:
    """The game, not ground: a few positions need no more."""
    from ggp.game import Game
    from ggp.rules import read_rules

    source = read_sheet(file, read_settings(wish.settings), wish.limits)
    rules = read_rules(source, strict_case=wish.strict_case, limits=wish.limits)
    return Game(rules, wish.limits, grounded=False)


def _drawn(wish: _BoardWish, game: Game, after: int) -> tuple[str, Any]:
    from ggp.show.board import described, scene_of, scene_svg, scene_text

    steps, before, state = _reached(state_from(game, wish.start), after, wish.seed)
    scene = scene_of(state, before, moves=wish.form == "json")
    start = "the first position" if wish.start is None else "the position"
    title = f"after {steps} step{'' if steps == 1 else 's'}" if steps else start
    if wish.form == "svg":
        return title, scene_svg(scene, label=f"{game.name}, {title}")
    if wish.form == "html":
        from ggp.show.board.html import scene_html

        return title, str(scene_html(scene, label=title))
    if wish.form == "json":
        from ggp.show.board.data import scene_json

        told = {"after": steps, "description": described(scene), **scene_json(scene)}
        return title, told
    return title, scene_text(scene, wish.width, ascii=wish.ascii)


def _reached(state: State, after: int, seed: int) -> tuple[int, State | None, State]:
    """The state after so many random steps, or the last one before the end; how many these are."""
    choose, before = random.Random(seed).choice, None
    for step in range(after):
        options = state.legal_indices()
        if state.terminal or not all(options):
            return step, before, state
        following = state.after([choose(own) for own in options])
        if following.terminal and step:
            return step, before, state
        before, state = state, following
    return after, before, state


def _as_json(sight: _Sight) -> dict[str, Any]:
    positions = [told for _, told in sight.drawn]
    return {"file": sight.name, "error": sight.error or None, "positions": positions}


def _print(sights: Sequence[_Sight], several: bool) -> None:
    for sight in sights:
        for title, text in sight.drawn:
            if several:
                say(Text(plain(f"{sight.name}, {title}"), "bold"))
            say(text)
            if several:
                say()


def _write(output: Path, sights: Sequence[_Sight], kind: str) -> None:
    if kind == "html":
        from markupsafe import Markup

        from ggp.show.board.html import PageEntry, scenes_page

        entries = [
            PageEntry(
                plain(Path(sight.name).name),
                # Made by `scene_html`, in which everything is escaped.
                tuple(Markup(text) for _, text in sight.drawn),
                plain(sight.error),
            )
            for sight in sights
        ]
        text = scenes_page(entries[0].name if len(entries) == 1 else TITLE, entries)
    elif kind == "svg":
        text = "".join(text for sight in sights for _, text in sight.drawn)
    else:
        text = "".join(
            f"{plain(sight.name)}, {title}\n{text.plain}\n\n"
            for sight in sights
            for title, text in sight.drawn
        )
    if any(sight.drawn for sight in sights):
        write_whole(output, text.encode())
