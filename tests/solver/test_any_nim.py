"""Nim of any size: what longer sheets say when they are solved position by position."""

from __future__ import annotations

import itertools

import pytest

import ggp
from ggp.analysis.heaps import shorter
from ggp.errors import NotSolvable
from ggp.limits import Budget
from ggp.solver.any_heap import any_heaps, heaps_on_long_chain
from ggp.solver.long_heaps import LongHeapSolution, MisereLongHeaps
from ggp.solver.sentences import sentences
from ggp.theory import NimHeap, SubtractionGame
from tests.conftest import GAMES, nightly

BASE = """
(role left) (role right) (init (control left)) {init} {succ} {rules}
(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= (next (row ?r ?m)) (true (row ?r ?m)) (does ?p (take ?q ?k)) (distinct ?r ?q))
(<= terminal (not more)) (<= more (true (row ?r ?m)) {more})
(<= (goal ?p {lost}) (true (control ?p)))
(<= (goal ?p {won}) (role ?p) (true (control ?q)) (distinct ?p ?q))
"""

LESS = "(<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?b) (succ ?a ?c) (less ?c ?b)) "
LEFT = """(<= (legal ?p (take ?r ?n)) (true (control ?p)) (true (row ?r ?m)) (less ?n ?m))
(<= (next (row ?r ?n)) (does ?p (take ?r ?n))) """
OF_ROW = "(<= (legal ?p (take ?r ?k)) (true (control ?p)) (true (row ?r ?m)) "
NUMBER = "(<= (number ?a) (succ ?a ?b)) (<= (number ?b) (succ ?a ?b)) "
MINUS = "(<= (minus ?m ?k ?n) (succ ?j ?k) (minus ?m ?j ?i) (succ ?n ?i)) "
TAKEN = "(<= (next (row ?r ?n)) (true (row ?r ?m)) (does ?p (take ?r ?k)) (minus ?m ?k ?n)) "
FORMS = {
    "what is left": LEFT + LESS,
    "from above": LEFT.replace("less ?n ?m", "more_than ?m ?n")
    + "(<= (more_than ?b ?a) (succ ?a ?b)) (<= (more_than ?b ?a) (succ ?a ?c) (more_than ?b ?c))",
    "closure": LEFT + LESS.replace("(succ ?a ?c) (less ?c ?b)", "(less ?a ?c) (less ?c ?b)"),
    "amounts": OF_ROW + "(minus ?m ?k ?n)) " + TAKEN + MINUS + "(<= (minus ?m 1 ?n) (succ ?n ?m))",
    "sums": (
        OF_ROW + "(plus ?n ?k ?m)) "
        "(<= (next (row ?r ?n)) (true (row ?r ?m)) (does ?p (take ?r ?k)) (plus ?n ?k ?m)) "
        "(<= (plus ?n 1 ?m) (succ ?n ?m)) "
        "(<= (plus ?n ?k ?m) (succ ?j ?k) (plus ?n ?j ?i) (succ ?i ?m))"
    ),
    "bounds": NUMBER
    + OF_ROW
    + "(leq ?k ?m) (distinct ?k 0)) "
    + TAKEN
    + MINUS
    + "(<= (minus ?a 0 ?a) (number ?a)) "
    + "(<= (leq ?a ?a) (number ?a)) (<= (leq ?a ?b) (succ ?a ?c) (leq ?c ?b))",
    "not all": NUMBER
    + OF_ROW
    + "(less ?k ?m) (less 0 ?k)) "
    + TAKEN
    + MINUS
    + "(<= (minus ?a 0 ?a) (number ?a)) "
    + LESS,
    "two or more": LEFT + LESS.replace("(succ ?a ?b))", "(succ ?a ?c) (succ ?c ?b))", 1),
}
"""Ways to say the same, but for the last two; of these the first leaves one in a row at least."""

MORE = dict.fromkeys(FORMS, "(succ ?n ?m)") | {
    name: "(succ ?n ?m) (succ ?l ?n)" for name in ("not all", "two or more")
}


def sheet(name: str, sizes, *, misere: bool = False, rules: str = "") -> ggp.Game:
    """A sheet with rows of some sizes, and more rules besides."""
    init = " ".join(f"(init (row {n} {size}))" for n, size in enumerate(sizes, 1))
    succ = " ".join(f"(succ {n} {n + 1})" for n in range(max(*sizes, 3)))
    goals = {"lost": 100 * misere, "won": 100 - 100 * misere}
    return ggp.parse(
        BASE.format(init=init, succ=succ, rules=FORMS[name] + rules, more=MORE[name], **goals)
    )


DAILY = [("what is left", False), ("amounts", True), ("bounds", False)]
OTHERS = [own for own in itertools.product(FORMS, (False, True)) if own not in DAILY]


@pytest.mark.parametrize(
    ("name", "misere"), [*DAILY, *(pytest.param(*own, marks=pytest.mark.slow) for own in OTHERS)]
)
def test_as_sheets_of_that_size_by_all_positions(name, misere) -> None:
    proved = any_heaps(sheet(name, [4, 5], misere=misere))
    for sizes in itertools.product((1, 2, 3, 8), (2, 3, 9)):
        if min(sizes) < proved.games[0].floor:
            continue
        found = proved.of(sizes)
        longer = sheet(name, sizes, misere=misere)
        solution = longer.solve(method="positions")
        assert solution.outcome(longer.initial) == found.outcome, sizes
        assert solution.value(longer.initial) == found.goals
        if found.outcome == "N":
            named = {str(move).split()[1]: 0 for move in solution.best(longer.initial)}
            assert len(found.best) == len(solution.best(longer.initial))
            assert {str(i + 1) for i, _ in found.best} == named.keys()


def test_rows_of_a_sheet_of_the_library() -> None:
    """Bouton: what is left has the exclusive or 0."""
    proved = any_heaps(ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=3))
    assert proved.games == (NimHeap(),) * 3
    found = proved.of([10**18, 10**18 + 5, 6])
    assert found.nim_values == (10**18, 10**18 + 5, 6)
    assert found.best
    for i, amount in found.best:
        sizes = list(found.sizes)
        sizes[i] -= amount
        assert proved.of(sizes).outcome == "P"
    lost = proved.of([10**18, 10**18 + 5, 5])
    assert lost.outcome == "P"
    assert len(lost.best) == 1_000
    assert lost.as_json()["heaps"][0]["least_amount"] == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("what is left", "long enough, where any number may be taken"),
        ("two or more", "long enough, where any number of 2 and more may be taken"),
    ],
)
def test_what_reports_say_of_nim(name, text) -> None:
    """The table of a heap is not that of a larger one."""
    found = sheet(name, [4, 5]).analyse(only=["heaps"])
    assert text in found["heaps"].evidence.why
    assert {heap.scope for heap in found.heaps} == {"table"}


MIXED = """
(<= (legal ?p (take row ?n)) (true (control ?p)) (true (row 1 ?m)) (less ?n ?m))
(<= (next (row 1 ?n)) (does ?p (take row ?n))) (<= (taken row) (does ?p (take row ?n)))
(<= (legal ?p (take pile ?n)) (true (control ?p)) (true (pile ?m)) (step ?n ?m))
(<= (next (pile ?n)) (does ?p (take pile ?n))) (<= (taken pile) (does ?p (take pile ?n)))
(<= (next (pile ?n)) (true (pile ?n)) (not (taken pile)))
(<= (next (row 1 ?n)) (true (row 1 ?n)) (not (taken row)))
(<= (step ?n ?m) (succ ?n ?m)) (<= (step ?n ?m) (succ ?n ?l) (succ ?l ?m))
(<= more (true (pile ?m)) (succ ?n ?m)) """


@pytest.mark.parametrize("misere", [False, *nightly([True])])
def test_a_nim_heap_beside_another_one(misere) -> None:
    """From the row any number is taken, from the pile one or two."""

    def mixed(row: int, pile: int) -> ggp.Game:
        init = f"(init (row 1 {row})) (init (pile {pile}))"
        succ = " ".join(f"(succ {n} {n + 1})" for n in range(max(row, pile, 3)))
        goals = {"lost": 100 * misere, "won": 100 - 100 * misere}
        text = BASE.replace("(take ?q ?k)) (distinct ?r ?q)", "(take nothing ?k)) (distinct ?r 1)")
        rules = MIXED + LESS
        more = "(succ ?n ?m)"
        return ggp.parse(text.format(init=init, succ=succ, rules=rules, more=more, **goals))

    proved = any_heaps(mixed(4, 5))
    assert {*proved.games} == {NimHeap(), SubtractionGame([1, 2])}
    order = [heap.shape.name for heap in proved.heaps]
    for row, pile in itertools.product((1, 2, 3, 7), (1, 2, 6, 9)):
        found = proved.of([{"row": row, "pile": pile}[name] for name in order])
        game = mixed(row, pile)
        solution = game.solve(method="positions")
        assert solution.value(game.initial) == found.goals, (row, pile)
        if found.outcome == "N":
            assert len(found.best) == len(solution.best(game.initial)), (row, pile)


BY_TABLE = LEFT.replace("(less ?n ?m)", "(less ?n ?m) (size ?n)") + LESS


@pytest.mark.parametrize(
    ("listed", "floor"),
    [(range(6), 0), (range(1, 6), None), (range(5), None), (range(2, 6), None), (range(7), None)],
)
def test_tables_of_all_sizes_are_as_long_as_the_chain(listed, floor) -> None:
    """Of what else a longer chain says there is no telling: one of the positive sizes may be one of
    amounts, which would be the same on that."""
    facts = " ".join(f"(size {n})" for n in listed)
    more = "(succ ?n ?m)" if floor != 1 else "(succ ?n ?m) (succ ?l ?n)"
    init = "(init (row 1 4)) (init (row 2 5))"
    succ = " ".join(f"(succ {n} {n + 1})" for n in range(5))
    goals = {"lost": 0, "won": 100}
    game = ggp.parse(BASE.format(init=init, succ=succ, rules=BY_TABLE + facts, more=more, **goals))
    if floor is None:
        with pytest.raises(NotSolvable):
            any_heaps(game)
    else:
        found = any_heaps(game)
        assert found.games == (NimHeap(1, floor),) * 2
        assert found.listed == ("size",)
        assert found.of([9, 9]).as_json()["listed"] == ["size"]
        why = game.analyse(only=["heaps"])["heaps"].evidence.why
        assert "of which size is to list all sizes as here, where any number may be taken" in why


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("what is left", "(<= terminal (true (row 1 9)))"),
        ("what is left", "(<= terminal (true (row 1 ?m)) (true (row 2 ?m)))"),
        ("what is left", "(<= (legal ?p pass) (true (control ?p)) (true (row 1 7)))"),
        ("amounts", "(<= (next (row 2 ?m)) (true (row 2 ?n)) (does ?p (take 1 2)) (succ ?m ?n))"),
        ("amounts", "(<= (next (last ?k)) (does ?p (take ?r ?k)))"),
        ("amounts", "(<= (next (last ?k)) (does ?p ?k))"),
        ("amounts", "(<= (legal ?p (take 1 1)) (true (control ?p)) (true (row 2 2)))"),
        ("amounts", "(<= (minus 2 2 1))"),
        ("what is left", "(even 0) (<= (even ?b) (even ?a) (succ ?a ?c) (succ ?c ?b)) "
         "(<= terminal (true (row 1 ?m)) (true (row 2 ?n)) (even ?m) (even ?n))"),
    ],
)  # fmt: skip
def test_what_is_no_sum_of_heaps_at_some_size_is_refused(name, rules) -> None:
    with pytest.raises(NotSolvable):
        any_heaps(sheet(name, [4, 5], rules=rules))


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("name", "sizes"), [("amounts", [116, 3]), ("two or more", [140])])
def test_a_sheet_with_a_long_chain_by_a_shorter_one(name, sizes, misere, monkeypatch) -> None:
    """Of every state that play comes to value and best moves are those by all positions."""
    monkeypatch.setattr(shorter, "LONG", 100)
    monkeypatch.setattr(shorter, "MOST", 20)
    game = sheet(name, sizes, misere=misere)
    found, whole = game.solve(), game.solve(method="positions")
    assert isinstance(found, MisereLongHeaps if misere else LongHeapSolution)
    assert found.is_nim == (name == "amounts")
    space = game.space()
    for place in range(0, len(space), 1 + len(space) // 150):
        state = ggp.State(game, space.state(place))
        assert found.value(state) == whole.value(state)
        assert found.best(state) == whole.best(state), state
        assert found.mover(state) == whole.mover(state)
    told = [one.text for one in sentences(found, "left")]
    if name == "amounts":
        last = ", or 1 where none of them is above 1" if misere else ""
        rule = f"the exclusive or 0{last}: of every heap its size (proved for every size)"
        assert any(rule in text for text in told)
    else:
        assert not any(text.startswith("Leave") for text in told)


BY_MINUS = TAKEN + MINUS + "(<= (minus ?m 1 ?n) (succ ?n ?m)) "
BY_LEQ = FORMS["bounds"].replace("(leq ?k ?m) (distinct ?k 0)", "(leq ?k ?m) (amount ?k)")
LISTED = {
    "sum": OF_ROW + "(amount ?k) (minus ?m ?k ?n)) " + BY_MINUS,
    "comparison": BY_LEQ,
    "constants": OF_ROW.replace("?k", "1")
    + "(minus ?m 1 ?n)) "
    + OF_ROW.replace("?k", "3")
    + "(minus ?m 3 ?n)) "
    + BY_MINUS,
}


@pytest.mark.parametrize("misere", [False, *nightly([True])])
@pytest.mark.parametrize("name", LISTED)
def test_amounts_that_are_listed(name, misere) -> None:
    """One or three may be taken, by a table or one by one."""

    def listed(sizes, facts: str = "(amount 1) (amount 3)") -> ggp.Game:
        init = " ".join(f"(init (row {n} {size}))" for n, size in enumerate(sizes, 1))
        succ = " ".join(f"(succ {n} {n + 1})" for n in range(max(*sizes, 5)))
        goals = {"lost": 100 * misere, "won": 100 - 100 * misere}
        rules = LISTED[name] + facts
        return ggp.parse(
            BASE.format(init=init, succ=succ, rules=rules, more="(succ ?n ?m)", **goals)
        )

    proved = any_heaps(listed([4, 6]))
    assert proved.games == (SubtractionGame([1, 3]),) * 2
    if name == "sum" and not misere:
        analysed = listed([4, 6]).analyse(only=["heaps"])
        assert {heap.scope for heap in analysed.heaps} == {"any size"}
        assert analysed["heaps"].evidence.why.endswith("every chain that is long enough")
    for sizes in itertools.product((1, 2, 4, 8), (3, 6, 9)):
        found, game = proved.of(sizes), listed(sizes)
        solution = game.solve(method="positions")
        assert solution.value(game.initial) == found.goals, sizes
        if found.outcome == "N":
            assert len(found.best) == len(solution.best(game.initial))
    if name != "constants":
        every = " ".join(f"(amount {n})" for n in range(1, 6))  # of the chain that there is
        assert any_heaps(listed([4, 5], every)).games == (SubtractionGame(range(1, 6)),) * 2
    for facts in ("(amount 1) (amount 9)", "(amount 0) (amount 1)", "(amount 1) (amount x)"):
        if name != "constants":
            with pytest.raises(NotSolvable):
                any_heaps(listed([4, 6], facts))


def test_a_long_chain_of_which_listed_amounts_are_taken() -> None:
    """The rules, with all differences of two sizes, need not be ground."""
    succ = " ".join(f"(succ {n} {n + 1})" for n in range(3_000))
    rules = LISTED["sum"] + "(amount 1) (amount 3) (amount 4)"
    text = BASE.format(
        init="(init (row 1 3000))", succ=succ, rules=rules, more="(succ ?n ?m)", lost=0, won=100
    )
    game = ggp.parse(text, limits=ggp.Limits(ground_rules=100_000))
    assert not game.is_ground
    found = game.solve()
    assert found.nim_value(game.initial) == SubtractionGame([1, 3, 4]).nim_value(3_000)
    for move in found.best(game.initial):
        after = game.initial.play({"left": move, "right": "noop"})
        assert found.value(after) == {"left": 100, "right": 0}


def test_a_table_of_positive_sizes_is_of_the_chain_that_there_is(monkeypatch) -> None:
    """A long chain is solved by it; of a longer one nothing is said."""
    monkeypatch.setattr(shorter, "LONG", 100)
    monkeypatch.setattr(shorter, "MOST", 20)
    left = FORMS["what is left"].replace("(less ?n ?m)", "(less ?n ?m) (positive ?m)", 1)
    monkeypatch.setitem(FORMS, "what is left", left)
    rules = " ".join(f"(positive {n})" for n in range(1, 117))
    game = sheet("what is left", [116, 3], rules=rules)
    found, whole = game.solve(), game.solve(method="positions")
    assert isinstance(found, LongHeapSolution)
    assert found.best(game.initial) == whole.best(game.initial)
    told = sentences(found, "left")[0].text
    assert "of every heap its size" in told
    assert "every size" not in told
    with pytest.raises(NotSolvable):
        heaps_on_long_chain(game, Budget(game.limits)) or any_heaps(game)


DOUBLE = """
(<= (legal ?p (clear ?r)) (true (control ?p)) (true (row ?r ?m)) (succ ?n ?m))
(<= (next (row ?r 0)) (does ?p (clear ?r)))
(<= (next (row ?r ?m)) (true (row ?r ?m)) (does ?p (clear ?q)) (distinct ?r ?q))
"""


def test_moves_that_take_the_same_are_all_best(monkeypatch) -> None:
    """Whoever clears a row takes all of it, as another move does."""
    monkeypatch.setattr(shorter, "LONG", 100)
    monkeypatch.setattr(shorter, "MOST", 20)
    game = sheet("what is left", [120, 2], rules=DOUBLE)
    found, whole = game.solve(), game.solve(method="positions")
    assert isinstance(found, LongHeapSolution)
    state = game.state(["(row 1 113)", "(row 2 0)", "(control left)"])
    assert list(map(str, found.best(state))) == ["(clear 1)", "(take 1 0)"]
    assert found.best(state) == whole.best(state)
    for facts in (["(row 1 2)", "(row 2 1)"], ["(row 1 100)", "(row 2 2)"]):
        state = game.state([*facts, "(control left)"])
        assert found.best(state) == whole.best(state)


def test_sizes_of_a_long_chain_have_the_names_of_its_elements() -> None:
    """In words, under misère play, where the start is told by its sizes."""
    names = [f"w{37 * n % 1009}" for n in range(600)]
    succ = " ".join(f"(succ {a} {b})" for a, b in itertools.pairwise(names))
    init = f"(init (row 1 {names[599]})) (init (row 2 {names[500]}))"
    rules = FORMS["what is left"]
    text = BASE.format(init=init, succ=succ, rules=rules, more="(succ ?n ?m)", lost=100, won=0)
    game = ggp.Game(ggp.parse(text, limits=ggp.Limits(ground_rules=0)).rules, grounded=False)
    shown = heaps_on_long_chain(game, Budget(game.limits))
    found = shown.at(sorted(game.initial.facts))
    assert found.sizes == (599, 500)
    assert found.best == [(0, 99)]
