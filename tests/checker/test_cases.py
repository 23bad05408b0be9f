"""Questions of the checker move by move: the answers are those of one question for all moves."""

from __future__ import annotations

import time

import pytest

import ggp
from ggp.checker import encoding
from ggp.checker.encoding import Copy, Program
from ggp.errors import LimitReached
from tests.conftest import nightly
from tests.oracle.random_games import random_game


def moving(game: ggp.Game, seconds: float = 60.0) -> tuple[Program, Copy]:
    """Any state of a game, in which each role makes a move."""
    program = Program(game.net, time.monotonic() + seconds, seconds)
    copy = Copy(program)
    for role in range(len(game.roles)):
        copy.choose(role)
    return program, copy


def asked(game: ggp.Game) -> list[bool]:
    """Of each fluent, whether a move can make it hold, or end it; then of all of them at once, with
    one that a move can make hold last, and without."""
    program, copy = moving(game)
    cases = [copy.made(role) for role in range(len(game.roles)) if copy.made(role)]
    wanted = []
    for f, fluent in enumerate(program.fluents):
        wanted += [
            program.some([[copy.after(f), -fluent]]),
            program.some([[fluent, -copy.after(f)]]),
        ]
    alone = [program.is_any_possible([x], cases) for x in wanted]
    never = [x for x, found in zip(wanted, alone, strict=True) if not found]
    once = [x for x, found in zip(wanted, alone, strict=True) if found]
    together = [program.is_any_possible([*never, *once[-1:]], cases)]
    return [*alone, *together, program.is_any_possible(never, cases)]


@pytest.mark.parametrize("seed", [*range(10), *nightly(range(10, 100))])
def test_case_by_case_the_answers_are_the_same(seed, monkeypatch) -> None:
    """Of random games; without any conflict, or with one, what needs more is asked by cases."""
    game = ggp.parse(random_game(seed))
    at_once = asked(game)
    for conflicts in (0, 1):
        monkeypatch.setattr(encoding, "CONFLICTS", conflicts)
        assert asked(game) == at_once


def test_what_takes_long_is_asked_of_all_faults_at_once(monkeypatch) -> None:
    """The number of questions goes with that of moves, not with moves and faults."""
    program, copy = moving(ggp.parse(random_game(0)))
    questions = []

    def solve(literals, conflicts=None) -> bool | None:
        questions.append(literals)
        return None if len(literals) == 1 else False

    monkeypatch.setattr(program, "_solve", solve)
    moves = copy.made(0)
    assert not program.is_any_possible(program.fluents, [moves])
    assert len(questions) == 1 + len(moves)


def test_when_time_is_up_nothing_is_said() -> None:
    program, copy = moving(ggp.parse(random_game(0)), seconds=0.0)
    with pytest.raises(LimitReached):
        program.is_any_possible(program.fluents, [copy.made(0)])
