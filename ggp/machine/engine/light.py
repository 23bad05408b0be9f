"""Circuits evaluated with numpy alone, a level of gates at a time.

For some thousand states that is soon done, and nothing has to be imported or compiled for it: loops
that numba compiles pay for themselves only where there is more to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

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
    """Gates of one kind and one level, which follow each other: the first node and the one after
    the last, and the operands as literals, all first ones before all second ones."""

    start: int
    stop: int
    operands: _Literals
    is_and: bool


class _Literals:
    """Nodes, some of them negated."""

    def __init__(self, literals: Sequence[int]) -> None:
        of = np.array(literals, dtype=np.int64)
        self._nodes = of >> 1
        self._negated = np.where(of & 1, ~np.uint64(0), np.uint64(0))[:, None]

    def values(self, held: Planes) -> Planes:
        """Their values, where those of nodes are given."""
        found: Planes = held.take(self._nodes, axis=0)
        found ^= self._negated
        return found


class Levels:
    """A circuit without loops, its gates by levels; `cost`: gates that its outputs depend on."""

    def __init__(self, circuit: Circuit) -> None:
        assert not circuit.loops
        needed = sorted(circuit.cone(circuit.outputs) | set(circuit.inputs) | {0})
        level = dict.fromkeys(needed, 0)
        found: dict[tuple[int, bool], list[int]] = {}
        for node in needed:
            a, b = circuit.first[node], circuit.second[node]
            if a != b:
                level[node] = 1 + max(level[a >> 1], level[b >> 1])
                found.setdefault((level[node], a < b), []).append(node)
        # Nodes are numbered anew, in the order in which they are worked out.
        place = {node: i for i, node in enumerate(n for n in needed if not level[n])}
        for key in sorted(found):
            place.update(zip(found[key], count(len(place)), strict=False))

        def literal(x: int) -> int:
            return 2 * place[x >> 1] + (x & 1)

        self.nodes = len(needed)
        self.gates = []
        for key in sorted(found):
            own, start = found[key], place[found[key][0]]
            operands = [literal(side[n]) for side in (circuit.first, circuit.second) for n in own]
            self.gates.append(_Gates(start, start + len(own), _Literals(operands), key[1]))
        self.cost = sum(map(len, found.values()))
        self._inputs = [place[node] for node in circuit.inputs]
        self._outputs = _Literals([literal(x) for x in circuit.outputs])

    def run(self, given: Planes) -> Planes:
        """The outputs (outputs, words) for inputs (inputs, words)."""
        held = np.zeros((self.nodes, given.shape[1]), dtype=np.uint64)
        held[self._inputs] = given
        for gates in self.gates:
            values = gates.operands.values(held)
            own = held[gates.start : gates.stop]
            combine = np.bitwise_and if gates.is_and else np.bitwise_xor
            combine(values[: len(own)], values[len(own) :], out=own)
        return self._outputs.values(held)


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
        many = len(lanes[here])
        inputs = np.zeros((bits + moves, -(-many // 64) * 64), dtype=np.uint8)
        inputs[:bits, :many] = _unpacked(rows[lanes[here]])[:, :bits].T
        for role in range(joint.shape[1]):
            inputs[bits + joint[here, role], np.arange(many)] = 1
        held = _unpacked(levels.run(_packed(inputs)))
        found = np.zeros((many, 64 * result.shape[1]), dtype=np.uint8)
        found[:, :results] = held[:results, :many].T
        result[here] = _packed(found)


def _unpacked(rows: Planes) -> NDArray[np.uint8]:
    """The bits of each row, the lowest first."""
    octets = np.ascontiguousarray(rows.astype("<u8")).view(np.uint8)
    return np.unpackbits(octets.reshape(len(rows), 8 * rows.shape[1]), axis=1, bitorder="little")


def _packed(bits: NDArray[np.uint8]) -> Planes:
    """Rows whose bits these are, the lowest first; there are whole words of them."""
    octets = np.ascontiguousarray(np.packbits(bits, axis=1, bitorder="little"))
    return octets.view("<u8").astype(np.uint64)
