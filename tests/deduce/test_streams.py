"""Answers that are found one by one: each once, kept for who asks next, and whole in the end."""

from __future__ import annotations

import random

import pytest

import ggp
from ggp import LimitReached
from ggp.deduce import compiler
from ggp.deduce.streams import AnswerStream, StreamUse
from ggp.limits import Limits
from tests.conftest import GAMES, nightly
from tests.deduce.test_prover import HEAD, MANY, unground
from tests.oracle.random_games import random_game


def test_answers_are_found_once_for_all_who_ask() -> None:
    looked, memo, use = [], {}, StreamUse()

    def source():
        for row in (3, 1, 3, 2, 1):
            looked.append(row)
            yield row

    stream = AnswerStream(source(), memo, "key", use)
    assert memo == {"key": stream}
    one, other = iter(stream), iter(stream)
    assert next(one) == 3
    assert (next(other), next(other)) == (3, 1)
    assert looked == [3, 1]
    assert next(one) == 1
    assert list(other) == [2]
    assert list(one) == [2]
    assert list(stream) == [3, 1, 2]
    assert memo == {"key": (3, 1, 2)}
    assert looked == [3, 1, 3, 2, 1]
    assert (use.begun, use.exhausted) == (1, 1)


def test_what_was_found_before_a_failure_is_not_taken_for_the_whole() -> None:
    """A limit in one search may have ended what another one has begun to read."""

    def source():
        yield 1
        raise LimitReached("steps", 1)

    memo, use = {}, StreamUse()
    stream = AnswerStream(source(), memo, (), use)
    other = iter(stream)
    assert next(other) == 1
    for reader in (stream, stream, other):
        with pytest.raises(LimitReached):
            list(reader)
    assert memo == {(): stream}
    assert use.exhausted == 0


@pytest.mark.parametrize("many", [0, 1, 2, 7])
def test_who_picks_again_and_again_is_given_all_of_them(many) -> None:
    choose = random.Random(many)
    stream = AnswerStream(iter(range(many)), {}, (), StreamUse())
    picked = [stream.picked(choose.random) for _ in range(300)]
    assert set(picked) == (set(range(many)) or {None})
    if many > 1:
        assert min(picked.count(row) for row in range(many)) > 300 / many / 3


@pytest.mark.parametrize(
    ("begun", "exhausted", "told"),
    [(15, 15, False), (16, 14, False), (16, 15, True), (20, 18, True)],
)
def test_streams_that_are_nearly_always_exhausted_are_in_vain(begun, exhausted, told) -> None:
    assert StreamUse(begun, exhausted).is_in_vain is told


@pytest.mark.parametrize("seed", [*range(20), *nightly(range(20, 60))])
def test_random_play_by_rules_makes_legal_moves_and_ends_where_play_ends(seed) -> None:
    """Against the ground form, a state after the other, with streams and without."""
    ground, other = ggp.parse(random_game(seed)), unground(random_game(seed))
    prover, choose = other.evaluator, random.Random(seed)
    for _ in range(4):
        state, position = ground.initial, prover.initial
        for _ in range(25):
            assert prover.ends(position, choose.random) is state.terminal
            if state.terminal:
                break
            joint = [prover.some_move(position, i, choose.random) for i in range(len(other.roles))]
            moves = [prover.move(i, number) for i, number in enumerate(joint)]
            if choose.random() < 0.2:  # what is asked whole after some of it, is whole
                told = [
                    {prover.move(i, n) for n in own} for i, own in enumerate(prover.legal(position))
                ]
                assert told == [set(state.legal(role)) for role in ground.roles]
            state = state.play(dict(zip(ground.roles, moves, strict=True)))
            position = prover.next(position, joint)
            assert prover.facts(position) == state.facts


@pytest.mark.parametrize(
    "sheet", ["tic-tac-toe/tic-tac-toe.kif", "simultaneous/rock-paper-scissors.kif"]
)
def test_each_legal_move_is_made_by_chance_at_times(sheet) -> None:
    game = ggp.parse((GAMES / sheet).read_text(), limits=Limits(ground_rules=0))
    prover, choose = game.evaluator, random.Random(1)
    (own, *_) = prover.legal(prover.initial)
    met = {prover.some_move(prover.initial, 0, choose.random) for _ in range(200)}
    assert met == set(own)  # of all that are known
    met = set()
    for _ in range(200):
        prover._evaluation._contexts.clear()
        met.add(prover.some_move(prover.initial, 0, choose.random))
    assert met == set(own)  # and where no other is looked for


def test_a_limit_in_the_middle_of_an_answer_leaves_nothing_half_known(monkeypatch) -> None:
    game = unground(MANY.replace("(n ?d) (n ?e) (n ?f)", "").replace("?d ?e ?f)", "0 0 0)"))
    prover = game.evaluator

    def passed() -> None:
        raise LimitReached("steps", 1)

    with monkeypatch.context() as patch:
        patch.setitem(prover._evaluation._names, "tick", passed)
        assert game.initial.some_legal("p") is not None
        prover._evaluation._budget[0] = 20
        with pytest.raises(LimitReached):
            prover.legal(prover.initial)
    prover._evaluation._budget[0] = 20_000
    assert len(game.initial.legal("p")) == 1000


def layers(count: int) -> str:
    """Each relation rests on the one before."""
    return HEAD.replace("(legal p go)", f"(<= (legal p ?x) (d{count} ?x))") + "".join(
        [
            "(init (q a)) (init (q b)) (<= (d0 ?x) (true (q ?x)))",
            *(f"(<= (d{i + 1} ?x) (d{i} ?x))" for i in range(count)),
            f"(<= (next (q ?x)) (true (q ?x))) (<= terminal (d{count} c))",
        ]
    )


@pytest.mark.parametrize("count", [10, 400])
def test_relations_that_rest_on_many_others_are_answered_all_the_same(count) -> None:
    """Answers one by one go four times as deep into Python as all at once."""
    game = unground(layers(count))
    prover, choose = game.evaluator, random.Random(1)
    assert str(game.initial.some_legal("p")) in ("a", "b")
    assert not prover.ends(prover.initial)
    both = set(prover.legal(prover.initial)[0])
    assert set(prover.some_moves(prover.initial, 0, 2, choose.random)) == both
    assert {prover.some_move(prover.initial, 0, choose.random) for _ in range(12)} == both
    assert game.initial.play("a").some_legal("p") is not None


def test_who_is_stopped_while_functions_are_made_can_be_asked_again(monkeypatch) -> None:
    """An account that had run out left out for good what had not been written yet."""
    game = unground(layers(120))
    looks = iter(range(10**6))

    def stopping(doing: str) -> None:
        if next(looks) == 50:
            raise LimitReached("time", 1)

    monkeypatch.setattr(compiler, "look", stopping)
    questions = [
        lambda: game.evaluator.ends(game.evaluator.initial),
        lambda: str(game.initial.some_legal("p")) in ("a", "b"),
        lambda: len(game.initial.legal("p")) == 2,
    ]
    for question, wanted in zip(questions, (False, True, True), strict=True):
        looks = iter(range(10**6))
        with pytest.raises(LimitReached):
            question()
        assert question() is wanted


def test_a_move_by_chance_costs_no_more_than_it_takes() -> None:
    prover = unground(MANY).evaluator
    choose = random.Random(5)
    assert all(prover.some_move(prover.initial, role, choose.random) for role in (0, 1))
    assert prover.steps < 200


def test_rules_that_are_too_deep_to_be_written_pass_a_limit(monkeypatch) -> None:
    """Of a body of 600 conditions that rest on themselves it was Python's own error."""

    def compiled() -> str:
        raise RecursionError

    game = unground(layers(2))
    monkeypatch.setattr(game.evaluator._compiler, "compile", compiled)
    with pytest.raises(LimitReached, match="depth"):
        game.initial.legal("p")
