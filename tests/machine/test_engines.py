"""One set of questions for every engine, answered by the reference engine."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ggp
from ggp import Term, parse
from ggp import state as state_module
from ggp.deduce import Prover
from ggp.ground import Group
from ggp.machine import (
    MANY_GOALS,
    NO_GOAL,
    ByDefinition,
    Evaluator,
    Machine,
    SingleStates,
)
from ggp.machine.engine import native, unit
from ggp.machine.engine.unit import Choice
from ggp.machine.single import large
from tests.conftest import GAMES, all_sheets, nightly, shared

SHEETS = sorted(GAMES.rglob("*.kif*"))
CORPUS = ["cubicup_3player", "atariGo_7x7", "connectFour", "checkersSmall", "pancakes6", "quad_5x5"]


def states_of(game: ggp.Game, plays: int, seed: int) -> list[int]:
    """States of a few random plays, ends included."""
    found = {}
    for i in range(plays):
        found.update(dict.fromkeys(state.bits for state, _ in game.random_playout(seed + i)))
    return list(found)


@cache
def sample(sheet: Path, plays: int, seed: int, every: int = 1) -> tuple[ggp.Game, list[int]]:
    """A game and every so many of the states of a few random plays, the last one among them."""
    game = ggp.load(sheet)
    return game, states_of(game, plays, seed)[::-every]


@dataclass(frozen=True)
class Answer:
    """The four answers about a state, as text; goals as a value, `none` or `many`."""

    facts: tuple[str, ...]
    legal: tuple[tuple[str, ...], ...]
    terminal: bool
    goals: tuple[int | str, ...]


def texts(terms: Iterable[Term]) -> tuple[str, ...]:
    return tuple(map(str, terms))


def answer(evaluator: Evaluator[Any], position: Hashable) -> Answer:
    """What an evaluator says of one position."""
    goals = evaluator.goals(position)
    return Answer(
        texts(evaluator.facts(position)),
        tuple(
            texts(evaluator.move(role, number) for number in own)
            for role, own in enumerate(evaluator.legal(position))
        ),
        evaluator.terminal(position),
        tuple(held[0] if len(held) == 1 else "many" if held else "none" for held in goals),
    )


class EngineAnswers:
    """What an engine must answer; engines inherit this and say how to ask them.

    States are given by their facts, moves by their terms.
    """

    def answers(self, game: ggp.Game, states: list[tuple[Term, ...]]) -> list[Answer]:
        raise NotImplementedError

    def following(
        self, game: ggp.Game, plays: list[tuple[tuple[Term, ...], list[Term]]]
    ) -> list[tuple[str, ...]]:
        """The facts after each of some pairs of a state and a joint move."""
        raise NotImplementedError

    def agrees(self, game: ggp.Game, states: list[int], seed: int = 1) -> None:
        reference = ByDefinition(game.net)
        facts = [reference.facts(state) for state in states]
        assert self.answers(game, facts) == [answer(reference, state) for state in states]
        choose = random.Random(seed)
        plays, expected = [], []
        for state in states:
            legal = reference.legal(state)
            for _ in range(3 if all(legal) else 0):
                joint = [choose.choice(own) for own in legal]
                terms = [reference.move(role, number) for role, number in enumerate(joint)]
                plays.append((reference.facts(state), terms))
                expected.append(texts(reference.facts(reference.next(state, joint))))
        assert self.following(game, plays) == expected

    @pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
    def test_on_our_sheets(self, sheet) -> None:
        self.agrees(*sample(sheet, 5, seed=1))

    @pytest.mark.parametrize("sheet", SHEETS[:8], ids=lambda path: path.name)
    def test_on_arbitrary_sets_of_fluents(self, sheet) -> None:
        game = ggp.load(sheet)
        choose = random.Random(7)
        self.agrees(game, [choose.getrandbits(len(game.net.fluents)) for _ in range(70)])

    @pytest.mark.slow
    @pytest.mark.parametrize("name", CORPUS)
    def test_on_public_sheets(self, name) -> None:
        self.agrees(*sample(shared("corpus", "games", f"{name}.kif"), 1, seed=3, every=5))

    def test_recursion_inside_a_state_is_a_least_fixpoint(self) -> None:
        """docs/semantics.md 15."""
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


class MachineAnswers(EngineAnswers):
    """Circuits on 512 states at once."""

    choice: Choice
    grouped = False

    def agrees(self, game: ggp.Game, states: list[int], seed: int = 1) -> None:
        large = game.net.literals > 20_000
        if large and (self.choice == "llvm" or self.grouped):
            pytest.skip("code and groups of large nets take minutes")
        super().agrees(game, states, seed)

    def machine(self, game: ggp.Game, states: list[int]) -> Machine:
        """A machine that can pack these states."""
        held = game.groups if self.grouped else ()
        keeping = [g for g in held if all(keeps(g, state) for state in states)]
        return Machine(game.net, keeping, choice=self.choice)

    def answers(self, game: ggp.Game, states: list[tuple[Term, ...]]) -> list[Answer]:
        net, reference = game.net, game.evaluator
        given = [reference.position(facts) for facts in states]
        machine = self.machine(game, given)
        rows = machine.rows(given)
        view = machine.view(rows)
        names = {NO_GOAL: "none", MANY_GOALS: "many"}
        found = []
        for i, state in enumerate(machine.states(rows)):
            legal = [
                texts(reference.move(role, int(number)) for number in view.moves(i, role))
                for role in range(len(net.roles))
            ]
            goals = tuple(names.get(goal, goal) for goal in view.goals[i].tolist())
            terminal = bool(view.terminal[i])
            found.append(Answer(texts(reference.facts(state)), tuple(legal), terminal, goals))
        return found

    def following(
        self, game: ggp.Game, plays: list[tuple[tuple[Term, ...], list[Term]]]
    ) -> list[tuple[str, ...]]:
        if not plays:
            return []
        reference = ByDefinition(game.net)
        given = [reference.position(facts) for facts, _ in plays]
        joint = [[reference.number(i, m) or 0 for i, m in enumerate(moves)] for _, moves in plays]
        after = [reference.next(state, moves) for state, moves in zip(given, joint, strict=True)]
        machine = self.machine(game, [*given, *after])
        rows = machine.next(machine.rows(given), np.array(joint, dtype=np.int32))
        return [texts(reference.facts(state)) for state in machine.states(rows)]


def keeps(group: Group, state: int) -> bool:
    """Whether a state, even one that play cannot reach, satisfies a group."""
    count = sum(state >> fluent & 1 for fluent in group.fluents)
    return count == 1 or (count == 0 and not group.exact)


class TestNumpy(MachineAnswers):
    """Levels of gates by numpy alone, as long as there is little to do."""

    choice = "auto"


class TestPackedNumpy(MachineAnswers):
    """The same on packed states."""

    choice = "auto"
    grouped = True


class TestInterpreter(MachineAnswers):
    """Programs run by a loop that numba compiles."""

    choice = "interpreter"


class TestPackedInterpreter(MachineAnswers):
    """The fluents of a group as one number."""

    choice = "interpreter"
    grouped = True


class TestCompiled(MachineAnswers):
    """Machine code of the machine's own width."""

    choice = "llvm"


class TestPackedCompiled(MachineAnswers):
    """Machine code on packed states."""

    choice = "llvm"
    grouped = True


class TestSettledStates(EngineAnswers):
    """A compiled loop over all gates of a net, as large ones are asked first."""

    @pytest.fixture(autouse=True)
    def _always(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(large, "SETTLED", 0)

    def answers(self, game: ggp.Game, states: list[tuple[Term, ...]]) -> list[Answer]:
        single = SingleStates(game.machine, patience=1 << 40)
        return [answer(single, single.position(facts)) for facts in states]

    def following(
        self, game: ggp.Game, plays: list[tuple[tuple[Term, ...], list[Term]]]
    ) -> list[tuple[str, ...]]:
        single = SingleStates(game.machine, patience=1 << 40)
        found = []
        for facts, moves in plays:
            joint = [single.number(role, move) or 0 for role, move in enumerate(moves)]
            found.append(texts(single.facts(single.next(single.position(facts), joint))))
        return found


class TestSingleStates(EngineAnswers):
    """The machine as the evaluator of a game."""

    def answers(self, game: ggp.Game, states: list[tuple[Term, ...]]) -> list[Answer]:
        single = SingleStates(game.machine, patience=0)
        return [answer(single, single.position(facts)) for facts in states]

    def following(
        self, game: ggp.Game, plays: list[tuple[tuple[Term, ...], list[Term]]]
    ) -> list[tuple[str, ...]]:
        single = SingleStates(game.machine, patience=0)
        found = []
        for facts, moves in plays:
            joint = [single.number(role, move) or 0 for role, move in enumerate(moves)]
            found.append(texts(single.facts(single.next(single.position(facts), joint))))
        return found

    @pytest.mark.parametrize("patience", [0, 4, 1000])
    def test_many_moves_at_a_time_are_as_each_by_itself(self, patience, monkeypatch) -> None:
        monkeypatch.setattr(large, "BATCH", 3)
        game = ggp.load(GAMES / "nim" / "rows.kif.jinja")
        single = SingleStates(game.machine, patience=patience)
        own, others = single.legal(single.initial)
        joints = [[move, others[0]] for move in own]
        expected = [ByDefinition(game.net).next(game.initial.bits, joint) for joint in joints]
        assert single.next_each(single.initial, joints) == expected
        assert single.next_each(single.initial, []) == []

    def test_circuits_are_made_when_patience_is_at_an_end(self, monkeypatch) -> None:
        game = ggp.load(GAMES / "nim" / "rows.kif.jinja")
        single = SingleStates(game.machine, patience=2)
        asked = []
        monkeypatch.setattr(game.machine, "view", lambda rows: asked.append(rows) or 1 / 0)
        assert single.terminal(single.initial) is False
        assert single.goals(single.initial)
        assert not asked
        with pytest.raises(ZeroDivisionError):
            single.terminal(single.initial)

    def test_circuits_that_are_there_already_answer_the_first_questions(self, monkeypatch) -> None:
        """By definition a state of atariGo took a player half a second of its first move."""
        game = ggp.load(GAMES / "nim" / "rows.kif.jinja")
        rows = game.machine.rows([game.initial.bits])
        single = SingleStates(game.machine, patience=1_000)
        joint = [own[0] for own in single.legal(single.initial)]
        wanted = single.next(single.initial, joint)
        game.machine.view(rows)
        assert not game.machine.has_circuits
        game.machine.next(rows, np.array([joint], dtype=np.int32))
        assert game.machine.has_circuits
        monkeypatch.setattr(ByDefinition, "next", lambda *_: 1 / 0)
        monkeypatch.setattr(ByDefinition, "legal", lambda *_: 1 / 0)
        assert single.next(single.initial, joint) == wanted
        assert [own[0] for own in single.legal(single.initial)] == joint
        # Those that look at what is seen are made when patience is at an end.
        assert single.percepts(single.initial, joint) == [(), ()]
        assert "_percept_unit" not in game.machine.__dict__


@pytest.fixture(params=[1, 2, 4])
def _narrow(request, monkeypatch):
    machine = native.host()
    monkeypatch.setattr(unit, "host", lambda: replace(machine, width=request.param))


@pytest.mark.usefixtures("_narrow")
class TestNarrow(MachineAnswers):
    """Vectors of one word, of SSE2 and NEON, and of AVX2."""

    choice = "llvm"

    @pytest.mark.parametrize(
        "sheet",
        [*SHEETS[4::8], *nightly(s for i, s in enumerate(SHEETS) if i % 8 != 4)],
        ids=lambda path: path.name,
    )
    def test_on_our_sheets(self, sheet) -> None:
        super().test_on_our_sheets(sheet)


class TestUngroundEngine(EngineAnswers):
    """Rules evaluated without grounding, by joins of our own: independent of clingo."""

    def answers(self, game: ggp.Game, states: list[tuple[Term, ...]]) -> list[Answer]:
        prover = Prover(game.rules)
        return [answer(prover, prover.position(facts)) for facts in states]

    def following(
        self, game: ggp.Game, plays: list[tuple[tuple[Term, ...], list[Term]]]
    ) -> list[tuple[str, ...]]:
        prover = Prover(game.rules)
        found = []
        for facts, moves in plays:
            position = prover.position(facts)
            prover.legal(position)  # numbers moves when it first meets them
            joint = [prover.number(role, move) or 0 for role, move in enumerate(moves)]
            after = prover.next(position, joint)
            found.append(texts(prover.facts(after)))
        return found


def test_many_moves_of_a_state_are_made_together_as_one_by_one(monkeypatch) -> None:
    """By circuits where the definition would take seconds."""
    monkeypatch.delenv("GGP_ENGINE", raising=False)
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    state = game.initial
    joints = [(move, state.legal_indices()[1][0]) for move in state.legal_indices()[0]]
    wanted = [state.after(joint) for joint in joints]
    assert state.after_each(joints) == wanted
    asked = []

    class Counting(SingleStates):
        def next_each(self, position, moves):
            asked.append(len(moves))
            return super().next_each(position, moves)

    monkeypatch.setattr(state_module, "SingleStates", Counting)
    monkeypatch.setattr(state_module, "MANY", 0)
    assert state.after_each(joints) == wanted
    assert asked == [9]
