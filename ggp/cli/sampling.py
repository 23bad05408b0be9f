"""Random plays, however many: divided into blocks that are the same wherever they are played."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from ggp.cli.common import game_from
from ggp.errors import GgpError, LimitReached
from ggp.game import Game
from ggp.kif import Source, Syntax
from ggp.limits import Limits
from ggp.machine import BLOCK, Playouts
from ggp.pool import Spread

PART, LARGEST = 0.5, 1 << 16
"""What is played at a time: about so many seconds, at most so many blocks."""

Run = tuple[int, int]
"""Plays that are made at a time: the number of their first block, and how many they are."""


@dataclass(frozen=True)
class Recipe:
    """A game as it can be made anywhere, known by its text."""

    name: str
    text: str
    declared: Syntax | None
    file: Path | None
    settings: tuple[tuple[str, str], ...]
    strict_case: bool
    limits: Limits

    def game(self) -> Game:
        """The game; raises what reading it raises."""
        source = Source(self.name, self.text, declared=self.declared, file=self.file)
        return game_from(source, dict(self.settings), self.strict_case, self.limits)


def random_plays(
    spread: Spread, game: Game | Recipe, count: int, until: float = math.inf
) -> Generator[Playouts]:
    """So many random plays from the first state, part by part as they are made.

    Together, in whatever order, they are what `Game.playouts(count)` gives, unless the clock
    (`time.monotonic`) passes `until`. A `Game` is played in this process. Raises what reading a
    recipe raises, and `LimitReached` where the process that played is lost.
    """
    runs = _Runs(count)
    work = partial(_here, game, until) if isinstance(game, Game) else partial(_there, game)
    with closing(spread(work, runs)) as parts:
        for _, made in parts:
            if made is None:
                why = "the process that played ended without an answer"
                raise LimitReached("memory", 0, why)
            if isinstance(made, GgpError):
                raise made
            played, seconds = made
            runs.learn(played.count, seconds)
            yield played
            if time.monotonic() > until:
                return


class _Runs:
    """The runs that a number of plays is divided into, longer ones where they are quick."""

    def __init__(self, count: int) -> None:
        self._left, self._first, self._blocks = count, 0, 1

    def __iter__(self) -> Iterator[Run]:
        while self._left:
            count = min(self._left, self._blocks * BLOCK)
            first, self._first = self._first, self._first + self._blocks
            self._left -= count
            yield first, count

    def learn(self, count: int, seconds: float) -> None:
        """Note how long so many plays took."""
        fitting = int(count * PART / max(seconds, 1e-6)) // BLOCK
        self._blocks = max(1, min(fitting, 2 * self._blocks, LARGEST))


def _here(game: Game, until: float, run: Run) -> tuple[Playouts, float]:
    first, count = run
    began = time.monotonic()
    made = game.machine.playouts(game.initial, count, first=first, until=until)
    return made, time.monotonic() - began


def _there(recipe: Recipe, run: Run) -> tuple[Playouts, float] | GgpError:
    try:
        return _here(_game(recipe), math.inf, run)
    except GgpError as error:
        return error


@lru_cache(maxsize=1)
def _game(recipe: Recipe) -> Game:
    return recipe.game()
