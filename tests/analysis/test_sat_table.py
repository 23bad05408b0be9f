"""Questions about circuits to a SAT solver: all assignments of small ones, and what is spent."""

from __future__ import annotations

import itertools
import random

import pytest

from ggp.analysis.questions import sat as module
from ggp.analysis.questions.sat import CircuitSolver, TooHard
from ggp.circuits.circuit import FALSE, TRUE, Builder
from tests.analysis.truths import truth


def free(work: int) -> None:
    """Work without a limit."""


def solver(builder: Builder | None = None) -> CircuitSolver:
    return CircuitSolver(builder or Builder(), free)


def variables(made: CircuitSolver, count: int) -> list[int]:
    return [made.new() for _ in range(count)]


@pytest.mark.parametrize("seed", range(4))
def test_gates_are_what_they_are_under_all_assignments(seed: int) -> None:
    """Of both kinds, with inverted operands, asked about in any order."""
    rng, builder = random.Random(seed), Builder()
    inputs = builder.inputs(3)
    literals = [*inputs, FALSE, TRUE]
    for _ in range(10):
        a, b = (rng.choice(literals) ^ rng.randint(0, 1) for _ in range(2))
        literals.append(rng.choice([builder.conj, builder.xor])(a, b))
    literals += [x ^ 1 for x in literals]
    rng.shuffle(literals)
    made = solver(builder)
    told = {x: made.literal(x) for x in literals}
    assert {x: made.literal(x) for x in literals} == told
    assert all(told[x] == -told[x ^ 1] for x in literals)
    for values in itertools.product((False, True), repeat=3):
        held = dict(zip(inputs, values, strict=True))
        assumed = [told[x] if value else -told[x] for x, value in held.items()]
        for x in literals:
            assert made.is_possible([*assumed, told[x]]) == truth(builder, x, held)
    made.close()


def test_a_constant_is_one_whatever_comes_after_it() -> None:
    made = solver()
    known = made.literal(FALSE), made.literal(TRUE)
    assert variables(made, 3) == [2, 3, 4]
    assert (made.literal(FALSE), made.literal(TRUE)) == known
    for chosen in itertools.product((1, -1), repeat=3):
        assumed = [s * v for s, v in zip(chosen, (2, 3, 4), strict=True)]
        assert made.is_possible(assumed)
        assert made.is_possible([made.literal(TRUE), *assumed])
        assert not made.is_possible([made.literal(FALSE), *assumed])


@pytest.mark.parametrize(
    ("count", "more"), [(0, 0), (1, 0), (2, 0), (5, 0), (6, 0), (7, 6), (8, 7)]
)
def test_no_more_than_one_of_some_literals_holds(count: int, more: int) -> None:
    """By pairs where they are few, else by a ladder, which has variables of its own."""
    made = solver()
    listed = [v * (-1) ** v for v in variables(made, count)]
    made.at_most_one(listed)
    assert made.new() == 2 + count + more
    for size in range(count + 1):
        for held in itertools.combinations(listed, size):
            assert made.is_possible([x if x in held else -x for x in listed]) == (size < 2)
            assert made.is_possible(held) == (size < 2)


def pigeons(spent: list[int]) -> CircuitSolver:
    """Ten pigeons in nine holes, which takes a solver many thousands of conflicts."""
    made = CircuitSolver(Builder(), spent.append)
    placed = [variables(made, 9) for _ in range(10)]
    for own in placed:
        made.require(*own)
    for hole in zip(*placed, strict=True):
        for a, b in itertools.combinations(hole, 2):
            made.require(-a, -b)
    return made


def propagations(made: CircuitSolver) -> int:
    return int(made._solver.accum_stats()["propagations"])


@pytest.mark.parametrize(
    ("conflicts", "piece", "looks"),
    [(0, 5, 0), (-1, 5, 0), (1, 1, 1), (2, 1, 2), (5, 5, 1), (6, 5, 2), (12, 5, 3), (4, 100, 1)],
)
def test_a_question_that_takes_more_conflicts_is_too_hard(
    conflicts: int, piece: int, looks: int
) -> None:
    """The account is looked at after each piece of them."""
    spent: list[int] = []
    made = pigeons(spent)
    with pytest.raises(TooHard):
        made.is_possible([], conflicts, piece)
    assert len(spent) == looks
    made.close()


@pytest.mark.parametrize("unit", [1, 10, 1_000])
def test_work_is_one_for_each_look_and_for_so_many_propagations(
    monkeypatch: pytest.MonkeyPatch, unit: int
) -> None:
    """Of a piece those since the last."""
    monkeypatch.setattr(module, "PROPAGATIONS", unit)
    spent: list[int] = []
    made = pigeons(spent)
    for _ in range(3):
        before = propagations(made)
        with pytest.raises(TooHard):
            made.is_possible([], 100, 100)
        assert spent[-1] == 1 + (propagations(made) - before) // unit
    before = propagations(made)
    with pytest.raises(TooHard):
        made.is_possible([], 200, 100)
    done = (propagations(made) - before) // unit
    assert len(spent) == 5
    assert 0 <= done - sum(work - 1 for work in spent[3:]) <= 1


def test_what_follows_and_what_cannot_be_together_is_told() -> None:
    """Of a, b, c, d: not a or b, not b or c; d is by itself."""
    made = solver()
    a, b, c, d = variables(made, 4)
    made.require(-a, b)
    made.require(-b, c)
    assert made.implied([a], {b, c, d, -d}) == {b, c}
    assert made.implied([a], {c}) == {c}
    assert made.implied([b], {a, -a, c}) == {c}
    assert made.implied([-c], {-a, -b, d}) == {-a, -b}
    assert made.implied([d], {a, b, c}) == set()
    assert made.implied([a, -c], {b}) is None
    assert made.is_possible([a, d])
    model = made.model()
    assert {a, b, c, d} <= set(model)
    assert [abs(x) for x in model] == [*range(1, len(model) + 1)]
    assert not made.is_possible([d, a, -c])
    assert made.core() == {a, -c}
