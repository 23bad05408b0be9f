"""States as rows of words: a bit a fluent, or a number a group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.ground import Group, Net
from ggp.machine.circuit import Builder

Rows = NDArray[np.uint64]
"""States: shape (n, words), one row a state; bit `i` of a state is bit `i % 64` of word `i // 64`.
"""


@dataclass(frozen=True)
class Field:
    """Some bits of a state, the lowest first, that hold the number of the fluent that is true.

    `codes`: for each fluent its number. Zero without a code means that none is true.
    """

    first: int
    width: int
    codes: tuple[tuple[int, int], ...]


class Coding:
    """How states of a net are packed: the fluents of each group as one number.

    Exact for states in which of each group at most one fluent holds, or just one where the group
    is exact. Groups must not share a fluent.
    """

    def __init__(self, net: Net, groups: Iterable[Group] = ()) -> None:
        self.net = net
        fields: list[Field] = []
        left = dict.fromkeys(range(len(net.fluents)))
        first = 0
        for group in groups:
            codes = tuple((f, i + (not group.exact)) for i, f in enumerate(group.fluents))
            field = Field(first, codes[-1][1].bit_length(), codes)
            fields.append(field)
            first += field.width
            for fluent in group.fluents:
                del left[fluent]
        for fluent in left:
            fields.append(Field(first, 1, ((fluent, 1),)))
            first += 1
        self.fields = fields
        self.bits = first
        self.words = max(1, -(-first // 64))
        self.is_plain = not any(len(field.codes) > 1 for field in fields)

    def fluents(self, builder: Builder, bits: Sequence[int]) -> list[int]:
        """A literal for each fluent, from one for each bit of a packed state."""
        found = [0] * len(self.net.fluents)
        for field in self.fields:
            own = bits[field.first : field.first + field.width]
            for fluent, code in field.codes:
                found[fluent] = builder.conj_all(
                    bit ^ (not code >> i & 1) for i, bit in enumerate(own)
                )
        return found

    def packed(self, builder: Builder, fluents: Sequence[int]) -> list[int]:
        """A literal for each bit of a packed state, from one for each fluent."""
        return [
            builder.disj_all(fluents[fluent] for fluent, code in field.codes if code >> i & 1)
            for field in self.fields
            for i in range(field.width)
        ]

    def pack(self, state: int) -> int:
        """A state, given by its fluents' bits, as one number; raises `ValueError` where the groups
        do not hold."""
        if self.is_plain:
            return state
        packed = 0
        for field in self.fields:
            held = [code for fluent, code in field.codes if state >> fluent & 1]
            if len(held) > 1 or (not held and field.codes[0][1] == 0):
                raise ValueError("the state does not satisfy the groups")
            packed |= sum(held) << field.first
        return packed

    def unpack(self, packed: int) -> int:
        """The inverse of `pack`."""
        if self.is_plain:
            return packed
        state = 0
        for field in self.fields:
            code = packed >> field.first & (1 << field.width) - 1
            state |= sum(1 << fluent for fluent, own in field.codes if own == code)
        return state

    def rows(self, states: Iterable[int]) -> Rows:
        """Packed rows of states that are given by their fluents' bits."""
        packed = b"".join(self.pack(s).to_bytes(8 * self.words, "little") for s in states)
        return np.frombuffer(packed, dtype="<u8").astype(np.uint64).reshape(-1, self.words)

    def states(self, rows: Rows) -> list[int]:
        """The states of packed rows, as bits of fluents."""
        return [self.unpack(int.from_bytes(row.astype("<u8").tobytes(), "little")) for row in rows]

    def held(self, rows: Rows) -> NDArray[np.bool_]:
        """Which fluents hold in packed rows: shape (n, fluents)."""
        words = np.ascontiguousarray(rows).astype("<u8")
        bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
        held = np.zeros((len(rows), len(self.net.fluents)), dtype=np.bool_)
        for field in self.fields:
            own = bits[:, field.first : field.first + field.width].astype(np.int64)
            code = own @ (1 << np.arange(field.width))
            for fluent, number in field.codes:
                held[:, fluent] = code == number
        return held
