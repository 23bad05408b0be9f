"""Arithmetic is recognised by what a relation holds, never by its name."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis.relations import arithmetic as module
from ggp.analysis.relations.arithmetic import is_cycle, order_of, sum_of
from ggp.errors import LimitReached
from ggp.kif import Term

T = [Term(f"t{n}") for n in range(6)]
RANK = {term: n for n, term in enumerate(T)}
N = range(6)


@pytest.mark.parametrize(
    ("pairs", "kind"),
    [
        ([(a, b) for a in N for b in N if a < b], "less than"),
        ([(a, b) for a in N for b in N if a <= b], "at most"),
        ([(a, b) for a in N for b in N if a > b], "greater than"),
        ([(a, b) for a in N for b in N if a >= b], "at least"),
        ([(a, b) for a in range(1, 5) for b in range(1, 5) if a < b], "less than"),
        ([(a, b) for a in N for b in N if a < b and (a, b) != (0, 5)], None),
        ([(a, b) for a in N for b in N if a != b], None),
        ([(0, 2), (0, 4), (2, 4)], None),  # not consecutive
        ([(0, 1)], None),  # too small to mean anything
    ],
)
def test_orders(pairs, kind) -> None:
    assert order_of([(T[a], T[b]) for a, b in pairs], RANK) == kind


@pytest.mark.parametrize(
    ("rows", "total"),
    [
        ([(a, b, a + b) for a in N for b in N if a + b < 6], 3),
        ([(a, a + b, b) for a in N for b in N if a + b < 6], 2),
        ([(a + b, a, b) for a in N for b in N if a + b < 6], 1),
        # The chain begins with 1: t0 + t0 = t1.
        ([(a, b, a + b + 1) for a in N for b in N if a + b + 1 < 6], 3),
        ([(a, b, a + b) for a in N for b in N if a + b < 6 and (a, b) != (1, 1)], None),
        ([(a, b, max(a, b)) for a in N for b in N], None),
        ([(0, 0, 0)], None),
    ],
)
def test_sums(rows, total) -> None:
    assert sum_of([tuple(T[n] for n in row) for row in rows], RANK) == total


def test_circles() -> None:
    assert is_cycle([(T[n], T[(n + 1) % 5]) for n in range(5)])
    assert not is_cycle([(T[n], T[n + 1]) for n in range(5)])
    assert not is_cycle([(T[0], T[1]), (T[1], T[0])])
    two = [(T[0], T[1]), (T[1], T[2]), (T[2], T[0]), (T[3], T[4]), (T[4], T[5]), (T[5], T[3])]
    assert not is_cycle(two)


def test_tables_of_a_sheet_and_its_counter() -> None:
    """Rules may define a table; a counter that nothing but the end reads is named."""
    game = ggp.parse(
        """(role p) (init (n 0)) (init (c 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 4)
        (<= (lt ?a ?b) (s ?a ?b)) (<= (lt ?a ?c) (lt ?a ?b) (s ?b ?c))
        (<= (add ?x 0 ?x) (num ?x)) (num 0) (<= (num ?y) (s ?x ?y))
        (<= (add ?x ?b ?z) (add ?x ?a ?y) (s ?a ?b) (s ?y ?z))
        (<= (legal p (to ?y)) (true (n ?x)) (lt ?x ?y)) (legal p stay)
        (<= (next (n ?y)) (does p (to ?y))) (<= (next (n ?x)) (true (n ?x)) (does p stay))
        (<= (next (c ?y)) (true (c ?x)) (s ?x ?y))
        (<= terminal (true (c 4))) (<= (goal p 100) (true (n ?x)) (add 2 2 ?x))
        (<= (goal p 0) (not (true (n 4))))"""
    )
    findings = game.analyse()
    found = {t["relation"]: (t["kind"], t["of"], t["total"]) for t in findings.value("arithmetic")}
    assert found == {"lt": ("less than", "s", None), "add": ("addition", "s", 3)}
    assert findings.value("step_counters") == [
        {"counter": "(c ?)", "steps": 4, "read_by": ["terminal"]}
    ]
    assert (findings.value("cyclic"), findings["cyclic"].certainty) == (False, "proved")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([f"(r {a} {b})" for a in range(6) for b in range(a, 6)], "r: at most on s"),
        ([f"(r {a} {b})" for a in range(3) for b in range(a, 3)], "r: at most on s, 0 to 2"),
        ([f"(r {a} {b})" for a in range(4) for b in range(a)], "r: greater than on s, 0 to 3"),
        ([f"(r {a} {b} {a + b})" for a in N for b in range(6 - a)], "r: addition on s"),
        (
            [f"(r {a} {b} {a + b})" for a in (1, 2) for b in (1, 3)],
            "r: addition on s, arguments 1 to 2; 2 of 1 to 3; 2 to 5",
        ),
    ],
)
def test_a_table_on_part_of_a_chain_says_of_which(rows, told) -> None:
    """(le 3 4) does not hold where an order ends at 2: it is no order "on s"."""
    chain = " ".join(f"(s {n} {n + 1})" for n in range(5))
    game = ggp.parse(f"""(role p) (init (n 0)) (legal p go) (<= (next (n ?y)) (true (n ?x))
        (s ?x ?y)) {chain} {" ".join(rows)} (<= r_ (r ?a ?b)) (<= r_ (r ?a ?b ?c))
        (<= terminal (true (n 5))) (<= (goal p 100) r_) (<= (goal p 0) (not r_))""")
    (table,) = module.tables(game)
    assert str(table) == told
    assert table.as_json().get("part") == (told.split(", ", 1)[1] if ", " in told else None)


def test_a_table_that_is_too_large_is_no_other_table(monkeypatch) -> None:
    rows = " ".join(f"(sum {a} {b} {a + b})" for a in range(5) for b in range(5 - a))
    chain = " ".join(f"(s {n} {n + 1})" for n in range(4))
    more = "(<= (zum ?a ?b ?c) (sum ?a ?b ?c))"
    game = ggp.parse(f"""(role p) (init (n 0)) (legal p go) (<= (next (n ?y)) (true (n ?x))
        (s ?x ?y)) {chain} {rows} {more} (<= terminal (true (n 4))) (<= (goal p 100)
        (true (n ?x)) (sum 2 2 ?x) (zum 2 2 ?x)) (<= (goal p 0) (not (true (n 4))))""")
    domain = module.Prover.domain

    def limited(self, name, arity):
        if name == "zum":
            raise LimitReached("seconds", 1)
        return domain(self, name, arity)

    assert [one.relation for one in module.tables(game)] == ["sum", "zum"]
    monkeypatch.setattr(module.Prover, "domain", limited)
    assert [one.relation for one in module.tables(game)] == ["sum"]


def test_a_counter_of_play_that_is_over_at_once_counts_no_steps() -> None:
    findings = ggp.parse(
        """
        (role walker) (init (c 0)) (succ 0 1) (legal walker go) (goal walker 100)
        (<= (next (c ?y)) (true (c ?x)) (succ ?x ?y))
        (<= terminal (true (c ?x)))
        """
    ).analyse()
    assert findings.value("step_counters") == [
        {"counter": "(c ?)", "steps": 0, "read_by": ["terminal"]}
    ]
