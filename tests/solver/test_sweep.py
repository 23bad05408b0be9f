"""Many starts at once: states that play does not come to, tables, and sequences in them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.errors import InputError, KifSyntaxError, LimitReached, UnknownName
from ggp.show.grid import sequences
from ggp.solver.sweep import Axis, Cell, fact_axis, sweep, values_of
from ggp.theory import mex
from ggp.theory.sequences import _beatty, closed_forms
from tests.conftest import GAMES, shared

MULTIPLES = GAMES / "multiples" / "multiples.kif.jinja"


def p_positions(size: int) -> set[tuple[int, int]]:
    """Of two heaps by multiples, from the rules in words."""
    values: dict[tuple[int, int], int] = {}
    for a in range(size + 1):
        for b in range(size + 1):
            options = set()
            for d in {a, b} - {0}:
                options |= {values[a - k, b] for k in range(d, a + 1, d)}
                options |= {values[a, b - k] for k in range(d, b + 1, d)}
            values[a, b] = mex(options)
    return {heaps for heaps, value in values.items() if not value}


def test_all_starts_of_two_heaps() -> None:
    game = ggp.load(MULTIPLES, first=24, second=24)
    axes = [fact_axis("heap 1=0..24"), fact_axis("heap 2=0..24")]
    cells, _ = sweep(game, axes, with_best=True)
    assert len(cells) == 25 * 25
    found = {(int(c.at[0]), int(c.at[1])) for c in cells if c.outcome == "P"}
    assert found == p_positions(24)
    by_place = {(int(c.at[0]), int(c.at[1])): c for c in cells}
    assert by_place[5, 9].best == ("(take 2 5)",)
    assert by_place[0, 0].best == ()


def test_the_least_and_largest_partners_are_those_of_the_table() -> None:
    lines = shared("truth", "heaps_an_bn.csv").read_text().splitlines()[1:22]
    truth = [tuple(map(int, line.split(",")[:3])) for line in lines]
    axes = [fact_axis("heap 1=0..20"), fact_axis("heap 2=0..40")]
    cells, _ = sweep(ggp.load(MULTIPLES, first=40, second=40), axes)
    found = sequences(cells, axes)
    assert found["a(n)"] == (0, [least for _, least, _ in truth])
    assert found["b(n)"] == (0, [largest for _, _, largest in truth])


@pytest.mark.parametrize("size", [6, 13])
def test_a_start_that_play_does_not_come_to_is_solved(size) -> None:
    """From (5, 8) play never comes to (7, 3) or (3, 7)."""
    game = ggp.load(MULTIPLES, first=size, second=8)
    for facts in (["(heap 1 6)", "(heap 2 3)", "(control right)"], ["(heap 1 3)", "(heap 2 5)"]):
        wanted = [*facts, "(control left)"] if len(facts) == 2 else facts
        more = game.covering([wanted])
        state = more.state(wanted)
        solution = more.solve(starts=[state])
        sizes = tuple(int(fact.args[1].name) for fact in state.facts if fact.name == "heap")
        assert solution.outcome(state) == ("P" if sizes in p_positions(8) else "N")
        assert more.covering([wanted]) is more
        assert [str(f) for f in more.initial.facts] == [str(f) for f in game.initial.facts]


def test_what_the_rules_say_nothing_of_is_no_start() -> None:
    game = ggp.load(MULTIPLES)
    for fact in ("(heap 1 9)", "(heap 1 100)", "(pile 1 2)", "(heap 1)"):
        with pytest.raises(UnknownName, match="no fluent"):
            game.covering([[fact, "(heap 2 1)", "(control left)"]])


def test_states_of_another_game_are_no_starts() -> None:
    game = ggp.load(MULTIPLES)
    with pytest.raises(UnknownName):
        game.solve(starts=[ggp.load(MULTIPLES).initial])


def test_axes() -> None:
    axis = fact_axis("(cell ? 2)=b,x")
    assert [str(axis.fact(v)) for v in axis.values] == ["(cell b 2)", "(cell x 2)"]
    assert fact_axis("control=left").matches(ggp.Term("control", (ggp.Term("right"),)))
    assert not fact_axis("heap 1=3").matches(ggp.Term("heap", (ggp.Term("2"), ggp.Term("3"))))
    for text in (
        "heap 1",
        "=1",
        "heap 1=",
        "heap 1=a..b",
        "(heap ? ?)=1",
        "heap (1=2",
        "h=1..",
        "",
    ):
        with pytest.raises((InputError, KifSyntaxError)):
            fact_axis(text)
    with pytest.raises(LimitReached):
        values_of("0..999999", "x")
    game = ggp.load(MULTIPLES)
    with pytest.raises(InputError, match="no fact of the start"):
        sweep(game, [fact_axis("pile 1=1..2")])
    with pytest.raises(LimitReached):
        sweep(game, [fact_axis("heap 1=0..999"), fact_axis("heap 2=0..999")])


@pytest.mark.parametrize(
    ("terms", "kind", "text"),
    [
        (range(9), "linear", "1 n + 0"),
        ([7] * 9, "linear", "always 7"),
        ([5 - 2 * n for n in range(9)], "linear", "-2 n + 5"),
        ([0, 1, 2] * 4, "periodic", "period 3"),
        ([9, 8] + [0, 1, 2] * 5, "periodic", "period 3 from 2 on"),
        ([1, 1, 2, 3, 5, 8, 13, 21, 34, 55], "recurrence", "a(n) = 1 a(n-1) + 1 a(n-2)"),
        ([n * n for n in range(14)], "recurrence", "a(n) = 3 a(n-1) - 3 a(n-2) + 1 a(n-3)"),
    ],
)
def test_simple_forms_are_found(terms, kind, text) -> None:
    form = closed_forms(list(terms))[0]
    assert (form.kind, form.text) == (kind, text)
    assert "conjecture" in str(form)


@pytest.mark.parametrize(
    "terms", [[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8], [0, 1, 2], [1, 2, 3, 4, 5, 6, 7, 9, 9, 9]]
)
def test_what_fits_nothing_has_no_form(terms) -> None:
    assert closed_forms(terms) == []


def test_what_lies_at_an_edge_of_a_table_is_no_bound() -> None:
    """Of heaps 6 to 9 by multiples the least partners, 4, 5, 5, 6 (the golden ratio), lie outside
    a table that begins at 9; where a later one begins within, the sequence does."""
    game = ggp.load(MULTIPLES, first=24, second=24)
    least = {n: min(b for a, b in p_positions(24) if a == n) for n in range(25)}
    for begin in (9, 5, 1, 0):
        axes = [fact_axis("heap 1=6..14"), fact_axis(f"heap 2={begin}..24")]
        found = sequences(sweep(game, axes)[0], axes)
        known = [n for n in range(6, 15) if all(least[m] > begin for m in range(n, 15))]
        wanted = (known[0], [least[n] for n in known]) if known else None
        assert found.get("a(n)") == wanted


def cells_of(places: set[tuple[int, int]], first: int, last: int) -> list[Cell]:
    """A table of two axes with these P-positions."""
    run = range(first, last + 1)
    outcomes = [(a, b, "P" if (a, b) in places else "N") for a in run for b in run]
    return [Cell((str(a), str(b)), kind, None, None, None, ()) for a, b, kind in outcomes]


def both(first: int, last: int) -> list[Axis]:
    return [fact_axis(f"heap {number}={first}..{last}") for number in (1, 2)]


def test_pairs_of_wythoffs_game() -> None:
    """floor(k phi) and floor(k phi^2) (Wythoff 1907), as far as partners lie in the table."""
    losing: set[tuple[int, int]] = set()
    for a in range(41):
        for b in range(41):
            options = {(x, b) for x in range(a)} | {(a, y) for y in range(b)}
            options |= {(a - d, b - d) for d in range(1, min(a, b) + 1)}
            if not options & losing:
                losing.add((a, b))
    found = sequences(cells_of(losing, 0, 40), both(0, 40))
    phi = (1 + 5**0.5) / 2
    known = [k for k in range(40) if int(k * phi**2) <= 40]
    assert found["p(k)"] == (0, [int(k * phi) for k in known])
    assert found["q(k)"] == (0, [int(k * phi**2) for k in known])
    assert closed_forms(found["q(k)"][1])[0].kind == "floor"


@pytest.mark.parametrize(
    ("places", "first", "pairs"),
    [
        ({(1, 2), (2, 1), (3, 3)}, 1, (1, [1, 3], [2, 3])),
        ({(0, 0), (1, 2), (2, 1)}, 0, (0, [0, 1], [0, 2])),
        # 1 has its partner beyond the table; 2 and 4 are not known to be the next.
        ({(0, 3), (3, 0), (2, 4), (4, 2)}, 0, (1, [0], [3])),
        # Of one side alone; two partners; sizes that begin elsewhere; each with itself.
        ({(0, 1), (2, 2)}, 0, None),
        ({(0, 1), (1, 0), (1, 2), (2, 1)}, 0, None),
        ({(2, 3), (3, 2)}, 2, None),
        ({(0, 0), (1, 1), (2, 2)}, 0, None),
    ],
)
def test_pairs_are_told_where_each_value_is_in_one(places, first, pairs) -> None:
    found = sequences(cells_of(places, first, 4), both(first, 4))
    told = found.get("p(k)") and (*found["p(k)"], found["q(k)"][1])
    assert told == pairs


def test_a_recurrence_has_the_name_of_its_sequence() -> None:
    fibonacci = [1, 1, 2, 3, 5, 8, 13, 21, 34]
    for name, term, n in (("b(n)", "b", "n"), ("p(k)", "p", "k"), ("left", "left", "n")):
        [form] = closed_forms(fibonacci, 1, name)
        assert form.text == f"{term}({n}) = 1 {term}({n}-1) + 1 {term}({n}-2)"
    [slope] = [
        f for f in closed_forms([0, 1, 3, 4, 6, 8, 9, 11, 12], 0, "p(k)") if f.kind == "floor"
    ]
    assert slope.text.startswith("floor(alpha k)")


def test_slopes_of_numbers_below_0_are_not_looked_for() -> None:
    terms = [7, 3, 9, *(int(n * 1.618034) for n in range(12))]
    assert not [form for form in closed_forms(terms, -3) if form.kind == "floor"]


def test_a_narrow_interval_has_as_many_digits_as_tell_its_ends_apart() -> None:
    [form] = closed_forms([int(n * (1 + 5**0.5) / 2) for n in range(700)])
    low, high = form.text.split("from ")[1].split(":")[0].split(" to ")
    assert float(low) < (1 + 5**0.5) / 2 < float(high)


@given(st.fractions(0, 4, max_denominator=12), st.integers(8, 30), st.sampled_from([floor, ceil]))
def test_both_slopes_that_are_told_fit(alpha, count, whole) -> None:
    """floor(13/8 n) is 13 at 8, where the terms of the golden ratio have 12."""
    terms = [whole(alpha * n) for n in range(count)]
    form = _beatty(terms)
    assert form is not None
    own = {"floor": floor, "ceiling": ceil}[form.kind]
    for end in form.text.split("from ")[1].split(":")[0].split(" to "):
        assert [own(Fraction(end) * n) for n in range(count)] == terms
    assert [own(form.numbers[0] * n) for n in range(count)] == terms


def test_ranges_of_any_length_are_bounded() -> None:
    """A range of more values than memory has addresses."""
    with pytest.raises(LimitReached, match="values"):
        values_of(f"1..{10**30}", "x")
    with pytest.raises(LimitReached, match="values"):
        values_of(f"{10**30}..1:-1", "x")
    assert values_of("5..2:-2,1..0:-1", "x") == ("5", "3", "1", "0")
