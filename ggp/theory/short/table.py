"""The table of all games met so far: each canonical form once, known by its place.

A game is an integer, a place in these lists; its options come before it, except that sums of a
number, ups and a nimber ("number-up-stars") are kept as these three and have options on demand: so
large integers and long chains of ups cost nothing. Place 0 is no game but room for one whose
canonical form is being found (`ggp.theory.short.canonical`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import TypeVar

from ggp.theory.short.meter import METER, GameLimit

Number = int | Fraction
"""A dyadic rational: an `int` wherever it is whole."""

Stop = int | float | Fraction
"""A dyadic rational to be compared, never to be reckoned with: a float only where that is exact."""

NumberUpStar = tuple[Number, int, int]
"""Number, multiple of up, nimber."""

MOST_GAMES = 5_000_000
DRAFT = 0

LEFT: list[tuple[int, ...] | None] = [()]
RIGHT: list[tuple[int, ...] | None] = [()]
LEFT_STOP: list[Stop] = [0]
RIGHT_STOP: list[Stop] = [0]
NUMBER_UP_STAR: list[NumberUpStar | None] = [None]
BIRTHDAY: list[int] = [0]
ALL_SMALL: list[bool] = [False]
GRAIN: list[int] = [0]
"""The binary digits behind the point that the numbers among a game's followers need."""

LOCK = threading.RLock()

_by_parts: dict[NumberUpStar, int] = {}
_by_options: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def unroll(
    root: K, memo: dict[K, V], needs: Callable[[K], Iterable[K]], make: Callable[[K], V]
) -> V:
    """memo[root], after everything that it needs, without recursion: games may be deep."""
    stack, meter = [root], METER.get()
    while stack:
        key = stack[-1]
        if key in memo:
            stack.pop()
        elif missing := [other for other in needs(key) if other not in memo]:
            meter.step(len(missing))
            stack.extend(missing)
        else:
            memo[key] = make(key)
            stack.pop()
    return memo[root]


def digits(x: Number) -> int:
    """How many binary digits behind the point a number has.

    Raises ValueError if they have no end: the number is no short game.
    """
    denominator = x.denominator
    if denominator & (denominator - 1):
        raise ValueError(f"{x} is no dyadic rational: its denominator is no power of two")
    return denominator.bit_length() - 1


def dyadic(x: int | Fraction) -> Number:
    """A dyadic rational: an `int` where it is whole.

    Raises TypeError for what is neither an integer nor a Fraction, and ValueError as `digits`.
    """
    if not isinstance(x, int | Fraction):
        raise TypeError(f"an int or a Fraction is wanted, not of type {type(x).__name__}")
    return Fraction(x) if digits(x) else int(x)


def _stop(x: Number) -> Stop:
    if isinstance(x, int):
        return x
    if abs(x.numerator) < 1 << 53 and x.denominator <= 1 << 100:
        return x.numerator / x.denominator
    return x


def _birthday(number: Number, ups: int, nimber: int) -> int:
    day = abs(number) if isinstance(number, int) else abs(number) // 1 + 1 + digits(number)
    ups = abs(ups)
    if ups > 1:
        return _birthday(number, 1, nimber ^ (ups - 1) % 2) + ups - 1
    if ups == 1:
        return day + (2 if nimber == 1 else (nimber ^ 1) + 1)
    return day + nimber


def _enter(
    left: tuple[int, ...] | None,
    right: tuple[int, ...] | None,
    parts: NumberUpStar | None,
    stops: tuple[Stop, Stop],
    birthday: int,
    all_small: bool,
    grain: int,
) -> int:
    METER.get().make()
    if len(LEFT) != len(GRAIN):
        _mend()
    if len(LEFT) >= MOST_GAMES:
        raise GameLimit(f"the table is full: {MOST_GAMES:,} games")
    LEFT.append(left)
    RIGHT.append(right)
    LEFT_STOP.append(stops[0])
    RIGHT_STOP.append(stops[1])
    NUMBER_UP_STAR.append(parts)
    BIRTHDAY.append(birthday)
    ALL_SMALL.append(all_small)
    GRAIN.append(grain)
    return len(LEFT) - 1


def _mend() -> None:
    """Take back a game that Ctrl-C left half entered: nothing knows it yet."""
    for column in (LEFT, RIGHT, LEFT_STOP, RIGHT_STOP, NUMBER_UP_STAR, BIRTHDAY, ALL_SMALL):
        del column[len(GRAIN) :]


def number_up_star(number: Number, ups: int = 0, nimber: int = 0) -> int:
    """The game number + ups·↑ + ∗nimber. Raises ValueError for what is no dyadic rational."""
    parts = (number, ups, nimber)
    game = _by_parts.get(parts)
    return game if game is not None else _enter_parts(parts)


def _enter_parts(parts: NumberUpStar) -> int:
    number = parts[0]
    grain = digits(number)
    parts = number, *_ = (number if grain else int(number), *parts[1:])
    with LOCK:
        if parts not in _by_parts:
            stops = (_stop(number), _stop(number))
            _by_parts[parts] = _enter(
                None, None, parts, stops, _birthday(*parts), number == 0, grain
            )
        return _by_parts[parts]


def from_options(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """The game with these options, which make a canonical form that is no number-up-star."""
    key = (tuple(sorted(left)), tuple(sorted(right)))
    with LOCK:
        if key not in _by_options:
            both = key[0] + key[1]
            _by_options[key] = _enter(
                *key,
                None,
                (max(RIGHT_STOP[g] for g in left), min(LEFT_STOP[g] for g in right)),
                max(BIRTHDAY[g] for g in both) + 1,
                all(ALL_SMALL[g] for g in both),
                max(GRAIN[g] for g in both),
            )
        return _by_options[key]


def left_options(game: int) -> tuple[int, ...]:
    """The Left options of a canonical form."""
    options = LEFT[game]
    return options if options is not None else _expand(game)[0]


def right_options(game: int) -> tuple[int, ...]:
    """The Right options of a canonical form."""
    options = RIGHT[game]
    return options if options is not None else _expand(game)[1]


def _expand(game: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Find and keep the options of a number-up-star."""
    parts = NUMBER_UP_STAR[game]
    assert parts is not None
    number, ups, nimber = parts
    if ups < 0:
        mirrored = _options(-number, -ups, nimber)
        right, left = ([(-x, -k, m) for x, k, m in side] for side in mirrored)
    else:
        left, right = _options(number, ups, nimber)
    with LOCK:
        LEFT[game] = tuple(number_up_star(*parts) for parts in left)
        RIGHT[game] = tuple(number_up_star(*parts) for parts in right)
    return LEFT[game] or (), RIGHT[game] or ()


def _options(
    number: Number, ups: int, nimber: int
) -> tuple[list[NumberUpStar], list[NumberUpStar]]:
    """The options of a number-up-star without downs (Siegel 2013, section II.4)."""
    if ups:
        if (ups, nimber) == (1, 1):
            return [(number, 0, 0), (number, 0, 1)], [(number, 0, 0)]
        return [(number, 0, 0)], [(number, ups - 1, nimber ^ 1)]
    if nimber:
        METER.get().step(nimber)
        if nimber > MOST_GAMES:
            raise GameLimit(f"the table has no room for the options of *{nimber}")
        both = [(number, 0, m) for m in range(nimber)]
        return both, both
    if isinstance(number, int):
        return [(number - 1, 0, 0)] * (number > 0), [(number + 1, 0, 0)] * (number < 0)
    step = Fraction(1, number.denominator)
    return [(number - step, 0, 0)], [(number + step, 0, 0)]


def options(game: int) -> tuple[int, ...]:
    """The options of both players, those of Left first."""
    return left_options(game) + right_options(game)


def hot_options(game: int) -> tuple[int, ...]:
    """The options of a game that is not in closed form; none of a number-up-star."""
    return () if NUMBER_UP_STAR[game] else options(game)


def is_number(game: int) -> bool:
    """Whether a game is a number."""
    parts = NUMBER_UP_STAR[game]
    return parts is not None and parts[1] == parts[2] == 0


ZERO = number_up_star(0)
