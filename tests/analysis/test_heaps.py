"""Heaps by proof: against enumeration, of any size or of a table only, and as summands."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis import Positions, find_heaps
from ggp.analysis.claims.heaps import proved as proved_heaps
from ggp.analysis.heaps.independence import is_no_sum
from ggp.limits import Budget
from ggp.solver.sentences import sentences
from tests.conftest import GAMES, nightly

SG = GAMES / "subtraction"
OTHERS = ["sg-12-15-named.kif", "sg-125-take.kif", "sg-157.kif", "subtraction.kif.jinja"]
SHEETS = [
    *sorted(path for path in SG.glob("*.kif*") if path.name not in OTHERS),
    GAMES / "nim" / "rows.kif.jinja", *nightly(SG / name for name in OTHERS),
]  # fmt: skip


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_proof_and_enumeration_find_the_same(sheet) -> None:
    game = ggp.load(sheet)
    context = Positions(game, Budget())
    proved, counted = proved_heaps(context.proofs), find_heaps(context)
    assert [(h.pattern, h.size, h.takes) for h in proved] == [
        (h.pattern, h.size, h.takes) for h in counted
    ]
    assert game.analyse()["heaps"].certainty == "proved"
    assert not (proved and is_no_sum(game))


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("connect-four/connect-four.kif.jinja", {"columns": 4, "rows": 4}),
        # Two heaps of which each decides what may be taken from the other.
        ("multiples/multiples.kif.jinja", {"first": 5, "second": 8}),
        ("multiples/multiples.kif.jinja", {"first": 29, "second": 30}),
    ],
)
def test_single_positions_tell_of_what_is_no_sum_of_heaps(sheet, settings) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    assert is_no_sum(game)
    assert proved_heaps(Positions(game, Budget()).proofs) == ()


def test_a_sum_of_heaps_with_different_moves_for_the_roles_is_not_refuted() -> None:
    # p may take one as well in two ways: numbers of moves are told apart by who is to move.
    chain = " ".join(f"(s {n} {n + 1})" for n in range(6))
    game = ggp.parse(f"""(role p) (role q) (init (control p)) (init (a 6)) (init (b 5)) {chain}
        (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
        (<= (legal ?r (takea ?m)) (true (control ?r)) (true (a ?m)) (s ?n ?m))
        (<= (legal p (grab ?m)) (true (control p)) (true (a ?m)) (s ?n ?m))
        (<= (legal ?r (takeb ?m)) (true (control ?r)) (true (b ?m)) (s ?n ?m))
        (<= (legal p noop) (true (control q))) (<= (legal q noop) (true (control p)))
        (<= grabs (does p (grab ?m))) (<= takes (does ?r (takea ?m))) (<= ina grabs) (<= ina takes)
        (<= (next (a ?n)) (true (a ?m)) ina (s ?n ?m))
        (<= (next (a ?m)) (true (a ?m)) (not ina))
        (<= (next (b ?n)) (true (b ?m)) (not ina) (s ?n ?m))
        (<= (next (b ?m)) (true (b ?m)) ina)
        (<= some (true (a ?m)) (s ?n ?m)) (<= some (true (b ?m)) (s ?n ?m))
        (<= terminal (not some))
        (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))""")
    assert [heap.pattern for heap in proved_heaps(Positions(game, Budget()).proofs)] == [
        "(a ?)",
        "(b ?)",
    ]
    assert not is_no_sum(game)


def sheet(legal: str, facts: str = "", size: int = 9) -> str:
    chain = " ".join(f"(s {n} {n + 1})" for n in range(size))
    return f"""(role p) (role q) (init (control p)) (init (heap {size})) {chain} {facts}
        (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
        (<= (legal ?r (to ?n)) (true (control ?r)) (may ?n)) {legal}
        (<= (legal p noop) (true (control q))) (<= (legal q noop) (true (control p)))
        (<= (next (heap ?n)) (does ?r (to ?n)))
        (<= some (may ?n)) (<= terminal (not some))
        (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"""


ONE_OR_TWO = """(<= (may ?n) (true (heap ?m)) (s ?n ?m))
    (<= (may ?n) (true (heap ?m)) (s ?n ?k) (s ?k ?m))"""


@pytest.mark.parametrize(
    ("legal", "facts", "expected"),
    [
        (ONE_OR_TWO, "", ((1, 2), "any size")),
        # A stop at 2 that the rules name.
        (
            "(<= (may ?n) (true (heap ?m)) (s ?n ?m) (distinct ?n 0) (distinct ?n 1))",
            "",
            ((1,), "any size"),
        ),
        # The same moves from a list of numbers: who knows how it goes on.
        (
            "(<= (may ?n) (true (heap ?m)) (take ?m ?n))(<= (may ?n) (true (heap ?m)) (s ?n ?m))",
            " ".join(f"(take {m} {m - 2})" for m in range(2, 10)),
            ((1, 2), "table"),
        ),
        # Any number: the order is defined by recursion, which sees the whole chain.
        (
            """(<= (may ?n) (true (heap ?m)) (lt ?n ?m)) (<= (lt ?a ?b) (s ?a ?b))
            (<= (lt ?a ?c) (lt ?a ?b) (s ?b ?c))""",
            "",
            (tuple(range(1, 10)), "table"),
        ),
        # One more from the largest size, which a longer chain has elsewhere.
        (
            ONE_OR_TWO + " (<= (may 0) (true (heap ?m)) (not (has_next ?m)))"
            " (<= (has_next ?m) (s ?m ?n))",
            "",
            ((1, 2, 9), "table"),
        ),
    ],
)
def test_scope(legal, facts, expected) -> None:
    [heap] = ggp.parse(sheet(legal, facts)).analyse().heaps
    assert (heap.subtraction_set, heap.scope) == expected


def test_a_heap_of_any_size_has_its_nim_value_at_once() -> None:
    [heap, *_] = ggp.load(SG / "sg-125.kif").analyse().heaps
    assert heap.scope == "any size"
    assert heap.game.nim_value(10**18) == 10**18 % 3


def test_heaps_far_too_large_to_enumerate() -> None:
    """Nim with 12 heaps of 30: the nim-sum of equal heaps in pairs is 0 (Bouton 1901)."""
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", heaps=[30] * 12)
    solution = game.solve()
    assert solution.method == "sum of heaps by nim-values"
    assert solution.outcome(game.initial) == "P"
    after = game.initial.play("(take 4 7)")
    assert solution.nim_value(after) == 30 ^ 23
    assert "(take 1 7)" in map(str, solution.best(after))


@pytest.mark.parametrize(
    ("path", "settings", "summands"),
    [
        (SG / "sg-12-15.kif", {}, 2),
        (GAMES / "nim" / "rows.kif.jinja", {"rows": 4}, 4),
        (GAMES / "kayles" / "kayles-7.kif", {}, None),
        (GAMES / "domineering" / "domineering-3x4.kif", {}, None),
        # From (a, b) take a multiple of either from either: one game.
        (GAMES / "multiples" / "multiples.kif.jinja", {}, None),
    ],
)
def test_summands(path, settings, summands) -> None:
    findings = ggp.load(path, **settings).analyse()
    assert (len(findings.value("sum")) if "sum" in findings else None) == summands


def test_heaps_that_end_each_other_are_no_sum() -> None:
    """Play ends when the first heap is empty: what can be taken of the second hangs on that."""
    chain = " ".join(f"(s {n} {n + 1})" for n in range(5))
    text = f"""(role p) (role q) (init (control p)) (init (heap a 4)) (init (heap b 5)) {chain}
        (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
        (<= (legal ?r (take ?h)) (true (control ?r)) (true (heap ?h ?m)) (s ?n ?m))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (heap ?h ?n)) (does ?r (take ?h)) (true (heap ?h ?m)) (s ?n ?m))
        (<= (next (heap ?h ?m)) (true (heap ?h ?m)) (does ?r (take ?g)) (distinct ?g ?h))
        (<= some (true (heap ?h ?m)) (s ?n ?m))
        (<= terminal (not some))
        (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"""
    assert len(ggp.parse(text).analyse().value("heaps")) == 2
    ended = f"{text} (<= terminal (true (heap a 0)))"
    assert ggp.parse(ended).analyse().value("heaps") == []


def test_sizes_that_do_not_come_up_have_no_nim_value() -> None:
    """From 5 by 3 or 4 play comes to 2 and 1: of 3 it is not told that it has a move to 0."""
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[5, 7], take=[3, 4])
    first, second = game.analyse(only=["heaps"]).heaps
    assert (first.floor, first.nim_values) == (1, [0, 0, None, None, 1])
    assert (second.floor, second.nim_values) == (0, [0, 0, None, 1, 1, None, None, 0])
    [told] = [s for s in sentences(game.solve(), "left") if s.kind == "nim-sum"]
    assert told.text.endswith(" (of the sizes that play comes to).")
