"""Random short games for hypothesis."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from ggp.theory import ShortGame
from tests.theory.textbook import ZERO, tree

TREES = st.recursive(
    st.just(ZERO),
    lambda some: st.builds(tree, st.lists(some, max_size=2), st.lists(some, max_size=2)),
    max_leaves=8,
)
"""Forms of any shape, for the textbook."""

NUMBERS = st.builds(Fraction, st.integers(-12, 12), st.sampled_from([1, 1, 2, 4]))

NUMBER_UP_STARS = st.builds(
    lambda x, ups, star: ShortGame.up(ups, star) + x, NUMBERS, st.integers(-3, 3), st.integers(0, 4)
)

DICOTS = st.recursive(
    st.builds(ShortGame.up, st.integers(-2, 2), st.integers(0, 3)),
    lambda some: st.builds(
        ShortGame, st.lists(some, min_size=1, max_size=2), st.lists(some, min_size=1, max_size=2)
    ),
    max_leaves=6,
)

GAMES = st.recursive(
    st.one_of(NUMBER_UP_STARS, NUMBERS.map(ShortGame.number), DICOTS),
    lambda some: st.builds(ShortGame, st.lists(some, max_size=2), st.lists(some, max_size=2)),
    max_leaves=5,
)
