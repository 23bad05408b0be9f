"""Lines of thousands of steps, which nobody chooses: what is told of them stays small."""

from __future__ import annotations

import json
from typing import Any

from ggp.studio.library import SheetText
from ggp.studio.work import line
from ggp.studio.work.line import MAX_LISTED, LineTree
from ggp.studio.work.orders import Opening
from ggp.studio.work.table import StudioDesk, opened

ENDLESS = "(role a) (init (p 0)) (legal a go) (<= terminal (true (p 9))) (goal a 100)"
ENDLESS += "(<= (next (p 0)) (true (p 0)))"


def endless() -> StudioDesk:
    return opened(Opening(SheetText("endless.kif", ENDLESS)))


def test_the_answer_of_a_long_line_is_small() -> None:
    answer = endless().answer
    assert answer["path"].count(".") > 4_000
    assert len(json.dumps(answer)) < 1_000_000
    assert answer["line"][-1]["path"] == answer["path"]


def test_steps_that_are_known_are_not_looked_at_again(monkeypatch: Any) -> None:
    desk = endless()
    shown = desk.answer
    asked = []
    monkeypatch.setattr(line, "number_of", lambda *given: asked.append(given))
    assert desk.answer == shown
    assert asked == []


def test_of_a_line_as_long_as_most_all_steps_are_told() -> None:
    desk = endless()
    sitting = desk._seated
    tree = LineTree()
    tree.note(sitting.history[: MAX_LISTED // 2])
    assert len(tree.shown()) == MAX_LISTED // 2
