"""All positions of small games: faults of the rules, who is to move, and how methods are named."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import ggp
from ggp.errors import GoalError, NoLegalMove, NotSolvable
from ggp.solver import GameSolution, enumerated
from ggp.solver.enumerated import _bounds, movers, require_playable
from ggp.solver.position_graph import ENDED

FORK = """(role a) (role b) (init (at 1)) (way 1 2) (way 1 3) (way 1 4)
(<= (legal a (go ?y)) (true (at ?x)) (way ?x ?y)) (<= (legal b wait) {waits})
(<= (next (at ?y)) (does a (go ?y))) (<= terminal (true (at ?x)) (end ?x)) {ends} {goals}"""
"""One move of a: to 2, 3 or 4."""

ENDS = "(end 2) (end 3) (end 4)"
BOTH = "(goal a 50) (goal b 50)"


def fork(waits: str = "(true (at ?x))", ends: str = ENDS, goals: str = BOTH) -> ggp.Game:
    return ggp.parse(FORK.format(waits=waits, ends=ends, goals=goals))


@pytest.mark.parametrize(
    ("given", "error", "why"),
    [
        ({}, None, ""),
        # One role is stuck, or the other, or both: the first of them is named.
        ({"ends": "(end 2) (end 4)"}, NoLegalMove, r"a has no legal move in \(at 3\)"),
        ({"waits": "(true (at 2))"}, NoLegalMove, r"b has no legal move in \(at 1\)"),
        (
            {"ends": "(end 2) (end 4)", "waits": "(true (at 1))"},
            NoLegalMove,
            r"a has no legal move in \(at 3\)",
        ),
        # At the end nobody has to be able to move.
        ({"waits": "(true (at 1))"}, None, ""),
        # One end is without a goal of one role, or has two.
        ({"goals": "(goal b 50) (<= (goal a 50) (not (true (at 3))))"}, GoalError, r"\(at 3\)"),
        ({"goals": "(goal a 50) (<= (goal b 50) (not (true (at 4))))"}, GoalError, r"\(at 4\)"),
        ({"goals": BOTH + "(<= (goal a 60) (true (at 2)))"}, GoalError, r"\(at 2\)"),
        # Elsewhere goals mean nothing.
        ({"goals": BOTH + "(<= (goal a 60) (true (at 1)))"}, None, ""),
    ],
)
def test_faults_of_the_rules_are_told(
    given: dict[str, str], error: type[Exception] | None, why: str
) -> None:
    game = fork(**given)
    if error is None:
        require_playable(game, game.space())
    else:
        with pytest.raises(error, match=why):
            require_playable(game, game.space())


def test_chance_needs_no_goal_but_a_move() -> None:
    for goals, waits, is_playable in (
        ("(goal a 50)", "(true (at ?x))", True),
        ("(goal b 50)", "(true (at ?x))", False),
        ("(goal a 50)", "(true (at 2))", False),
    ):
        text = FORK.format(waits=waits, ends=ENDS, goals=goals)
        game = ggp.parse(text.replace("role b", "role random").replace(" b ", " random "))
        if is_playable:
            require_playable(game, game.space())
        else:
            with pytest.raises((GoalError, NoLegalMove)):
                require_playable(game, game.space())


STEPS = """{roles} (init (at 1)) (s 1 2) (s 2 3) (s 3 4) {moves} {goals}
(<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) (<= terminal (true (at 4)))"""


def stepping(roles: str, goals: str = "", **moves: str) -> ggp.Game:
    """Three steps; at each of them a role has two moves (`+`) or one (`-`)."""
    listed = [
        f"(<= (legal {role} (m {i})) (true (at {place})))"
        for role, own in moves.items()
        for place, sign in enumerate(own, 1)
        for i in range(1 + (sign == "+"))
    ]
    named = "".join(f"(role {role})" for role in roles.split())
    players = [role for role in roles.split() if role != "random"]
    goals = goals or "".join(f"(goal {role} 50)" for role in players or ["random"])
    return ggp.parse(STEPS.format(roles=named, moves="\n".join(listed), goals=goals))


@pytest.mark.parametrize(
    ("roles", "moves", "found"),
    [
        ("a", {"a": "+-+"}, [0, 0, 0]),
        ("a b", {"a": "+-+", "b": "-+-"}, [0, 1, 0]),
        # Where nobody has a choice it is the first player, unless something tells.
        ("a b", {"a": "---", "b": "-+-"}, [0, 1, 0]),
        ("a b c", {"a": "---", "b": "-+-", "c": "--+"}, [0, 1, 2]),
        # Chance has a turn by itself alone.
        ("a random", {"a": "+-+", "random": "-++"}, [0, 1, 0]),
        ("random a", {"a": "+-+", "random": "-++"}, [1, 0, 1]),
        ("random a", {"a": "+--", "random": "--+"}, [1, 1, 0]),
        ("random a b", {"a": "+-+", "b": "-+-", "random": "+++"}, [1, 2, 1]),
    ],
)
def test_it_is_the_turn_of_whoever_has_a_choice(
    roles: str, moves: dict[str, str], found: list[int]
) -> None:
    game = stepping(roles, **moves)
    space = game.space()
    assert movers(game, space)[space.depth.argsort()].tolist() == [*found, ENDED]


def test_whose_turn_it_is_is_told_where_nobody_has_a_choice() -> None:
    """By the turn, which b has second."""
    game = ggp.parse("""(role a) (role b) (init (control a)) (init (at 1)) (s 1 2) (s 2 3) (s 3 4)
    (<= (legal ?p x) (true (control ?p))) (<= (legal ?p y) (true (control ?p)) (true (at 1)))
    (<= (legal ?p y) (true (control ?p)) (true (at 4))) (goal a 50) (goal b 50)
    (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
    (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
    (<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) (<= terminal (true (at 4)))""")
    assert game.turns is not None
    space = game.space()
    assert movers(game, space)[space.depth.argsort()].tolist() == [0, 1, 0, ENDED]


@pytest.mark.parametrize(
    ("roles", "moves"),
    [
        ("a b", {"a": "-+-", "b": "-+-"}),
        ("a b random", {"a": "+--", "b": "+--", "random": "+--"}),
        ("random", {"random": "+++"}),
    ],
)
def test_two_choices_at_once_and_nobody_who_plays_are_another_matter(
    roles: str, moves: dict[str, str]
) -> None:
    game = stepping(roles, **moves)
    with pytest.raises(NotSolvable):
        movers(game, game.space())


@pytest.mark.parametrize(
    ("roles", "moves", "goals", "method"),
    [
        ("a", {"a": "+-+"}, "", "shortest way to the best goal"),
        ("a b", {"a": "+-+", "b": "-+-"}, "", "backward induction"),
        ("a random", {"a": "+-+", "random": "-+-"}, "", "expectation by backward induction"),
        ("a b c", {"a": "+--", "b": "-+-", "c": "--+"}, "", "maxn by backward induction"),
    ],
)
def test_methods_are_named(roles: str, moves: dict[str, str], goals: str, method: str) -> None:
    game = stepping(roles, goals, **moves)
    assert GameSolution(game, game.space()).method == method


ROUND = """(role a) (role b) (init (at 1)) (init (control a)) {way}
(<= (legal ?p (go ?y)) (true (control ?p)) (true (at ?x)) (way ?x ?y))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (at ?y)) (does ?p (go ?y))) (<= terminal (true (at 9)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (goal a {0}) (true (control a))) (<= (goal b {1}) (true (control a)))
(<= (goal a {2}) (true (control b))) (<= (goal b {3}) (true (control b)))"""


@pytest.mark.parametrize(
    ("way", "goals", "method"),
    [
        ("(way 1 2) (way 1 9) (way 2 9)", (0, 100, 100, 0), "backward induction"),
        ("(way 1 2) (way 1 9) (way 2 1) (way 2 9)", (0, 100, 100, 0), "retrograde analysis"),
        (
            "(way 1 2) (way 1 9) (way 2 9)",
            (0, 100, 100, 50),
            "backward induction, each role for itself",
        ),
    ],
)
def test_of_two_roles_it_counts_whether_they_are_opposed_and_play_goes_round(
    way: str, goals: tuple[int, ...], method: str
) -> None:
    game = ggp.parse(ROUND.format(*goals, way=way))
    assert GameSolution(game, game.space()).method == method


@pytest.mark.parametrize(
    ("goals", "bounds", "misere"),
    [((0, 100, 90, 20), (0, 90), (20, 100)), ((30, 70, 70, 30), (30, 70), (30, 70))],
)
def test_the_worst_and_the_best_goal_are_those_of_the_rules(
    goals: tuple[int, ...], bounds: tuple[int, int], misere: tuple[int, int]
) -> None:
    """Of the first player, with the goals exchanged of the second."""
    game = ggp.parse(ROUND.format(*goals, way="(way 1 9)"))
    assert _bounds(game, False) == bounds
    assert _bounds(game, True) == misere


def test_the_seconds_are_those_that_parts_took(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 107.5])
    monkeypatch.setattr(enumerated, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    game = fork()
    assert GameSolution(game, game.space()).seconds == 7.5
