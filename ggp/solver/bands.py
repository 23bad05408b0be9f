"""Games of two numbers whose lost positions are a band between multiples of one of them.

As of two heaps by multiples, lost between n/phi and phi n, and of Wythoff's game (1907), where the
smaller number is floor(phi d) of the difference d. Slopes are looked for between the ratios of what
is lost and what is not (Beatty 1926), and the band is held against the outcome of every position.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, isclose

import numpy as np
from numpy.typing import NDArray

from ggp.game import State
from ggp.limits import Budget
from ggp.machine import Space
from ggp.solver.columns import states_as_columns
from ggp.solver.enumerated import GameSolution
from ggp.solver.position_graph import ENDED
from ggp.theory.sequences import CONSTANTS

CHUNK = 65_536
"""Positions that are looked at between two looks at the account."""

LEAST = 3
"""Lost ratios, or differences, without which nothing is said."""

MOST, DIGITS = 200_000_000, 5
"""Positions times fluents that are looked at, and digits of a number."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Band:
    """Where who is to move has lost, in `positions` of the game; `most`: the largest n there."""

    text: str
    positions: int
    most: int


def band_of(solution: GameSolution, start: State, budget: Budget) -> Band | None:
    """The band of the lost positions, if just these are one; None where none is found.

    Of all positions that play from the start of the solution comes to, turn by turn, each won or
    lost, told by two numbers beside whose turn it is. Not of more than `MOST` positions, counted
    once for each fluent, nor of numbers with more than `DIGITS` digits.
    """
    space, part = solution.first_part
    if space.position(start.bits) is None or not part.is_plain:
        return None
    marker, fluents = solution.game.marker, len(solution.game.net.fluents)
    # Who moves twice running would leave it to himself.
    if marker is None or not marker.alternating or len(space) * fluents > MOST:
        return None
    lost = _lost(part.graph.mover, part.values.payoff, part.graph.source, part.graph.target)
    if lost is None:
        return None
    found = _two_numbers(solution, space, marker.mask, budget)
    if found is None:
        return None
    (first, a), (second, b) = found
    if not _is_told(a, b, lost):
        return None
    less = f"the smaller of {first} and {second}"
    ways = (
        (_between, f"{second} from {{low}} to {{high}}, n being {first}", a, b),
        (_between, f"{first} from {{low}} to {{high}}, n being {second}", b, a),
        (
            _multiple,
            f"{less} at floor({{low}}), n being how much the other is more",
            abs(a - b),
            np.minimum(a, b),
        ),
    )
    for way, text, n, own in ways:
        budget.check("a band of lost positions")
        slopes = way(n, own, lost)
        if slopes:
            low, high = _shown(*slopes)
            told = text.format(low=low, high=high).replace("floor(0)", "0")
            return Band(told, len(lost), int(n.max()))
    return None


def _lost(
    mover: NDArray[np.int16],
    payoff: NDArray[np.float64],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
) -> NDArray[np.bool_] | None:
    """Where who is to move loses, at the ends who would be; None where somewhere nobody does."""
    turn = mover.astype(np.int64)
    over = mover[target] == ENDED
    # Who would be to move at an end is the other one than who came to it.
    turn[target[over]] = 1 - turn[source[over]]
    if (turn < 0).any():
        return None
    own = np.take_along_axis(payoff, turn[:, None], axis=1)[:, 0]
    other = payoff.sum(axis=1) - own
    return None if (own == other).any() else own < other


def _two_numbers(
    solution: GameSolution, space: Space, mask: int, budget: Budget
) -> tuple[tuple[str, Ints], tuple[str, Ints]] | None:
    """The names of two numbers and what they are in each position, if that is all that varies
    beside whose turn it is, which the fluents `mask` tell."""
    game, held = solution.game, []
    for begin in range(0, len(space), CHUNK):
        budget.check("positions as numbers")
        held.append(game.machine.coding.held(space.rows[begin : begin + CHUNK]))
    states = np.concatenate(held)
    found = []
    for column in states_as_columns(game, states):
        own = states[:, list(column.fluents)]
        if (own == own[0]).all() or all(mask >> f & 1 for f in column.fluents):
            continue
        if not all(_is_number(text) for text in column.texts):
            return None
        if len(column.fluents) < 2 or not (own.sum(axis=1) == 1).all():
            return None
        found.append((column.name, np.array(list(map(int, column.texts)))[own.argmax(axis=1)]))
    return (found[0], found[1]) if len(found) == 2 else None


def _is_number(text: str) -> bool:
    """Whether it is a number, written as numbers are, that is not too large."""
    return len(text) <= DIGITS and text.isascii() and text.isdigit() and str(int(text)) == text


def _is_told(a: Ints, b: Ints, lost: NDArray[np.bool_]) -> bool:
    """Whether the two numbers tell who loses, whoever's turn it is."""
    pairs, place = np.unique(np.stack([a, b]), axis=1, return_inverse=True)
    count = np.bincount(place.reshape(-1), minlength=pairs.shape[1])
    times = np.bincount(place.reshape(-1), weights=lost, minlength=pairs.shape[1])
    return bool(((times == 0) | (times == count)).all())


Slopes = tuple[Fraction, Fraction, Fraction]
"""Between which a slope lies, and one that will do."""


def _between(n: Ints, own: Ints, lost: NDArray[np.bool_]) -> tuple[Slopes, Slopes] | None:
    """Slopes of the lower and of the upper end, if lost is where `own` lies between these multiples
    of n: where it is 0 for n = 0, and else by the ratio alone."""
    if not np.array_equal(lost[n == 0], own[n == 0] == 0):
        return None
    ratios: dict[Fraction, bool] = {}
    for value, other, is_lost in zip(n[n > 0], own[n > 0], lost[n > 0], strict=True):
        if ratios.setdefault(Fraction(int(other), int(value)), bool(is_lost)) != is_lost:
            return None
    inside = [ratio for ratio, is_lost in ratios.items() if is_lost]
    others = [ratio for ratio, is_lost in ratios.items() if not is_lost]
    if len(inside) < LEAST or any(min(inside) < ratio < max(inside) for ratio in others):
        return None
    below = max((ratio for ratio in others if ratio < min(inside)), default=None)
    above = min((ratio for ratio in others if ratio > max(inside)), default=None)
    if below is None or above is None:
        return None
    return (below, min(inside), min(inside)), (max(inside), above, max(inside))


def _multiple(n: Ints, own: Ints, lost: NDArray[np.bool_]) -> tuple[Slopes, Slopes] | None:
    """The slope, if lost is where `own` is that multiple of n, rounded down."""
    pairs = {(int(x), int(y)) for x, y in zip(n[lost], own[lost], strict=True)}
    if any(y for x, y in pairs if not x) or sum(x > 0 for x, _ in pairs) < LEAST:
        return None
    low = max(Fraction(y, x) for x, y in pairs if x)
    high = min(Fraction(y + 1, x) for x, y in pairs if x)
    if low >= high:
        return None
    # Where nothing is lost for an n, its multiple must not have been come to.
    slope = _slope((low, high, low))
    wanted = np.array([floor(slope * value) for value in range(int(n.max()) + 1)])
    return ((low, high, low),) * 2 if np.array_equal(own == wanted[n], lost) else None


def _slope(slopes: Slopes) -> Fraction:
    """The slope that is spoken of: one with a name, if there is just one."""
    name = _name(slopes)
    return Fraction(CONSTANTS[name]) if name else slopes[2]


def _name(slopes: Slopes) -> str | None:
    named = [name for name, value in CONSTANTS.items() if slopes[0] < value < slopes[1]]
    return named[0] if len(named) == 1 else None


def _shown(low: Slopes, high: Slopes) -> tuple[str, str]:
    """These multiples of n. Where only one slope has a name, the other has that of its reciprocal
    if it fits: where two numbers change places a band is that of the other."""
    names = [_name(low), _name(high)]
    for i, slopes in enumerate((low, high)):
        other = names[1 - i]
        if low is not high and names[i] is None and other is not None:
            fits = (
                name
                for name, value in CONSTANTS.items()
                if isclose(value * CONSTANTS[other], 1) and slopes[0] < value < slopes[1]
            )
            names[i] = next(fits, None)
    told = [name or str(slopes[2]) for name, slopes in zip(names, (low, high), strict=True)]
    lower, upper = ({"1": "n", "0": "0"}.get(name, f"{name} n") for name in told)
    return lower, upper
