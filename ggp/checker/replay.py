"""Plays replayed step by step: each gate by its definition, with nothing but the net."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggp.errors import InputError
from ggp.ground import Net

State = frozenset[int]
"""The fluents that hold, by index."""


class Replay:
    """Evaluates single states of a net."""

    def __init__(self, net: Net) -> None:
        self.net = net

    def _values(self, state: State, moves: Iterable[int] = ()) -> list[bool]:
        net = self.net
        values = [False] * (net.size + 1)
        values[1] = True
        for i in state:
            values[net.first_fluent + i] = True
        for i in moves:
            values[net.first_move + i] = True
        for block in net.blocks:
            changed = True
            while changed:
                changed = False
                for node in range(block.start, block.stop):
                    if not values[node] and any(
                        all(values[abs(x)] == (x > 0) for x in body) for body in net.bodies(node)
                    ):
                        values[node] = changed = True
                changed = changed and block.recursive
        return values

    def legal(self, state: State) -> list[list[int]]:
        """For each role its legal moves, as indices among all moves."""
        net, values = self.net, self._values(state)
        found = []
        for offset, moves in zip(net.move_offset, net.moves, strict=True):
            own = range(offset, offset + len(moves))
            found.append([i for i in own if values[abs(net.legal[i])] == (net.legal[i] > 0)])
        return found

    def is_terminal(self, state: State) -> bool:
        """Whether play is over."""
        return self._values(state)[abs(self.net.terminal)] == (self.net.terminal > 0)

    def goals(self, state: State) -> list[list[int]]:
        """For each role the goal values that it has."""
        values = self._values(state)
        return [
            [value for value, x in known if values[abs(x)] == (x > 0)] for known in self.net.goals
        ]

    def next(self, state: State, joint: Sequence[int]) -> State:
        """The state after a joint move, one index for each role; any moves, legal or not."""
        values = self._values(state, joint)
        return frozenset(i for i, x in enumerate(self.net.next) if values[abs(x)] == (x > 0))

    def play(self, path: Iterable[Sequence[int]]) -> list[State]:
        """The states of a play from the start; raises `InputError` where it is no legal play."""
        states = [self.net.initial]
        for joint in path:
            legal = self.legal(states[-1])
            if self.is_terminal(states[-1]) or len(joint) != len(legal):
                raise InputError("certificate: a play goes on where it cannot")
            if any(move not in own for move, own in zip(joint, legal, strict=True)):
                raise InputError("certificate: a play has a move that is not legal")
            states.append(self.next(states[-1], joint))
        return states
