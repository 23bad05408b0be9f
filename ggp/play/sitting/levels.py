"""How well the machine is to play."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from ggp.errors import InputError

DESCENTS = {"easy": 30, "medium": 1_000}
"""Descents of the search of each move: random plays, about."""

SECONDS = {"easy": 0.2, "medium": 1.0}
"""Seconds for a move where there is no such search, without ground rules for one."""

STRONG = 5.0
"""Seconds for a move, unless told otherwise."""

MOST = 86_400.0
"""Seconds that may be asked for."""

HINTING = 2.0
"""Seconds at the least for a hint."""


@dataclass(frozen=True)
class Level:
    """`descents` bounds the search of a move; without it the machine solves what it can, and thinks
    for `seconds`."""

    name: str
    descents: int | None
    seconds: float

    def __str__(self) -> str:
        return self.name if self.descents else f"{self.name}, {self.seconds:g} s"

    @property
    def hinting(self) -> float:
        """Seconds for a hint."""
        return max(self.seconds, HINTING) if self.descents else self.seconds


def strong(seconds: float = STRONG) -> Level:
    """The best that the machine can do, with so many seconds for a move."""
    return Level("strong", None, seconds)


def level_of(text: str) -> Level:
    """A level by its name, or by seconds; raises `InputError` for anything else."""
    name = text.strip().lower()
    if name in DESCENTS:
        return Level(name, DESCENTS[name], SECONDS[name])
    if name == "strong":
        return strong()
    try:
        seconds = float(name.removesuffix("s"))
    except ValueError:
        seconds = -1.0
    if not isfinite(seconds) or not 0 <= seconds <= MOST:
        raise InputError("a level is easy, medium, strong, or a number of seconds for a move")
    return strong(seconds)
