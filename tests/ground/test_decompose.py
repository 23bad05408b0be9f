"""Decomposed rules ground to nets that mean the same, and to smaller ones where joins are wide."""

from __future__ import annotations

import pytest

import ggp
from ggp import Limits, parse
from ggp.ground import grounder
from ggp.ground.decompose import Decomposition
from ggp.kif import Source
from ggp.rules import read_rules
from tests.conftest import all_sheets, nightly, shared
from tests.oracle.random_games import random_game

CORPUS = ["breakthroughSmall", "cubicup_3player", "knightThrough", "pancakes6"]


def decomposed(monkeypatch, make) -> ggp.Game:
    """The game that `make` makes, every rule decomposed."""
    with monkeypatch.context() as patch:
        patch.setattr(grounder, "PLAIN_RULES", 0)
        patch.setattr(grounder, "FEW_RULES", 0)
        return make()


def agree(plain: ggp.Game, other: ggp.Game, plays: int) -> None:
    assert other.net.fluents == plain.net.fluents
    assert other.net.moves == plain.net.moves
    assert other.net.statics == plain.net.statics
    for seed in range(plays):
        for state, joint in plain.random_playout(seed):
            same = ggp.State(other, state.bits)
            assert other.evaluator.goals(state.position) == plain.evaluator.goals(state.position)
            assert same.terminal == state.terminal
            assert same.legal_indices() == state.legal_indices()
            if joint:
                assert same.play(joint).bits == state.play(joint).bits


@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_on_our_sheets(sheet, monkeypatch) -> None:
    agree(ggp.load(sheet), decomposed(monkeypatch, lambda: ggp.load(sheet)), 3)


@pytest.mark.parametrize("name", CORPUS)
def test_on_public_sheets(name, monkeypatch) -> None:
    sheet = shared("corpus", "games", f"{name}.kif")
    agree(ggp.load(sheet), decomposed(monkeypatch, lambda: ggp.load(sheet)), 1)


@pytest.mark.parametrize("seed", [*range(20), *nightly(range(20, 60))])
def test_on_random_games(seed, monkeypatch) -> None:
    text = random_game(seed)
    plain = parse(text)
    if not plain.analyse().value("cyclic"):
        agree(plain, decomposed(monkeypatch, lambda: parse(text)), 3)


def split(text: str) -> list[str]:
    rules = read_rules(Source("t", text)).rules
    return [str(rule) for rule in Decomposition().run(rules)]


def test_a_path_of_joins_becomes_a_chain() -> None:
    assert len(split("(<= (far ?a ?d) (e ?a ?b) (e ?b ?c) (e ?c ?d))")) == 2
    assert len(split("(<= (near ?a ?c) (e ?a ?b) (e ?b ?c))")) == 1


def test_equal_helpers_are_shared() -> None:
    two = """(<= (p ?a ?d) (e ?a ?b) (e ?b ?c) (e ?c ?d) (f ?d))
             (<= (q ?x ?w) (e ?x ?y) (e ?y ?z) (e ?z ?w) (g ?w))"""
    assert len(split(two)) == 3


WIDE = """(role p) (init (n 0)) (legal p go) (<= (next (n 1)) (true (n 0)))
{facts} (<= wide {body}) (<= terminal wide (true (n 1))) (goal p 100)"""


def test_a_wide_join_grounds_within_the_limits() -> None:
    """14 steps over a complete graph of 12 nodes have 12^15 instances as they are written."""
    facts = " ".join(f"(e {i} {j})" for i in range(12) for j in range(12))
    body = " ".join(f"(e ?v{i} ?v{i + 1})" for i in range(14))
    text = WIDE.format(facts=facts, body=body)
    game = parse(text, limits=Limits(ground_rules=100_000))
    assert game.initial.play("go").terminal
