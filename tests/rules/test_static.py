"""Static rules: one fault, one code; the verdicts of the reference table of faulty sheets."""

from __future__ import annotations

import csv

import pytest

from ggp import KifSyntaxError, RulesError, parse
from ggp.kif import Source, read_source
from ggp.rules import read_rules
from tests.conftest import GAMES, shared

BASE = """(role p) (init (s 0)) (succ 0 1) (legal p go)
(<= (next (s ?y)) (true (s ?x)) (succ ?x ?y)) (<= terminal (true (s 1))) (goal p 100)
"""


def codes(extra: str) -> dict[str, str]:
    """Name and severity of every diagnostic of the minimal sheet with `extra` in it."""
    return {d.name: d.severity for d in read_rules(Source("t", BASE + extra)).diagnostics}


def test_the_minimal_sheet_is_clean() -> None:
    assert codes("") == {}


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        ("(<= (next (s ?z)) (true (s 0)))", "unsafe-variable"),
        ("(<= terminal (not (true (s ?x))))", "unsafe-variable"),
        ("(<= terminal (true (s 0)) (distinct ?x 1))", "unsafe-variable"),
        ("(succ ?x 2)", "unsafe-variable"),
        ("(<= (next (s ?x)) (or (true (s ?x)) (true (s 0))))", "unsafe-variable"),
        ("(<= q (not q)) (<= terminal q)", "unstratified"),
        ("(<= q (not r)) (<= r (not q)) (<= terminal q)", "unstratified"),
        ("(<= (n (f ?x)) (n ?x)) (n 0) (<= terminal (n 1))", "unbounded-recursion"),
        ("(<= (role q) (succ 0 1))", "role-rule"),
        ("(<= (legal p x) (does p go))", "legal-depends"),
        ("(<= q (does p go)) (<= (goal p 1) q)", "goal-depends"),
        ("(<= q (does p go)) (<= terminal q)", "terminal-depends"),
        ("(<= (init (s 1)) (true (s 0)))", "init-depends"),
        ("(goal p a)", "goal-value"),
        ("(goal p 101)", "goal-value"),
        ("(true (s 1))", "keyword-head"),
        ("(<= (does p go) (succ 0 1))", "keyword-head"),
        ("(<= terminal (init (s 0)))", "keyword-in-body"),
        ("(<= terminal (next (s 0)))", "keyword-in-body"),
        ("(goal p)", "keyword-arity"),
        ("(<= terminal (true (s 0) (s 1)))", "keyword-arity"),
        ("(<= terminal (distinct 0))", "keyword-arity"),
        ("(<= terminal (not (s 0) (s 1) (s 2)))", "keyword-arity"),
        ("()", "empty-list"),
        ("((foo 1))", "list-for-name"),
        ("(<=)", "rule-without-head"),
        ("(<= q (<= r (succ 0 1)))", "nested-rule"),
        ("(<= q (?x 1))", "variable-relation"),
        ("(foo (?x 1))", "variable-function"),
        ("(foo (true 1))", "keyword-function"),
        ("(foo distinct)", "keyword-constant"),
        ("(<= q (succ ? 1))", "lone-question-mark"),
    ],
)
def test_errors(extra, code) -> None:
    assert codes(extra)[code] == "error"
    with pytest.raises(RulesError):
        parse(BASE + extra)


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        ("(<= terminal (and (true (s 0)) (true (s 1))))", "and-connective"),
        ("(<= terminal (true (s 0)) (or))", "empty-or"),
        ("(<= terminal (or (true (s 0))))", "or-of-one"),
        ("(<= terminal (or (or (true (s 0)) (true (s 1))) (true (s 1))))", "nested-or"),
        ("(<= terminal (true (s ?x)) (not (distinct ?x 0)))", "not-distinct"),
        ("(<= terminal (not (not (true (s 0)))))", "double-negation"),
        ("(<= terminal (not (or (true (s 0)) (true (s 1)))))", "not-or"),
        ("(<= (succ 1 2))", "rule-without-body"),
        ("(<= (terminal) (true (s 0)))", "needless-parentheses"),
        ("(foo 1)", "unused"),
        ("(<= terminal bar)", "undefined"),
        ("(<= terminal (true (succ 0 1)))", "needless-true"),
        ("(<= terminal (s 0))", "missing-true"),
        ("(<= terminal (true (t 0)))", "never-true"),
        ("(succ 1 2 3) (<= terminal (succ 1 2 3))", "relation-arities"),
        ("(<= terminal (true (s A))) (<= terminal (true (s a)))", "two-spellings"),
        ("(role p)", "duplicate-role"),
        ("(goal q 0)", "not-a-role"),
        ("(goal p 50) (<= (goal p 3) (not (goal p 4)))", "stratified-by-arguments"),
    ],
)
def test_warnings(extra, code) -> None:
    assert codes(extra)[code] == "warning"
    parse(BASE + extra)


def test_names_that_differ_by_case_alone_are_told_where_case_is_kept_apart() -> None:
    """A keyword in capitals, too, is another name there: `Does` is no `does`."""
    source = Source("t", BASE + "(<= terminal (true (s A)) (true (s a)) (Does p x))")
    told = {d.message: d for d in read_rules(source, strict_case=True).diagnostics}
    names = [message for message in told if "different names" in message]
    assert names == [
        "A and a are different names: case is kept apart",
        "does and Does are different names: case is kept apart",
    ]
    assert not any(told[name].fix.safe for name in names)


def test_a_diagnostic_has_a_place_and_a_hint() -> None:
    (found,) = read_rules(Source("t", BASE + "(<= terminal (not (true (s ?x))))")).errors
    assert str(found.span) == "t:3:19"
    assert "?x" in found.message
    assert "?x" in found.hint
    data = found.as_json()
    assert data["line"] == 3
    assert data["end_column"] == 32
    assert data["severity"] == "error"


@pytest.mark.parametrize("missing", ["role", "legal", "goal", "terminal"])
def test_every_game_needs(missing) -> None:
    kept = {
        "role": "(role p)",
        "legal": "(legal p go)",
        "goal": "(goal p 100)",
        "terminal": "terminal",
    }
    text = " ".join(form for name, form in kept.items() if name != missing)
    assert f"no-{missing}" in {d.name for d in read_rules(Source("t", text)).errors}


def test_the_table_of_faulty_sheets() -> None:
    table = shared("badrules", "EXPECTED.csv")
    rank = {"error": 0, "warning": 1}
    with open(table, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            try:
                found = read_rules(read_source(table.parent / row["file"])).diagnostics
                worst = min((d.severity for d in found), key=lambda s: rank.get(s, 2), default="")
            except KifSyntaxError:
                worst = "error"
            assert (worst if worst in rank else "ok") == row["worst_severity"], row["file"]


@pytest.mark.parametrize("sheet", sorted(GAMES.rglob("*.kif")), ids=lambda path: path.stem)
def test_our_sheets_are_clean(sheet) -> None:
    serious = [str(d) for d in read_rules(read_source(sheet)).diagnostics if d.severity != "note"]
    assert [d for d in serious if "function-arities" not in d] == []
