"""Successor relations: static binary relations of one start, one end, and no more than one line."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis.relations.chains import chains, static_relations, successor_chains
from ggp.kif import Term
from ggp.rules.chains import chain_of


def pairs(text: str) -> list[tuple[Term, Term]]:
    """Of words of two letters."""
    return [(Term(a), Term(b)) for a, b in text.split()]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", None),
        ("01", None),
        ("01 12", None),
        ("01 12 23", "0123"),
        ("23 12 01", "0123"),
        ("ba cb dc ed", "edcba"),
        # A circle, alone and beside a chain; two chains.
        ("01 12 20", None),
        ("01 12 23 ab ba", None),
        ("01 ab ba", None),
        ("01 12 23 aa", None),
        ("01 ab cd", None),
        # Two ways on, two ways in, and what is said twice.
        ("01 12 13", None),
        ("01 12 02 23", None),
        ("02 12 23", None),
        ("01 12 23 01", None),
    ],
)
def test_chain_of(text, found) -> None:
    elements = chain_of(pairs(text))
    assert found == (None if elements is None else "".join(str(term) for term in elements))


def game(text: str) -> ggp.Game:
    return ggp.parse(f"""(role robot) (init (at 0)) (<= (legal robot go) (true (at ?x)) (s ?x ?y))
        (<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) (<= terminal (true (at 3)))
        (goal robot 100) (s 0 1) (s 1 2) (s 2 3) {text}""")


CHAIN, SHORT = "(t a b) (t b c) (t c d)", "(t a b) (t b c)"


@pytest.mark.parametrize(
    ("text", "statics", "found"),
    [
        ("", ["s"], ["s 0 1 2 3"]),
        # What no other rule uses counts as well, and is one of those that are no chain.
        (CHAIN, ["s", "t"], ["s 0 1 2 3", "t a b c d"]),
        (SHORT, ["s", "t"], ["s 0 1 2 3"]),
        # Derived, and of another number of arguments.
        ("(<= (r ?y ?x) (s ?x ?y))", ["r", "s"], ["r 3 2 1 0", "s 0 1 2 3"]),
        ("(u a b c) (v a)", ["s"], ["s 0 1 2 3"]),
        # What hangs on the state or the moves is not static; nor are keywords relations.
        ("(<= (r ?x ?y) (s ?x ?y) (true (at ?x)))", ["s"], ["s 0 1 2 3"]),
        ("(<= (r ?x ?y) (s ?x ?y) (does robot go))", ["s"], ["s 0 1 2 3"]),
        ("(input robot go)", ["s"], ["s 0 1 2 3"]),
        # Nor is one that is empty.
        ("(<= (r ?x ?x) (s ?x ?x))", ["s"], ["s 0 1 2 3"]),
    ],
)
def test_successor_chains(text, statics, found) -> None:
    made = game(text)
    assert sorted(name for name, _ in static_relations(made)) == statics
    finding = successor_chains(made)
    assert [" ".join([c["relation"], *c["elements"]]) for c in finding.value] == found
    assert (finding.property, finding.certainty) == ("successor_chains", "proved")
    assert finding.evidence.why.startswith(f"{len(found)} of {len(statics)} ")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {"s": 4}),
        (CHAIN, {"s": 4, "t": 4}),
        (SHORT, {"s": 4}),
        # Of what is derived the ground rules say nothing unless they use it.
        ("(<= (r ?y ?x) (s ?x ?y))", {"s": 4}),
        ("(<= (r ?y ?x) (s ?x ?y)) (<= (legal robot back) (r ?x ?y))", {"r": 4, "s": 4}),
    ],
)
def test_chains_that_the_rules_use(text, found) -> None:
    assert [(c.relation, len(c.elements)) for c in chains(game(text).net)] == [*found.items()]
