"""Names of columns, what stands in them, and what they hold for some states."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from ggp.errors import InputError
from ggp.kif import read_terms
from ggp.solver.columns import (
    Column,
    column_of,
    distinct_names,
    polars_or_error,
    pyarrow_or_error,
)


@pytest.mark.parametrize(
    ("terms", "name", "texts"),
    [
        ("lit", "lit", ["1"]),
        ("(at 1 2)", "(at 1 2)", ["1"]),
        ("(heap 1 0) (heap 1 1) (heap 1 2)", "(heap 1 ?)", ["0", "1", "2"]),
        ("(cell 1 2 b) (cell 2 2 b)", "(cell ? 2 b)", ["1", "2"]),
        ("(at 1 2) (at 2 1)", "(at ? ?)", ["1 2", "2 1"]),
        ("(at 1 a 2) (at 2 a 1) (at 2 a 3)", "(at ? a ?)", ["1 2", "2 1", "2 3"]),
        ("(at 1 1) (at 1 2) (at 2 2)", "(at ? ?)", ["1 1", "1 2", "2 2"]),
        ("(on (f 1)) (on (g 2 3))", "(on ?)", ["(f 1)", "(g 2 3)"]),
        ("(on a) (off a)", "?", ["(on a)", "(off a)"]),
        ("(on a) (on a b)", "?", ["(on a)", "(on a b)"]),
        ("(on a) (on b) off", "?", ["(on a)", "(on b)", "off"]),
        ("won lost", "?", ["won", "lost"]),
    ],
)
def test_a_name_has_a_hole_where_the_fluents_differ(
    terms: str, name: str, texts: list[str]
) -> None:
    found = list(read_terms(terms, "facts"))
    numbers = [7 + 2 * i for i in range(len(found))]
    assert column_of(numbers, found) == Column(name, tuple(numbers), tuple(texts))


def test_a_column_holds_the_text_of_what_holds_there() -> None:
    """Fluents 3, 0 and 4; where none of them holds there is nothing."""
    column = Column("(at ?)", (3, 0, 4), ("x", "y", "z"))
    held = np.zeros((5, 6), dtype=np.bool_)
    held[:, [1, 2, 5]] = True
    held[0, 0] = held[1, 3] = held[3, 4] = held[4, 0] = True
    assert column.values(held).tolist() == ["y", "x", None, "z", "y"]


def test_a_fluent_by_itself_is_one_or_zero() -> None:
    held = np.array([[True, False], [True, True], [False, False]])
    found = Column("lit", (1,), ("1",)).values(held)
    assert found.dtype == np.int8
    assert found.tolist() == [0, 1, 0]
    assert Column("lit", (0,), ("1",)).values(held).tolist() == [1, 1, 0]


def test_columns_of_no_states_hold_nothing() -> None:
    held = np.zeros((0, 3), dtype=np.bool_)
    assert Column("lit", (1,), ("1",)).values(held).tolist() == []
    assert Column("(at ?)", (1, 2), ("x", "y")).values(held).tolist() == []


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([], []),
        (["a", "b"], ["a", "b"]),
        (["a", "a"], ["a", "a #2"]),
        (["?", "a", "?", "?"], ["?", "a", "? #2", "? #3"]),
        (["?", "a", "?", "a"], ["?", "a", "? #2", "a #2"]),
        (["turn"], ["turn #1"]),
        (["a", "turn", "best", "a"], ["a", "turn #1", "best #1", "a #2"]),
        (["turns", "(turn ?)"], ["turns", "(turn ?)"]),
        (["(p #1)", "(p #2)"], ["(p #1)", "(p #2)"]),
        (["a#1", "a"], ["a#1", "a"]),
    ],
)
def test_names_that_are_alike_or_reserved_get_a_number(names: list[str], found: list[str]) -> None:
    assert distinct_names(names, ("turn", "best")) == found


def test_nothing_is_numbered_where_nothing_is_reserved() -> None:
    assert distinct_names(["turn", "best"], ()) == ["turn", "best"]


@pytest.mark.parametrize(
    ("name", "get", "extra"),
    [("pyarrow", pyarrow_or_error, "table"), ("polars", polars_or_error, "exchange")],
)
def test_a_library_that_is_missing_is_named_with_its_extra(
    name: str, get: object, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(get)
    module = pytest.importorskip(name)
    assert get() is module
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=rf"need.* {name}: pip install 'ggp\[{extra}\]'"):
        get()


def test_a_reserved_name_that_comes_twice_is_numbered_on() -> None:
    assert distinct_names(["turn", "turn"], ("turn",)) == ["turn #1", "turn #2"]
