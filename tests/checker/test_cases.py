"""Questions of the checker move by move: the answers are those of one question for all moves."""

from __future__ import annotations

import time
from itertools import product

import pytest

import ggp
from ggp.checker import encoding
from ggp.checker.encoding import Copy, EncodedProgram
from ggp.errors import LimitReached
from tests.conftest import nightly
from tests.oracle.random_games import random_game


def moving(game: ggp.Game, seconds: float = 60.0) -> tuple[EncodedProgram, Copy]:
    """Any state of a game, in which each role makes a move."""
    program = EncodedProgram(game.net, time.monotonic() + seconds, seconds)
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


@pytest.mark.parametrize("open_until", [0, 1, 2])
def test_cases_are_gone_through_one_list_after_the_other(monkeypatch, open_until) -> None:
    """Of a question that is answered once so many lists are fixed: each of two cases, then each of
    both with each of two more. A case that is answered at once is gone into no further."""
    program, _ = moving(ggp.parse(random_game(0)))
    cases = [[101, 102], [201, 202]]
    questions: list[list[int]] = []

    def solve(literals, conflicts=None) -> bool | None:
        given = list(literals)
        questions.append(given)
        if conflicts is None:
            return False
        return None if sum(x > 100 for x in given) < open_until else False

    monkeypatch.setattr(program, "_solve", solve)
    literals = program.fluents[:3]
    assert not program.is_any_possible(literals, cases)
    fixed = [tuple(x for x in own if x > 100) for own in questions]
    if open_until == 0:
        assert fixed == [()] * len(literals)
    elif open_until == 1:
        assert fixed == [(), (101,), (102,)]
    else:
        firsts = [(), (101,), (101,), (101, 201), (101, 202)]
        assert fixed == [*firsts, (102,), (102,), (102, 201), (102, 202)]


@pytest.mark.parametrize("holds", [(101, 201), (101, 202), (102, 201), (102, 202)])
def test_what_is_possible_in_one_case_is_possible(monkeypatch, holds) -> None:
    program, _ = moving(ggp.parse(random_game(0)))

    def solve(literals, conflicts=None) -> bool | None:
        given = [x for x in literals if x > 100]
        return None if len(given) < 2 else tuple(given) == holds

    monkeypatch.setattr(program, "_solve", solve)
    assert program.is_any_possible(program.fluents[:2], [[101, 102], [201, 202]])


def test_weights_and_counts_are_sums_of_what_holds() -> None:
    """Of three literals with weights of either sign, for each bound and each state of them."""
    game = ggp.parse("""(role a) (init (p 1)) (init (p 2)) (init (p 3)) (n 1) (n 2) (n 3)
        (<= (legal a (drop ?x)) (n ?x)) (<= (next (p ?x)) (true (p ?x)) (not (does a (drop ?x))))
        (<= terminal (not (true (p 1)))) (goal a 100)""")
    program = EncodedProgram(game.net, time.monotonic() + 60, 60.0)
    x, y, z = program.fluents
    terms = [(x, 2), (-y, 3), (z, -4)]
    atoms = {bound: program.weighs(bound, terms) for bound in range(-5, 7)}
    counts = {count: program.at_least(count, [x, -y, z]) for count in range(5)}
    for p, q, r in product((False, True), repeat=3):
        state = [v if b else -v for v, b in ((x, p), (y, q), (z, r))]
        total = 2 * p + 3 * (not q) - 4 * r
        for bound, atom in atoms.items():
            assert program.is_possible(*state, atom) == (total >= bound)
            assert program.is_possible(*state, -atom) == (total < bound)
        for count, atom in counts.items():
            assert program.is_possible(*state, atom) == (p + (not q) + r >= count)
