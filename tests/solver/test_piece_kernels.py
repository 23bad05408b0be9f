"""Loops over pieces of rows of tokens: what they fall into is known by the lengths of the runs."""

from __future__ import annotations

import random
from functools import cache, reduce
from operator import xor

import numpy as np
import pytest

import ggp
from ggp.analysis.boards.boards import Boards
from ggp.solver.pieces import kernels as compiled
from ggp.solver.pieces import settling, writing
from ggp.solver.pieces import store as store_module
from ggp.solver.pieces.frames import (
    CHILDREN,
    LOCALS,
    NAMES,
    OPTIONS,
    STEPS,
    TOKENS,
    UNNAMED,
    PieceTables,
)
from ggp.solver.pieces.program import PieceProgram
from ggp.solver.pieces.store import PieceStore
from ggp.solver.splitting import Splitter
from ggp.theory import mex
from tests.analysis.test_octal import NEXT, ONE, row
from tests.solver.plain import plain
from tests.solver.test_summands import random_row

pytestmark = pytest.mark.filterwarnings("ignore:overflow")
kernels = plain(settling, writing, compiled)


@pytest.fixture(autouse=True)
def _plain(monkeypatch) -> None:
    monkeypatch.setattr(store_module, "kernels", kernels)


@cache
def splitter_of(size: int) -> Splitter:
    """A row of so many tokens, of which two neighbours are taken."""
    legal = "(<= (may ?x) (true (on ?x)) (s ?x ?y) (true (on ?y)))"
    game = ggp.parse(row(size, legal, ONE + NEXT))
    return Splitter(Boards(game.net, game.marker, 10), [0])


def made(size: int) -> PieceStore:
    return PieceStore(PieceProgram(splitter_of(size)))


def board(size: int, *runs: tuple[int, int]) -> int:
    """The tokens from one number to another, for each run."""
    net = splitter_of(size).boards.net
    on = {f"(on {n})" for first, last in runs for n in range(first, last + 1)}
    return sum(1 << i for i, fluent in enumerate(net.fluents) if str(fluent) in on)


def expanded(store: PieceStore, steps: int = 10**6) -> PieceStore:
    for _ in range(10_000):
        if store.expanded == len(store):
            return store
        store.expand(steps)
    raise AssertionError("moves are never done")


@pytest.mark.parametrize(
    ("size", "runs", "lengths"),
    [
        (7, [(1, 7)], [7]),
        (7, [(1, 3), (5, 7)], [3, 3]),
        (7, [(1, 2), (4, 6)], [2, 3]),
        (7, [(1, 1), (3, 6)], [4]),
        (7, [(1, 1), (3, 3), (7, 7)], []),
        (7, [], []),
        (72, [(1, 2), (63, 66), (70, 72)], [2, 3, 4]),
        (72, [(60, 70)], [11]),
        (72, [(1, 2), (71, 72)], [2, 2]),
    ],
)
def test_runs_of_two_tokens_and_more_are_pieces(size, runs, lengths) -> None:
    store = made(size)
    names = store.pieces(board(size, *runs))
    assert sorted(map(store.size, names)) == lengths
    # Runs of one length have one name.
    assert len(store) == len(set(names)) == len(set(lengths))
    known = store._tables.counts[LOCALS]
    assert store.pieces(board(size, *runs)) == names
    assert store._tables.counts[LOCALS] == known == len(lengths)


@pytest.mark.parametrize("steps", [10**6, 50, 300])
def test_a_move_leaves_what_is_on_either_side_of_two_tokens(steps) -> None:
    """However often the loops are left and gone on with."""
    store = made(8)
    store.pieces(board(8, (1, 8)))
    expanded(store, steps)
    assert len(store) == 6  # of 2, 3, 4, 5, 6 and 8 tokens
    for name in range(len(store)):
        length = store.size(name)
        splits = [sorted(x for x in (i, length - 2 - i) if x > 1) for i in range(length - 1)]
        options = store.made(name)
        assert [side for side, _ in options] == [0] * (length - 1)
        left = [sorted(map(store.size, names)) for _, names in options]
        assert sorted(left) == sorted(splits)


def test_moves_in_a_long_row() -> None:
    """More tokens and moves than a word has bits; from 61 to 65 there are four moves."""
    store = made(72)
    [name] = store.pieces(board(72, (61, 65)))
    expanded(store)
    assert sorted(store.size(n) for n in range(len(store))) == [2, 3, 5]
    left = [sorted(map(store.size, names)) for _, names in store.made(name)]
    assert sorted(left) == [[2], [2], [3], [3]]


@pytest.mark.parametrize(
    ("largest", "known", "named"),
    [
        (None, [], True),
        (7, [], True),
        (4, [], True),
        (3, [], False),
        (0, [], False),
        (0, [(2, 5)], True),
        (3, [(1, 4)], True),
        (3, [(1, 5)], False),
    ],
)
def test_what_is_too_large_gets_no_name(largest, known, named) -> None:
    """Unless it has one; of a piece of four tokens and one of two."""
    store = made(9)
    store.pieces(board(9, *known, (8, 9)))
    store.pieces(board(9, *((a, b) for a, b in known)))
    names = len(store)
    first = 2 if known == [(2, 5)] else 1
    found = store.pieces(board(9, (first, first + 3), (8, 9)), largest)
    if named:
        assert sorted(map(store.size, found)) == [2, 4]
    else:
        assert found[-1] == UNNAMED
        assert len(store) == names


def test_boards_one_after_the_other_until_something_new_has_a_name() -> None:
    store = made(9)
    [two] = store.pieces(board(9, (1, 2)))
    boards = [board(9, *runs) for runs in ([(1, 2)], [], [(4, 6)], [(1, 2)], [(3, 6)], [(4, 6)])]
    found = store.each(boards, 9, 10**6)
    three = len(store) - 1
    assert store.size(three) == 3
    assert found == [[two], [], [three], [two], [UNNAMED], [three]]
    assert store.each(boards[4:], 3, 10**6) == [[UNNAMED], [three]]
    assert store.each(boards[4:], 4, 10**6)[0] == [three + 1]


def test_boards_are_left_where_so_many_steps_were_made() -> None:
    store = made(9)
    boards = [board(9, (1, 2)), board(9, (4, 5)), board(9, (1, 3))]
    assert len(store.each(boards, 9, 0)) == 1
    before = store.steps
    assert len(store.each(boards[:1], 9, 0)) == 1
    one = store.steps - before
    assert one > 0
    again = [boards[0]] * 5
    assert len(store.each(again, 9, 2 * one - 1)) == 2
    assert len(store.each(again, 9, 2 * one)) == 3
    assert len(store.each(again, 9, 2 * one + 1)) == 3
    assert len(store.each(again, 9, 10 * one)) == 5


def test_filling_the_hash_tables_again_loses_nothing() -> None:
    """15 pieces where they stand, of 5 lengths."""
    store = made(6)
    boards = [board(6, (a, b)) for a in range(1, 6) for b in range(a + 1, 7)]
    names = [store.pieces(one) for one in boards]
    for locals_, names_ in ((32, 16), (128, 64)):
        slots = np.full(locals_, 7, dtype=np.int32), np.full(names_, 7, dtype=np.int32)
        store._tables = store._tables._replace(local_slot=slots[0], name_slot=slots[1])
        kernels.rehash(store._tables)
        assert sorted(slots[0].tolist()) == [-1] * (locals_ - 15) + [*range(15)]
        assert sorted(slots[1].tolist()) == [-1] * (names_ - 5) + [*range(5)]
        assert [store.pieces(one) for one in boards] == names
        assert store._tables.counts[LOCALS] == 15
        assert len(store) == 5


def tables(**given) -> PieceTables:
    """Tables with the arrays that are given, and counts by their places."""
    counts = np.zeros(6, dtype=np.int64)
    for place, count in given.pop("counts", {}).items():
        counts[place] = count
    arrays = {name: np.array(given.get(name, []), dtype=np.int64) for name in PieceTables._fields}
    return PieceTables(**(arrays | {"counts": counts}))


ROOM = {
    "keys": [0] * 13,
    "local_slot": [0] * 26,
    "name_slot": [0] * 16,
    "token_start": [0] * 10,
    "tokens": [0] * 50,
    "child_start": [0] * 8,
    "children": [0] * 24,
}
HELD = {LOCALS: 10, NAMES: 5, TOKENS: 30, OPTIONS: 5, CHILDREN: 21, STEPS: 10**9}


@pytest.mark.parametrize("short", [None, *ROOM])
def test_there_is_just_room_for_three_pieces_of_twenty_tokens(short) -> None:
    """Half of the slots stay free; one more start than names, and two more than options."""
    given = {name: values[1:] if name == short else values for name, values in ROOM.items()}
    assert kernels.has_room(tables(**given, counts=HELD), 3, 20) == (short is None)


@pytest.mark.parametrize(
    ("leads", "start", "order"),
    [
        ([[]], 0, [0]),
        ([[], [0], [1, 0]], 0, [0, 1, 2]),
        ([[1, 2], [2], []], 0, [2, 1, 0]),
        ([[1, 1], [2, 2, 2], []], 0, [2, 1, 0]),
        ([[], [2, 0], [0]], 1, [2, 1]),
        ([[], [0], [3, 1], [0, 0]], 2, [3, 2]),
        ([[], [0], [1]], 3, []),
        ([[1], [0]], 0, []),
        ([[], [0, 2], [1]], 0, [0]),
        ([[], [3, 0], [0], [1], [2]], 0, [0, 2, 4]),
    ],
)
def test_names_come_after_those_that_they_lead_to(leads, start, order) -> None:
    """Each name has an option of two children and others of the rest; circles are left out."""
    option_start, child_start = [0], [0]
    for own in leads:
        child_start += [child_start[-1] + min(2, len(own)), child_start[-1] + len(own)]
        option_start.append(option_start[-1] + 2)
    children = [child for own in leads for child in own]
    given = tables(
        option_start=option_start,
        child_start=child_start,
        children=children,
        counts={NAMES: len(leads)},
    )
    found = np.full(len(leads), -1, dtype=np.int32)
    assert kernels.upward(given, start, found) == len(order)
    assert found[: len(order)].tolist() == order


@pytest.mark.parametrize("seed", [2, 6])
def test_the_nim_value_of_the_pieces_is_that_of_the_board(seed) -> None:
    game = ggp.parse(random_row(seed))
    splitter = Splitter(Boards(game.net, game.marker, 10), [0])
    store = PieceStore(PieceProgram(splitter))

    @cache
    def of_board(one: int) -> int:
        return mex(of_board(after) for _, after in [*splitter.made(one)])

    @cache
    def of_name(name: int) -> int:
        return mex(reduce(xor, map(of_name, names), 0) for _, names in store.made(name))

    rng = random.Random(seed)
    boards = [game.initial.bits, *(rng.getrandbits(len(game.net.fluents)) for _ in range(4))]
    names = [store.pieces(one) for one in boards]
    expanded(store, 10**5)
    assert [reduce(xor, map(of_name, own), 0) for own in names] == list(map(of_board, boards))
    order = store.upward(0)
    place = {name: i for i, name in enumerate(order)}
    for name in order:
        assert all(place[child] < place[name] for _, own in store.made(name) for child in own)


@pytest.mark.parametrize("seed", range(8))
def test_the_loops_split_boards_as_the_splitter_does(seed) -> None:
    game = ggp.parse(random_row(seed))
    splitter = Splitter(Boards(game.net, game.marker, 10), [0])
    store = PieceStore(PieceProgram(splitter))
    rng = random.Random(seed)
    inner = sum(1 << f for f in splitter.boards.inputs)
    for _ in range(12):
        one = rng.getrandbits(len(game.net.fluents)) & inner
        names = store.pieces(one)
        wanted = [len(piece.fluents) for piece in splitter.pieces(one)]
        assert sorted(map(store.size, names)) == sorted(wanted)
