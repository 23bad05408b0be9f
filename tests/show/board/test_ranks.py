"""The order by which moves of sampled plays are chosen hangs on no names and no order."""

from __future__ import annotations

import random

import pytest

import ggp
from ggp.deduce import Prover
from ggp.game import Game
from ggp.kif import Term, read_term
from ggp.show.board.ranks import TermRanks
from ggp.show.board.refinement import ColouredGraph, Partition
from ggp.show.board.samples import sample
from tests.show.board.disguise import disguised
from tests.show.board.sheets import NAMES, game

RULES = """(role a) (role b) (init (at 1 x)) (succ 1 2) (succ 2 3) (succ 3 4) (alike p q)
(alike q p) (<= (legal ?r (go ?n ?w)) (role ?r) (true (at ?m ?w)) (succ ?m ?n)) terminal
(<= (legal ?r (go p q)) (role ?r)) (<= (next (at ?n ?w)) (does ?r (go ?n ?w))) (goal a 0)"""


def graph(size: int, edges: list[tuple[int, int]]) -> ColouredGraph:
    found = ColouredGraph()
    for _ in range(size):
        found.new("vertex")
    for one, other in edges:
        found.join(one, other, 1)
    return found


def ranks_of(sheet: Game) -> TermRanks:
    return TermRanks(sheet.rules.rules, sheet.roles)


def test_each_vertex_of_a_path_is_told_from_the_others() -> None:
    classes = Partition(graph(6, [(i, i + 1) for i in range(5)]))
    assert len({classes.number(i) for i in range(6)}) == 6


def test_the_vertices_of_a_circle_are_alike_until_one_is_separated() -> None:
    classes = Partition(graph(5, [(i, (i + 1) % 5) for i in range(5)]))
    assert len({classes.number(i) for i in range(5)}) == 1
    classes.separate([3])
    assert len({classes.number(i) for i in range(5)}) == 5


@pytest.mark.parametrize("seed", range(20))
def test_classes_have_the_same_numbers_whatever_those_of_vertices_are(seed: int) -> None:
    rng = random.Random(seed)
    edges = [(a, b) for a in range(9) for b in range(9) if a != b and rng.random() < 0.2]
    order = rng.sample(range(9), 9)
    one = Partition(graph(9, edges))
    shuffled = [(order[a], order[b]) for a, b in edges]
    rng.shuffle(shuffled)
    other = Partition(graph(9, shuffled))
    assert [one.number(i) for i in range(9)] == [other.number(order[i]) for i in range(9)]


def test_names_that_the_rules_tell_apart_have_an_order_of_their_own() -> None:
    sheet = ggp.parse(RULES)
    moves = [
        read_term(text) for text in ("(go 2 x)", "(go 3 x)", "(go 4 x)", "(go p q)", "(go q p)")
    ]
    own = ranks_of(sheet)
    keys = [own.key(move) for move in moves]
    assert len(set(keys)) == len(keys)
    for seed in range(10):
        disguise, other = disguised(sheet, seed, numerals=True)
        ranks = ranks_of(other)
        ordered = sorted(moves[:3], key=lambda move: ranks.key(disguise.term(move)))
        assert ordered == sorted(moves[:3], key=own.key)


def test_what_no_rule_has_comes_somewhere() -> None:
    own = ranks_of(ggp.parse(RULES))
    assert len({own.key(term) for term in (Term("zz"), Term("zz", (Term("zz"),)), Term("x"))}) == 3


def test_rules_too_long_for_a_graph_go_by_their_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggp.show.board.ranks.MAX_VERTICES", 5)
    own = ranks_of(ggp.parse(RULES))
    assert own.key(read_term("(go 2 x)")) < own.key(read_term("(go 3 x)"))
    assert own.path_key(read_term("(go 2 x)"), (1,)) == (1,)


@pytest.mark.parametrize("name", NAMES[::4])
def test_sampled_plays_are_the_same_in_other_words(name: str) -> None:
    sheet = game(name)
    _, other = disguised(sheet, 1, numerals=False)
    one, twin = (sample(Prover(own.rules), ranks_of(own)) for own in (sheet, other))
    assert [len(facts) for facts in one.states] == [len(facts) for facts in twin.states]
    assert [(s.before, s.after, s.mover) for s in one.steps] == [
        (s.before, s.after, s.mover) for s in twin.steps
    ]


def test_where_work_ends_the_plays_there_are_as_many_moves_as_a_power_of_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sheet = game("clobber/clobber-4x4.kif")
    monkeypatch.setattr("ggp.show.board.samples.MAX_STEPS", 500)
    found = sample(Prover(sheet.rules), ranks_of(sheet))
    assert len(found.steps) in {2**n for n in range(9)}
    assert len(found.states) == 1 + max(step.after for step in found.steps)
    assert set(found.legal) == {step.before for step in found.steps}
    monkeypatch.setattr("ggp.show.board.samples.MAX_STEPS", -1)
    assert not sample(Prover(sheet.rules), ranks_of(sheet)).steps
