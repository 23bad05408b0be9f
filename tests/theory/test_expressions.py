"""Closed forms and sentences as expressions of sympy, evaluated against what they are about."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp.games
from ggp import InputError, NotSolvable
from ggp.solver.sentences import sentences
from ggp.theory import expressions
from ggp.theory.sequences import CONSTANTS, Form, closed_forms

sympy = pytest.importorskip("sympy")
N = sympy.Symbol("n", integer=True)

PHI = sympy.GoldenRatio
SEQUENCES = {
    "periodic": [0, 1, 2] * 5,
    "after a beginning": [5, 5, 7, *[0, 1, 2, 1] * 4],
    "constant": [4] * 9,
    "linear": [3 - 2 * n for n in range(12)],
    "lower Wythoff": [int(sympy.floor(PHI * n)) for n in range(40)],
    "upper Wythoff": [int(sympy.floor(PHI**2 * n)) for n in range(40)],
    "rational floor": [n * 12 // 7 for n in range(30)],
    "ceiling": [-(-n * 12 // 7) for n in range(30)],
}


@pytest.mark.parametrize("first", [0, 1, 5, -3])
@pytest.mark.parametrize("name", SEQUENCES)
def test_forms_give_the_terms(name, first) -> None:
    terms = SEQUENCES[name]
    forms = [f for f in closed_forms(terms, first) if f.kind != "recurrence"]
    assert forms or first
    for form in forms:
        assert [int(form.sympy().subs(N, n)) for n in range(first, first + len(terms))] == terms


CYCLES = st.lists(st.integers(0, 4), min_size=1, max_size=5)


@given(CYCLES, st.lists(st.integers(0, 9), max_size=4), st.integers(-5, 20))
def test_whatever_repeats_is_an_expression(cycle, before, first) -> None:
    terms = [*before, *cycle * 6]
    expression = expressions.periodic([*before, *cycle], len(cycle), first)
    found = [int(sympy.sympify(expression).subs(N, n)) for n in range(first, first + len(terms))]
    assert found == terms


def test_a_recurrence_is_an_equation() -> None:
    terms = [1, 1]
    while len(terms) < 20:
        terms.append(3 * terms[-1] - 5 * terms[-2])
    [form] = [f for f in closed_forms(terms) if f.kind == "recurrence"]
    equation = form.sympy()
    a = sympy.Function("a")
    for n in range(2, 20):
        known = {a(n - i): terms[n - i] for i in range(3)}
        assert equation.subs(N, n).subs(known) == sympy.true
        assert equation.subs(N, n).subs({**known, a(n): terms[n] + 1}) == sympy.false


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_are_what_they_are_called(name) -> None:
    form = Form("floor", "", 0, 9, (Fraction(1),), name)
    slope = form.sympy().args[0] / N
    assert float(slope) == pytest.approx(CONSTANTS[name], rel=1e-15)


def test_a_sentence_about_one_heap_is_a_condition() -> None:
    game = ggp.games.load("subtraction/sg-123-21")
    solution = game.solve()
    told = [s for p in game.players for s in sentences(solution, p) if s.kind == "residues"]
    [sentence] = told
    condition = sentence.sympy()
    assert condition == sympy.Eq(sympy.Mod(N, 4), 0)
    [heap] = sentence.heaps
    for n in range(22):
        assert bool(condition.subs(N, n)) == (heap.game.nim_values(n)[n] == 0)


@pytest.mark.parametrize(
    ("early", "late", "period", "begin"), [([], [0, 2], 5, 0), ([1, 3], [4], 6, 4), ([2], [], 1, 0)]
)
def test_conditions_hold_of_what_they_name(early, late, period, begin) -> None:
    condition = expressions.among(early, late, period, begin)
    for n in range(40):
        expected = n in early or (n >= begin and n % period in late)
        assert bool(condition.subs(N, n)) == expected


def test_a_sentence_about_several_heaps_is_none() -> None:
    game = ggp.games.load("nim/rows")
    told = [s for p in game.players for s in sentences(game.solve(), p)]
    assert {s.kind for s in told} == {"nim-sum"}
    with pytest.raises(NotSolvable, match="nim-sum"):
        told[0].sympy()


def test_without_sympy_the_extra_is_named(monkeypatch) -> None:
    [form] = closed_forms([0, 1] * 8)
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(InputError, match=r"pip install 'ggp\[exchange\]'"):
        form.sympy()
