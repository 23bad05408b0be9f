"""Cases of a move: each board is one of just one, and what is said of it is what the move does."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.analysis.boards.boards import Boards
from ggp.analysis.invariants import cases as module
from ggp.analysis.invariants.cases import Given, cases
from ggp.analysis.invariants.ranking import find_ranking
from ggp.analysis.questions.question import Question
from ggp.circuits.circuit import FALSE, TRUE, Builder

INPUTS = 4


def values(builder: Builder, held: tuple[bool, ...]) -> list[bool]:
    """Of all nodes, where inputs (nodes from 1 on) hold or not."""
    found = [False, *held]
    for node in range(len(found), len(builder)):
        a, b = builder.first[node], builder.second[node]
        x, y = (found[z >> 1] ^ bool(z & 1) for z in (a, b))
        found.append(x and y if a < b else x ^ y)
    return found


def holds(builder: Builder, literal: int, held: tuple[bool, ...]) -> bool:
    return values(builder, held)[literal >> 1] ^ bool(literal & 1)


@st.composite
def circuits(draw: st.DrawFn) -> tuple[Builder, list[int]]:
    """A builder with some inputs, and literals of it, many of them chosen by another."""
    builder = Builder()
    made = [FALSE, TRUE, *builder.inputs(INPUTS)]
    pick = st.integers(0, 1000)

    def one() -> int:
        return made[draw(pick) % len(made)] ^ draw(st.integers(0, 1))

    for kind in draw(st.lists(st.sampled_from("cxmmm"), min_size=1, max_size=12)):
        if kind == "m":
            made.append(builder.mux(one(), one(), one()))
        else:
            made.append((builder.conj if kind == "c" else builder.xor)(one(), one()))
    return builder, made


BOARDS = list(itertools.product([False, True], repeat=INPUTS))


@given(circuits(), st.data())
def test_each_board_is_in_one_case_and_told_rightly(both, data) -> None:
    builder, made = both
    chosen = data.draw(st.lists(st.sampled_from(made), min_size=1, max_size=8))
    when = data.draw(st.sampled_from(made))
    after = dict(enumerate(chosen))
    told = list(cases(builder, when, after, data.draw(st.sets(st.sampled_from(range(10))))))
    assert 1 <= len(told) <= module.MOST_CASES or when == FALSE
    for held in BOARDS:
        here = [own for case, own in told if holds(builder, case, held)]
        assert len(here) == holds(builder, when, held)
        for own in here:
            assert own.keys() == after.keys()
            for f, literal in own.items():
                assert holds(builder, literal, held) == holds(builder, after[f], held)


@given(circuits(), st.data())
def test_a_function_given_what_holds(both, data) -> None:
    builder, made = both
    known = data.draw(st.sampled_from([x for x in made if x > 1] or [2]))
    told = Given(builder, known)
    pairs = [(x, told(x)) for x in made]
    for held in BOARDS:
        if holds(builder, known, held):
            for literal, simpler in pairs:
                assert holds(builder, literal, held) == holds(builder, simpler, held)


def test_what_two_are_chosen_by_is_taken_apart() -> None:
    """As where a board turns or does not; and values that one other alone is chosen by are not."""
    builder = Builder()
    a, b, c, d = builder.inputs(INPUTS)
    after = {0: builder.mux(c, a, b), 1: builder.mux(c, b, a)}
    told = dict(cases(builder, TRUE, after, after))
    assert told == {c: {0: a, 1: b}, c ^ 1: {0: b, 1: a}}
    assert dict(cases(builder, c, after, after)) == {c: {0: a, 1: b}}
    other = {0: builder.mux(c, a, b), 1: builder.mux(d, b, a)}
    assert list(cases(builder, TRUE, other, other)) == [(TRUE, other)]
    assert list(cases(builder, TRUE, after, {0})) == [(TRUE, after)]


RING = 20
TURNING = f"""(role p) {" ".join(f"(init (spot {n}))" for n in range(RING))}
    {" ".join(f"(to {n} {(n + 1) % RING})" for n in range(RING))}
    (<= (legal p (take ?n)) (true (spot ?n)))
    (<= stay (true (spot 0)) (true (spot 5)) (true (spot 7)))
    (<= (next (spot ?n)) (true (spot ?n)) (not (does p (take ?n))) stay)
    (<= (next (spot ?m)) (true (spot ?n)) (not (does p (take ?n))) (to ?n ?m) (not stay))
    (<= some (true (spot ?n))) (<= terminal (not some)) (goal p 100)"""


@pytest.mark.parametrize(("most", "is_found"), [(module.MOST_CASES, True), (1, False)])
def test_what_is_left_falls_on_a_board_that_turns_or_does_not(monkeypatch, most, is_found) -> None:
    """Over both at once it is not proved with as much work."""
    monkeypatch.setattr(module, "MOST_CASES", most)
    game = ggp.parse(TURNING)
    boards = Boards(game.net, game.marker, 10.0)
    question = Question(boards.builder, boards.inputs, [])
    weights = find_ranking(boards, question, [], {0}, 1.0)
    assert (weights is not None) == is_found
    assert weights is None or weights == dict.fromkeys(range(RING), 1)
