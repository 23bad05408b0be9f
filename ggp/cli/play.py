"""`ggp play`: play against the machine in the terminal."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path

import click
from rich.text import Text

from ggp.cli.common import (
    Name,
    Number,
    err,
    format_option,
    load_game,
    note_unreachable,
    out,
    print_json,
    role_name,
    sheet_options,
    state_from,
)
from ggp.cli.files import require_writable
from ggp.cli.players import heed
from ggp.cli.playing.dialogue import Dialogue
from ggp.cli.playing.saving import require_record, resumed
from ggp.game import Game
from ggp.play.sitting.levels import DESCENTS, MOST, STRONG, Level, level_of, strong
from ggp.play.sitting.sitting import Sitting
from ggp.show.board import require_override
from ggp.text import plain

NOBODY = "none"
"""What `--role` is where nobody plays."""

SIGNS = "·●○…≈"
"""What the screen needs beyond ASCII."""


@click.command()
@click.argument("file", type=Name(path_type=Path), required=False)
@click.option(
    "--role",
    "roles",
    multiple=True,
    help="Role to play yourself; may be repeated; 'none' to watch (default: the first role).",
)
@click.option("--watch", is_flag=True, help="Let the machine play all roles.")
@click.option(
    "--level",
    "level_name",
    type=click.Choice([*DESCENTS, "strong"]),
    help="How well the machine plays (default: strong).",
)
@click.option(
    "--time",
    "seconds",
    type=Number(min=0, max=MOST),
    help=f"Seconds that the strong machine thinks for a move (default {STRONG:g}).",
)
@click.option("--from", "start", metavar="FACTS", help="Start from this state.")
@click.option(
    "--resume",
    type=Name(path_type=Path),
    metavar="RECORD",
    help="Go on with a record, which needs no FILE if it has the rules.",
)
@click.option(
    "--save",
    "save_to",
    type=Name(path_type=Path),
    metavar="RECORD",
    help="Write the record to this file after each move.",
)
@click.option("--lines", is_flag=True, help="Ask line by line, not on a full screen.")
@click.option("--ascii", "only_ascii", is_flag=True, help="Draw with ASCII alone.")
@sheet_options
@format_option
def play(
    file: Path | None,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    roles: tuple[str, ...],
    watch: bool,
    level_name: str | None,
    seconds: float | None,
    start: str | None,
    resume: Path | None,
    save_to: Path | None,
    lines: bool,
    only_ascii: bool,
) -> int:
    """Play against the machine, which plays perfectly where the game can be solved in time.

    On a terminal this fills the screen: click cells or move over them with the arrow keys, choose
    moves from the list, h for what each is worth, ? for all keys. Elsewhere, and with --lines, type
    a move, its number, or the beginning of it; also undo, hint, level, save, load, facts, moves,
    help, quit. Records are those of `ggp match`: `ggp replay` reads them.

    \b
    Example: ggp play games/tic-tac-toe/tic-tac-toe.kif --role oplayer

    JSON: moves (one list for each step, in the order of the roles), goals (null if unfinished);
    the dialogue then goes to standard error.
    """
    level = _level(level_name, seconds)
    if file is None and resume is None:
        raise click.UsageError("Missing argument 'FILE'.")
    if start is not None and resume is not None:
        raise click.UsageError("--from starts anew, --resume goes on: give one of them")
    if save_to is not None:
        require_writable(save_to)
        require_record(save_to)
    game = None if file is None else _game(file, settings, strict_case)
    sitting = _sitting(game, start, resume, level)
    sitting.people = _people(sitting, roles, watch)
    is_json = form == "json"
    stream = sys.stderr if is_json else sys.stdout
    is_ascii = only_ascii or not _can_write(stream)
    if not (lines or is_json) and _is_screen():
        from ggp.cli.playing.screen import play_on_screen

        return play_on_screen(sitting, save_to, is_ascii)
    dialogue = _dialogue(sitting, is_json, is_ascii, save_to)
    finished = dialogue.run()
    if is_json:
        _print(dialogue.sitting, finished)
    return 0


def _game(file: Path, settings: tuple[str, ...], strict_case: bool) -> Game:
    """The game of a sheet; large rules take seconds, in which a terminal is not left blank."""
    told = Text(plain(f"reading {file} ..."))
    with err.status(told, spinner="line") if _is_screen() else nullcontext():
        game = load_game(file, settings, strict_case)
        require_override(game)
    return game


def _level(name: str | None, seconds: float | None) -> Level:
    if name in DESCENTS and seconds is not None:
        raise click.UsageError(f"--time is for the level strong: {name} counts what it looks at")
    if name in DESCENTS:
        return level_of(str(name))
    return strong(STRONG if seconds is None else seconds)


def _sitting(game: Game | None, start: str | None, resume: Path | None, level: Level) -> Sitting:
    """Where play begins."""
    if resume is not None:
        return resumed(resume, None, level, game, heed)
    assert game is not None
    state = state_from(game, start)
    if start is not None:
        note_unreachable(state)
    return Sitting(state.game, state.game.players[:1], level, state, heed)


def _people(sitting: Sitting, roles: tuple[str, ...], watch: bool) -> frozenset[str]:
    """The roles that people play."""
    nobody = [role for role in roles if role.lower() == NOBODY and role not in sitting.game.roles]
    if watch or nobody:
        if len(roles) > len(nobody):
            raise click.UsageError("either a role is played or the game is watched, not both")
        return frozenset()
    return frozenset(role_name(sitting.game, role) for role in roles) or sitting.people


def _dialogue(sitting: Sitting, is_json: bool, is_ascii: bool, save_to: Path | None) -> Dialogue:
    console = err if is_json else out

    def ask(prompt: str) -> str:
        console.print(Text(plain(prompt)), end="")
        if sys.stdin is None or sys.stdout is None:
            raise EOFError
        return input()

    return Dialogue(
        sitting,
        ask,
        console.print,
        width=max(20, console.width),
        is_ascii=is_ascii,
        file=save_to,
        asks_at_end=_is_terminal(sys.stdin) or sitting.state.terminal,
        heed=heed,
    )


def _print(sitting: Sitting, finished: bool) -> None:
    game = sitting.game
    moves = [[str(step.joint[role]) for role in game.roles] for step in sitting.history]
    goals = sitting.state.goals if finished else None
    print_json("play", {"game": game.name, "moves": moves, "goals": goals})


def _is_terminal(stream: object) -> bool:
    try:
        return bool(stream is not None and stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError):
        return False


def _is_screen() -> bool:
    """Whether there is a terminal that a full screen can be drawn on."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(map(_is_terminal, streams)) and os.environ.get("TERM", "") not in ("", "dumb")


def _can_write(stream: object) -> bool:
    """Whether a stream has the signs that boards are drawn with."""
    try:
        SIGNS.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
