"""Machine code that is assembled, against LLVM's: how soon it is there, and how fast it runs.

    python benchmarks/assembly.py [--words W] SHEETS…

Of each sheet the circuit of a step of random play, and that of a move: microseconds of one call for
512 lanes (the least of five runs; it is made from Python, half a microsecond), and seconds to make
the code, nothing taken from disk. `--words`: words of a vector, 8, 4 or 2, as the processor has it.
Both are held to give the same.
"""

from __future__ import annotations

import argparse
import ctypes
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

import ggp
from ggp.machine.engine.assembly import Assembled, assemble_code
from ggp.machine.engine.codegen import generate
from ggp.machine.engine.frames import FIRST, Words, new_frame
from ggp.machine.engine.native import Native, compile_code, host
from ggp.machine.engine.store import NO_STORE
from ggp.machine.engine.unit import Unit

STEP = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)

RUNS, GATES = 5, 2_000_000
"""Runs of which the least counts, and gates of one."""


Made = TypeVar("Made")


def timed(make: Callable[[], Made]) -> tuple[Made, float]:
    """What is made, and the seconds that it takes."""
    began = time.perf_counter()
    made = make()
    return made, time.perf_counter() - began


def run(code: Native | Assembled, unit: Unit) -> tuple[float, Words]:
    """Microseconds of a call, and all outputs that it comes to from random inputs."""
    circuit, state = unit.circuit, unit.state
    inputs, outputs = len(circuit.inputs), len(circuit.outputs)
    frame = new_frame(code.rows + 2 * state)
    words = np.random.default_rng(1).integers(0, 1 << 63, size=(inputs, 8), dtype=np.uint64)
    frame[FIRST : FIRST + inputs] = words
    before, after = code.rows, code.rows + state
    frame[before:after] = words[:state]
    address = frame.ctypes.data
    given = address, address + 64 * before, address + 64 * after
    functions = [STEP(one) for one in code.addresses.tolist()]
    times = max(3, GATES // len(circuit.first))
    least = float("inf")
    for _ in range(RUNS):
        began = time.perf_counter()
        for _ in range(times):
            for function in functions:
                function(*given)
        least = min(least, (time.perf_counter() - began) / times)
    first = FIRST + inputs
    made = np.concatenate([frame[after : after + state], frame[first + state : first + outputs]])
    return 1e6 * least, made


def compare(name: str, unit: Unit, words: int) -> str:
    """One line of the table."""
    circuit, state = unit.circuit, unit.state
    assemble_code(circuit, state, words)  # what is compiled for that is
    own, soon = timed(lambda: assemble_code(circuit, state, words))
    if own is None:
        raise SystemExit("code is not assembled for this processor and system")
    other, later = timed(lambda: compile_code(generate(circuit, state, words), NO_STORE))
    assert other is not None
    fast, made = run(own, unit)
    slow, expected = run(other, unit)
    if not (made == expected).all():
        raise SystemExit(f"{name}: not the same")
    ratio = f"{fast:.1f} | {slow:.1f} | {slow / fast:.2f}"
    return f"| {name} | {len(circuit.first):,} | {ratio} | {soon:.3f} | {later:.2f} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sheets", nargs="+", metavar="SHEET")
    parser.add_argument("--words", type=int, default=host().width, choices=[8, 4, 2])
    chosen = parser.parse_args(arguments)
    if chosen.words > host().width:
        parser.error(f"vectors have {host().width} words here")
    print(f"{host().cpu}, {chosen.words} words\n")
    print("| sheet | gates | µs | LLVM | ratio | seconds to make | LLVM |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for sheet in chosen.sheets:
        machine, name = ggp.load(sheet).machine, Path(sheet).stem
        for unit in (machine.player.units[0], machine._next_unit):
            print(compare(name, unit, chosen.words), flush=True)


if __name__ == "__main__":
    main()
