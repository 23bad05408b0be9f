"""States as rows of words: a bit a fluent, or a number a group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import Builder
from ggp.ground import Group, Net

Rows = NDArray[np.uint64]
"""States: shape (n, words), one row a state; bit `i` of a state is bit `i % 64` of word `i // 64`.
"""

JointMoves = NDArray[np.int16] | NDArray[np.int32]
"""Joint moves (n, roles), as indices into `Net.legal`: of 16 bits where that is enough."""


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
        self._set(fields, len(net.fluents))

    @classmethod
    def of_fields(cls, fields: Sequence[Field], fluents: int) -> Coding:
        """The coding of so many fluents that has these fields, in order of their bits.

        Raises `ValueError` where they leave out a fluent or a bit, or have one twice.
        """
        first = 0
        for field in fields:
            codes = [code for _, code in field.codes]
            is_sound = codes == sorted(set(codes)) and codes and codes[0] in (0, 1)
            if field.first != first or not is_sound or field.width != codes[-1].bit_length():
                raise ValueError("fields that do not follow one another")
            first += field.width
        if sorted(n for field in fields for n, _ in field.codes) != list(range(fluents)):
            raise ValueError("fields of other fluents")
        found = cls.__new__(cls)
        found._set(list(fields), fluents)
        return found

    def _set(self, fields: list[Field], fluents: int) -> None:
        self.fields = fields
        self.size = fluents
        self.bits = fields[-1].first + fields[-1].width if fields else 0
        self.words = max(1, -(-self.bits // 64))
        self.is_plain = not any(len(field.codes) > 1 for field in fields)

    def fluents(self, builder: Builder, bits: Sequence[int]) -> list[int]:
        """A literal for each fluent, from one for each bit of a packed state."""
        found = [0] * self.size
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

    def rows(self, states: Iterable[int]) -> Rows:
        """Packed rows of states, given as integers (bit `i` for fluent `i`).

        Raises `ValueError` where a state does not satisfy the groups.
        """
        plain = plain_rows(states, self.size)
        return plain if self.is_plain else self.pack(_bits(plain, self.size))

    def states(self, rows: Rows) -> list[int]:
        """The states of packed rows, as integers."""
        return [int.from_bytes(row.tobytes(), "little") for row in self.plain(rows).astype("<u8")]

    def plain(self, rows: Rows) -> Rows:
        """Packed rows with a bit for each fluent."""
        return rows if self.is_plain else _words(self.held(rows))

    def pack(self, held: NDArray[np.bool_]) -> Rows:
        """Packed rows of states, given as (n, fluents); raises `ValueError` as `rows` does."""
        bits = np.zeros((len(held), 64 * self.words), dtype=np.uint8)
        for field in self.fields:
            own = held[:, [fluent for fluent, _ in field.codes]]
            codes = own @ np.array([code for _, code in field.codes], dtype=np.int64)
            counts = own.sum(axis=1)
            is_exact = len(field.codes) > 1 and field.codes[0][1] == 0
            if (counts > 1).any() or (is_exact and (counts == 0).any()):
                raise ValueError("a state does not satisfy the groups")
            for i in range(field.width):
                bits[:, field.first + i] = codes >> i & 1
        return _words(bits)

    def unpacked(self, rows: Rows) -> NDArray[np.bool_]:
        """The bits of packed rows: shape (n, bits)."""
        return _bits(rows, self.bits)

    def held(self, rows: Rows) -> NDArray[np.bool_]:
        """Which fluents hold in packed rows: shape (n, fluents)."""
        bits = self.unpacked(rows)
        if self.is_plain:
            return bits
        held = np.zeros((len(rows), self.size), dtype=np.bool_)
        for field in self.fields:
            own = bits[:, field.first : field.first + field.width].astype(np.int64)
            code = own @ (1 << np.arange(field.width))
            for fluent, number in field.codes:
                held[:, fluent] = code == number
        return held


def plain_rows(states: Iterable[int], fluents: int) -> Rows:
    """Rows of states with a bit for each of so many fluents, given as integers."""
    words = max(1, -(-fluents // 64))
    given = b"".join(state.to_bytes(8 * words, "little") for state in states)
    return np.frombuffer(given, dtype="<u8").astype(np.uint64).reshape(-1, words)


def _words(bits: NDArray[np.bool_] | NDArray[np.uint8]) -> Rows:
    """Rows of words with these bits (n, bits)."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    whole = np.zeros((len(bits), 8 * max(1, -(-bits.shape[1] // 64))), dtype=np.uint8)
    whole[:, : packed.shape[1]] = packed
    return whole.view("<u8").astype(np.uint64)


def _bits(rows: Rows, count: int) -> NDArray[np.bool_]:
    words = np.ascontiguousarray(rows).astype("<u8").view(np.uint8)
    return np.unpackbits(words, axis=1, bitorder="little", count=count).view(np.bool_)


def unpacked_bits(packed: Rows, start: int, stop: int) -> NDArray[np.bool_]:
    """Some bits of packed rows: shape (n, stop - start)."""
    first = start >> 6
    words = np.ascontiguousarray(packed[:, first : (stop + 63) >> 6]).astype("<u8")
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return bits[:, start - 64 * first : stop - 64 * first].astype(np.bool_)


def packed_bits(cases: Sequence[Sequence[bool]]) -> Rows:
    """Bits of each case as a row of words."""
    rows = (sum(1 << i for i, x in enumerate(case) if x) for case in cases)
    return plain_rows(rows, max(map(len, cases), default=0))
