"""Terms are values: immutable, hashable, ordered by their text."""

from __future__ import annotations

import pickle

import pytest

from ggp.kif import SymbolTable, Term, read_term


def test_equal_by_structure() -> None:
    one, two = read_term("(f (g a) ?x)"), Term("f", (Term("g", (Term("a"),)), Term("?x")))
    assert one == two
    assert hash(one) == hash(two)
    assert one != read_term("(f (g a) ?y)")
    assert Term("1") != Term("01")
    assert one != "(f (g a) ?x)"


def test_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        Term("a").name = "b"  # type: ignore[misc]


def test_survives_pickling() -> None:
    term = read_term("(f (g a) ?x)")
    assert pickle.loads(pickle.dumps(term)) == term


def test_sorted_by_code_point_of_the_text() -> None:
    found = sorted(map(read_term, ["b", "(a 2)", "(a 10)", "B", "a"]))
    assert [str(t) for t in found] == ["(a 10)", "(a 2)", "B", "a", "b"]


def test_variables_and_symbols_in_reading_order() -> None:
    term = read_term("(f ?x (g ?y ?x) a)")
    assert list(term.variables()) == ["?x", "?y", "?x"]
    assert list(term.symbols()) == ["f", "g", "a"]
    assert not term.is_ground
    assert str(term.substitute({"?x": read_term("(h ?z)"), "?z": Term("b")})) == (
        "(f (h b) (g ?y (h b)) a)"
    )


def test_first_spelling_counts() -> None:
    """docs/semantics.md 1: folded case-insensitively, shown in the first spelling."""
    table = SymbolTable(["role"])
    assert table.canonical("Mark") == "Mark"
    assert table.canonical("MARK") == "Mark"
    assert table.canonical("ROLE") == "role"
    assert table.variants == {"Mark": ["Mark", "MARK"]}
    assert table.fold(read_term("(mARK x)")) == read_term("(Mark x)")
    assert SymbolTable(strict_case=True).canonical("MARK") == "MARK"
