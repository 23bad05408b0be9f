"""Sums of heaps that follow different sets, of any size: against all plays of small sizes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from itertools import product
from operator import xor
from typing import Any

import pytest

import ggp
from ggp.analysis import Heap
from ggp.analysis.claims import heaps as claim
from ggp.errors import InputError, NotSolvable
from ggp.kif import read_term
from ggp.limits import Budget
from ggp.solver import any_heap as module
from ggp.solver.any_heap import AnyHeaps, any_heaps
from ggp.solver.heap_sum import HeapSum
from ggp.theory import mex
from tests.conftest import GAMES
from tests.solver.test_sentences_table import heap, nim_values

SHEET = """(role left) (role right) (init (heap 2)) (init (control {first}))
(less 0 1) (less 0 2) (less 1 2)
(<= (legal ?p (to ?m)) (true (control ?p)) (true (heap ?n)) (less ?m ?n))
(<= (legal left noop) (true (control right))) (<= (legal right noop) (true (control left)))
(<= (next (heap ?m)) (does ?p (to ?m)))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= terminal (true (heap 0)))
(<= (goal left 10) (true (control left))) (<= (goal left 90) (true (control right)))
(<= (goal right 20) (true (control right))) (<= (goal right 80) (true (control left)))"""
"""Of which just the roles, whose turn it is and the goals matter here."""


@cache
def sheet(first: str = "left") -> ggp.Game:
    return ggp.parse(SHEET.format(first=first))


def sums(*heaps: Heap, play: str = "normal", misere: bool = False, first: str = "left") -> AnyHeaps:
    games = tuple(own.game for own in heaps if own.game)
    return AnyHeaps(sheet(first), heaps, games, play, misere, heaps)


KINDS: list[list[tuple[list[int], int]]] = [
    [([1, 2], 0)],
    [([2, 3], 1)],
    [([1, 2], 0), ([2, 3], 1)],
    [([1], 0), ([1, 3], 0), ([2], 2)],
    [([1, 2], 1), ([1, 2], 1), ([1, 2, 3], 0)],
]


@pytest.mark.parametrize("play", ["normal", "misère"])
@pytest.mark.parametrize("kinds", KINDS)
def test_unlike_heaps_by_looking_at_all_plays(
    kinds: list[tuple[list[int], int]], play: str
) -> None:
    @cache
    def is_won(sizes: tuple[int, ...]) -> bool:
        after = list(moves(sizes).values())
        return play == "misère" if not after else not all(map(is_won, after))

    def moves(sizes: tuple[int, ...]) -> dict[tuple[int, int], tuple[int, ...]]:
        return {
            (i, t): (*sizes[:i], sizes[i] - t, *sizes[i + 1 :])
            for i, (take, floor) in enumerate(kinds)
            for t in take
            if sizes[i] - t >= floor
        }

    proved = sums(*(heap(take, floor) for take, floor in kinds), play=play)
    values = [nim_values(take, floor) for take, floor in kinds]
    for sizes in product(*(range(floor, floor + 5) for _, floor in kinds)):
        found, won, after = proved.of(sizes), is_won(sizes), moves(sizes)
        assert found.sizes == sizes
        assert found.outcome == ("N" if won else "P")
        assert found.winner == ("left" if won else "right")
        assert found.goals == ({"left": 90, "right": 20} if won else {"left": 10, "right": 80})
        winning = [move for move, to in after.items() if not is_won(to)]
        assert sorted(found.best) == sorted(winning or after)
        told = tuple(own[n] for own, n in zip(values, sizes, strict=True))
        is_normal = play == "normal"
        assert found.nim_values == (told if is_normal else None)
        assert found.nim_value == (reduce(xor, told) if is_normal else None)
        assert (found.genera is None) == is_normal


@pytest.mark.parametrize(("take", "floor"), [([1, 2], 0), ([1, 2], 3), ([2, 4, 7], 0), ([2], 1)])
def test_values_repeat_from_where_it_is_said_and_not_before(take: list[int], floor: int) -> None:
    [(start, period)] = sums(heap(take, floor)).of([floor]).periods or []
    values = nim_values(take, floor, 120)
    assert start >= floor
    assert all(values[n] == values[n + period] for n in range(start, floor + 80))
    for shorter in range(1, period):
        assert any(values[n] != values[n + shorter] for n in range(start, floor + 80))
    assert start == floor or values[start - 1] != values[start - 1 + period]


def test_the_answer_as_plain_data() -> None:
    """From 5 and 4, of remainders 2 and 1 modulo 3, or sizes above a floor: 2 xor 1 is 3."""
    found = sums(heap([1, 2]), heap([1, 2], 3, name="pile")).of([5, 4])
    assert found.as_json() == {
        "outcome": "N",
        "result": "left",
        "goals": {"left": 90, "right": 20},
        "to_move": "left",
        "nim_value": 3,
        "genus": None,
        "quotient": None,
        "heaps": [
            {
                "heap": "(heap ?)",
                "size": 5,
                "reading": None,
                "nim_value": 2,
                "genus": None,
                "subtraction_set": [1, 2],
                "least_amount": None,
                "floor": 0,
                "preperiod": 0,
                "period": 3,
            },
            {
                "heap": "(pile ?)",
                "size": 4,
                "reading": None,
                "nim_value": 1,
                "genus": None,
                "subtraction_set": [1, 2],
                "least_amount": None,
                "floor": 3,
                "preperiod": 0,
                "period": 3,
            },
        ],
        "listed": [],
        "best": [{"heap": "(heap ?)", "take": 1}],
    }


@pytest.mark.parametrize(
    ("take", "sizes", "order", "lost", "genus", "genera"),
    [
        # Heaps of no or one counter, whose number alone counts: two elements, of which one is lost.
        ([1], [1], 2, 1, "1^{031}", ["1^{031}"]),
        ([1], [2, 1], 2, 1, "1^{031}", ["0^{120}", "1^{031}"]),
        ([1], [3, 1], 2, 1, "0^{120}", ["1^{031}", "1^{031}"]),
        # As Nim of heaps up to two (Plambeck and Siegel 2008): six elements, of which two are lost.
        ([1, 2], [2], 6, 2, "2^{20}", ["2^{20}"]),
        ([1, 2], [5, 4], 6, 2, "3^{31}", ["2^{20}", "1^{031}"]),
        ([1, 2], [2, 2], 6, 2, "0^{02}", ["2^{20}", "2^{20}"]),
    ],
)
def test_misere_play_has_genera_and_a_quotient(
    take: list[int], sizes: list[int], order: int, lost: int, genus: str, genera: list[str]
) -> None:
    """Genera of nimbers: Winning Ways, chapter 13."""
    found = sums(*(heap(take) for _ in sizes), play="misère").of(sizes).as_json()
    assert found["quotient"] == {"order": order, "lost": lost}
    assert found["nim_value"] is None
    assert found["genus"] == genus
    assert [own["genus"] for own in found["heaps"]] == genera
    assert [own["nim_value"] for own in found["heaps"]] == [None] * len(sizes)


def test_under_misere_play_periods_are_told_of_large_sizes_only() -> None:
    """From heaps of three on, as those of none to two have all that there is."""
    proved = sums(heap([1, 2]), heap([1], 2), play="misère")
    small = proved.of([2, 3])
    assert small.outcome in "NP"
    assert small.periods is None or len(small.periods) == 2
    large = proved.of([10**12, 10**15])
    # 10 ** 12 leaves 1 modulo 3, and above 2 there is an even number: the one counter is lost.
    assert large.outcome == "P"
    assert large.periods is not None
    (_, first), (_, second) = large.periods
    assert (first, second) == (3, 2)
    data = large.as_json()["heaps"]
    assert [own["period"] for own in data] == [3, 2]
    starts = [start for start, _ in large.periods]
    assert [own["preperiod"] for own in data] == [starts[0], starts[1] - 2]


@pytest.mark.parametrize("first", ["left", "right"])
@pytest.mark.parametrize("misere", [False, True])
def test_goals_are_those_of_the_rules_or_exchanged(first: str, misere: bool) -> None:
    proved = sums(heap([1]), misere=misere, first=first)
    other = {"left": "right", "right": "left"}[first]
    for size in (0, 1):
        found = proved.of([size])
        assert (found.sides.mover, found.sides.other) == (first, other)
        winner = first if size else other
        best, worst = {"left": 90, "right": 80}, {"left": 10, "right": 20}
        if misere:
            best, worst = {"left": 80, "right": 90}, {"left": 20, "right": 10}
        loser = {"left": "right", "right": "left"}[winner]
        assert found.winner == winner
        assert found.goals == {winner: best[winner], loser: worst[loser]}


@pytest.mark.parametrize(
    ("sizes", "why"),
    [
        ([], r"2 heaps, so as many sizes are wanted: \(heap \?\), \(pile \?\)"),
        ([1], "2 heaps, so as many sizes"),
        ([1, 5, 5], "2 heaps, so as many sizes"),
        ([-1, 5], r"\(heap \?\): no size below 0"),
        ([0, 3], r"\(pile \?\): no size below 4"),
        ([0, 4], None),
        ([0, 10**30], None),
    ],
)
def test_sizes_that_are_none_are_told(sizes: Sequence[int], why: str | None) -> None:
    proved = sums(heap([1, 2]), heap([1, 2], 4, name="pile"))
    if why is None:
        assert isinstance(proved.of(sizes), HeapSum)
        return
    with pytest.raises(InputError, match=f"^{why}"):
        proved.of(sizes)


def test_all_moves_of_a_lost_position_are_best() -> None:
    found = sums(heap([1, 2]), heap([2, 3])).of([3, 2 + 5 * 4 - 2])
    values = nim_values([2, 3], 0)
    assert values[20] == mex([values[18], values[17]])
    assert found.outcome == "P"
    assert sorted(found.best) == [(0, 1), (0, 2), (1, 2), (1, 3)]


ALONE = "(role a) (legal a x) (init s) (<= terminal (not (true s))) (goal a 50)"
CHANCE = "(role a) (role random) (legal a x) (legal random x) (init s) terminal (goal a 50)"
AT_ONCE = "(role a) (role b) (legal a x) (legal b x) (init s) terminal (goal a 50) (goal b 50)"


@pytest.mark.parametrize("text", [ALONE, CHANCE, AT_ONCE])
def test_games_of_another_kind_are_refused(text: str) -> None:
    with pytest.raises(NotSolvable, match=r"not proved to be a sum of heaps$"):
        any_heaps(ggp.parse(text))


def test_each_thing_that_is_not_proved_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[4], take=[1, 2])
    [proved] = any_heaps(game).heaps
    assert proved.subtraction_set == (1, 2)
    for name, value, why in (
        ("games_of_any_size", lambda *given: None, "for every longer chain"),
        ("form_of", lambda *given: None, "for every longer chain"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, value)
            with pytest.raises(NotSolvable, match=f"not proved {why}$"):
                any_heaps(game)
    odd = Heap(proved.shape, proved.elements, proved.fluents, 4, {0: (), 1: (1,), 3: (2,), 4: (1,)})
    assert odd.subtraction_set is None
    for found, why in (([], "to be a sum of heaps"), ([proved, odd], "for every longer chain")):
        with monkeypatch.context() as patched:
            patched.setattr(claim, "proved", _saying(found))
            with pytest.raises(NotSolvable, match=f"not proved {why}$"):
                any_heaps(game)


def _saying(found: object) -> Any:
    return lambda proofs: found


@pytest.mark.parametrize(
    ("is_misere", "misere", "play"),
    [
        (False, False, "normal"),
        (False, True, "misère"),
        (True, False, "misère"),
        (True, True, "normal"),
    ],
)
def test_exchanging_goals_changes_the_form_of_play(
    is_misere: bool, misere: bool, play: str
) -> None:
    game = ggp.load(
        GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[4], take=[1, 2], misere=is_misere
    )
    found = any_heaps(game, misere=misere)
    assert (found.play, found.misere, found.game) == (play, misere, game)
    # Lost are multiples of 3, or under misère play what leaves 1.
    for size in range(7):
        wins = size % 3 != (0 if play == "normal" else 1)
        assert found.of([size]).outcome == ("N" if wins else "P")
        assert found.of([size]).goals == {"left": 100 * wins, "right": 100 * (not wins)}


PARTISAN = SHEET.replace(
    "(<= (legal ?p (to ?m)) (true (control ?p)) (true (heap ?n)) (less ?m ?n))",
    """(<= (legal left (to ?m)) (true (control left)) (true (heap ?n)) (less ?m ?n))
    (<= (legal right (to ?m)) (true (control right)) (true (heap ?n)) (less ?m ?n)
        (or (distinct ?m 0) (distinct ?n 2)))""",
)
"""Right may not take two at once."""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SHEET.replace(" 20", " 10").replace(" 80", " 90"), "normal"),
        (SHEET.replace("10", "91").replace("20", "92").replace("90", "9").replace("80", "8"),
         "misère"),
        (PARTISAN, None),
        (ALONE, None),
        (AT_ONCE, None),
    ],
)  # fmt: skip
def test_the_form_of_impartial_games_by_turns(text: str, found: str | None) -> None:
    game = ggp.parse(text.format(first="left"))
    assert module.form_of(game, Budget(game.limits)) == found


def take(size: int, *amounts: int) -> ggp.Game:
    return ggp.load(
        GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[size], take=list(amounts)
    )


@pytest.mark.parametrize("start", [20, 21])
def test_amounts_with_a_divisor_are_proved_by_their_residues(start: int) -> None:
    """Of {2, 4} what the sheet comes to is even or odd; of both the values are those of a table."""
    known = any_heaps(take(start, 2, 4))
    values: list[int] = []
    for size in range(30):
        values.append(mex(values[size - d] for d in (2, 4) if d <= size))
        assert known.of([size]).nim_value == values[size]
    assert known.of([10**18]).nim_value == values[10**18 % 6]


def test_heaps_of_a_long_chain_are_proved_by_a_shorter_one() -> None:
    """Without a net of it; sizes have the names that they have there."""
    rules = take(3_000, 1, 4, 6).rules
    known = any_heaps(ggp.Game(rules, grounded=False))
    assert len(known.heaps[0].fluents) < 200
    assert len(known.heaps[0].elements) == 3_001
    assert known.of([10**18]).outcome == "P"


@pytest.mark.parametrize(
    ("facts", "sizes"),
    [
        (["(heap 1 20)", "(control left)"], (20, "left")),
        (["(heap 1 999)", "(control right)"], (999, "right")),
        (["(control right)", "(heap 1 0)"], (0, "right")),
        (["(heap 1 999)"], None),
        (["(heap 2 999)", "(control left)"], None),
        (["(heap 1 0999)", "(control left)"], None),
        ([f"(heap 1 {10**999})", "(control left)"], (10**999, "left")),
        ([f"(heap 1 1{'0' * 5_000})", "(control left)"], None),
        (["(heap 1 x)", "(control left)"], None),
        (["(heap 1 -3)", "(control left)"], None),
        (["(heap 1 9)", "(heap 1 8)", "(control left)"], None),
        (["(heap 1 999)", "(control left)", "(control right)"], None),
        (["(heap 1 999)", "(control left)", "(other 1)"], None),
    ],
)
def test_facts_may_have_sizes_beyond_the_chain(facts: list[str], sizes: Any) -> None:
    found = any_heaps(take(20, 1, 2)).at([read_term(fact) for fact in facts])
    assert (found and (*found.sizes, found.sides.mover)) == sizes


def test_a_chain_that_does_not_count_in_numerals_has_no_further_sizes() -> None:
    names = "abcdefgh"
    rules = take(7, 1, 2).rules.source.text
    for n, name in enumerate(names):
        rules = rules.replace(
            f"(succ {n} {n + 1})", f"(succ {name} {names[n + 1]})" if n < 7 else ""
        )
    rules = rules.replace("(init (heap 1 7))", "(init (heap 1 h))")
    known = any_heaps(ggp.parse(rules))
    at = [known.at([read_term(f), read_term("(control left)")])
          for f in ("(heap 1 h)", "(heap 1 8)")]  # fmt: skip
    assert [found and found.sizes for found in at] == [(7,), None]
