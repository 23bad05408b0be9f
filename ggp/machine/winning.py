"""Who can win in one move, of many states at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import FALSE, Builder
from ggp.machine.coding import Rows, unpacked_bits
from ggp.machine.foresight import winners
from ggp.machine.playouts.foreseeing import is_too_large

if TYPE_CHECKING:
    from ggp.machine.machine import Machine

GATES = 50_000
"""Gates at the most: they are evaluated once for a position, those of random play at every move."""

Winner = Callable[[Rows], NDArray[np.int16]]
"""For states of play that are not terminal the role that has a decisive move (see
`ggp.machine.foresight`), so that it can have its highest goal; -1 where there is none."""


class Wins:
    """Functions of a state that is not terminal: for each role of a machine's net whether it has a
    decisive move, then, where `threats` are asked for, for each whether it would have one in its
    turn (see `ggp.machine.foresight.winners`). `is_told` says afterwards whether `most` gates are
    enough to tell, roles take turns, and some role ever has such a move; what is built where it is
    not tells nothing."""

    def __init__(self, machine: Machine, most: int, *, threats: bool = False) -> None:
        self._net, self._sharing, self._most = machine.net, machine.sharing, most
        self._threats = threats
        self.is_told = False

    def __call__(self, builder: Builder, fluents: Sequence[int]) -> list[int]:
        """A literal for each role, given one for each of its fluents."""
        if self._sharing is None:
            return [FALSE]
        found = winners(self._net, self._sharing, builder, fluents, self._most)
        self.is_told = found is not None
        if found is None:
            return [FALSE]
        wins, able = found
        return [*wins, *able] if self._threats else wins


def who_wins(machine: Machine) -> Winner | None:
    """What tells that by circuits; None where no role ever has such a move, roles do not take
    turns, or it takes too much to tell, as where a step of random play does already."""
    if machine.sharing is None or is_too_large(machine.step):
        return None
    wins = Wins(machine, GATES)
    ask = machine.functions_of(wins)
    if not wins.is_told:
        return None
    roles = len(machine.net.roles)

    def winner(rows: Rows) -> NDArray[np.int16]:
        held = unpacked_bits(ask(rows), 0, roles)
        return np.where(held.any(axis=1), held.argmax(axis=1), -1).astype(np.int16)

    return winner
