"""What is said of moves that are made at the same time as those of others."""

from __future__ import annotations

import random

import pytest

import ggp
from ggp.play.advice import advice
from ggp.play.search_player import SearchPlayer
from ggp.play.worth import worths_at_once
from tests.conftest import GAMES

HANDS = GAMES / "simultaneous" / "rock-paper-scissors.kif"


def matrix(payoffs: list[list[int]]) -> ggp.Game:
    """One choice of each of two roles, at once."""
    cells = "".join(
        f"(<= (goal {role} {own}) (true (made {i} {j})))"
        for i, row in enumerate(payoffs)
        for j, goal in enumerate(row)
        for role, own in (("a", goal), ("b", 100 - goal))
    )
    rows = "".join(f"(row {i})" for i in range(len(payoffs)))
    columns = "".join(f"(column {j})" for j in range(len(payoffs[0])))
    return ggp.parse(f"""
        (role a) (role b) (init open) {rows} {columns} {cells}
        (<= (legal a (up ?i)) (true open) (row ?i)) (<= (legal b (left ?j)) (true open) (column ?j))
        (<= (next (made ?i ?j)) (does a (up ?i)) (does b (left ?j))) (<= terminal (not (true open)))
    """)


@pytest.mark.parametrize("seed", range(6))
def test_moves_at_once_are_worth_what_they_get_against_the_best_strategy(seed) -> None:
    """By the matrix itself; no move gets more than the value, and those of the mix get it."""
    rng = random.Random(seed)
    rows, columns = rng.randint(2, 4), rng.randint(2, 4)
    payoffs = [[rng.randint(0, 100) for _ in range(columns)] for _ in range(rows)]
    game = matrix(payoffs)
    solution, state = game.solve(), game.initial
    mixed, value = solution.mixed(state), solution.value(state)
    worths = worths_at_once(solution, state, "a", lambda: None)
    theirs = {str(move): float(p) for move, p in mixed["b"].items()}
    for move in state.legal("a"):
        own = payoffs[int(str(move.args[0]))]
        expected = sum(goal * theirs.get(f"(left {j})", 0.0) for j, goal in enumerate(own))
        found = worths[move]
        assert found == pytest.approx(expected)
        assert found < value["a"] + 1e-9
        assert move not in mixed["a"] or found == pytest.approx(value["a"])


def test_hints_are_exact_where_moves_at_once_are_solved() -> None:
    game = ggp.load(HANDS)
    player = SearchPlayer(game, "left")
    player.prepare(60.0)
    found = advice(player, game.initial, 1.0)
    assert {str(one.move): (round(one.value, 9), one.exact) for one in found.moves} == {
        f"(show {hand})": (50, True) for hand in ("paper", "rock", "scissors")
    }
