"""Functions of other functions: a circuit with something else for some of its inputs."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.circuits.circuit import Builder


class Supports:
    """Which inputs the gates of a builder hang on, as bits by the inputs' nodes."""

    def __init__(self, builder: Builder, inputs: Mapping[int, int]) -> None:
        """`inputs`: the bit of each input that counts, by its node."""
        self._builder, self._inputs = builder, inputs
        self._known: list[int] = []

    def __call__(self, literal: int) -> int:
        """The inputs, as bits, of which a function is made."""
        node, known = literal >> 1, self._known
        first, second = self._builder.first, self._builder.second
        for n in range(len(known), node + 1):
            if first[n] == second[n]:
                known.append(1 << self._inputs[n] if n in self._inputs else 0)
            else:
                known.append(known[first[n] >> 1] | known[second[n] >> 1])
        return known[node]


class Substitution:
    """Functions in which some inputs are replaced by functions, all at once.

    `changes`: for inputs, by their bit of `supports`, the literal that each is replaced by.
    """

    def __init__(self, builder: Builder, supports: Supports, changes: Mapping[int, int]) -> None:
        self._builder, self._supports = builder, supports
        self._changed = sum(1 << bit for bit in changes)
        self._known: dict[int, int] = {}
        self._changes = changes

    def touches(self, literal: int) -> bool:
        """Whether a function is made of an input that is replaced."""
        return bool(self._supports(literal) & self._changed)

    def __call__(self, literal: int) -> int:
        """The function with its inputs replaced."""
        if not self.touches(literal):
            return literal
        builder, known = self._builder, self._known
        todo = [literal >> 1]
        while todo:
            node = todo[-1]
            if node in known:
                todo.pop()
                continue
            a, b = builder.first[node], builder.second[node]
            if a == b:
                known[node] = self._changes[self._supports(2 * node).bit_length() - 1]
                continue
            missing = [x >> 1 for x in (a, b) if x >> 1 not in known and self.touches(x)]
            if missing:
                todo += missing
                continue
            x, y = (known.get(z >> 1, z & ~1) ^ (z & 1) for z in (a, b))
            known[node] = builder.conj(x, y) if a < b else builder.xor(x, y)
        return known[literal >> 1] ^ (literal & 1)
