"""Long chains and many heaps: what is proved by smaller sheets is what all positions say."""

from __future__ import annotations

import itertools
import pickle

import pytest

import ggp
from ggp.analysis.heaps import fewer as of_heaps
from ggp.analysis.heaps import shorter as module
from ggp.analysis.heaps.fewer import fewer
from ggp.analysis.heaps.shorter import shorter
from ggp.errors import NotSolvable
from ggp.game import Game
from ggp.kif import Source, Term, read_sheet
from ggp.limits import DEFAULT, Budget
from ggp.rules import read_rules
from ggp.solver.any_heap import any_heaps
from ggp.solver.smaller import LONGER, MORE, solved_by_smaller_sheet
from ggp.theory import NimHeap, SubtractionGame, nim_sum
from tests.conftest import GAMES, nightly

TEMPLATE = GAMES / "subtraction" / "subtraction.kif.jinja"

SHEET = """(role a) (role b) {start} (init (control a)) {chain}
(<= (legal ?p (take ?h ?n)) (true (control ?p)) (option ?h ?n))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (heap ?h ?n)) (does ?p (take ?h ?n)))
(<= (next (heap ?h ?m)) (true (heap ?h ?m)) (does ?p (take ?g ?n)) (distinct ?h ?g))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= open (option ?h ?n)) (<= terminal (not open)) {extra}
(<= (goal ?p 0) (true (control ?p)))
(<= (goal a 100) (true (control b))) (<= (goal b 100) (true (control a)))"""

DOWN = "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?m))"
TWO_DOWN = DOWN + "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?k) (succ ?k ?m))"
UP = (
    "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?m ?n))"
    "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?m ?k) (succ ?k ?n))"
)


def sheet(start: str, extra: str, length: int = 16, chain: str | None = None) -> str:
    """A game of heaps on a chain from 0."""
    pairs = chain or " ".join(f"(succ {n} {n + 1})" for n in range(length))
    return SHEET.format(start=start, chain=pairs, extra=extra)


@pytest.fixture
def soon(monkeypatch) -> None:
    """Chains are long from 10 sizes on, and 8 are kept, so that all positions can be looked at."""
    for name, value in (("LONG", 10), ("LEAST", 8), ("MOST", 8)):
        monkeypatch.setattr(module, name, value)


RED = "(init (colour red))"
TWO = "(init (heap 1 14)) (init (heap 2 9))"

SHORTENED = [
    pytest.param(TWO, DOWN, id="one at a time"),
    pytest.param(TWO, TWO_DOWN, id="one or two"),
    pytest.param(TWO, TWO_DOWN.removeprefix(DOWN), id="two at a time"),
    pytest.param("(init (heap 1 3)) (init (heap 2 5))", UP, id="upwards"),
    pytest.param("(init (heap 14 14)) (init (heap 9 9))", TWO_DOWN, id="names like sizes"),
    pytest.param("(init (heap 1 14))", TWO_DOWN, id="one heap"),
    pytest.param(TWO, DOWN + RED + "(<= (next (colour ?c)) (true (colour ?c)))", id="a colour"),
]

KEPT_LONG = [
    pytest.param(TWO, TWO_DOWN + RED, id="a fact that is lost"),
    pytest.param(TWO, TWO_DOWN + "(<= terminal (true (heap 1 11)))", id="a size of an end"),
    pytest.param(TWO, TWO_DOWN.replace("(true (heap ?h ?m))", "(true (heap ?h ?m)) (fine ?m)")
        + " ".join(f"(fine {n})" for n in range(17) if n != 12), id="a table of sizes"),
    pytest.param(TWO + "(init (least 12))",
        "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?m) (true (least ?l)) (distinct ?m ?l))"
        "(<= (next (least ?l)) (true (least ?l)))", id="a bound in the state"),
    pytest.param(TWO, DOWN + "(<= (option ?h 12) (true (heap ?h 14)))", id="a jump"),
    pytest.param(TWO, DOWN + "(init (clock 13)) (<= (next (clock ?n)) (true (clock ?m)) "
        "(succ ?n ?m)) (<= terminal (true (clock 0)))", id="a clock"),
    pytest.param(TWO, "(<= (less ?n ?m) (succ ?n ?m)) "
        "(<= (less ?n ?m) (succ ?n ?k) (less ?k ?m)) "
        "(<= (option ?h ?n) (true (heap ?h ?m)) (less ?n ?m))", id="any number"),
    pytest.param(TWO, DOWN + "(<= terminal (true (heap 1 ?n)) (true (heap 2 ?n)))",
        id="equal ends"),
    pytest.param(TWO, DOWN + "(<= (option ?h ?n) (true (heap ?h ?m)) (far ?n ?m)) (<= (far ?n ?m) "
        + "(succ ?n ?k1)" + "".join(f"(succ ?k{i} ?k{i + 1})" for i in range(1, 9))
        + "(succ ?k9 ?m))", id="more than is kept"),
    pytest.param(TWO, DOWN + "(<= (succ ?m ?o) (never ?m ?o))", id="a chain with a rule"),
    pytest.param(TWO, "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?m) (ends ?e))"
        "(<= (ends ?e) (succ ?d ?e) (not (follows ?e))) (<= (follows ?e) (succ ?e ?f))"
        "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?k ?m) (ends ?m) (succ ?n ?k))",
        id="the last size"),
]  # fmt: skip


@pytest.mark.parametrize(("start", "extra"), [*SHORTENED, *KEPT_LONG])
def test_as_all_positions_say(start, extra, soon, request) -> None:
    """By what applies first, with best moves here and one move later; and nothing is claimed by a
    shorter chain where it cannot be known."""
    rules = sheet(start, extra)
    for misere in (False, True):
        game = ggp.parse(rules)
        whole = ggp.parse(rules)
        known = whole.solve(method="positions", misere=misere)
        found = game.solve(misere=misere)
        first = game.initial
        for state in [first, *found.tree().moves(first).values()]:
            assert found.value(state) == known.value(whole.state(state.facts))
            assert found.best(state) == known.best(whole.state(state.facts))
    by_short = any(request.node.callspec.id == param.id for param in SHORTENED)
    assert (found.reason == LONGER) == by_short


def test_forced_moves_of_rules_that_are_not_ground() -> None:
    """Who is to move, with one move each: told by the shorter sheet."""
    rules = read_rules(Source("x.kif", sheet("(init (heap 1 600))", DOWN, 700)))
    solution = solved_by_smaller_sheet(rules, Budget(DEFAULT))
    assert solution is not None
    state = solution.game.initial
    for turn in range(4):
        mover = ("a", "b")[turn % 2]
        assert solution.mover(state) == mover
        assert solution.outcome(state) == ("P" if turn % 2 == 0 else "N")
        assert [str(move) for move in solution.best(state)] == [f"(take 1 {599 - turn})"]
        state = state.play({mover: solution.best(state)[0], "ba"[turn % 2]: "noop"})


@pytest.mark.parametrize("misere", [False, True])
def test_large_heaps_by_subtraction_games(misere) -> None:
    """{1, 2, 5} on heaps of 600 and 555, moves and all, without a ground form of theirs."""
    take, sizes = [1, 2, 5], [600, 555]
    game = ggp.load(TEMPLATE, heaps=sizes, take=take)
    solution = solved_by_smaller_sheet(game.rules, Budget(DEFAULT), misere=misere)
    assert solution is not None
    assert not solution.game.is_ground
    value = SubtractionGame(take).nim_value
    first = solution.game.initial
    best = {str(move) for move in solution.best(first)}
    after = [(i, n - d) for i, n in enumerate(sizes) for d in take]
    # The heaps are tame: with nim-values 0 and 1 alone the exclusive or is to be 1 in misère play.
    won = set()
    for i, n in after:
        both = value(n), value(sizes[1 - i])
        if both[0] ^ both[1] == (misere and max(both) < 2):
            won.add((i, n))
    assert (solution.outcome(first) == "N") == bool(won)
    assert best == {f"(move {i + 1} {n})" for i, n in won or after}


GAP = (
    "(<= (follows ?x) (succ ?x ?y)) (<= (second ?m) (succ ?m ?x) (not (follows ?x)))"
    "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?k) (succ ?k ?m) (not (second ?m)))"
    "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?k) (succ ?k ?l) (succ ?l ?m) "
    "(not (second ?m)))"
)


@pytest.mark.parametrize("size", [15, 14])
def test_sizes_that_the_largest_does_not_come_to(size, soon) -> None:
    """{2, 3}, but that the second largest has no move: it may be another that comes to it."""
    game = ggp.parse(sheet(f"(init (heap 1 {size}))", GAP))
    found = game.solve()
    assert found.reason != LONGER
    assert found.value(game.initial) == ggp.parse(game.rules.source.text).solve(
        method="positions"
    ).value(game.initial)


@pytest.mark.parametrize(
    ("start", "extra"),
    [
        ("(init (heap 1 14))", DOWN + "(<= terminal (true (heap 1 (big x))))"),
        ("(init (heap 1 0)) (init (heap 2 (big x)))", DOWN),
    ],
)
def test_sizes_that_are_made_of_others_are_left_alone(start, extra, soon) -> None:
    """A chain of compound terms: what rules say of them is not looked for."""
    names = [str(n) if n != 11 else "(big x)" for n in range(17)]
    chain = " ".join(f"(succ {a} {b})" for a, b in itertools.pairwise(names))
    game = ggp.parse(sheet(start, extra, chain=chain))
    found = game.solve()
    assert found.reason != LONGER
    assert found.value(game.initial) == game.solve(method="positions").value(game.initial)


def test_goals_that_are_sizes_are_those_of_no_other_chain(soon) -> None:
    text = sheet("(init (heap 1 14)) (init (heap 2 9))", DOWN, 600)
    goals = "(<= (goal a ?n) (true (heap 1 ?n))) (<= (goal b ?n) (true (heap 2 ?n)))"
    game = ggp.parse(text[: text.index("(<= (goal ?p 0)")] + goals)
    assert game.solve().value(game.initial) == {"a": 0, "b": 0}


def test_which_facts_become_smaller(soon) -> None:
    """Those about sizes, at their place; from either end of the chain that rules leave free."""
    text = sheet("(init (heap 14 14)) (init (heap 9 3))", DOWN)
    down, up = shorter(ggp.parse(text).rules)
    starts = {str(made): str(was) for made, was in down.starts.items()}
    assert starts == {"(heap 14 7)": "(heap 14 14)", "(heap 9 7)": "(heap 9 3)"}
    assert [str(t) for t in down.elements] == [str(n) for n in range(17)]
    assert up.elements == down.elements[::-1]
    assert {str(made) for made in up.starts} == {"(heap 14 9)", "(heap 9 9)"}
    assert sum(rule.head.name == "succ" for rule in down.rules.rules) == 7


@pytest.mark.parametrize(
    "start",
    [
        "(init (heap 1 14)) (init (heap 1 9))",
        "(init (heap 1 (of 14)))",
        "(init (heap (of 14) 14))",
        "(init (heap 1 x))",
    ],
)
def test_facts_that_are_left_alone(start, soon) -> None:
    """Two sizes of one heap become one fact; sizes inside other terms are not looked at."""
    assert not [*shorter(ggp.parse(sheet(start, DOWN)).rules)]


def test_chains_that_are_none(soon) -> None:
    """Two long ones, a circle, and one that is not long."""
    plain = [(n, n + 1) for n in range(16)]
    for chain in (
        " ".join(f"(succ {a} {b}) (more {a} {b})" for a, b in plain),
        " ".join(f"(succ {a} {b})" for a, b in [*plain, (16, 0)]),
        " ".join(f"(succ {a} {b})" for a, b in plain[:8]),
    ):
        assert not [*shorter(ggp.parse(sheet("(init (heap 1 7))", DOWN, chain=chain)).rules)]


def test_without_a_long_chain_nothing_is_claimed() -> None:
    rules = ggp.load(GAMES / "subtraction" / "sg-125.kif").rules
    assert solved_by_smaller_sheet(rules, Budget(DEFAULT)) is None
    game = Game(rules, DEFAULT, grounded=False)
    with pytest.raises(NotSolvable, match="too large to be ground"):
        game.solve(method="heaps")


def test_states_that_the_shorter_sheet_says_nothing_of(soon) -> None:
    """Two sizes of one heap, none, and below the floor: searched, or not at all."""
    rules = ggp.parse(sheet(TWO, TWO_DOWN)).rules
    solution = solved_by_smaller_sheet(rules, Budget(DEFAULT))
    assert solution is not None
    for facts in (
        ["(heap 1 14)", "(heap 1 13)", "(heap 2 9)", "(control a)"],
        ["(heap 1 14)", "(control a)"],
        ["(heap 1 14)", "(heap 2 9)", "(control a)", "(control b)"],
        ["(heap 1 14)", "(heap 2 9)"],
    ):
        state = solution.game.state(facts)
        assert solution.nim_value(state) is None
        with pytest.raises(NotSolvable, match="of this state"):
            solution.value(state)
    for a, b in itertools.product(range(17), repeat=2):
        state = solution.game.state([f"(heap 1 {a})", f"(heap 2 {b})", "(control b)"])
        assert solution.nim_value(state) == (a % 3) ^ (b % 3)
        assert solution.to_move(state) == "b"


@pytest.fixture
def few(monkeypatch) -> None:
    """Three heaps are many, and one left out is worth it: all positions can be looked at."""
    for name, value in (("MANY", 3), ("TIMES", 1)):
        monkeypatch.setattr(of_heaps, name, value)


MIXED = (3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 0, 1)
HEAPS = " ".join(f"(init (heap {n + 1} {size}))" for n, size in enumerate(MIXED))

FEWER = [
    pytest.param(DOWN, id="one at a time"),
    pytest.param(TWO_DOWN, id="one or two"),
    pytest.param(DOWN + RED + "(<= (next (colour ?c)) (true (colour ?c)))", id="a colour"),
    pytest.param(
        "(<= (less ?n ?m) (succ ?n ?m)) (<= (less ?n ?m) (succ ?n ?k) (less ?k ?m))"
        "(<= (option ?h ?n) (true (heap ?h ?m)) (less ?n ?m))",
        id="any number",
    ),
]

ALL_HEAPS = [
    pytest.param(DOWN + "(<= (option 3 ?n) (true (heap 3 ?m)) (succ ?n ?k) (succ ?k ?m))",
        id="a name"),
    pytest.param(
        "(soft 3) (soft 1) (<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?m) (soft ?h))",
        id="a table of names",
    ),
    pytest.param(
        "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?m) (not (taller ?m)))"
        "(<= (taller ?m) (true (heap ?h ?n)) (succ ?m ?n))",
        id="no taller one",
    ),
    pytest.param(DOWN + "(<= terminal (not (single ?h)) (true (heap ?h 1)))"
        "(<= (single ?h) (true (heap ?h ?m)) (true (heap ?g ?m)) (distinct ?g ?h))", id="alone"),
    pytest.param(
        "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?m) (true (heap ?g ?m)) (distinct ?h ?g))",
        id="one like it",
    ),
    pytest.param(DOWN + "(<= (next (last ?m)) (does ?p ?m)) "
        "(<= terminal (true (last (take ?h 0))) (true (heap ?h 0)))", id="a move that is kept"),
    pytest.param(
        "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?m) (not crowd)) (<= crowd "
        + " ".join(f"(true (heap ?{v} 1))" for v in "abcde")
        + " ".join(f"(distinct ?{a} ?{b})" for a, b in itertools.combinations("abcde", 2))
        + ")",
        id="five of one size",
    ),
    pytest.param(
        "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?m) (not one)) "
        "(<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?m) (not two)) "
        "(<= one (true (heap ?h 1))) (<= two (true (heap ?h 2)))",
        id="one or the other is missing",
    ),
]  # fmt: skip


TIED = (
    DOWN.replace("(succ ?n ?m)", "(succ ?n ?m) (tied ?h ?g)")
    + "(<= (tied ?a ?b) (true (heap ?a ?m)) (true (heap ?b ?m)))"
    "(<= (tied ?a ?b) (tied ?a ?c) (tied ?c ?b) (succ 0 1))"
)
"""Recursion through heaps."""


@pytest.mark.parametrize("extra", [*FEWER, *ALL_HEAPS, *nightly([TIED])])
def test_many_heaps_as_all_positions_say(extra, few, request) -> None:
    """Also one move later; and nothing is claimed by fewer heaps where it cannot be known."""
    rules = sheet(HEAPS, extra, 3)
    game, whole = ggp.parse(rules), ggp.parse(rules)
    known, found = whole.solve(method="positions"), game.solve()
    first = game.initial
    after = [] if first.terminal else found.tree().moves(first).values()
    for state in [first, *after]:
        assert found.value(state) == known.value(whole.state(state.facts))
        assert found.best(state) == known.best(whole.state(state.facts))
    by_fewer = request.node.callspec.id in [param.id for param in FEWER]
    assert (found.reason == MORE) == by_fewer


def test_heaps_with_names_made_of_others_are_all_looked_at(few) -> None:
    """What rules say of compound terms is not looked for: here two can be taken from one."""
    heaps = HEAPS.replace("(heap 12 1)", "(heap (big one) 3)")
    game = ggp.parse(sheet(heaps, DOWN + "(<= (option (big one) 1) (true (heap (big one) 3)))", 3))
    found = game.solve()
    assert found.reason != MORE
    assert found.value(game.initial) == game.solve(method="positions").value(game.initial)


def test_which_heaps_are_left_out(few) -> None:
    """As many stay as the variables of rules can stand for, and all are of the largest size."""
    [down, up] = fewer(ggp.parse(sheet(HEAPS, DOWN, 3)).rules)
    # legal, with option: 2; next: 2; open, which is denied: 2; and two.
    assert [str(name) for name in down.kept] == [str(n) for n in range(1, 9)]
    at_first = {str(r.head.args[0]) for r in down.rules.rules if r.head.name == "init"}
    assert at_first == {"(control a)", *(f"(heap {n} 3)" for n in range(1, 9))}
    assert len(down.starts) == len(MIXED)
    assert up.elements == down.elements[::-1]
    at_first = {str(r.head.args[0]) for r in up.rules.rules if r.head.name == "init"}
    assert at_first == {"(control a)", *(f"(heap {n} 0)" for n in range(1, 9))}


def test_a_few_more_heaps_than_tell_all_are_not_too_many() -> None:
    """Between what is proved at once and twice what is kept."""
    for rows in (9, 11):
        game = ggp.Game(ggp.load(GAMES / "nim/rows.kif.jinja", rows=rows).rules, grounded=False)
        shown = any_heaps(game)
        assert len(shown.proved) < rows
        assert shown.games == (NimHeap(),) * rows


ROWS = ("nim/rows.kif.jinja", {"rows": 16}, NimHeap())
SUBTRACTED = ("subtraction/subtraction.kif.jinja", {"heaps": [5] * 16}, SubtractionGame([1, 2, 5]))


@pytest.mark.parametrize(
    ("case", "misere"),
    [
        (ROWS, False),
        (SUBTRACTED, True),
        pytest.param(ROWS, True, marks=pytest.mark.slow),
        pytest.param(SUBTRACTED, False, marks=pytest.mark.slow),
    ],
)
def test_many_heaps_of_any_size(case, misere) -> None:
    """A few are proved, and all follow the same; sums are those of theory."""
    sheet_, settings, game = case
    rules = ggp.Game(ggp.load(GAMES / sheet_, **settings).rules, grounded=False)
    shown = any_heaps(rules, misere=misere)
    assert len(shown.proved) < 16
    assert shown.games == (game,) * 16
    name = "row" if game == NimHeap() else "heap"
    assert [heap.pattern for heap in shown.heaps] == [f"({name} {n} ?)" for n in range(1, 17)]
    for sizes in ([10**12, *range(15)], [1] * 16, [0] * 15 + [1], [4, 4, *[0] * 14]):
        values = [game.nim_value(n) for n in sizes]
        value = nim_sum(values)
        lost = value == (1 if misere and max(values) < 2 else 0)
        found = shown.of(sizes)
        assert found.outcome == ("P" if lost else "N"), sizes
        assert found.nim_value == (None if misere else value)
    facts = [heap.at(Term("3")) for heap in shown.heaps]
    at = shown.at([*facts, Term("control", (Term("right"),))])
    assert at is not None
    assert at.sizes == (3,) * 16
    is_lost = not (misere and game == SubtractionGame([1, 2, 5]))  # then all values are 0
    assert at.winner == ("left" if is_lost else "right")


def test_many_rows_of_nim_without_a_ground_form() -> None:
    """The exclusive or of 1, 3, 5, …: 0 for 24 rows (Bouton 1901); of 23 it is the last number."""
    for rows, value in ((24, 0), (23, 47)):
        source = read_sheet(str(GAMES / "nim" / "rows.kif.jinja"), {"rows": rows}, DEFAULT)
        rules = read_rules(source)
        solution = solved_by_smaller_sheet(rules, Budget(DEFAULT))
        assert solution is not None
        assert not solution.game.is_ground
        first = solution.initial
        assert solution.nim_value(first) == value
        sizes = range(1, 2 * rows, 2)
        wanted = {f"(take {i + 1} {n - (n ^ value)})" for i, n in enumerate(sizes) if n ^ value < n}
        best = {str(move) for move in solution.best(first)}
        assert best == wanted if value else len(best) == rows**2


def test_a_solution_is_the_same_in_another_process(soon) -> None:
    """Pickled with what is proved of the smaller sheet, which has no text of its own."""
    solution = solved_by_smaller_sheet(ggp.parse(sheet(TWO, DOWN)).rules, Budget(DEFAULT))
    assert solution is not None
    first = solution.initial
    known = solution.nim_value(first), solution.best(first), solution.mover(first)
    again = pickle.loads(pickle.dumps(solution))
    first = again.initial
    assert (again.nim_value(first), again.best(first), again.mover(first)) == known
    assert known[0] == 1
