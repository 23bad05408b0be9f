"""Circuits evaluated with numpy alone, a level of gates at a time.

For some thousand states that is soon done, and nothing has to be imported or compiled for it: loops
that numba compiles pay for themselves only where there is more to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import Circuit

SLICE = 1 << 12
"""States that are evaluated together."""

Indices = NDArray[np.int64]
Planes = NDArray[np.uint64]
"""A row a node: bit `i` of it is the node's value in state `i`."""


@dataclass(frozen=True)
class _Gates:
    """Gates of one kind and one level: their nodes, and their operands as literals."""

    node: Indices
    first: Indices
    second: Indices
    is_and: bool


class Levels:
    """A circuit without loops, its gates by levels; `cost`: gates that its outputs depend on."""

    def __init__(self, circuit: Circuit) -> None:
        assert not circuit.loops
        needed = sorted(circuit.cone(circuit.outputs) | set(circuit.inputs) | {0})
        # Nodes are numbered anew, so that there is no room for what is not needed.
        place = {node: i for i, node in enumerate(needed)}
        self.nodes = len(needed)
        level = [0] * len(needed)
        found: dict[tuple[int, bool], list[tuple[int, int, int]]] = {}
        for i, node in enumerate(needed):
            a, b = circuit.first[node], circuit.second[node]
            if a != b:
                x, y = 2 * place[a >> 1] + (a & 1), 2 * place[b >> 1] + (b & 1)
                level[i] = 1 + max(level[x >> 1], level[y >> 1])
                found.setdefault((level[i], a < b), []).append((i, x, y))
        self.gates = []
        for key in sorted(found):
            node, first, second = np.array(found[key], dtype=np.int64).T
            self.gates.append(_Gates(node, first, second, is_and=key[1]))
        self.cost = sum(map(len, found.values()))
        self._inputs = [place[node] for node in circuit.inputs]
        self._outputs = np.array([2 * place[x >> 1] + (x & 1) for x in circuit.outputs], np.int64)

    def run(self, given: Planes) -> Planes:
        """The outputs (outputs, words) for inputs (inputs, words)."""
        held = np.zeros((self.nodes, given.shape[1]), dtype=np.uint64)
        held[self._inputs] = given
        for gates in self.gates:
            x, y = _values(held, gates.first), _values(held, gates.second)
            held[gates.node] = x & y if gates.is_and else x ^ y
        return _values(held, self._outputs)


def _values(held: Planes, literals: Indices) -> Planes:
    negated = np.where(literals & 1, ~np.uint64(0), np.uint64(0))
    return np.asarray(held[literals >> 1] ^ negated[:, None], dtype=np.uint64)


def evaluate(
    levels: Levels,
    rows: Planes,
    lanes: Indices,
    joint: NDArray[np.int32],
    shape: Sequence[int],
    result: Planes,
) -> None:
    """What `kernels.evaluate` does; `shape`: bits of a state, moves, and bits of a result."""
    bits, moves, results = shape
    for start in range(0, len(lanes), SLICE):
        here = slice(start, start + SLICE)
        count = len(lanes[here])
        inputs = np.zeros((bits + moves, -(-count // 64) * 64), dtype=np.uint8)
        inputs[:bits, :count] = _unpacked(rows[lanes[here]])[:, :bits].T
        for role in range(joint.shape[1]):
            inputs[bits + joint[here, role], np.arange(count)] = 1
        held = _unpacked(levels.run(_packed(inputs)))
        found = np.zeros((count, 64 * result.shape[1]), dtype=np.uint8)
        found[:, :results] = held[:results, :count].T
        result[here] = _packed(found)


def _unpacked(rows: Planes) -> NDArray[np.uint8]:
    """The bits of each row, the lowest first."""
    octets = np.ascontiguousarray(rows.astype("<u8")).view(np.uint8)
    return np.unpackbits(octets.reshape(len(rows), 8 * rows.shape[1]), axis=1, bitorder="little")


def _packed(bits: NDArray[np.uint8]) -> Planes:
    """Rows whose bits these are, the lowest first; there are whole words of them."""
    octets = np.ascontiguousarray(np.packbits(bits, axis=1, bitorder="little"))
    return octets.view("<u8").astype(np.uint64)
