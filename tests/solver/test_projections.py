"""Parts of a puzzle, and how far they are from an end, against all positions."""

from __future__ import annotations

import random
from collections import deque
from math import inf

import numpy as np
import pytest

import ggp
from ggp.analysis import Positions
from ggp.limits import Budget
from ggp.solver import WaySolution
from ggp.solver.alone import projections as module
from ggp.solver.alone.beams import LineSearch
from ggp.solver.alone.projections import Part, Projections, find_parts
from tests.conftest import GAMES

CUBE = GAMES / "puzzles" / "cube.kif.jinja"
FAR = 254


def never() -> None:
    """Nothing stops it."""


def tokens(seed: int) -> str:
    """A few tokens on places of their own, which each move takes from place to place by chance;
    some moves are barred where a token is. A flag may tell of two tokens, and is a part with both.
    """
    draw = random.Random(seed)
    names, moves = "abcd"[: draw.randint(2, 4)], range(draw.randint(2, 4))
    lines = ["(role player)"]
    for name in names:
        size = draw.randint(2, 5)
        lines.append(f"(init (at {name} {draw.randrange(size)}))")
        lines.append(f"(home {name} {draw.randrange(size)})")
        goes_round = draw.random() < 0.8
        for move in moves:
            there = draw.sample(range(size), size)
            if not goes_round:
                there = draw.choices(range(size), k=size)
            lines += [f"(to {name} {move} {p} {q})" for p, q in enumerate(there)]
        if draw.random() < 0.4:
            lines.append(f"(bars {name} {draw.randrange(size)} {draw.choice(moves)})")
    lines += [f"(move {move})" for move in moves]
    lines.append(
        """(<= (barred ?m) (true (at ?t ?p)) (bars ?t ?p ?m))
        (<= (legal player (go ?m)) (move ?m) (not (barred ?m)))
        (legal player stay) (bars none none none)
        (<= (next (at ?t ?q)) (does player (go ?m)) (true (at ?t ?p)) (to ?t ?m ?p ?q))
        (<= (next (at ?t ?p)) (does player stay) (true (at ?t ?p)))
        (<= away (home ?t ?h) (true (at ?t ?p)) (distinct ?p ?h))
        (<= terminal (not away)) (<= (goal player 100) (not away)) (<= (goal player 0) away)"""
    )
    if draw.random() < 0.5:
        lines.append("(<= (next met) (true (at a ?p)) (true (at b ?p)))")
    return "\n".join(lines)


def distances(game: ggp.Game) -> dict[ggp.State, int]:
    """The moves to an end from every position that play comes to, going on after ends; of those
    from which there is no way none."""
    before: dict[ggp.State, list[ggp.State]] = {}
    todo, known = deque([game.initial]), {game.initial}
    while todo:
        state = todo.popleft()
        for number in state.legal_indices()[0]:
            following = state.after([number])
            before.setdefault(following, []).append(state)
            if following not in known:
                known.add(following)
                todo.append(following)
    found = {state: 0 for state in known if state.terminal}
    near = deque(found)
    while near:
        state = near.popleft()
        for other in before.get(state, ()):
            if other not in found:
                found[other] = found[state] + 1
                near.append(other)
    return {state: found.get(state, FAR) for state in known}


def parts_of(game: ggp.Game) -> list[Part]:
    return find_parts(game.machine, game.initial.bits, 100, never)


def _tokens(game: ggp.Game, part: Part) -> set[str]:
    """The tokens that a part is about."""
    own = (f for i, f in enumerate(game.net.fluents) if part.mask >> i & 1)
    return {str(fact.args[0]) for fact in own if fact.name == "at"}


@pytest.mark.parametrize("seed", range(40))
def test_all_parts_together_are_as_far_as_the_puzzle(seed: int) -> None:
    """Where one projection has all of it; and by some of its parts it is never farther."""
    game = ggp.parse(tokens(seed))
    parts, known = parts_of(game), distances(game)
    if not parts:
        return
    rows = game.machine.rows([state.bits for state in known])
    far = np.array(list(known.values()))
    whole = Projections(parts, game.machine.coding.words, module.CASES, seed, never)
    assert len(whole._members) >= module.PROJECTIONS
    worth, wholes = whole.worth(rows), len(whole._members) * far**2
    assert (worth <= wholes).all()
    told = set().union(*(_tokens(game, part) for part in parts))
    if told == {str(fact.args[0]) for fact in game.initial.facts if fact.name == "at"}:
        assert worth.tolist() == wholes.tolist()
    some = Projections(parts, game.machine.coding.words, 6, seed, never)
    assert (some.worth(rows) <= len(some._members) * far**2).all()


@pytest.mark.parametrize("seed", range(40))
def test_nothing_else_tells_what_becomes_of_a_part(seed: int) -> None:
    game = ggp.parse(tokens(seed))
    net, evaluator = game.net, game.evaluator
    draw = random.Random(seed)
    for part in parts_of(game):
        for number, state in enumerate(part.states):
            noise = draw.getrandbits(len(net.fluents)) & ~part.mask
            legal = {m for own in evaluator.legal(state | noise) for m in own}
            for move, step in enumerate(part.steps[number].tolist()):
                assert step >= 0 or move not in legal
                if step >= 0:
                    after = evaluator.next(state | noise, [move])
                    assert after & part.mask == part.states[step]
            if evaluator.terminal(state | noise):
                assert part.right[number]


def test_the_parts_of_a_cube_are_its_pieces() -> None:
    """Each of eight corners can be in one of 24 ways, and so can each of twelve edges; of seven
    corners in one of 21, and of six in one of 18."""
    for size, faces, pieces, ways in ((2, "ru", 6, 18), (2, "ruf", 7, 21), (3, "rufdlb", 20, 24)):
        parts = parts_of(ggp.load(CUBE, size=size, faces=faces))
        assert [len(part.states) for part in parts] == [ways] * pieces
        assert [int(part.right.sum()) for part in parts] == [1] * pieces


@pytest.mark.parametrize(
    ("size", "scramble"),
    [(2, "r1 u2 f3 r2 u1 f1 r3 u1 f2 r1"), (3, "r1 l2 f3 u1 d2 b3 r2 u3 f1 l1")],
)
def test_a_cube_is_solved(size: int, scramble: str) -> None:
    faces = "ruf" if size == 2 else "rufdlb"
    game = ggp.load(CUBE, size=size, faces=faces, scramble=scramble)
    solution = WaySolution(Positions(game, Budget(game.limits)))
    state, turns = game.initial, 0
    while not state.terminal:
        state = state.play(solution.progress(state))
        turns += 1
    assert state.goals == {"player": 100}
    assert turns < 200


def test_a_goal_that_is_lowered_has_other_parts() -> None:
    """What is right of a part hangs on the goal that is looked for."""
    game = ggp.parse(tokens(3))
    lines = LineSearch(game)
    lines.search(game.initial, 0.0, never)
    lines._tell_parts(game.initial, 64, inf, never)
    assert lines._parts
    lines.expect_at_most(lines.most)
    assert lines._parts
    lines.expect_at_most(0)
    assert lines._parts is None


def test_without_time_no_parts_are_looked_for() -> None:
    lines = LineSearch(game := ggp.load(CUBE))
    assert not lines._tell_parts(game.initial, 64, -inf, never)
    assert lines._parts is None
    assert lines._tell_parts(game.initial, 64, inf, never)
    assert not lines._tell_parts(game.initial, 256, -inf, never)
    assert lines._projections is not None


def test_whoever_looks_for_parts_heeds() -> None:
    """As often as there are states of parts, gates, and cases of projections, a few together."""
    looks = [0]

    def heed() -> None:
        looks[0] += 1

    game = ggp.load(CUBE, size=3, faces="rufdlb")
    parts = find_parts(game.machine, game.initial.bits, 100, heed)
    assert looks[0] > game.net.literals // 10_000
    before = looks[0]
    Projections(parts, game.machine.coding.words, 1 << 14, 1, heed)
    assert looks[0] - before > module.PROJECTIONS * (1 << 13) // module.TOGETHER


def test_rules_without_moves_have_no_parts() -> None:
    game = ggp.parse(
        """(role a) (init p) (<= (next p) (true p)) (<= (legal a x) (true q)) (<= (next q) (true q))
        (<= terminal (not (true p))) (goal a 1)"""
    )
    assert not game.net.legal
    assert parts_of(game) == []
