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
    program = RelationalProgram(read_rules(Source("a sheet", FRAME + text)).rules, Interner())
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
    assert planner._rows(("p1000", 1), ()) == 1
    assert planner._rows(("p20", 1), ()) == 20
