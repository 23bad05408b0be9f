"""Sentences about two numbers: each is held against the outcome of every position."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import floor, sqrt

import numpy as np
import pytest

import ggp
from ggp.limits import Budget
from ggp.solver import bands as module
from ggp.solver.bands import band_of
from ggp.solver.sentences import sentences
from tests.conftest import GAMES

PHI = (1 + sqrt(5)) / 2


def wythoff(
    x: int, y: int, last: str = "wins", ends: str = "(<= terminal (true (x 0)) (true (y 0)))"
) -> ggp.Game:
    """From either heap any number, or from both as many; who takes the last token wins, or not."""
    chain = " ".join(f"(succ {n} {n + 1})" for n in range(max(x, y)))
    own, other = ("0", "100") if last == "wins" else ("100", "0")
    return ggp.parse(f"""(role a) (role b) (init (control a)) (init (x {x})) (init (y {y})) {chain}
    (<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?b) (succ ?c ?b) (less ?a ?c))
    (<= (both ?a ?b ?c ?d) (succ ?c ?a) (succ ?d ?b))
    (<= (both ?a ?b ?c ?d) (succ ?e ?a) (succ ?f ?b) (both ?e ?f ?c ?d))
    (<= (legal ?p (first ?n)) (true (control ?p)) (true (x ?m)) (less ?n ?m))
    (<= (legal ?p (second ?n)) (true (control ?p)) (true (y ?m)) (less ?n ?m))
    (<= (legal ?p (each ?n ?k)) (true (control ?p)) (true (x ?m)) (true (y ?l)) (both ?m ?l ?n ?k))
    (<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
    (<= (next (x ?n)) (does ?p (first ?n))) (<= (next (x ?m)) (true (x ?m)) (does ?p (second ?n)))
    (<= (next (y ?n)) (does ?p (second ?n))) (<= (next (y ?m)) (true (y ?m)) (does ?p (first ?n)))
    (<= (next (x ?n)) (does ?p (each ?n ?k))) (<= (next (y ?k)) (does ?p (each ?n ?k)))
    (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
    {ends}
    (<= (goal ?p {own}) (true (control ?p)))
    (<= (goal ?p {other}) (role ?p) (true (control ?q)) (distinct ?p ?q))""")


@cache
def solved() -> ggp.Solution:
    return wythoff(12, 19).solve()


def test_wythoffs_game() -> None:
    """W. Wythoff, "A modification of the game of Nim", Nieuw Archief voor Wiskunde 7 (1907)."""
    [one] = sentences(solved(), "a")
    assert (one.kind, one.certainty) == ("band", "verified")
    assert one.text == (
        "Leave the smaller of (x ?) and (y ?) at floor(phi n), n being how much the other is more "
        "(of this game, n up to 19)."
    )
    assert one.positions == solved().positions
    assert sentences(wythoff(8, 13).solve(), "b")[0].kind == "band"


def test_where_one_empty_heap_ends_play_the_multiple_is_nought() -> None:
    game = wythoff(5, 7, ends="(<= terminal (true (x 0))) (<= terminal (true (y 0)))")
    [one] = sentences(game.solve(), "a")
    assert one.text.startswith("Leave the smaller of (x ?) and (y ?) at 0, n being how much ")


def test_two_heaps_by_multiples() -> None:
    """Lost just where the ratio lies between 1/phi and phi (KöMaL, December 2021)."""
    game = ggp.load(GAMES / "multiples" / "multiples.kif.jinja", first=21, second=34)
    [one] = sentences(game.solve(), "left")
    assert one.text.startswith("Leave (heap 2 ?) from 1/phi n to phi n, n being (heap 1 ?)")


def test_no_band_is_told_of_where_there_is_none() -> None:
    rows = ggp.load(GAMES / "nim" / "rows.kif.jinja", heaps=[6, 9])
    for game in (wythoff(12, 19, last="loses"), rows):
        found = game.solve(method="positions")
        assert band_of(found, game.initial, Budget()) is None


def grid(size: int) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.meshgrid(np.arange(size), np.arange(size))
    return x.reshape(-1), y.reshape(-1)


@pytest.mark.parametrize(("low", "high"), [(1 / PHI, PHI), (Fraction(1, 2), 3), (0.3, 0.4)])
def test_ends_of_a_band_are_found(low, high) -> None:
    x, y = grid(30)
    lost = (low * x <= y) & (y <= high * x)
    slopes = module._between(x, y, lost)
    assert slopes
    ends = [module._slope(own) for own in slopes]
    assert np.array_equal((ends[0] * x <= y) & (y <= ends[1] * x), lost)
    for place in np.flatnonzero(lost & (x > 0))[:5]:
        other = lost.copy()
        other[place] = False
        assert not _fits(module._between(x, y, other), x, y, other, by=_within)


@pytest.mark.parametrize("slope", [PHI, PHI**2, sqrt(2), 2, Fraction(3, 5)])
def test_multiples_that_are_rounded_down_are_found(slope) -> None:
    x, y = grid(30)
    lost = y == np.array([floor(slope * n) for n in range(30)])[x]
    slopes = module._multiple(x, y, lost)
    assert slopes
    assert _fits(slopes, x, y, lost, by=_rounded)
    other = lost.copy()
    other[np.flatnonzero(lost)[7]] = False
    assert module._multiple(x, y, other) is None


def _within(slopes, x, y):
    low, high = map(module._slope, slopes)
    return (low * x <= y) & (y <= high * x)


def _rounded(slopes, x, y):
    return y == np.array([floor(module._slope(slopes[0]) * n) for n in range(30)])[x]


def _fits(slopes, x, y, lost, *, by) -> bool:
    return slopes is not None and np.array_equal(by(slopes, x, y), lost)


def test_who_may_move_twice_leaves_nothing_to_the_other(monkeypatch) -> None:
    game = solved().game
    assert band_of(solved(), game.initial, Budget()) is not None
    monkeypatch.setitem(game.__dict__, "marker", replace(game.marker, alternating=False))
    assert band_of(solved(), game.initial, Budget()) is None


@pytest.mark.parametrize(("name", "value"), [("MOST", 1_000), ("DIGITS", 1)])
def test_there_is_no_band_of_more_than_is_looked_at(monkeypatch, name, value) -> None:
    monkeypatch.setattr(module, name, value)
    assert band_of(solved(), solved().game.initial, Budget()) is None


@pytest.mark.parametrize(
    ("text", "is_number"),
    [("0", True), ("10", True), ("007", False), ("12345", True), ("123456", False), ("²", False)],
)
def test_numbers_are_written_as_numbers_are(text, is_number) -> None:
    assert module._is_number(text) == is_number
    assert not module._is_number("9" * 5_000)
