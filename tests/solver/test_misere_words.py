"""Heaps under misère play in words: Bouton's rule, where Ferguson's property holds."""

from __future__ import annotations

import itertools
import random
from functools import cache

import pytest

import ggp
from ggp.analysis.heaps.heap import HOLE, Heap
from ggp.kif import Term
from ggp.solver.heap_words import are_as_nim, lost_sizes
from ggp.solver.sentences import sentences
from ggp.theory import nim_sum
from tests.conftest import GAMES

MOST = 7


def table(takes: dict[int, tuple[int, ...]]) -> Heap:
    elements = tuple(Term(str(n)) for n in range(MOST + 1))
    return Heap(Term("heap", (HOLE,)), elements, (None,) * (MOST + 1), MOST, takes)


def is_lost(heaps: list[Heap], sizes: tuple[int, ...]) -> bool:
    """By the definition: who cannot move wins."""

    @cache
    def lost(sizes: tuple[int, ...]) -> bool:
        options = [
            (*sizes[:i], size - amount, *sizes[i + 1 :])
            for i, size in enumerate(sizes)
            for amount in heaps[i].takes[size]
        ]
        return bool(options) and not any(map(lost, options))

    return lost(sizes)


def test_what_is_to_be_left_is_what_is_lost() -> None:
    """Of random heaps with the property, alone and in sums of two and three."""
    draw = random.Random(5)
    known = 0
    for _ in range(400):
        heaps = []
        for _ in range(draw.choice([1, 2, 3])):
            most = [n for n in range(1, 4) if draw.random() < 0.7]
            own = {n: tuple(m for m in most if m <= n) for n in range(MOST + 1)}
            for n in draw.sample(range(MOST + 1), 3):
                own[n] = tuple(m for m in range(1, n + 1) if draw.random() < 0.5)
            heaps.append(table(own))
        if not are_as_nim(heaps):
            continue
        known += 1
        for sizes in itertools.product(range(MOST + 1), repeat=len(heaps)):
            values = [heap.nim_value(n) for heap, n in zip(heaps, sizes, strict=True)]
            wanted = 0 if max(values) > 1 else 1
            assert (nim_sum(values) == wanted) == is_lost(heaps, sizes), (heaps, sizes)
        if len(heaps) == 1:
            lost = [n for n in range(MOST + 1) if is_lost(heaps, (n,))]
            early, late, begin, period = lost_sizes(heaps[0], 1)
            told = {*early, *(n for n in range(begin, MOST + 1) if n % period in late)}
            assert sorted(told) == lost
    assert known > 50


def test_without_the_property_there_is_no_such_rule() -> None:
    """A heap of 3 leads to 2 alone, of nim-value 2, so that it is lost in either form of play."""
    heap = table({0: (), 1: (1,), 2: (1, 2), 3: (1,)})
    assert heap.nim_value(3) == 0
    assert not are_as_nim([heap])
    assert is_lost([heap], (3,))


AS_NIM = "Leave heaps whose nim-values have the exclusive or 0, or 1 where none of them is above 1"
SUBTRACTION = "subtraction/subtraction.kif.jinja"


@pytest.mark.parametrize(
    ("sheet", "settings", "player", "text"),
    [
        (
            "nim/rows.kif.jinja",
            {},
            "left",
            f"{AS_NIM}: of every heap its size.",
        ),
        (
            SUBTRACTION,
            {"heaps": [21], "take": [1, 2, 3]},
            "right",
            "Leave (heap 1 ?) at a size with remainder 1 modulo 4.",
        ),
        (
            SUBTRACTION,
            {"heaps": [40, 41, 43], "take": [1, 2, 3]},
            "left",
            f"{AS_NIM}: of every heap size mod 4.",
        ),
    ],
)
@pytest.mark.parametrize("exchanged", [False, True])
def test_the_winner_of_misere_play_has_a_sentence(sheet, settings, player, text, exchanged) -> None:
    """By a sheet for misère play, and by goals that are exchanged; the loser has none."""
    game = ggp.load(GAMES / sheet, **settings, misere=not exchanged)
    found = game.solve(misere=exchanged)
    other = "left" if player == "right" else "right"
    assert [one.text for one in sentences(found, player)][:1] == [text]
    assert sentences(found, player)[0].certainty == "proved"
    assert sentences(found, other) == []


def test_remainders_under_misere_play_as_a_formula() -> None:
    """21 tokens of which one, two or three are taken, and the last loses: leave 4k + 1."""
    pytest.importorskip("sympy")
    game = ggp.load(GAMES / SUBTRACTION, heaps=[21], take=[1, 2, 3], misere=True)
    [one] = sentences(game.solve(), "right")
    assert str(one.sympy()) == "Eq(Mod(n, 4), 1)"
