"""The values of literals of circuits by hand."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.circuits.circuit import Builder


def truth(builder: Builder, literal: int, held: Mapping[int, bool]) -> bool:
    """The value of a literal where inputs have some, by the operands of its gate."""
    node = literal >> 1
    first, second = builder.first[node], builder.second[node]
    if first == second:
        value = held.get(2 * node, False)
    else:
        a, b = truth(builder, first, held), truth(builder, second, held)
        value = a and b if first < second else a != b
    return value != bool(literal & 1)
