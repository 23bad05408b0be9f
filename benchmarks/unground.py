"""How fast games are played straight from their rules, without a ground form.

`python -m benchmarks.unground SHEETS… [--seconds S]` plays at random, and prints microseconds of a
move: by functions of Python, of which all legal moves are found out or no more than one; and by
compiled loops, each legal move equally likely, or one that is found by chance. Then the descents
of the search a second (`ggp.play.search.by_states`), after ten moves by chance. One thread; the
loops are compiled before.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from math import inf
from pathlib import Path

import numpy as np

from ggp.deduce import Prover
from ggp.deduce.lowered.warm import warm_up
from ggp.game import Game, State
from ggp.kif import Source
from ggp.play.playouts import played
from ggp.play.search.by_states import StateSearch
from ggp.rules import read_rules

OPENING = 10


def unground(path: Path) -> Game:
    """The game of a sheet, without a net."""
    return Game(read_rules(Source(path.stem, path.read_text(encoding="utf-8"))), grounded=False)


def microseconds(play: Callable[[int], int], seconds: float) -> float:
    """Of a move of plays, each of which tells how many moves it had."""
    play(0)
    began, moves, count = time.process_time(), 0, 0
    while time.process_time() - began < seconds:
        count += 1
        moves += play(count)
    return 1e6 * (time.process_time() - began) / max(moves, 1)


def by_functions(game: Game, most: int, *, lazy: bool) -> Callable[[int], int]:
    """Plays of so many moves by functions of Python."""

    def play(seed: int) -> int:
        start = State(game, game.initial.position)
        played(start, np.random.default_rng(seed), inf, most, lazy=lazy)
        return most

    return play


def by_loops(prover: Prover, *, uniform: bool) -> Callable[[int], int]:
    """Whole plays by compiled loops."""

    def play(seed: int) -> int:
        found = prover.played(prover.initial, seed, 2_000, inf, uniform=uniform)
        return found[2] if found else 0

    return play


def descents(game: Game, seconds: float) -> float:
    """Of a search, by the second."""
    choose, state = random.Random(1), game.initial
    for _ in range(OPENING):
        if not state.terminal:
            state = state.after([choose.choice(own) for own in state.legal_indices()])
    search = StateSearch(game, 0, np.random.default_rng(1))
    search.start(state)
    before, began = search.visits, time.process_time()
    search.run(time.monotonic() + seconds, lambda: None)
    return (search.visits - before) / (time.process_time() - began)


def main() -> None:
    """Measure, and print a row a sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sheets", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    warm_up()
    print("| sheet | whole | one move | loops, whole | loops, one move | descents/s |")
    print("|---|---:|---:|---:|---:|---:|")
    for path in options.sheets:
        game, seconds = unground(path), options.seconds
        figures = [
            microseconds(by_functions(game, 4, lazy=lazy), seconds) for lazy in (False, True)
        ]
        prover = game.evaluator
        assert isinstance(prover, Prover)
        if not prover.hasten():
            figures += [inf, inf]
        else:
            figures += [
                microseconds(by_loops(prover, uniform=uniform), seconds)
                for uniform in (True, False)
            ]
        row = [*(f"{figure:,.0f}" for figure in figures), f"{descents(game, seconds):,.0f}"]
        print(f"| {path.stem} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
