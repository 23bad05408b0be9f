"""A circuit that can be run: interpreted at once, and by compiled code when that is there."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from ggp.circuits.circuit import Circuit
from ggp.errors import InputError
from ggp.machine.engine import assembly
from ggp.machine.engine.assembly import Assembled
from ggp.machine.engine.codegen import generate, is_whole
from ggp.machine.engine.frames import Running
from ggp.machine.engine.light import Levels
from ggp.machine.engine.native import Native, compile_code, host
from ggp.machine.engine.program import FrameProgram, assemble
from ggp.machine.engine.store import Store

Choice = Literal["auto", "reference", "interpreter", "llvm"]
"""`auto`: interpreted until machine code is there, which is begun where it will pay; `llvm`: that
at once, by LLVM where it is not assembled here."""

WORTH, WORK = 200, 2_000_000
"""Passes after which machine code is begun, or gates that were gone through, whichever comes first:
to assemble it takes as long as some hundred passes save."""

SMALL = 5_000
"""Gates of circuits of which LLVM's code is up to a fifth faster than what is assembled; with more
it is slower."""

LATER = 10
"""Times as many after which LLVM compiles a small circuit that is assembled."""

MOST_COMPILED = 60_000
"""Gates that LLVM compiles within some seconds."""

SWITCH = 0.0005
"""Seconds after which Python's lock is passed on while something is compiled."""

WAIT = 0.05
"""Seconds between two looks at whether a compilation that waits for others is still wanted."""

_NONE = np.zeros(0, dtype=np.int64)

one_by_one = threading.RLock()
"""For work of Python in the background: several threads of it would leave the one that is waited
for a small part of the time."""

_stop = threading.Event()
_threads: list[threading.Thread] = []


def chosen_engine() -> Choice:
    """What the environment variable `GGP_ENGINE` asks for; raises `InputError` for other words."""
    name = os.environ.get("GGP_ENGINE", "auto")
    for choice in get_args(Choice):
        if name == choice:
            found: Choice = choice
            return found
    raise InputError(f"GGP_ENGINE={name}: expected {', '.join(get_args(Choice))}")


class Unit:
    """One circuit with its program and, sooner or later, its compiled code.

    `state`: how many inputs and outputs are a state's that moves on; `words`: as in `generate`.
    """

    def __init__(
        self,
        circuit: Circuit,
        *,
        state: int = 0,
        words: int = 8,
        choice: Choice | None = None,
        store: Store | None = None,
    ) -> None:
        self.circuit = circuit
        self.state, self.words, self.store = state, words, store
        self.choice = choice or chosen_engine()
        self.native: Native | Assembled | None = None
        self._assembled: Assembled | None = None
        """Kept as long as this: some thread may still run it when LLVM's code takes over."""
        self._passes = 0
        self._thread: threading.Thread | None = None
        self._is_last = False
        """Whether the last thread was to make the best code."""
        self._starting, self._compiling = threading.Lock(), threading.Lock()

    @cached_property
    def program(self) -> FrameProgram:
        """What the interpreter runs."""
        return assemble(self.circuit)

    @cached_property
    def levels(self) -> Levels:
        """The circuit for numpy alone."""
        return Levels(self.circuit)

    @property
    def rows(self) -> int:
        """Rows of a frame that the circuit can run on as it is now, or was at any time before: who
        has from then what is to be run may ask for a frame now."""
        codes = (self._assembled, self.native)
        return max(self.program.rows, *(code.rows if code else 0 for code in codes))

    def running(self, passes: int) -> Running:
        """What the kernels take; `passes`: how often they will run it until this is asked again."""
        self._passes += passes
        if self.native is None and self.choice == "llvm":
            self.compile()
        elif self.choice == "auto" and not self._is_best:
            is_begun = self.native is not None
            if self._is_worth_it(LATER if is_begun else 1):
                self._begin_to_compile(best=is_begun)
        return running(self.program, self.native)

    @property
    def is_compiled_soon(self) -> bool:
        """Whether there is to be machine code that long work may wait for."""
        is_soon = assembly.is_possible() or len(self.circuit.first) <= MOST_COMPILED
        return self.choice in ("auto", "llvm") and is_soon

    def _is_worth_it(self, times: int) -> bool:
        return self._passes > times * min(WORTH, WORK // len(self.circuit.first))

    def compile(self) -> None:
        """Compile now, unless that is done; waits for a compilation that is going on."""
        with self._compiling:
            if self.native is None and not self._is_small:
                self._assemble(None)
            if self.native is None:
                self.native = self._compiled(None)

    @property
    def _is_small(self) -> bool:
        """Whether LLVM compiles it as a whole, within half a second, and better than it is
        assembled (measured)."""
        return len(self.circuit.first) <= SMALL and is_whole(self.circuit, self.state)

    @property
    def _width(self) -> int:
        return min(host().width, self.words)

    def _assemble(self, stop: threading.Event | None) -> None:
        """Have assembled code run, where there is any."""
        with _in_turn(stop) as is_wanted:
            if is_wanted:
                own = assembly.assemble_code(self.circuit, self.state, self._width, self.words)
                self._assembled = own
                self.native = own

    def _compiled(self, stop: threading.Event | None) -> Native | None:
        with _in_turn(stop) as is_wanted:
            if not is_wanted:
                return None
            code = generate(self.circuit, self.state, self._width, words=self.words)
        return compile_code(code, self.store, stop)

    def compile_soon(self) -> None:
        """Begin to compile in the background, unless that has begun."""
        if self.choice == "auto" and not self._is_best:
            self._begin_to_compile(best=True)

    def finish(self) -> bool:
        """Have machine code made, if there is to be any, and wait for it; whether the circuit runs
        as fast as it ever will."""
        if self.choice == "llvm":
            self.compile()
        for _ in range(2):  # what is assembled already, and what LLVM makes of it
            self.compile_soon()
            if self._thread:
                self._thread.join()
        return self.native is not None or self.choice in ("interpreter", "reference")

    @property
    def _is_best(self) -> bool:
        """Whether no better code is to be had."""
        return self.native is not None and (
            self.native is not self._assembled or not self._is_small
        )

    def _begin_to_compile(self, *, best: bool) -> None:
        """Have code made in the background, the best that there is or what is there soonest, unless
        that has begun."""
        with self._starting:
            is_over = self._thread is not None and not self._thread.is_alive()
            if self._thread is None or (best and is_over and not self._is_last):
                self._is_last = best
                # Whoever runs the circuit meanwhile lets go of Python's lock for each loop, and
                # would wait so long to have it back.
                sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH))
                self._thread = threading.Thread(
                    target=self._in_background, args=(best,), daemon=True
                )
                _threads.append(self._thread)
                self._thread.start()

    def _in_background(self, best: bool) -> None:
        # Whatever goes wrong, memory that runs out for one, the interpreter goes on.
        with self._compiling:
            if self.native is None:
                with contextlib.suppress(Exception):
                    self._assemble(_stop)
            if self.native is None or (best and self._is_small):
                with contextlib.suppress(Exception):
                    self.native = self._compiled(_stop) or self.native


@contextlib.contextmanager
def _in_turn(stop: threading.Event | None) -> Iterator[bool]:
    """While this lasts no other work of Python goes on in the background; whether there is to be
    any: Python's end waits for the thread of this, and need not for those before it."""
    while not one_by_one.acquire(timeout=WAIT):
        if stop is not None and stop.is_set():
            yield False
            return
    try:
        yield True
    finally:
        one_by_one.release()


def running(program: FrameProgram, native: Native | Assembled | None = None) -> Running:
    """A program, or its compiled code, as the loops take it."""
    compiled, main = (native.addresses, native.main) if native else (_NONE, 0)
    return Running(program.code, program.sections, program.main, compiled, main)


def is_compiling() -> bool:
    """Whether machine code is being made in the background of this process."""
    return any(thread.is_alive() for thread in _threads)


@atexit.register
def _finish() -> None:
    """Let compilations end with the piece that they are at, before LLVM is taken down."""
    _stop.set()
    for thread in _threads:
        thread.join()
