"""Values that texts list, facts that vary, and what a table says of each start."""

from __future__ import annotations

import pytest

import ggp
from ggp.errors import InputError, LimitReached
from ggp.kif import read_terms
from ggp.limits import Budget, Limits
from ggp.solver import sweep as module
from ggp.solver.sweep import MAX_VALUES, Axis, Cell, fact_axis, sweep, values_of
from tests.conftest import GAMES

TEMPLATE = GAMES / "subtraction" / "subtraction.kif.jinja"

CHAIN = """(role left) (role right) (init (heap {start})) (init (control left))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (less ?m ?n) (succ ?m ?n)) (<= (less ?m ?n) (succ ?k ?n) (succ ?m ?k))
(<= (legal ?p (to ?m)) (true (control ?p)) (true (heap ?n)) (less ?m ?n))
(<= (legal left noop) (true (control right))) (<= (legal right noop) (true (control left)))
(<= (next (heap ?m)) (does ?p (to ?m)))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= more (true (heap ?n)) (succ ?m ?n)) (<= terminal (not more))
(<= (goal ?p 0) (true (control ?p))) (<= (goal left 100) (true (control right)))
(<= (goal right 100) (true (control left)))"""
"""One heap on a chain to 6, of which each takes 1 or 2; who cannot has lost."""


def chain(start: int = 6) -> ggp.Game:
    return ggp.parse(CHAIN.format(start=start))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("7", "7"),
        ("0..3", "0 1 2 3"),
        ("4..4", "4"),
        ("-2..1", "-2 -1 0 1"),
        ("2..9:3", "2 5 8"),
        ("2..8:3", "2 5 8"),
        ("2..7:3", "2 5"),
        ("2..9:1", "2 3 4 5 6 7 8 9"),
        ("2..9:9", "2"),
        ("1..3,7,0..10:5", "1 2 3 7 0 5 10"),
        (" b , a ,0..1 , a", "b a 0 1"),
        ("3,2..4,1..3", "3 2 4 1"),
        ("4..0:-2", "4 2 0"),
        ("3..1:-1", "3 2 1"),
        ("5..0:-2", "5 3 1"),
    ],
)
def test_a_text_lists_values_in_order_and_each_once(text: str, values: str) -> None:
    assert values_of(text, "rows") == tuple(values.split())


def test_values_may_be_terms() -> None:
    assert values_of("a,(f c)", "x") == ("a", "(f c)")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "rows: expected values such as"),
        ("1,", "rows: expected values such as"),
        ("1,,2", "rows: expected values such as"),
        ("  ", "rows: expected values such as"),
        ("3..1", "rows: no values from 3 to 1"),
        ("1,3..2", "rows: no values from 3 to 2"),
        ("a..3", r"rows: no range of integers: a\.\.3"),
        ("1..b", "rows: no range of integers"),
        ("..3", "rows: no range of integers"),
        ("1..", "rows: no range of integers"),
        ("1..3:", "rows: no range of integers"),
        ("1..3:x", "rows: no range of integers"),
        ("1..3:0", "rows: no range of integers"),
        ("1.5..3", "rows: no range of integers"),
        ("x..1" + "2" * 99, "rows: no range of integers: x..1" + "2" * 36 + "$"),
    ],
)
def test_what_lists_no_values_is_told(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        values_of(text, "rows")


def test_as_many_values_as_the_limit_are_listed_and_no_more() -> None:
    assert len(values_of(f"1..{MAX_VALUES}", "x")) == MAX_VALUES
    assert len(values_of(f"2..{2 * MAX_VALUES}:2", "x")) == MAX_VALUES
    for text in (f"0..{MAX_VALUES}", f"0..{2 * MAX_VALUES}:2"):
        with pytest.raises(LimitReached) as caught:
            values_of(text, "x")
        assert caught.value.limit == "values"


@pytest.mark.parametrize(
    ("text", "name", "pattern", "facts"),
    [
        ("heap 1=0..2", "heap 1", "(heap 1 ?)", "(heap 1 0) (heap 1 1) (heap 1 2)"),
        ("heap ? 1=a,b", "heap ? 1", "(heap ? 1)", "(heap a 1) (heap b 1)"),
        ("(cell ? 1)=a,b", "(cell ? 1)", "(cell ? 1)", "(cell a 1) (cell b 1)"),
        ("(cell 2 1)=x", "(cell 2 1)", "(cell 2 1 ?)", "(cell 2 1 x)"),
        (" step = 3 ", "step", "(step ?)", "(step 3)"),
        ("at (f 1)=(g 2)", "at (f 1)", "(at (f 1) ?)", "(at (f 1) (g 2))"),
        ("p a=b,1..2,b", "p a", "(p a ?)", "(p a b) (p a 1) (p a 2)"),
    ],
)
def test_a_text_names_the_fact_that_varies(text: str, name: str, pattern: str, facts: str) -> None:
    axis = fact_axis(text)
    assert axis.name == name
    assert str(axis.pattern) == pattern
    assert " ".join(str(axis.fact(value)) for value in axis.values) == facts


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("heap 1", "expected FACT=VALUES"),
        ("heap 1 0..3", "expected FACT=VALUES"),
        ("=1", "expected FACT=VALUES"),
        ("  =1", "expected FACT=VALUES"),
        ("=", "expected FACT=VALUES"),
        ("", "expected FACT=VALUES"),
        ("heap (1=2", "cannot read the fact"),
        ("(a) (b)=1", "cannot read the fact"),
        ("heap ? ?=1", "varies in one place"),
        ("(p ? a ?)=1", "varies in one place"),
        ("heap 1=", "heap 1: expected values"),
        ("heap 1=2..1", "heap 1: no values from 2 to 1"),
        ("heap 1=(f", r"cannot read the value \(f$"),
        ("heap 1=3,a b", "cannot read the value a b$"),
        ("heap 1=" + "a " * 99, "cannot read the value " + "a " * 20 + "$"),
    ],
)
def test_what_names_no_fact_that_varies_is_told(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why) as caught:
        fact_axis(text)
    assert str(caught.value).startswith("--vary ")


@pytest.mark.parametrize(
    ("text", "fact", "matches"),
    [
        ("heap 1=0", "(heap 1 0)", True),
        ("heap 1=0", "(heap 1 (f x))", True),
        ("heap 1=0", "(heap 2 0)", False),
        ("heap 1=0", "(pile 1 0)", False),
        ("heap 1=0", "(heap 1)", False),
        ("heap 1=0", "(heap 1 0 0)", False),
        ("heap ? 1=0", "(heap 5 1)", True),
        ("heap ? 1=0", "(heap 1 5)", False),
        ("step=0", "(step 7)", True),
        ("step=0", "step", False),
    ],
)
def test_facts_of_the_pattern_are_those_that_vary(text: str, fact: str, matches: bool) -> None:
    [term] = read_terms(fact, "a fact")
    assert fact_axis(text).matches(term) is matches
    assert not Axis("step", ("0",)).matches(term)


def test_a_cell_is_plain_data() -> None:
    cell = Cell(("1", "b"), "N", "left", {"left": 100.0}, 3, ("(go 1)",))
    assert cell.as_json() == {
        "at": ["1", "b"],
        "outcome": "N",
        "result": "left",
        "goals": {"left": 100.0},
        "nim_value": 3,
        "best": ["(go 1)"],
        "undetermined": None,
    }


@pytest.mark.parametrize("start", [2, 6])
def test_what_a_table_says_of_one_heap(start: int) -> None:
    """From n to n - 1 or n - 2: lost are the multiples of 3. Also above the first size."""
    cells, method = sweep(chain(start), [fact_axis("heap=0..6")], with_best=True)
    assert method == ("sum of heaps by nim-values" if start == 6 else
                      "Sprague-Grundy theory on all positions")  # fmt: skip
    assert [cell.at for cell in cells] == [(str(n),) for n in range(7)]
    for n, cell in enumerate(cells):
        won = n % 3 > 0
        assert cell.nim_value == n % 3
        assert cell.outcome == ("N" if won else "P")
        assert cell.result == ("left" if won else "right")
        assert cell.goals == {"left": 100 * won, "right": 100 * (not won)}
        good = [n - n % 3] if won else [m for m in (n - 2, n - 1) if m >= 0]
        assert cell.best == tuple(f"(to {m})" for m in good)


def test_best_moves_are_told_only_if_they_are_asked_for() -> None:
    cells, _ = sweep(chain(), [fact_axis("heap=0..6")])
    assert [cell.best for cell in cells] == [()] * 7


def test_misere_play_is_lost_by_who_ends_it() -> None:
    """Lost are sizes with remainder 1; no nim-values are told."""
    for start in (2, 6):
        cells, _ = sweep(chain(start), [fact_axis("heap=0..6")], misere=True)
        assert [cell.outcome for cell in cells] == ["P" if n % 3 == 1 else "N" for n in range(7)]
        assert [cell.nim_value for cell in cells] == [None] * 7


def test_the_last_axis_varies_fastest() -> None:
    """Two heaps from which 1 or 2 are taken: the nim-sum of their remainders."""
    game = ggp.load(TEMPLATE, heaps=[3, 2], take=[1, 2])
    first, second = fact_axis("heap 1=3,0,1"), fact_axis("heap 2=0..2")
    cells, _ = sweep(game, [first, second])
    assert [cell.at for cell in cells] == [(a, b) for a in "301" for b in "012"]
    assert [cell.nim_value for cell in cells] == [(a % 3) ^ b for a in (3, 0, 1) for b in range(3)]
    turned, _ = sweep(game, [second, first])
    assert {(c.at[::-1], c.nim_value) for c in turned} == {(c.at, c.nim_value) for c in cells}
    assert turned[1].at == ("0", "0")


def test_facts_that_do_not_vary_are_those_that_are_given() -> None:
    game = ggp.load(TEMPLATE, heaps=[3, 2], take=[1, 2])
    facts = read_terms("(heap 1 3) (heap 2 1) (control right)", "facts")
    cells, _ = sweep(game, [fact_axis("heap 1=0..2")], facts=facts, with_best=True)
    assert [cell.nim_value for cell in cells] == [1, 0, 3]
    assert [cell.result for cell in cells] == ["right", "left", "right"]
    assert cells[2].best == ("(move 1 1)",)
    with pytest.raises(InputError, match=r"no fact of the start is \(heap 3 \?\): \(heap 1 3\)"):
        sweep(game, [fact_axis("heap 3=0")], facts=facts)


def test_at_most_twelve_facts_of_the_start_are_shown() -> None:
    facts = [read_terms(f"(f {n})", "a fact")[0] for n in range(13)]
    for count in (1, 12, 13):
        with pytest.raises(InputError) as caught:
            sweep(chain(), [fact_axis("g=0")], facts=facts[:count])
        shown = " ".join(f"(f {n})" for n in range(min(count, 12)))
        assert str(caught.value) == f"no fact of the start is (g ?): {shown}"


@pytest.mark.parametrize(
    ("axes", "both"),
    [
        (["heap 1=0..1", "heap ? 3=1"], "heap 1 and heap ? 3"),
        (["control=left", "heap 1=0", "heap 1=1"], "heap 1 and heap 1"),
        (["heap 1=0..1", "heap ? 2=2"], None),
    ],
)
def test_a_fact_varies_along_one_axis(axes: list[str], both: str | None) -> None:
    game = ggp.load(TEMPLATE, heaps=[3, 2], take=[1, 2])
    found = [fact_axis(axis) for axis in axes]
    if both is None:
        assert [cell.nim_value for cell in sweep(game, found)[0]] == [2, 3]
        return
    with pytest.raises(InputError) as caught:
        sweep(game, found)
    assert str(caught.value) == f"(heap 1 3) of the start varies twice: {both}"


def test_a_table_has_as_many_cells_as_the_limit_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_VALUES", 6)
    game = ggp.load(TEMPLATE, heaps=[3, 2], take=[1, 2])
    assert len(sweep(game, [fact_axis("heap 1=0..1"), fact_axis("heap 2=0..2")])[0]) == 6
    with pytest.raises(LimitReached, match="not 8") as caught:
        sweep(game, [fact_axis("heap 1=0..3"), fact_axis("heap 2=0..1")])
    assert caught.value.limit == "cells"


def test_without_axes_there_is_one_cell() -> None:
    [cell], _ = sweep(chain(4), [])
    assert (cell.at, cell.outcome, cell.nim_value) == ((), "N", 1)


def test_what_no_theory_is_of_has_no_nim_value() -> None:
    game = ggp.load(GAMES / "three-players" / "last-match.kif")
    [cell], _ = sweep(game, [])
    assert cell.nim_value is None
    assert cell.goals is not None
    assert list(cell.goals) == list(game.players)


def test_an_account_that_is_spent_ends_a_table() -> None:
    with pytest.raises(LimitReached):
        sweep(chain(), [fact_axis("heap=0..6")], budget=Budget(Limits(seconds=0)))


@pytest.mark.parametrize("start", [2, 6])
def test_misere_play_is_that_of_all_starts_also_where_theory_ends(start: int) -> None:
    """Of a sheet where who cannot move wins, the goals are exchanged: multiples of 3 are lost.

    Sizes above that of the start are solved position by position, with the same exchange.
    """
    swapped = CHAIN.replace("?p 0", "?p 1").replace("100", "0").replace("?p 1", "?p 100")
    game = ggp.parse(swapped.format(start=start))
    cells, _ = sweep(game, [fact_axis("heap=0..6")], misere=True)
    assert [cell.goals and cell.goals["left"] for cell in cells] == [0, 100, 100] * 2 + [0]
