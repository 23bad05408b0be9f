"""Which pieces of boards are valued as they come up in play: how large, and when larger ones."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis import Positions
from ggp.limits import Budget
from ggp.solver.pieces import kernels, settling, store, writing
from ggp.solver.pieces.frames import UNNAMED
from ggp.solver.valued import PieceValues, values
from ggp.solver.valued import known as module
from ggp.solver.valued.known import FEW, FIRST_SIZE, MANY, MISSES, NEAR, TRIED_SIZE, KnownValues
from ggp.theory import GameLimit, ShortGame
from tests.solver.plain import plain


class Pieces:
    """Pieces by names: `sizes` of those that there are, `boards` the names on each board.

    Those of the board `arising` are named when it is asked about, if they are no larger than is
    said. Nothing can be done with them, so that each is worth 0.
    """

    steps = 0

    def __init__(self, boards: dict[int, list[int]], arising: dict[int, list[int]]) -> None:
        self.boards, self.arising = boards, arising
        self.sizes: list[int] = []
        self.asked: list[int] = []

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def expanded(self) -> int:
        return len(self.sizes)

    def each(self, boards: list[int], largest: int, steps: int) -> list[list[int]]:
        self.asked.append(largest)
        found = []
        for board in boards:
            sizes = self.arising.get(board, [])
            if sizes and max(sizes) <= largest:
                start = len(self.sizes)
                self.sizes += self.arising.pop(board)
                self.boards[board] = list(range(start, len(self.sizes)))
            found.append(self.boards.get(board, [UNNAMED]))
        return found

    def size(self, name: int) -> int:
        return self.sizes[name]

    def upward(self, start: int) -> list[int]:
        return list(range(start, len(self.sizes)))

    def made(self, name: int) -> list[tuple[int, list[int]]]:
        return []


class Growing(Pieces):
    """Pieces of which it has to be found what they can become, one at each call and for `cost`."""

    def __init__(self, count: int, cost: int) -> None:
        super().__init__({}, {})
        self.sizes, self.cost = [1] * count, cost
        self.found = self.steps = 0
        self.given: list[int] = []

    @property
    def expanded(self) -> int:
        return self.found

    def expand(self, steps: int) -> None:
        self.given.append(steps)
        self.found += 1
        self.steps += self.cost


def known_of(store: Pieces, size: int = FIRST_SIZE) -> KnownValues:
    known = KnownValues.__new__(KnownValues)
    known._store = store  # type: ignore[assignment]
    known._values, known._order = [], []
    known._done = known._largest = known._misses = 0
    known._groups = ()
    known.size = size
    return known


ZERO = ShortGame.integer(0)


@pytest.mark.filterwarnings("ignore:overflow")
def test_pieces_of_a_board_sum_to_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "kernels", plain(settling, writing, kernels))
    game = ggp.games.load("clobber/clobber", rows=2, columns=2)
    budget = Budget(game.limits)
    with game.within(budget):
        known = KnownValues(Positions(game, budget, None, [game.initial.bits]).proofs)
    assert known.may_arise(game.initial.bits)
    assert known.size == FIRST_SIZE
    known.size = TRIED_SIZE
    whole = values(game)
    assert isinstance(whole, PieceValues)
    for state, _ in game.random_playout(seed=1):
        board = game.marker.board(state.bits)
        known.parts([board], 10**6)
        known.work(10**9)
        [parts] = known.parts([board], 10**6)
        assert parts is not None
        assert sum(parts, ZERO) == whole.value(board)


@pytest.mark.parametrize(
    ("cost", "steps", "given"),
    [(40, 100, [100, 60, 20]), (50, 100, [100, 50]), (0, 3, [3, 2, 1]), (1, 1, [1]), (9, 0, [])],
)
def test_finding_what_pieces_become_is_work(cost: int, steps: int, given: list[int]) -> None:
    """A call counts for one step at the least."""
    store = Growing(10, cost)
    known_of(store).work(steps)
    assert store.given == given


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_valuing_a_piece_is_work(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Of four pieces as many as there are steps, one by one in the order that is said; what is
    left over is done the next time."""
    store = Growing(4, 0)
    store.found = 4
    known, order = known_of(store), []
    monkeypatch.setattr(store, "upward", lambda start: [2, 0, 3, 1])
    monkeypatch.setattr(known, "_value", lambda name: order.append(name) or (ZERO, 1))
    known.work(steps)
    assert order == [2, 0, 3, 1][:steps]
    assert not known.is_idle
    known.work(4)
    assert order == [2, 0, 3, 1]
    assert known.is_idle


def test_comparing_games_is_work(monkeypatch: pytest.MonkeyPatch) -> None:
    left = SimpleNamespace(steps=module.MOST_COMPARISONS - 7)
    monkeypatch.setattr(module, "limited", lambda games, steps: nullcontext(left))
    known = known_of(Pieces({}, {}))
    monkeypatch.setattr(known._store, "made", lambda name: [(0, [0]), (1, [0]), (1, [0, 0])])
    known._values = [ZERO]
    assert known._value(1)[1] == 4 * module.AN_OPTION + 7 * module.A_COMPARISON


def test_boards_are_valued_when_their_pieces_are_worked_out() -> None:
    known = known_of(Pieces({}, {5: [3, 4], 6: [2]}))
    assert known.is_idle
    assert known.parts([5, 7], 100) == [None, None]
    assert not known.is_idle
    # What comes up in the meantime waits.
    assert known.parts([6], 100) == [None]
    assert known._store.asked == [FIRST_SIZE, 0]  # type: ignore[attr-defined]
    known.work(1)
    assert (len(known), known.is_idle) == (0, False)
    known.work(10**6)
    assert (len(known), known.is_idle) == (2, True)
    assert known.parts([5, 6], 100) == [[ZERO, ZERO], None]
    known.work(10**6)
    assert len(known) == 3
    assert known.parts([6, 5, 7], 100) == [[ZERO], [ZERO, ZERO], None]


@pytest.mark.parametrize("before", [0, 1, 10])
def test_after_so_many_misses_larger_pieces_are_tried(before: int) -> None:
    """Counted from the last board on that had pieces with new names."""
    store = Pieces({}, {1: [9]})
    known = known_of(store)
    known.parts([7] * before, 100)
    known.parts([1], 100)
    known.work(10**6)
    size = known.size
    for misses in range(1, 3 * MISSES):
        known.parts([7], 100)
        assert known.size == size + misses // MISSES


@pytest.mark.parametrize(("size", "grown"), [(TRIED_SIZE - 1, 1), (TRIED_SIZE, 0)])
def test_sizes_are_tried_up_to_one(size: int, grown: int) -> None:
    known = known_of(Pieces({}, {}), size)
    known.parts([7] * MISSES, 100)
    known.parts([7] * (MISSES - 1), 100)
    assert known.size == size + grown
    known.parts([7, 7], 100)
    assert known.size == size + grown


def test_boards_with_values_are_no_misses() -> None:
    known = known_of(Pieces({2: []}, {}))
    known.parts([2] * MISSES + [7] * (MISSES - 1), 100)
    assert known.size == FIRST_SIZE
    known.parts([2, 7], 100)
    assert known.size == FIRST_SIZE + 1


@pytest.mark.parametrize(
    ("count", "largest", "size", "after"),
    [
        # A short round with pieces as large as may be, or nearly.
        (1, 20, 20, 21),
        (FEW, 20, 20, 21),
        (FEW, 20 - NEAR, 20, 21),
        (FEW, 20 - NEAR - 1, 20, 20),
        (FEW + 1, 20, 20, 20),
        (MANY, 20, 20, 20),
        # A long one: smaller than the largest of it, if that is not too small.
        (MANY + 1, 20, 20, 19),
        (MANY + 1, 19, 20, 18),
        (MANY + 1, 25, 20, 20),
        (MANY + 1, FIRST_SIZE, 20, FIRST_SIZE),
        (MANY + 1, 3, 20, FIRST_SIZE),
    ],
)
@pytest.mark.parametrize("done", [0, 7])
def test_the_size_follows_how_long_a_round_was(
    count: int, largest: int, size: int, after: int, done: int
) -> None:
    known = known_of(Pieces({}, {}), size)
    known._done, known._largest = done, largest
    known._values = [ZERO] * (done + count)
    known._end_round()
    assert (known.size, len(known)) == (after, done + count)


@pytest.mark.parametrize(("most", "is_named"), [(0, False), (1, False), (2, True)])
def test_beyond_so_many_pieces_no_more_are_valued(
    monkeypatch: pytest.MonkeyPatch, most: int, is_named: bool
) -> None:
    store = Pieces({}, {1: [5], 2: [5]})
    known = known_of(store)
    known.parts([1], 100)
    known.work(10**6)
    monkeypatch.setattr(module, "MOST_PIECES", most)
    known.parts([2], 100)
    assert (len(store) == 2) is is_named


def test_what_a_piece_with_a_hard_part_is_worth_is_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Left moves from 1 to two times 0, from 2 to 1 beside 0; right from 3 to 2. The value of 2 is
    too hard."""
    made = {0: [], 1: [(0, [0, 0])], 2: [(0, [1, 0])], 3: [(1, [2])]}
    known = known_of(Pieces({}, {}))
    monkeypatch.setattr(known._store, "made", made.__getitem__)
    known._values = [ZERO]
    for name, value in ((1, 1), (2, 2)):
        found, steps = known._value(name)
        assert found == ShortGame.integer(value)
        assert steps >= 2 * module.AN_OPTION
        known._values.append(found)
    known._values[2] = None
    assert known._value(3) == (None, 2 * module.AN_OPTION)
    assert known._known([1, 0]) == [ShortGame.integer(1), ZERO]
    for names in ([2], [1, 2], [3], [UNNAMED], [1, UNNAMED]):
        assert known._known(names) is None
    assert known._known([]) == []


def test_values_that_take_too_many_games_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where either may move to 0 the value is that of a heap of one, as long as it may be made."""
    known = known_of(Pieces({}, {}))
    monkeypatch.setattr(known._store, "made", lambda name: [(0, [0]), (1, [0])])
    known._values = [ZERO]
    found, steps = known._value(1)
    assert found == ShortGame.nimber(1)
    assert steps >= 3 * module.AN_OPTION

    def too_many(options: object) -> ShortGame:
        raise GameLimit("games")

    monkeypatch.setattr(module, "value_of", too_many)
    assert known._value(1)[0] is None
