"""Sums of tame heaps under misère play: by genera, and by search of all that can come of them."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import pytest

from ggp.theory import ImpartialGame, OctalGame, SubtractionGame, TameHeaps, WildHeap
from ggp.theory.heap_quotient import as_heaps


class Table:
    """Heaps of which each size has options of its own, heaps of smaller sizes."""

    floor, parts = 0, 2

    def __init__(self, options: list[list[tuple[int, ...]]]) -> None:
        self._options, self.most = options, len(options)

    def options(self, size: int) -> list[tuple[int, ...]]:
        return self._options[size]


def same_as_by_search(games, size: int) -> bool:
    """Of sums of up to three heaps; or a wild heap is one by all that can come of it."""
    rules = list(map(as_heaps, games))
    whole = ImpartialGame(
        lambda heap: [tuple((heap[0], left) for left in option)
                      for option in rules[heap[0]].options(heap[1])]
    )  # fmt: skip
    heaps = [(kind, n) for kind, rule in enumerate(rules) for n in range(rule.floor, size + 1)]
    try:
        found = TameHeaps(games, [size] * len(games))
    except WildHeap:
        assert not all(whole.is_tame(heap) for heap in heaps)
        return False
    for heap in heaps:
        assert found.genus(*heap) == whole.genus(heap)
    for count in range(4):
        for chosen in combinations_with_replacement(heaps, count):
            assert found.outcome(chosen) == whole.misere_outcome(*chosen)
    return True


def some_heaps(seed: int) -> Table:
    """Options of up to two heaps, drawn at random."""
    draw = random.Random(seed)
    options: list[list[tuple[int, ...]]] = []
    for size in range(draw.randrange(3, 9)):
        parts = [draw.choice((1, 1, 1, 2)) for _ in range(draw.randrange(4))] if size else []
        options.append([tuple(draw.randrange(size) for _ in range(n)) for n in parts])
    return Table(options)


def test_heaps_with_options_drawn_at_random() -> None:
    tables = list(map(some_heaps, range(150)))
    tame = [same_as_by_search([table], table.most - 1) for table in tables]
    assert 0 < sum(tame) < len(tame)


@pytest.mark.parametrize(
    "games",
    [
        [SubtractionGame({1, 2, 5})],
        [SubtractionGame({1, 3, 4}, 2), SubtractionGame({2})],
        [SubtractionGame(set(range(1, 8)))],
        [OctalGame("0.52")],
    ],
)
def test_heaps_that_are_tame(games) -> None:
    assert same_as_by_search(games, 7)


def test_kayles_is_wild_from_a_row_of_five_on() -> None:
    """Winning Ways, chapter 13."""
    kayles = OctalGame("0.77")
    assert str(TameHeaps([kayles], [4]).genus(0, 4)) == "1^{031}"
    with pytest.raises(WildHeap, match=r"a heap of 5 "):
        TameHeaps([kayles], [5])
