"""Relations of sizes that rest on themselves: what is proved of them on chains of every length."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis.heaps.order import Comparison, Sum, orders
from ggp.kif import Term
from tests.oracle.gdl import Oracle

FRAME = """(role a) (init (at 0)) (legal a stay) (<= (next (at ?x)) (true (at ?x)))
(<= terminal (true (at 2))) (goal a 100) """
NUMBER = "(<= (number ?a) (succ ?a ?b)) (<= (number ?b) (succ ?a ?b)) "
BEFORE = "(<= (small ?a) (succ ?a ?b)) "

SAME = "(<= (r ?a ?b) (succ ?a ?b)) "
MEANT = {
    "(<= (r ?a ?b) (succ ?a ?b)) (<= (r ?a ?b) (succ ?a ?c) (r ?c ?b))": Comparison(0, 1, 1),
    "(<= (r ?a ?b) (succ ?a ?b)) (<= (r ?a ?b) (r ?a ?c) (succ ?c ?b))": Comparison(0, 1, 1),
    "(<= (r ?a ?b) (succ ?b ?a)) (<= (r ?a ?b) (succ ?c ?a) (r ?c ?b))": Comparison(1, 0, 1),
    "(<= (r ?a ?b) (succ ?a ?b)) (<= (r ?a ?b) (r ?a ?c) (r ?c ?b))": Comparison(0, 1, 1),
    NUMBER + "(<= (r ?a ?a) (number ?a)) (<= (r ?a ?b) (succ ?a ?c) (r ?c ?b))": Comparison(
        0, 1, 0
    ),
    "(<= (r ?a ?b) (succ ?a ?c) (succ ?c ?b)) (<= (r ?a ?b) (succ ?a ?c) (r ?c ?b))": (
        Comparison(0, 1, 2)
    ),
    "(<= (r ?m 1 ?n) (succ ?n ?m)) (<= (r ?m ?k ?n) (succ ?j ?k) (r ?m ?j ?i) (succ ?n ?i))": (
        Sum(0, (1, 2), 0, (1, 0))
    ),
    NUMBER + "(<= (r 0 ?a ?a) (number ?a)) "
    "(<= (r ?a ?b ?c) (succ ?d ?a) (r ?d ?b ?e) (succ ?e ?c))": Sum(2, (0, 1), 0, (0, 0)),
    NUMBER + "(<= (r ?a ?a 0) (number ?a)) "
    "(<= (r ?a ?b ?c) (succ ?d ?a) (succ ?e ?c) (r ?d ?b ?e))": Sum(0, (1, 2), 0, (0, 0)),
    NUMBER + "(<= (r ?m 1 ?n) (succ ?n ?m) (number ?m)) (<= (r ?m ?k ?n) (number ?m) (number ?k) "
    "(number ?n) (number ?i) (number ?j) (succ ?j ?k) (r ?m ?j ?i) (succ ?n ?i))": (
        Sum(0, (1, 2), 0, (1, 0))
    ),
    "(<= (r ?a ?b 1) (succ ?c ?a) (succ ?b ?c)) "
    "(<= (r ?a ?b ?c) (succ ?d ?a) (succ ?e ?c) (r ?d ?b ?e))": Sum(0, (1, 2), 1, (0, 1)),
}


def chain(length: int) -> tuple[str, list[Term]]:
    """A chain of so many sizes."""
    facts = " ".join(f"(succ {n} {n + 1})" for n in range(length - 1))
    return facts, [Term(str(n)) for n in range(length)]


def meaning(rules: str, length: int = 5) -> dict | None:
    """What is proved of the relations of some rules."""
    facts, elements = chain(length)
    return orders(ggp.parse(FRAME + rules + facts).rules, "succ", elements)


@pytest.mark.parametrize("rules", MEANT)
def test_what_is_meant(rules) -> None:
    assert list(meaning(rules).values()) == [MEANT[rules]]


@pytest.mark.parametrize("rules", MEANT)
@pytest.mark.parametrize("length", [4, 7, 13])
def test_it_is_what_the_rules_give(rules, length) -> None:
    """By the oracle, on chains other than those that it was guessed from."""
    facts, _ = chain(length)
    arity = 2 if isinstance(MEANT[rules], Comparison) else 3
    args = " ".join(f"?x{n}" for n in range(arity))
    oracle = Oracle(FRAME + rules + facts + f"(<= (legal a (told {args})) (r {args}))")
    found = {*oracle.legal(oracle.initial, "a")} - {"stay"}
    assert found == {f"(told {' '.join(map(str, sizes))})" for sizes in MEANT[rules].on(length)}


@pytest.mark.parametrize(
    "rules",
    [
        "(r 0) (<= (r ?b) (r ?a) (succ ?a ?c) (succ ?c ?b))",  # even
        SAME + "(r 2 0) (<= (r ?a ?b) (succ ?a ?c) (r ?c ?b))",  # a fact besides
        SAME + "(<= (r ?a ?b) (succ ?a ?c) (succ ?c ?d) (r ?d ?b))",  # odd distances
        SAME + "(<= (r ?a ?b) (succ ?a ?c) (r ?c ?b) (distinct ?b 7))",
        SAME + "(<= (r ?a ?b) (succ ?a ?c) (q ?c ?b)) (<= (q ?a ?b) (r ?a ?b))",  # by another
        SAME + "(<= (r ?a ?b) (succ ?a ?c) (r ?c ?b)) (<= (r ?a 4) (succ ?a ?b))",  # a far size
        SAME + "(<= (r ?a ?b) (r ?b ?a))",  # both ways, to neighbours alone
        SAME + "(<= (r ?a ?b) (r ?c ?b) (succ ?d ?a))",  # what ties the sizes is left out
        SAME + "(<= (r ?a ?b) (succ ?a ?c) (r ?c ?b) (good ?a)) (good 0) (good 1)",  # by a table
        "(<= (r ?m 1 ?n) (succ ?n ?m)) (<= (r ?m ?k ?n) (succ ?j ?k) (r ?m ?j ?n))",  # no sum
        "(<= (r 0 ?b 0) (succ ?b ?c)) (<= (r ?a ?b ?c) (succ ?d ?a) (r ?d ?b ?e) (succ ?e ?c))",
        # Twice as much.
        "(r 0 0) (<= (r ?a ?b) (succ ?c ?a) (succ ?d ?e) (succ ?e ?b) (r ?c ?d))",
    ],
)
def test_what_is_not_proved_to_be_a_comparison_or_a_sum(rules) -> None:
    assert meaning(rules, 9) is None


def test_what_holds_of_sizes_with_one_after_them_alone() -> None:
    """A relation of sizes that are less than another is none of all sizes."""
    rules = BEFORE + "(<= (r ?a ?a) (small ?a)) (<= (r ?a ?b) (succ ?a ?c) (r ?c ?b))"
    assert meaning(rules) is None
    assert meaning("") == {}
