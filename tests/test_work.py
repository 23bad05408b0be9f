"""What is found hangs on work that is counted, never on how fast the machine is."""

from __future__ import annotations

import itertools
import json
import time
from contextlib import suppress

import pytest

import ggp
from ggp.errors import LimitReached
from ggp.ground.asking import ASK, Program
from ggp.work import work_done
from tests.conftest import GAMES
from tests.oracle.random_games import random_game

SHEETS = ["nim/rows.kif.jinja", "tic-tac-toe/tic-tac-toe.kif", "kayles/kayles-7.kif"]
FOR_EVER = 1e12
LIMITS = ggp.Limits(seconds=FOR_EVER, ground_seconds=FOR_EVER)


def read(place: str | int) -> ggp.Game:
    return (
        ggp.parse(random_game(place), limits=LIMITS)
        if isinstance(place, int)
        else ggp.load(GAMES / place, limits=LIMITS)
    )


def found(place: str | int) -> tuple[str, float]:
    """All that is said of a game, its solution and certificate included, and the work of it."""
    before = work_done()
    game = read(place)
    findings = game.analyse(time=FOR_EVER)
    said = [findings.as_json(), findings.certificate(), game.groups]
    with suppress(ggp.NotSolvable):
        said.append(str(game.solve(time=FOR_EVER).value(game.initial)))
    return json.dumps(said, default=str), work_done() - before


@pytest.mark.parametrize("place", [*SHEETS, *range(40, 46)])
def test_a_machine_on_which_every_look_at_the_clock_takes_hours_finds_the_same(
    place, monkeypatch
) -> None:
    expected, work = found(place)
    ticks = itertools.count(0, 5000)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(ticks)))
    again, same_work = found(place)
    assert again == expected
    assert same_work == work
    assert work > 0


def pigeons(count: int) -> Program:
    """So many pigeons and one hole fewer: hard for a solver that learns clauses."""
    program = Program()
    with program.rules() as rules:
        at = [[rules.atom() for _ in range(count - 1)] for _ in range(count)]
        for own in at:
            rules.add(own, choice=True)
            rules.add([], [-x for x in own])
        for hole in zip(*at, strict=True):
            for pair in itertools.combinations(hole, 2):
                rules.add([], list(pair))
    return program


def test_a_hard_question_ends_by_conflicts_and_costs_them() -> None:
    program = pigeons(10)
    before = work_done()
    assert program.ask([], ASK / 2).core is None
    assert work_done() == before, "a question for which there is no work left is not put"
    answer = program.ask([], 0.02)
    assert answer.holds is None
    assert answer.core is None
    spent = work_done() - before
    assert 0.01 < spent < 0.1
    program.ask([], 10, conflicts=100)
    assert work_done() - before - spent < 0.01
    assert pigeons(5).ask([], 10).core == frozenset()


def test_a_question_ends_where_the_account_is_spent() -> None:
    program = pigeons(13)
    budget = ggp.limits.Budget(ggp.Limits(seconds=0.3))
    with budget.in_force(), pytest.raises(LimitReached, match="time"):
        program.ask([], FOR_EVER)
