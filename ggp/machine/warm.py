"""All compiled loops called once, so that nobody waits for them later."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ggp.circuits.circuit import Builder, Circuit
from ggp.later import Later
from ggp.machine.engine.assembly import REGISTERS, assemble_code
from ggp.machine.engine.frames import LANES, WORDS, FrameLayout, Tally, new_frame
from ggp.machine.engine.program import assemble
from ggp.machine.engine.unit import running

if TYPE_CHECKING:
    from ggp.ground import folding
    from ggp.machine.engine import kernels
    from ggp.machine.playouts import playing, scanning
    from ggp.machine.single import settling
    from ggp.machine.space import hashing, sorting
else:
    folding = Later("ggp.ground.folding")
    hashing, kernels = Later("ggp.machine.space.hashing"), Later("ggp.machine.engine.kernels")
    playing = Later("ggp.machine.playouts.playing")
    scanning = Later("ggp.machine.playouts.scanning")
    settling = Later("ggp.machine.single.settling")
    sorting = Later("ggp.machine.space.sorting")


@cache
def warm_up() -> None:
    """Load the compiled loops, or compile them where this machine has not done so yet."""
    builder = Builder()
    state, start, anew = builder.inputs(3)
    moved = builder.mux(anew, start, state)
    circuit = builder.circuit([state, start, anew], [moved, moved, 0, moved], tail=3)
    warm_up_code()
    program = assemble(circuit)
    frame, run = new_frame(program.rows), running(program)
    seeds = np.ones((2, WORDS), dtype=np.uint64)
    tally = Tally(
        np.zeros(7, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros((1, WORDS), dtype=np.uint64),
        np.zeros(2, dtype=np.int64),
    )
    active, since = np.zeros(WORDS, dtype=np.uint64), np.zeros(LANES, dtype=np.int64)
    layout = FrameLayout(1, 0, 0, 0, 1)
    playing.play(frame, frame.ctypes.data, run, layout, seeds, active, since, tally, 1)
    seen = builder.circuit([state], [1, 1, 1])  # a legal move, the end, a goal
    moving = builder.circuit([state, start], [state])
    choices = scanning.Draws(
        np.array([0, 1]),
        np.array([0]),
        new_frame(2),
        since.copy(),
        np.zeros((1, LANES), dtype=np.int32),
        np.zeros((1, LANES), dtype=np.int32),
    )
    scanning.play(
        _circuit(seen), _circuit(moving), 1, new_frame(2), choices, seeds, active, since, tally, 1
    )
    rows, joint = np.zeros((1, 1), dtype=np.uint64), np.zeros((1, 1), dtype=np.int32)
    lanes, packed = np.zeros(1, dtype=np.int64), np.zeros((1, 1), dtype=np.uint64)
    kernels.evaluate(
        rows, lanes, joint[:, :0], frame, frame.ctypes.data, run, WORDS, 1, 2, 1, packed
    )
    kernels.count_bits(packed, np.array([0, 1]), joint)
    kernels.list_bits(packed[:0], 1, np.zeros(0, dtype=np.int32))
    table, numbers = np.full(4, -1, dtype=np.int32), np.zeros(1, dtype=np.int32)
    known = hashing.insert(rows, packed, 0, table, numbers)
    hashing.refill(packed, known, np.full(4, -1, dtype=np.int32))
    hashing.place_of(rows[0], packed, table)
    sorting.sort(numbers, np.zeros(2, dtype=np.int64), np.zeros(1, dtype=np.int32))
    net = np.zeros(1, dtype=np.int64)
    loops = np.zeros((0, 2), dtype=np.int64)
    settling.settle(np.zeros(2, dtype=np.uint8), 2, net, net, net, loops)
    folding.fold(np.zeros(2, dtype=np.int8), 2, net, net, net, loops)


@cache
def warm_up_code() -> None:
    """The same for the loops that make machine code of circuits, which begin in the background
    during play, and that bring states to them."""
    builder = Builder()
    one, other = builder.inputs(2)
    both = builder.conj(one, builder.conj(other, one ^ 1) ^ 1)
    circuit = builder.circuit([one, other], [both, both, one], tail=2)
    for width in REGISTERS:  # it is made for any processor, and not run
        assemble_code(circuit, 1, width, WORDS)
    rows = np.zeros((LANES, 1), dtype=np.uint64)
    kernels.turn(rows, 1, np.zeros((1, WORDS), dtype=np.uint64))


def _circuit(circuit: Circuit) -> scanning.RunningCircuit:
    program = assemble(circuit)
    frame = new_frame(program.rows)
    return scanning.RunningCircuit(frame, frame.ctypes.data, running(program))
