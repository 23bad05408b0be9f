"""Sums that never change, part by part: cases of a question, what a sum rests on, signs."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.invariants import linear
from ggp.analysis.invariants.linear import Sum, Sums, _BySolver, sums_of
from ggp.analysis.invariants.unchanged import Unchanged
from ggp.ground import Group
from ggp.limits import Budget, Limits
from tests.analysis.test_linear import collecting


class Cases(_BySolver):
    """A search whose solver answers by a table of what it is asked; `asked` are the questions.

    The fluent `f` has the atom `f + 1`.
    """

    def __init__(self, answer, time=True) -> None:
        self.answer, self.time, self.asked = answer, time, []
        self.question = SimpleNamespace(atom=lambda literal: literal // 2)
        self.inputs = {f: 2 * (f + 1) for f in range(9)}

    @property
    def _has_time(self) -> bool:
        return self.time

    def _try(self, i, atoms, assumed):
        assert (i, assumed) == (7, {})
        self.asked.append(tuple(atoms))
        return self.answer(atoms)

    def divided(self, split, most=100):
        cases = [most]
        return self._divide(7, [50], {}, split, cases), most - cases[0]


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_a_question_is_divided_as_far_as_it_has_to_be(depth) -> None:
    """Each case of `depth` fluents is proved by a row of its own; the answer has all of them."""
    leaves = [tuple(s * (f + 1) for f, s in enumerate(signs))
              for signs in itertools.product((1, -1), repeat=depth)]  # fmt: skip
    row = {leaf: n for n, leaf in enumerate(leaves)}
    search = Cases(lambda atoms: frozenset([row[tuple(atoms[1:])], 99])
                   if len(atoms) == depth + 1 else None)  # fmt: skip
    found, count = search.divided(range(5))
    assert found == {*row.values(), 99}
    assert {asked[1:] for asked in search.asked if len(asked) == depth + 1} == set(leaves)
    assert count == len(search.asked) == 2 ** (depth + 1) - 1
    assert all(asked[0] == 50 for asked in search.asked)


@pytest.mark.parametrize("wrong", list(itertools.product((1, -1), (2, -2))))
@pytest.mark.parametrize("answer", [((3, 1), (4, -1)), None])
def test_one_case_in_which_a_move_alters_a_sum_or_that_is_open_is_enough(wrong, answer) -> None:
    def told(atoms):
        if len(atoms) < 3:
            return None
        return answer if tuple(atoms[1:]) == wrong else frozenset()

    search = Cases(told)
    found, _ = search.divided([0, 1])
    assert found == answer
    assert search.asked[-1] == (50, *wrong)


def test_some_cases_need_no_division() -> None:
    answers = {(50,): None, (50, 1): frozenset([1]), (50, -1): None,
               (50, -1, 2): frozenset([2]), (50, -1, -2): frozenset([3])}  # fmt: skip
    search = Cases(lambda atoms: answers[tuple(atoms)])
    assert search.divided([0, 1, 2]) == (frozenset([1, 2, 3]), 5)


@pytest.mark.parametrize(("most", "is_found"), [(7, True), (6, False), (1, False), (0, False)])
def test_there_are_so_many_cases_at_most(most, is_found) -> None:
    """Of two fluents: one question, two and four."""
    search = Cases(lambda atoms: frozenset() if len(atoms) == 3 else None)
    found, _ = search.divided([0, 1], most)
    assert (found is not None) == is_found
    assert len(search.asked) == most


def test_without_time_nothing_is_asked() -> None:
    search = Cases(lambda _: frozenset(), time=False)
    assert search.divided([0])[0] is None
    assert search.asked == []


def test_a_row_that_is_open_in_all_cases_is_named() -> None:
    """The joint question is open; the first row is proved by cases, the second is not."""
    search = Cases(lambda atoms: frozenset([4]) if 61 in atoms and len(atoms) > 2 else None)
    search._telling = lambda option, row: [0]
    search.inputs = {0: 2}
    case = linear._Case(7, frozenset([1, 2]), [50, 60], {2: 62, 1: 61})
    assert search._ask(case, {}) == 2
    search.answer = lambda atoms: frozenset(atoms[1:2]) if len(atoms) > 2 else None
    assert search._ask(case, {}) == {61, 62}
    search.answer = lambda atoms: frozenset([8]) if atoms == [50, 60] else None
    assert search._ask(case, {}) == {8}
    change = ((1, 1),)
    search.answer = lambda atoms: change if 62 in atoms else frozenset() if 61 in atoms else None
    assert search._ask(case, {}) == change


@pytest.mark.parametrize(
    ("rows", "changes", "told"),
    [
        # Of the row itself first, those with the largest weights first; then of rows beside it.
        ({0: {0: 1, 1: 2, 2: -3}}, [0, 1, 2, 3], [2, 1, 0]),
        ({0: {0: 1, 1: 1}, 1: {1: 1, 2: 5}}, [0, 1, 2], [0, 1, 2]),
        ({0: {0: 1, 1: 1}, 1: {1: 4, 2: 5}}, [0, 1, 2], [1, 0, 2]),
        ({0: {0: 1, 1: 1}, 1: {1: -4, 2: 5}}, [0, 1, 2], [1, 0, 2]),
        ({0: {0: 1}, 1: {1: 4, 2: 5}}, [0, 1, 2], [0]),
        ({0: {0: 1, 1: 1}, 1: {1: 1, 2: 5, 3: 6}}, [3, 2], [3, 2]),
        ({0: {0: 1, 1: 1}}, [1], [1]),
        ({0: {0: 1, 1: 1}}, [2], []),
    ],
)
def test_fluents_that_tell_whether_a_row_is_altered(rows, changes, told) -> None:
    search = SimpleNamespace(
        unchanged=SimpleNamespace(rows=rows), _changes=lambda _: dict.fromkeys(changes)
    )
    assert _BySolver._telling(search, 3, 0) == told


@pytest.mark.parametrize(
    ("text", "depth"),
    [(collecting(4, 4), 1), (collecting(4, 4), 2)],
    ids=["one", "two"],
)
def test_sums_are_the_same_if_each_question_is_divided(monkeypatch, text, depth) -> None:
    """No question is settled that does not say of some fluents whether they hold."""

    def found() -> set[tuple[tuple[int, int], ...]]:
        limits = Limits(positions=1000, seconds=60)
        sums = Positions(ggp.parse(text), Budget(limits)).proofs.constant_sums.found
        return {(one.weights, one.value) for one in sums}

    plain, original, divided = found(), _BySolver._try, []

    def hard(self, i, atoms, assumed):
        split = max((len(self._telling(i, r)) for r in self.unchanged.rows), default=0)
        if len(atoms) - 2 < min(depth, split):
            return None
        divided.append(len(atoms))
        return original(self, i, atoms, assumed)

    monkeypatch.setattr(_BySolver, "_try", hard)
    assert found() == plain
    assert plain
    assert divided


def a(*fluents: int) -> Sum:
    return Sum(tuple((f, 1) for f in fluents), 1)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [([0], [0, 1, 2]), ([1], [1, 2]), ([2], [2]), ([3], [3]), ([3, 2], [2, 3]), ([], [])],
)
def test_a_sum_rests_on_what_the_proofs_of_its_options_used(wanted, found) -> None:
    """The first is touched by an option whose proof used the second, and so on."""
    sums = tuple(a(n) for n in range(4))
    steps = tuple((frozenset([sums[n]]), frozenset([sums[m]])) for n, m in ((1, 2), (0, 1)))
    own = Sums(sums, steps).resting_on(sums[n] for n in wanted)
    assert own == [sums[n] for n in found]


@pytest.mark.parametrize(
    ("row", "groups", "initial", "weights", "value"),
    [
        ({1: 1, 4: 2}, [], {1}, ((1, 1), (4, 2)), 1),
        ({1: 1, 4: -2}, [], {1, 4, 9}, ((1, 1), (4, -2)), -1),
        # One of 4 and 5 holds: -2 and 0 become 0 and 2.
        ({1: 1, 4: -2}, [(4, 5)], {1, 4}, ((1, 1), (5, 2)), 1),
        ({1: 1, 4: -2}, [(4, 5)], {5}, ((1, 1), (5, 2)), 2),
        ({4: -2, 5: -2}, [(4, 5)], {5}, (), 0),
        ({4: -1, 5: 3}, [(4, 5)], {5}, ((5, 4),), 4),
        ({4: 1, 5: 3}, [(4, 5)], {5}, ((5, 2),), 2),
        ({4: 1}, [(4, 5)], {5}, ((4, 1),), 0),
        ({0: -1, 4: -2}, [(4, 5), (0, 1)], {0, 4}, ((1, 1), (5, 2)), 0),
    ],
)
def test_a_sum_has_no_negative_weights_of_exact_groups(row, groups, initial, weights, value):
    search = SimpleNamespace(
        unchanged=SimpleNamespace(rows={3: row}),
        exact=[Group(own, True) for own in groups],
        initial=initial,
    )
    assert linear.Search._sum(search, 3) == Sum(weights, value)


def settled(touched: list[set[int]], used: dict[int, set[int]], rows: int) -> Sums:
    """Of rows 0, 1 … with a fluent each; options that may change some of them."""
    search = SimpleNamespace(
        inputs={},
        options=[SimpleNamespace(after=lambda _, own=own: own) for own in touched],
        unchanged=SimpleNamespace(rows={r: {r: 1} for r in range(rows)}, touching=lambda own: own),
        used={i: frozenset(own) for i, own in used.items()},
        _sum=lambda r: a(r),
    )
    return linear.Search._settled(search)


@pytest.mark.parametrize(
    ("touched", "used", "kept"),
    [
        ([{0}, {1}], {0: {0}, 1: {1}}, [0, 1, 2]),
        # What was not proved of one option; what rests on it, and on that.
        ([{0}, {1}], {0: {0}}, [0, 2]),
        ([{0}, {1}], {0: {0, 1}}, [2]),
        ([{0}, {1}, {2}], {0: {0, 1}, 2: {0}}, []),
        ([{2}, {0}, {1}], {0: {0}, 1: {0, 1}}, []),
        ([{0, 1}], {}, [2]),
        ([{0, 1}], {0: {2}}, [0, 1, 2]),
        ([set()], {}, [0, 1, 2]),
        ([], {}, [0, 1, 2]),
        # A proof that used a row that there is no more.
        ([{0}], {0: {7}}, [1, 2]),
    ],
)
def test_what_is_settled_hangs_on_nothing_that_is_not(touched, used, kept) -> None:
    sums = settled(touched, used, 3)
    assert list(sums.found) == [a(r) for r in kept]
    # Only steps that touch what is kept are there, with what they used.
    listed = [(frozenset(a(r) for r in own if r in kept), frozenset(a(r) for r in used[i]))
              for i, own in enumerate(touched) if own & set(kept)]  # fmt: skip
    assert list(sums._steps) == listed


@pytest.mark.parametrize(
    ("groups", "without", "exact", "fluents"),
    [
        ([], (), [], {0, 1, 2, 3}),
        ([], (1,), [], {0, 2, 3}),
        ([((0, 1), False)], (), [], {0, 1, 2, 3}),
        ([((0, 9), True)], (), [], {0, 1, 2, 3}),
    ],
)
def test_fluents_that_sums_are_of(groups, without, exact, fluents) -> None:
    found, unchanged = sums_of(range(4), [Group(*own) for own in groups], without)
    assert [group.fluents for group in found] == exact
    assert set(unchanged.fluents) == fluents


def test_of_an_exact_group_one_fluent_is_in_no_sum() -> None:
    found, unchanged = sums_of(range(4), [Group((0, 1), True), Group((1, 0), True)], ())
    assert len(found) == 1
    assert len(unchanged.fluents) == 3
    assert {2, 3} <= set(unchanged.fluents)
    _, fewer = sums_of(range(4), [Group((0, 1), True)], (2,))
    assert 2 not in fewer.fluents
    assert len(fewer.fluents) == 2


@pytest.mark.parametrize(("most", "is_asked"), [(2, True), (1, False)])
def test_nets_with_many_fluents_have_no_sums(monkeypatch, most, is_asked) -> None:
    monkeypatch.setattr(linear, "MAX_FLUENTS", most)
    circuits = SimpleNamespace(inputs={0: 2, 1: 4}, builder=None, sides=())
    found = linear.find_sums(circuits, lambda: None, [], {1}, [((0, 1),)], 5.0)
    # Without options fluent 1 is as it was, and 0 is known to change.
    assert list(found.found) == ([Sum(((1, 1),), 1)] if is_asked else [])


def test_time_that_is_spent_settles_nothing() -> None:
    option = SimpleNamespace(after=lambda _: {0: 1})
    circuits = SimpleNamespace(
        inputs={0: 2, 1: 4}, builder=None, sides=(SimpleNamespace(options=(option,)),)
    )
    found = linear.find_sums(circuits, lambda: None, [], {1}, [], 0.0)
    assert list(found.found) == [Sum(((1, 1),), 1)]


def test_a_row_gets_a_new_number_where_it_is_altered() -> None:
    """So that what was used of an old one is known to be gone."""
    unchanged = Unchanged(range(3))
    before = set(unchanged.rows)
    unchanged.add(((0, 1), (1, -1)))
    kept = before & set(unchanged.rows)
    assert [unchanged.rows[r] for r in kept] == [{2: 1}]
    assert {tuple(sorted(row.items())) for row in unchanged.rows.values()} == {
        ((2, 1),),
        ((0, 1), (1, 1)),
    }


@pytest.mark.parametrize("until", [5.0, 0.25, -1.0])
def test_a_question_may_take_the_work_that_is_left(monkeypatch, until) -> None:
    """Of 5 units of which 2 are done 3; and what it says is told by fluents and by rows."""
    monkeypatch.setattr(linear, "work_done", lambda: 2.0)
    asked, answers = [], []

    def ask(atoms, work, conflicts, shown):
        asked.append((atoms, work, conflicts, list(shown)))
        return answers[-1]

    search = SimpleNamespace(
        until=until,
        question=SimpleNamespace(ask=ask),
        _changes=lambda i: {3: (30, 31), 4: (40, 41), 5: (50, 51)},
    )
    for answer, found in (
        (SimpleNamespace(core=[1, 60], holds=None), {6}),
        (SimpleNamespace(core=None, holds=None), None),
        (
            SimpleNamespace(core=None, holds=[True, False, False, False, False, True]),
            ((3, 1), (5, -1)),
        ),
    ):
        answers.append(answer)
        assert _BySolver._try(search, 7, [1, 2], {60: 6, 70: 7}) == found
    wanted = ([1, 2, 60, 70], until - 2, linear.CONFLICTS, [30, 31, 40, 41, 50, 51])
    assert asked == [wanted] * 3
