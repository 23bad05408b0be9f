"""Circuits of two-input gates, AND and XOR with inverted edges, none of which is built twice.

A literal is twice a node, plus one if inverted: `literal ^ 1` is its negation. Node 0 is the
constant false. Structural hashing and the local rules of two levels are those of and-inverter
graphs (Kuehlmann et al., IEEE TCAD 2002; Brummayer and Biere, MEMICS 2006); XOR is a gate of its
own, because adders and comparisons are full of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FALSE = 0
TRUE = 1


@dataclass(frozen=True)
class Loop:
    """Inputs `variables` (nodes) that take the least fixpoint of `values` (a literal for each)."""

    variables: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Circuit:
    """A finished circuit. Node `i` has the operands `first[i]` and `second[i]`, which are literals.

    `first[i] < second[i]`: an AND; `first[i] > second[i]`: an XOR; equal: the constant or an input.
    Operands come before the nodes that use them. `tail`: outputs from this one on are asked for
    only now and then; what only they need is kept apart.
    """

    first: Sequence[int]
    second: Sequence[int]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    loops: tuple[Loop, ...] = ()
    tail: int | None = None

    def needed(self) -> int:
        """The number of gates that the outputs depend on."""
        return sum(self.first[node] != self.second[node] for node in self.cone(self.outputs))

    def cone(self, literals: Iterable[int]) -> set[int]:
        """All nodes that the values of `literals` depend on, inputs and loops among them."""
        values = {v: loop.values for loop in self.loops for v in loop.variables}
        found = {literal >> 1 for literal in literals}
        todo = list(found)
        while todo:
            node = todo.pop()
            if self.first[node] != self.second[node]:
                below: Iterable[int] = (self.first[node] >> 1, self.second[node] >> 1)
            else:
                below = (value >> 1 for value in values.get(node, ()))
            for other in below:
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return found


class Builder:
    """A circuit under construction: every method returns a literal."""

    def __init__(self) -> None:
        self.first: list[int] = [0]
        self.second: list[int] = [0]
        self.loops: list[Loop] = []
        self.asked = 0
        """Gates that were asked for, most of which were there already: a count of work."""
        self.known: dict[int, int] = {}
        """What gates came to, by their operands: `first << 32 | second` as in a `Circuit`."""

    def __len__(self) -> int:
        return len(self.first)

    def input(self) -> int:
        """A new input."""
        node = len(self.first)
        self.first.append(0)
        self.second.append(0)
        return 2 * node

    def inputs(self, count: int) -> list[int]:
        """So many new inputs."""
        return [self.input() for _ in range(count)]

    def conj(self, a: int, b: int) -> int:
        """Both."""
        self.asked += 1
        if a > b:
            a, b = b, a
        if a < 2:
            return b if a else FALSE
        if a ^ b < 2:
            return a if a == b else FALSE
        key = a << 32 | b
        known = self.known.get(key)
        if known is None:
            known = self._conj_below(a, b)
            if known is None:
                known = self._new(a, b)
            self.known[key] = known
        return known

    def disj(self, a: int, b: int) -> int:
        """One or both."""
        return self.conj(a ^ 1, b ^ 1) ^ 1

    def xor(self, a: int, b: int) -> int:
        """Just one."""
        inverted = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        if a < b:
            a, b = b, a
        if a == b:
            return inverted
        if not b:
            return a ^ inverted
        key = a << 32 | b
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self._new(a, b)
        return known ^ inverted

    def mux(self, choice: int, yes: int, no: int) -> int:
        """`yes` where `choice` holds, else `no`."""
        if yes == no ^ 1:
            return self.xor(choice, no)
        return self.disj(self.conj(choice, yes), self.conj(choice ^ 1, no))

    def conj_all(self, literals: Iterable[int]) -> int:
        """All; operands in ascending order, so that equal beginnings are built once."""
        result = TRUE
        for literal in sorted(literals):
            result = self.conj(result, literal)
        return result

    def at_least_two(self, literals: Iterable[int]) -> int:
        """Whether at least two of some literals hold."""
        one, two = FALSE, FALSE
        for x in literals:
            two = self.disj(two, self.conj(one, x))
            one = self.disj(one, x)
        return two

    def disj_all(self, literals: Iterable[int]) -> int:
        """At least one."""
        return self.conj_all(literal ^ 1 for literal in literals) ^ 1

    def loop(self, variables: Sequence[int], values: Sequence[int]) -> None:
        """Let the inputs `variables` be the least fixpoint of `values`, monotone in them."""
        self.loops.append(Loop(tuple(v >> 1 for v in variables), tuple(values)))

    def circuit(
        self, inputs: Iterable[int], outputs: Iterable[int], tail: int | None = None
    ) -> Circuit:
        """The finished circuit with these inputs and outputs (literals), in this order."""
        return Circuit(
            self.first,
            self.second,
            tuple(x >> 1 for x in inputs),
            tuple(outputs),
            tuple(self.loops),
            tail,
        )

    def _new(self, a: int, b: int) -> int:
        node = len(self.first)
        self.first.append(a)
        self.second.append(b)
        return 2 * node

    def _conj_below(self, a: int, b: int) -> int | None:
        """The conjunction by what is known of the operands' own operands; None if by nothing."""
        first, second = self.first, self.second
        for x, y in ((a, b), (b, a)):
            p, q = first[x >> 1], second[x >> 1]
            if p >= q:
                continue
            if x & 1:
                # not (p and q), and y
                if y in (p ^ 1, q ^ 1):
                    return y
                if y == p:
                    return self.conj(y, q ^ 1)
                if y == q:
                    return self.conj(y, p ^ 1)
            else:
                if y in (p, q):
                    return x
                if y ^ 1 in (p, q):
                    return FALSE
        return None if (a | b) & 1 else self._clash(a >> 1, b >> 1)

    def _clash(self, a: int, b: int) -> int | None:
        """False where two ANDs have operands that exclude each other."""
        first, second = self.first, self.second
        p, q, r, s = first[a], second[a], first[b], second[b]
        if p < q and r < s and (p ^ 1 in (r, s) or q ^ 1 in (r, s)):
            return FALSE
        return None
