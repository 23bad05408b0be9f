"""Misère quotients and octal games, against published figures and complete search."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.theory import (
    HeapQuotient,
    HexadecimalGame,
    MisereQuotient,
    NoQuotient,
    OctalGame,
    QuotientTable,
    SubtractionGame,
    mex,
)
from tests.conftest import nightly, shared

Sum = tuple[tuple[int, int], ...]


def searched(games) -> Callable[[Sum], bool]:
    """Whether the player to move loses a sum under misère play, by the definition."""

    @cache
    def is_lost(position: Sum) -> bool:
        has_moved = False
        for i, (kind, size) in enumerate(position):
            rest = position[:i] + position[i + 1 :]
            for left in games[kind].options(size):
                heaps = left if isinstance(left, tuple) else (left,)
                has_moved = True
                if is_lost(tuple(sorted((*rest, *((kind, n) for n in heaps))))):
                    return False
        return has_moved

    return is_lost


def published() -> list[dict]:
    return json.loads(shared("truth", "misere.json").read_text())["quotients"]


CODES = ("0.3", "0.333", "0.75", "0.71", "0.52", "0.313", "0.34", "0.51", "0.331", "0.77")
QUICK = [code for code in CODES if code != "0.77"]


@cache
def quotient(code: str) -> HeapQuotient:
    """Of heaps of any size."""
    found = HeapQuotient([OctalGame(code)])
    found.part(0, 10**12)
    return found


@pytest.mark.parametrize("code", [*QUICK, *nightly(["0.77"])])
def test_published_quotients(code) -> None:
    """Order, lost elements, transition algebra, periods, and which heaps are the same."""
    [known] = (q for q in published() if q["code"] == code)
    found = quotient(code)
    monoid = found.monoid
    assert (monoid.order, len(monoid.lost)) == (known["Q_size"], known["P_size"])
    assert monoid.transitions == known["transition_algebra"]
    assert found.periods() == [(known["preperiod"], known["period"])]
    elements = [monoid.element(found.part(0, n)) for n in range(len(known["phi"]))]
    assert len({*zip(elements, known["phi"], strict=True)}) == len({*elements})
    assert len({*elements}) == len({*known["phi"]})


@pytest.mark.parametrize("code", ["0.77", "0.33", "0.123", "0.07"])
def test_published_outcomes(code) -> None:
    """The sums of up to three heaps that are lost."""
    known = json.loads(shared("truth", "misere.json").read_text())["outcomes"][code]
    found = HeapQuotient([OctalGame(code)])
    for name, many in (("P_singles", 1), ("P_pairs", 2), ("P_triples", 3)):
        lost = [tuple(sum_) if many > 1 else (sum_,) for sum_ in known[name]]
        largest = max(n for sum_ in lost for n in sum_)
        wanted = {
            sum_
            for sum_ in combinations_with_replacement(range(1, largest + 1), many)
            if found.outcome([(0, n) for n in sum_]) == "P"
        }
        assert wanted == set(lost), name


@st.composite
def kinds(draw) -> list:
    """One or two games of heaps."""
    if draw(st.booleans()):
        digits = draw(st.text("01234567", min_size=1, max_size=3).filter(lambda d: d.strip("0")))
        return [OctalGame(f"{draw(st.sampled_from('0004'))}.{digits}")]
    sets = st.sets(st.integers(1, 6), min_size=1, max_size=3)
    floors = st.integers(0, 2)
    return [
        SubtractionGame(draw(sets), draw(floors)) for _ in range(draw(st.integers(1, 2)))
    ]  # fmt: skip


@settings(max_examples=20, deadline=None)
@given(kinds(), st.randoms(use_true_random=False))
def test_outcomes_are_those_of_complete_search(games, random) -> None:
    """Of sums of small heaps, and of larger ones from where elements repeat."""
    found = HeapQuotient(games, max_order=50, max_sums=20_000)
    is_lost = searched(games)
    heaps = [(k, n) for k, game in enumerate(games) for n in range(game.floor, 11)]
    sums = [s for many in range(3) for s in combinations_with_replacement(heaps, many)]
    sums += [tuple(sorted(random.choices(heaps, k=4))) for _ in range(20)]
    try:
        outcomes = [found.outcome(s) for s in sums]
    except NoQuotient:
        return
    assert outcomes == ["P" if is_lost(s) else "N" for s in sums]


@pytest.mark.parametrize("code", ["0.8", "0.9", "0.B", "4.1", "8.3"])
def test_outcomes_of_codes_that_leave_three_heaps(code) -> None:
    game = HexadecimalGame(code)
    found, is_lost = HeapQuotient([game]), searched([game])
    for sizes in combinations_with_replacement(range(8), 2):
        lost = is_lost(tuple((0, n) for n in sizes))
        assert found.outcome([(0, n) for n in sizes]) == ("P" if lost else "N")


def test_kinds_that_are_not_tame_are_no_exclusive_or() -> None:
    """Two heaps of one token each: lost by the shifted exclusive or, won in truth."""
    found = HeapQuotient([SubtractionGame({1})])
    assert found.outcome([(0, 1), (0, 1)]) == "N"
    assert found.outcome([(0, 10**18), (0, 10**18 + 1)]) == "P"


def test_limits_are_met_and_stay_met() -> None:
    games = [OctalGame("0.71")]
    for limits in ({"max_order": 20}, {"max_transitions": 100}, {"max_sums": 20}):
        found = HeapQuotient(games, **limits)
        with pytest.raises(NoQuotient):
            found.part(0, 100)
        with pytest.raises(NoQuotient):
            found.monoid.add([()])
    with pytest.raises(NoQuotient, match="heaps up to 10"):
        HeapQuotient([OctalGame("0.75")], max_size=10).part(0, 1000)


def test_what_is_broken_off_is_not_gone_on_with() -> None:
    looks = count()

    def look() -> None:
        if next(looks) == 10:
            raise RuntimeError

    found = MisereQuotient(look=look)
    with pytest.raises(RuntimeError):
        deque((found.add([(n,) for n in range(size)]) for size in range(9)), maxlen=0)
    with pytest.raises(RuntimeError, match="broken off"):
        found.add([])


@pytest.mark.parametrize(
    ("code", "preperiod", "period"),
    [
        ("0.77", 71, 12),
        ("0.137", 52, 34),
        ("0.07", 53, 34),
        ("0.156", 3479, 349),
        ("0.33", 0, 3),
    ],
)
def test_periods_of_octal_games(code, preperiod, period) -> None:
    """Winning Ways, chapter 4, table 7; Guy and Smith 1956."""
    game = OctalGame(code)
    assert (game.preperiod, game.period) == (preperiod, period)
    assert game.nim_value(preperiod + 5 + 10**6 * period) == game.nim_value(preperiod + 5)


@given(st.text("01234567", min_size=1, max_size=4).filter(lambda d: d.strip("0")))
def test_nim_values_are_by_definition(digits) -> None:
    game, values = OctalGame(f"0.{digits}"), []
    for size in range(25):
        found = set()
        for taken, digit in enumerate(map(int, digits), 1):
            left = size - taken
            if left == 0 and digit & 1:
                found.add(0)
            if left > 0 and digit & 2:
                found.add(values[left])
            if left > 1 and digit & 4:
                found |= {values[one] ^ values[left - one] for one in range(1, left)}
        values.append(mex(found))
    assert game.nim_values(24) == values


@pytest.mark.parametrize("code", ["", "77", "0.", "0.8", "1.7", "0.00", "0.7a"])
def test_codes_that_are_none(code) -> None:
    with pytest.raises(ValueError, match="no octal code"):
        OctalGame(code)


def words_of(known) -> dict[str, int]:
    """For each generator a heap that is it."""
    return {letter: known["phi"].index(letter) for letter in known["generators"]}


def heaps_of(word: str, letters: dict[str, int]) -> list[tuple[int, int]]:
    """The heaps whose sum a word like `ab2c` is."""
    found = re.findall(r"([a-z])(\d*)", word)
    return [(0, letters[letter]) for letter, power in found for _ in range(int(power or 1))]


@pytest.mark.parametrize("code", CODES)
def test_published_relations(code) -> None:
    """And the elements that are lost, by their words; the tables prove themselves."""
    [known] = (q for q in published() if q["code"] == code)
    found, letters = quotient(code), words_of(known)
    table = found.monoid.table

    def element(word: str) -> int:
        return table.image(found.part(*heap) for heap in heaps_of(word, letters))

    for relation in known["relations"]:
        one, other = relation.split("=")
        assert element(one) == element(other), relation
    assert {element(word) for word in known["P"]} == table.lost
    assert len(table.lost) == known["P_size"]
    assert [element(word) for word in known["phi"]] == [
        table.image([found.part(0, n)]) for n in range(len(known["phi"]))
    ]
    assert table.check() == known["transition_algebra"]
    assert table.is_tame == (known["tame"] == "Yes")


def some_table() -> QuotientTable:
    found = HeapQuotient([OctalGame("0.333")])
    found.part(0, 12)
    return found.monoid.table


WRONG = r"moves do not say|no element|changes others|matters|not assoc|the same beside|not every"


def changed(rows, at, to):
    """A table of products with one entry and its mirror image changed."""
    x, y = at
    made = [list(row) for row in rows]
    made[x][y] = made[y][x] = to
    return tuple(map(tuple, made))


def test_tables_that_are_wrong_are_refused() -> None:
    """Every change of one entry, one outcome, or the element of a part."""
    table = some_table()
    order = len(table.product)
    assert table.check() == 16
    for x in range(order):
        with pytest.raises(ValueError, match=WRONG):
            replace(table, lost=table.lost ^ {x}).check()
    for x, y in combinations_with_replacement(range(order), 2):
        for to in {*range(order)} - {table.product[x][y]}:
            with pytest.raises(ValueError, match=WRONG):
                replace(table, product=changed(table.product, (x, y), to)).check()
    for i, (element, options) in enumerate(table.parts):
        for other in {*range(order)} - {element}:
            parts = (*table.parts[:i], (other, options), *table.parts[i + 1 :])
            with pytest.raises(ValueError, match=WRONG):
                replace(table, parts=parts).check()


def test_tables_that_are_none_are_refused() -> None:
    table = some_table()
    faults = {
        "no element": replace(table, product=changed(table.product, (1, 1), 9)),
        "changes others": replace(table, product=changed(table.product, (0, 1), 0)),
        "come after it": replace(table, parts=((0, ((0,),)),)),
        "not every element": replace(table, parts=table.parts[:1]),
    }
    for message, wrong in faults.items():
        with pytest.raises(ValueError, match=message):
            wrong.check()
