"""Nets: what grounding keeps, merges and drops."""

from __future__ import annotations

import pytest

import ggp
from ggp import LimitReached, Limits, RulesError, parse
from ggp.ground import FALSE, TRUE
from tests.conftest import GAMES
from tests.oracle.random_games import scramble


def test_fluents_and_moves_are_sorted_by_text() -> None:
    net = ggp.load(GAMES / "kayles" / "kayles-7.kif").net
    for terms in (net.fluents, *net.moves):
        assert [str(t) for t in terms] == sorted(map(str, terms))


def test_a_gate_depends_on_earlier_nodes_only() -> None:
    net = ggp.load(GAMES / "clobber" / "clobber.kif.jinja", rows=3, columns=3).net
    for block in net.blocks:
        for node in range(block.start, block.stop):
            for body in net.bodies(node):
                limit = block.stop if block.recursive else node
                assert all(0 < abs(x) < limit for x in body)


def test_static_relations_leave_no_trace() -> None:
    net = parse(
        """(role p) (init (n 0)) (succ 0 1) (succ 1 2) (<= (legal p inc) (true (n ?x)) (succ ?x ?y))
        (<= (next (n ?y)) (does p inc) (true (n ?x)) (succ ?x ?y))
        (<= terminal (true (n 2))) (goal p 100)"""
    ).net
    assert [str(f) for f in net.fluents] == ["(n 0)", "(n 1)", "(n 2)"]
    assert net.next[0] == FALSE
    assert net.terminal == net.first_fluent + 2
    assert net.goals == (((100, TRUE),),)
    assert {name: len(pairs) for (name, _), pairs in net.statics.items()} == {"succ": 2}


def test_equal_gates_are_one() -> None:
    net = parse(
        """(role p) (init a) (init b) (<= q (true a) (true b)) (<= r (true b) (true a))
        (<= (next c) q) (<= (next d) r) (legal p x) (<= terminal (true c)) (goal p 1)"""
    ).net
    index = {str(f): i for i, f in enumerate(net.fluents)}
    assert net.next[index["c"]] == net.next[index["d"]]


def test_legal_moves_and_goals_of_non_roles_are_ignored() -> None:
    game = parse("(role p) (legal p x) (legal q y) (goal p 1) (goal q 2) terminal")
    assert [len(moves) for moves in game.net.moves] == [1]
    assert game.initial.goals == {"p": 1}


def test_variables_for_whole_fluents_and_moves() -> None:
    """`(true ?x)` cannot be flattened to one predicate for each functor."""
    game = parse(
        """(role p) (role q) (init (on a)) (init b) (<= (legal ?r (keep ?x)) (role ?r) (true ?x))
        (<= (next ?x) (true ?x) (does p (keep ?x))) (<= (next made) (does q ?m) (distinct ?m b))
        (<= terminal (not (true b))) (<= (goal ?r 1) (role ?r))"""
    )
    after = game.initial.play({"p": "(keep (on a))", "q": "(keep b)"})
    assert [str(f) for f in after.facts] == ["(on a)", "made"]
    assert after.terminal


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("(init (n z)) (<= (next (n (s ?x))) (true (n ?x)))", "ground_"),
        (
            "(b 0) (b 1) (<= (r ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m) "
            + " ".join(f"(b ?{c})" for c in "abcdefghijklm")
            + ") (<= (next x) (r ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m) (true x)) (init x)",
            "ground_rules",
        ),
    ],
)
def test_rules_that_explode_reach_a_stated_limit(text, limit) -> None:
    sheet = f"(role p) (legal p x) (goal p 1) (<= terminal (true done)) {text}"
    game = parse(sheet, limits=Limits(ground_rules=5_000, ground_seconds=5))
    with pytest.raises(LimitReached, match=limit):
        game.net  # noqa: B018 - a property that raises
    after = game.initial.play("x")  # played from the rules instead
    assert not after.terminal
    assert game.evaluator.engine == "unground"


def test_a_computed_goal_must_be_a_number() -> None:
    with pytest.raises(RulesError, match="no integer"):
        parse("(role p) (legal p x) terminal (v a) (<= (goal p ?x) (v ?x))")


@pytest.mark.parametrize("name", ["kayles/kayles-7", "tic-tac-toe/tic-tac-toe"])
def test_scrambled_sheets_ground_to_nets_of_the_same_shape(name) -> None:
    """SEMANTICS.md 17: nothing may depend on a name other than the keywords."""
    text = (GAMES / f"{name}.kif").read_text(encoding="utf-8")
    nets = [parse(text).net, parse(scramble(text, 1)[0]).net]
    for shape in (
        lambda net: (len(net.fluents), [len(moves) for moves in net.moves]),
        lambda net: sorted(tuple(sorted(map(len, bodies))) for bodies in net.gates.bodies),
        lambda net: sorted(value for role in net.goals for value, _ in role),
    ):
        assert shape(nets[0]) == shape(nets[1])
