"""What each player can do on any board, as functions of the board alone.

The marker is fixed to one player and one of its moves to "made"; constants are folded. What remains
of the rules are circuits over the fluents of the board, built in one place for both players, so
that equal functions that are written alike are the same literal. Claims about them hold for every
board, reachable or not, and cost what the circuits cost, whatever the number of positions
(DESIGN.md, section 7).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from ggp.errors import LimitReached
from ggp.ground import Marker, Net
from ggp.machine.circuit import FALSE, TRUE, Builder
from ggp.machine.factor import Factoring


class NotApplicable(Exception):
    """The rules are not of the shape that this method is about; nothing follows."""


@dataclass(frozen=True)
class Option:
    """One move: the literal that says on which boards it is legal, and what it does to them.

    `changes`: fluents of the board whose value after the move is another function than the fluent
    itself, ascending, with its literal; `again`: that the mover is to move again.
    """

    move: int
    legal: int
    changes: tuple[tuple[int, int], ...]
    again: int


@dataclass(frozen=True)
class Side:
    """A player on any board with the marker on it.

    `terminal`; `goals`: for each role its values with their literals; `options`: legal moves while
    play goes on; `can_move`: that there is a legal move, whether play goes on or not.
    """

    terminal: int
    goals: tuple[tuple[tuple[int, int], ...], ...]
    options: tuple[Option, ...]
    can_move: int


class Boards:
    """The sides of a game of two roles that take turns by a proved marker.

    Raises `NotApplicable` where the role that is not marked has other than one legal move that
    does not depend on the board, or a gate depends on itself; `LimitReached` after `seconds`.
    """

    def __init__(self, net: Net, marker: Marker, seconds: float) -> None:
        if net.recursive:
            raise NotApplicable("the rules of a state depend on themselves")
        self.net, self.marker = net, marker
        self.seconds = seconds
        self._until = time.monotonic() + seconds
        self.builder = Builder()
        self.fluents = tuple(i for i in range(len(net.fluents)) if not marker.mask >> i & 1)
        self.inputs = dict(zip(self.fluents, self.builder.inputs(len(self.fluents)), strict=True))
        self._factoring = Factoring(self.builder)
        self._gates = [_Gate(net, node) for node in _gates(net, net.next)]
        self._fan_out = _fan_out(net, self._gates)
        self.sides = tuple(self._side(role) for role in range(len(net.roles)))

    def _side(self, role: int) -> Side:
        net, builder = self.net, self.builder
        values = self._state(self.marker.bits[role])
        wanted = _gates(net, [*net.legal, net.terminal, *_goal_literals(net)])
        for node in wanted:
            values[node] = self._gate(values, net.bodies(node))
        legal = [_of(values, x) for x in net.legal]
        terminal = _of(values, net.terminal)
        made = self._forced(role, legal, terminal)
        offset, own = net.move_offset[role], len(net.moves[role])
        for node in range(net.first_move, net.first_gate):
            values[node] = FALSE
        for index in made:
            values[net.first_move + index] = TRUE
        forced = tuple(net.first_move + index for index in made)
        for gate in self._gates:
            values[gate.node] = self._gate(values, gate.bodies(forced))
        options = []
        for index in range(offset, offset + own):
            is_legal = builder.conj(legal[index], terminal ^ 1)
            if is_legal != FALSE:
                node = net.first_move + index
                changes, again = self._after(values, (node, *forced), role)
                options.append(Option(index, is_legal, changes, again))
        goals = tuple(tuple((v, _of(values, x)) for v, x in known) for known in net.goals)
        can_move = builder.disj_all(legal[offset : offset + own])
        return Side(terminal, goals, tuple(options), can_move)

    def _state(self, marked: int) -> list[int]:
        """A literal for each node that is known before any gate: the board, and the marker."""
        values = [FALSE] * (self.net.size + 1)
        values[1] = TRUE
        for i in range(len(self.net.fluents)):
            constant = TRUE if marked >> i & 1 else FALSE
            values[self.net.first_fluent + i] = self.inputs.get(i, constant)
        return values

    def _forced(self, role: int, legal: list[int], terminal: int) -> list[int]:
        """The only legal move of each other role while play goes on."""
        made = []
        for other, (offset, moves) in enumerate(
            zip(self.net.move_offset, self.net.moves, strict=True)
        ):
            if other == role:
                continue
            going = [
                self.builder.conj(x, terminal ^ 1) for x in legal[offset : offset + len(moves)]
            ]
            able = [i for i, x in enumerate(going) if x != FALSE]
            if len(able) != 1 or self.builder.conj(terminal ^ 1, going[able[0]] ^ 1) != FALSE:
                raise NotApplicable("who is not to move has not always the same move")
            made.append(offset + able[0])
        return made

    def _after(
        self, before: list[int], made: tuple[int, ...], role: int
    ) -> tuple[tuple[tuple[int, int], ...], int]:
        """What moves (nodes, the player's own first) change, and whether it is to move again."""
        net = self.net
        if time.monotonic() > self._until:
            raise LimitReached("seconds", self.seconds, "boards as circuits")
        values = before.copy()
        values[made[0]] = TRUE
        for gate in self._fan_out.get(made[0], ()):
            values[gate.node] = self._gate(values, gate.bodies(made))
        following = [_of(values, x) for x in net.next]
        bits = self.marker.bits[role]
        again = self.builder.conj_all(
            following[i] ^ (not bits >> i & 1)
            for i in range(len(net.fluents))
            if self.marker.mask >> i & 1
        )
        changes = ((i, following[i]) for i in self.fluents if following[i] != self.inputs[i])
        return tuple(changes), again

    def _gate(self, values: list[int], bodies: Iterable[tuple[int, ...]]) -> int:
        """The value of a gate from those of what it depends on."""
        cubes = []
        for body in bodies:
            cube = []
            for x in body:
                value = values[x] if x > 0 else values[-x] ^ 1
                if value == FALSE:
                    break
                cube.append(value)
            else:
                cubes.append(cube)
        return self._factoring.disjunction(cubes)


class _Gate:
    """The alternatives of a gate, sorted by a move that must be made for them."""

    def __init__(self, net: Net, node: int) -> None:
        self.node = node
        self.always: list[tuple[int, ...]] = []
        self.by_move: dict[int, list[tuple[int, ...]]] = {}
        self.reads: set[int] = set()
        moves = range(net.first_move, net.first_gate)
        for body in net.bodies(node):
            made = [x for x in body if x in moves]
            self.reads.update(abs(x) for x in body)
            if made:
                self.by_move.setdefault(made[0], []).append(body)
            else:
                self.always.append(body)

    def bodies(self, made: Iterable[int]) -> list[tuple[int, ...]]:
        """Those that can hold where just these moves are made."""
        return [*self.always, *(body for move in made for body in self.by_move.get(move, ()))]


def _of(values: list[int], literal: int) -> int:
    return values[literal] if literal > 0 else values[-literal] ^ 1


def _goal_literals(net: Net) -> list[int]:
    return [x for known in net.goals for _, x in known]


def _gates(net: Net, literals: Iterable[int]) -> list[int]:
    """The gates that some literals depend on, in order."""
    return sorted(node for node in net.cone(literals) if node >= net.first_gate)


def _fan_out(net: Net, gates: Iterable[_Gate]) -> dict[int, list[_Gate]]:
    """For each move the gates that depend on it, in order."""
    moves = range(net.first_move, net.first_gate)
    found: dict[int, list[_Gate]] = {}
    reading: dict[int, frozenset[int]] = {}
    for gate in gates:
        read: set[int] = set()
        for other in gate.reads:
            if other in moves:
                read.add(other)
            elif other in reading:
                read |= reading[other]
        if read:
            reading[gate.node] = frozenset(read)
            for move in read:
                found.setdefault(move, []).append(gate)
    return found
