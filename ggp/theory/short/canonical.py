"""Canonical forms: numbers by the simplicity theorem; no dominated and no reversible options.

After Siegel, Combinatorial Game Theory (2013), sections II.2 and II.3. A form is the draft in
place 0 of the table while its options are compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor

from ggp.theory.short.order import drafted, leq
from ggp.theory.short.table import (
    DRAFT,
    LEFT,
    LEFT_STOP,
    LOCK,
    NUMBER_UP_STAR,
    RIGHT,
    RIGHT_STOP,
    Number,
    NumberUpStar,
    from_options,
    left_options,
    number_up_star,
    right_options,
)


def canonical(left: Iterable[int], right: Iterable[int]) -> int:
    """The game { left | right }, whose options are games of the table."""
    best, worst = maximal(set(left)), minimal(set(right))
    number = _number(best, worst)
    if number is not None:
        return number_up_star(number)
    parts = _recognised(best, worst)
    if parts is not None:
        return number_up_star(*parts)
    with LOCK:
        try:
            best, worst = _irreversible(best, worst)
        finally:
            drafted.clear()
    best, worst = maximal(best), minimal(worst)
    parts = _recognised(best, worst)
    return number_up_star(*parts) if parts else from_options(tuple(best), tuple(worst))


def maximal(games: set[int]) -> set[int]:
    """Without the games that are below another: Left's dominated options."""
    if len(games) < 2:
        return games
    return {g for g in games if not any(g != h and leq(g, h) for h in games)}


def minimal(games: set[int]) -> set[int]:
    """Without the games that are above another: Right's dominated options."""
    if len(games) < 2:
        return games
    return {g for g in games if not any(g != h and leq(h, g) for h in games)}


def _number(left: set[int], right: set[int]) -> Number | None:
    """The simplest number that no Left option is ≥ and no Right option ≤, if there is one."""
    low = high = None
    if left:
        low = max(RIGHT_STOP[g] for g in left)
    if right:
        high = min(LEFT_STOP[g] for g in right)
    if low is not None and high is not None and low > high:
        return None
    above = below = False
    if low is not None:
        at = number_up_star(_exact(low))
        above = any(RIGHT_STOP[g] == low and leq(at, g) for g in left)
    if high is not None:
        at = number_up_star(_exact(high))
        below = any(LEFT_STOP[g] == high and leq(g, at) for g in right)
    if low == high and low is not None:
        return None if above or below else _exact(low)
    return simplest(
        None if low is None else _exact(low), above, None if high is None else _exact(high), below
    )


def _exact(stop: int | float | Fraction) -> Number:
    return stop if isinstance(stop, int) else Fraction(stop)


def simplest(low: Number | None, above: bool, high: Number | None, below: bool) -> Number:
    """The simplest number from `low` to `high`, of which some lies between; strictly `above` the
    one, strictly `below` the other; None is no bound.

    >>> simplest(Fraction(1, 4), True, 1, True)
    Fraction(1, 2)
    >>> simplest(None, True, -3, True), simplest(3, False, None, False)
    (-4, 3)
    """

    def between(digits: int) -> tuple[int | None, int | None]:
        """The bounds of numerators of numbers with so many binary digits behind the point."""
        scale = 1 << digits
        least = None if low is None else _first(low * scale, above)
        return least, None if high is None else -_first(-high * scale, below)

    def is_some(digits: int) -> bool:
        least, most = between(digits)
        return least is None or most is None or least <= most

    # Numbers with more digits are more: the least count is found by doubling, then halving.
    too_few, enough = -1, 0
    while not is_some(enough):
        too_few, enough = enough, 2 * enough + 1
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if is_some(middle):
            enough = middle
        else:
            too_few = middle
    least, most = between(enough)
    nearest = 0 if least is None else max(0, least)
    nearest = nearest if most is None else min(nearest, most)
    return Fraction(nearest, 1 << enough) if enough else nearest


def _first(x: Number, above: bool) -> int:
    """The least integer that is at least x, or strictly above it."""
    return floor(x) + 1 if above else ceil(x)


def _irreversible(left: set[int], right: set[int]) -> tuple[set[int], set[int]]:
    """The options, with reversible ones bypassed until none is left; all compared with the
    original form, which has the value of every later one."""
    LEFT[DRAFT], RIGHT[DRAFT] = tuple(left), tuple(right)
    LEFT_STOP[DRAFT] = max(RIGHT_STOP[g] for g in left)
    RIGHT_STOP[DRAFT] = min(LEFT_STOP[g] for g in right)
    mine: set[int] = set()
    seen, todo = set(left), list(left)
    while todo:
        option = todo.pop()
        reply = next((g for g in right_options(option) if leq(g, DRAFT)), None)
        if reply is None:
            mine.add(option)
        else:
            todo += [g for g in left_options(reply) if g not in seen]
            seen.update(left_options(reply))
    yours: set[int] = set()
    seen, todo = set(right), list(right)
    while todo:
        option = todo.pop()
        reply = next((g for g in left_options(option) if leq(DRAFT, g)), None)
        if reply is None:
            yours.add(option)
        else:
            todo += [g for g in right_options(reply) if g not in seen]
            seen.update(right_options(reply))
    return mine, yours


def _recognised(left: set[int], right: set[int]) -> NumberUpStar | None:
    """The number-up-star with these canonical options, which is no number.

    Sound also where options may yet be reversible: the patterns hold as equalities.
    """
    mine, yours = _all_parts(left), _all_parts(right)
    if mine is None or yours is None:
        return None
    found = _half_recognised(mine, yours)
    if found is None:
        found = _half_recognised(_mirrored(yours), _mirrored(mine))
        return None if found is None else (-found[0], -found[1], found[2])
    return found


def _all_parts(games: set[int]) -> list[NumberUpStar] | None:
    """The parts of all games, in order, if each is a number-up-star."""
    found = []
    for game in games:
        parts = NUMBER_UP_STAR[game]
        if parts is None:
            return None
        found.append(parts)
    return sorted(found)


def _mirrored(side: list[NumberUpStar]) -> list[NumberUpStar]:
    return sorted((-x, -k, m) for x, k, m in side)


def _half_recognised(left: list[NumberUpStar], right: list[NumberUpStar]) -> NumberUpStar | None:
    """As `_recognised`, of those that are x + ∗m, or x + k·↑ + ∗m with k > 0."""
    x = left[0][0]
    if left == right and left == [(x, 0, m) for m in range(len(left))]:
        return x, 0, len(left)
    if len(right) != 1 or right[0][0] != x or left[0] != (x, 0, 0):
        return None
    _, ups, nimber = right[0]
    if len(left) == 1 and ups >= 0 and (ups or nimber):
        return x, ups + 1, nimber ^ 1
    if left == [(x, 0, 0), (x, 0, 1)] and (ups, nimber) == (0, 0):
        return x, 1, 1
    return None
