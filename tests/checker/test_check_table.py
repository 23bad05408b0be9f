"""Which claims rest on what a certificate says of all states, and whose goals a form is about."""

from __future__ import annotations

from typing import Any

import pytest

from ggp.checker import check_certificate
from tests.checker.test_shown import ENDS, IN_TURN
from tests.checker.test_states import certificate

FALSE = [(["start", "(control a)"], False)]
"""Both hold at the start, so that this is no group, and nothing can rest on it."""

AT_ONCE = """(role a) (role b) (init start) (legal a x) (legal a y) (legal b x) (legal b y)
(<= (next (did ?m)) (does a ?m)) (<= terminal (not (true start))) (goal a 0) (goal b 0)"""


@pytest.mark.parametrize(
    ("rules", "told", "groups", "claim", "holds"),
    [
        # What a play of the rules shows by itself needs nothing else, with settings or without.
        (ENDS, IN_TURN, FALSE, ("zero_sum", False, "normal other"), True),
        (ENDS, [], FALSE, ("zero_sum", False, "normal other"), True),
        (ENDS, IN_TURN, FALSE, ("winnable", True, "normal misere"), True),
        (ENDS, IN_TURN, FALSE, ("winnable", True, "normal"), False),
        # Whose turn it is where play ends is told by settings.
        (ENDS, IN_TURN, FALSE, ("form", "other", "draw"), False),
        (AT_ONCE, [], [(["start", "(did x)"], True)], ("turns", "simultaneous", "start"), True),
        (AT_ONCE, [], [(["(did x)"], True)], ("turns", "simultaneous", "start"), True),
        (AT_ONCE, [], [(["(did x)"], True)], ("turns", "with extra turns", "start"), False),
    ],
)
def test_a_claim_that_a_play_shows_rests_on_nothing_else(
    rules: str, told: list[Any], groups: list[Any], claim: tuple[str, object, str], holds: bool
) -> None:
    name, value, ends = claim
    plays = [[] if word == "start" else [[f"(go {word})", "noop"]] for word in ends.split()]
    claims = [{"property": name, "value": value, "witness": plays}]
    made = certificate(rules, told=told, groups=groups, claims=claims)
    assert [one.holds for one in check_certificate(made, 30)] == [holds]


LAST = """(role a) (role b) (init (control a)) (init (heap 3)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r one) (true (control ?r)) (true (heap ?n)) (succ ?m ?n))
(<= (legal ?r two) (true (control ?r)) (true (heap ?n)) (succ ?m ?n) (succ ?k ?m))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (heap ?m)) (does ?r one) (true (heap ?n)) (succ ?m ?n))
(<= (next (heap ?k)) (does ?r two) (true (heap ?n)) (succ ?m ?n) (succ ?k ?m))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (heap 0))) (<= (goal ?r 0) (true (control ?r)))
(<= (goal a {a}) (true (control b))) (<= (goal b {b}) (true (control a)))
(<= (goal ?r 100) (role ?r) (true (heap 3)))"""
"""Who takes the last of three has won; of three left a goal means nothing, but is one."""


@pytest.mark.parametrize(
    ("a", "b", "holds"), [(100, 100, True), (50, 100, False), (100, 50, False), (50, 50, False)]
)
def test_at_each_end_both_have_the_goal_of_a_loss_or_of_a_win(a: int, b: int, holds: bool) -> None:
    ends = {"witness": [[["one", "noop"], ["noop", "two"]]]}
    made = certificate(
        LAST.format(a=a, b=b),
        told=[(*IN_TURN[0], []), (*IN_TURN[1], [["one", "noop"]])],
        groups=[([f"(heap {n})" for n in range(4)], True)],
        claims=[{"property": "form", "value": "normal", "ends": ends}],
    )
    assert [one.holds for one in check_certificate(made, 30)] == [holds]


@pytest.mark.parametrize(("more", "holds"), [("", True), (" (true (colour red))", False)])
def test_a_goal_that_no_end_has_is_no_win(more: str, holds: bool) -> None:
    """The rules name it, so that it is the best there is, but nobody ever gets it."""
    won = "(<= (goal a 100) (true (control b))"
    rules = LAST.format(a=100, b=100).replace(won, won + more)
    rules = rules.replace("(<= (goal ?r 100) (role ?r) (true (heap 3)))", "")
    ends = {"witness": [[["one", "noop"], ["noop", "two"]]]}
    made = certificate(
        rules,
        told=[(*IN_TURN[0], []), (*IN_TURN[1], [["one", "noop"]])],
        groups=[([f"(heap {n})" for n in range(4)], True)],
        claims=[{"property": "form", "value": "normal", "ends": ends}],
    )
    assert [one.holds for one in check_certificate(made, 30)] == [holds]


SIDED = """(role a) (role b) (init (control a)) (init (p 1)) (n 1) (n 2) {may}
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (legal ?r (take ?x left)) (true (control ?r)) (may ?r ?x) (true (p ?x)))
(<= (legal ?r (take ?x right)) (true (control ?r)) (may ?r ?x) (true (p ?x)))
(<= (next (p 2)) (does ?r (take 1 ?hand)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= left (true (p ?x))) (<= terminal (not left))
(<= (goal ?r 0) (true (control ?r))) (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"""


@pytest.mark.parametrize(
    ("may", "holds"),
    [
        ("(may a 1) (may a 2) (may b 1) (may b 2)", True),
        ("(may a 1) (may a 2) (may b 2)", False),  # of p 1 just a can take
        ("(may a 1) (may b 1) (may b 2)", False),  # of p 2 just b
    ],
)
def test_on_no_board_can_just_one_of_the_two_move(may: str, holds: bool) -> None:
    made = certificate(
        SIDED.format(may=may),
        told=[(*IN_TURN[0], []), (*IN_TURN[1], [["(take 1 left)", "noop"]])],
        flips=True,
        groups=[(["(p 1)", "(p 2)"], False)],
        claims=[{"property": "all_small", "value": True}],
    )
    assert [one.holds for one in check_certificate(made, 30)] == [holds]


ONE_WAY = """(role a) (role b) (init (at 1)) (legal a go) (legal a stay) (legal b noop) {more}
(<= (next (at 2)) (does a go)) (<= (next (at 1)) (does a stay))
(<= terminal (true (at 2))) (<= (goal a 50) (true (at 2))) (goal b 30)"""


@pytest.mark.parametrize(
    ("more", "last", "holds"),
    [
        ("", "go", True),
        # That some play ends is to be shown, also where nobody can be stuck.
        ("", "stay", False),
        # And that there is just one goal at every end, also where some play ends.
        ("(goal a 60)", "go", False),
    ],
)
def test_what_is_said_of_goals_rests_on_an_end_and_on_all_of_play(more, last, holds) -> None:
    ends = {"witness": [[[last, "noop"]]]}
    claim = {"property": "zero_sum", "value": True, "goals": [[50, 30]], "ends": ends}
    groups = [(["(at 1)", "(at 2)"], True)]
    made = certificate(ONE_WAY.format(more=more), groups=groups, claims=[claim])
    assert [one.holds for one in check_certificate(made, 30)] == [holds]
