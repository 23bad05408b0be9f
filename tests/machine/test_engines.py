"""One set of questions for every engine, answered by the reference interpreter."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ggp
from ggp import parse
from ggp.machine import MANY_GOALS, NO_GOAL, BulkEngine
from tests.conftest import GAMES, shared

SHEETS = sorted(GAMES.rglob("*.kif*"))
CORPUS = ["cubicup_3player", "atariGo_7x7", "connectFour", "checkersSmall", "pancakes6", "quad_5x5"]


def states_of(game: ggp.Game, plays: int, seed: int) -> list[int]:
    """States of a few random plays, ends included."""
    found = {}
    for i in range(plays):
        found.update(dict.fromkeys(state.bits for state, _ in game.random_playout(seed + i)))
    return list(found)


class EngineAnswers:
    """What an engine must answer; engines inherit this with their own fixture `engine`."""

    def engine(self, game: ggp.Game) -> BulkEngine:
        raise NotImplementedError

    def agrees(self, game: ggp.Game, states: list[int], seed: int = 1) -> None:
        engine, reference = self.engine(game), game.interpreter
        view = engine.view(engine.rows(states))
        choose = random.Random(seed)
        sources, joint, expected = [], [], []
        for lane, state in enumerate(states):
            legal = reference.legal(state)
            assert [int(i) for i in np.flatnonzero(view.legal[lane])] == [
                i for own in legal for i in own
            ]
            assert bool(view.terminal[lane]) == reference.terminal(state)
            for goal, held in zip(view.goals[lane].tolist(), reference.goals(state), strict=True):
                assert goal == (held[0] if len(held) == 1 else MANY_GOALS if held else NO_GOAL)
            if all(legal):
                for _ in range(3):
                    moves = [choose.choice(own) for own in legal]
                    sources.append(state)
                    joint.append(moves)
                    expected.append(reference.next(state, moves))
        if joint:
            rows = engine.next(engine.rows(sources), np.array(joint, dtype=np.int32))
            assert engine.states(rows) == expected

    @pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
    def test_on_our_sheets(self, sheet) -> None:
        game = ggp.load(sheet)
        self.agrees(game, states_of(game, 5, seed=1))

    @pytest.mark.parametrize("sheet", SHEETS[:8], ids=lambda path: path.name)
    def test_on_arbitrary_sets_of_fluents(self, sheet) -> None:
        game = ggp.load(sheet)
        choose = random.Random(7)
        self.agrees(game, [choose.getrandbits(len(game.net.fluents)) for _ in range(70)])

    @pytest.mark.parametrize("name", CORPUS)
    def test_on_public_sheets(self, name) -> None:
        game = ggp.load(shared("corpus", "games", f"{name}.kif"))
        self.agrees(game, states_of(game, 1, seed=3))

    def test_recursion_inside_a_state_is_a_least_fixpoint(self) -> None:
        """SEMANTICS.md 15."""
        game = parse(
            """(role p) (init (e a b)) (init (e b c)) (init (e d d))
            (<= (legal p (cut ?x ?y)) (true (e ?x ?y)))
            (<= (next (e ?x ?y)) (true (e ?x ?y)) (does p (cut ?u ?v))
                (or (distinct ?x ?u) (distinct ?y ?v)))
            (<= (path ?x ?y) (true (e ?x ?y)))
            (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
            (<= terminal (not (path a c)))
            (<= (goal p 100) (path d d)) (<= (goal p 0) (not (path d d)))"""
        )
        assert any(block.recursive for block in game.net.blocks)
        self.agrees(game, list(range(1 << len(game.net.fluents))))
        assert not game.initial.terminal
        assert game.initial.play("(cut a b)").terminal
        assert game.initial.play("(cut d d)").goals == {"p": 0}

    def test_positive_loops_are_false_unless_supported(self) -> None:
        game = parse(
            """(role p) (init s) (legal p go) (<= q r) (<= r q) (<= r (true t))
            (<= q2 r2) (<= r2 q2) (<= (next t) (does p go)) (<= terminal q) (<= terminal q2)
            (<= (goal p 1) q) (<= (goal p 2) (not q))"""
        )
        self.agrees(game, list(range(1 << len(game.net.fluents))))
        assert not game.initial.terminal
        assert game.initial.play("go").terminal

    def test_constants(self) -> None:
        game = parse("(role p) (legal p go) terminal (goal p 7) (next s) (init s)")
        self.agrees(game, [0, 1])

    def test_no_fluents_at_all(self) -> None:
        game = parse("(role p) (legal p go) terminal (goal p 7)")
        self.agrees(game, [0, 0])


class TestBulkEngine(EngineAnswers):
    def engine(self, game: ggp.Game) -> BulkEngine:
        return game.engine

    def test_many_batches_give_what_one_does(self) -> None:
        game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
        states = states_of(game, 40, seed=1)
        small = BulkEngine(game.net)
        small.batch = 64
        rows = small.rows(states)
        assert np.array_equal(small.view(rows).legal, game.engine.view(rows).legal)
