"""Kinds of outcome and goals of a form, against what docs/theory.md says, over small tables."""

from __future__ import annotations

from itertools import combinations, product

import pytest

import ggp
from ggp.analysis.outcomes import (
    goals_of_form,
    goals_of_the_rules,
    is_decided,
    kind_of,
    players_goals,
)

Row = tuple[int, ...]

RULES = ((), (0,), (50,), (0, 100), (30, 70), (0, 50, 100), (1, 30))


def is_won(row: Row, of_rules: tuple[Row, ...]) -> bool:
    """One wins and all others lose, by 100 and 0 or by goals that are best and worst for all."""
    if len(row) == 1:
        return row in {(0,), (100,)}
    pairs = {(0, 100)}
    ends = {(min(values), max(values)) for values in of_rules if values}
    pairs |= ends if len(ends) == 1 else set()
    places = range(len(row))
    return any(
        row == tuple(high if i == winner else low for i in places)
        for low, high in pairs
        for winner in places
        if low < high
    )


def kind(rows: tuple[Row, ...], of_rules: tuple[Row, ...]) -> str:
    left = {row for row in rows if not is_won(row, of_rules)}
    if not left:
        return "win-lose"
    is_drawn = len(left) == 1 and all(len(row) > 1 and len(set(row)) == 1 for row in left)
    return "win-lose-draw" if is_drawn else "scored"


@pytest.mark.parametrize("players", [1, 2, 3])
def test_an_end_is_decided_if_one_player_wins_and_all_others_lose(players) -> None:
    rows = list(product((0, 1, 30, 70, 100), repeat=players))
    for of_rules in product(RULES, repeat=players):
        for row in rows:
            assert is_decided(row, of_rules) == is_won(row, of_rules), (row, of_rules)


@pytest.mark.parametrize("players", [1, 2, 3])
def test_kinds_of_outcome_are_those_of_the_definition(players) -> None:
    rows = list(product((0, 30, 70, 100)[: 4 if players < 3 else 2], repeat=players))
    rows += [(100, 0, 0), (0, 100, 0), (100, 100, 100), (100, 100, 0)] if players == 3 else []
    for known in ((0, 100), (30, 70), (0, 30, 70)):
        of_rules = (known,) * players
        for size in (0, 1, 2, 3):
            for some in combinations(rows, size):
                assert kind_of(some, of_rules) == kind(some, of_rules), (some, of_rules)


@pytest.mark.parametrize(
    ("rows", "of_rules", "expected"),
    [
        # A player alone wins or loses; it has nobody to draw with.
        ([(100,), (0,)], [(0, 100)], "win-lose"),
        ([(50,)], [(0, 50, 100)], "scored"),
        ([(50, 50)], [(0, 50, 100)] * 2, "win-lose-draw"),
        ([(50, 50), (40, 40)], [(0, 50, 100)] * 2, "scored"),
        ([(60, 40)], [(0, 40, 60, 100)] * 2, "scored"),
        # Their best and worst goals are not the same.
        ([(60, 40)], [(40, 60), (40, 70)], "scored"),
        ([(60, 40)], [(40, 60), (40, 60)], "win-lose"),
        # Two winners, and two losers.
        ([(100, 100, 0)], [(0, 100)] * 3, "scored"),
        ([(100, 0, 0)], [(0, 100)] * 3, "win-lose"),
    ],
)
def test_kinds_of_outcome(rows, of_rules, expected) -> None:
    assert kind_of(rows, of_rules) == expected


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("loses", [True, False])
def test_goals_of_a_form_are_the_worst_of_who_loses_and_the_best_of_who_wins(mover, loses) -> None:
    """A role without a goal counts as one that always has 0. Where a role always has the same, who
    wins has to have more."""
    loser = mover if loses else 1 - mover
    for of_rules in product(RULES, repeat=2):
        worst, best = min(of_rules[loser], default=0), max(of_rules[1 - loser], default=0)
        wanted = (worst, best) if loser == 0 else (best, worst)
        tells = min(map(len, of_rules)) > 1 or worst < best
        found = goals_of_form(of_rules, mover, loses=loses)
        assert found == (wanted if tells else None), of_rules


SHEET = """(role p) (role q) (init (at 0)) (s 0 1) (<= (legal ?r go) (role ?r)) (rival p q)
    (<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) (<= terminal (true (at 1)))"""


@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        ("(goal p 100) (goal q 0)", [(100,), (0,)]),
        ("(<= (goal ?r 50) (role ?r))", [(50,), (50,)]),
        # By name, though nobody is ever at 7; what no role can have is no one's.
        ("(goal p 0) (goal q 0) (<= (goal p 90) (true (at 7)))", [(0, 90), (0,)]),
        ("(goal p 0) (goal q 0) (<= (goal q 9) (true (at 7)))", [(0,), (0, 9)]),
        ("(goal p 0) (goal q 0) (<= (goal ?r 90) (role ?r) (true (at 7)))", [(0,), (0,)]),
        # An instance of a rule gives it to one role only.
        ("(goal p 0) (goal q 0) (<= (goal ?r 80) (rival ?r ?x))", [(0, 80), (0,)]),
        # In ascending order, not that of the rules.
        ("(goal p 100) (<= (goal p 20) (true (at 7))) (goal q 3)", [(20, 100), (3,)]),
        ("(goal p 100)", [(100,), ()]),
    ],
)
def test_goals_of_the_rules(goals, expected) -> None:
    assert goals_of_the_rules(ggp.parse(f"{SHEET} {goals}")) == expected


def test_goals_of_chance_are_no_players_goals() -> None:
    game = ggp.parse(
        SHEET.replace("(role p)", "(role random) (role p)")
        + "(goal random 7) (goal p 100) (<= (goal p 0) (true (at 0))) (goal q 0)"
    )
    assert goals_of_the_rules(game) == [(7,), (0, 100), (0,)]
    assert players_goals(game) == [(0, 100), (0,)]
