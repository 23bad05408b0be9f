"""Random play in which roles look ahead, where that is light enough to pay in a search."""

from __future__ import annotations

from ggp.ground import Net
from ggp.machine.coding import plain_rows
from ggp.machine.engine.unit import Unit
from ggp.machine.playouts.players import StepPlayer
from ggp.machine.sharing import Sharing
from ggp.machine.step import Step, step_with_favour, step_with_foresight

WORK = 2_000_000
"""Gates of all steps of a play at the most, on average: where it takes more, a search comes to more
by more plays of less foresight (measured: docs/strength.md)."""

LEAST = 16
"""Moves that a play has, or a step would be too large to be made at all."""

FAVOURED, MOVES, SHARE = 500_000, 1_500, 0.125
"""Gates of a step beyond which no second one is made in which roles heed favour; moves (what is
kept of each, in all lanes, makes every step slow: of amazons_8x8, 3,042 moves, by two fifths); and
the gates that favour adds to one at the most (measured: docs/strength.md)."""

SAMPLE, LONGEST, ENDED = 512, 2_000, 0.9
"""Plays that are to say how long one is, moves after which one is given up, and the part of them
that is to end: who is never beaten may play for ever."""


def is_too_large(plain: Step) -> bool:
    """Whether a step of random play takes so many gates that nobody looks ahead."""
    most = WORK // LEAST
    return len(plain.circuit.first) > most and plain.circuit.needed() > most


def foreseeing_step(net: Net, sharing: Sharing, plain: Step) -> Step | None:
    """A step of random play in which roles look ahead, see `ggp.machine.foresight`.

    None where that cannot be told by few gates, or where plays from the first state would take too
    many, as a step without (`plain`) may do already, or not end. No clock is asked.
    """
    if is_too_large(plain):
        return None
    step = step_with_foresight(net, sharing, WORK // LEAST)
    if step is None:
        return None
    gates = step.circuit.needed()
    unit = Unit(step.circuit, state=len(net.fluents), choice="interpreter")
    [start] = plain_rows([sum(1 << i for i in net.initial)], len(net.fluents))
    longest = min(LONGEST, 1 + 4 * WORK // gates)
    played = StepPlayer(net, step, unit).run(start, SAMPLE, 0, max_plies=longest)
    is_light = played.moves * gates <= SAMPLE * WORK
    return step if is_light and played.finished >= ENDED * SAMPLE else None


def favouring_step(net: Net, sharing: Sharing, plain: Step) -> Step | None:
    """A step of random play in which roles heed `Favour`; None where that takes much beside what a
    step without (`plain`) takes, or that is so large that it is not to be made again."""
    gates = plain.circuit.needed()
    if len(net.legal) > MOVES or gates > FAVOURED:
        return None
    step = step_with_favour(net, sharing)
    return step if step.circuit.needed() <= (1 + SHARE) * gates else None
