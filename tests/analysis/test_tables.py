"""Small tables for what claims stand on, each against its definition."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.analysis.boards.effects import ALL, Moves, union
from ggp.analysis.boards.parts import BoardPart, PartStep, ranks
from ggp.analysis.invariants.unchanged import Unchanged, determined
from ggp.analysis.questions.question import Question
from ggp.bits import bits_of
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.errors import LimitReached
from ggp.ground import Group
from ggp.work import work_done

UNIVERSE = frozenset(range(5))
SETS = st.builds(Moves, st.frozensets(st.sampled_from(sorted(UNIVERSE))), st.booleans())


@pytest.mark.parametrize(
    ("word", "places"),
    [(0, []), (1, [0]), (2, [1]), (3, [0, 1]), (0b101001, [0, 3, 5]), (1 << 100, [100])],
)
def test_bits_of(word, places) -> None:
    assert list(bits_of(word)) == places


def members(moves: Moves) -> frozenset[int]:
    return UNIVERSE - moves.listed if moves.others else moves.listed


@given(SETS, SETS)
def test_sets_of_moves_are_sets(first, second) -> None:
    count = len(UNIVERSE)
    assert members(first & second) == members(first) & members(second)
    assert members(~first) == UNIVERSE - members(first)
    assert members(union([first, second])) == members(first) | members(second)
    assert first.is_all(count) == (members(first) == UNIVERSE)
    assert first.is_empty(count) == (not members(first))
    short = first.shortest(UNIVERSE)
    assert members(short) == members(first)
    assert len(short.listed) == min(len(members(first)), count - len(members(first)))
    assert members(ALL) == UNIVERSE
    assert members(union([])) == frozenset()


def step(kept: int, *pairs: tuple[int, int]) -> PartStep:
    return PartStep((0, 0), 0, 0, kept, pairs, True)


@pytest.mark.parametrize(
    ("size", "steps", "found"),
    [
        (3, [], [0, 0, 0]),
        # 2 to 1 to 0.
        (3, [step(0, (0b100, 1)), step(0, (0b010, 0))], [0, 1, 2]),
        # 2 and 1 both to 0, and 2 to 1 as well.
        (3, [step(0, (0b110, 0)), step(0, (0b100, 1))], [0, 1, 2]),
        # 0 and 1 lead to each other, 2 to either; staying where one is changes nothing.
        (3, [step(0, (0b001, 1)), step(0, (0b010, 0), (0b100, 0)), step(0, (1, 0))], [0, 0, 1]),
        # A circle of three.
        (3, [step(0, (0b001, 1), (0b010, 2), (0b100, 0))], [0, 0, 0]),
        # A fork: 3 to 2 and to 0, 2 to 1.
        (4, [step(0, (0b1000, 2), (0b1000, 0), (0b0100, 1))], [0, 0, 1, 2]),
    ],
)
def test_ranks_fall_with_every_move_out_of_a_circle(size, steps, found) -> None:
    assert ranks(BoardPart(tuple(range(size)), exact=True), steps) == found


CHANGES = st.lists(
    st.dictionaries(st.integers(0, 5), st.sampled_from([-1, 1]), min_size=1).map(
        lambda d: tuple(sorted(d.items()))
    ),
    max_size=6,
)


def rank_of(rows: list[list[int]]) -> int:
    """The rank of a matrix of integers, by elimination without fractions."""
    rows, rank = [list(row) for row in rows], 0
    for column in range(6):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for r in range(rank + 1, len(rows)):
            a, b = rows[rank][column], rows[r][column]
            rows[r] = [a * y - b * x for x, y in zip(rows[rank], rows[r], strict=True)]
        rank += 1
    return rank


@given(CHANGES)
def test_sums_that_no_change_alters_are_all_of_them(changes) -> None:
    unchanged = Unchanged(range(6))
    for change in changes:
        unchanged.add(change)
    for row in unchanged.rows.values():
        assert 0 not in row.values()
        for change in changes:
            assert sum(row.get(f, 0) * d for f, d in change) == 0
    as_lists = [[row.get(f, 0) for f in range(6)] for row in unchanged.rows.values()]
    seen = [[dict(change).get(f, 0) for f in range(6)] for change in changes]
    assert rank_of(as_lists) == len(as_lists) == 6 - rank_of(seen)


def test_rows_are_found_by_their_fluents_and_can_be_dropped() -> None:
    unchanged = Unchanged(range(3))
    unchanged.add(((0, 1), (1, -1)))
    [row] = unchanged.touching([0])
    assert unchanged.rows[row] == {0: 1, 1: 1}
    assert unchanged.touching([1]) == [row]
    [other] = unchanged.touching([2])
    assert unchanged.touching([0, 2]) == [other, row]
    assert unchanged.drop(row) == {0: 1, 1: 1}
    assert unchanged.touching([0, 1]) == []
    unchanged.add(((7, 1),))
    assert list(unchanged.rows) == [other]


@pytest.mark.parametrize(
    ("groups", "count"),
    [
        ([], 0),
        ([(0, 1, 2)], 1),
        ([(0, 1), (2, 3)], 2),
        ([(0, 1), (1, 2)], 2),
        # What the third says follows from the others.
        ([(0, 1), (2, 3), (0, 1, 2, 3)], 2),
    ],
)
def test_one_fluent_of_each_group_follows_from_the_others(groups, count) -> None:
    found = determined(Group(fluents, exact=True) for fluents in groups)
    assert len(found) == count
    assert found <= {f for fluents in groups for f in fluents}
    # No two states in which each group has just one differ in these alone.
    universe = sorted({f for fluents in groups for f in fluents})
    states = [
        bits
        for bits in itertools.product((0, 1), repeat=len(universe))
        if all(sum(bits[universe.index(f)] for f in fluents) == 1 for fluents in groups)
    ]
    rest = [tuple(b for f, b in zip(universe, s, strict=True) if f not in found) for s in states]
    assert len(set(rest)) == len(states)


class Asked:
    """Four inputs, of which the first two are a group, and a question about them."""

    def __init__(self, exact: bool = True) -> None:
        self.builder = Builder()
        self.inputs = dict(enumerate(self.builder.inputs(4)))
        groups = [Group((0, 1), exact=exact), Group((2, 9), exact=True)]
        self.question = Question(self.builder, self.inputs, groups)
        least = 1 if exact else 0
        self.boards = [
            bits
            for bits in itertools.product((False, True), repeat=4)
            if least <= bits[0] + bits[1] <= 1
        ]

    def holds(self, literal: int, board: tuple[bool, ...]) -> bool:
        node = literal >> 1
        if node == 0:
            return bool(literal & 1)
        for i, x in self.inputs.items():
            if x >> 1 == node:
                return board[i] != bool(literal & 1)
        a, b = self.builder.first[node], self.builder.second[node]
        x, y = self.holds(a, board), self.holds(b, board)
        return ((x and y) if a < b else x != y) != bool(literal & 1)


@pytest.mark.parametrize("exact", [True, False])
def test_what_no_board_satisfies_is_impossible(exact) -> None:
    asked = Asked(exact)
    builder, x = asked.builder, list(asked.inputs.values())
    made = [*x, builder.conj(x[0], x[2]), builder.xor(x[1], x[3]), builder.disj(x[0], x[1])]
    made += [literal ^ 1 for literal in made] + [TRUE, FALSE]
    for pair in itertools.combinations(made, 2):
        possible = any(all(asked.holds(y, board) for y in pair) for board in asked.boards)
        assert asked.question.is_impossible(list(pair), 10) == (not possible)


def test_nothing_is_impossible_without_work() -> None:
    asked = Asked()
    both = [asked.inputs[0], asked.inputs[1]]
    assert not asked.question.is_impossible(both, 0)
    before = work_done()
    assert asked.question.is_impossible(both, 1)
    after = work_done()
    assert before < after < before + 1
    assert asked.question.is_impossible(both, 0), "what was refuted once is known"
    assert work_done() == after


@pytest.mark.parametrize("weights", [(1, 1, 1), (2, -1, -1), (-3, 2, 0), (1, 0, -1)])
def test_sums_of_literals_are_what_they_are(weights) -> None:
    asked = Asked()
    terms = [(asked.inputs[i + 1] ^ (i == 2), w) for i, w in enumerate(weights)]
    for value in range(-4, 5):
        atom = asked.question.equals(terms, value)
        answer = asked.question.ask([atom], 10)
        possible = any(
            sum(w for x, w in terms if asked.holds(x, board)) == value for board in asked.boards
        )
        assert (answer.holds is not None) == possible
        assert (answer.core is not None) == (not possible)


def test_what_is_assumed_and_required_bounds_later_questions() -> None:
    asked = Asked()
    x = asked.inputs
    assumed = asked.question.atom(x[2])
    asked.question.assume([assumed])
    assert asked.question.is_impossible([x[2] ^ 1], 10)
    assert asked.question.relied == {assumed}
    assert not asked.question.is_impossible([x[3]], 10)
    asked.question.require(x[3] ^ 1)
    assert asked.question.is_impossible([x[3], x[0]], 10)
    some = asked.question.some([asked.question.atom(x[0]), asked.question.atom(x[1])])
    assert asked.question.ask([-some], 10).core is not None
    assert asked.question.ask([some], 10, shown=[x[3], x[3] ^ 1]).holds == (False, True)


def test_heavy_boards_are_found_case_by_case() -> None:
    asked = Asked()
    x = asked.inputs
    cases = [
        (x[0], 2, [(x[1], 5), (x[2], 1), (x[3], 1)], [x[1], x[2]]),
        (x[0], 3, [(x[1], 5), (x[2], 1), (x[3], 1)], []),
        (x[1], 5, [(x[1], 5), (x[2], -1)], [x[2]]),
        (TRUE, 1, [(x[0], -1), (x[1], -2)], []),
        (TRUE, -1, [(x[0], -1), (x[1], -2)], [x[0], x[1]]),
    ]
    found = dict(asked.question.heavy(cases, 10))
    assert found == {0: (False, True), 2: (False,), 4: (True, False)}
    with pytest.raises(LimitReached):
        list(asked.question.heavy(cases, 0))


@pytest.mark.parametrize(("most", "is_kept"), [(1, False), (2, True), (3, True)])
def test_a_sum_with_a_larger_weight_than_may_be_is_dropped(monkeypatch, most, is_kept) -> None:
    """The one sum that is left has the weights 1, 1 and -2."""
    monkeypatch.setattr("ggp.analysis.invariants.unchanged.MAX_WEIGHT", most)
    unchanged = Unchanged(range(3))
    unchanged.add(((0, 1), (1, 1), (2, 1)))
    unchanged.add(((0, 1), (1, -1)))
    rows = [sorted(row.items()) for row in unchanged.rows.values()]
    assert [[(f, abs(w)) for f, w in row] for row in rows] == (
        [[(0, 1), (1, 1), (2, 2)]] if is_kept else []
    )
    assert [len(unchanged.touching([f])) for f in range(3)] == [int(is_kept)] * 3


@pytest.mark.parametrize(("most", "is_kept"), [(2, False), (3, True)])
def test_a_sum_is_written_with_weights_as_small_as_can_be(monkeypatch, most, is_kept) -> None:
    monkeypatch.setattr("ggp.analysis.invariants.unchanged.MAX_WEIGHT", most)
    unchanged = Unchanged(range(2))
    for number in list(unchanged.rows):
        unchanged.drop(number)
    unchanged._put({0: 4, 1: -6})
    assert list(unchanged.rows.values()) == ([{0: 2, 1: -3}] if is_kept else [])
    unchanged._put({})
    assert len(unchanged.rows) == int(is_kept)
