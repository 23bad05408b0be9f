"""The laws of short games: the ordered group, stops, temperatures, weights and reductions.

Each theorem as in Siegel, Combinatorial Game Theory (2013), chapter II.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ggp.theory import ShortGame
from tests.theory.games import DICOTS, GAMES, NUMBER_UP_STARS, NUMBERS

settings.register_profile("laws", deadline=None, max_examples=60)
laws = settings(settings.get_profile("laws"))

TEMPERATURES = st.builds(Fraction, st.integers(-4, 24), st.just(4))
WARM = st.builds(Fraction, st.integers(0, 8), st.sampled_from([1, 2, 4]))


@laws
@given(GAMES, GAMES, GAMES)
def test_an_abelian_group(g, h, k) -> None:
    assert g + h == h + g
    assert g + h - h == g
    assert g - g == 0
    assert -(g + h) == -g - h
    assert 3 * g == g + g + g
    assert (g + h) + k == g + (h + k)


@laws
@given(GAMES, GAMES, GAMES)
def test_sums_respect_order(g, h, k) -> None:
    assert (g <= h) == (g + k <= h + k) == (-h <= -g) == (g - h <= 0)
    assert [g < h, g == h, g > h, g.confused_with(h)].count(True) == 1
    if g <= h and h <= k:
        assert g <= k
    outcomes = {"P": g == h, "L": g > h, "R": g < h, "N": g.confused_with(h)}
    assert outcomes[(g - h).outcome]


@laws
@given(NUMBER_UP_STARS, NUMBER_UP_STARS)
def test_closed_forms_are_forms(g, h) -> None:
    """Sums, order and birthday of number-up-stars are those of their options."""
    assert g == ShortGame(g.left, g.right)
    assert g.birthday == max((x.birthday + 1 for x in g.left + g.right), default=0)
    refuted = any(h <= x for x in g.left) or any(x <= g for x in h.right)
    assert (g <= h) is not refuted
    if not g.is_number and not h.is_number:
        left = [x + h for x in g.left] + [g + x for x in h.left]
        right = [x + h for x in g.right] + [g + x for x in h.right]
        assert ShortGame(left, right) == g + h


@laws
@given(GAMES, NUMBERS)
def test_number_translation_and_avoidance(g, x) -> None:
    """Theorem II.3.23: in G + x, G no number, a winning move need not be in x."""
    assume(not g.is_number)
    moved = g + x
    assert set(moved.left) == {option + x for option in g.left}
    assert set(moved.right) == {option + x for option in g.right}
    assert (moved.left_stop, moved.right_stop) == (g.left_stop + x, g.right_stop + x)


@laws
@given(GAMES, GAMES)
def test_means_add_and_sums_are_no_hotter(g, h) -> None:
    total = g + h
    assert total.mean == g.mean + h.mean
    assert total.temperature <= max(g.temperature, h.temperature)
    assert total.left_stop <= g.left_stop + h.left_stop
    assert total.right_stop >= g.right_stop + h.right_stop
    assert g.right_stop <= g.mean <= g.left_stop


@laws
@given(GAMES, TEMPERATURES)
def test_thermographs_agree_with_stops_mean_and_definition(g, t) -> None:
    graph = g.thermograph
    assert (graph.mast, graph.temperature) == (g.mean, g.temperature)
    assert (graph.left_wall(0), graph.right_wall(0)) == (g.left_stop, g.right_stop)
    assert graph.left[0][0] == graph.right[0][0] == -1
    assert graph.left[-1][1] == graph.right[-1][1] == graph.mast
    if t >= graph.temperature:
        assert graph.left_wall(t) == graph.right_wall(t) == graph.mast
    else:
        assert graph.left_wall(t) == max(x.thermograph.right_wall(t) for x in g.left) - t
        assert graph.right_wall(t) == min(x.thermograph.left_wall(t) for x in g.right) + t
        assert graph.left_wall(t) > graph.right_wall(t)


@laws
@given(GAMES, GAMES, WARM)
def test_cooling_is_linear_and_cools_thermographs(g, h, t) -> None:
    cold = g.cool(t)
    assert (g + h).cool(t) == cold + h.cool(t)
    assert cold.left_stop == g.thermograph.left_wall(t)
    assert cold.right_stop == g.thermograph.right_wall(t)
    assert cold.mean == g.mean


@laws
@given(GAMES, NUMBERS, WARM)
def test_heating_undoes_cooling(g, x, t) -> None:
    """Winning Ways, chapter 6."""
    assert g.heat(t).cool(t) == g
    assert (-g).heat(t) == -g.heat(t)
    assert (g + x).heat(t) == g.heat(t) + x


@laws
@given(DICOTS, DICOTS, WARM)
def test_heating_of_all_small_games_is_linear(g, h, t) -> None:
    """Not that of all games: {1|1/2} is positive, and heated by 1 it is {2|-1/2}."""
    assert (g + h).heat(t) == g.heat(t) + h.heat(t)


@laws
@given(DICOTS, DICOTS)
def test_atomic_weights_add_and_decide(g, h) -> None:
    """The two-ahead rule (Winning Ways, chapter 8)."""
    assert g.is_all_small
    weight = g.atomic_weight
    assert (g + h).atomic_weight == weight + h.atomic_weight
    assert (-g).atomic_weight == -weight
    assert not (weight >= 2) or g > 0
    assert not (weight <= -2) or g < 0


@laws
@given(GAMES, GAMES, DICOTS)
def test_reduced_forms(g, h, infinitesimal) -> None:
    reduced = g.reduced
    assert reduced.reduced == reduced
    assert (g + infinitesimal).reduced == reduced
    assert (g + h).reduced == (reduced + h.reduced).reduced
    gap = g - reduced
    assert gap.left_stop == gap.right_stop == 0
    assert reduced.birthday <= g.birthday


@laws
@given(GAMES)
def test_text_and_form_come_back(g) -> None:
    assert ShortGame.parse(str(g)) == g
    assert ShortGame.parse(g.text(unicode=True)) == g
    assert ShortGame(g.left, g.right) == g
    assert hash(ShortGame(g.left[::-1], (*g.right, *g.right))) == hash(g)
