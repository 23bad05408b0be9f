"""How much work a computation with values may do: games made and comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf


class GameLimit(RuntimeError):
    """A stated limit on games or comparisons was reached; what is known so far stays known."""


@dataclass
class Meter:
    """What may still be used. An outer meter is charged for what an inner one was."""

    games: float = inf
    steps: float = inf

    def make(self) -> None:
        """Pay for one new game."""
        self.games -= 1
        if self.games < 0:
            raise GameLimit("the limit on new games is reached")

    def step(self, count: int = 1) -> None:
        """Pay for so many comparisons."""
        self.steps -= count
        if self.steps < 0:
            raise GameLimit("the limit on comparisons of games is reached")


METER: ContextVar[Meter] = ContextVar("meter", default=Meter())  # noqa: B039 - nothing is charged


@contextmanager
def limited(games: float = inf, steps: float = inf) -> Iterator[Meter]:
    """While this lasts, at most so many new games and comparisons; past them, `GameLimit`.

    >>> from ggp.theory import ShortGame
    >>> with limited(games=100):
    ...     print(sum(ShortGame.switch(3**n) for n in range(20)))
    Traceback (most recent call last):
    ggp.theory.short.meter.GameLimit: the limit on new games is reached
    """
    outer = METER.get()
    first = Meter(min(games, outer.games), min(steps, outer.steps))
    meter = Meter(first.games, first.steps)
    token = METER.set(meter)
    try:
        yield meter
    finally:
        METER.reset(token)
        if outer.games != inf:
            outer.games -= first.games - meter.games
        if outer.steps != inf:
            outer.steps -= first.steps - meter.steps
