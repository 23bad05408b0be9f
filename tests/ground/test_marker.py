"""Whose turn it is: what may tell it, and what only seems to."""

from __future__ import annotations

import pytest

import ggp

WALK = """(role left) (role right) (init (st 0))
    (<= (next (st 1)) (true (st 0))) (<= (next (st 2)) (true (st 1)))
    (<= (next (st 1)) (true (st 2)))
    (<= (turn left) (true (st 0))) (<= (turn right) (true (st 1))) (<= (turn left) (true (st 2)))
    (arc v0 v1) (arc v0 v0) (arc v2 v0) (init (at left v0)) (init (at right v2))
    (<= (legal ?p (go ?y)) (turn ?p) (true (at ?p ?x)) (arc ?x ?y) (not (true (at right ?y))))
    (<= (legal ?p noop) (role ?p) (not (turn ?p)))
    (<= (moved ?p) (does ?p (go ?y))) (<= (next (at ?p ?y)) (does ?p (go ?y)))
    (<= (next (at ?p ?x)) (true (at ?p ?x)) (not (moved ?p)))
    (<= open (legal ?p (go ?y))) (<= terminal (not open)) (goal left 0) (goal right 100)"""
"""A clock tells the turn. Where left may have a choice right has none, as far as places tell."""

HANDED = """(role left) (role right) (init l) (init (h 4))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (less ?k ?m) (succ ?k ?m)) (<= (less ?k ?m) (succ ?k ?j) (succ ?j ?m))
    (<= (legal left (to ?k)) (true l) (true (h ?m)) (less ?k ?m))
    (<= (legal left noop) (not (true l)))
    (<= (legal right (to ?k)) (true r) (true (h ?m)) (less ?k ?m))
    (<= (legal right noop) (not (true r))) (<= (next (h ?k)) (does ?p (to ?k)))
    (<= (next r) (does left (to ?k))) (<= (next l) (does right (to ?k)) READ)
    (<= terminal (true (h 0))) (<= (goal left 0) (true l)) (<= (goal left 100) (not (true l)))
    (<= (goal right 0) (true r)) (<= (goal right 100) (not (true r)))"""
SHADOW = "(<= (next s) (does left (to ?k)))"


def test_the_place_of_a_piece_is_no_turn() -> None:
    """A role that waits must have just one move: where left stands still, right must not walk."""
    game = ggp.parse(WALK)
    assert game.marker is None
    findings = game.analyse()
    assert (findings["turns"].value, findings["form"].value) == ("alternating", "normal")


@pytest.mark.parametrize(
    ("read", "more", "is_found"),
    [
        ("", "", True),
        ("", SHADOW, True),
        # Once the turn is given to right, `s` does not hold, and right's move hands nothing on.
        ("(true s)", SHADOW, False),
    ],
)
def test_a_turn_that_is_given_away_is_handed_on_as_well(read, more, is_found) -> None:
    """A pair of fluents tells the turn if it does so whatever the others are."""
    game = ggp.parse(HANDED.replace("READ", read) + more)
    assert (game.marker is not None) is is_found
    if game.marker:
        told = {str(f) for i, f in enumerate(game.net.fluents) if game.marker.mask >> i & 1}
        assert told == {"l", "r"}


def test_a_role_may_have_no_move_at_all_where_play_is_over() -> None:
    """While it goes on it waits, if it is not its turn."""
    rules = HANDED.replace("READ", "").replace("(legal left noop)", "(legal left noop) (not over)")
    rules = rules.replace("(legal right noop)", "(legal right noop) (not over)")
    game = ggp.parse(rules + "(<= over (true (h 0)))")
    assert game.marker is not None
    assert game.analyse()["turns"].value == "alternating"


def test_a_role_that_never_acts_has_no_turn_because_one_is_left_over() -> None:
    """Where `b` does not hold play is over, and left, who chooses where it holds, has two moves."""
    game = ggp.parse("""(role left) (role right) (init b) (<= (next b) (not (true b)))
        (legal left x) (legal left y) (<= (next c) (does left x)) (<= (legal right noop) (true b))
        (<= terminal (not (true b))) (goal left 0) (goal right 100)""")
    assert game.turns is None
    assert game.analyse()["turns"].value != "alternating"
