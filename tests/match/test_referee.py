"""The referee: what it says to rules, and to turn after turn."""

from __future__ import annotations

from typing import Any

import pytest

from ggp.match import referee as module
from ggp.match.course import Turn
from ggp.match.referee import (
    Admitted,
    Allowed,
    MatchRules,
    Refused,
    Unsure,
    Wrong,
    _course,
    referee,
)
from tests.match.orders import Orders

STEPS = """
(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2)
(<= (legal a (to ?y)) (true (at ?x)) (succ ?x ?y)) (legal b noop)
(<= (next (at ?x)) (does a (to ?x))) (<= terminal (true (at 2))) (goal a 100) (goal b 0)
"""

HIDDEN = """
(role random) (role a) (init (stage 1)) (cup 1) (cup 2)
(<= (legal random (put ?x)) (cup ?x) (true (stage 1))) (<= (legal random wait) (true (stage 2)))
(<= (legal a wait) (true (stage 1))) (<= (legal a (lift ?x)) (true (stage 2)) (true (pea ?x)))
(<= (next (pea ?x)) (does random (put ?x))) (<= (next (stage 2)) (true (stage 1)))
(<= (next (stage 3)) (true (stage 2))) (<= (sees a (smell ?x)) (does random (put ?x)))
(<= terminal (true (stage 3))) (goal a 0) (goal random 0)
"""


def said(*orders: Any) -> list[Any]:
    """What the referee says to orders, a word for each."""
    pipe = Orders(*orders)
    with pytest.raises(EOFError):
        referee(pipe)
    assert len(pipe.said) == len(orders)
    return pipe.said


@pytest.mark.parametrize(
    ("text", "role", "strict_case", "word"),
    [
        (STEPS, "a", False, Admitted(0, False, "(to 1)")),
        (STEPS, "b", False, Admitted(1, False, "noop")),
        (STEPS, "B", False, Admitted(1, False, "noop")),
        (STEPS, "b", True, Admitted(1, False, "noop")),
        (STEPS.upper(), "b", False, Admitted(1, False, "NOOP")),
        (HIDDEN, "random", False, Admitted(0, True, "(put 1)")),
        (HIDDEN, "a", False, Admitted(1, True, "wait")),
        # Whether a role can move at all is no matter of whether the rules can be played.
        (STEPS + "(role c)", "c", False, Admitted(2, False, None)),
    ],
)
def test_rules_that_can_be_played_are_admitted(text, role, strict_case, word) -> None:
    assert said(MatchRules(text, role, strict_case)) == [word]


def test_later_turns_are_made_ready_while_nobody_waits(monkeypatch) -> None:
    made = []
    monkeypatch.setattr(module, "_make_ready", made.append)
    said(MatchRules(STEPS, "a", False), Turn(1, (), ()))
    assert made == []
    said(MatchRules(STEPS, "a", False))
    (course,) = made
    monkeypatch.undo()
    evaluator = course.game.evaluator
    assert ("next", 1) not in evaluator._asks
    module._make_ready(course)
    assert ("next", 1) in evaluator._asks


def test_rules_are_read_as_they_are_and_never_ground() -> None:
    assert not _course(MatchRules(STEPS, "a", False)).game.is_ground


@pytest.mark.parametrize(
    ("text", "role", "strict_case"),
    [
        (STEPS, "c", False),
        (STEPS, "B", True),
        (STEPS, "(a", False),
        (STEPS[:-3], "a", False),
        (STEPS + "(legal a)", "a", False),
        ("(role a) (<= (legal a ?x) (not (p ?x)))", "a", False),
        ("", "a", False),
    ],
)
def test_rules_and_roles_that_cannot_be_played_are_refused_in_one_line(
    text, role, strict_case
) -> None:
    (word,) = said(MatchRules(text, role, strict_case))
    assert isinstance(word, Refused)
    assert word.why
    assert "\n" not in word.why
    assert len(word.why) <= 400


def test_a_fault_of_the_text_is_told_with_its_place() -> None:
    """The first line of the message, without the line of the sheet and the caret."""
    (word,) = said(MatchRules("(role a)\n(role b))", "a", False))
    assert isinstance(word, Refused)
    assert word.why.startswith("<match>:2:9: unmatched ')'")
    assert "\n" not in word.why


def test_rules_that_pass_a_limit_are_not_judged() -> None:
    """Neither refused nor admitted: the thinking half may know better."""
    (word,) = said(MatchRules(f"(role a) {'(' * 401}{')' * 401}", "a", False))
    assert word == Unsure(0, "limit reached: depth = 400 (<match> is 401 parentheses deep)")


def test_what_is_no_text_is_told_by_the_kind_of_the_error() -> None:
    (word,) = said(MatchRules(None, "a", False))  # type: ignore[arg-type]
    assert isinstance(word, Unsure)
    assert word.turn == 0
    assert word.why.partition(":")[0] in ("AttributeError", "TypeError")


ONE = ("(to 1)", "noop")
TWO = ("(to 2)", "noop")


@pytest.mark.parametrize(
    ("role", "history", "word"),
    [
        ("a", (), Allowed(1, "(to 1)")),
        ("a", (ONE,), Allowed(1, "(to 2)")),
        ("a", (("(TO 1)", "NOOP"),), Allowed(1, "(to 2)")),
        ("b", (ONE, TWO), Allowed(1, "noop")),
        # A move that was not reported leaves the state as it was.
        ("a", ((), ONE), Allowed(1, "(to 2)")),
        ("a", (ONE, TWO), Unsure(1, "no move")),
        ("a", (ONE, ("(to 2)",)), Wrong(1, "1 moves for 2 roles")),
        ("a", ((*ONE, "noop"),), Wrong(1, "3 moves for 2 roles")),
    ],
)
def test_turns_of_a_match(role, history, word) -> None:
    assert said(MatchRules(STEPS, role, False), Turn(1, history, ("",) * len(history)))[1] == word


@pytest.mark.parametrize(
    "joint", [TWO, ("(to 1)", "(to 1)"), ("noop", "noop"), ("(to", "noop"), ("(to ?x)", "noop")]
)
def test_moves_that_cannot_be_are_wrong(joint) -> None:
    word = said(MatchRules(STEPS, "a", False), Turn(7, (joint,), ("",)))[1]
    assert isinstance(word, Wrong)
    assert (word.turn, "\n" in word.why) == (7, False)


def test_a_turn_is_judged_whatever_was_wrong_before() -> None:
    rules = MatchRules(STEPS, "a", False)
    turns = [Turn(n, h, ("",) * len(h)) for n, h in enumerate([(TWO,), (ONE,), (), (ONE, ONE)], 1)]
    words = said(rules, *turns, rules, turns[1])
    assert [type(word) for word in words] == [
        Admitted, Wrong, Allowed, Allowed, Wrong, Admitted, Allowed,
    ]  # fmt: skip
    moves = [word.move for word in words if isinstance(word, Allowed)]
    assert moves == ["(to 2)", "(to 1)", "(to 2)"]
    assert [word.turn for word in words if isinstance(word, (Allowed, Wrong))] == [1, 2, 3, 4, 2]


@pytest.mark.parametrize(
    "rules", [[], [MatchRules("(", "a", False)], [MatchRules(STEPS, "c", False)]]
)
def test_without_a_game_no_turn_is_judged(rules) -> None:
    assert said(*rules, Turn(3, (), ()))[-1] == Unsure(3, "no game")


@pytest.mark.parametrize(
    ("history", "own", "word"),
    [
        ((), (), Allowed(4, "wait")),
        ((("(smell 1)",),), ("wait",), Allowed(4, "(lift 1)")),
        ((("(smell 2)",),), ("wait",), Allowed(4, "(lift 2)")),
        # What we did is not known, or the manager made another move.
        ((("(smell 2)",),), ("",), Allowed(4, "(lift 2)")),
        ((("(smell 2)",),), ("(lift 1)",), Allowed(4, "(lift 2)")),
        ((("(smell",),), ("wait",), Wrong),
        # Nothing is said of our own move: that is nobody's fault but ours.
        ((("(smell 2)",),), (), Unsure(4, "IndexError: tuple index out of range")),
    ],
)
def test_turns_of_which_a_role_sees_percepts_alone(history, own, word) -> None:
    """A move that is legal in all states that agree with them."""
    found = said(MatchRules(HIDDEN, "a", False), Turn(4, history, own))[1]
    assert found == word or type(found) is word


PASS = """(role a) (init (n 0)) (legal a pass) (<= (legal a (m ?n)) (true (n ?n)) (succ ?n ?k))
(<= (next (n ?k)) (true (n ?n)) (succ ?n ?k)) (<= (next (n 6)) (true (n 6)))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= terminal (true (n 7))) (goal a 100)"""


@pytest.mark.parametrize(
    ("history", "doubts", "wanted"),
    [
        (["pass", "(m 1)"], [(0, 1)], ["pass", "(m 1)"]),
        (["pass", "(m 2)"], [(0, 1)], ["pass", "pass", "(m 2)"]),
        (["pass", "(m 3)"], [(0, 2)], ["pass", "pass", "pass", "(m 3)"]),
        (["pass", "pass", "(m 3)"], [(0, 1)], ["pass", "pass", "pass", "(m 3)"]),
        (["pass", "pass", "(m 1)"], [(1, -1)], ["pass", "(m 1)"]),
        (
            ["pass", "(m 1)", "pass", "(m 5)"],
            [(0, 1), (2, 2)],
            ["pass", "(m 1)", *["pass"] * 3, "(m 5)"],
        ),
        (["pass", "pass", "pass", "(m 5)"], [(0, 1), (1, 1)], [*["pass"] * 5, "(m 5)"]),
        (["pass", "(m 3)"], [(0, 1)], None),
        (["pass", "(m 2)"], [], None),
    ],
)
def test_what_is_possible_only_if_a_message_was_another_turn_is_taken_so(
    history, doubts, wanted
) -> None:
    joint = tuple((move,) for move in history)
    turn = Turn(4, joint, ("",) * len(joint), tuple(doubts))
    word = said(MatchRules(PASS, "a", False), turn)[1]
    if wanted is None:
        assert word == Wrong(4, f"{history[-1]} is not legal here for a")
        return
    assert isinstance(word, Allowed)
    read = word.instead or turn
    assert [move for (move,) in read.history] == wanted
    assert len(read.own) == len(read.history)
