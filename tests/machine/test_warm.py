"""The compiled loops are all there after they were warmed up."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import GAMES

SCRIPT = """
import sys
import ggp
from ggp import later
from ggp.machine import machine
assert "numba" not in sys.modules, "reading rules must not wait for numba"
from ggp.machine.warm import warm_up
warm_up()
compiled = []
later.on_compile.append(lambda: compiled.append(1))
game = ggp.load(sys.argv[1])
space = game.space()
game.machine.playouts(game.initial.bits, 100, threads=2)
game.machine.play_each(space.rows[:10])
machine.SCANNED = 0
ggp.Game(game.rules).machine.playouts(game.initial.bits, 100)
assert space.position(game.initial.bits) == 0
print(len(compiled))
"""


def test_nothing_is_compiled_after_a_warm_up() -> None:
    """Types that the loops were not compiled for would cost seconds in the middle of a match."""
    command = [sys.executable, "-c", SCRIPT, str(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "0"), done.stderr
