"""The reference engine: a net evaluated gate by gate, as its definition says.

Slow and plain on purpose. Every other engine is tested against it. States are integers: bit `i` is
set if fluent `i` holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ggp.errors import UnknownName
from ggp.ground import TRUE, Block, Bodies, Net
from ggp.kif import Term


class ByDefinition:
    """Evaluates one net: an `Evaluator` whose positions are integers."""

    engine = "reference"

    def __init__(self, net: Net) -> None:
        self.net = net
        self.roles = net.roles
        self.initial = sum(1 << i for i in net.initial)

    def position(self, facts: Iterable[Term]) -> int:
        """The state in which exactly `facts` hold; raises `UnknownName` for what is no fluent."""
        state = 0
        for fact in facts:
            if fact not in self.net.fluent_index:
                raise UnknownName(f"{fact} is no fluent")
            state |= 1 << self.net.fluent_index[fact]
        return state

    def facts(self, state: int) -> tuple[Term, ...]:
        """The fluents that hold, sorted by their text."""
        found = []
        while state:
            lowest = state & -state
            found.append(self.net.fluents[lowest.bit_length() - 1])
            state ^= lowest
        return tuple(found)

    def move(self, role: int, number: int) -> Term:
        """The move with this index in `net.legal`."""
        return self.net.moves[role][number - self.net.move_offset[role]]

    def number(self, role: int, move: Term) -> int | None:
        """The index of a move in `net.legal`; None if it has none."""
        return self.net.move_index[role].get(move)

    def legal(self, state: int) -> list[list[int]]:
        """For each role the indices of its legal moves (positions in `net.legal`), ascending."""
        values = self._values(state, (), self._blocks_of_legal)
        found = []
        for offset, moves in zip(self.net.move_offset, self.net.moves, strict=True):
            indices = range(offset, offset + len(moves))
            found.append([i for i in indices if values[self.net.legal[i]]])
        return found

    def some_move(self, state: int, role: int) -> int | None:
        """A legal move of a role; None if there is none."""
        return next(iter(self.legal(state)[role]), None)

    def terminal(self, state: int) -> bool:
        """Whether play ends in this state."""
        values = self._values(state, (), self._blocks_of_terminal)
        return bool(values[self.net.terminal])

    def ends(self, state: int) -> bool:
        """Whether play ends in this state."""
        return self.terminal(state)

    def goals(self, state: int) -> list[list[int]]:
        """For each role the goal values that hold, ascending; one if the rules are right."""
        values = self._values(state, (), self._blocks_of_goals)
        return [[value for value, x in role if values[x]] for role in self.net.goals]

    def next(self, state: int, moves: Sequence[int]) -> int:
        """The state after one move of each role (indices into `net.legal`)."""
        values = self._values(state, moves, self._blocks_of_next)
        return sum(1 << i for i, x in enumerate(self.net.next) if values[x])

    def next_each(self, state: int, joints: Sequence[Sequence[int]]) -> list[int]:
        """The states after each of some joint moves, in their order."""
        return [self.next(state, moves) for moves in joints]

    def percepts(self, state: int, moves: Sequence[int]) -> list[tuple[Term, ...]]:
        """For each role what it sees of one move of each role, sorted by text."""
        values = self._values(state, moves, self._blocks_of_percepts)
        return [tuple(percept for percept, x in role if values[x]) for role in self.net.sees]

    def _values(self, state: int, moves: Iterable[int], blocks: Iterable[Block]) -> bytearray:
        """The value of every literal that is needed, computed block by block.

        Literal `x` is at index `x`: Python counts negative ones from the end.
        """
        net = self.net
        values = bytearray(2 * net.size + 1)
        values[TRUE] = 1
        values[net.first_fluent : net.first_move] = _bits(state, len(net.fluents))
        for move in moves:
            values[net.first_move + move] = 1
        for node in range(1, net.first_gate):
            values[-node] = not values[node]
        bodies = net.gates.bodies
        for block in blocks:
            changed = True
            while changed:
                changed = False
                for node in range(block.start, block.stop):
                    value = _gate(bodies[node - net.first_gate], values)
                    if value and not values[node]:
                        values[node] = 1
                        changed = block.recursive
            for node in range(block.start, block.stop):
                values[-node] = not values[node]
        return values

    def _needed(self, literals: Iterable[int]) -> list[Block]:
        """The blocks that the values of `literals` depend on, in order."""
        net = self.net
        nodes = sorted(n for n in net.cone(literals) if n >= net.first_gate)
        blocks: list[Block] = []
        for before, block in net.cut(nodes):
            blocks += [Block(n, n + 1, recursive=False) for n in before]
            blocks += [block] if block else []
        return blocks

    @cached_property
    def _blocks_of_legal(self) -> list[Block]:
        return self._needed(self.net.legal)

    @cached_property
    def _blocks_of_terminal(self) -> list[Block]:
        return self._needed([self.net.terminal])

    @cached_property
    def _blocks_of_goals(self) -> list[Block]:
        return self._needed(literal for role in self.net.goals for _, literal in role)

    @cached_property
    def _blocks_of_percepts(self) -> list[Block]:
        return self._needed(literal for role in self.net.sees for _, literal in role)

    @cached_property
    def _blocks_of_next(self) -> list[Block]:
        return self._needed(self.net.next)


def _bits(state: int, count: int) -> bytes:
    """The bits of a state, one a byte."""
    return bytes(map(int, reversed(f"{state:0{count}b}"))) if count else b""


def _gate(bodies: Bodies, values: bytearray) -> bool:
    """Whether all literals of some body hold."""
    for body in bodies:
        for literal in body:
            if not values[literal]:
                break
        else:
            return True
    return False
