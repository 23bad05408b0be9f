"""Operations without inverters: of each gate that polarity is kept which its operation gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import Circuit
from ggp.later import Later

if TYPE_CHECKING:
    from ggp.machine.engine import arranging
else:
    arranging = Later("ggp.machine.engine.arranging")

AND, ANDN, OR, XOR = range(4)
"""What a gate does with the rows of its operands; `ANDN`: the second and not the first."""


class Polarity:
    """Which nodes are kept inverted, so that no gate needs an inverter.

    An AND of two inverted operands is computed as their OR, and kept as its negation. `first`,
    `second` (nodes,): the operands, literals of the circuit; `operation`, `left`, `right` (nodes,):
    what each gate does with the rows of which nodes; `is_inverted` (nodes,): whether the result is
    the negation of the node.
    """

    def __init__(self, circuit: Circuit) -> None:
        self.first: NDArray[np.int32] = np.array(circuit.first, dtype=np.int32)
        self.second: NDArray[np.int32] = np.array(circuit.second, dtype=np.int32)
        count = len(self.first)
        self.operation, self.is_inverted = np.zeros((2, count), dtype=np.uint8)
        self.left, self.right = np.zeros((2, count), dtype=np.int32)
        arranging.operate(
            self.first, self.second, self.operation, self.left, self.right, self.is_inverted
        )

    def literal(self, literal: int) -> int:
        """A literal in terms of what is kept: node, and whether that must be inverted."""
        return literal ^ int(self.is_inverted[literal >> 1])
