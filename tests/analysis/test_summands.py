"""What a solver adds up in place of fluents with weights: the same sum, and no more than can be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ggp.analysis.questions.question import Question
from ggp.analysis.questions.summands import summands
from ggp.circuits.circuit import Builder
from ggp.ground import Group

SIZE = 8


def held(builder: Builder, literal: int, holds: dict[int, bool]) -> bool:
    """Whether a literal holds, by its gates."""
    node = literal >> 1
    if node == 0:
        found = False
    elif node in holds:
        found = holds[node]
    else:
        a, b = builder.first[node], builder.second[node]
        x, y = held(builder, a, holds), held(builder, b, holds)
        found = x and y if a < b else x != y
    return found ^ bool(literal & 1)


@st.composite
def sums(draw) -> tuple[dict[int, int], list[Group]]:
    """Weights of some fluents, and groups that may share some."""
    weights = draw(st.dictionaries(st.integers(0, SIZE - 1), st.integers(-4, 4)))
    members = st.sets(st.integers(0, SIZE - 1), min_size=1).map(sorted).map(tuple)
    groups = draw(st.lists(st.builds(Group, members, st.booleans()), max_size=3))
    return weights, groups


def keeps(state: int, group: Group) -> bool:
    """Whether a group holds in a state."""
    count = sum(state >> f & 1 for f in group.fluents)
    return count == 1 or (count == 0 and not group.exact)


@given(sums())
def test_the_sum_is_the_same_wherever_the_groups_hold(case) -> None:
    weights, groups = case
    builder = Builder()
    inputs = builder.inputs(SIZE)
    found = summands(builder, inputs, weights.items(), groups)
    for state in range(1 << SIZE):
        if all(keeps(state, group) for group in groups):
            holds = {inputs[f] >> 1: bool(state >> f & 1) for f in range(SIZE)}
            wanted = sum(w for f, w in weights.items() if state >> f & 1)
            assert sum(w for x, w in found if held(builder, x, holds)) == wanted


@given(st.lists(st.integers(-4, 4), min_size=SIZE, max_size=SIZE), st.booleans())
def test_a_group_adds_no_more_than_its_heaviest_fluent(weights, exact) -> None:
    builder = Builder()
    group = Group(tuple(range(SIZE)), exact)
    found = summands(builder, builder.inputs(SIZE), enumerate(weights), [group])
    assert sum(w for _, w in found if w > 0) == max(0, *weights)
    assert sum(w for _, w in found if w < 0) == min(0, *weights)


def test_many_squares_that_are_one_too_few_are_refuted_at_once() -> None:
    """Pigeons: 24 squares, two of which have a piece; 23 without one are too many. Fluent by
    fluent a solver takes all ways to place what may be on a square, which it cannot in time."""
    squares = [Group(tuple(range(5 * i, 5 * i + 5)), exact=True) for i in range(24)]
    builder = Builder()
    inputs = dict(enumerate(builder.inputs(120)))
    question = Question(builder, inputs, squares)
    empty = [(f, 1) for group in squares for f in group.fluents[:3]]
    two = [question.atom(inputs[4]), question.atom(inputs[9])]
    terms = summands(builder, inputs, empty, squares)
    assert question.ask([*two, question.equals(terms, 23)], 10.0, conflicts=100).core is not None
    one_by_one = question.equals([(inputs[f], w) for f, w in empty], 23)
    assert question.ask([*two, one_by_one], 10.0, conflicts=100).core is None
