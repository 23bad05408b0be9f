"""How much work a computation with values may do: games made and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf

PACE = 20_000
"""Comparisons between two looks."""


class GameLimit(RuntimeError):
    """A stated limit on games or comparisons was reached; what is known so far stays known."""


@dataclass
class Meter:
    """What may still be used. An outer meter is charged for what an inner one was.

    `look` is called between comparisons, now and then: what it raises ends the work.
    """

    games: float = inf
    steps: float = inf
    look: Callable[[], None] | None = None
    _unseen: int = 0

    def make(self) -> None:
        """Pay for one new game."""
        self.games -= 1
        if self.games < 0:
            raise GameLimit("the limit on new games is reached")

    def step(self, count: int = 1) -> None:
        """Pay for so many comparisons."""
        self.steps -= count
        self._unseen += count
        if self.look and self._unseen > PACE:
            self._unseen = 0
            self.look()
        if self.steps < 0:
            raise GameLimit("the limit on comparisons of games is reached")


METER: ContextVar[Meter] = ContextVar("meter", default=Meter())  # noqa: B039 - nothing is charged


@contextmanager
def limited(
    games: float = inf, steps: float = inf, look: Callable[[], None] | None = None
) -> Iterator[Meter]:
    """While this lasts, at most so many new games and comparisons; past them, `GameLimit`.

    `look` is called now and then, and may raise to end the work.

    >>> from ggp.theory import ShortGame
    >>> with limited(games=100):
    ...     print(sum(ShortGame.switch(3**n) for n in range(20)))
    Traceback (most recent call last):
    ggp.theory.short.meter.GameLimit: the limit on new games is reached
    """
    outer = METER.get()
    first = Meter(min(games, outer.games), min(steps, outer.steps))
    meter = Meter(first.games, first.steps, look or outer.look)
    token = METER.set(meter)
    try:
        yield meter
    finally:
        METER.reset(token)
        if outer.games != inf:
            outer.games -= first.games - meter.games
        if outer.steps != inf:
            outer.steps -= first.steps - meter.steps
