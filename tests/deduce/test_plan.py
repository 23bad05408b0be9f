"""Orders of conditions: how many rows a relation is taken to have, and what that is good for."""

from __future__ import annotations

import pytest

from ggp.deduce.interning import Interner
from ggp.deduce.plan import BodyPlanner
from ggp.deduce.program import RelationalProgram
from ggp.kif import Source
from ggp.rules import read_rules

FRAME = "(role x) (<= (legal x m) (role x)) (<= terminal (role x)) (<= (goal x 0) (role x)) "
EDGES = "".join(f"(e {n} {n + 1})" for n in range(20))
NODES = "".join(f"(n {n})" for n in range(20))


def planned(text: str) -> tuple[BodyPlanner, RelationalProgram]:
    program = RelationalProgram(read_rules(Source("a sheet", FRAME + text)).rules, Interner(400))
    return BodyPlanner(program), program


def first(text: str, relation: str, *known: str) -> str:
    """The condition of the only rule of `relation` that is tried first."""
    planner, program = planned(text)
    (rule,) = next(rules for head, rules in program.rules.items() if head[0] == relation)
    body = program.body(rule)
    return body[planner.best(body, set(known), set(rule.head.variables()))].relation[0]


def test_a_relation_of_many_columns_with_few_rows_comes_before_a_larger_table() -> None:
    few = "(<= (few ?a ?b ?c) (e 3 ?a) (e ?a ?b) (e ?b ?c))"
    assert first(f"{EDGES} {NODES} {few} (<= (r ?a ?c) (n ?a) (few ?a ?b ?c))", "r") == "few"


def test_a_relation_of_one_column_with_many_rows_comes_after_a_smaller_table() -> None:
    many = "(<= (many ?a) (n ?a)) (s 1) (s 2)"
    assert first(f"{EDGES} {NODES} {many} (<= (r ?a) (many ?a) (s ?a))", "r") == "s"


def test_steps_along_a_path_are_fewer_than_all_that_end_anywhere() -> None:
    path = "(<= (path ?a ?b) (e ?a ?b)) (<= (path ?a ?c) (e ?a ?b) (path ?b ?c))"
    text = f"{EDGES} {NODES} {path} (<= (r ?a ?c) (path ?a ?b) (n ?c) (e ?b ?c))"
    assert first(text, "r", "?a") == "path"


@pytest.mark.parametrize("ends", ["", "(<= (a ?x) (n ?x))"])
def test_relations_that_rest_on_each_other_have_some_rows(ends) -> None:
    planner, _ = planned(f"{NODES} (<= (b ?x) (n ?x)) (<= (a ?x) (b ?x)) (<= (b ?x) (a ?x)) {ends}")
    assert 20 <= planner._rows(("a", 1), ()) <= 200


def test_estimates_of_relations_that_multiply_stay_numbers() -> None:
    rules = [
        f"(<= (p{n + 1} ?a ?b ?c) (p{n} ?a ?x ?y) (p{n} ?b ?u ?v) (p{n} ?c ?z ?w))"
        for n in range(60)
    ]
    planner, _ = planned(f"{NODES} (<= (p0 ?a ?b ?c) (n ?a) (n ?b) (n ?c)) {' '.join(rules)}")
    assert planner._rows(("p60", 3), ()) <= 1e12


def test_no_chain_of_relations_is_too_deep_for_an_estimate() -> None:
    rules = " ".join(f"(<= (p{n + 1} ?a) (p{n} ?a))" for n in range(1000))
    planner, _ = planned(f"{NODES} (<= (p0 ?a) (n ?a)) {rules}")
    assert planner._rows(("p1000", 1), ()) > 1
    assert planner._rows(("p20", 1), ()) == 20


def test_a_relation_that_is_asked_in_many_ways_is_estimated_in_some() -> None:
    """Each rule asks for another column, so that there are two to the number of columns of ways."""
    names = [f"?x{n}" for n in range(16)]
    rules = [
        f"(<= (p {' '.join(names)}) (e ?y {name}) (p {' '.join(names).replace(name, '?y', 1)}))"
        for name in names
    ]
    ends = " ".join(f"(n {name})" for name in names)
    planner, _ = planned(f"{EDGES} {NODES} {' '.join(rules)} (<= (p {' '.join(names)}) {ends})")
    planner._rows(("p", 16), ())
    assert len(planner._derived) <= 32


def test_fluents_of_which_the_first_state_has_few_may_become_many() -> None:
    """All triples of them come after three facts."""
    text = """(d 1 1 1) (d 1 1 2) (d 2 1 1) (init (g 1)) (<= (next (g ?x)) (true (g ?x)))
        (<= (c ?x ?y ?z) (true (g ?x)) (true (g ?y)) (true (g ?z)))
        (<= (r ?x ?y ?z) (d ?x ?y ?z) (c ?x ?y ?z))"""
    planner, _ = planned(text)
    planner.start[("g", 1)] = [(1,)]
    assert planner._rows(("c", 3), ()) == 8


def test_many_tests_that_may_all_hold_leave_some_rows() -> None:
    tests = " ".join(f"(t{n} ?a ?b ?c)" for n in range(20))
    rules = " ".join(f"(<= (t{n} ?a ?b ?c) (true (f x)) (n ?a) (n ?b) (n ?c))" for n in range(20))
    planner, _ = planned(f"{NODES} (<= (ok ?a ?b ?c) (n ?a) (n ?b) (n ?c) {tests}) {rules}")
    assert planner._rows(("ok", 3), ()) >= 20


@pytest.mark.parametrize("depth", [20, 40])
def test_what_is_not_estimated_is_taken_to_have_many_rows(depth) -> None:
    columns = " ".join(f"?x{n}" for n in range(8))
    rules = " ".join(f"(<= (c{n} {columns}) (c{n + 1} {columns}))" for n in range(depth))
    pairs = " ".join(f"(b ?x{n})" for n in range(8))
    planner, _ = planned(f"(b o) (b l) {rules} (<= (c{depth} {columns}) {pairs})")
    assert planner._rows(("c0", 8), ()) >= 2**8
