"""Plays that look for faults: found where random play does not come, and each of them real."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis.plays import sampled
from ggp.analysis.plays.guided import find_fault
from ggp.analysis.plays.plays import random_plays
from ggp.errors import GoalError
from tests.conftest import shared


def numbers(most: int) -> str:
    return " ".join(f"(more {n} {n + 1})" for n in range(most))


LONG = f"""(role p) (init (at 0))
{numbers(30)}
(<= (legal p (stop ?n)) (stops ?n)) (legal p go)
(stops 1) (stops 2) (stops 3) (stops 4) (stops 5) (stops 6) (stops 7) (stops 8) (stops 9)
(<= (next (at ?m)) (true (at ?n)) (more ?n ?m) (does p go))
(<= (next over) (does p (stop ?n)))
(<= terminal (true over)) (<= terminal (true (at 30)))
(<= (goal p 0) (true over))
"""
"""Ends at each step, but for one move of ten."""

TOKENS = f"""(role p) (init (has 20)) (kind a) (kind b) (kind c)
{numbers(40)}
(<= (legal p lose) (true (has ?n)) (more ?m ?n))
(<= (legal p (win ?a ?k)) (kind ?a) (true (has ?n)) (up_to ?k ?n) (more ?m ?n))
(<= (up_to 1 ?n) (more ?m ?n)) (<= (up_to ?l ?n) (more ?m ?n) (up_to ?k ?m) (more ?k ?l))
(<= (next (has ?m)) (does p lose) (true (has ?n)) (more ?m ?n))
(<= (next (has ?m)) (does p (win ?a ?k)) (true (has ?n)) (more ?n ?m))
(<= terminal (true (has 40))) (<= (goal p 100) (true (has 40)))
"""
"""The more one has the more ways there are to have more; with nothing nobody can move."""


def test_a_fault_at_the_end_of_a_play_that_ends_at_every_step() -> None:
    game = ggp.parse(LONG)
    fault = find_fault(game)
    assert fault is not None
    assert fault.stuck is None
    assert len(fault.joints) == 30
    assert find_fault(ggp.parse(LONG + "(<= (goal p 100) (true (at 30)))")) is None


def test_a_role_that_runs_out_of_moves() -> None:
    game = ggp.parse(TOKENS)
    assert random_plays(game, 10_000).counts.min() > 0
    fault = find_fault(game)
    assert fault is not None
    assert fault.stuck == 0
    assert len(fault.joints) >= 20


def test_the_play_is_legal_and_shows_the_fault(monkeypatch) -> None:
    """By the interpreter, move by move; the finding is what the play shows."""
    monkeypatch.setattr(sampled, "MANY", 0)
    game = ggp.load(shared("corpus", "games", "dualConnect4.kif"))
    finding = game.analyse(only=("playable",), positions=1_000)["playable"]
    assert finding.value is False
    [witness] = finding.evidence.states
    state = game.initial
    for joint in witness.path:
        assert not state.terminal
        state = state.play(dict(zip(map(str, game.roles), joint, strict=True)))
    assert {str(fact) for fact in state.facts} == set(witness.facts)
    assert state.terminal
    with pytest.raises(GoalError, match="goal"):
        _ = state.goals
