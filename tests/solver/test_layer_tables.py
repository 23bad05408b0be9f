"""Windows of packed positions, and the ranks and images that are looked up by them."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import ggp
from ggp.analysis.evidence import Ranking
from ggp.machine import Coding
from ggp.machine.coding import Field
from ggp.solver.layers import images as images_module
from ggp.solver.layers import kernels
from ggp.solver.layers import ranks as ranks_module
from ggp.solver.layers.images import Images, symmetrised
from ggp.solver.layers.ranks import Ranks, weights_of
from ggp.solver.layers.windows import windows
from tests.conftest import GAMES
from tests.solver.plain import plain


@pytest.fixture(autouse=True)
def _plain(monkeypatch) -> None:
    for module in (ranks_module, images_module):
        monkeypatch.setattr(module, "kernels", plain(kernels))


def coding(*sizes: int) -> Coding:
    """Groups of so many fluents, one after the other: of just one that holds, or (negative) of one
    at the most. The fluents are numbered from the last group to the first."""
    fields, first, fluent = [], 0, sum(map(abs, sizes))
    for size in sizes:
        fluent -= abs(size)
        numbers = range(int(size < 0 or size == 1), 99)
        codes = tuple(
            (fluent + i, code) for i, code in zip(range(abs(size)), numbers, strict=False)
        )
        fields.append(Field(first, codes[-1][1].bit_length(), codes))
        first += fields[-1].width
    return Coding.of_fields(fields, sum(map(abs, sizes)))


def row_of(made: Coding, held) -> int:
    """A state, of which some fluents hold, as a number of packed bits."""
    codes = {fluent: code << f.first for f in made.fields for fluent, code in f.codes}
    return sum(codes[fluent] for fluent in held)


def rows_of(made: Coding, states) -> np.ndarray:
    numbers = [row_of(made, held) for held in states]
    return np.array(
        [[n >> 64 * k & (1 << 64) - 1 for k in range(made.words)] for n in numbers], dtype=np.uint64
    )


def numbers_of(rows) -> list[int]:
    return [sum(word << 64 * k for k, word in enumerate(row)) for row in rows.tolist()]


def random_states(made: Coding, seed: int, count: int = 40) -> list[list[int]]:
    rng = random.Random(seed)
    states = []
    for _ in range(count):
        chosen = [rng.choice([*f.codes, *[(None, 0)] * f.codes[0][1]])[0] for f in made.fields]
        states.append([fluent for fluent in chosen if fluent is not None])
    return states


@pytest.mark.parametrize(
    ("sizes", "fields", "width", "found"),
    [
        ((1, 4, 8), [], 11, []),
        ((1, 4, 8), [0], 11, [[0, 1, 0]]),
        ((1, 4, 8), [2], 11, [[3, 3, 0]]),
        ((1, 4, 8), [0, 1, 2], 11, [[0, 6, 0]]),
        ((1, 4, 8), [0, 1, 2], 6, [[0, 6, 0]]),
        ((1, 4, 8), [0, 1, 2], 5, [[0, 3, 0], [3, 3, 8]]),
        ((1, 4, 8), [0, 1, 2], 3, [[0, 3, 0], [3, 3, 8]]),
        ((1, 4, 8), [0, 1, 2], 2, [[0, 1, 0], [1, 2, 2], [3, 3, 6]]),
        ((1, 4, 8), [0, 2], 11, [[0, 1, 0], [3, 3, 2]]),  # there is a gap between them
        ((1, 4, 8), [1, 2], 11, [[1, 5, 0]]),
        ((8, 8, 8, 8), [0, 1, 2, 3], 7, [[0, 6, 0], [6, 6, 64]]),
        ((40, 1, 40), [0, 1, 2], 3, [[0, 6, 0], [6, 1, 64], [7, 6, 66]]),  # wider as a field is
    ],
)
def test_windows_cover_fields_that_follow_one_another(sizes, fields, width, found) -> None:
    assert windows(coding(*sizes), fields, width).reshape(-1, 3).tolist() == found


def test_windows_are_of_eleven_bits_if_nothing_else_is_said() -> None:
    made = coding(*[1] * 24)
    assert windows(made, range(24)).tolist() == [[0, 11, 0], [11, 11, 2048], [22, 2, 4096]]
    assert windows(made, range(0)).shape == (0, 3)


@pytest.mark.parametrize(
    ("sizes", "weights"),
    [
        ((1,), {0: 3}),
        ((4,), {0: 3, 1: 5, 2: 7, 3: 11}),
        ((-4,), {0: 3, 1: 5, 2: 7, 3: 11}),
        ((-3, 1, 4), {0: 1, 2: 10, 3: 0, 4: 100, 5: -7}),
        ((4, 4, 4), {0: 1, 3: 2, 8: 30, 11: 40}),  # nothing of what is in the middle
        ((-7, 1, -9, 1, 20, 1), {f: 3 * f * f + 1 for f in range(39)}),
        ((-5, 40, *[1] * 60, 8), {f: 2 * f + 1 for f in range(0, 113, 2)}),
        ((*[1] * 61, 9, 1, -9), {f: f + 1 for f in range(80)}),
        ((4, 2), {}),
    ],
)
def test_a_rank_is_the_sum_of_the_weights_of_what_holds(sizes, weights) -> None:
    made = coding(*sizes)
    states = random_states(made, len(sizes))
    ranks = Ranks(made, weights)
    assert ranks.weights == weights
    assert ranks(rows_of(made, states)).tolist() == [
        sum(weights.get(fluent, 0) for fluent in held) for held in states
    ]


ALONE = "(role a) (init (at 2)) (succ 0 1) (succ 1 2) (<= terminal (true (at 0))) (goal a 100)"
ALONE += "(<= (legal a go) (true (at ?n))) (<= (next (at ?m)) (true (at ?n)) (succ ?m ?n))"
AT_ONCE = "(role a) (role b) (init (at 2)) (succ 0 1) (succ 1 2) (<= terminal (true (at 0)))"
AT_ONCE += "(legal a l) (legal a r) (legal b l) (legal b r) (goal a 50) (goal b 50)"
AT_ONCE += "(<= (next (at ?m)) (true (at ?n)) (succ ?m ?n))"


@pytest.mark.parametrize(
    ("sheet", "strict", "passes", "found"),
    [
        ("nim", None, False, {"(row 1 1)": 4, "(row 2 3)": 7, "(control left)": 2}),
        ("nim", ("left", "right"), False, {"(row 1 1)": 4, "(row 2 3)": 7, "(control left)": 2}),
        ("nim", ("right", "left"), False, {"(row 1 1)": 4, "(row 2 3)": 7, "(control left)": 2}),
        # Twice the sum, and one more while the other is to move.
        (
            "nim",
            ("left",),
            False,
            {"(row 1 1)": 8, "(row 2 3)": 14, "(control left)": 4, "(control right)": 1},
        ),
        ("nim", ("right",), False, {"(row 1 1)": 8, "(row 2 3)": 14, "(control left)": 5}),
        ("nim", None, True, None),
        ("nim", ("left",), True, None),
        (AT_ONCE, None, False, {"(at 1)": 1, "(at 2)": 2}),
        (AT_ONCE, ("a",), False, None),  # nobody's turn
        (ALONE, ("a",), False, {"(at 1)": 1, "(at 2)": 2}),
        ("three", None, False, {"(control left)": 2}),
        ("three", ("left",), False, None),  # one of three
        ("stays", ("a",), False, None),  # the turn is told, and does not change every time
        ("stays", ("a", "b"), False, {"(at 1)": 1, "(at 2)": 2}),
    ],
)
def test_weights_that_fall_with_every_move(sheet, strict, passes, found) -> None:
    game = loaded(sheet)
    if sheet == "nim":
        weights = {"(row 1 1)": 4, "(row 2 3)": 7, "(control left)": 2}
    else:
        weights = {"(control left)": 2} if sheet == "three" else {"(at 1)": 1, "(at 2)": 2}
    made = weights_of(game, Ranking("", weights, strict, passes))
    names = [str(fluent) for fluent in game.net.fluents]
    assert (None if made is None else {names[i]: w for i, w in made.items()}) == found


STAYS = """(role a) (role b) (init (control a)) (init (at 2)) (succ 0 1) (succ 1 2)
    (<= (legal ?r l) (true (control ?r))) (<= (legal ?r r) (true (control ?r)))
    (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
    (<= (next (at ?m)) (true (at ?n)) (succ ?m ?n))
    (<= (next (control b)) (does a l)) (<= (next (control a)) (does a r))
    (<= (next (control a)) (does b l)) (<= (next (control b)) (does b r))
    (<= terminal (true (at 0))) (goal a 50) (goal b 50)"""
THREE = """(role left) (role right) (role last) (init (control left)) (init (at 2))
    (<= (legal ?r l) (true (control ?r))) (<= (legal ?r r) (true (control ?r)))
    (<= (legal ?r noop) (role ?r) (true (control ?q)) (distinct ?r ?q))
    (<= (next (control right)) (true (control left)))
    (<= (next (control last)) (true (control right)))
    (<= (next (control left)) (true (control last)))
    (<= (next (at 1)) (true (at 2))) (<= (next (at 0)) (true (at 1)))
    (<= terminal (true (at 0))) (goal left 50) (goal right 50) (goal last 0)"""


@cache
def loaded(sheet: str) -> ggp.Game:
    if sheet == "nim":
        return ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=2)
    return ggp.parse({"three": THREE, "stays": STAYS}.get(sheet, sheet))


def moved(permutation, held) -> list[int]:
    return [permutation[fluent] for fluent in held]


@pytest.mark.parametrize(
    ("sizes", "permutation", "is_kept"),
    [
        ((2, 2), (0, 1, 2, 3), False),  # the identity
        ((2, 2), (2, 3, 0, 1), True),
        ((2, 2), (1, 0, 2, 3), True),
        ((2, 2), (3, 2, 1, 0), True),
        ((2, 2), (0, 2, 1, 3), False),  # a group goes to two
        ((-2, -2), (3, 2, 0, 1), True),
        ((2, -2), (2, 3, 0, 1), False),  # of just one that holds, and of one at the most
        ((2, -2), (1, 0, 3, 2), True),
        ((-2, 1), (1, 2, 0), False),
        ((1, 1, -2), (0, 1, 3, 2), True),
        ((1, 1, -2), (2, 3, 0, 1), False),
        ((1, 1, 1), (1, 2, 0), True),
    ],
)
def test_permutations_that_map_groups_to_groups_are_kept(sizes, permutation, is_kept) -> None:
    images = Images(coding(*sizes), [permutation])
    assert images.permutations == ([permutation] if is_kept else [])
    assert images.order == 1 + is_kept


@pytest.mark.parametrize(
    ("sizes", "permutations"),
    [
        ((1, 1, 1), [(1, 2, 0), (2, 0, 1)]),
        ((-2, -2), [(2, 3, 0, 1)]),
        ((4, 4), [(1, 0, 3, 2, 4, 5, 6, 7), (4, 5, 6, 7, 0, 1, 2, 3), (7, 6, 5, 4, 3, 2, 1, 0)]),
        ((-6,) * 9, [tuple((f + 6 * k) % 54 for f in range(54)) for k in range(1, 9)]),
        ((-3,) * 33, [tuple(98 - f for f in range(99)), tuple((f + 33) % 99 for f in range(99))]),
        ((1,) * 130, [tuple((f + k) % 130 for f in range(130)) for k in (1, 60, 65)]),
        ((-5,) * 24, [tuple((f + 5 * k) % 120 for f in range(120)) for k in (1, 11, 23)]),
    ],
)
@pytest.mark.parametrize("width", [1, 4, 7])
def test_the_least_image_stands_for_a_state(sizes, permutations, width) -> None:
    """The least as a number, of which the first bits are the last."""
    made = coding(*sizes)
    images = Images(made, permutations, width=width)
    assert images.order == 1 + len(permutations)
    states = random_states(made, sum(sizes), 12)
    rows = rows_of(made, states)
    assert images(rows) is rows
    assert numbers_of(rows) == [
        min(row_of(made, moved(p, held)) for p in [range(made.size), *permutations])
        for held in states
    ]


def test_without_symmetries_rows_stay_as_they_are() -> None:
    made = coding(2, 2)
    rows = rows_of(made, [[0, 2], [1, 3]])
    assert numbers_of(Images(made, [(0, 1, 2, 3)])(rows.copy())) == numbers_of(rows)


def test_tables_have_a_row_for_each_value_of_each_window() -> None:
    cut, tables = Images(coding(2, 2, 4), [(1, 0, 2, 3, 4, 5, 6, 7)], width=2).arrays
    assert cut.tolist() == [[0, 2, 0], [2, 2, 4]]
    assert tables.shape == (1, 8, 1)


@pytest.mark.parametrize(
    ("weights", "permutations", "found"),
    [
        ({0: 1, 1: 2}, [], {0: 1, 1: 2}),
        ({0: 1, 1: 2, 2: 4}, [(1, 2, 0), (2, 0, 1)], {0: 7, 1: 7, 2: 7}),
        ({0: 5}, [(1, 0)], {0: 5, 1: 5}),
        ({0: 5}, [(0, 2, 1)], {0: 10}),
        ({1: 3, 2: 4}, [(1, 0, 2)], {0: 3, 1: 3, 2: 8}),
    ],
)
def test_weights_that_are_the_same_for_all_images(weights, permutations, found) -> None:
    assert symmetrised(weights, permutations) == found
