"""How playouts are run: by one circuit for a whole step, by two and a look at what is legal, or one
state after the other by definition. All three play the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ggp.ground import Net
from ggp.later import Later
from ggp.machine.choice import random_bits
from ggp.machine.engine.frames import (
    CHECK,
    FIRST,
    LANES,
    SIDE,
    WORDS,
    FrameLayout,
    Int64s,
    Tally,
    Words,
    enlarged,
    new_frame,
)
from ggp.machine.engine.unit import Unit
from ggp.machine.playouts.playouts import Favour, PlayoutPlayer
from ggp.machine.playouts.reference import Reference
from ggp.machine.sharing import Sharing
from ggp.machine.step import Step

if TYPE_CHECKING:
    from ggp.machine.engine import kernels
    from ggp.machine.playouts import playing, scanning
else:
    kernels = Later("ggp.machine.engine.kernels")
    playing = Later("ggp.machine.playouts.playing")
    scanning = Later("ggp.machine.playouts.scanning")

_SLICE = 0.05
"""Seconds, about, between two looks at the clock, at interrupts and at new code."""


class StepPlayer(PlayoutPlayer):
    """By the circuit of a step, which chooses the moves as well; `unit` runs it."""

    def __init__(self, net: Net, step: Step, unit: Unit) -> None:
        super().__init__(net)
        self.step, self.unit = step, unit

    @property
    def units(self) -> tuple[Unit, ...]:
        """The circuit of a step."""
        return (self.unit,)

    def play(
        self,
        starts: Words,
        seed: tuple[int, int],
        tally: Tally,
        until: Callable[[], float],
        favour: Favour | None = None,
    ) -> None:
        """Play in as many lanes as there are states to start from, and go on as `tally` says."""
        unit, step, fluents = self.unit, self.step, len(self.net.fluents)
        frame = new_frame(unit.rows)
        first = FIRST + fluents + step.kept
        kernels.turn(starts, fluents, frame[first : first + fluents])
        active = _lanes(len(starts))
        frame[first + fluents] = active
        following = first + fluents + 1 + step.random + step.favoured
        if favour:
            frame[following - step.favoured : following] = favour.lanes
        seeds, since = _begun(seed, tally)
        layout = FrameLayout(fluents, step.kept, step.random, step.favoured, len(tally.values))

        def play_on(steps: int) -> bool:
            nonlocal frame
            running = unit.running(steps)
            frame = enlarged(frame, unit.rows)
            return playing.play(
                frame, frame.ctypes.data, running, layout, seeds, active, since, tally, steps
            )

        _in_slices(play_on, until)
        if favour:
            kept = (following if tally.counters[SIDE] else FIRST) + fluents
            favour.made.append(frame[kept + 1 : kept + step.kept].copy())


class ScanningPlayer(PlayoutPlayer):
    """By the circuits that look at a state, of so many `bits`, and that move.

    The choice of moves is no part of them. Of large nets it is most of a step: some 20 gates for
    each move, which have to be made, compiled and run whether the move is legal or not.
    """

    is_packed = True

    def __init__(self, net: Net, bits: int, looking: Unit, moving: Unit) -> None:
        super().__init__(net)
        self.bits, self.looking, self.moving = bits, looking, moving

    @property
    def units(self) -> tuple[Unit, ...]:
        """The circuit that looks at a state, and the one that moves."""
        return (self.looking, self.moving)

    def play(
        self,
        starts: Words,
        seed: tuple[int, int],
        tally: Tally,
        until: Callable[[], float],
        favour: Favour | None = None,
    ) -> None:
        """Play in as many lanes as there are states to start from, and go on as `tally` says."""
        bits, moves = self.bits, len(self.net.legal)
        active = _lanes(len(starts))
        seeds, since = _begun(seed, tally)
        choices = self._choices()
        frames = [new_frame(unit.rows) for unit in self.units]
        kernels.turn(starts, bits, frames[0][FIRST : FIRST + bits])
        first: Words | None = None

        def play_on(steps: int) -> bool:
            nonlocal first
            circuits = []
            for i, unit in enumerate(self.units):
                running = unit.running(steps)
                frames[i] = enlarged(frames[i], unit.rows)
                frame = frames[i]
                circuits.append(scanning.RunningCircuit(frame, frame.ctypes.data, running))
            looking, moving = circuits
            if first is None:
                scanning.run(looking)
                first = new_frame(bits + moves)
                first[:] = looking.frame[FIRST : FIRST + bits + moves]
            return scanning.play(
                looking, moving, bits, first, choices, seeds, active, since, tally, steps
            )

        _in_slices(play_on, until)

    def _choices(self) -> scanning.Draws:
        sizes = [len(own) for own in self.net.moves]
        widths = [random_bits(size) for size in sizes]
        return scanning.Draws(
            np.array([*self.net.move_offset, len(self.net.legal)], dtype=np.int64),
            np.array(widths, dtype=np.int64),
            new_frame(max(widths) + 2),
            np.zeros(LANES, dtype=np.int64),
            np.empty((max(sizes), LANES), dtype=np.int32),
            np.full((len(sizes), LANES), -1, dtype=np.int32),
        )


class ReferencePlayer(PlayoutPlayer):
    """By the reference engine; with `foresight` roles that share a choice look ahead."""

    def __init__(
        self,
        net: Net,
        reference: Reference,
        sharing: Sharing | None = None,
        *,
        foresight: bool = False,
    ) -> None:
        super().__init__(net)
        self.reference, self.sharing, self.foresight = reference, sharing, foresight

    def play(
        self,
        starts: Words,
        seed: tuple[int, int],
        tally: Tally,
        until: Callable[[], float],
        favour: Favour | None = None,
    ) -> None:
        """Play in as many lanes as there are states to start from, and go on as `tally` says."""
        self.reference.play(starts, seed, tally, until, self.sharing, self.foresight, favour)


def _lanes(count: int) -> Words:
    """The first so many lanes (8,)."""
    return np.frombuffer(((1 << count) - 1).to_bytes(8 * WORDS, "little"), "<u8").astype(np.uint64)


def _begun(seed: tuple[int, int], tally: Tally) -> tuple[Words, Int64s]:
    """The states of the random number generators, and the steps at which the lanes begin."""
    words = np.random.SeedSequence(seed).generate_state(2 * WORDS, np.uint64)
    tally.counters[CHECK] = len(tally.lengths) - 1
    return words.astype(np.uint64).reshape(2, WORDS), np.zeros(LANES, dtype=np.int64)


def _in_slices(play_on: Callable[[int], bool], until: Callable[[], float]) -> None:
    """Play on, so many steps at a time, until no lane is active or the time is over."""
    steps = 8
    while True:
        began = time.monotonic()
        is_going = play_on(steps)
        now = time.monotonic()
        if not is_going or now > until():
            return
        if now - began < _SLICE:
            steps *= 2
