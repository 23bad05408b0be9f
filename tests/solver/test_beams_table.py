"""Beams for one role alone: what they look at, how wide they are, and what they keep."""

from __future__ import annotations

import time
from math import inf

import numpy as np
import pytest

import ggp
from ggp.solver.alone import beams as module
from ggp.solver.alone.beams import LineSearch, LineStep


def digits(places: int, values: int, goals: str) -> str:
    """Places are filled with digits, one after the other; then play is over."""
    return f"""(role a) {" ".join(f"(v {v})" for v in range(values))}
    {" ".join(f"(s {i} {i + 1})" for i in range(places))} (full 0)
    (<= (full ?i) (true (d ?i ?v))) (<= terminal (full {places}))
    (<= (legal a (put ?j ?v)) (v ?v) (s ?i ?j) (full ?i) (not (full ?j)))
    (<= (next (d ?i ?v)) (does a (put ?i ?v))) (<= (next (d ?i ?v)) (true (d ?i ?v)))
    {goals}"""


ALL_LAST = """(<= best (true (d 1 2)) (true (d 2 2)) (true (d 3 2)))
(<= (goal a 50) best) (<= (goal a 0) (not best))"""
"""50 for three digits 2, the highest of three."""

BY_FIRST = " ".join(f"(<= (goal a {20 * v + 10}) (true (d 1 {v})))" for v in range(3))
"""The goal is told by the first digit."""

SMALL = digits(3, 3, ALL_LAST)
FIRST = digits(3, 3, BY_FIRST)


def never() -> None:
    """Nothing is to be heeded."""


def names(game: ggp.Game, moves: list[int]) -> list[str]:
    return [str(game.evaluator.move(0, move)) for move in moves]


def widths(
    monkeypatch: pytest.MonkeyPatch, lines: LineSearch, state: ggp.State, widest: float
) -> tuple[list[int], bool]:
    """How wide the beams of a search were, and whether all was looked at; the other beams are as
    wide, but where that was so or the best goal was found."""
    found: list[int] = []
    others: list[int] = []
    beam = LineSearch._beam

    def told(self, state, own, width, choose, until, heed):  # type: ignore[no-untyped-def]
        (found if choose == self._promising else others).append(width)
        return beam(self, state, own, width, choose, until, heed)

    monkeypatch.setattr(LineSearch, "_beam", told)
    monkeypatch.setattr(module, "find_parts", lambda *_: [])
    is_all = lines.search(state, inf, never, widest)
    assert others == found[: len(found) - (is_all or lines.is_best(state))]
    return found, is_all


@pytest.mark.parametrize(
    ("narrow", "wider", "widest", "found", "is_all"),
    [
        # Nine positions before the last move, of which no beam of nine leaves one out.
        (9, 4, inf, [9], True),
        (9, 4, 9, [9], True),
        (9, 4, 8, [], False),
        (8, 4, 31, [8], False),
        (8, 4, 32, [8, 32], True),
        (1, 2, inf, [1, 2, 4, 8, 16], True),
        (1, 2, 8, [1, 2, 4, 8], False),
        (1, 3, inf, [1, 3, 9], True),
    ],
)
def test_beams_grow_until_nothing_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
    narrow: int,
    wider: int,
    widest: float,
    found: list[int],
    is_all: bool,
) -> None:
    monkeypatch.setattr(module, "NARROW", narrow)
    monkeypatch.setattr(module, "WIDER", wider)
    game = ggp.parse(SMALL)
    lines = LineSearch(game)
    lines.expect_at_most(100)
    assert widths(monkeypatch, lines, game.initial, widest) == (found, is_all)


def test_no_wider_beam_is_looked_at_where_the_best_goal_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "NARROW", 1)
    game = ggp.parse(FIRST)
    lines = LineSearch(game)
    assert (lines.least, lines.most) == (10, 50)
    assert not lines.is_best(game.initial)
    assert widths(monkeypatch, lines, game.initial, inf) == ([1], False)
    assert lines.is_best(game.initial)
    assert widths(monkeypatch, lines, game.initial, inf) == ([], False)


def test_all_ends_and_positions_are_counted() -> None:
    """3 + 9 + 27 positions, the last of which are ends after three moves, after two from later."""
    game = ggp.parse(SMALL)
    lines = LineSearch(game)
    lines.expect_at_most(100)
    assert lines.search(game.initial, inf, never)
    assert lines.ends == {3: 27}
    assert lines.positions == 3 + 9 + 27
    assert lines.way(game.initial) == LineStep(lines.line(game.initial, 1)[0], 50)
    assert names(game, lines.line(game.initial, 9)) == ["(put 1 2)", "(put 2 2)", "(put 3 2)"]
    assert names(game, lines.line(game.initial, 2)) == ["(put 1 2)", "(put 2 2)"]
    assert lines.line(game.initial, 0) == []
    later = game.initial.play("(put 1 0)")
    assert lines.way(later) is None
    assert lines.search(later, inf, never)
    assert lines.ends == {3: 27, 2: 9}
    assert lines.positions == 39 + 3 + 9
    assert lines.way(later).goal == 0  # type: ignore[union-attr]


def test_without_time_nothing_is_looked_at() -> None:
    game = ggp.parse(SMALL)
    lines = LineSearch(game)
    assert not lines.search(game.initial, time.monotonic() - 1, never)
    assert lines.positions == 0
    every = [*range(len(game.net.fluents))]
    for choose in (lines._promising, lines._least_free):
        assert lines._beam(game.initial, every, 9, choose, -inf, never) == "cut"
    assert lines.positions == 0


@pytest.mark.parametrize(("most", "outcome"), [(13, "whole"), (12, "large"), (0, "large")])
def test_a_beam_has_so_many_positions_at_the_most(
    monkeypatch: pytest.MonkeyPatch, most: int, outcome: str
) -> None:
    """1 + 3 + 9 are known before the last moves."""
    monkeypatch.setattr(module, "MOST_SEEN", most)
    game = ggp.parse(SMALL)
    lines = LineSearch(game)
    lines.expect_at_most(100)
    every = [*range(len(game.net.fluents))]
    assert lines._beam(game.initial, every, 9, lines._promising, inf, never) == outcome
    assert lines.search(game.initial, inf, never) == (outcome == "whole")


@pytest.mark.parametrize("together", [1, 2, 3, 7, 4096])
def test_those_go_on_from_which_random_plays_are_the_best(
    monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    """However many are looked at together, and whatever the chance."""
    monkeypatch.setattr(module, "NARROW", 1)
    game = ggp.parse(FIRST)
    for seed in range(4):
        lines = LineSearch(game, seed=seed)
        lines.expect_at_most(100)
        lines._together = together
        lines.search(game.initial, inf, never, widest=1)
        assert lines.way(game.initial).goal == 50  # type: ignore[union-attr]
    states = [game.initial.play(f"(put 1 {v})").bits for v in (0, 2, 1, 2, 0)]
    rows = game.machine.rows(states)
    assert lines._promising(rows, 1, inf, never).tolist() in ([1], [3])
    assert lines._promising(rows, 2, inf, never).tolist() == [1, 3]
    assert lines._promising(rows, 3, inf, never).tolist() == [1, 2, 3]


WALK = """(role a) (init (at 0)) (edge 0 1) (edge 0 2) (edge 0 3) (edge 0 4) (edge 2 5)
    (edge 3 5) (edge 3 6) (edge 4 5) (edge 4 6) (edge 4 7) (edge 5 8) (edge 6 8) (edge 7 8)
    (<= (joined ?x ?y) (edge ?x ?y)) (<= (joined ?x ?y) (edge ?y ?x))
    (<= (legal a (go ?y)) (true (at ?x)) (joined ?x ?y)) (<= (next (at ?y)) (does a (go ?y)))
    (<= (next (been ?x)) (true (at ?x))) (<= (next (been ?x)) (true (been ?x)))
    (<= again (true (at ?x)) (true (been ?x))) (<= terminal again) (<= terminal (true (at 8)))
    (<= (goal a 0) again) (<= (goal a 100) (not again))"""
"""From 1, 2, 3 and 4 none, one, two and three ways lead on; on all others play is over."""


@pytest.mark.parametrize("together", [1, 2, 3, 7, 4096])
def test_those_go_on_from_which_the_fewest_moves_lead_on(together: int) -> None:
    """A position that none leads on from is the last."""
    game = ggp.parse(WALK)
    lines = LineSearch(game)
    lines._together = together
    rows = game.machine.rows([game.initial.play(f"(go {n})").bits for n in (4, 1, 3, 2)])
    for width, chosen in enumerate(([3], [2, 3], [0, 2, 3], [0, 1, 2, 3]), 1):
        assert lines._least_free(rows, width, inf, never).tolist() == chosen  # type: ignore[union-attr]
    assert len(lines._least_free(rows, 2, -inf, never)) == 2  # type: ignore[arg-type]


def test_too_many_moves_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four positions with ten moves, back to the start included."""
    game = ggp.parse(WALK)
    lines = LineSearch(game)
    rows = game.machine.rows([game.initial.play(f"(go {n})").bits for n in (4, 1, 3, 2)])
    for most, is_counted in ((2, False), (2.4, False), (2.5, True), (3, True)):
        monkeypatch.setattr(module, "FREE", most)
        assert (lines._least_free(rows, 1, inf, never) is not None) == is_counted
    monkeypatch.setattr(module, "TOGETHER", 3)
    lines._together = 3
    assert lines._least_free(rows, 1, inf, never) is None


def test_whoever_counts_heeds() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    game = ggp.parse(WALK)
    lines = LineSearch(game)
    rows = game.machine.rows([game.initial.play("(go 4)").bits])
    for choose in (lines._promising, lines._least_free):
        with pytest.raises(KeyboardInterrupt):
            choose(rows, 1, inf, stop)


def knights_tour(size: int) -> str:
    """A knight goes from square to square, and the goal is how many it has been on before it is on
    one again."""
    steps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
    squares = [(x, y) for x in range(size) for y in range(size)]
    jumps = " ".join(
        f"(jump {x * size + y} {(x + a) * size + y + b})"
        for x, y in squares
        for a, b in steps
        if (x + a, y + b) in squares
    )
    counts = " ".join(f"(after {n} {n + 1})" for n in range(size * size))
    return f"""(role a) (init (at 0)) (init (count 0)) {jumps} {counts}
    (<= (legal a (go ?y)) (true (at ?x)) (jump ?x ?y)) (<= (next (at ?y)) (does a (go ?y)))
    (<= (next (been ?x)) (true (at ?x))) (<= (next (been ?x)) (true (been ?x)))
    (<= (next (count ?n)) (true (count ?m)) (after ?m ?n))
    (<= (goal a ?n) (true (count ?n))) (<= terminal (true (at ?x)) (true (been ?x)))"""


def test_a_knight_is_led_over_all_squares() -> None:
    """By the rule of H. von Warnsdorff (1823); random plays end before."""
    game = ggp.parse(knights_tour(7))
    every = [*range(len(game.net.fluents))]
    goals = []
    for by in ("_promising", "_least_free"):
        lines = LineSearch(game)
        lines._beam(game.initial, every, 256, getattr(lines, by), inf, never)
        goals.append(lines.way(game.initial).goal)  # type: ignore[union-attr]
    assert goals[0] < goals[1] == 49
    lines = LineSearch(game)
    assert not lines.search(game.initial, inf, never, widest=256)
    assert lines.is_best(game.initial)


def test_chance_decides_among_equals() -> None:
    """Of three positions each is taken now and then, by the seed alone."""
    game = ggp.parse(SMALL)
    rows = game.machine.rows([game.initial.play("(put 1 0)").bits] * 3)

    def taken(seed: int) -> list[int]:
        lines = LineSearch(game, seed=seed)
        return [int(lines._promising(rows, 1, inf, never)[0]) for _ in range(12)]

    assert set(taken(0)) == {0, 1, 2}
    assert taken(0) == taken(0) != taken(1)


MOVES = digits(2, 5, "(goal a 0)")


@pytest.mark.parametrize(
    ("together", "most", "parts"),
    [
        (100, 100, [[5, 5, 5]]),
        (15, 100, [[5, 5, 5]]),
        (14, 100, [[5, 5], [5]]),
        (10, 100, [[5, 5], [5]]),
        (9, 100, [[5], [5], [5]]),
        # A position has more moves than are made together: it is looked at by itself.
        (4, 100, [[5], [5], [5]]),
        (1, 5, [[5], [5], [5]]),
        (4, 4, None),
        (1, 4, None),
        (5, 4, [[5], [5], [5]]),
    ],
)
def test_moves_are_made_some_positions_at_a_time(
    monkeypatch: pytest.MonkeyPatch, together: int, most: int, parts: list[list[int]] | None
) -> None:
    """Three positions of five moves each."""
    monkeypatch.setattr(module, "TOGETHER", most)
    game = ggp.parse(MOVES)
    lines = LineSearch(game)
    lines._together = together
    states = [game.initial, game.initial.play("(put 1 3)"), game.initial.play("(put 1 4)")]
    found = list(lines._choices(game.machine.rows([state.bits for state in states])))
    if parts is None:
        (last,) = found
        assert [len(last[0]), last[1].shape, last[2]] == [0, (0, 1), False]
        every = [*range(len(game.net.fluents))]
        assert lines._beam(game.initial, every, 9, lines._promising, inf, never) == "large"
        return
    assert all(is_all for *_, is_all in found)
    sizes = [np.bincount(lanes)[np.unique(lanes)].tolist() for lanes, *_ in found]
    assert sizes == parts
    made = [
        (int(p), int(m)) for lanes, joint, _ in found for p, (m,) in zip(lanes, joint, strict=True)
    ]
    assert made == [(i, m) for i, s in enumerate(states) for m in s.legal_indices()[0]]


@pytest.mark.parametrize(
    ("most", "cells", "together"),
    [(100, 4000, 100), (100, 1500, 100), (100, 750, 50), (100, 764, 50), (100, 150, 16),
     (20, 750, 20), (10, 750, 16)],
)  # fmt: skip
def test_fewer_positions_are_made_together_where_there_are_many_fluents(
    monkeypatch: pytest.MonkeyPatch, most: int, cells: int, together: int
) -> None:
    """Of fifteen fluents here; sixteen positions at the least."""
    monkeypatch.setattr(module, "TOGETHER", most)
    monkeypatch.setattr(module, "CELLS", cells)
    game = ggp.parse(digits(3, 5, "(goal a 0)"))
    assert len(game.net.fluents) == 15
    assert LineSearch(game)._together == together


@pytest.mark.parametrize(
    ("count", "words"), [(0, 1), (1, 1), (8, 1), (63, 1), (64, 1), (65, 2), (72, 2), (128, 2)]
)
def test_a_key_says_what_holds_of_some_fluents(count: int, words: int) -> None:
    game = ggp.parse(digits(1, 130, "(goal a 0)"))
    lines = LineSearch(game)
    rows = game.machine.rows([0, *(1 << f for f in range(130))])
    own = [*range(1, count + 1)]
    keys = lines._keys(rows, own)
    assert keys.shape == (131, words)
    assert keys.dtype == np.uint64
    # Each of these fluents has a key of its own, and all others have that of none.
    assert len(np.unique(keys, axis=0)) == count + 1
    others = [0, 1, *range(count + 2, 131)]
    assert not keys[others].any()


@pytest.mark.parametrize(
    ("known", "goal", "kept"),
    [(None, 30, 30), (None, 0, 0), (None, -1, None), (30, 30, 30), (30, 29, 30), (30, 31, 31)],
)
def test_a_way_is_kept_if_it_is_better_than_what_is_known(
    known: int | None, goal: int, kept: int | None
) -> None:
    """By other moves, which show whether it was kept."""
    game = ggp.parse(SMALL)
    lines = LineSearch(game)
    first, second, third = game.initial.legal_indices()[0]
    after = game.initial.after([second]).legal_indices()[0]
    if known is not None:
        lines.keep(game.initial, [first], known)
    # Positions of the first step, of which number 1 was come to by the second move.
    steps = [(np.array([0, 0]), np.array([third, second], dtype=np.int32))]
    lines._keep(game.initial, steps, 1, after[2], goal, never)
    way = lines.way(game.initial)
    assert (way and way.goal) == kept
    if kept is not None and kept != known:
        assert lines.line(game.initial, 9) == [second, after[2]]


def test_every_move_of_a_line_is_heeded() -> None:
    game, heeded = ggp.parse(SMALL), []
    state, line = game.initial, []
    while not state.terminal:
        line.append(state.legal_indices()[0][1])
        state = state.after(line[-1:])
    lines = LineSearch(game)
    lines.keep(game.initial, line, 0, lambda: heeded.append(1))
    assert len(heeded) == 3
    assert lines.line(game.initial, 9) == line


def test_from_a_position_with_a_better_way_that_one_is_gone() -> None:
    game = ggp.parse(SMALL)
    first, second, _ = game.initial.legal_indices()[0]
    middle = game.initial.after([first])
    one, other, _ = middle.legal_indices()[0]
    lines = LineSearch(game)
    lines.keep(middle, [one], 40)
    for goal, here, there in ((30, (first, 30), (one, 40)), (50, (first, 50), (other, 50))):
        lines.keep(game.initial, [first, other], goal)
        assert lines.way(game.initial) == LineStep(*here)
        assert lines.way(middle) == LineStep(*there)
    lines.keep(game.initial, [second], 50)
    assert lines.way(game.initial) == LineStep(first, 50)
