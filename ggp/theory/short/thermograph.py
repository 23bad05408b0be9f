"""Thermographs: the stops of a cooled game, at every temperature.

Winning Ways, chapter 6; Siegel, Combinatorial Game Theory (2013), section II.5. Temperatures begin
at −1, that of the integers; the number m/2ᵏ with odd m has temperature −1/2ᵏ.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ggp.displayed import Displayed
from ggp.theory.short.canonical import canonical
from ggp.theory.short.sums import add, negate
from ggp.theory.short.table import (
    NUMBER_UP_STAR,
    Number,
    is_number,
    left_options,
    number_up_star,
    options,
    right_options,
    unroll,
)
from ggp.theory.short.walls import Vertex, Wall, at, highest, lowest, tilted

COLDEST = Fraction(-1)


@dataclass(frozen=True)
class Thermograph(Displayed):
    """Both walls by their vertices (temperature, value), the mast on which they meet, and the
    temperature at which they do."""

    left: Wall
    right: Wall
    mast: Fraction
    temperature: Fraction

    @property
    def vertices(self) -> tuple[Wall, Wall]:
        """The vertices of the left wall and of the right one, upwards from temperature −1."""
        return self.left, self.right

    def left_wall(self, t: Number) -> Fraction:
        """The left stop at temperature t. Raises ValueError below −1."""
        return at(self.left, _temperature(t))

    def right_wall(self, t: Number) -> Fraction:
        """The right stop at temperature t. Raises ValueError below −1."""
        return at(self.right, _temperature(t))


def _temperature(t: Number) -> Fraction:
    if t < COLDEST:
        raise ValueError(f"a thermograph begins at temperature -1, above {t}")
    return Fraction(t)


_thermographs: dict[int, Thermograph] = {}
_cooled: dict[tuple[int, Number], int] = {}
_heated: dict[tuple[int, Number], int] = {}


def thermograph(game: int) -> Thermograph:
    """The thermograph of a game of the table."""
    return unroll(_stand_in(game), _thermographs, _needed, _thermograph)


def _stand_in(game: int) -> int:
    """A game of the same walls: those of x + k·↑ + ∗m change no more as k and m grow."""
    parts = NUMBER_UP_STAR[game]
    if parts is None:
        return game
    number, ups, nimber = parts
    few = min(3, max(-3, ups))
    return number_up_star(number, few, nimber if nimber < 4 else 2 + nimber % 2)


def _integer(game: int) -> int | None:
    parts = NUMBER_UP_STAR[game]
    is_integer = parts and parts[1] == parts[2] == 0 and isinstance(parts[0], int)
    return int(parts[0]) if parts and is_integer else None


def _needed(game: int) -> list[int]:
    # Of an integer nothing is needed: its followers are as many as it is large.
    if _integer(game) is not None:
        return []
    return [_stand_in(option) for option in options(game)]


def _thermograph(game: int) -> Thermograph:
    integer = _integer(game)
    if integer is not None:
        mast = Fraction(integer)
        return Thermograph(((COLDEST, mast),), ((COLDEST, mast),), mast, COLDEST)
    left = highest([_thermographs[_stand_in(option)].right for option in left_options(game)])
    right = lowest([_thermographs[_stand_in(option)].left for option in right_options(game)])
    t = _meeting(left, right)
    left, right = tilted(left, -1, t), tilted(right, 1, t)
    return Thermograph(left, right, at(left, t), t)


def _meeting(left: Wall, right: Wall) -> Fraction:
    """The least temperature at which left − t and right + t meet."""
    points = sorted({t for t, _ in left} | {t for t, _ in right})
    before: Vertex | None = None
    for t in points:
        gap = at(left, t) - at(right, t) - 2 * t
        if gap <= 0:
            if before is None:
                return t
            return before[0] + (t - before[0]) * before[1] / (before[1] - gap)
        before = (t, gap)
    assert before is not None
    return before[0] + before[1] / 2


def mean(game: int) -> Fraction:
    """The mean value, on which the mast stands."""
    parts = NUMBER_UP_STAR[game]
    return Fraction(parts[0]) if parts else thermograph(game).mast


def temperature(game: int) -> Fraction:
    """The temperature at which the walls meet."""
    parts = NUMBER_UP_STAR[game]
    if parts is None:
        return thermograph(game).temperature
    if parts[1] or parts[2]:
        return Fraction(0)
    return Fraction(-1, parts[0].denominator)


def cooled(game: int, t: Number) -> int:
    """The game cooled by t ≥ 0: each move costs t, until the mean value is left."""

    def needs(key: tuple[int, Number]) -> list[tuple[int, Number]]:
        return [] if _frozen(key) else [(option, t) for option in options(key[0])]

    def make(key: tuple[int, Number]) -> int:
        game = key[0]
        if _frozen(key):
            return number_up_star(mean(game))
        return canonical(
            [add(_cooled[option, t], number_up_star(-t)) for option in left_options(game)],
            [add(_cooled[option, t], number_up_star(t)) for option in right_options(game)],
        )

    return unroll((game, t), _cooled, needs, make)


def _frozen(key: tuple[int, Number]) -> bool:
    return temperature(key[0]) < key[1]


def heated(game: int, t: Number) -> int:
    """The game heated by t: each move gains t, but numbers stay."""
    gain = number_up_star(t)
    cost = negate(gain)

    def needs(key: tuple[int, Number]) -> list[tuple[int, Number]]:
        return [] if is_number(key[0]) else [(option, t) for option in options(key[0])]

    def make(key: tuple[int, Number]) -> int:
        game = key[0]
        if is_number(game):
            return game
        return canonical(
            [add(_heated[option, t], gain) for option in left_options(game)],
            [add(_heated[option, t], cost) for option in right_options(game)],
        )

    return unroll((game, t), _heated, needs, make)
