"""Sheets with a long chain of sizes made shorter: what is kept, and when there is no such way."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis.heaps import shorter
from ggp.kif import Term
from ggp.rules import RuleSet

HEAPS = """
(role a) (role b) (init (control a)) (init (heap x n450)) (init (heap y n3))
(<= (legal ?p (take ?h ?s ?t)) (true (control ?p)) (true (heap ?h ?s)) (succ ?t ?s))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?h ?t)) (does ?p (take ?h ?s ?t)))
(<= (touched ?h) (does ?p (take ?h ?s ?t)))
(<= (next (heap ?h ?s)) (true (heap ?h ?s)) (not (touched ?h)))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= open (legal ?p (take ?h ?s ?t))) (<= terminal (not open))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""


def chain(count: int) -> str:
    return "".join(f"(succ n{i} n{i + 1})" for i in range(count - 1))


def ways(more: str = "", count: int = shorter.LONG) -> list[shorter.Shorter]:
    return list(shorter.shorter(ggp.parse(HEAPS + chain(count) + more).rules))


def sizes(rules: RuleSet) -> set[str]:
    return {str(arg) for rule in rules.rules if rule.head.name == "succ" for arg in rule.head.args}


def test_the_sizes_nearest_to_either_end_are_kept() -> None:
    """With two heaps a hundred of them; all heaps are of the largest size that is left."""
    up, down = ways()
    assert [str(e) for e in up.elements] == [f"n{i}" for i in range(500)]
    assert up.elements == down.elements[::-1]
    assert sizes(up.rules) == {f"n{i}" for i in range(100)}
    assert sizes(down.rules) == {f"n{i}" for i in range(400, 500)}
    for way, top in ((up, "n99"), (down, "n400")):
        assert {str(made): str(fact) for made, fact in way.starts.items()} == {
            f"(heap x {top})": "(heap x n450)",
            f"(heap y {top})": "(heap y n3)",
        }
        made = {r.head.args[0] for r in way.rules.rules if r.head.name == "init"}
        assert made == {*way.starts, Term("control", (Term("a"),))}
        assert ggp.Game(way.rules).net.fluents


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ("(<= (next stop) (true (heap x n0)))", 1),
        ("(<= (next stop) (true (heap x n499)))", 1),
        ("(<= (next stop) (true (heap x n250)))", 0),
        ("(<= (next stop) (true (heap x n5)) (true (heap y n450)))", 0),
    ],
)
def test_a_size_that_a_rule_names_is_not_left_out(more, left) -> None:
    found = ways(more)
    assert len(found) == left
    for way in found:
        assert (more.split()[-1].strip(")") in sizes(way.rules)) == bool(left)


@pytest.mark.parametrize(
    ("more", "count"), [("", shorter.LONG - 1), ("(init (heap (pile z) n3))", 500)]
)
def test_a_short_chain_and_other_facts_are_left_alone(more, count) -> None:
    assert not ways(more, count)
