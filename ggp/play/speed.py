"""How fast a game is played: random plays, moves of them, and positions expanded, by the second."""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ggp.deduce import Prover
from ggp.game import Game, State
from ggp.limits import Budget
from ggp.machine import Machine, RowIndex, Rows, joint_moves
from ggp.machine.engine.store import NO_STORE
from ggp.play.playouts import MAX_PLIES

Engine = Literal["reference", "interpreter", "llvm"]

FRONTIER = 20_000
"""Positions that are expanded to measure expansion; fewer if there are not so many."""


@dataclass(frozen=True)
class Speed:
    """What one engine does in a second, on so many threads.

    `playouts_per_second`, `steps_per_second`: random plays, and joint moves made in them.
    `states_per_second`: successors found by expanding positions breadth first, on one thread (None
    where that is left out, or an engine takes one state at a time). `compile_seconds`: to make
    machine code, nothing taken from disk (None where none is made). `first_playout_seconds`: from
    the ground rules to the end of the first play, machine code not waited for (None where none
    ended). `playouts`,
    `mean_length`: what was measured.
    """

    engine: str
    threads: int
    playouts_per_second: float
    steps_per_second: float
    states_per_second: float | None
    compile_seconds: float | None
    first_playout_seconds: float | None
    playouts: int
    mean_length: float

    def as_dict(self) -> dict[str, Any]:
        """The figures by name."""
        return asdict(self)


def measure(
    game: Game, engine: Engine, seconds: float, threads: int = 1, *, expand: bool = True
) -> Speed:
    """The speed of one engine, random play measured for about so many seconds.

    A game without a net is measured as it is played, `unground`, whatever the engine. Expansion of
    positions takes some seconds more, unless it is left out.
    """
    if not game.is_ground:
        return _by_rules(game, seconds)
    if engine == "reference":
        return _one_by_one(game, seconds)
    began = time.perf_counter()
    machine = Machine(game.net, choice=engine, store=NO_STORE)
    for unit in machine.player.units:
        unit.choice = "interpreter"
    machine.playouts(game.initial.bits, 1)
    first = time.perf_counter() - began
    compile_seconds = None
    if engine == "llvm":
        began = time.perf_counter()
        for unit in machine.player.units:
            unit.choice = engine
            unit.compile()
        compile_seconds = time.perf_counter() - began
    began = time.perf_counter()
    done = machine.playouts(
        game.initial.bits, 1 << 60, seed=1, threads=threads, until=time.monotonic() + seconds
    )
    spent = time.perf_counter() - began
    return Speed(
        engine,
        threads,
        done.count / spent,
        done.moves / spent,
        _expansion(game, machine, engine, seconds) if expand else None,
        compile_seconds,
        first,
        done.count,
        done.mean_length,
    )


def _expansion(game: Game, machine: Machine, engine: Engine, seconds: float) -> float:
    """Successors a second: views of positions, and the positions after all their moves."""
    budget = Budget(game.limits)
    rows = _frontier(machine, game.initial.bits, budget)
    if engine == "llvm":
        machine.compile()
    began, found = time.perf_counter(), 0
    while True:
        for start in range(0, len(rows), machine.batch):
            part = rows[start : start + machine.batch]
            view = machine.view(part)
            for lanes, joint in joint_moves(machine, view, budget):
                found += len(machine.next(part, joint, lanes))
        spent = time.perf_counter() - began
        if spent > seconds / 2:
            return found / spent


def _frontier(machine: Machine, root: int, budget: Budget) -> Rows:
    """The largest set of positions after equally many moves that is found in a few seconds."""
    until = time.monotonic() + 2
    rows = largest = machine.rows([root])
    while len(rows) < FRONTIER and time.monotonic() < until:
        known = RowIndex(machine.coding.words)
        for lanes, joint in joint_moves(machine, machine.view(rows), budget):
            known.add(machine.next(rows, joint, lanes))
            if len(known) > FRONTIER:
                break
        if not len(known):
            break
        rows = known.rows
        largest = max(largest, rows, key=len)
    return largest[:FRONTIER]


def _by_rules(game: Game, seconds: float) -> Speed:
    """Plays straight from the rules, by compiled loops where these will do."""
    prover = game.evaluator
    assert isinstance(prover, Prover)
    if not prover.hasten():
        return _one_by_one(game, seconds)
    until, first = time.monotonic() + seconds, None
    began, count, moves = time.perf_counter(), 0, 0
    while (spent := time.perf_counter() - began) < seconds:
        found = prover.played(game.initial.position, count, MAX_PLIES, until, uniform=True)
        if found is None:
            return _one_by_one(game, seconds)
        if found[0]:
            first = first or time.perf_counter() - began
            count, moves = count + 1, moves + found[2]
    length, engine = moves / count if count else 0.0, prover.engine
    return Speed(engine, 1, count / spent, moves / spent, None, None, first, count, length)


def _one_by_one(game: Game, seconds: float) -> Speed:
    """Plays state by state, as the game's evaluator answers."""
    choose, began = random.Random(1).choice, time.perf_counter()
    count = moves = finished = 0
    first: float | None = None
    state: State = game.initial
    while (spent := time.perf_counter() - began) < seconds:
        legal = state.legal_indices()
        if state.terminal:
            count, finished = count + 1, moves
            first = spent if count == 1 else first
            state = game.initial
        elif all(legal):
            state = state.after([choose(own) for own in legal])
            moves += 1
        else:
            state = game.initial
    length = finished / count if count else 0.0
    engine = game.evaluator.engine
    return Speed(engine, 1, count / spent, moves / spent, None, None, first, count, length)
