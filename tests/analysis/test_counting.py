"""Positions are counted before long proofs where they are few; what is said is the same."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis import Positions, positions
from ggp.limits import Budget, Limits
from tests.conftest import nightly
from tests.oracle.random_games import random_game

FEW = Limits(positions=30_000, seconds=60)

LATE = """
(role white) (init (at 0)) (init (board a))
(next0 0 1) (next0 1 2) (next0 2 3) (next0 3 4) (next0 4 5)
(<= (legal white (go left)) (true (at ?n)) (next0 ?n ?m))
(<= (legal white (go right)) (true (at ?n)) (next0 ?n ?m) (distinct ?m 4))
(<= (next (at ?m)) (true (at ?n)) (next0 ?n ?m))
(<= (next (board b)) (does white (go left)))
(<= (next (board b)) (true (board b)))
(<= (next (board a)) (true (board a)) (does white (go right)))
(<= terminal (true (at 5)))
(<= (goal white 100) (true (board b)))
(<= (goal white 0) (true (board b)) (true (at 4)))
(<= (goal white 0) (true (board a)))
"""
"""A game of six positions and more."""


@pytest.mark.parametrize("seed", [*range(30), *nightly(range(30, 300))])
def test_what_is_counted_first_is_what_proofs_say(seed, monkeypatch) -> None:
    """Of random games: whatever both ways settle they settle alike."""
    text = random_game(seed)
    first = ggp.parse(text).analyse(positions=30_000)
    monkeypatch.setattr(positions, "MANY", 0)
    later = ggp.parse(text).analyse(positions=30_000)
    assert [f.property for f in first] == [f.property for f in later]
    for one, other in zip(first, later, strict=True):
        assert one.value == other.value or "unknown" in (one.certainty, other.certainty)


def test_proofs_are_spared_where_all_positions_are_known() -> None:
    context = Positions(ggp.parse(LATE), Budget(FEW))
    assert context.are_countable
    assert context.is_enumerated
    assert context.proofs.work == proofs_work(context)
    context.proofs.are_spare = True
    assert context.proofs.work < proofs_work(context)


def proofs_work(context: Positions) -> float:
    """The work of a claim in a game that was not counted."""
    return Positions(context.game, Budget(FEW)).proofs.work


def test_positions_are_no_more_counted_where_each_has_many_moves(monkeypatch) -> None:
    """The rule is about all joint moves, not about positions alone."""
    monkeypatch.setattr(positions, "MOVES", 4)
    assert not Positions(ggp.parse(LATE), Budget(FEW)).are_countable
