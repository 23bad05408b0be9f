"""`ggp match`: be the game manager."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from types import FrameType

import click
from rich.text import Text

from ggp.cli.common import Name, Number, err, game_options, load_game, out, print_json, say
from ggp.cli.drawing import drawn
from ggp.cli.files import require_writable
from ggp.cli.players import clock_options, player_of
from ggp.cli.playing.saving import require_record
from ggp.errors import InputError
from ggp.game import State
from ggp.match.dialects import DIALECTS, Dialect
from ggp.match.manager import MatchSettings, call_off, run_match
from ggp.match.records import Record
from ggp.text import plain
from ggp.whole import is_replaced


@click.command()
@game_options
@click.argument("players", nargs=-1, required=True)
@clock_options(10.0, 5.0)
@click.option(
    "--rules",
    "dialect",
    type=click.Choice(DIALECTS),
    default="ggp-base",
    show_default=True,
    help="Whose messages, clocks and replacement of bad moves.",
)
@click.option(
    "--preview-clock",
    type=Number(min=0, min_open=True),
    help="Send PREVIEW first, with so many seconds (ggp-base).",
)
@click.option("--scramble", is_flag=True, help="Change all names of the sheet for players.")
@click.option(
    "--moves",
    type=click.IntRange(min=1),
    default=1_000,
    show_default=True,
    help="Joint moves after which the match is given up.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Seed of all that is left to chance.")
@click.option("--record", type=Name(path_type=Path), help="Write the record to this file.")
@click.option("--quiet", is_flag=True, help="Do not show the positions.")
def match(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    players: tuple[str, ...],
    start_clock: float,
    play_clock: float,
    dialect: Dialect,
    preview_clock: float | None,
    scramble: bool,
    moves: int,
    seed: int | None,
    record: Path | None,
    quiet: bool,
) -> int:
    """Run a match between players, one for each role but that of chance, in the order of the roles.

    PLAYERS are names or addresses: mcts (what `ggp serve` plays by), values (the same with values
    of pieces), learned (by what `ggp learn` kept), perfect, uct, flat, greedy, random, first,
    human, or http://HOST:PORT of any GGP player. A late or illegal move is replaced as the manager
    of --rules does it, and told: TO late, CE no reply (or an error of a player of our own), IL an
    illegal one. People and the perfect player keep to no clock. Where the rules hide things, people
    are told what they saw, and the board is shown at the end. The record is JSON as ggp-base
    writes it; `ggp replay` steps through it. Exit code 1 if a player made an error.

    \b
    Example: ggp match games/tic-tac-toe/tic-tac-toe.kif mcts random --play-clock 1

    JSON: the record (matchId, moves, states, errors, goalValues, playerNamesFromHost and more).
    """
    if record is not None:
        if is_replaced(record):
            require_record(record)
        require_writable(record)
    if strict_case and dialect == "dresden":
        raise InputError("by Dresden's rules names are not told apart by the case of their letters")
    game = load_game(file, settings, strict_case)
    console = err if form == "json" else out
    # A person who is asked on a terminal sees the board there.
    is_shown = not quiet and (console.file.isatty() or not err.file.isatty())
    given = [player_of(name, seed, is_shown=is_shown) for name in players]
    clocks = MatchSettings(
        start_clock, play_clock, dialect, scramble, moves, seed, preview_clock=preview_clock
    )

    shown: list[State] = []
    # Who plays here is not to see what the rules hide from them.
    is_hidden = game.has_percepts and "human" in players

    def told(so_far: Record, state: State) -> None:
        if record is not None and is_replaced(record):
            so_far.write(record)
        if is_hidden and not state.terminal:
            return
        if not quiet and not so_far.aborted:
            if so_far.moves:
                console.print(Text(plain(_step(so_far)), "bold"))
            console.print(drawn(state, shown[-1] if shown else None, console))
            shown[:] = [state]

    def greeted(record: Record) -> None:
        for player, said in zip(record.players, record.presented, strict=True):
            if said and not quiet:
                words = ", ".join(f"{what} {value}" for what, value in said.items())
                err.print(plain(f"{player}: {words}"), markup=False, highlight=False)

    with _called_off_once():
        found = run_match(game, given, clocks, told, greeted)
    if record is not None:
        found.write(record)
    if form == "json":
        print_json("match", found.as_dict())
    else:
        assert found.goals is not None
        for role, player, goal in zip(found.roles, found.players, found.goals, strict=True):
            say(plain(f"{role} ({player}): {goal}"))
    faults = [error for errors in found.errors for error in errors if error]
    for number, errors in enumerate(found.errors, start=1):
        for role, error in zip(found.roles, errors, strict=True):
            if error:
                err.print(plain(f"step {number}, {role}: {error}"), markup=False, style="yellow")
    return 1 if faults else 0


CALLING_OFF = 5.0
"""Seconds in which a match is called off: who wishes it once more is not heard before."""


@contextmanager
def _called_off_once() -> Iterator[None]:
    """SIGTERM calls a match off as Ctrl-C does, and both do so once, so that players are told and
    the record is kept."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    interrupt, since = before[signal.SIGINT], -inf
    if not callable(interrupt):  # it is ignored, and so is the end of a match
        yield
        return

    def heard(number: int, frame: FrameType | None) -> None:
        nonlocal since
        if time.monotonic() - since < CALLING_OFF:
            return
        if call_off():
            since = time.monotonic()
        else:
            interrupt(signal.SIGINT, frame)

    try:
        for number in numbers:
            signal.signal(number, heard)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _step(record: Record) -> str:
    """The last joint move, without those that nobody chose between."""
    made = zip(record.roles, record.moves[-1], record.errors[-1], strict=True)
    told = [f"{role}: {move}{f' [{error}]' if error else ''}" for role, move, error in made]
    return f"{len(record.moves)}. {'   '.join(told)}"
