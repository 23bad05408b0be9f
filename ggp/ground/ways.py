"""Ways in which something holds in the next state, found by the moves that they are about."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ggp.bits import bits_of

FEW = 64
"""Moves of a set, up to which ways are looked up by each of them."""

Literals = frozenset[int]

Moves = tuple[int, ...]
"""Sets of moves (bits by index), ascending, of each of which one is made."""


@dataclass(frozen=True)
class Way:
    """One way in which something holds in the next state: what holds before it, and is made."""

    literals: Literals
    moves: Moves


class Kinds:
    """Ways in which some things hold, by the moves that they are about."""

    def __init__(self, roles: Collection[int]) -> None:
        self._roles = roles
        self.ways: dict[Moves, list[tuple[int, Literals]]] = {}
        self.moves = 0
        """All moves that they are about."""
        self.of_role: list[list[Moves]] = [[] for _ in roles]
        """For each role those of which it makes one of few moves, which is their anchor."""
        self.of_move: dict[int, list[Moves]] = {}
        """The same by each of these moves."""
        self.of_many: list[Moves] = []
        """All others."""

    def add(self, thing: int, way: Way) -> None:
        """A way in which something holds, of which `thing` is the number."""
        moves = way.moves
        if moves not in self.ways:
            self.ways[moves] = []
            for made in moves:
                self.moves |= made
            role, anchor = self.anchor(moves)
            (self.of_many if role is None else self.of_role[role]).append(moves)
            for i in bits_of(anchor):
                self.of_move.setdefault(i, []).append(moves)
        self.ways[moves].append((thing, way.literals))

    def anchor(self, moves: Moves) -> tuple[int | None, int]:
        """A role and few moves (bits by index) of which it makes one; None where no set is such."""
        for made in moves:
            if made.bit_count() <= FEW:
                for i, role in enumerate(self._roles):
                    if role & made == made:
                        return i, made
        return None, 0
