"""Genera, by their definition and from the books; tame games."""

from __future__ import annotations

import json
from itertools import combinations_with_replacement, count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.theory import Genus, HeapGenera, ImpartialGame, OctalGame, SubtractionGame
from tests.conftest import shared
from tests.theory.sums import rules, searched


def misere() -> dict:
    return json.loads(shared("truth", "misere.json").read_text())


def test_the_table_of_genera() -> None:
    rows = misere()["genus"]
    assert len(rows) == 4
    for code, heaps in rows.items():
        genera = HeapGenera(OctalGame(code))
        for size, row in heaps.items():
            genus = genera.genus(int(size))
            assert genus.nim_value == row["normal"], (code, size)
            assert [genus[n] for n in range(4)] == row["genus_exponent"], (code, size)


def test_genera_of_grundys_game() -> None:
    """Winning Ways, chapter 13: the first heaps that are wild."""
    game = ImpartialGame(lambda n: ((a, n - a) for a in range(1, (n + 1) // 2)))
    assert str(game.genus(13)) == "3^{1431}"
    assert str(game.genus(18)) == "4^{0564}"
    assert [n for n in range(14) if not game.is_tame(n)] == [13]


@settings(deadline=None)
@given(rules(), st.integers(0, 3), st.randoms(use_true_random=False))
def test_genera_are_by_definition(rule, beside, random) -> None:
    """The k for which the game, n heaps of 2 and one of k make a sum that is lost."""
    options, parts = rule
    is_lost = searched(options, misere=True)
    game = ImpartialGame(options)
    for many in (1, 2):
        for _ in range(3):
            sum_ = random.choices(parts, k=many)
            genus = game.genus(*sum_)
            twos = [("heap", 2)] * beside
            assert genus[beside] == next(k for k in count() if is_lost((*sum_, *twos, ("heap", k))))
            assert genus.outcome == ("P" if searched(options, misere=False)(sum_) else "N")
            assert genus.misere_outcome == ("P" if is_lost(sum_) else "N")
            assert game.misere_outcome(*sum_) == genus.misere_outcome


@settings(deadline=None)
@given(rules())
def test_tame_games_add_as_genera_do(rule) -> None:
    """Against the genus of the sum by all sums that come of it, worked out by hand."""
    options, parts = rule
    game = ImpartialGame(options)

    def by_hand(*sum_) -> Genus:
        key = tuple(sorted(sum_))
        if key not in known:
            known[key] = Genus.after(
                by_hand(*key[:i], *key[i + 1 :], *option)
                for i, part in enumerate(key)
                for option in options(part)
            )
        return known[key]

    known: dict[tuple, Genus] = {}
    for one, other in combinations_with_replacement(parts, 2):
        assert game.genus(one, other) == by_hand(one, other)
        if game.is_tame(one) and game.is_tame(other):
            assert game.genus(one) + game.genus(other) == by_hand(one, other)
            assert game.is_tame(one, other)


def test_a_genus_that_is_tame_does_not_make_a_game_tame() -> None:
    """Of Kayles: heap 8 is firm, heap 5, which can come of it, wild."""
    game = ImpartialGame(OctalGame("0.77").options)
    assert game.genus(8).is_tame
    assert not game.is_tame(8)
    with pytest.raises(ValueError, match="wild"):
        game.genus(5) + game.genus(1)


def test_which_codes_are_tame() -> None:
    """Every heap of them, as the quotients say."""
    rows = misere()["quotients"]
    for row in rows:
        assert (HeapGenera(OctalGame(row["code"])).first_wild is None) == (row["tame"] == "Yes")
    assert len({row["tame"] for row in rows}) == 2


@given(st.text("0123", min_size=1, max_size=3).filter(lambda d: d.strip("0")))
@settings(deadline=None, max_examples=40)
def test_periods_of_genera_hold_as_far_as_one_looks(digits) -> None:
    game = OctalGame(f"0.{digits}")
    genera = HeapGenera(game, max_size=200)
    try:
        start, period = genera.preperiod, genera.period
    except ValueError:
        return
    plain = ImpartialGame(game.options)
    for size in range(start, 400):
        assert plain.genus(size) == plain.genus(start + (size - start) % period)
    assert genera.genus(start + 10**15 * period) == plain.genus(start)


def test_periods_of_genera_of_tame_heaps_that_break() -> None:
    game = OctalGame("0.52")
    genera = HeapGenera(game)
    assert (game.parts, genera.first_wild) == (2, None)
    assert (genera.preperiod, genera.period) == (6, 4)
    assert genera.genus(10**18).nim_value == game.nim_value(10**18)
    plain = ImpartialGame(game.options)
    assert [plain.genus(n) for n in range(6, 60)] == [plain.genus(n) for n in range(10, 64)]


@given(st.sets(st.integers(1, 9), min_size=1, max_size=4), st.integers(0, 2))
def test_subtraction_games_are_tame(taken, floor) -> None:
    """By Ferguson's pairing (Winning Ways, chapter 13); genera repeat as nim-values do."""
    game = SubtractionGame(taken, floor)
    genera = HeapGenera(game)
    assert genera.first_wild is None
    assert genera.genus(10**18).nim_value == game.nim_value(10**18)
    with pytest.raises(ValueError, match="below the floor"):
        genera.genus(floor - 1)


def test_what_is_not_found_is_not_claimed() -> None:
    kayles = HeapGenera(OctalGame("0.77"), max_size=50)
    with pytest.raises(ValueError, match="the heap of 5 is wild"):
        kayles.genus(10**6)
    with pytest.raises(ValueError, match="no period was found"):
        HeapGenera(OctalGame("0.52"), max_size=10).first_wild  # noqa: B018


@pytest.mark.parametrize("numbers", [(), (1,), (1, 2), (0, 2, 4), (-1, -3)])
def test_tails_that_are_none_are_refused(numbers) -> None:
    with pytest.raises(ValueError, match="no genus"):
        Genus(0, numbers)


def test_genera_are_equal_by_what_they_say() -> None:
    assert Genus(0, (1, 2, 0, 2, 0)) == Genus.of_heap(0)
    assert Genus(2, (2, 0, 2, 0)) == Genus.of_heap(2)
    assert str(Genus(8, (10, 8, 10))) == "8^{10 8}"
    kinds = [(str(g), g.is_firm, g.is_fickle) for g in map(Genus.of_heap, range(3))]
    assert kinds == [("0^{120}", False, True), ("1^{031}", False, True), ("2^{20}", True, False)]
    with pytest.raises(ValueError, match="no place"):
        Genus.of_heap(0)[-1]
