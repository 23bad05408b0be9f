"""What each player can do on any board, as functions of the board alone.

The marker is fixed to one player and one of its moves to "made"; constants are folded. What remains
of the rules are circuits over the fluents of the board, built in one place for both players, so
that equal functions that are written alike are the same literal. Claims about them hold for every
board, reachable or not, and cost what the circuits cost, whatever the number of positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ggp.analysis.boards.effects import FLAT, Effects
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.circuits.factor import Factoring
from ggp.errors import LimitReached
from ggp.ground import Marker, Net
from ggp.limits import look
from ggp.work import GATES, count_work, work_done


class NotApplicable(Exception):
    """The rules are not of the shape that this method is about; nothing follows."""


@dataclass(frozen=True)
class Option:
    """One move: the literal that says on which boards it is legal, and what it does to them.

    `legal`: while play goes on; `rule`: whether play goes on or not. `own`: what the move does by
    itself, `frame`: what it does where `own` says nothing, shared by many moves; fluents whose
    value after the move is another function than the fluent itself, with its literal. `again`:
    that the mover is to move again.
    """

    move: int
    legal: int
    rule: int
    frame: Frame
    own: Mapping[int, int]
    again: int

    @property
    def effect(self) -> Effect:
        """Equal for moves that do the same to boards, as long as that is told by equal circuits."""
        return self.frame.name, tuple(sorted(self.own.items()))

    def after(self, inputs: Mapping[int, int]) -> dict[int, int]:
        """All fluents of the board that change, with their literal after the move."""
        if not self.frame.changes:
            return dict(self.own)
        both = {**self.frame.changes, **self.own}
        return {f: x for f, x in both.items() if x != inputs[f]}


Effect = tuple[int, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, eq=False)
class Frame:
    """Changes that many moves have in common; `name` tells frames apart."""

    name: int
    changes: Mapping[int, int]


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


@dataclass
class Circuits:
    """What each side can do, as functions of fluents: `inputs` has the literal of each."""

    net: Net
    builder: Builder
    inputs: dict[int, int]
    sides: tuple[Side, ...]


class Boards(Circuits):
    """The sides of a game of two roles that take turns by a proved marker.

    Without a marker, the one side of a game of one role. Raises `NotApplicable` where the role that
    is not marked has other than one legal move that does not depend on the board, or a gate depends
    on itself; `LimitReached` where building it takes more than `work`.
    """

    def __init__(self, net: Net, marker: Marker | None, work: float) -> None:
        if net.recursive:
            raise NotApplicable("the rules of a state depend on themselves")
        if marker is None and len(net.roles) > 1:
            raise NotApplicable("there is no turn marker")
        super().__init__(net, Builder(), {}, ())
        self.marker = marker or Marker.of((0,), alternating=True)
        self._work, self._until, self._counted = work, work_done() + work, 0
        mask = self.marker.mask
        fluents = [i for i in range(len(net.fluents)) if not mask >> i & 1]
        self.inputs = dict(zip(fluents, self.builder.inputs(len(fluents)), strict=True))
        self._factoring = Factoring(self.builder)
        self._views = _gates(net, [*net.legal, net.terminal, *_goal_literals(net)])
        self._gates = _gates(net, net.next)
        self._fluents_of: dict[int, list[int]] = {}
        for f in self.inputs:
            self._fluents_of.setdefault(abs(net.next[f]), []).append(f)
        self._turns = [i for i in range(len(net.fluents)) if mask >> i & 1]
        self._frames: dict[tuple[tuple[int, int], ...], Frame] = {}
        self.sides = tuple(self._side(role) for role in range(len(net.roles)))

    @cached_property
    def size(self) -> int:
        """The number of changes of all options together."""
        return sum(len(o.frame.changes) + len(o.own) for side in self.sides for o in side.options)

    def _check(self) -> None:
        count_work(GATES * (self.builder.asked - self._counted))
        self._counted = self.builder.asked
        look("boards as circuits")
        if work_done() > self._until:
            raise LimitReached("work", self._work, "boards as circuits")

    def _side(self, role: int) -> Side:
        net, builder = self.net, self.builder
        values = self._state(self.marker.bits[role])
        for count, node in enumerate(self._views):
            if count % 1000 == 0:
                self._check()
            values[node] = self._gate(values, net.bodies(node))
        legal = [_of(values, x) for x in net.legal]
        terminal = _of(values, net.terminal)
        made = self._forced(role, legal, terminal)
        offset, own = net.move_offset[role], len(net.moves[role])
        is_legal = {}
        for index in range(offset, offset + own):
            literal = builder.conj(legal[index], terminal ^ 1)
            if literal != FALSE:
                is_legal[index] = literal, legal[index]
        options = self._options(role, self._state(self.marker.bits[role]), made, is_legal)
        goals = tuple(tuple((v, _of(values, x)) for v, x in known) for known in net.goals)
        can_move = builder.disj_all(legal[offset : offset + own])
        return Side(terminal, goals, tuple(options), can_move)

    def _options(
        self,
        role: int,
        values: list[int | None],
        made: list[int],
        is_legal: dict[int, tuple[int, int]],
    ) -> Iterator[Option]:
        """All moves of a player that are legal on some board."""
        net = self.net
        for node in range(net.first_move, net.first_gate):
            values[node] = FALSE
        for index in made:
            values[net.first_move + index] = TRUE
        universe = frozenset(net.first_move + index for index in is_legal)
        for node in universe:
            values[node] = None
        effects = Effects(net, self._factoring, values, self._gates, universe, self._check)
        known: dict[frozenset[int], tuple[Frame, dict[int, int]]] = {}
        always = {f: effects.literal(net.next[f]) for f in self.inputs}
        always = {f: x for f, x in always.items() if x != self.inputs[f]}
        for index, (legal, rule) in is_legal.items():
            self._check()
            shared, single = effects.deviations(net.first_move + index)
            common = effects.of_class(shared)
            if shared not in known:
                known[shared] = self._frame({**always, **self._changed(effects, common, ())})
            frame, rest = known[shared]
            over = effects.of_move(shared, single)
            found = {**rest, **self._changed(effects, over, (common,))}
            base = frame.changes
            inputs = self.inputs
            found = {f: x for f, x in found.items() if x != base.get(f, inputs[f])}
            again = self._again(role, effects, over, common)
            yield Option(index, legal, rule, frame, found, again)

    def _changed(
        self, effects: Effects, over: Mapping[int, int], below: tuple[Mapping[int, int], ...]
    ) -> dict[int, int]:
        """The values of the fluents that hang on some gates."""
        net = self.net
        return {
            f: effects.literal(net.next[f], over, *below)
            for node in over
            for f in self._fluents_of.get(node, ())
        }

    def _frame(self, changes: dict[int, int]) -> tuple[Frame, dict[int, int]]:
        """Changes of many moves as a frame; few of them as changes of each move."""
        real = {f: x for f, x in changes.items() if x != self.inputs[f]}
        small = len(real) <= FLAT
        key = () if small else tuple(sorted(real.items()))
        if key not in self._frames:
            self._frames[key] = Frame(len(self._frames), dict(key))
        return self._frames[key], real if small else {}

    def _again(self, role: int, effects: Effects, *over: Mapping[int, int]) -> int:
        if self.marker.alternating:
            return TRUE if len(self.marker.bits) == 1 else FALSE
        bits = self.marker.bits[role]
        return self.builder.conj_all(
            effects.literal(self.net.next[i], *over) ^ (not bits >> i & 1) for i in self._turns
        )

    def _state(self, marked: int) -> list[int | None]:
        """A literal for each node that is known before any gate: the board, and the marker."""
        values: list[int | None] = [None] * (self.net.size + 1)
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

    def _gate(self, values: list[int | None], bodies: Iterable[tuple[int, ...]]) -> int:
        """The value of a gate from those of what it depends on."""
        cubes = []
        for body in bodies:
            cube = []
            for x in body:
                value = _of(values, x)
                if value == FALSE:
                    break
                cube.append(value)
            else:
                cubes.append(cube)
        return self._factoring.disjunction(cubes)


def _of(values: list[int | None], literal: int) -> int:
    value = values[abs(literal)]
    assert value is not None
    return value if literal > 0 else value ^ 1


def _goal_literals(net: Net) -> list[int]:
    return [x for known in net.goals for _, x in known]


def _gates(net: Net, literals: Iterable[int]) -> list[int]:
    """The gates that some literals depend on, in order."""
    return sorted(node for node in net.cone(literals) if node >= net.first_gate)
