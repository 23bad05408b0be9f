"""All boards that groups admit, each once: against all subsets of the fluents that move."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from types import SimpleNamespace

import pytest

from ggp.errors import LimitReached
from ggp.ground import Group
from ggp.limits import Budget, Limits
from ggp.solver.valued.atlas import AnyBoards, _choices


def atlas(
    moving: Sequence[int], groups: Sequence[Group], start: int, budget: Budget | None = None
) -> AnyBoards:
    """Each board has itself for its value; every move changes one of the fluents, or two."""
    options = [SimpleNamespace(changes={f: 0, moving[0]: 0}) for f in moving]
    values = SimpleNamespace(
        splitter=SimpleNamespace(options=options),
        start=start,
        groups=groups,
        value=lambda board: f"value {board % 3}",
        game=SimpleNamespace(
            evaluator=SimpleNamespace(
                facts=lambda board: [f"f{f}" for f in range(9) if board >> f & 1]
            )
        ),
    )
    return AnyBoards(values, budget or Budget(Limits()))  # type: ignore[arg-type]


def admitted(moving: Sequence[int], groups: Sequence[Group], start: int) -> Iterator[int]:
    """By looking at all subsets: what no move changes is as at the start."""
    fixed = start & ~sum(1 << f for f in moving)
    for size in range(len(moving) + 1):
        for held in itertools.combinations(moving, size):
            board = fixed + sum(1 << f for f in held)
            counts = [(sum(board >> f & 1 for f in g.fluents), g.exact) for g in groups]
            if all(n == 1 or (n == 0 and not exact) for n, exact in counts):
                yield board


CASES: list[tuple[Sequence[int], list[Group], int]] = [
    # By themselves each holds or not.
    ((0, 1), [], 0),
    ((0, 2), [], 0b1111),
    # At most one, just one; with a fluent beside them.
    ((0, 1, 2), [Group((0, 1, 2), exact=False)], 0),
    ((0, 1, 2), [Group((0, 1, 2), exact=True)], 0),
    ((0, 1, 2, 3), [Group((0, 1, 2), exact=True)], 0),
    # One of the group does not move: it holds, or it does not.
    ((0, 1), [Group((0, 1, 2), exact=True)], 0b100),
    ((0, 1), [Group((0, 1, 2), exact=True)], 0b000),
    ((0, 1), [Group((0, 1, 2), exact=False)], 0b101),
    ((0, 1, 3), [Group((0, 1, 2), exact=False)], 0b001),
    # None of the group moves.
    ((0, 1), [Group((2, 3), exact=True)], 0b100),
    # Two groups apart from each other, and two with a fluent in common.
    ((0, 1, 2, 3), [Group((0, 1), exact=True), Group((2, 3), exact=False)], 0),
    ((0, 1, 2), [Group((0, 1), exact=True), Group((1, 2), exact=True)], 0),
    ((0, 1, 2), [Group((0, 1), exact=False), Group((1, 2), exact=True)], 0),
    ((0, 1, 2), [Group((0, 1), exact=True), Group((1, 2), exact=False)], 0),
    ((0, 1, 2), [Group((0, 1), exact=True), Group((1, 2), True), Group((0, 2), True)], 0),
    ((0, 1, 2), [Group((0, 1), exact=True), Group((1, 2), True), Group((0, 2), False)], 0),
]


@pytest.mark.parametrize(("moving", "groups", "start"), CASES)
def test_each_board_that_groups_admit_is_there_once(
    moving: Sequence[int], groups: list[Group], start: int
) -> None:
    found = atlas(moving, groups, start)
    boards = list(found._boards())
    assert len(boards) == len(set(boards)) == found.count
    assert set(boards) == set(admitted(moving, groups, start))


@pytest.mark.parametrize("seed", range(30))
def test_random_groups_admit_the_same_boards(seed: int) -> None:
    """However they overlap."""
    rng = random.Random(seed)
    moving = sorted(rng.sample(range(7), rng.randint(1, 6)))
    groups = [
        Group(tuple(sorted(rng.sample(range(7), rng.randint(2, 3)))), rng.random() < 0.5)
        for _ in range(rng.randint(1, 4))
    ]
    # What holds from the start on is in none of them.
    start = rng.getrandbits(9) & ~sum(1 << f for f in {*moving, *range(7)})
    boards = list(atlas(moving, groups, start)._boards())
    # Of a group that does not move nothing is asked.
    asked = [group for group in groups if any(f in moving for f in group.fluents)]
    assert sorted(boards) == sorted(admitted(moving, asked, start))


def test_values_are_counted_and_listed_with_what_moves() -> None:
    """Fluent 2 holds on all boards, and no move changes it."""
    found = atlas((0, 1), [Group((0, 1), exact=False)], 0b100)
    assert found.count == 3
    assert found.by_value() == Counter({"value 0": 1, "value 1": 1, "value 2": 1})
    assert dict(found.listed()) == {(): "value 1", ("f0",): "value 2", ("f1",): "value 0"}


@pytest.mark.parametrize(
    ("moving", "groups", "fixed", "choices"),
    [
        ({0, 1, 2}, [], 0, [(1, False, (0,)), (2, False, (1,)), (4, False, (2,))]),
        ({0, 1}, [Group((0, 1), True)], 0, [(3, True, (0, 1))]),
        ({0, 1}, [Group((0, 1), False)], 0, [(3, False, (0, 1))]),
        ({0, 1}, [Group((1, 2), True)], 0, [(2, True, (1,)), (1, False, (0,))]),
        ({0, 1}, [Group((1, 2), True)], 0b100, [(2, False, ()), (1, False, (0,))]),
        ({0, 1}, [Group((2, 3), True)], 0, [(1, False, (0,)), (2, False, (1,))]),
        (
            {0, 1, 2},
            [Group((0, 1), True), Group((1, 2), False)],
            0b1000,
            [(3, True, (0, 1)), (6, False, (1, 2))],
        ),
    ],
)
def test_every_fluent_that_moves_is_in_a_set_of_which_one_holds_at_most(
    moving: set[int],
    groups: list[Group],
    fixed: int,
    choices: list[tuple[int, bool, tuple[int, ...]]],
) -> None:
    assert _choices(moving, groups, fixed) == choices


@pytest.mark.parametrize(("most", "fits"), [(511, False), (512, True)])
def test_boards_are_counted_against_the_limit(most: int, fits: bool) -> None:
    """Of nine fluents by themselves there are 512."""
    budget = Budget(Limits(positions=most))
    found = atlas(range(9), [], 0, budget)
    assert found.count == 512
    assert isinstance(found.reached, LimitReached) != fits


def test_a_fluent_that_holds_for_good_bars_those_of_all_its_groups() -> None:
    """Of 0, 1 at most one holds, and of 1, 2, where 2 always does."""
    groups = [Group((0, 1), exact=False), Group((1, 2), exact=False)]
    assert _choices({0, 1}, groups, 1 << 2) == [(0b11, False, (0,)), (0b10, False, ())]


def test_boards_are_counted_now_and_then() -> None:
    """Before every 256 of them, and all of them at the end."""
    spent: list[int] = []

    class Told(Budget):
        def spend(self, positions: int) -> None:
            spent.append(positions)

    atlas(range(9), [], 0, Told(Limits()))
    assert spent == [0, 256, 512]
    atlas(range(2), [], 0, Told(Limits()))
    assert spent[3:] == [0, 4]
