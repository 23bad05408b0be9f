"""The loops that draw which moves are favoured in random play, and learn from what came of it."""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np

from ggp.kernel import kernel
from ggp.machine.engine.frames import Int64s, Words
from ggp.machine.engine.intrinsics import lowest
from ggp.machine.engine.words import STEP, mixed
from ggp.play.search.tree import Doubles

DIGITS = 8
"""Binary digits of how often a move is favoured."""


@kernel
def draw(
    gained: Doubles, tried: Doubles, prior: float, width: float, random: Words, lanes: Words
) -> None:
    """Fill `lanes` (moves, 8): in how many of them a move is favoured goes by what it gained on
    average, half of them where that is nothing (by the logistic function; `prior` tries count as
    nothing gained). `random` (1,): of splitmix64 (Steele, Lea, Flood 2014)."""
    most = np.int64((1 << DIGITS) - 1)
    for move in range(len(lanes)):
        mean = gained[move] / (tried[move] + prior)
        level = np.int64((1.0 + most) / (1.0 + np.exp(-mean / width)))
        level = min(max(level, np.int64(1)), most)
        first = 0
        while not level >> first & 1:
            first += 1
        for w in range(lanes.shape[1]):
            word = np.uint64(0)
            for digit in range(first, DIGITS):
                random[0] += np.uint64(STEP)
                if level >> digit & 1:
                    word |= mixed(random[0])
                else:
                    word &= mixed(random[0])
            lanes[move, w] = word


@kernel
def learn(made: Words, gains: Doubles, bounds: Int64s, gained: Doubles, tried: Doubles) -> None:
    """Enter what plays came to: `made` (moves, 8), the lanes in which each move was made; `gains`
    (n, roles), of the first so many lanes; `bounds` (roles + 1,): where the moves of each begin."""
    for role in range(len(bounds) - 1):
        for move in range(bounds[role], bounds[role + 1]):
            for w in range(made.shape[1]):
                rest = made[move, w]
                while rest:
                    lane = np.int64(w << 6) | np.int64(lowest(rest))
                    rest &= rest - np.uint64(1)
                    if lane < len(gains):
                        gained[move] += gains[lane, role]
                        tried[move] += 1.0
