"""Claims about turns: tables of small games, each with what tells whose turn it is."""

from __future__ import annotations

import pytest

from ggp.checker.turns import TurnsBasis
from tests.checker.test_states import certificate

HANDED = """(role a) (role b) (init (control a))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))"""
IN_TURN = [("a", ["(control a)"]), ("b", ["(control b)"])]

TAKING = f"""{HANDED} (init (heap 1)) (init (heap 2))
(<= (legal ?r (take ?n)) (true (control ?r)) (true (heap ?n)))
(<= (taken ?n) (does ?r (take ?n))) (<= (next (heap ?n)) (true (heap ?n)) (not (taken ?n)))
(<= empty (not (true (heap 1))) (not (true (heap 2)))) (<= terminal empty)
(goal a 0) (goal b 0)"""

THREE = """(role a) (role b) (role c) (init (turn a)) (after a b) (after b c) (after c a)
(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))
(<= (next (turn b)) two) (<= (next (turn c)) two)
(<= two (true (turn ?p)) (true (turn ?q)) (distinct ?p ?q))
(legal a go) (legal b go) (legal c go) (<= (next done) (does a go)) (<= terminal (true done))
(goal a 0) (goal b 0) (goal c 0)"""
CIRCLE = [(role, [f"(turn {role})"]) for role in "abc"]

AGAIN = """(role a) (role b) (init (control a)) (init fresh)
(<= (legal ?r go) (true (control ?r))) (<= (legal ?r again) (true (control ?r)) (true magic))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control b)) (does a go)) (<= (next (control a)) (does b go))
(<= (next (control ?r)) (does ?r again)) (<= (next magic) (true magic))
(<= (next magic) (true (control a)) (true (control b)))
(<= terminal (not (true fresh))) (goal a 0) (goal b 0)"""
"""Who has magic, which nobody ever has, may go again."""


@pytest.mark.parametrize(
    ("rules", "parts", "value", "holds"),
    [
        (TAKING, {"told": IN_TURN}, "alternating", True),
        (TAKING, {"told": IN_TURN}, "simultaneous", False),
        (TAKING, {"told": IN_TURN}, "with extra turns", False),
        (TAKING, {}, "alternating", False),
        (THREE, {"told": CIRCLE}, "alternating", True),
        # Of three the second is passed over; or all have their turns but one, who is never next.
        (THREE.replace("(after a b)", "(after a c)"), {"told": CIRCLE}, "alternating", False),
        (THREE.replace("(after b c)", "(after b a)"), {"told": CIRCLE}, "alternating", False),
        (THREE.replace("(after c a)", "(after c c)"), {"told": CIRCLE}, "alternating", False),
        # Another turn in states that are not play's.
        (AGAIN, {"told": IN_TURN}, "alternating", False),
        (AGAIN, {"told": IN_TURN, "excluded": [(["magic"], [])]}, "alternating", True),
        (AGAIN, {"told": IN_TURN, "bounds": [({"magic": 1}, 0)]}, "alternating", True),
        # A move that is never legal leads nowhere, nor does one after the end.
        (AGAIN.replace("(true magic)", "(true magic) (not (true magic))", 1),
         {"told": IN_TURN}, "alternating", True),
        (AGAIN.replace("(<= terminal (not", "(<= terminal (true magic)) (<= terminal (not"),
         {"told": IN_TURN}, "alternating", True),
    ],
)  # fmt: skip
def test_turns_that_go_round(rules, parts, value, holds) -> None:
    fault = TurnsBasis(certificate(rules, **parts), 60).turns({"value": value})
    assert (fault == "") is holds, fault


@pytest.mark.parametrize(
    ("more", "holds"),
    [
        ("", True),
        # Moves that do nothing, or nothing on some board, of either role.
        ("(<= (legal a wait) (true (control a)))", False),
        ("(<= (legal b wait) (true (control b)))", False),
        ("(<= (legal b (take 2)) (true (control b)))", False),
        ("(<= (legal b wait) (true (control b)) (true (heap 1)) (not (true (heap 1))))", True),
        # At the end nobody moves.
        ("(<= (legal b wait) (true (control b)) empty)", True),
        # A move that puts something there changes the board, unless it is there.
        ("(<= (legal a put) (true (control a)) (not (true x))) (<= (next x) (does a put))"
         "(<= (next x) (true x))", True),
        ("(<= (legal a put) (true (control a))) (<= (next x) (does a put)) (<= (next x) (true x))",
         False),
        # What is there is taken away or left by each move.
        ("(init x) (<= (legal a lift) (true (control a)) (true x)) (<= (next x) (true x) "
         "(not (does a lift)))", True),
        ("(init x) (<= (legal a lift) (true (control a)) (true x)) (<= (next x) (true x))", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("flips", [False, True])
def test_that_there_are_no_passes(more, holds, flips) -> None:
    """What tells whose turn it is changes with each move, and is no part of the board."""
    read = certificate(TAKING + more, told=IN_TURN, flips=flips)
    fault = TurnsBasis(read, 60).passes({"value": False})
    assert (fault == "") is holds, fault


def test_that_there_are_passes_needs_a_play() -> None:
    read = certificate(f"{TAKING} (<= (legal a wait) (true (control a)))", told=IN_TURN)
    assert TurnsBasis(read, 60).passes({"value": True})


AT_ONCE = """{roles} (init p) (<= (next q) (true p)) {legal} {goals} (<= terminal (true q))"""


@pytest.mark.parametrize(
    ("roles", "legal", "can_be"),
    [
        ("ab", "(legal a x) (legal a y) (legal b x) (legal b y)", True),
        ("ab", "(legal a x) (legal a y) (legal b x)", False),
        ("ab", "(legal a x) (legal b y)", False),
        ("ab", "(legal a x) (legal b x) (<= (legal a y) (true p)) (<= (legal b y) (not (true p)))",
         False),
        # At the end it says nothing.
        ("ab", "(legal a x) (legal b x) (<= (legal a y) (true q)) (<= (legal b y) (true q))",
         False),
        ("ab", "(legal a x) (legal b x) (<= (legal a y) (not (true q))) "
         "(<= (legal b y) (not (true q)))", True),
        ("a", "(legal a x) (legal a y)", False),
        ("abc", "(legal a x) (legal b x) (legal b y) (legal c x) (legal c y)", True),
        ("abc", "(legal a x) (legal a y) (legal b x) (legal c x) (legal c y)", True),
        ("abc", "(legal a x) (legal a y) (legal b x) (legal c x)", False),
        # Chance is no player.
        ("ar", "(legal a x) (legal a y) (legal random x) (legal random y)", False),
    ],
)  # fmt: skip
def test_two_players_that_can_choose_at_once(roles, legal, can_be) -> None:
    names = [{"r": "random"}.get(role, role) for role in roles]
    rules = AT_ONCE.format(
        roles=" ".join(f"(role {role})" for role in names),
        goals=" ".join(f"(goal {role} 0)" for role in names),
        legal=legal,
    )
    assert bool(TurnsBasis(certificate(rules), 60)._choice_at_once()) is can_be


def test_where_something_tells_turns_nobody_can_choose_at_once() -> None:
    """That is a part of what the settings rest on, and not asked again."""
    both = f"{TAKING} (legal a x) (legal a y) (legal b x) (legal b y)"
    assert TurnsBasis(certificate(both), 60)._choice_at_once()
    assert not TurnsBasis(certificate(both, told=IN_TURN), 60)._choice_at_once()
