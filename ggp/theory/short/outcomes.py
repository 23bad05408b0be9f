"""Who wins a sum, found by play and not by its canonical form, which can be very large.

Bounds decide most of it (Siegel, Combinatorial Game Theory, 2013, sections II.3 and II.5). With Σ
for sums over the parts, L and R for stops, m for means and t for temperatures:

* ΣR + max(L − R) ≤ L(sum) ≤ ΣL, and the mirror image;
* Σm ≤ L(sum) ≤ Σm + max t, as means add, and no sum is hotter than its hottest part.

A positive left stop wins for Left if he begins, a positive right stop also if he does not. What is
left is searched: nobody moves in a number while anything else is there (number avoidance), a part
and its negative are nothing, and numbers, ups and nimbers are one part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from ggp.theory.short.meter import METER
from ggp.theory.short.order import leq
from ggp.theory.short.sums import negate
from ggp.theory.short.table import (
    LEFT_STOP,
    LOCK,
    NUMBER_UP_STAR,
    RIGHT_STOP,
    ZERO,
    is_number,
    left_options,
    number_up_star,
    right_options,
)
from ggp.theory.short.thermograph import mean, temperature

MOST_KNOWN = 1_000_000
"""Past so many answers kept, they are forgotten and found anew where they are needed."""

UNIT = 1 << 24
"""What numbers are counted by, so that hardly any is a fraction."""

Parts = tuple[int, ...]
"""Games of the table, sorted, none of them zero: see `simplified`."""

Count = int | Fraction

_known: dict[tuple[Parts, bool], bool] = {}
_figures: dict[int, tuple[Count, Count, Count, Count]] = {}


def simplified(parts: Iterable[int]) -> Parts:
    """A sum with fewer parts: numbers, ups and nimbers together, no part beside its negative."""
    number: Count = 0
    ups = nimber = 0
    kept: list[int] = []
    for g in parts:
        own = NUMBER_UP_STAR[g]
        if own:
            number, ups, nimber = number + own[0], ups + own[1], nimber ^ own[2]
            continue
        if (other := negate(g)) in kept:
            kept.remove(other)
        else:
            kept.append(g)
    closed = number_up_star(number, ups, nimber)
    if closed != ZERO:
        kept.append(closed)
    return tuple(sorted(kept))


def mover_wins(parts: Parts, left: bool) -> bool:
    """Whether the player to move wins a sum; raises `GameLimit` within `limited`."""
    known = _at_hand(parts, left)
    return known if known is not None else _search(parts, left)


def _at_hand(parts: Parts, left: bool) -> bool | None:
    """The same, if it takes no search."""
    if len(parts) < 2:
        g = parts[0] if parts else ZERO
        return not leq(g, ZERO) if left else not leq(ZERO, g)
    known = _known.get((parts, left))
    return known if known is not None else _by_bounds(parts, left)


def _by_bounds(parts: Parts, left: bool) -> bool | None:
    """The same by stops, means and temperatures."""
    high: Count = 0
    low: Count = 0
    middle: Count = 0
    width: Count = 0
    heat: Count = -UNIT
    for g in parts:
        left_stop, right_stop, own, t = _figures.get(g) or _figures_of(g)
        high += left_stop
        low += right_stop
        middle += own
        width = max(width, left_stop - right_stop)
        heat = max(heat, t)
    if not left:
        high, low, middle = -low, -high, -middle
    if middle > 0 or low + width > 0:
        return True
    if high < 0 or middle + heat < 0:
        return False
    return None


def _figures_of(game: int) -> tuple[Count, Count, Count, Count]:
    """Stops, mean and temperature of a game, in parts of a whole."""
    exact = Fraction(LEFT_STOP[game]), Fraction(RIGHT_STOP[game]), mean(game), temperature(game)
    a, b, c, d = (int(x * UNIT) if UNIT % x.denominator == 0 else x * UNIT for x in exact)
    _figures[game] = a, b, c, d
    return a, b, c, d


def _moves(parts: Parts, left: bool) -> Iterator[Parts]:
    """What the player to move can leave, moves where stops are furthest apart first."""
    options = left_options if left else right_options
    hot = [g for g in dict.fromkeys(parts) if not is_number(g)]
    hot.sort(key=lambda g: RIGHT_STOP[g] - LEFT_STOP[g])
    for g in hot:
        rest = list(parts)
        rest.remove(g)
        for option in options(g):
            yield simplified([*rest, option])


def _search(parts: Parts, left: bool) -> bool:
    """A sum of two parts at least by all moves; a move to a lost sum wins."""
    meter = METER.get()
    stack = [(parts, left, _moves(parts, left))]
    wins = False
    while stack:
        parts, left, moves = stack[-1]
        wins = False
        for after in moves:
            known = _at_hand(after, not left)
            if known is None:
                meter.step()
                stack.append((after, not left, _moves(after, not left)))
                break
            if not known:
                wins = True
                break
        else:
            # No move wins: the player to move loses, and who moved here wins.
            _keep(parts, left, False)
            stack.pop()
            if stack:
                wins = True
                parts, left, _ = stack.pop()
                _keep(parts, left, True)
            continue
        if wins:
            _keep(parts, left, True)
            stack.pop()
    return wins


def _keep(parts: Parts, left: bool, wins: bool) -> None:
    with LOCK:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[parts, left] = wins
