"""Claims that a play shows: each is accepted as it is, and refused with another value or play."""

from __future__ import annotations

import copy
import json

import pytest

import ggp
from ggp.checker import check_certificate, read_certificate
from tests.conftest import GAMES

TURNS = """(role a) (role b) (init (control a))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (legal a wait) (true (control b))) (<= (legal b wait) (true (control a)))"""

SHEETS = {
    # A role that cannot move although play goes on.
    ("playable", False): f"{TURNS} (init (at 0)) (succ 0 1) (<= (legal ?r go) (true (control ?r)) "
    "(true (at 0))) (<= (next (at 1)) (does ?r go)) (<= (next (at 1)) (true (at 1))) "
    "(<= terminal (true (at 2))) (goal a 100) (goal b 0)",
    # Light goes on and off.
    ("cyclic", True): f"{TURNS} (init off) (<= (legal ?r flip) (true (control ?r))) "
    "(<= (legal ?r stop) (true (control ?r))) (<= (next off) (not (true off)) (does ?r flip)) "
    "(<= (next over) (does ?r stop)) (<= terminal (true over)) (goal a 100) (goal b 0)",
    # One takes, the other takes two.
    ("impartial", False): f"{TURNS} (init (heap 4)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) "
    "(<= (legal a one) (true (control a)) (true (heap ?n)) (succ ?m ?n)) (<= (legal b two) "
    "(true (control b)) (true (heap ?n)) (succ ?m ?n) (succ ?k ?m)) (<= (next (heap ?m)) "
    "(true (heap ?n)) (succ ?m ?n) (does a one)) (<= (next (heap ?k)) (true (heap ?n)) "
    "(succ ?m ?n) (succ ?k ?m) (does b two)) (<= (can ?r) (legal ?r one)) (<= (can ?r) "
    "(legal ?r two)) (<= terminal (true (control ?r)) (not (can ?r))) (<= (goal ?r 0) (role ?r) "
    "(true (control ?r))) (<= (goal ?r 100) (role ?r) (not (true (control ?r))))",
    # Both choose at once.
    ("turns", "simultaneous"): "(role a) (role b) (init p) (<= (legal ?r x) (role ?r)) "
    "(<= (legal ?r y) (role ?r)) (<= (next (did ?r ?m)) (does ?r ?m)) (<= terminal "
    "(not (true p))) (goal a 100) (goal b 0)",
    # Who cannot move has lost after x, and won after y.
    ("form", "other"): f"{TURNS} (init (at 0)) (succ 0 1) (succ 1 2) (<= open (true (at 0))) "
    "(<= open (true (at 1))) (<= (legal ?r x) (true (control ?r)) open) "
    "(<= (legal ?r y) (true (control ?r)) open) (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) "
    "(<= (next last-x) (does b x)) (<= terminal (not open)) (<= (goal a 100) (not (true last-x))) "
    "(<= (goal a 0) (true last-x)) (<= (goal b 0) (not (true last-x))) "
    "(<= (goal b 100) (true last-x))",
    # Ends with unequal sums.
    ("zero_sum", False): "(role a) (role b) (init p) (<= (legal a x) (true p)) (<= (legal a y) "
    "(true p)) (legal b wait) (<= (next (did ?m)) (does a ?m)) (<= terminal (not (true p))) "
    "(goal a 50) (<= (goal b 50) (true (did x))) (<= (goal b 10) (not (true (did x))))",
}


def checked(data: dict) -> dict[str, bool]:
    """Which of the claims hold."""
    found = check_certificate(read_certificate(json.dumps(data)), 60)
    assert all(claim.is_known for claim in found)
    return {claim.property: claim.holds for claim in found}


OTHER = {
    False: [True],
    True: [False],
    "simultaneous": ["alternating", "with extra turns"],
    "other": ["normal", "misère"],
}


@pytest.mark.parametrize(("name", "value"), SHEETS)
def test_a_play_shows_what_it_shows_and_nothing_else(name, value) -> None:
    game = ggp.parse(SHEETS[name, value])
    findings = game.analyse()
    assert findings.value(name) == value
    data = findings.certificate()
    [claim] = (claim for claim in data["claims"] if claim["property"] == name)
    assert "witness" in claim
    assert all(checked(data).values())
    for other in OTHER[value]:
        forged = copy.deepcopy(data)
        for one in forged["claims"]:
            if one["property"] == name:
                one["value"] = other
        assert not checked(forged)[name]
    for play in range(len(claim["witness"])):
        if claim["witness"][play]:
            forged = copy.deepcopy(data)
            for one in forged["claims"]:
                if one["property"] == name:
                    # The first state, which shows none of this but where it is the only play.
                    one["witness"] = [[] for _ in one["witness"]]
            assert not checked(forged)[name]


def test_what_time_does_not_suffice_for_neither_holds_nor_fails() -> None:
    data = ggp.load(GAMES / "kayles" / "kayles-7.kif").analyse().certificate()
    found = check_certificate(read_certificate(json.dumps(data)), 0.0)
    for claim in found:
        assert claim.is_known or not claim.holds
    assert any(not claim.is_known for claim in found)
