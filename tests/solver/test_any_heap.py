"""Heaps of any size: what longer sheets say when they are solved position by position."""

from __future__ import annotations

import itertools

import pytest

import ggp
from ggp.errors import InputError, NotSolvable
from ggp.solver.any_heap import any_heaps
from tests.conftest import GAMES

TEMPLATE = GAMES / "subtraction" / "subtraction.kif.jinja"


@pytest.mark.parametrize(
    ("take", "floor"),
    [
        pytest.param([1, 2, 5], 0, marks=pytest.mark.slow),
        pytest.param([2, 3], 0, marks=pytest.mark.slow),
        pytest.param([1, 5, 7], 2, marks=pytest.mark.slow),
        ([1, 2], 1),
        ([2, 4], 1),
    ],
)
def test_as_sheets_of_that_size_by_all_positions(take, floor) -> None:
    """Also where amounts have a common divisor, so that floors hang on residues: then nothing is
    claimed, or what is right."""
    small = ggp.load(TEMPLATE, heaps=[14, 12], take=take, floor=floor)
    try:
        proved = any_heaps(small)
    except NotSolvable:
        assert take == [2, 4]
        return
    for sizes in itertools.product(range(15, 21, 2), (13, 18)):
        found = proved.of(sizes)
        longer = ggp.load(TEMPLATE, heaps=list(sizes), take=take, floor=floor)
        solution = longer.solve(method="positions")
        assert solution.outcome(longer.initial) == found.outcome
        assert solution.value(longer.initial) == found.goals
        won = [(i, d) for i, d in found.best if found.outcome == "N"]
        best = [str(move) for move in solution.best(longer.initial)] if won else []
        wanted = sorted(f"(move {i + 1} {sizes[i] - d})" for i, d in won)
        assert best == sorted(wanted)


def test_a_size_beyond_all_chains() -> None:
    """{1, 2, 5}: the nim-value of n is n mod 3 (Winning Ways, chapter 4)."""
    game = ggp.load(GAMES / "subtraction" / "sg-125.kif")
    proved = any_heaps(game)
    found = proved.of([10**18, 10**30 + 1, 4])
    assert found.nim_values == (1, 2, 1)
    assert found.winner == "left"
    assert found.goals == {"left": 100, "right": 0}
    for i, amount in found.best:
        sizes = list(found.sizes)
        sizes[i] -= amount
        assert proved.of(sizes).nim_value == 0


def test_what_is_not_proved_is_refused() -> None:
    for sheet in ("nim/rows.kif.jinja", "tic-tac-toe/tic-tac-toe.kif"):
        with pytest.raises(NotSolvable, match="not proved"):
            any_heaps(ggp.load(GAMES / sheet))
    floor = any_heaps(ggp.load(TEMPLATE, heaps=[5, 5], take=[1, 2], floor=2))
    with pytest.raises(InputError, match="no size below 2"):
        floor.of([1, 7])


ENDS_AT_TEN = """(role left) (role right) (init (heap {size})) (init (control left)) {succ}
(<= (legal ?p (take ?n ?m)) (true (control ?p)) (true (heap ?n)) (succ ?m ?n))
(<= (legal left noop) (true (control right))) (<= (legal right noop) (true (control left)))
(<= (next (heap ?m)) (does ?p (take ?n ?m)))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= more (true (heap ?n)) (succ ?m ?n)) (<= terminal (not more)) {extra}
(<= (goal ?p 0) (true (control ?p))) (<= (goal left 100) (true (control right)))
(<= (goal right 100) (true (control left)))"""


def test_a_size_that_rules_name_beyond_the_chain() -> None:
    """Play that ends at 10 looks normal on a chain to 6, as long as nobody asks for longer ones."""
    succ = " ".join(f"(succ {i} {i + 1})" for i in range(6))
    plain = ggp.parse(ENDS_AT_TEN.format(size=6, succ=succ, extra=""))
    assert any_heaps(plain).of([11]).outcome == "N"
    odd = ggp.parse(ENDS_AT_TEN.format(size=6, succ=succ, extra="(<= terminal (true (heap 10)))"))
    with pytest.raises(NotSolvable):
        any_heaps(odd)
