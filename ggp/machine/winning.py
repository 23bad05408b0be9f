"""Who can win in one move, of many states at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import FALSE, Builder
from ggp.circuits.lowering import Lowering
from ggp.machine.coding import Rows, unpacked_bits
from ggp.machine.foresight import winners

if TYPE_CHECKING:
    from ggp.machine.machine import Machine

GATES = 50_000
"""Gates at the most: they are evaluated once for a position, those of random play at every move."""

Winner = Callable[[Rows], NDArray[np.int16]]
"""For states of play that are not terminal the role that has a decisive move (see
`ggp.machine.foresight`), so that it can have its highest goal; -1 where there is none."""


def who_wins(machine: Machine) -> Winner | None:
    """What tells that by circuits; None where no role ever has such a move, roles do not take
    turns, or it takes too much to tell."""
    net, sharing = machine.net, machine.sharing
    if sharing is None:
        return None
    found: list[list[int] | None] = []

    def functions(builder: Builder, fluents: Sequence[int]) -> list[int]:
        legal = Lowering(net, builder, fluents).literals(net.legal)
        found.append(winners(net, sharing, builder, fluents, legal, GATES))
        return found[-1] or [FALSE]

    ask = machine.functions_of(functions)
    if found[-1] is None:
        return None
    roles = len(net.roles)

    def winner(rows: Rows) -> NDArray[np.int16]:
        held = unpacked_bits(ask(rows), 0, roles)
        return np.where(held.any(axis=1), held.argmax(axis=1), -1).astype(np.int16)

    return winner
