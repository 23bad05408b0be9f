"""What is left of a game up to infinitesimals, and the weight of an infinitesimal."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from ggp.theory.short.canonical import canonical
from ggp.theory.short.order import leq
from ggp.theory.short.sums import add
from ggp.theory.short.table import (
    ALL_SMALL,
    BIRTHDAY,
    GRAIN,
    LEFT_STOP,
    NUMBER_UP_STAR,
    RIGHT_STOP,
    from_options,
    hot_options,
    left_options,
    number_up_star,
    options,
    right_options,
    unroll,
)

_reduced: dict[int, int] = {}
_weights: dict[int, int] = {}


def leq_up_to_infinitesimals(g: int, h: int) -> bool:
    """Whether G ≤ H + x for every positive number x.

    The left stop of G − H, if positive, is at least 2 to the minus `GRAIN`: stops of sums are sums
    of stops where a number is reached; so that one x is enough.
    """
    if LEFT_STOP[g] <= RIGHT_STOP[h]:
        return True
    if LEFT_STOP[g] > LEFT_STOP[h] or RIGHT_STOP[g] > RIGHT_STOP[h]:
        return False
    grain = max(GRAIN[g], GRAIN[h])
    return leq(g, add(h, number_up_star(Fraction(1, 2 << grain))))


def reduced(game: int) -> int:
    """The reduced canonical form (J. P. Grossman and A. N. Siegel, Reductions of partizan games,
    Games of No Chance 3, 2009): the simplest game infinitesimally close to this one."""
    return unroll(game, _reduced, _live_options, _reduce)


def _is_numberish(game: int) -> bool:
    """Whether a game is infinitesimally close to a number."""
    return LEFT_STOP[game] == RIGHT_STOP[game]


def _live_options(game: int) -> tuple[int, ...]:
    return () if _is_numberish(game) else options(game)


def _reduce(game: int) -> int:
    if _is_numberish(game):
        return number_up_star(Fraction(LEFT_STOP[game]))
    left: set[int] = set()
    todo = [_reduced[option] for option in left_options(game)]
    while todo:
        option = todo.pop()
        replies = right_options(option)
        reply = next((g for g in replies if leq_up_to_infinitesimals(g, game)), None)
        if reply is None:
            left.add(option)
        else:
            todo += left_options(reply)
    right: set[int] = set()
    todo = [_reduced[option] for option in right_options(game)]
    while todo:
        option = todo.pop()
        replies = left_options(option)
        reply = next((g for g in replies if leq_up_to_infinitesimals(game, g)), None)
        if reply is None:
            right.add(option)
        else:
            todo += right_options(reply)
    return from_options(_undominated(left, False), _undominated(right, True))


def _undominated(games: set[int], least: bool) -> tuple[int, ...]:
    """The greatest games (or the least), up to infinitesimals; one of each class."""
    kept: list[int] = []
    for g in sorted(games):
        pairs = [(h, g) if least else (g, h) for h in kept]
        if any(leq_up_to_infinitesimals(a, b) for a, b in pairs):
            continue
        kept = [h for h in kept if not leq_up_to_infinitesimals(*((g, h) if least else (h, g)))]
        kept.append(g)
    return tuple(kept)


def atomic_weight(game: int) -> int | None:
    """The atomic weight of an all-small game, itself a game; None of any other.

    Siegel, Combinatorial Game Theory (2013), section II.7: each move changes weights by two; where
    that would give an integer, the far star decides which.
    """
    if not ALL_SMALL[game]:
        return None
    return unroll(game, _weights, hot_options, _weight)


def _weight(game: int) -> int:
    parts = NUMBER_UP_STAR[game]
    if parts:
        return number_up_star(parts[1])
    left = [add(_weights[g], number_up_star(-2)) for g in left_options(game)]
    right = [add(_weights[g], number_up_star(2)) for g in right_options(game)]
    weight = canonical(left, right)
    found = NUMBER_UP_STAR[weight]
    if found is None or found[1:] != (0, 0) or not isinstance(found[0], int):
        return weight
    far_star = number_up_star(0, 0, 1 << BIRTHDAY[game].bit_length())
    if leq(far_star, game):
        return number_up_star(_greatest_below(right))
    if leq(game, far_star):
        return number_up_star(_least_above(left))
    return number_up_star(0)


def _greatest_below(games: list[int]) -> int:
    """The greatest integer that is not ≥ any of the games."""
    n = floor(min(LEFT_STOP[g] for g in games))
    return n - any(leq(g, number_up_star(n)) for g in games)


def _least_above(games: list[int]) -> int:
    """The least integer that is not ≤ any of the games."""
    n = ceil(max(RIGHT_STOP[g] for g in games))
    return n + any(leq(number_up_star(n), g) for g in games)
