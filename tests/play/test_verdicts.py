"""Marks of moves that a search judges: what play came to counts for who plays alone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import ggp
from ggp.play import verdicts
from ggp.play.verdicts import Judge

ALONE = """(role a) (init s) (legal a l) (legal a m) (legal a r)
    (<= (next (won ?m)) (does a ?m)) (<= terminal (not (true s)))
    (<= (goal a 100) (true (won l))) (<= (goal a 60) (true (won m))) (<= (goal a 0) (true (won r)))
    (<= (goal a 0) (true s))"""
TOGETHER = ALONE + "(role b) (legal b noop) (goal b 0)"


class Guessing:
    """A search that gives the move `r` 20 and each other one 90."""

    def __init__(self, game, role: int, *, seed: int) -> None:
        self.found = [
            SimpleNamespace(move=n, value=20.0 if str(move) == "r" else 90.0, tried=5)
            for n, move in enumerate(game.initial.legal("a"))
        ]

    def think(self, state, seconds):
        return max(self.found, key=lambda report: report.value)

    def reports(self):
        return self.found


@pytest.mark.parametrize(
    ("rules", "end", "lost", "mark"),
    [
        (ALONE, None, 70, "??"),
        (ALONE, "l", 0, ""),
        (ALONE, "m", 30, "?"),
        (ALONE, "r", 70, "??"),
        # What others let one have is no proof.
        (TOGETHER, "l", 70, "??"),
    ],
)
def test_what_play_came_to_was_to_be_had(monkeypatch, rules, end, lost, mark) -> None:
    monkeypatch.setattr(verdicts, "TreeSearch", Guessing)
    game = ggp.parse(rules)
    judge = Judge(game, 0.0)
    judge._solution = None
    joint = ["r", "noop"][: len(game.roles)]
    over = None
    if end:
        over = game.initial.play(dict(zip(game.roles, [end, "noop"], strict=False)))
    verdict = judge.verdicts(game.initial, joint, over)["a"]
    assert (verdict.mark, verdict.lost, verdict.exact) == (mark, lost, False)


def test_an_end_without_a_goal_tells_nothing(monkeypatch) -> None:
    monkeypatch.setattr(verdicts, "TreeSearch", Guessing)
    game = ggp.parse(ALONE.replace("(<= (goal a 60) (true (won m)))", ""))
    judge = Judge(game, 0.0)
    judge._solution = None
    verdict = judge.verdicts(game.initial, ["r"], game.initial.play({"a": "m"}))["a"]
    assert (verdict.mark, verdict.lost) == ("??", 70)
