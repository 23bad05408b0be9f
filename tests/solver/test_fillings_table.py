"""Moves that set fluents, and the clock beside them: of circuits that are written by hand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace

import pytest

from ggp.analysis.boards.boards import Frame, NotApplicable, Option, Side
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.solver.alone import fillings as module
from ggp.solver.alone.fillings import Filling, Fillings, _of

NONE = Frame(0, {})
"""Nothing that moves have in common."""


class Sheet:
    """Fluents 0, 1, … of a board, and the moves of one role."""

    def __init__(self, fluents: int) -> None:
        self.builder = Builder()
        self.x = self.builder.inputs(fluents)
        self.moves: list[Option] = []
        self.spent: list[int] = []

    def move(self, own: Mapping[int, int], frame: Frame = NONE, rule: int = TRUE) -> None:
        """One more move, numbered 10, 11, …"""
        self.moves.append(Option(10 + len(self.moves), rule, rule, frame, own, TRUE))

    def fillings(self, terminal: int = FALSE) -> Fillings:
        side = Side(terminal, (), tuple(self.moves), TRUE)
        inputs = dict(enumerate(self.x))
        boards = SimpleNamespace(builder=self.builder, inputs=inputs, sides=(side,))
        return Fillings(boards, self.spent.append)  # type: ignore[arg-type]


def numbers(found: Fillings) -> list[int]:
    return [filling.move for filling in found.moves]


# -- which moves, and what they set ----------------------------------------------------------------


def test_a_move_sets_what_it_says_itself_and_what_moves_have_in_common() -> None:
    """Where both say something it is as the move says."""
    sheet = Sheet(5)
    frame = Frame(1, {0: TRUE, 1: FALSE, 2: TRUE})
    sheet.move({2: FALSE, 3: TRUE}, frame, rule=sheet.builder.conj(sheet.x[3], sheet.x[4] ^ 1))
    sheet.move({}, frame)
    sheet.move({4: FALSE})
    found = sheet.fillings()
    assert found.clock == {}
    assert found.moves == [
        Filling(
            10,
            sheet.moves[0].rule,
            frozenset({3, 4}),
            {0: True, 1: False, 2: False, 3: True},
        ),
        Filling(11, TRUE, frozenset(), {0: True, 1: False, 2: True}),
        Filling(12, TRUE, frozenset(), {4: False}),
    ]


def step(sheet: Sheet, name: int = 1) -> Frame:
    """Fluent 1 holds where 0 held, 0 holds no more."""
    return Frame(name, {0: FALSE, 1: sheet.x[0]})


def test_what_all_moves_do_alike_is_a_clock() -> None:
    """With its first tick, which every move sets; moves set nothing of it."""
    sheet = Sheet(4)
    sheet.move({2: TRUE}, step(sheet))
    sheet.move({3: TRUE}, step(sheet))
    found = sheet.fillings()
    assert found.clock == {0: FALSE, 1: sheet.x[0]}
    assert [filling.sets for filling in found.moves] == [{2: True}, {3: True}]


def test_a_clock_may_be_of_what_each_move_says_itself() -> None:
    sheet = Sheet(4)
    for f in (2, 3):
        sheet.move({f: TRUE, 0: FALSE, 1: sheet.x[0]})
    found = sheet.fillings()
    assert found.clock == {0: FALSE, 1: sheet.x[0]}
    assert [filling.sets for filling in found.moves] == [{2: True}, {3: True}]


@pytest.mark.parametrize("first", [None, TRUE])
def test_what_moves_do_may_not_depend_on_what_they_do_not_do_alike(first: int | None) -> None:
    """Fluent 0, which the clock reads, is left as it is by one move, or set to something else."""
    sheet = Sheet(3)
    sheet.move({2: TRUE}, step(sheet))
    sheet.move({2: FALSE, **({} if first is None else {0: first})}, Frame(2, {1: sheet.x[0]}))
    with pytest.raises(NotApplicable, match="depends on the state"):
        sheet.fillings()


def test_what_only_the_first_move_leaves_as_it_is_is_no_clock() -> None:
    sheet = Sheet(3)
    sheet.move({2: FALSE}, Frame(1, {1: sheet.x[0]}))
    sheet.move({2: TRUE}, Frame(2, {0: FALSE, 1: sheet.x[0]}))
    with pytest.raises(NotApplicable, match="depends on the state"):
        sheet.fillings()


def by_frame(sheet: Sheet) -> None:
    for f in (2, 2, 3):
        sheet.move({0: FALSE, f: TRUE}, Frame(f, {1: sheet.x[0] ^ (f == 2)}))


def by_itself(sheet: Sheet) -> None:
    for f in (2, 2, 3):
        sheet.move({0: FALSE, f: TRUE, 1: sheet.x[0] ^ (f == 2)})


def by_exception(sheet: Sheet) -> None:
    """The last of them says itself what else passes."""
    for f in (2, 2, 3):
        sheet.move({0: FALSE, f: TRUE, **({1: TRUE} if f == 3 else {})}, Frame(1, {1: sheet.x[0]}))


@pytest.mark.parametrize("make", [by_frame, by_itself, by_exception])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (0, 2, 1)])
def test_the_moves_of_the_most_frequent_kind_are_taken(
    make: Callable[[Sheet], None], order: tuple[int, ...]
) -> None:
    """Two of three; the third passes on something else."""
    sheet = Sheet(4)
    make(sheet)
    sheet.moves = [sheet.moves[i] for i in order]
    found = sheet.fillings()
    assert numbers(found) == [i + 10 for i in order if i < 2]
    assert set(found.clock) == {0, 1}


def test_frames_that_pass_on_the_same_are_of_one_kind() -> None:
    """By whatever name, and whatever they set."""
    sheet = Sheet(5)
    for f in (2, 3, 4):
        sheet.move({0: FALSE}, Frame(f, {1: sheet.x[0], f: TRUE}))
    found = sheet.fillings()
    assert [filling.sets for filling in found.moves] == [{2: True}, {3: True}, {4: True}]


def test_moves_that_the_time_makes_legal_are_left_out() -> None:
    sheet = Sheet(4)
    sheet.move({2: TRUE}, step(sheet), rule=sheet.builder.conj(sheet.x[1], sheet.x[3]))
    sheet.move({3: TRUE}, step(sheet), rule=sheet.x[2])
    assert numbers(sheet.fillings()) == [11]
    sheet.moves.pop()
    with pytest.raises(NotApplicable, match="question of time"):
        sheet.fillings()


def test_without_a_move_there_is_nothing_to_fill() -> None:
    with pytest.raises(NotApplicable, match="no move is ever legal"):
        Sheet(2).fillings()


@pytest.mark.parametrize(("most", "fits"), [(12, True), (11, False)])
def test_what_moves_read_and_set_is_counted(
    monkeypatch: pytest.MonkeyPatch, most: int, fits: bool
) -> None:
    """The rule of the first takes three nodes, that of the second the constant; each sets four
    fluents, three of them as others do."""
    sheet = Sheet(4)
    frame = Frame(1, {0: TRUE, 1: TRUE, 2: FALSE})
    sheet.move({3: TRUE}, frame, rule=sheet.builder.conj(sheet.x[0], sheet.x[1]))
    sheet.move({3: FALSE}, frame)
    monkeypatch.setattr(module, "MAX_GATES", most)
    if fits:
        assert numbers(sheet.fillings()) == [10, 11]
    else:
        with pytest.raises(NotApplicable, match="too much"):
            sheet.fillings()


@pytest.mark.parametrize(("moves", "looks"), [(0, 0), (1, 1), (64, 1), (65, 2), (128, 2), (129, 3)])
def test_the_account_is_looked_at_once_for_so_many_moves(moves: int, looks: int) -> None:
    sheet = Sheet(1)
    sheet.move({0: TRUE})
    found = sheet.fillings()
    sheet.spent.clear()
    assert list(found.often(range(moves))) == list(range(moves))
    assert sheet.spent == [1] * looks


# -- functions of some fluents ---------------------------------------------------------------------


def circuit(seed: int, fluents: int) -> tuple[Sheet, list[int]]:
    """Literals of random gates of both kinds."""
    sheet, rng = Sheet(fluents), random.Random(seed)
    found = [*sheet.x]
    for _ in range(12):
        a, b = (rng.choice(found) ^ rng.randint(0, 1) for _ in range(2))
        found.append(rng.choice([sheet.builder.conj, sheet.builder.xor])(a, b))
    sheet.move({0: TRUE})
    return sheet, [*found, *(x ^ 1 for x in found), FALSE, TRUE]


def truth(sheet: Sheet, literal: int, held: Sequence[bool]) -> bool:
    """The value of a literal, by the operands of its gate."""
    first, second = sheet.builder.first, sheet.builder.second
    node = literal >> 1
    if 2 * node in sheet.x:
        value = held[sheet.x.index(2 * node)]
    elif not node:
        value = False
    else:
        a, b = truth(sheet, first[node], held), truth(sheet, second[node], held)
        value = a and b if first[node] < second[node] else a != b
    return value != bool(literal & 1)


@pytest.mark.parametrize("seed", range(4))
def test_a_cofactor_is_the_function_where_some_fluents_are_constants(seed: int) -> None:
    """Under all assignments of three fluents, of which none, one or two are known."""
    sheet, literals = circuit(seed, 3)
    found = sheet.fillings()
    for literal, which in itertools.product(literals, ((), (0,), (2,), (0, 1))):
        for constants in itertools.product((False, True), repeat=len(which)):
            values = dict(zip(which, constants, strict=True))
            other = found.cofactor(literal, values)
            for held in itertools.product((False, True), repeat=3):
                known = [values.get(f, held[f]) for f in range(3)]
                assert truth(sheet, other, held) == truth(sheet, literal, known)


@pytest.mark.parametrize(
    ("x", "y", "both", "either"),
    [
        (False, False, False, False),
        (False, True, False, True),
        (True, False, False, True),
        (True, True, True, False),
        (False, None, False, None),
        (None, False, False, None),
        (True, None, None, None),
        (None, True, None, None),
        (None, None, None, None),
    ],
)
def test_what_is_told_where_some_fluents_are_not_known(
    x: bool | None, y: bool | None, both: bool | None, either: bool | None
) -> None:
    """Kleene's tables of a conjunction and an exclusive disjunction."""
    sheet = Sheet(2)
    builder = sheet.builder
    gates = builder.conj(*sheet.x), builder.xor(*sheet.x)
    sheet.move({0: TRUE})
    known = {f: value for f, value in ((0, x), (1, y)) if value is not None}
    values = sheet.fillings()._values(range(len(builder)), known)
    for literal, wanted in zip((*gates, FALSE, *sheet.x), (both, either, False, x, y), strict=True):
        assert _of(values, literal) is wanted
        assert _of(values, literal ^ 1) is (None if wanted is None else not wanted)


# -- the clock -------------------------------------------------------------------------------------


def counter(steps: int, over: Callable[[Sheet], int] = lambda sheet: FALSE) -> Fillings:
    """Fluents 0, 1, … `steps` one after the other, and one more that each move sets."""
    sheet = Sheet(steps + 2)
    frame = Frame(1, {0: FALSE, **{i + 1: sheet.x[i] for i in range(steps)}})
    sheet.move({steps + 1: TRUE}, frame)
    return sheet.fillings(over(sheet))


def hands(found: list[dict[int, bool]]) -> list[list[int]]:
    """Which fluents of the clock hold at each time."""
    return [[f for f, holds in sorted(now.items()) if holds] for now in found]


@pytest.mark.parametrize(
    ("bits", "most", "told", "goes_on"),
    [
        (0b001, 9, [[0], [1], [2], [], []], False),
        (0b001, 4, [[0], [1], [2], [], []], False),
        (0b001, 3, [[0], [1], [2], []], True),
        (0b001, 1, [[0], [1]], True),
        (0b001, 0, [[0]], True),
        (0b101, 9, [[0, 2], [1], [2], [], []], False),
        (0b100, 9, [[2], [], []], False),
        # What is beside the clock does not count.
        (0b1000, 9, [[], []], False),
        (0b1000, 1, [[], []], False),
    ],
)
def test_the_clock_is_told_until_it_stands_still(
    bits: int, most: int, told: list[list[int]], goes_on: bool
) -> None:
    found, more = counter(2).ticks(bits, most)
    assert (hands(found), more) == (told, goes_on)


@pytest.mark.parametrize(
    ("over", "told", "ends"),
    [
        (lambda sheet: sheet.x[0], [[0]], True),
        (lambda sheet: sheet.x[2], [[0], [1], [2]], True),
        (lambda sheet: sheet.x[1] ^ 1, [[0]], True),
        # What depends on the board is not told, unless the time alone tells it.
        (lambda sheet: sheet.x[3], [[0], [1], [2], [], []], False),
        (lambda sheet: sheet.builder.conj(*sheet.x[2:4]), [[0], [1], [2], [], []], False),
        (lambda sheet: sheet.builder.disj(*sheet.x[2:4]), [[0], [1], [2]], True),
        (lambda sheet: sheet.builder.xor(*sheet.x[2:4]), [[0], [1], [2], [], []], False),
        (lambda sheet: sheet.builder.xor(*sheet.x[:2]), [[0]], True),
        (lambda sheet: sheet.builder.xor(*sheet.x[1:3]), [[0], [1]], True),
        (lambda sheet: TRUE, [[0]], True),
    ],
)
def test_play_is_over_where_the_time_alone_tells_it(
    over: Callable[[Sheet], int], told: list[list[int]], ends: bool
) -> None:
    """Nothing is left out of account where all plays are over."""
    found, more = counter(2, over).ticks(0b1, 9)
    assert (hands(found), more) == (told, ends)


def test_the_account_is_looked_at_at_every_tick() -> None:
    sheet = Sheet(4)
    sheet.move({3: TRUE}, Frame(1, {0: FALSE, 1: sheet.x[0], 2: sheet.x[1]}))
    found = sheet.fillings()
    sheet.spent.clear()
    assert len(found.ticks(0b1, 2)[0]) == 3
    assert sheet.spent == [1, 1]


@pytest.mark.parametrize("most", [2, 3, 5, 6, 8, 9, 12])
def test_a_clock_that_takes_too_much_is_not_told(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Three nodes a tick: the two fluents that others follow, and the constant."""
    found = counter(2)
    monkeypatch.setattr(module, "MAX_GATES", most)
    for ticks in range(5):
        if 3 * ticks <= most:
            assert len(found.ticks(0b1, ticks)[0]) == ticks + 1
        else:
            with pytest.raises(NotApplicable, match="takes too much"):
                found.ticks(0b1, ticks)
