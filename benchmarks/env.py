"""Steps a second of games stepped together, beside OpenSpiel's own C++, in one run on one core.

    python benchmarks/env.py [--seconds S] [--games N]

A step is a joint move in one game: one action of the player to move. Measured are

* OpenSpiel from Python: `legal_actions`, a random one of them, `apply_action`;
* OpenSpiel in C++ (`open_spiel_loop.cc`, built against the headers that come with it, where there
  is a C++ compiler): the same three, and with the mask of legal actions and the observation tensor;
* OpenSpiel's `RandomRolloutEvaluator`, which is C++ as well, where there is no compiler;
* `ggp.env.vector`: a random legal action of every player, and the step, with its masks, rewards and
  observations as bits, for N games at once, arrays used again;
* `ggp.env.vector` with observations as planes of the board;
* random play alone, without actions, masks and observations (`Game.playouts`).

Each figure is the best of three, taken in turns. The ratios are of the same run: `vector` over C++
that makes masks and tensors as well, and over the fastest C++.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import platform
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import ggp
import ggp.env
from ggp.machine.engine.native import host

HERE = Path(__file__).parent
GAMES = HERE.parent / "games"

SHEETS = {
    "tic_tac_toe": (GAMES / "tic-tac-toe/tic-tac-toe.kif", {}),
    "connect_four": (GAMES / "connect-four/connect-four.kif.jinja", {"columns": 7, "rows": 6}),
    "breakthrough": (GAMES / "breakthrough/breakthrough.kif.jinja", {"rows": 8, "columns": 8}),
}
"""Games of OpenSpiel, and the same ones as sheets."""

Measure = Callable[[float], float]
"""Steps a second, measured for about so many seconds."""


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Stay on one core, where the system can be told so."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [min(cores)])
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def timed(work: Callable[[], int], seconds: float) -> float:
    """Steps a second of some work that says how many it took."""
    steps, began = 0, time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:
        steps += work()
    return steps / took


def in_python(name: str) -> Measure:
    """OpenSpiel from Python."""
    import pyspiel

    game, choose = pyspiel.load_game(name), random.Random(1).choice

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
        return int(state.move_number())

    return lambda seconds: timed(play, seconds)


def rollouts(name: str) -> Measure:
    """Random play of OpenSpiel for its tree search; games are as long as those played in Python."""
    import pyspiel

    game, count = pyspiel.load_game(name), 2000
    evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
    start, choose = game.new_initial_state(), random.Random(1).choice
    lengths = []
    for _ in range(1000):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
        lengths.append(state.move_number())
    steps = count * sum(lengths) / len(lengths)

    def search() -> int:
        bot.mcts_search(start)
        return int(steps)

    return lambda seconds: timed(search, seconds)


@contextlib.contextmanager
def loop_in_cpp() -> Iterator[Callable[[str, bool], Measure] | None]:
    """Random play in C++, with masks and tensors or without; None without a compiler."""
    import pyspiel

    compiler = shutil.which(os.environ.get("CXX", "c++"))
    place = Path(pyspiel.__file__).parent
    if compiler is None or not (place / "open_spiel/spiel.h").exists():
        yield None
        return
    inner = ("", "open_spiel", "open_spiel/abseil-cpp", "open_spiel/json/include")
    include = [f"-I{place / part}" for part in inner]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "loop.so"
        command = [compiler, "-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", *include]
        source = str(HERE / "open_spiel_loop.cc")
        subprocess.run([*command, "-o", str(library), source], check=True)
        # The loop calls into this library, whose names are hidden from others else.
        ctypes.CDLL(pyspiel.__file__, mode=ctypes.RTLD_GLOBAL)
        function = ctypes.CDLL(str(library)).actions_a_second
        function.restype = ctypes.c_double
        function.argtypes = [ctypes.c_char_p, ctypes.c_double, ctypes.c_int, ctypes.c_uint]
        yield lambda name, views: lambda seconds: function(name.encode(), seconds, views, 1)


def stepped(game: ggp.Game, games: int, observations: str) -> Measure:
    """Games stepped together."""
    env = ggp.env.vector(game, games, observations=observations, reuse=True)
    env.compile()
    env.reset()

    def step() -> int:
        env.step(env.sample())
        return games

    for _ in range(3):
        step()
    return lambda seconds: timed(step, seconds)


def played(game: ggp.Game) -> Measure:
    """Random play alone."""
    for unit in game.machine.player.units:
        unit.compile()
    return lambda seconds: timed(lambda: game.playouts(1 << 15, seed=1).moves, seconds)


def best(measures: list[Measure | None], seconds: float) -> list[float | None]:
    """The best of three of each, taken in turns."""
    rounds = [[m and m(seconds) for m in measures] for _ in range(3)]
    columns = [[speeds[i] for speeds in rounds] for i in range(len(measures))]
    return [max(filter(None, column), default=None) for column in columns]


TITLES = [
    "game", "OpenSpiel in Python", "rollouts in C++", "loop in C++", "with masks and tensors",
    "`vector`, bits", "`vector`, planes", "random play", "bits : C++ alike", "bits : fastest C++",
]  # fmt: skip


def measured(
    name: str, games: int, seconds: float, loop: Callable[[str, bool], Measure] | None
) -> tuple[list[float | None], float | None, float]:
    """Steps a second in the order of the titles; the ratios of `vector` to C++ that makes masks and
    tensors as well, where there is a compiler, and to the fastest C++."""
    path, parameters = SHEETS[name]
    game = ggp.load(path, **parameters)
    found = best(
        [
            in_python(name),
            rollouts(name),
            loop and loop(name, False),
            loop and loop(name, True),
            stepped(game, games, "bits"),
            stepped(game, games, "planes"),
            played(game),
        ],
        seconds,
    )
    _, *native, alike, bits, _, _ = found
    fastest = max(speed for speed in native if speed)
    assert bits
    return found, bits / alike if alike else None, bits / fastest


def row(name: str, games: int, seconds: float, loop: Callable[[str, bool], Measure] | None) -> str:
    """A line of the table."""
    found, alike, fastest = measured(name, games, seconds, loop)
    ratios = [f"{alike:.1f}" if alike else "", f"{fastest:.1f}"]
    cells = [name, *(f"{speed:,.0f}" if speed else "" for speed in found), *ratios]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--games", type=int, default=4096)
    options = parser.parse_args()
    machine = host()
    wide = f"vectors of {64 * machine.width} bits"
    print(f"{platform.machine()}, {machine.cpu}, {wide}; {options.games:,} games at once.\n")
    print(f"| {' | '.join(TITLES)} |\n|---|{'---:|' * (len(TITLES) - 1)}")
    with one_core(), loop_in_cpp() as loop:
        for name in SHEETS:
            print(row(name, options.games, options.seconds, loop), flush=True)


if __name__ == "__main__":
    main()
