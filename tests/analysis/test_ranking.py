"""Weights whose sum falls: each against what the weights must do to the changes and boards."""

from __future__ import annotations

import itertools
import random

import pytest

import ggp
from ggp.analysis.boards.boards import Boards, Circuits, Frame, Option, Side
from ggp.analysis.invariants import ranking
from ggp.analysis.invariants.ranking import (
    counterexamples,
    find_ranking,
    kinds,
    lowest,
    of_kinds,
)
from ggp.analysis.questions.question import Question
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.errors import LimitReached
from ggp.ground import Group
from ggp.kif import Term
from ggp.work import count_work

A, B, C = range(3)

ROBOT = """(role robot) (init (at 3)) (s 0 1) (s 1 2) (s 2 3)
    (<= (legal robot down) (true (at ?n)) (s ?m ?n))
    (<= (next (at ?m)) (does robot down) (true (at ?n)) (s ?m ?n))
    (<= terminal (true (at 0))) (goal robot 100)"""
ROUND = ROBOT + "(<= (legal robot up) (true (at 2))) (<= (next (at 3)) (does robot up))"
SPOTS = f"""(role p) (role q) (init (control p)) {" ".join(f"(init (spot {n}))" for n in range(6))}
    (<= (legal ?r (take ?n)) (true (control ?r)) (true (spot ?n)))
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= (next (spot ?n)) (true (spot ?n)) (not (taken ?n)))
    (<= (taken ?n) (does ?r (take ?n)))
    (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
    (<= some (true (spot ?n))) (<= terminal (not some)) (goal p 50) (goal q 50)"""


def fluents(*texts: str) -> list[Term]:
    """Of texts such as `at a 3`."""
    return [Term(name, tuple(map(Term, args))) for name, *args in map(str.split, texts)]


@pytest.mark.parametrize(
    ("changes", "strict", "found"),
    [
        ([], {0}, {}),
        # A move that changes nothing lowers no sum; need not, if its player is not strict.
        ([(0, ())], {0}, None),
        ([(0, ())], {1}, {}),
        ([(1, ()), (0, ((A, -1),))], {0}, {A: 1}),
        ([(0, ((A, -1),))], {0}, {A: 1}),
        ([(0, ((A, 1),))], {0}, {A: -1}),
        # Who need not lower it needs no weight, and must not raise it.
        ([(0, ((A, 1),))], {1}, {}),
        ([(0, ((A, -1),)), (1, ((A, 1),))], {0}, None),
        ([(0, ((A, -1),)), (1, ((A, -1),))], {0}, {A: 1}),
        # From C to B, from B to A: 1, 0, -1 is less than 2, 1, 0.
        ([(0, ((B, 1), (C, -1))), (0, ((A, 1), (B, -1)))], {0}, {A: -1, C: 1}),
        # There and back again.
        ([(0, ((A, 1), (B, -1))), (0, ((A, -1), (B, 1)))], {0}, None),
        ([(0, ((A, 1), (B, -1))), (0, ((A, -1), (B, 1)))], (), {}),
        # Weight 1/2 would do, and weights are integers.
        ([(0, ((A, -2),))], {0}, {A: 1}),
        # One comes for two that go.
        ([(0, ((A, -1),)), (0, ((A, 2), (B, -1)))], {0}, {A: 1, B: 3}),
    ],
)
def test_lowest_weights_that_fall(changes, strict, found) -> None:
    assert lowest(changes, strict, 1.0) == found
    assert lowest(changes, strict, 1e12) == found  # more pivots than HiGHS can count


@pytest.mark.parametrize(
    "changes",
    [
        # The least weights are thirds, fifths of them, and large ones.
        [(0, ((A, -3),)), (0, ((A, 1), (B, -1)))],
        [(0, ((A, -3), (B, 1))), (0, ((A, 1), (B, -5))), (1, ((A, -1), (B, 1), (C, 2)))],
        [(0, ((A, -1),)), (0, ((A, 90), (B, -1))), (0, ((B, 90), (C, -1)))],
        # 3/5 and 6/5 are not both near to 1.
        [(0, ((B, -1),)), (0, ((A, -5), (B, 2))), (1, ((A, 2), (C, -1)))],
    ],
)
def test_weights_are_integers_that_keep_to_all_changes(changes) -> None:
    found = lowest(changes, {0}, 1.0)
    for role, change in changes:
        assert sum(found.get(f, 0) * d for f, d in change) <= (-1 if role == 0 else 0)
    assert all(isinstance(w, int) and w for w in found.values())


@pytest.mark.parametrize(("most", "is_found"), [(1, False), (2, False), (3, True)])
def test_weights_stay_below_what_a_solver_can_add(monkeypatch, most, is_found) -> None:
    """The sum of weights 1 and -1 without their signs is 2."""
    monkeypatch.setattr(ranking, "MAX_SUM", most)
    changes = [(0, ((B, 1), (C, -1))), (0, ((A, 1), (B, -1)))]
    assert (lowest(changes, {0}, 1.0) is not None) == is_found


def many_changes() -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    """In each two fluents come, and one of a higher number goes."""
    dice = random.Random(1)
    chosen = (sorted(dice.sample(range(6), 3)) for _ in range(18))
    return [(0, ((a, 1), (b, 1), (c, -1))) for a, b, c in chosen]


@pytest.mark.parametrize(
    ("texts", "telling", "always", "found"),
    [
        # An argument with four values tells, one with five does not.
        ([f"at {n}" for n in range(4)], {}, (), [0, 1, 2, 3]),
        ([f"at {n}" for n in range(5)], {}, (), [0, 0, 0, 0, 0]),
        ([f"at {n}" for n in range(5)], {}, ("3", "4"), [0, 0, 0, 1, 2]),
        ([f"at {n}" for n in range(5)], {("at", 1): [0]}, (), [0, 1, 2, 3, 4]),
        (["at 1", "at 2"], {("at", 1): []}, (), [0, 0]),
        (["at 1", "at 2"], {("to", 1): []}, (), [0, 1]),
        # Relations are told apart by name and by number of arguments.
        (["at 1", "at 1 1", "to 1", "at"], {("at", 1): [], ("at", 2): []}, (), [0, 1, 2, 3]),
        (["at a 1", "at b 1", "at a 2"], {("at", 2): [0]}, (), [0, 1, 0]),
        (["at a 1", "at b 1", "at a 2"], {("at", 2): [1]}, (), [0, 0, 1]),
        (["at a 1", "at b 1", "at a 2"], {("at", 2): [1]}, ("b",), [0, 1, 2]),
        ([f"at {x} {n}" for n in range(5) for x in "ab"], {}, (), [0, 1] * 5),
    ],
)
def test_kinds_of_fluents(texts, telling, always, found) -> None:
    assert kinds(telling, fluents(*texts), set(map(Term, always))) == found


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ([(0, ((A, -1), (C, 1)))], [(0, ((0, -1), (1, 1)))]),
        # What comes and what goes of one kind are the same number less.
        ([(0, ((A, -1), (B, 1)))], [(0, ())]),
        ([(0, ((A, -1), (B, -1)))], [(0, ((0, -2),))]),
        # Each once, of each player; kinds in order.
        ([(0, ((A, 1),)), (0, ((B, 1),)), (1, ((A, 1),))], [(0, ((0, 1),)), (1, ((0, 1),))]),
        ([(0, ((C, 1), (A, 1)))], [(0, ((0, 1), (1, 1)))]),
    ],
)
def test_changes_of_kinds(changes, found) -> None:
    """A and B are of one kind, C is of another."""
    assert of_kinds(changes, [0, 0, 1]) == found


def circuits(make) -> Circuits:
    """Boards of three fluents; `make` gives for each side its moves from their literals."""
    builder = Builder()
    inputs = builder.inputs(3)
    net = ggp.parse(ROBOT).net
    sides = tuple(
        Side(
            FALSE,
            (),
            tuple(
                Option(i, legal, legal, Frame(0, {}), own, FALSE)
                for i, (legal, own) in enumerate(side)
            ),
            TRUE,
        )
        for side in make(builder, *inputs)
    )
    return Circuits(net, builder, dict(enumerate(inputs)), sides)


def boards_after(boards, values):
    """Each legal move on one board: its player, and the board that it leads to."""
    first, second = boards.builder.first, boards.builder.second
    known = {0: False} | {boards.inputs[f] >> 1: held for f, held in values.items()}

    def holds(literal):
        node = literal >> 1
        if node not in known:
            a, b = first[node], second[node]
            known[node] = (holds(a) and holds(b)) if a < b else holds(a) != holds(b)
        return known[node] != bool(literal & 1)

    for role, side in enumerate(boards.sides):
        for option in side.options:
            if holds(option.legal):
                after = {f: holds(x) for f, x in option.after(boards.inputs).items()}
                yield role, {**values, **after}


def go(_, a, b, c):
    """While A holds it goes, and B comes."""
    return [[(a, {A: FALSE, B: TRUE})]]


def swap(_, a, b, c):
    return [[(TRUE, {A: b, B: a})]]


def leave(_, a, b, c):
    """The first takes A away, the second leaves C alone or takes it."""
    return [[(a, {A: FALSE})], [(c, {C: b})]]


def turn_on(_, a, b, c):
    """C comes where it may be there already."""
    return [[(a, {C: TRUE})]]


@pytest.mark.parametrize(
    ("make", "weights", "strict", "failing"),
    [
        (go, {A: 1}, {0}, []),
        # B may hold before: no sum of it falls.
        (go, {B: -1}, {0}, [0]),
        (go, {B: -1}, {1}, []),
        (go, {A: 1, B: 1}, {0}, [0]),
        (go, {A: 1, B: 1}, {1}, []),
        (go, {A: 1, B: 2}, {1}, [0]),
        (go, {A: 2, B: 1}, {0}, []),
        (swap, {A: 1, B: 1}, {1}, []),
        (swap, {A: 2, B: 2}, {0}, [0]),
        (swap, {A: 1}, {1}, [0]),
        (leave, {A: 1, C: 1}, {0}, []),
        (leave, {A: 1, C: 1}, {1}, [1]),
        (leave, {A: -1}, {1}, [0, 1]),
        (turn_on, {C: 1}, {1}, [0]),
        (turn_on, {C: -1}, {1}, []),
        (turn_on, {C: -1}, {0}, [0]),
        (turn_on, {}, {0}, [0]),
    ],
)
def test_boards_on_which_a_sum_does_not_fall(make, weights, strict, failing) -> None:
    """Those found are among all that there are, with what the move does to fluents of its own."""
    boards = circuits(make)
    question = Question(boards.builder, boards.inputs, [])
    met = list(counterexamples(boards, question, weights, strict, 1.0))
    assert [role for (role, _), _ in met] == failing
    real = set()
    for held in itertools.product([False, True], repeat=3):
        values = dict(enumerate(held))
        for role, after in boards_after(boards, values):
            change = tuple((f, after[f] - values[f]) for f in range(3) if after[f] != values[f])
            if sum(weights.get(f, 0) * d for f, d in change) > (-1 if role in strict else 0):
                [option] = boards.sides[role].options
                real.add(((role, change), frozenset(f for f in option.own if values[f])))
    assert real.issuperset(met)


def test_no_counterexample_without_work() -> None:
    boards = circuits(go)
    question = Question(boards.builder, boards.inputs, [])
    with pytest.raises(LimitReached):
        list(counterexamples(boards, question, {A: 1}, {0}, 0.0))


@pytest.mark.parametrize(
    ("text", "strict", "work", "is_found"),
    [
        (ROBOT, (0,), 5.0, True),
        (ROUND, (0,), 5.0, False),
        (ROUND, (), 5.0, True),
        (SPOTS, (0, 1), 5.0, True),
        (SPOTS, (0,), 5.0, True),
        (ROBOT, (0,), 0.0, False),
        (ROBOT, (0,), 1e-9, False),
    ],
)
def test_a_ranking_falls_on_every_board(text, strict, work, is_found) -> None:
    game = ggp.parse(text)
    boards = Boards(game.net, game.marker, 10.0)
    at = tuple(f for f in boards.inputs if str(game.net.fluents[f]).startswith("(at"))
    question = Question(boards.builder, boards.inputs, [Group(at, exact=True)] if at else [])
    weights = find_ranking(boards, question, [], strict, work)
    assert (weights is not None) == is_found
    for held in itertools.product([False, True], repeat=len(boards.inputs)):
        values = dict(zip(boards.inputs, held, strict=True))
        if weights is None or (at and sum(values[f] for f in at) != 1):
            continue
        total = sum(w for f, w in weights.items() if values[f])
        for role, after in boards_after(boards, values):
            lower = sum(w for f, w in weights.items() if after[f])
            assert lower < total if role in strict else lower <= total


def test_moves_that_were_seen_need_not_be_found() -> None:
    """With all that the three moves can do known, one question proves the weights."""
    game = ggp.parse(ROBOT)
    boards = Boards(game.net, game.marker, 10.0)
    question = Question(boards.builder, boards.inputs, [Group((0, 1, 2, 3), exact=True)])
    seen = [(0, ((n, 1), (n + 1, -1))) for n in range(3)]
    assert find_ranking(boards, question, seen, {0}, 1.0) == lowest(seen, {0}, 1.0)
    # What was done before is no part of it, and takes nothing from it.
    count_work(10.0)
    asked = Question(boards.builder, boards.inputs, [Group((0, 1, 2, 3), exact=True)])
    assert find_ranking(boards, asked, seen, {0}, 1e-8) is None
    assert find_ranking(boards, asked, seen, {0}, 1.0) is not None
