"""Normal form: every clause becomes rules that mean the same."""

from __future__ import annotations

import pytest

from ggp import LimitReached
from ggp.kif import Source, read_term
from ggp.limits import Limits
from ggp.rules import DependencyGraph, read_rules
from ggp.rules.normal import unify


def rules(text: str) -> list[str]:
    return [str(rule) for rule in read_rules(Source("t", text)).rules]


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("(p a)", ["(p a)"]),
        ("(<= p q)", ["(<= p q)"]),
        ("(<= p (or q r))", ["(<= p q)", "(<= p r)"]),
        ("(<= p (or (or q r) s))", ["(<= p q)", "(<= p r)", "(<= p s)"]),
        ("(<= p (or (and q r) s))", ["(<= p q r)", "(<= p s)"]),
        ("(<= p (or))", []),
        ("(<= p (and))", ["p"]),
        ("(<= p (not (or q r)))", ["(<= p (not q) (not r))"]),
        ("(<= p (not (and q r)))", ["(<= p (not q))", "(<= p (not r))"]),
        ("(<= p (not (not q)))", ["(<= p q)"]),
        ("(<= (p ?x) (not (distinct ?x ?y)) (q ?y))", ["(<= (p ?y) (q ?y))"]),
        ("(<= (p ?x) (q ?x ?y) (not (distinct (f ?x) (f ?y))))", ["(<= (p ?y) (q ?y ?y))"]),
        ("(<= p (not (distinct a b)))", []),
        ("(<= p (not (distinct (f a) (g a))))", []),
        ("(<= p (not (distinct ?x (f ?x))) (q ?x))", []),
        ("(<= p (distinct a b) q)", ["(<= p q)"]),
        ("(<= p (distinct a a) q)", []),
        ("(<= p (distinct (f a) (f b)) q)", ["(<= p q)"]),
        (
            "(<= p (q ?x ?y) (or (distinct ?x a) (distinct ?y b)))",
            ["(<= p (q ?x ?y) (or (distinct ?x a) (distinct ?y b)))"],
        ),
        (
            "(<= p (q ?x) (or (distinct ?x a) r))",
            ["(<= p (q ?x) (distinct ?x a))", "(<= p (q ?x) r)"],
        ),
    ],
)
def test_normal_form(clause, expected) -> None:
    assert rules(clause) == expected


def test_the_number_of_branches_is_limited() -> None:
    clause = "(<= p " + "(or a b) " * 20 + ")"
    with pytest.raises(LimitReached, match="branches"):
        read_rules(Source("t", clause), limits=Limits(branches=1000))


@pytest.mark.parametrize("connective", ["or", "and", "not"])
def test_formulas_as_deep_as_the_limit_allows_are_read(connective) -> None:
    depth = Limits().depth - 1
    assert rules("(<= p " + f"({connective} " * depth + "a" + ")" * (depth + 1)) in (
        ["(<= p a)"],
        ["(<= p (not a))"],
    )


def test_unification() -> None:
    binding: dict = {}
    assert unify(read_term("(f ?x (g ?y))"), read_term("(f a (g ?x))"), binding)
    assert read_term("(h ?x ?y)").substitute(binding) == read_term("(h a a)")
    assert not unify(read_term("?x"), read_term("(f ?x)"), {})
    assert not unify(read_term("(f a)"), read_term("(f a b)"), {})


def test_strata_and_components() -> None:
    found = read_rules(
        Source("t", "(e a) (<= (r ?x) (e ?x)) (<= (r ?x) (r ?x)) (<= n (not (r a)))")
    )
    graph = DependencyGraph.of(found.rules)
    assert graph.strata == {("e", 1): 0, ("r", 1): 0, ("n", 0): 1}
    order = [sorted(component) for component in graph.components]
    assert order.index([("e", 1)]) < order.index([("r", 1)]) < order.index([("n", 0)])
