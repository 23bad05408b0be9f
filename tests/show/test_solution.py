"""What is said of a solution: of several winning moves in a game with loops, which wins soonest."""

from __future__ import annotations

import pytest

import ggp
from ggp.show.solution import solution_json, solution_text

ROUND = """
(role a) (role b) (init (at 3)) (init (control a))
(<= (legal ?p (go ?y)) (true (control ?p)) (true (at ?x)) (edge ?x ?y))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(edge 3 0) (edge 3 4) (edge 4 3)
(<= (next (at ?y)) (does ?p (go ?y)))
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)))
(<= terminal (true (at 0)))
(<= (goal a 100) (true (at 0)) (true (control b)))
(<= (goal a 0) (not (true (control b))))
(<= (goal b 0) (true (control b)))
(<= (goal b 100) (true (at 0)) (true (control a)))
"""
"""From 3 the first role wins by going to 0, or goes to 4, from where the other has to go back."""


@pytest.mark.parametrize("method", ["positions", "passes", "tree"])
def test_of_moves_that_win_with_loops_the_soonest_is_named(method) -> None:
    game = ggp.parse(ROUND)
    data = solution_json(game.solve(method=method), game.initial)
    assert data["best"] == ["(go 0)", "(go 4)"]
    assert data["soonest"] == "(go 0)"
    assert "the soonest win: (go 0)" in str(solution_text(data))


def test_without_loops_all_winning_moves_are_the_same() -> None:
    game = ggp.parse(
        ROUND.replace("(edge 4 3)", "(edge 4 0)").replace("(edge 3 0)", "(edge 3 5)(edge 5 0)")
    )
    assert "soonest" not in solution_json(game.solve(), game.initial)
