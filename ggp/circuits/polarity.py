"""Operations without inverters: of each gate that polarity is kept which its operation gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from ggp.circuits.circuit import Circuit


class Operation(IntEnum):
    """What a gate does with the rows of its operands."""

    AND = 0
    ANDN = 1
    """the second and not the first"""
    OR = 2
    XOR = 3


@dataclass(frozen=True)
class Gate:
    """One operation on the rows of two nodes, `first` and `second`; its result may be inverted."""

    operation: Operation
    first: int
    second: int


class Polarity:
    """Which nodes are kept inverted, so that no gate needs an inverter.

    An AND of two inverted operands is computed as their OR, and kept as its negation.
    """

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.is_inverted = bytearray(len(circuit.first))

    def literal(self, literal: int) -> int:
        """A literal in terms of what is kept: node, and whether that must be inverted."""
        return literal ^ self.is_inverted[literal >> 1]

    def gate(self, node: int) -> Gate:
        """The operation that computes a node; its operands must have had theirs before."""
        a, b = self.circuit.first[node], self.circuit.second[node]
        is_xor = a > b
        a, b = self.literal(a), self.literal(b)
        if is_xor:
            self.is_inverted[node] = (a ^ b) & 1
            return Gate(Operation.XOR, a >> 1, b >> 1)
        if a & b & 1:
            self.is_inverted[node] = 1
            return Gate(Operation.OR, a >> 1, b >> 1)
        if (a | b) & 1:
            return Gate(Operation.ANDN, *((a >> 1, b >> 1) if a & 1 else (b >> 1, a >> 1)))
        return Gate(Operation.AND, a >> 1, b >> 1)
