"""Many states at once: a net evaluated on numpy words, 64 states to a word.

States are rows of bytes, bit `i` (least significant first) set if fluent `i` holds, so that a row
is also a compact key. Each node of the net is one vector of words; a gate is a few bitwise
operations on whole vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.ground import FALSE, TRUE, Block, Net

Rows = NDArray[np.uint8]
"""States: shape (n, bytes), one row a state."""

NO_GOAL = -1
MANY_GOALS = -2


@dataclass(frozen=True)
class View:
    """What holds in n states: `legal` (n, moves), `terminal` (n,), `goals` (n, roles).

    A goal is the role's value, `NO_GOAL` or `MANY_GOALS`.
    """

    legal: NDArray[np.bool_]
    terminal: NDArray[np.bool_]
    goals: NDArray[np.int16]


class BulkEngine:
    """Evaluates one net on batches of states."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.row_bytes = max(1, (len(net.fluents) + 7) // 8)
        outputs = [*net.legal, net.terminal, *(x for role in net.goals for _, x in role)]
        self._view_blocks = self._needed(outputs)
        self._next_blocks = self._needed(net.next)
        # Vectors of all nodes together stay within some 64 MB.
        self.batch = 64 * max(16, min(1024, (1 << 23) // (net.size + len(net.legal) + 64)))

    def _needed(self, literals: Iterable[int]) -> list[Block]:
        cone = self.net.cone(literals)
        return [b for b in self.net.blocks if any(n in cone for n in range(b.start, b.stop))]

    def rows(self, states: Iterable[int]) -> Rows:
        """States given as integers (bit `i` for fluent `i`) as rows."""
        packed = b"".join(state.to_bytes(self.row_bytes, "little") for state in states)
        return np.frombuffer(packed, dtype=np.uint8).reshape(-1, self.row_bytes)

    @staticmethod
    def states(rows: Rows) -> list[int]:
        """Rows as integers."""
        return [int.from_bytes(row.tobytes(), "little") for row in rows]

    def view(self, rows: Rows) -> View:
        """Legal moves, end and goals of every state."""
        net, count = self.net, len(rows)
        legal = np.zeros((count, len(net.legal)), dtype=np.bool_)
        terminal = np.zeros(count, dtype=np.bool_)
        goals = np.full((count, len(net.roles)), NO_GOAL, dtype=np.int16)
        for start in range(0, count, self.batch):
            part = rows[start : start + self.batch]
            here = slice(start, start + len(part))
            values = self._evaluate(self._fluent_words(part), None, self._view_blocks)
            legal[here] = values.lanes(net.legal, len(part)).T
            terminal[here] = values.lanes([net.terminal], len(part))[0]
            for role, known in enumerate(net.goals):
                held = values.lanes([x for _, x in known], len(part))
                for (value, _), lanes in zip(known, held, strict=True):
                    column = goals[here, role]
                    column[lanes & (column != NO_GOAL)] = MANY_GOALS
                    column[lanes & (column == NO_GOAL)] = value
        return View(legal, terminal, goals)

    def next(self, rows: Rows, joint: NDArray[np.int32]) -> Rows:
        """The states after one move of each role; `joint` is (n, roles), indices into `legal`."""
        net, count = self.net, len(rows)
        result = np.zeros((count, self.row_bytes), dtype=np.uint8)
        for start in range(0, count, self.batch):
            here = slice(start, start + self.batch)
            values = self._moved(rows[here], joint[here], self._next_blocks)
            bits = values.lanes(net.next, len(rows[here]))
            result[here] = _pack_rows(bits, self.row_bytes)
        return result

    def percepts(self, rows: Rows, joint: NDArray[np.int32]) -> list[NDArray[np.bool_]]:
        """For each role which of its percepts (`net.sees`) a move gives it: (n, percepts)."""
        net, count = self.net, len(rows)
        literals = [x for role in net.sees for _, x in role]
        blocks = self._needed(literals)
        seen = np.zeros((count, len(literals)), dtype=np.bool_)
        for start in range(0, count, self.batch):
            here = slice(start, start + self.batch)
            values = self._moved(rows[here], joint[here], blocks)
            seen[here] = values.lanes(literals, len(rows[here])).T
        return np.split(seen, np.cumsum([len(role) for role in net.sees])[:-1], axis=1)

    def _moved(self, rows: Rows, joint: NDArray[np.int32], blocks: Sequence[Block]) -> _Values:
        """The values of `blocks` where these moves are made."""
        made = np.zeros((len(self.net.legal), len(rows)), dtype=np.bool_)
        for column in joint.T:
            made[column, np.arange(len(rows))] = True
        return self._evaluate(self._fluent_words(rows), _words(made), blocks)

    def _fluent_words(self, rows: Rows) -> NDArray[np.uint64]:
        bits = np.unpackbits(rows, axis=1, count=len(self.net.fluents), bitorder="little")
        return _words(np.ascontiguousarray(bits.T))

    def _evaluate(
        self,
        fluents: NDArray[np.uint64],
        moves: NDArray[np.uint64] | None,
        blocks: Sequence[Block],
    ) -> _Values:
        net = self.net
        values = _Values(net.size, fluents.shape[1])
        for i, word in enumerate(fluents):
            values.set(net.first_fluent + i, word)
        if moves is not None:
            for i, word in enumerate(moves):
                values.set(net.first_move + i, word)
        for block in blocks:
            if block.recursive:
                self._fixpoint(values, block)
            else:
                for node in range(block.start, block.stop):
                    values.set(node, values.gate(net.bodies(node)))
        return values

    def _fixpoint(self, values: _Values, block: Block) -> None:
        """The least fixpoint of a recursive block, from all false upward."""
        for node in range(block.start, block.stop):
            values.set(node, values.zero)
        changed = True
        while changed:
            changed = False
            for node in range(block.start, block.stop):
                new = values.gate(self.net.bodies(node))
                if not np.array_equal(new, values.of(node)):
                    values.set(node, new)
                    changed = True


class _Values:
    """The vectors of all nodes of one evaluation."""

    def __init__(self, size: int, words: int) -> None:
        self.zero = np.zeros(words, dtype=np.uint64)
        self._true: list[NDArray[np.uint64]] = [self.zero] * (size + 1)
        self._false: dict[int, NDArray[np.uint64]] = {TRUE: self.zero}
        self._true[TRUE] = ~self.zero

    def set(self, node: int, word: NDArray[np.uint64]) -> None:
        self._true[node] = word
        self._false.pop(node, None)

    def of(self, literal: int) -> NDArray[np.uint64]:
        if literal > 0:
            return self._true[literal]
        node = -literal
        if node not in self._false:
            self._false[node] = ~self._true[node]
        return self._false[node]

    def gate(self, bodies: Sequence[Sequence[int]]) -> NDArray[np.uint64]:
        """An OR over ANDs of literals."""
        result: NDArray[np.uint64] | None = None
        for body in bodies:
            product = self.of(body[0])
            if len(body) > 1:
                product = product & self.of(body[1])
                for literal in body[2:]:
                    np.bitwise_and(product, self.of(literal), out=product)
            if result is None:
                result = product.copy() if len(body) == 1 and len(bodies) > 1 else product
            else:
                np.bitwise_or(result, product, out=result)
        return self.zero if result is None else result

    def lanes(self, literals: Sequence[int], count: int) -> NDArray[np.bool_]:
        """The first `count` lanes of each literal: shape (literals, count)."""
        if not literals:
            return np.zeros((0, count), dtype=np.bool_)
        stacked = np.stack([self.zero if x == FALSE else self.of(x) for x in literals])
        bits = np.unpackbits(stacked.view(np.uint8), axis=1, count=count, bitorder="little")
        return bits.view(np.bool_)


def _words(bits: NDArray[np.bool_] | NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Bits of shape (k, n) as words of shape (k, ceil(n / 64))."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    width = -(-bits.shape[1] // 64) * 8
    padded = np.zeros((bits.shape[0], width), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)


def _pack_rows(bits: NDArray[np.bool_], row_bytes: int) -> Rows:
    """Bits of shape (fluents, n) as n rows."""
    rows = np.packbits(np.ascontiguousarray(bits.T), axis=1, bitorder="little")
    if rows.shape[1] < row_bytes:
        return np.zeros((bits.shape[1], row_bytes), dtype=np.uint8)
    return rows
