"""Loops over keys and packed looks, on rows that can be written out."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from ggp.solver.layers import kernels as compiled
from ggp.solver.layers.kernels import FORCED, GOALS, MISSING, OVER, SEVERAL, STUCK
from tests.solver.plain import plain

pytestmark = pytest.mark.filterwarnings("ignore:overflow")
kernels = plain(compiled)

TOP = 1 << 63
A, B = 1 << 62, 1 << 63


def words(rows) -> np.ndarray:
    return np.array(rows, dtype=np.uint64)


def ints(values) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def bits(rows, count) -> np.ndarray:
    """Rows of which the bits of these numbers are set, in so many words."""
    numbers = [sum(1 << bit for bit in row) for row in rows]
    return words([[n >> 64 * k & (1 << 64) - 1 for k in range(count)] for n in numbers])


ROWS = [
    [[0], [1], [2], [TOP], [TOP + 1], [(1 << 64) - 1], [1 << 32]],
    [[0, 0], [0, 1], [1, 0], [1, 1], [5, TOP], [TOP, 5], [1 << 32, 1 << 29]],
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [7, 8, 9], [TOP, 1 << 40, TOP + 3]],
]


@pytest.mark.parametrize("rows", ROWS)
def test_mixing_is_undone(rows) -> None:
    keys = words(rows)
    kernels.mix(keys)
    assert len(set(keys[:, 0].tolist())) == len(rows)
    assert keys[:, 1:].tolist() == [row[1:] for row in rows]
    kernels.unmix(keys)
    assert keys.tolist() == rows


@pytest.mark.parametrize("place", [0, 1, 2])
def test_rows_that_differ_little_have_keys_that_begin_otherwise(place) -> None:
    """At random 256 keys begin with about 162 bytes, and with fewer than 130 once in 10 ** 10."""
    rows = np.zeros((256, 3), dtype=np.uint64)
    rows[:, place] = np.arange(256)
    kernels.mix(rows)
    assert len(set((rows[:, 0] >> np.uint64(56)).tolist())) > 130


@pytest.mark.parametrize(
    ("first", "shift", "counts"),
    [
        ([0, 1, 2, 3, 4, 7], 1, [2, 2, 1, 1]),
        ([0, 1, 2, 3, 3], 0, [1, 1, 1, 2]),
        ([0, A, A + 1, B, B + A], 62, [1, 2, 1, 1]),
        ([], 62, [0, 0, 0, 0]),
    ],
)
def test_keys_are_counted_by_how_they_begin(first, shift, counts) -> None:
    found = ints([10, 0, 0, 0])
    kernels.tally(words([[n, 1] for n in first]).reshape(-1, 2), shift, found)
    assert found.tolist() == [10 + counts[0], *counts[1:]]


def test_keys_are_put_one_after_the_other_in_their_parts() -> None:
    keys = words([[B, 1], [5, 2], [A, 3], [B + 1, 4], [A + 2, 5], [0, 6]])
    out, places = np.zeros((6, 2), dtype=np.uint64), ints([0, 2, 4, 6])
    kernels.scatter(keys, 62, places, out)
    assert out[:, 1].tolist() == [2, 6, 3, 5, 1, 4]
    assert out[:, 0].tolist() == [5, 0, A, A + 2, B, B + 1]
    assert places.tolist() == [2, 4, 6, 6]


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ([[1], [1], [2], [2], [2], [3]], [[1], [2], [3]]),
        ([[1, 5], [1, 3], [1, 5], [2, 0]], [[1, 3], [1, 5], [2, 0]]),
        ([[0, 9], [1, 5], [1, 3]], [[0, 9], [1, 3], [1, 5]]),
        ([[1, 1], [1, 1], [1, 1]], [[1, 1]]),
        ([[1, 1], [2, 1], [2, 1], [3, 0]], [[1, 1], [2, 1], [3, 0]]),
        ([[1, 4], [1, 2], [1, 3], [1, 2], [1, 1]], [[1, 1], [1, 2], [1, 3], [1, 4]]),
        ([[1, 2, 2], [1, 2, 1], [1, 1, 3]], [[1, 1, 3], [1, 2, 1], [1, 2, 2]]),
        ([[1, 1, 3], [1, 1, 3], [1, 2, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 3], [1, 2, 1]]),
        ([[1, 0, 2], [1, TOP, 1], [1, 1, 5]], [[1, 0, 2], [1, 1, 5], [1, TOP, 1]]),
    ],
)
def test_each_key_is_left_once_and_in_order(keys, left) -> None:
    given = words(keys)
    assert kernels.unique(given) == len(left)
    assert given[: len(left)].tolist() == left


def test_many_keys_with_few_first_words() -> None:
    rng = random.Random(5)
    keys = [(rng.randrange(4), rng.randrange(3), rng.randrange(4)) for _ in range(150)]
    given = words(sorted(keys, key=lambda key: key[0]))
    left = sorted(set(keys))
    assert kernels.unique(given) == len(left)
    assert list(map(tuple, given[: len(left)].tolist())) == left


KEYS = words(
    [
        [5, 1, 0],
        [5, 2, 0],
        [5, 2, 4],
        [B + 7, 0, 0],
        [B + A, 0, 1],
        [B + A, 1, 1],
        [B + A + 9, 0, 0],
    ]
)
FIRST = [0, 3, 3, 4, 7]
WANTED = [
    ([5, 1, 0], 0),
    ([5, 2, 0], 1),
    ([5, 2, 4], 2),
    ([B + 7, 0, 0], 3),
    ([B + A, 0, 1], 4),
    ([B + A, 1, 1], 5),
    ([B + A + 9, 0, 0], 6),
    ([5, 1, 4], None),  # each word is there, but not in one key
    ([5, 3, 0], None),
    ([6, 1, 0], None),
    ([0, 0, 0], None),
    ([A, 1, 0], None),
    ([B + 8, 0, 0], None),
    ([B + A, 0, 0], None),
]


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_keys_are_found_by_all_their_words(kind) -> None:
    wanted = words([key for key, _ in WANTED])
    first = np.array(FIRST, dtype=kind)
    places = np.zeros(len(wanted), dtype=np.int64)
    assert kernels.find(KEYS, first, 62, wanted, places) == 7
    assert places.tolist() == [-1 if place is None else place for _, place in WANTED]
    values = np.arange(10, 17, dtype=np.uint8)
    found = np.zeros(len(wanted), dtype=np.uint8)
    assert kernels.look_up(KEYS, first, 62, values, wanted, found) == 7
    assert found.tolist() == [MISSING if p is None else 10 + p for _, p in WANTED]
    assert kernels.find(KEYS, first, 62, wanted[:7].copy(), places[:7].copy()) == 0


def test_one_word_is_enough_for_keys_of_one() -> None:
    keys = words([[3], [A], [A + 1], [B]])
    places = np.zeros(4, dtype=np.int64)
    first = np.array([0, 1, 3, 4, 4], dtype=np.int32)
    assert kernels.find(keys, first, 62, words([[A + 1], [A + 2], [B], [3]]), places) == 1
    assert places.tolist() == [2, -1, 3, 0]


def test_positions_are_come_by_in_the_least_and_the_most_moves() -> None:
    """Two moves from positions 3 and 7 (at most 4 and 9) from the start lead to place 1."""
    ply, far = np.array([3, 7, 5], dtype=np.uint16), np.array([4, 9, 5], dtype=np.uint16)
    out_ply, out_far = np.full(4, 65535, dtype=np.uint16), np.zeros(4, dtype=np.uint16)
    out_ply[2], out_far[2] = 6, 6
    kernels.come_by(ints([1, 1, 2]), ply, far, out_ply, out_far)
    assert out_ply.tolist() == [65535, 4, 6, 65535]
    assert out_far.tolist() == [0, 10, 6, 0]
    kernels.come_by(ints([2, 2]), ply[:2].copy(), far[:2].copy(), out_ply, out_far)
    assert (out_ply[2], out_far[2]) == (4, 10)


@pytest.mark.parametrize(
    ("window", "word", "bit", "mask", "up"),
    [
        ([0, 3, 0], 0, 0, 0b111, 64),
        ([60, 4, 8], 0, 60, 0b1111, 64),  # up to the end of the word
        ([60, 5, 8], 0, 60, 0b11111, 4),  # and one bit beyond
        ([63, 11, 24], 0, 63, 2047, 1),
        ([64, 11, 24], 1, 0, 2047, 64),
        ([127, 2, 1], 1, 63, 3, 1),
        ([130, 1, 7], 2, 2, 1, 64),
    ],
)
def test_windows_are_cut_out_of_words(window, word, bit, mask, up) -> None:
    assert kernels.cut(ints([window])).tolist() == [[word, bit, mask, up, window[2]]]


def test_rows_are_weighed_window_by_window() -> None:
    """Of bits 0 and 1 the number, of bits 62 to 65 ten times the number, of bit 70 a thousand."""
    windows = ints([[0, 2, 0], [62, 4, 4], [70, 1, 20]])
    table = np.array([*range(4), *range(0, 160, 10), 0, 1000], dtype=np.int32)
    cases = [
        ([], 0),
        ([0], 1),
        ([0, 1], 3),
        ([62], 10),
        ([64], 40),
        ([1, 63, 65], 102),
        ([1, 62, 63, 64, 65, 70], 1152),
        ([2, 61, 66, 69, 71], 0),  # bits between windows
        ([70], 1000),
    ]
    ranks = np.zeros(len(cases), dtype=np.int32)
    kernels.weigh(bits([case for case, _ in cases], 2), windows, table, ranks)
    assert ranks.tolist() == [rank for _, rank in cases]


def test_the_least_image_takes_the_place_of_a_row() -> None:
    """The images of bits 0 to 3: turned by one, and turned by two."""
    turned = [sum(1 << (k + 1) % 4 for k in range(4) if n >> k & 1) for n in range(16)]
    twice = [turned[n] for n in turned]
    rows = words([[n] for n in range(16)])
    kernels.least_images(rows, ints([[0, 4, 0]]), words([turned, twice]).reshape(2, 16, 1))
    assert rows[:, 0].tolist() == [min(n, turned[n], twice[n]) for n in range(16)]


def test_of_images_of_several_words_the_last_word_decides() -> None:
    """Three images, each: word 0 and word 1 exchanged, or a given row."""
    windows = ints([[0, 2, 0], [64, 2, 4]])
    exchanged = [*([0, n] for n in range(4)), *([n, 0] for n in range(4))]
    same = [*([n, 0] for n in range(4)), *([0, n] for n in range(4))]
    flipped = [*([n ^ 3, 0] for n in range(4)), *([0, n] for n in range(4))]
    tables = words([exchanged, same, flipped])
    every = [(a, b) for a in range(4) for b in range(4)]
    rows = words(every)
    kernels.least_images(rows, windows, tables)
    least = [min((a, b), (b, a), (a ^ 3, b), key=lambda row: row[::-1]) for a, b in every]
    assert list(map(tuple, rows.tolist())) == least


SMALL = ([0, 3, 6], 6, [7, 9, 11])
"""Two roles with three moves each, whether play is over, two goals each."""
LARGE = ([0, 70, 140], 140, [141, 143, 145])
FAR = ([0, 64, 128], 190, [191, 194, 197])
FULL = ([0, 29, 59], 59, [60, 62, 64])
"""All bits of a word."""
VALUES = {2: [0, 100, 20, 80], 3: [0, 50, 100, 20, 60, 80]}


@pytest.mark.parametrize(
    ("shape", "held", "mover", "degree", "goals"),
    [
        (SMALL, [0, 3], FORCED, 1, None),
        (SMALL, [2, 5], FORCED, 1, None),
        (SMALL, [0, 1, 3], 0, 2, None),
        (SMALL, [0, 1, 2, 5], 0, 3, None),
        (SMALL, [1, 3, 5], 1, 2, None),
        (SMALL, [6, 7, 9], OVER, 0, (0, 20)),
        (SMALL, [6, 8, 9], OVER, 0, (100, 20)),
        (SMALL, [0, 1, 3, 4, 6, 8, 10], OVER, 0, (100, 80)),  # whatever the moves are
        (SMALL, [0, 1, 3, 7, 8, 9, 10], 0, 2, None),  # whatever the goals are
        (LARGE, [69, 70], FORCED, 1, None),
        (LARGE, [0, 63, 64, 69, 70], 0, 4, None),
        (LARGE, [5, 70, 127, 128, 139], 1, 4, None),
        (LARGE, [140, 141, 144], OVER, 0, (0, 80)),
        (LARGE, [140, 142, 143], OVER, 0, (100, 20)),
        (FAR, [63, 64], FORCED, 1, None),
        (FAR, [0, 63, 127], 0, 2, None),
        (FAR, [63, 64, 127], 1, 2, None),
        (FAR, [190, 191, 194], OVER, 0, (0, 20)),
        (FAR, [190, 192, 196], OVER, 0, (50, 80)),
        (FAR, [190, 193, 195], OVER, 0, (100, 60)),
        (FULL, [59, 60, 63], OVER, 0, (0, 80)),
        (FULL, [28, 29, 58], 1, 2, None),
    ],
)
def test_what_a_look_says(shape, held, mover, degree, goals) -> None:
    assert look(shape, [held]) == (-1, [mover], [degree], [goals or (-7, -7)])


def look(shape, held):
    bounds, terminal, goal_bounds = shape
    values = np.array(VALUES[goal_bounds[1] - goal_bounds[0]], dtype=np.int16)
    packed = bits(held, -(-goal_bounds[-1] // 64))
    mover, goals = np.full(len(held), 99, dtype=np.int16), np.full((len(held), 2), -7, np.int16)
    degree = np.full(len(held), 99, dtype=np.int64)
    fault = kernels.look(
        packed, ints(bounds), terminal, ints(goal_bounds), values, mover, goals, degree
    )
    return fault, mover.tolist(), degree.tolist(), list(map(tuple, goals.tolist()))


FINE = [0, 3]


@pytest.mark.parametrize(
    ("shape", "held", "fault"),
    [
        (SMALL, [[0]], STUCK),
        (SMALL, [[3]], STUCK),
        (SMALL, [[]], STUCK),
        (SMALL, [FINE, [0, 1]], 8 + STUCK),
        (SMALL, [FINE, FINE, [0, 1, 3, 4]], 16 + SEVERAL),
        (SMALL, [FINE, FINE, FINE, [6, 7]], 24 + GOALS),
        (SMALL, [[6, 7, 8, 9]], GOALS),
        (SMALL, [FINE, [6, 7, 9, 10]], 8 + GOALS),
        (SMALL, [[6, 9]], GOALS),
        (SMALL, [[6]], GOALS),
        (LARGE, [[0, 64, 70, 139]], SEVERAL),
        (LARGE, [[70, 80]], STUCK),
        (FAR, [[190, 191, 192, 194]], GOALS),
        (FAR, [[190, 191, 193, 194]], GOALS),
    ],
)
def test_what_is_wrong_with_a_position(shape, held, fault) -> None:
    assert look(shape, held)[0] == fault


@pytest.mark.parametrize(
    ("bounds", "held", "start", "stop", "lanes", "joint"),
    [
        ([0, 3, 6], [[0, 3], [1, 5]], 0, 2, [0, 1], [(0, 3), (1, 5)]),
        ([0, 3, 6], [[0, 1, 2, 4]], 0, 1, [0, 0, 0], [(0, 4), (1, 4), (2, 4)]),
        ([0, 3, 6], [[2, 3, 5]], 0, 1, [0, 0], [(2, 3), (2, 5)]),
        ([0, 3, 6], [[0, 3], [6], [1, 4, 5]], 0, 3, [0, 2, 2], [(0, 3), (1, 4), (1, 5)]),
        ([0, 3, 6], [[0, 3], [6], [1, 4, 5], [0, 3]], 1, 3, [1, 1], [(1, 4), (1, 5)]),
        ([0, 70, 140], [[3, 64, 69, 130]], 0, 1, [0] * 3, [(3, 130), (64, 130), (69, 130)]),
        ([0, 70, 140], [[69, 70, 127, 128]], 0, 1, [0] * 3, [(69, 70), (69, 127), (69, 128)]),
        ([0, 64, 128], [[63, 64, 127]], 0, 1, [0] * 2, [(63, 64), (63, 127)]),
        ([0, 64, 128], [[0, 63, 127]], 0, 1, [0] * 2, [(0, 127), (63, 127)]),
        ([0, 32, 64], [[0, 31, 63]], 0, 1, [0] * 2, [(0, 63), (31, 63)]),
        ([0, 2, 4, 6], [[1, 2, 3, 5]], 0, 1, [0] * 2, [(1, 2, 5), (1, 3, 5)]),
    ],
)
def test_the_joint_moves_of_some_positions(bounds, held, start, stop, lanes, joint) -> None:
    roles = [range(a, b) for a, b in itertools.pairwise(bounds)]
    counts = [[sum(move in role for move in row) for role in roles] for row in held]
    mover = [OVER if bounds[-1] in row else FORCED for row in held]
    for i, own in enumerate(counts):
        if max(own) > 1:
            mover[i] = own.index(max(own))
    found = np.full((len(lanes), len(roles)), -1, dtype=np.int32)
    at = np.full(len(lanes), -1, dtype=np.int64)
    packed = bits(held, -(-bounds[-1] // 64))
    movers = np.array(mover, dtype=np.int16)
    kernels.list_moves(packed, ints(bounds), movers, start, stop, at, found)
    assert at.tolist() == lanes
    assert list(map(tuple, found.tolist())) == joint


@pytest.mark.parametrize(
    ("degree", "is_low", "codes", "out"),
    [
        ([1], [1], [4], [4]),
        ([3], [1], [4, 2, 3], [2]),
        ([3], [0], [4, 2, 3], [4]),
        ([3], [0], [2, 3, 4], [4]),
        ([2, 0, 3], [0, 0, 1], [1, 5, 9, 6, 8], [5, 77, 6]),
        ([0, 2, 2], [1, 1, 0], [3, 2, 2, 3], [77, 2, 3]),
        ([2, 2], [0, 1], [3, 3, 0, 255], [3, 0]),
        ([0], [0], [9], [77]),
    ],
)
def test_each_position_has_the_best_code_that_it_leads_to(degree, is_low, codes, out) -> None:
    found = np.full(len(degree), 77, dtype=np.uint8)
    given = (np.array(values, dtype=np.uint8) for values in (is_low, codes))
    kernels.choose(ints(degree), *given, found)
    assert found.tolist() == out
