"""The order of games: G ≤ H if Left, moving second, wins H − G."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.theory.short.meter import METER
from ggp.theory.short.table import (
    LEFT_STOP,
    NUMBER_UP_STAR,
    RIGHT_STOP,
    left_options,
    right_options,
)

MOST_ANSWERS = 4_000_000
"""Past so many answers kept, they are forgotten and found anew where they are needed."""

_known: dict[tuple[int, int], bool] = {}
drafted: dict[tuple[int, int], bool] = {}
"""Answers about the draft, which change with it."""


def leq(g: int, h: int) -> bool:
    """Whether G ≤ H: no Left option of G is ≥ H, and no Right option of H is ≤ G.

    What is at hand decides first: stops, and number-up-stars in closed form.
    """
    known = _at_hand(g, h)
    return known if known is not None else _search(g, h)


def _at_hand(g: int, h: int) -> bool | None:
    """G ≤ H, if it takes no search."""
    if g == h:
        return True
    left, right = LEFT_STOP[g], RIGHT_STOP[h]
    if left < right:
        return True
    if left > LEFT_STOP[h] or RIGHT_STOP[g] > right:
        return False
    mine = NUMBER_UP_STAR[g]
    if mine is not None:
        other = NUMBER_UP_STAR[h]
        if other is not None:
            more = other[1] - mine[1]
            return more > 1 or (more == 1 and mine[2] ^ other[2] != 1)
    return (_known if g and h else drafted).get((g, h))


def _refuters(g: int, h: int) -> Iterator[tuple[int, int]]:
    """The pairs of which none may be in order if G ≤ H is to hold."""
    pairs = [(h, option) for option in left_options(g)]
    pairs += [(option, g) for option in right_options(h)]
    return iter(pairs)


def _search(g: int, h: int) -> bool:
    """G ≤ H by its definition. A pair that is found in order refutes the pair above it."""
    meter = METER.get()
    stack = [(g, h, _refuters(g, h))]
    answer = False
    while stack:
        g, h, pairs = stack[-1]
        answer = True
        for a, b in pairs:
            known = _at_hand(a, b)
            if known is None:
                meter.step()
                stack.append((a, b, _refuters(a, b)))
                break
            if known:
                answer = False
                stack.pop()
                _keep(g, h, False)
                break
        else:
            _keep(g, h, True)
            stack.pop()
            if stack:
                answer = False
                g, h, _ = stack.pop()
                _keep(g, h, False)
    return answer


def _keep(g: int, h: int, answer: bool) -> None:
    if g and h:
        if len(_known) >= MOST_ANSWERS:
            _known.clear()
        _known[g, h] = answer
    else:
        drafted[g, h] = answer
