"""Partitions: tables of small nets, and of random ones a look at every state."""

from __future__ import annotations

import random
from itertools import combinations, product

import numpy as np
import pytest

from ggp.arrays import offsets
from ggp.checker import values
from ggp.checker.replay import Replay
from ggp.checker.values import partitions
from ggp.ground import Gates, Net
from ggp.kif import read_term


def net(fluents, gates, recursive=()) -> Net:
    """A net without moves: nodes 2, 3, … are fluents, the next ones the gates, by their bodies.

    The last gate is `terminal`.
    """
    bodies = [body for gate in gates for body in gate]
    sizes = [len(gate) for gate in gates], [len(body) for body in bodies]
    flat = [x for body in bodies for x in body]
    return Net(
        roles=(read_term("solo"),),
        fluents=tuple(read_term(f"f{i}") for i in range(fluents)),
        moves=((),),
        initial=frozenset(),
        gates=Gates(offsets(array(sizes[0])), offsets(array(sizes[1])), array(flat)),
        recursive=recursive,
        next=(-1,) * fluents,
        legal=(),
        goals=((),),
        sees=((),),
        terminal=1 + fluents + len(gates),
    )


def array(numbers) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def found(own, groups=(), roots=None):
    """The partitions of a net below all its gates (or `roots`), by their literals in order."""
    roots = range(own.first_gate, own.size + 1) if roots is None else roots
    known = partitions(own, roots, groups, lambda: None)
    return {tuple(sorted(literals)): is_full for literals, is_full in known}


ROW = (0, 1, 2)
"""Fluents 0, 1, 2: the nodes 2, 3, 4."""


@pytest.mark.parametrize(
    ("groups", "wanted"),
    [
        ([(ROW, True)], {(2, 3, 4): True}),
        ([(ROW, False)], {(2, 3, 4): False}),
        # Two literals are what a fluent and its negation are as well, and need not be told.
        ([((0, 1), True)], {}),
        ([], {}),
    ],
)
def test_the_fluents_of_a_group_are_a_partition(groups, wanted) -> None:
    assert found(net(3, [[(2, 3)]]), groups) == wanted


PAIR = [((0, 1), False)]


@pytest.mark.parametrize(
    ("gate", "groups", "wanted"),
    [
        # None of a group holds, or one of them does: this is all that can be.
        ([(-2, -3)], PAIR, {(2, 3, 5): True}),
        ([(-2, -3)], [((0, 1), True)], {(2, 3, 5): True}),
        ([(-2, -3)], [((0, 1, 2), False)], {(2, 3, 4): False, (2, 3, 5): True}),
        ([(-2, -3, -4)], [((0, 1, 2), False)], {(2, 3, 4): False, (2, 3, 4, 5): True}),
        # Without a group of both, or of fluents that hold, or with another way, it says nothing.
        ([(-2, -3)], [], {}),
        ([(-2, -4)], PAIR, {}),
        ([(-2, -3)], [((0,), False), ((1,), False)], {}),
        ([(-2, 3)], PAIR, {}),
        ([(2, 3)], PAIR, {}),
        ([(-2, -3), (4,)], PAIR, {}),
        ([()], PAIR, {}),
    ],
)
def test_a_gate_that_says_that_none_holds_is_one_more(gate, groups, wanted) -> None:
    assert found(net(3, [gate]), groups) == wanted


SQUARE = [((0, 1), True), ((2, 3), True)]
"""2 or 3, and 4 or 5; gates from 6 on."""

LOOSE = [((0, 1), True), ((2, 3), False)]
HALF = [((0, 1), False), ((2, 3), True)]


@pytest.mark.parametrize(
    ("gates", "groups", "wanted"),
    [
        # Each cell of two by two is of one gate.
        ([[(2, 4)], [(2, 5), (3, 4)], [(3, 5)]], SQUARE, {(6, 7, 8): True}),
        ([[(4, 2)], [(5, 2), (3, 4)], [(5, 3)]], SQUARE, {(6, 7, 8): True}),
        ([[(2, 4)], [(2, 5)], [(3, 4)], [(3, 5)]], SQUARE, {(6, 7, 8, 9): True}),
        # One is left over, or none of a side may hold.
        ([[(2, 4)], [(2, 5)], [(3, 4)]], SQUARE, {(6, 7, 8): False}),
        ([[(2, 4)], [(2, 5), (3, 4)], [(3, 5)]], LOOSE, {(6, 7, 8): False}),
        ([[(2, 4)], [(2, 5), (3, 4)], [(3, 5)]], HALF, {(6, 7, 8): False}),
        # Two gates are not told of; nor is one that has a body of three, or of no cell.
        ([[(2, 4)], [(2, 5), (3, 4), (3, 5)]], SQUARE, {}),
        ([[(2, 4)], [(2, 5), (3, 4)], [(3, 5, -4)]], SQUARE, {}),
        ([[(2, 4)], [(2, 5), (3, 4)], [(3, 5), (2, 3)]], SQUARE, {}),
        ([[(2, 4)], [(2, 5), (3, 4)], [(3, 5), (-2, -4)]], SQUARE, {}),
        # A cell that two gates share is of the one with more cells, then of the first.
        ([[(2, 4)], [(2, 5), (3, 4)], [(3, 5)], [(2, 4)]], SQUARE, {(6, 7, 8): True}),
        ([[(2, 4)], [(2, 5)], [(3, 5)], [(2, 4), (3, 4)]], SQUARE, {(7, 8, 9): True}),
        ([[(2, 4)], [(2, 5)], [(3, 4, 5)]], SQUARE, {}),
        # Alone, a literal stands for its cells with all of the other side.
        ([[(2,), (3, 4)], [(3, 5)]], SQUARE, {}),
        ([[(2, 4)], [(2, 5)], [(3,), (2, 4)]], SQUARE, {}),
    ],
)
def test_gates_that_are_cells_of_their_own_are_a_partition(gates, groups, wanted) -> None:
    assert found(net(4, gates), groups) == wanted


THREE_BY_TWO = [((0, 1, 2), True), ((3, 4), True)]
"""2, 3 or 4, and 5 or 6; gates from 7 on."""


@pytest.mark.parametrize(
    ("gates", "wanted"),
    [
        # Seen from 5 and 6 the first gate is no cell, but the others are.
        (
            [[(2,), (3, 5)], [(3, 6)], [(4, 5)], [(4, 6)]],
            {(7, 8, 9, 10): True, (8, 9, 10): False},
        ),
        ([[(2,), (3, 5)], [(3, 6)], [(4, 5)]], {(7, 8, 9): False}),
        # What holds with 2 alone shares cells with what holds with 2 and 5.
        ([[(2,), (3, 5)], [(3, 6)], [(4, 5)], [(2, 5)]], {(7, 8, 9): False, (8, 9, 10): False}),
        ([[(3, 6)], [(4, 5)], [(2, 5)], [(2,), (3, 5)]], {(7, 8, 10): False, (7, 8, 9): False}),
    ],
)
def test_alone_a_literal_stands_for_a_row_of_cells(gates, wanted) -> None:
    assert found(net(5, gates), THREE_BY_TWO) == {(2, 3, 4): True, **wanted}


COUNT = [
    [(2, 3)], [(2, -3), (-2, 3)], [(-2, -3)],
    [(5, 4)], [(5, -4), (6, 4)], [(6, -4), (7, 4)], [(7, -4)],
]  # fmt: skip
"""Of two of three fluents both, one, none; then of all three 3, 2, 1, 0: gates 5 to 11."""


def test_a_count_is_a_partition_on_a_partition() -> None:
    assert found(net(3, COUNT)) == {(5, 6, 7): True, (8, 9, 10, 11): True}


def test_what_is_odd_or_even_is_a_partition_that_others_rest_on() -> None:
    """Two gates are not told of, but what is made of them is: 7 and 8, with 6 or without it."""
    gates = [[(2, 4), (3, 5)], [(2, 5), (3, 4)], [(7, 6)], [(7, -6), (8, 6)], [(8, -6)]]
    assert found(net(5, gates), SQUARE) == {(9, 10, 11): True}
    assert found(net(5, gates), LOOSE) == {(9, 10, 11): False}


@pytest.mark.parametrize(
    ("roots", "wanted"),
    [
        ([8, 9, 10, 11], {(5, 6, 7): True, (8, 9, 10, 11): True}),
        ([-8, -9, -10], {(5, 6, 7): True, (8, 9, 10): False}),
        ([9, 10], {(5, 6, 7): True}),
        ([5, 6, 7], {(5, 6, 7): True}),
        ([8], {}),
        ([], {}),
    ],
)
def test_only_gates_below_the_roots_are_looked_at(roots, wanted) -> None:
    assert found(net(3, COUNT), roots=roots) == wanted


@pytest.mark.parametrize(
    ("recursive", "wanted"),
    [
        ((), {(5, 6, 7): True, (8, 9, 10, 11): True}),
        (((11, 12),), {(5, 6, 7): True, (8, 9, 10): False}),
        (((10, 12),), {(5, 6, 7): True}),
        (((5, 6),), {}),
    ],
)
def test_gates_of_a_recursive_block_are_in_none(recursive, wanted) -> None:
    assert found(net(3, COUNT, recursive)) == wanted


@pytest.mark.parametrize(("most", "is_made"), [(0, False), (6, False), (7, True)])
def test_so_many_partitions_are_looked_for(most, is_made, monkeypatch) -> None:
    """Four of a fluent and its negation and two groups are there at first."""
    monkeypatch.setattr(values, "MAX_PARTITIONS", most)
    gates = [[(2, 4)], [(2, 5), (3, 4)], [(3, 5)]]
    assert found(net(4, gates), SQUARE) == ({(6, 7, 8): True} if is_made else {})


@pytest.mark.parametrize(
    ("most", "wanted"),
    [
        (0, {}),
        # The first step, from 2 and -2, makes four cells of 2, -2 and 3, -3, and no more.
        (4, {(5, 6, 7): True}),
        # From 3 and -3 these four again; from 4 and -4 on 5, 6, 7 six.
        (8, {(5, 6, 7): True}),
        (9, {(5, 6, 7): True, (8, 9, 10, 11): True}),
    ],
)
def test_so_many_cells_are_looked_for(most, wanted, monkeypatch) -> None:
    monkeypatch.setattr(values, "MAX_CELLS", most)
    assert found(net(3, COUNT)) == wanted


def test_who_asks_is_asked_between_steps() -> None:
    """Time that is up ends the search; where all is known at once there is no step."""

    class Up(Exception):
        pass

    def look() -> None:
        raise Up

    with pytest.raises(Up):
        partitions(net(3, COUNT), [11], [], look)
    assert partitions(net(3, COUNT), [], [], look) == []


def random_net(seed) -> tuple[Net, list]:
    """Gates of one or two bodies of one or two literals, on two groups or on fluents alone."""
    draw = random.Random(seed)
    groups = [((0, 1, 2), draw.random() < 0.5), ((3, 4), draw.random() < 0.5)][: draw.randrange(3)]
    gates = []
    for node in range(7, 17):
        below = [x * sign for x in range(2, node) for sign in ((1, -1) if x < 7 else (1,))]
        bodies = [draw.sample(below, draw.choice((1, 2, 2))) for _ in range(draw.choice((1, 2)))]
        gates.append([tuple(body) for body in bodies if len({*map(abs, body)}) == len(body)])
    return net(5, gates), groups


@pytest.mark.parametrize("seed", range(12))
def test_in_every_state_with_the_groups_one_at_most_holds(seed) -> None:
    """And just one, if a partition is full: by a look at all states of 20 random nets each."""
    for number in range(20):
        own, groups = random_net(20 * seed + number)
        known = found(own, groups)
        replay = Replay(own)
        for bits in product((0, 1), repeat=5):
            state = frozenset(i for i, bit in enumerate(bits) if bit)
            counts = [(len(state & {*fluents}), exact) for fluents, exact in groups]
            if any(count > 1 or (exact and not count) for count, exact in counts):
                continue
            held = replay._values(state)
            for literals, is_full in known.items():
                pairs = combinations(literals, 2)
                both = any(held[abs(x)] == (x > 0) and held[abs(y)] == (y > 0) for x, y in pairs)
                assert not both
                if is_full:
                    assert any(held[abs(x)] == (x > 0) for x in literals)
