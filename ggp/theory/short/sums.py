"""Sums, negatives, multiples and ordinal sums of games."""

from __future__ import annotations

from ggp.theory.short.canonical import canonical
from ggp.theory.short.table import (
    LOCK,
    NUMBER_UP_STAR,
    ZERO,
    from_options,
    hot_options,
    is_number,
    left_options,
    number_up_star,
    options,
    right_options,
    unroll,
)

MOST_SUMS = 2_000_000
"""Past so many sums kept, they are forgotten before the next."""

Pair = tuple[int, int]

_sums: dict[Pair, int] = {}
_negatives: dict[int, int] = {}
_ordinals: dict[Pair, int] = {}


def negate(game: int) -> int:
    """−G: the players change their places."""
    known = _negatives.get(game)
    return known if known is not None else unroll(game, _negatives, hot_options, _negative)


def _negative(game: int) -> int:
    parts = NUMBER_UP_STAR[game]
    if parts:
        return number_up_star(-parts[0], -parts[1], parts[2])
    found = from_options(
        tuple(_negatives[g] for g in right_options(game)),
        tuple(_negatives[g] for g in left_options(game)),
    )
    _negatives[found] = game
    return found


def add(g: int, h: int) -> int:
    """G + H: a player moves in one of the two."""
    pair = _pair(g, h)
    known = _at_once(pair)
    if known is not None:
        return known
    with LOCK:
        if len(_sums) > MOST_SUMS:
            _sums.clear()
        return unroll(pair, _sums, _summands, _sum)


def subtract(g: int, h: int) -> int:
    """G − H."""
    return add(g, negate(h))


def _pair(g: int, h: int) -> Pair:
    return (g, h) if g <= h else (h, g)


def _at_once(pair: Pair) -> int | None:
    """A sum in closed form or known: numbers, ups and nimbers part by part; G + 0; G − G."""
    g, h = pair
    if g == ZERO:
        return h
    mine, yours = NUMBER_UP_STAR[g], NUMBER_UP_STAR[h]
    if mine and yours:
        return number_up_star(mine[0] + yours[0], mine[1] + yours[1], mine[2] ^ yours[2])
    if _negatives.get(g) == h:
        return ZERO
    return _sums.get(pair)


def _left_pairs(g: int, h: int) -> list[Pair]:
    """Left's moves in G + H. None is in a number, if the other is no number: it would be worse
    than all others (number translation)."""
    pairs = [] if is_number(g) else [_pair(option, h) for option in left_options(g)]
    return pairs if is_number(h) else pairs + [_pair(g, option) for option in left_options(h)]


def _right_pairs(g: int, h: int) -> list[Pair]:
    pairs = [] if is_number(g) else [_pair(option, h) for option in right_options(g)]
    return pairs if is_number(h) else pairs + [_pair(g, option) for option in right_options(h)]


def _summands(pair: Pair) -> list[Pair]:
    if _at_once(pair) is not None:
        return []
    return [p for p in _left_pairs(*pair) + _right_pairs(*pair) if _at_once(p) is None]


def _sum(pair: Pair) -> int:
    known = _at_once(pair)
    if known is not None:
        return known
    left = tuple(_done(p) for p in _left_pairs(*pair))
    right = tuple(_done(p) for p in _right_pairs(*pair))
    if is_number(pair[0]) or is_number(pair[1]):
        return from_options(left, right)
    return canonical(left, right)


def _done(pair: Pair) -> int:
    found = _at_once(pair)
    assert found is not None
    return found


def multiple(count: int, game: int) -> int:
    """The sum of `count` copies of a game, or of its negative."""
    if count < 0:
        count, game = -count, negate(game)
    parts = NUMBER_UP_STAR[game]
    if parts:
        number, ups, nimber = parts
        return number_up_star(count * number, count * ups, nimber * (count % 2))
    total = ZERO
    while count:
        if count % 2:
            total = add(total, game)
        count //= 2
        if count:
            game = add(game, game)
    return total


def ordinal_sum(g: int, h: int) -> int:
    """G : H, in which any move in G annihilates H. G is taken in canonical form, on which the
    value depends (Winning Ways, chapter 7)."""
    whole = [parts[0] for x in (g, h) if (parts := NUMBER_UP_STAR[x]) and parts[1:] == (0, 0)]
    if len(whole) == 2 and all(isinstance(n, int) for n in whole) and whole[0] * whole[1] >= 0:
        return number_up_star(whole[0] + whole[1])  # stalks of one colour
    return unroll((g, h), _ordinals, _ordinal_needs, _ordinal)


def _ordinal_needs(pair: Pair) -> list[Pair]:
    g, h = pair
    return [(g, option) for option in options(h)]


def _ordinal(pair: Pair) -> int:
    g, h = pair
    return canonical(
        [*left_options(g), *(_ordinals[g, option] for option in left_options(h))],
        [*right_options(g), *(_ordinals[g, option] for option in right_options(h))],
    )
