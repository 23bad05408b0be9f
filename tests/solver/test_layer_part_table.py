"""One part of packed layers: names on its shelf, what each step enters, sends, and values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

import ggp
from ggp import limits
from ggp.analysis import Positions
from ggp.errors import InputError, LimitReached
from ggp.limits import Budget, Limits
from ggp.solver.layers import images, kernels, keys, moving, part, ranks
from ggp.solver.layers.division import Division, Expanded, Traffic
from ggp.solver.layers.keys import mixed
from ggp.solver.layers.moving import Moving
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.part import Part
from ggp.solver.layers.payoffs import Payoffs
from ggp.solver.layers.shelf import InMemory
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.layers.workers import Workers
from tests.solver.plain import plain
from tests.solver.together import Together
from tests.solver.two_heaps import ALONE, heaps, states_of

# Words of keys overflow, as they should.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (images, keys, moving, part, ranks):
        monkeypatch.setattr(module, "kernels", plain(kernels))


def solved(game: ggp.Game, **more: Any) -> LayerSolution:
    return LayerSolution(Positions(game, Budget(game.limits)), keeping=Keeping(threads=1), **more)


@cache
def heaps_once() -> ggp.Game:
    return heaps()


def moving_of(game: ggp.Game) -> Moving:
    """Of the two heaps the rank is the number of counters."""
    return solved(game)._moving


def part_of(game: ggp.Game, shelf: InMemory | None = None, top: int = 4, **more: Any) -> Part:
    """Not yet begun."""
    budget = more.pop("budget", Budget(game.limits))
    return Part(moving_of(game), shelf or InMemory(), budget, top, Workers(1), **more)


def rows_of(game: ggp.Game, states: Sequence[ggp.State]) -> np.ndarray[Any, Any]:
    return game.packed_machine.rows([state.bits for state in states])


@pytest.mark.parametrize(
    ("kind", "rank", "source", "by", "bits", "name"),
    [
        ("keys", 4, None, None, 0, "keys-0000000000"),
        ("keys", 1, None, None, 0, "keys-0000000003"),
        ("keys", -2, None, None, 2, "keys-0000000006"),
        ("values", 0, None, None, 0, "values-0000000004"),
        ("moved", 2, 3, 1, 2, "moved-0000000002"),
        ("run", 2, None, None, 0, "run-0000000002-start"),
        ("run", 2, None, None, 2, "run-0000000002-start"),
        ("run", 2, 4, None, 0, "run-0000000002-0000000000"),
        ("run", 2, 4, 0, 0, "run-0000000002-0000000000"),
        ("run", 2, 3, 0, 1, "run-0000000002-0000000001-00000"),
        ("run", 2, 3, 7, 3, "run-0000000002-0000000001-00007"),
        ("run", 2, 0, None, 3, "run-0000000002-0000000004"),
    ],
)
def test_names_on_the_shelf(
    kind: str, rank: int, source: int | None, by: int | None, bits: int, name: str
) -> None:
    assert part_of(heaps_once(), division=Division(bits))._name(kind, rank, source, by) == name


def shelf_of(*names: str) -> InMemory:
    shelf = InMemory()
    for name in names:
        shelf.put(name, np.zeros((1, 1), dtype=np.uint64))
    return shelf


@pytest.mark.parametrize(
    ("names", "below", "rank"),
    [
        ([], None, None),
        (["keys-0000000000"], None, 4),
        (["run-0000000001-start"], None, 3),
        (["keys-0000000003", "run-0000000001-0000000000", "run-0000000002-start"], None, 3),
        (["values-0000000000", "moved-0000000001", "keys-0000000002", "weights"], None, 2),
        (["keys-0000000000", "keys-0000000003"], 4, 1),
        (["keys-0000000000", "keys-0000000003"], 5, 4),
        (["keys-0000000000", "keys-0000000003"], 2, 1),
        (["keys-0000000000", "keys-0000000003"], 1, None),
        (["keys-0000000000", "run-0000000006-start"], 1, -2),
        (["keys-0000000000"], 4, None),
    ],
)
def test_the_next_rank_is_the_highest_below(
    names: list[str], below: int | None, rank: int | None
) -> None:
    assert part_of(heaps_once(), shelf_of(*names)).next_rank(below) == rank


@pytest.mark.parametrize(
    ("names", "bits", "left"),
    [
        # Runs of a layer whose positions are settled.
        ("keys-0000000001 run-0000000001-start", 0, "keys-0000000001"),
        ("keys-0000000001 run-0000000001-0000000000 moved-0000000000", 0,
         "keys-0000000001 moved-0000000000"),
        ("keys-0000000001 run-0000000001-0000000000-00001", 1, "keys-0000000001"),
        # Runs that come from a layer of which not all was moved.
        ("run-0000000002-0000000001", 0, ""),
        ("run-0000000002-0000000001 moved-0000000000", 0, "moved-0000000000"),
        ("run-0000000002-0000000001 moved-0000000001", 0,
         "moved-0000000001 run-0000000002-0000000001"),
        ("run-0000000002-start", 0, "run-0000000002-start"),
        # Of several parts another enters it again, or has done with it.
        ("run-0000000002-0000000001-00000", 1, "run-0000000002-0000000001-00000"),
        ("run-0000000002-0000000001-00001", 1, "run-0000000002-0000000001-00001"),
        # Other arrays stay.
        ("keys-0000000001 values-0000000001 moved-0000000001 weights", 0,
         "keys-0000000001 moved-0000000001 values-0000000001 weights"),
    ],
)  # fmt: skip
def test_what_was_half_done_is_forgotten(names: str, bits: int, left: str) -> None:
    shelf = shelf_of(*names.split())
    part_of(heaps_once(), shelf, division=Division(bits))._sweep()
    assert shelf.names() == left.split()


STEPS = {
    4: (1, 4, set()),
    3: (2, 6, set()),
    2: (5, 10, set()),
    1: (4, 4, set()),
    0: (2, 0, {100, 100 << 32}),
}
"""Of two heaps of two by the counters that are left: positions, moves, and results at the ends."""


def test_each_step_enters_what_the_last_one_leads_to() -> None:
    game = heaps_once()
    told: list[tuple[int, int]] = []
    shelf = InMemory()
    one = part_of(game, shelf, tell=lambda found, done: told.append((found, done)))
    one.begin(rows_of(game, [game.initial] * 3))
    assert shelf.names() == ["run-0000000000-start"]
    rank = one.next_rank()
    done = 0
    for wanted, (count, moves, results) in STEPS.items():
        assert rank == wanted
        found = one.expand(rank)
        assert found == Expanded(count, moves, frozenset(results))
        done += count
        assert told[-1] == (done, done)
        rank = one.next_rank(rank)
    assert rank is None
    assert {name.split("-")[0] for name in shelf.names()} == {"keys", "moved"}
    one.turned()
    scores = np.array([0, 100])
    for rank in reversed(STEPS):
        assert one.value(rank, scores) == STEPS[rank][0]
    assert told[-1] == (14, 14)
    for state in states_of(game):
        row = rows_of(game, [state])
        at = int(one.moving.ranks(row)[0])
        # Where the heaps are the same who is to move has lost.
        facts = sorted(map(str, state.facts))
        is_same = len({fact[-2] for fact in facts if "heap" in fact}) == 1
        is_a = facts[0] == "(control a)"
        assert one.codes(at, mixed(row.copy())).tolist() == [int(is_a != is_same)]


def test_a_step_may_be_asked_for_again() -> None:
    game = heaps_once()
    shelf = InMemory()
    first = part_of(game, shelf)
    first.begin(rows_of(game, [game.initial]))
    found = [first.expand(rank) for rank in STEPS]
    kept = {name: shelf.get(name) for name in shelf.names()}
    again = part_of(game, shelf)
    again.begin(rows_of(game, [game.initial]))
    assert [again.expand(rank) for rank in STEPS] == found
    assert shelf.names() == sorted(kept)
    assert all(shelf.get(name) is array for name, array in kept.items())


def test_what_is_known_already_is_not_entered() -> None:
    game = heaps_once()
    shelf = InMemory()
    one = part_of(game, shelf)
    one.begin(rows_of(game, [game.initial]))
    one.expand(4)
    before = shelf.names()
    new = np.array([[5]], dtype=np.uint64)
    one.enter(4, 4, 0, new)
    assert shelf.names() == before
    one.enter(1, 4, 0, new)
    assert shelf.names() == sorted([*before, "run-0000000003-0000000000"])


@pytest.mark.parametrize("parts", [1, 2, 4, 8])
def test_parts_send_what_leads_from_one_to_another(parts: int) -> None:
    """Keys once for each rank that they are come to from, and then, to get a code, once for each
    move; by messages for each rank and part, one forward and two back."""
    game = heaps_once()
    together = Together(parts, lambda folder, about: InMemory())
    solution = LayerSolution(
        Positions(game, Budget(game.limits)), keeping=Keeping(threads=1, elsewhere=together)
    )
    own = solution._moving
    bits = parts.bit_length() - 1

    def place(state: ggp.State) -> tuple[int, int, int]:
        row = rows_of(game, [state])
        rank = int(own.ranks(row)[0])
        key = int(mixed(row.copy())[0, 0])
        return rank, key >> 64 - bits if bits else 0, key

    sent, asked, batches = set(), 0, set()
    for state in states_of(game):
        if state.terminal:
            continue
        rank, here, _ = place(state)
        mover = "a" if "(control a)" in map(str, state.facts) else "b"
        for move in state.legal(mover):
            noop = {role: state.legal(role)[0] for role in game.roles}
            to, there, key = place(state.play({**noop, mover: move}))
            if there != here:
                sent.add((here, rank, to, there, key))
                batches.add((here, rank, to, there))
                asked += 1
    assert together.traffic == Traffic(8 * (len(sent) + asked), asked, 3 * len(batches))
    assert sum(len(one.layer(rank)) for one in together.members for rank in STEPS) == 14
    for one in together.members:
        for state in states_of(game):
            rank, there, key = place(state)
            found = one._rows(one.layer(rank).keys)
            assert (rows_of(game, [state])[0, 0] in found[:, 0]) == (there == one.number)


@pytest.mark.parametrize(
    ("swapped", "results", "first"),
    [
        (False, {(20 << 32) + 80, (70 << 32) + 30}, [20, 70]),
        (True, {(80 << 32) + 20, (30 << 32) + 70}, [80, 30]),
    ],
)
def test_results_are_numbers_of_both_payoffs(
    swapped: bool, results: set[int], first: list[int]
) -> None:
    payoffs = Payoffs(heaps_once(), swapped)
    goals = np.array([[20, 80], [70, 30], [20, 80]], dtype=np.int16)
    assert payoffs.results(goals) == results
    assert payoffs.of(goals)[:2, 0].tolist() == first
    assert payoffs.results(goals[:0]) == set()
    places = [sorted(first).index(payoff) for payoff in (first[0], first[1], first[0])]
    assert payoffs.codes(goals, np.array(sorted(first))).tolist() == places
    assert payoffs.is_low(np.array([0, 1, -1, -2], dtype=np.int16)).tolist() == [0, 1, 0, 0]


def test_results_of_one_player_are_numbers_of_their_payoff() -> None:
    payoffs = Payoffs(ggp.parse(ALONE))
    goals = np.array([[5], [30], [5]], dtype=np.int16)
    assert payoffs.results(goals) == {5 << 32, 30 << 32}
    assert payoffs.of(goals).tolist() == [[5], [30], [5]]
    assert payoffs.is_low(np.array([0, -1], dtype=np.int16)).tolist() == [0, 0]


def test_one_player_chooses_the_most() -> None:
    """Whoever goes twice comes by the mark, which is worth more: the greatest of all codes."""
    game = ggp.parse(ALONE)
    solution = solved(game)
    assert solution.layers.scores == (5, 30)
    assert solution.value(game.initial) == {"a": 30}


@pytest.mark.parametrize("lost", ["keys", "values"])
def test_positions_that_are_gone_are_told(lost: str) -> None:
    game = heaps_once()
    shelf = InMemory()
    one = part_of(game, shelf)
    one.begin(rows_of(game, [game.initial]))
    for rank in STEPS:
        one.expand(rank)
    if lost == "keys":
        shelf.drop("keys-0000000004")
        with pytest.raises(InputError, match="gone: begin anew"):
            one.value(0, np.array([0, 100]))
    else:
        one.value(0, np.array([0, 100]))
        shelf.drop("values-0000000004")
    with pytest.raises(InputError, match="gone: begin anew"):
        one.layer(0)


def test_keys_that_are_not_there_are_told() -> None:
    game = heaps_once()
    one = part_of(game)
    one.begin(rows_of(game, [game.initial]))
    for rank in STEPS:
        one.expand(rank)
    for rank in reversed(STEPS):
        one.value(rank, np.array([0, 100]))
    with pytest.raises(InputError, match="gone: begin anew"):
        one.codes(4, np.array([[5]], dtype=np.uint64))


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("run-0000000000-start", np.zeros((1, 1), dtype=np.int64)),
        ("run-0000000000-start", np.zeros((1, 2), dtype=np.uint64)),
        ("run-0000000000-start", np.zeros(1, dtype=np.uint64)),
        ("keys-0000000000", np.zeros((1, 1), dtype=np.int64)),
        ("keys-0000000000", np.zeros((1, 2), dtype=np.uint64)),
        ("moved-0000000000", np.zeros(0, dtype=np.int64)),
        ("moved-0000000000", np.zeros(2, dtype=np.int32)),
        ("moved-0000000000", np.zeros((1, 1), dtype=np.int64)),
    ],
)
def test_arrays_that_were_altered_are_refused(name: str, array: np.ndarray[Any, Any]) -> None:
    game = heaps_once()
    shelf = InMemory()
    one = part_of(game, shelf)
    one.begin(rows_of(game, [game.initial]))
    shelf.put(name, array)
    with pytest.raises(InputError, match=f"^{name}: not what was written there$"):
        one.expand(4)


def test_values_that_were_altered_are_refused() -> None:
    game = heaps_once()
    for array in (
        np.zeros(1, dtype=np.uint8),
        np.zeros(2, dtype=np.int8),
        np.zeros((2, 1), np.uint8),
    ):
        shelf = InMemory()
        one = part_of(game, shelf)
        one.begin(rows_of(game, [game.initial]))
        for rank in STEPS:
            one.expand(rank)
        shelf.put("values-0000000004", array)
        with pytest.raises(InputError, match=r"^values-0000000004: not what was written there$"):
            one.layer(0)


RUNS = {
    "run-0000000001-0000000000": [3, 7],
    "run-0000000002-0000000000": [1, 5],
    "run-0000000002-0000000001": [5, 9],
    "run-0000000002-start": [2],
    "run-0000000003-0000000001": [4, 6],
    "run-0000000003-0000000002": [8],
}
"""Those of the last line come from rank 2, the others from 4 and 3."""


@pytest.mark.parametrize(
    ("memory", "rank", "left"),
    [
        # Nine keys of eight bytes from above rank 2, times 8: they take no more than they may.
        (9 * 8 * 8, 2, RUNS),
        (
            9 * 8 * 8 - 1,
            2,
            {
                "run-0000000001-0000000000": [3, 7],
                "run-0000000002-0000000001": [1, 2, 5, 9],
                "run-0000000003-0000000001": [4, 6],
                "run-0000000003-0000000002": [8],
            },
        ),
        # From above rank 3, seven less four.
        (5 * 8 * 8, 3, RUNS),
        (
            5 * 8 * 8 - 1,
            3,
            {
                "run-0000000001-0000000000": [3, 7],
                "run-0000000002-0000000000": [1, 2, 5],
                "run-0000000002-0000000001": [5, 9],
                "run-0000000003-0000000001": [4, 6],
                "run-0000000003-0000000002": [8],
            },
        ),
        (
            200,
            1,
            {
                "run-0000000001-0000000000": [3, 7],
                "run-0000000002-0000000001": [1, 2, 5, 9],
                "run-0000000003-0000000002": [4, 6, 8],
            },
        ),
    ],
)
def test_runs_that_take_much_memory_are_made_one_for_each_layer(
    memory: int, rank: int, left: dict[str, list[int]]
) -> None:
    game = heaps_once()
    shelf = InMemory()
    for name, own in RUNS.items():
        shelf.put(name, np.array(own, dtype=np.uint64).reshape(-1, 1))
    one = part_of(game, shelf)
    one.budget = Budget(Limits(memory=memory))
    one._plan = lambda more: None  # type: ignore[method-assign]
    one._join_runs(rank)
    found = {name: shelf.get(name) for name in shelf.names()}
    assert {name: own[:, 0].tolist() for name, own in found.items() if own is not None} == left


def test_loose_positions_are_sorted_where_they_take_much_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the memory, the same is entered."""
    game = heaps_once()
    wanted = [
        Expanded(count, moves, frozenset(results)) for count, moves, results in STEPS.values()
    ]
    monkeypatch.setitem(game.packed_machine.__dict__, "batch", 1)
    for loose in (1, 1 << 62):
        monkeypatch.setattr(part, "LOOSE", loose)
        one = part_of(game)
        one.begin(rows_of(game, [game.initial]))
        assert [one.expand(rank) for rank in STEPS] == wanted


@pytest.mark.parametrize(
    ("most", "rank"), [(1, 3), (2, 3), (3, 2), (7, 2), (8, 1), (12, 0), (14, None)]
)
def test_positions_count_towards_the_limit(most: int, rank: int | None) -> None:
    """1, 3, 8, 12 and 14 are known after the ranks from 4 to 0."""
    game = heaps_once()
    one = part_of(game, budget=Budget(Limits(positions=most)))
    one.begin(rows_of(game, [game.initial]))
    for own in STEPS:
        if own == rank:
            with pytest.raises(LimitReached):
                one.expand(own)
            return
        one.expand(own)
    assert rank is None


def test_starts_that_are_of_other_parts_are_not_entered() -> None:
    game = heaps_once()
    states = states_of(game)
    rows = rows_of(game, states)
    division = Division(1)
    of = division.of(mixed(rows.copy())).tolist()
    assert set(of) == {0, 1}
    for number in (0, 1):
        shelf = InMemory()
        one = part_of(game, shelf, number=number, division=division)
        one.begin(rows.copy())
        entered = []
        for name in shelf.names():
            assert name.endswith("-start")
            own = shelf.get(name)
            assert own is not None
            assert own[:, 0].tolist() == sorted(own[:, 0].tolist())
            entered += one._rows(own)[:, 0].tolist()
        wanted = [
            row for row, place in zip(rows[:, 0].tolist(), of, strict=True) if place == number
        ]
        assert sorted(entered) == sorted(wanted)


@pytest.mark.parametrize("more", [1, 3, 100])
def test_keys_that_are_sorted_take_sixteen_bytes_each(
    more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are sorted and the sorted ones, of one word."""
    one = part_of(heaps_once())
    monkeypatch.setattr(limits, "memory_in_use", lambda: 0)
    one.budget = Budget(Limits(memory=16 * more))
    one._plan(more)
    one.budget = Budget(Limits(memory=16 * more - 1))
    with pytest.raises(LimitReached):
        one._plan(more)


@pytest.mark.parametrize(
    ("runs", "memory", "fits"),
    [
        ([[3, 4, 7]], 0, True),
        ([[3, 4], [7]], 16 * 3, True),
        ([[3, 4], [7]], 16 * 3 - 1, False),
        ([[3], [3, 5], [5, 7]], 16 * 5, True),
        ([[3], [3, 5], [5, 7]], 16 * 5 - 1, False),
        ([], 0, True),
    ],
)
def test_one_run_is_the_positions_and_several_are_sorted(
    runs: list[list[int]], memory: int, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = InMemory()
    for number, own in enumerate(runs):
        keys_ = np.array(own, dtype=np.uint64).reshape(-1, 1)
        shelf.put(f"run-0000000003-{number:010d}", keys_)
    shelf.put("run-0000000004-start", np.array([[9]], dtype=np.uint64))
    one = part_of(heaps_once(), shelf)
    monkeypatch.setattr(limits, "memory_in_use", lambda: 0)
    one.budget = Budget(Limits(memory=memory))
    if not fits:
        with pytest.raises(LimitReached):
            one._settled(1)
        assert len(shelf.names()) == len(runs) + 1
        return
    wanted = sorted({key for own in runs for key in own})
    assert one._settled(1)[:, 0].tolist() == wanted
    assert shelf.names() == ["keys-0000000003", "run-0000000004-start"]


@pytest.mark.parametrize(
    ("memory", "is_sorted_early"),
    [(64 * 10, False), (64 * 10 - 1, True), (64 * 4, True), (1 << 20, False)],
)
def test_loose_keys_are_sorted_before_they_take_an_eighth_of_the_memory(
    memory: int, is_sorted_early: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten keys of eight bytes are an eighth of 640. Positions with two counters left make ten moves
    to two ranks, which are sorted once each at the end."""
    game = heaps_once()
    monkeypatch.setitem(game.packed_machine.__dict__, "batch", 1)
    one = part_of(game)
    one.begin(rows_of(game, [game.initial]))
    for rank in (4, 3):
        one.expand(rank)
    keys_ = one._settled(2)
    monkeypatch.setattr(limits, "memory_in_use", lambda: 0)
    one.budget, one._taken = Budget(Limits(memory=memory)), 0
    calls: list[int] = []
    sort = one._sorted

    def counted(groups: list[Any]) -> Any:
        calls.append(len(groups))
        return sort(groups)

    monkeypatch.setattr(one, "_sorted", counted)
    one._expand(2, keys_)
    assert (len(calls) > 2) == is_sorted_early
    found = [one.shelf.get(one._name("run", rank, 2)) for rank in (1, 0)]
    assert [len(run) for run in found if run is not None] == [4, 2]


def test_values_take_two_bytes_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no, one or two counters left there are two, four and five positions."""
    game = heaps_once()
    one = part_of(game)
    one.begin(rows_of(game, [game.initial]))
    for rank in STEPS:
        one.expand(rank)
    monkeypatch.setattr(limits, "memory_in_use", lambda: 0)
    for rank, count in ((0, 2), (1, 4), (2, 5)):
        one.budget = Budget(Limits(memory=2 * count - 1))
        with pytest.raises(LimitReached):
            one.value(rank, np.array([0, 100]))
        one.budget = Budget(Limits(memory=2 * count))
        assert one.value(rank, np.array([0, 100])) == count
        # What was valued is not valued again.
        one.budget = Budget(Limits(memory=1))
        assert one.value(rank, np.array([0, 100])) == count
