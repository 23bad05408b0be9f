"""Players as commands name them."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterator, Sequence

import click

from ggp.cli.common import Command, Number, err
from ggp.cli.drawing import drawn
from ggp.cli.playing.typed import named
from ggp.errors import IllegalMove, InputError
from ggp.game import State
from ggp.kif import Term
from ggp.limits import stop
from ggp.match.asking import Address
from ggp.match.manager import Making, own_player
from ggp.play import PLAYERS, Player, Suggestion
from ggp.play.beliefs import Beliefs
from ggp.play.learned import LearnedPlayer
from ggp.text import plain

NAMES = f"{', '.join(PLAYERS)}, learned, human, or the address of a GGP player (http://host:port)"


def clock_options(start: float, play: float) -> Callable[[Command], Command]:
    """The two clocks of a match, with their defaults in seconds."""
    above = Number(min=0, min_open=True)

    def add(command: Command) -> Command:
        for name, default, what in (
            ("--play-clock", play, "Seconds for a move."),
            ("--start-clock", start, "Seconds before the first move."),
        ):
            option = click.option(name, type=above, default=default, show_default=True, help=what)
            command = option(command)
        return command

    return add


class HumanPlayer(Player):
    """A person at the terminal, who is given as much time as they want, whatever the clock says."""

    is_timed = False
    sees_the_board = False
    """Whether it is shown to them by who runs the match."""

    def choose(self, state: State, seconds: float) -> Term:
        """The move that is typed, by its number or its text; raises `InputError` at the end of
        input."""
        legal = state.legal(self.role)
        if len(legal) > 1 and not self.sees_the_board:
            err.print(drawn(state, console=err))
        return self._asked(legal)

    def guesses(self, beliefs: Beliefs, seconds: float) -> Iterator[Suggestion]:
        """The same of somebody who is not to know the state: told is what they saw."""
        if beliefs.last is not None:
            own, seen = beliefs.last
            told = "what is not known" if seen is None else ", ".join(seen) or "nothing"
            click.echo(plain(f"{self.role} made {own} and saw {told}"), err=True)
        yield Suggestion(self._asked(beliefs.legal()), True, "chosen")

    def _asked(self, legal: Sequence[Term]) -> Term:
        if len(legal) == 1:
            return legal[0]
        moves = "  ".join(f"{i}: {move}" for i, move in enumerate(legal, 1))
        click.echo(plain(moves), err=True)
        while True:
            click.echo(plain(f"{self.role} (a number or a move)> "), nl=False, err=True)
            line = _typed()
            if not line:
                raise InputError("nobody answers any more: the input is at its end")
            try:
                return named(line.strip(), legal)
            except IllegalMove as error:
                click.echo(plain(error), err=True)


class WatchingPlayer(HumanPlayer):
    """A person who sees the match on the same terminal."""

    sees_the_board = True


_UNREAD = bytearray()
"""What was typed beyond a line that was asked for."""

GLANCE = 0.2
"""Seconds after which somebody who types is looked away from, to see whether the end is wished."""


def _typed() -> str:
    """The next line of standard input, empty at its end; Ctrl-C ends the wait for it, though it is
    not the main thread that waits."""
    if sys.stdin is None:
        return ""
    try:
        source = sys.stdin.fileno()
        while b"\n" not in _UNREAD:
            ready, _, _ = select.select([source], [], [], GLANCE)
            if stop.is_set():
                raise KeyboardInterrupt
            if ready:
                more = os.read(source, 1 << 12)
                if not more:
                    break
                _UNREAD.extend(more)
    except (OSError, ValueError):  # nothing that can be waited for
        return sys.stdin.readline()
    line, end, rest = _UNREAD.partition(b"\n")
    _UNREAD[:] = rest
    return (line + end).decode(sys.stdin.encoding or "utf-8", "replace")


def heed(found: int, done: int) -> None:
    """End the thinking of a player where somebody asked for the end."""
    if stop.is_set():
        raise KeyboardInterrupt


def player_of(
    name: str, seed: int | None, *, is_shown: bool = False
) -> tuple[str, Address | Making]:
    """A player by its name or address; `is_shown`: on the terminal at which a person sits. Raises
    `InputError` for anything else."""
    if name == "human":
        return name, WatchingPlayer if is_shown else HumanPlayer
    if name == "learned":
        return name, own_player(LearnedPlayer, seed, heed)
    if name in PLAYERS:
        return name, own_player(PLAYERS[name], seed, heed)
    if ":" not in name:
        raise InputError(f"{name}: no such player (there are {NAMES})")
    return name, Address.of(name)
