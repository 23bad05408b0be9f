"""Functions of packed states, and of moves made in them, as circuits of a net."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggp.circuits.circuit import FALSE, Builder, Circuit
from ggp.circuits.lowering import Lowering
from ggp.ground import Net
from ggp.machine.coding import Coding

Functions = Callable[[Builder, Sequence[int]], list[int]]
"""Builds functions of a state, given a literal for each of its fluents."""


class PackedFunctions:
    """Circuits of a net whose states are packed by a coding: the inputs are the bits of a state,
    and for some the moves of `Net.legal` after them."""

    def __init__(self, net: Net, coding: Coding) -> None:
        self._net, self._coding = net, coding

    def of_states(self, functions: Functions) -> Circuit:
        """Some functions of states."""
        builder = Builder()
        bits = builder.inputs(self._coding.bits)
        return builder.circuit(bits, functions(builder, self._coding.fluents(builder, bits)))

    def view(self, builder: Builder, fluents: Sequence[int]) -> list[int]:
        """Literals for the legal moves, the end and the goals of a state."""
        net = self._net
        goals = (x for role in net.goals for _, x in role)
        return Lowering(net, builder, fluents).literals([*net.legal, net.terminal, *goals])

    def child(self, more: Functions) -> Circuit:
        """The next state, whole words of it, and what `view` says of it; then, after whole words
        of that, more functions of it."""
        builder, inputs, lowering = self._moving()
        fluents = lowering.literals(self._net.next)
        outputs = [*self._coding.packed(builder, fluents)]
        outputs += [FALSE] * (64 * self._coding.words - len(outputs))
        outputs += self.view(builder, fluents)
        added = more(builder, fluents)
        if added:
            outputs += [FALSE] * (-len(outputs) % 64)
        return builder.circuit(inputs, [*outputs, *added])

    def next(self) -> Circuit:
        """The next state."""
        builder, inputs, lowering = self._moving()
        following = self._coding.packed(builder, lowering.literals(self._net.next))
        return builder.circuit(inputs, following)

    def percepts(self) -> Circuit:
        """What each role sees of moves."""
        builder, inputs, lowering = self._moving()
        seen = lowering.literals(x for role in self._net.sees for _, x in role)
        return builder.circuit(inputs, seen)

    def _moving(self) -> tuple[Builder, list[int], Lowering]:
        builder = Builder()
        bits, moves = builder.inputs(self._coding.bits), builder.inputs(len(self._net.legal))
        fluents = self._coding.fluents(builder, bits)
        return builder, [*bits, *moves], Lowering(self._net, builder, fluents, moves)
