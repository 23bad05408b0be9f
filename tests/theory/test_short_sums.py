"""Who wins sums, and what play by temperatures comes to: against canonical forms, and all replies.

The bounds are those of ggp.theory.short.strategies (Berlekamp 1996; Winning Ways, chapter 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.theory import GameLimit, ShortGame, limited
from ggp.theory.short.strategies import (
    hotstrat,
    hottest,
    sentestrat,
    sum_outcome,
    thermostrat,
    wins_sum,
)
from tests.theory.games import GAMES
from tests.theory.test_short_laws import laws

HOT = st.recursive(
    st.integers(-8, 8).map(ShortGame.integer),
    lambda some: st.builds(lambda g, h: ShortGame([g], [h]), some, some),
    max_leaves=4,
)
SUMS = st.lists(st.one_of(GAMES, HOT), max_size=5)
HOT_SUMS = st.lists(HOT, min_size=1, max_size=3)


@laws
@given(SUMS)
def test_the_outcome_of_a_sum_is_that_of_its_canonical_form(parts) -> None:
    assert sum_outcome(parts) == sum(parts, ShortGame.integer(0)).outcome


@laws
@given(SUMS, st.booleans())
def test_who_moves_wins_if_a_move_leaves_a_sum_that_the_other_loses(parts, left) -> None:
    total = sum(parts, ShortGame.integer(0))
    assert wins_sum(parts, left) is (not total <= 0 if left else not total >= 0)
    moved = [
        [*parts[:i], option, *parts[i + 1 :]]
        for i, g in enumerate(parts)
        for option in (g.left if left else g.right)
    ]
    assert wins_sum(parts, left) is any(not wins_sum(after, not left) for after in moved)


def test_a_sum_whose_canonical_form_is_too_large() -> None:
    parts = [ShortGame.switch(3**n) for n in range(40)]
    with limited(games=10_000, steps=10_000):
        assert sum_outcome(parts) == "N"
        assert sum_outcome([*parts, *parts]) == "P"
    with limited(games=10_000), pytest.raises(GameLimit):
        sum(parts)


def test_a_limit_ends_the_search() -> None:
    """Twelve switches of which who begins gets six, and a number more than that."""
    parts = [*map(ShortGame.switch, range(1, 13)), ShortGame.integer(-7)]
    with limited(steps=5), pytest.raises(GameLimit):
        sum_outcome(parts)
    assert sum_outcome(parts) == "R"


def _worst(
    parts: tuple[ShortGame, ...], left: bool, mine: bool, ambient: Fraction, last: int | None, how
) -> Fraction:
    """The worst number for Left that play comes to, if Left plays by a strategy."""
    if all(g.is_number for g in parts):
        return sum((g.mean for g in parts), Fraction(0))
    if mine:
        choice = how(parts, ambient, last)
        after = (*parts[: choice.part], choice.option, *parts[choice.part + 1 :])
        return _worst(after, left, False, choice.ambient, None, how)
    return min(
        _worst((*parts[:i], option, *parts[i + 1 :]), left, True, ambient, i, how)
        for i, g in enumerate(parts)
        if not g.is_number
        for option in g.right
    )


def _by_sentestrat(parts: Sequence[ShortGame], ambient: Fraction, last: int | None):
    return sentestrat(parts, True, ambient, last)


def _by_thermostrat(parts: Sequence[ShortGame], ambient: Fraction, last: int | None):
    return thermostrat(parts, True)


@pytest.mark.parametrize("how", [_by_sentestrat, _by_thermostrat])
@pytest.mark.parametrize("begins", [True, False])
def test_strategies_keep_their_bounds_against_every_reply(how, begins) -> None:
    @laws
    @given(HOT_SUMS)
    def holds(parts) -> None:
        means, t = sum(g.mean for g in parts), max(hottest(parts), Fraction(0))
        reached = _worst(tuple(parts), True, begins, hottest(parts), None, how)
        assert reached >= (means if begins else means - t)
        stop = sum(parts, ShortGame.integer(0))
        assert reached <= (stop.left_stop if begins else stop.right_stop)

    holds()


@laws
@given(HOT_SUMS)
def test_right_plays_as_left_in_the_negative(parts) -> None:
    mirrored = [-g for g in parts]
    for how in (hotstrat, thermostrat, lambda p, left: sentestrat(p, left, Fraction(3), 0)):
        mine, other = how(parts, True), how(mirrored, False)
        assert (mine is None) is (other is None)
        if mine:
            assert (mine.part, mine.ambient) == (other.part, other.ambient)
            t = max(mine.ambient, Fraction(-1))
            walls = mine.option.thermograph.right_wall(t), other.option.thermograph.left_wall(t)
            assert walls[0] == -walls[1]
