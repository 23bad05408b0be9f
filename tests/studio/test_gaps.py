"""Sheets whose rules have gaps: nothing of them is told as exact that the rules leave open."""

from __future__ import annotations

from typing import Any

import pytest

from ggp.studio.library import SheetText
from ggp.studio.work.orders import Opening
from ggp.studio.work.table import Dealer
from tests.conftest import GAMES

TREE = """
(role x) (role y) (init (at 0))
(<= (legal x a) (true (at 0)))
(<= (legal x b) (true (at 0)))
(legal y noop)
(<= (next (at 1)) (does x a))
(<= (next (at 2)) (does x b))
(<= terminal (true (at 1)))
(<= terminal (true (at 2)))
"""


def hinted(rules: str, seconds: float = 0.1) -> dict[str, Any]:
    table = Dealer()
    shown = table(Opening(SheetText("gap.kif", rules), seconds=seconds))
    return table({"do": "hint", "turn": shown["view"]["turn"]})["view"]


@pytest.mark.parametrize(
    "goals",
    [
        "(<= (goal x 0) (true (at 1))) (<= (goal y 100) (true (at 1)))",
        "(<= (goal x 0) (true (at 1))) (goal x 100) (goal y 0)",
        "(<= (goal x 50) (true (at 9))) (<= (goal y 50) (true (at 9)))",
        "(goal y 0) (goal y 100)",
    ],
    ids=["one end without goals", "two goals at once", "goals of no end", "no goals of one"],
)
def test_an_end_without_a_goal_is_worth_nothing_exact(goals: str) -> None:
    view = hinted(TREE + goals)
    values = {move["text"]: move["worth"] for move in view["moves"]}
    assert set(values) == {"a", "b"}
    assert not any(value.startswith("=") for value in values.values()), values
    assert "sure" not in view["said"]


def test_goals_that_the_rules_give_are_told_as_exact() -> None:
    every = "(<= (goal x 100) (true (at 1))) (<= (goal x 0) (true (at 2))) (goal y 50)"
    values = {move["text"]: move["worth"] for move in hinted(TREE + every, 30.0)["moves"]}
    assert values == {"a": "= 100", "b": "= 0"}


def test_a_move_that_is_drawn_by_lot_is_not_called_the_solution() -> None:
    sheet = GAMES / "simultaneous/rock-paper-scissors.kif"
    said = hinted(sheet.read_text(), 30.0)["said"]
    assert "by lot" in said
    assert "solved" not in said
