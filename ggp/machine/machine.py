"""A net at work: what holds in many states, what they lead to, and random playouts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import Circuit
from ggp.ground import Group, Net
from ggp.later import Later
from ggp.machine.coding import Coding, JointMoves, Rows, packed_bits, plain_rows, unpacked_bits
from ggp.machine.engine import light
from ggp.machine.engine.by_definition import ByDefinition
from ggp.machine.engine.frames import LANES, new_frame
from ggp.machine.engine.store import Store
from ggp.machine.engine.unit import Choice, Unit, chosen_engine
from ggp.machine.functions import Functions, PackedFunctions
from ggp.machine.playouts.foreseeing import favouring_step, foreseeing_step
from ggp.machine.playouts.players import ReferencePlayer, ScanningPlayer, StepPlayer
from ggp.machine.playouts.playouts import MAX_PLIES, Favour, PlayoutPlayer, Playouts, ended
from ggp.machine.playouts.reference import Reference
from ggp.machine.sharing import Sharing, find_sharing
from ggp.machine.step import Step, step
from ggp.machine.view import Children, GoalValues, HasBits, Lanes, View, combinations, require

if TYPE_CHECKING:
    from ggp.machine.engine import kernels
else:
    kernels = Later("ggp.machine.engine.kernels")

LIGHT, PASS = 40_000_000, 256
"""Work that is done with numpy alone before loops are compiled for it, or taken from disk (some
tenths of a second): values that go in and come out, and for each gate of a pass so many more."""

SCANNED = 4_000
"""Moves of all roles from which on those of random play are not chosen by a circuit, but looked
for in each lane: of speedChess (7,666 moves, for two roles) a circuit would play 1.5 times as fast,
and take twice as long to make."""


class Machine:
    """One net; `groups` pack the rows that states come and go as, see `Coding`.

    `choice`: how circuits are run, by default as `GGP_ENGINE` says; answers do not depend on it.
    """

    def __init__(
        self,
        net: Net,
        groups: Iterable[Group] = (),
        *,
        choice: Choice | None = None,
        store: Store | None = None,
    ) -> None:
        self.net = net
        self.coding = Coding(net, groups)
        self.choice, self.store = choice or chosen_engine(), store
        self._light = LIGHT if self.choice == "auto" else 0
        self.reference = Reference(net) if self.choice == "reference" else None
        self._goals = GoalValues(net)
        self._bounds = np.array([*net.move_offset, len(net.legal)], dtype=np.int64)

    def __getstate__(self) -> dict[str, Any]:
        # Circuits and code are made again where they are used.
        kept = ("net", "coding", "choice", "reference", "_bounds", "_goals", "_light")
        return {name: getattr(self, name) for name in kept} | {"store": None}

    @cached_property
    def batch(self) -> int:
        """States that are looked at together: what is known of them stays within some 32 MB."""
        return max(512, min(1 << 16, (1 << 28) // (len(self.net.legal) + 64 * self.coding.words)))

    def rows(self, states: Iterable[int]) -> Rows:
        """States given as integers (bit `i` for fluent `i`) as rows."""
        return self.coding.rows(states)

    def states(self, rows: Rows) -> list[int]:
        """Rows as integers."""
        return self.coding.states(rows)

    def view(self, rows: Rows) -> View:
        """Legal moves, end and goals of every state."""
        return self._view(self.packed_view(rows))

    def packed_view(self, rows: Rows) -> Rows:
        """The same as rows of bits: one for each legal move of `Net.legal`, one for the end, and
        then one for each value of `Net.goals`, role by role."""
        if self.reference:
            return packed_bits([self.reference.outputs(s) for s in self.states(rows)])
        return self._evaluate(self._view_unit, rows, None, _NOBODY)

    def _view(self, packed: Rows) -> View:
        """What the outputs of a circuit that looks at states say."""
        moves = len(self.net.legal)
        counts, legal = self._legal(packed, moves)
        first = np.concatenate([[0], np.cumsum(counts.sum(axis=1))]).astype(np.int64)
        held = unpacked_bits(packed, moves, moves + 1 + sum(map(len, self.net.goals)))
        return View(held[:, 0], self._goals(held[:, 1:]), counts, first, legal)

    def _legal(self, packed: Rows, moves: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """How many moves each role has in each state (n, roles), and all of them in order."""
        counts = np.empty((len(packed), len(self.net.roles)), dtype=np.int32)
        if self._light > 0:
            held = unpacked_bits(packed, 0, moves)
            for role, (begin, end) in enumerate(pairwise(self._bounds.tolist())):
                counts[:, role] = held[:, begin:end].sum(axis=1)
            return counts, np.nonzero(held)[1].astype(np.int32)
        kernels.count_bits(packed, self._bounds, counts)
        legal = np.empty(int(counts.sum()), dtype=np.int32)
        kernels.list_bits(packed, moves, legal)
        return counts, legal

    def children(self, row: Rows) -> Children:
        """All that one state, a single row of shape (words,), leads to in one move.

        In the order of the joint moves; none of a terminal state, or where a role has no move.
        """
        rows = row.reshape(1, -1)
        lanes, joint = combinations(self.view(rows), 0, 1)
        if self.reference:
            following = self.next(rows, joint, lanes)
            return Children(joint, following, self.view(following))
        packed = self._evaluate(self.child_unit, rows, lanes, joint)
        words = self.coding.words
        return Children(joint, packed[:, :words].copy(), self._view(packed[:, words:].copy()))

    def next(self, rows: Rows, joint: JointMoves, lanes: Lanes | None = None) -> Rows:
        """The states after one move of each role; `joint` is (n, roles), indices into `legal`.

        With `lanes` (n,) given, state `i` is `rows[lanes[i]]`. Raises `ValueError` for arrays of
        other shapes or with indices that do not exist.
        """
        if self.reference:
            given = self.states(rows if lanes is None else rows[lanes])
            move = self.reference.by_definition.next
            return self.rows(move(s, own) for s, own in zip(given, joint.tolist(), strict=True))
        return self._evaluate(self._next_unit, rows, lanes, joint)

    def percepts(self, rows: Rows, joint: JointMoves) -> list[NDArray[np.bool_]]:
        """For each role which of its percepts (`net.sees`) a move gives it: (n, percepts)."""
        sizes = [len(role) for role in self.net.sees]
        if self.reference:
            given = zip(self.states(rows), joint.tolist(), strict=True)
            packed = packed_bits([self.reference.percepts(state, own) for state, own in given])
        else:
            packed = self._evaluate(self._percept_unit, rows, None, joint)
        return np.split(unpacked_bits(packed, 0, sum(sizes)), np.cumsum(sizes)[:-1], axis=1)

    def _evaluate(self, unit: Unit, rows: Rows, lanes: Lanes | None, joint: JointMoves) -> Rows:
        """The outputs of a circuit, as packed rows, for states and perhaps joint moves."""
        if lanes is None:
            lanes = np.arange(len(rows), dtype=np.int64)
        moves = len(unit.circuit.inputs) - self.coding.bits
        results = len(unit.circuit.outputs)
        # Other kinds of arrays would be other types to numba, to be compiled for; and the loops,
        # once compiled, look at no bounds.
        rows = np.ascontiguousarray(rows, dtype=np.uint64)
        joint = np.ascontiguousarray(joint if moves else _NOBODY, dtype=np.int32)
        lanes = np.ascontiguousarray(lanes, dtype=np.int64)
        require(rows.ndim == 2 and rows.shape[1] == self.coding.words, "rows of another size")
        require(not len(lanes) or 0 <= lanes.min() <= lanes.max() < len(rows), "no such row")
        if moves:
            fits = joint.shape == (len(lanes), len(self.net.roles))
            require(fits, "joint moves are not one move of each role for each state")
            require(not joint.size or 0 <= joint.min() <= joint.max() < moves, "no such move")
        result = np.zeros((len(lanes), max(1, -(-results // 64))), dtype=np.uint64)
        levels = self._levels(unit, len(lanes))
        if levels is not None:
            shape = self.coding.bits, moves, results
            light.evaluate(levels, rows, lanes, joint, shape, result)
            return result
        for start in range(0, len(lanes), _SLICE):
            here = slice(start, start + _SLICE)
            running = unit.running(-(-len(lanes[here]) // LANES))
            frame = new_frame(unit.rows)
            kernels.evaluate(
                rows, lanes[here], joint[here], frame, frame.ctypes.data, running, unit.words,
                self.coding.bits, moves, results, result[here],
            )  # fmt: skip
        return result

    def _levels(self, unit: Unit, states: int) -> light.Levels | None:
        """The circuit for numpy alone, as long as there is little to do; None from then on."""
        if self._light <= 0 or unit.circuit.loops:
            return None
        if len(unit.circuit.first) * PASS > self._light:
            self._light = 0
            return None
        levels = unit.levels
        ends = len(unit.circuit.inputs) + len(unit.circuit.outputs)
        self._light -= states * ends + PASS * levels.cost
        return levels if self._light > 0 else None

    def compile(self) -> None:
        """Make machine code for looking at states and for moving, unless it is there already."""
        for unit in (self._view_unit, self._next_unit):
            unit.compile()

    def compile_soon(self) -> None:
        """Begin to make machine code for random play, looking at states and moving, in the
        background, for who is going to do much of it."""
        for unit in (*self.player.units, self._view_unit, self._next_unit):
            unit.compile_soon()

    @cached_property
    def _functions(self) -> PackedFunctions:
        return PackedFunctions(self.net, self.coding)

    @cached_property
    def _view_unit(self) -> Unit:
        return self._unit(self._functions.of_states(self._functions.view))

    @cached_property
    def child_unit(self) -> Unit:
        """The circuit from a state and moves to the next state, whole words of it, and what
        `packed_view` says of that: made for one word of lanes."""
        return self.child_unit_with(lambda *_: [])

    def child_unit_with(self, more: Functions) -> Unit:
        """The same, filled up to whole words, and then functions of the next state."""
        circuit = self._functions.child(more)
        return Unit(circuit, words=1, choice=self.choice, store=self.store)

    def functions_of(self, functions: Functions) -> Callable[[Rows], Rows]:
        """What some functions are in states, as rows of bits."""
        unit = self._unit(self._functions.of_states(functions))
        return lambda rows: self._evaluate(unit, rows, None, _NOBODY)

    @cached_property
    def _next_unit(self) -> Unit:
        return self._unit(self._functions.next())

    @property
    def has_circuits(self) -> bool:
        """Whether circuits that look at single states, and that move on, are there already."""
        return {"_view_unit", "_next_unit"} <= self.__dict__.keys()

    @cached_property
    def _percept_unit(self) -> Unit:
        return self._unit(self._functions.percepts())

    def _unit(self, circuit: Circuit) -> Unit:
        return Unit(circuit, choice=self.choice, store=self.store)

    @cached_property
    def sharing(self) -> Sharing | None:
        """The choice that roles share in random play, where a circuit chooses."""
        return find_sharing(self.net) if len(self.net.legal) < SCANNED else None

    @cached_property
    def step(self) -> Step:
        """The circuit of random play."""
        return step(self.net, self.sharing)

    @cached_property
    def _by_definition(self) -> ByDefinition:
        return ByDefinition(self.net)

    @cached_property
    def player(self) -> PlayoutPlayer:
        """What runs playouts from states of play."""
        if self.reference:
            return ReferencePlayer(self.net, self.reference, self.sharing)
        if len(self.net.legal) < SCANNED:
            return self._step_player(self.step)
        return ScanningPlayer(self.net, self.coding.bits, self._view_unit, self._next_unit)

    @cached_property
    def foreseeing(self) -> PlayoutPlayer | None:
        """What runs playouts from states of play in which roles win where they can at once, and do
        not let the next one win, see `ggp.machine.foresight`; None where that takes too much.

        Making it takes up to some seconds, and may end by a limit that is in force.
        """
        own = foreseeing_step(self.net, self.sharing, self.step) if self.sharing else None
        return self._guided_player(own, foresight=True)

    @cached_property
    def favouring(self) -> PlayoutPlayer | None:
        """What runs playouts in which roles heed `Favour`; None where it takes too much."""
        own = favouring_step(self.net, self.sharing, self.step) if self.sharing else None
        return self._guided_player(own)

    def _guided_player(self, own: Step | None, foresight: bool = False) -> PlayoutPlayer | None:
        if own and self.reference:
            return ReferencePlayer(self.net, self.reference, self.sharing, foresight=foresight)
        return self._step_player(own) if own else None

    @cached_property
    def _other_player(self) -> PlayoutPlayer:
        """What runs them from states that no play comes to."""
        if self.reference:
            return ReferencePlayer(self.net, self.reference)
        return self._step_player(step(self.net))

    def _step_player(self, own: Step) -> PlayoutPlayer:
        state = len(self.net.fluents) + own.kept
        unit = Unit(own.circuit, state=state, choice=self.choice, store=self.store)
        return StepPlayer(self.net, own, unit)

    def playouts(
        self,
        state: int | HasBits,
        count: int,
        seed: int = 0,
        *,
        threads: int = 1,
        first: int = 0,
        max_plies: int = MAX_PLIES,
        until: float = math.inf,
    ) -> Playouts:
        """`count` plays in which every role moves uniformly at random, from a state on.

        `state`: a `State`, or its bits of fluents. The result depends on nothing but the net, the
        state, the count, the seed and `max_plies`, after which a play is given up; unless the clock
        (`time.monotonic`) passes `until`, see `PlayoutPlayer.run`. Plays come in blocks of `BLOCK`:
        from the block `first` on they are what a longer run has there. A move's probability is off
        by less than 2 ** -10 of it. Raises `ValueError` unless count, seed and `first` are 0 or
        more, and `threads` and `max_plies` 1 or more.
        """
        require(min(count, seed, first) >= 0, "count, seed and first of playouts are 0 or more")
        require(min(threads, max_plies) >= 1, "threads and max_plies are 1 or more")
        state = state if isinstance(state, int) else state.bits
        # Asked of the net itself: circuits for looking at states may never be needed.
        if self._by_definition.terminal(state):
            return ended(self.net, self._by_definition.goals(state), count)
        player, start = self._beginning(state)
        return player.run(
            start, count, seed, threads=threads, first=first, max_plies=max_plies, until=until
        )

    def _beginning(self, state: int) -> tuple[PlayoutPlayer, Rows]:
        """Who plays from a state, and the state as that takes it."""
        if self.player.is_packed:
            with suppress(ValueError):  # the groups do not allow it, so that no row can say it
                return self.player, self.rows([state])[0]
        plain = plain_rows([state], len(self.net.fluents))
        return self._player_from(plain), plain[0]

    def _player_from(self, plain: Rows) -> PlayoutPlayer:
        """Who plays from some states, given as rows with a bit for each fluent."""
        is_fit = self.sharing.hold(plain) if self.sharing else not self.player.is_packed
        return self.player if is_fit else self._other_player

    def play_each(
        self, rows: Rows, seed: int = 0, *, max_plies: int = MAX_PLIES, until: float = math.inf
    ) -> NDArray[np.int16]:
        """The goals (n, roles) at the end of one random play from each state, as in `View.goals`.

        `NO_GOAL` for all where a play met a fault of the rules, or had no end within `max_plies`
        moves or before `until`. Reproducible as `playouts` is, and raises what it does.
        """
        require(seed >= 0 and max_plies >= 1, "the seed is 0 or more, max_plies 1 or more")
        view = self.view(rows)
        goals = view.goals
        going = np.flatnonzero(~view.terminal)
        goals[going] = self.play_on(rows[going], seed, max_plies=max_plies, until=until)
        return goals

    def play_on(
        self,
        rows: Rows,
        seed: int = 0,
        *,
        max_plies: int = MAX_PLIES,
        until: float = math.inf,
        foresight: bool = False,
        favour: Favour | None = None,
    ) -> NDArray[np.int16]:
        """The same from states of which none is terminal; with `foresight` as `foreseeing` plays,
        if it can be told, or with `favour` as `favouring` does: nothing is `made` where it cannot.
        """
        self._light = 0  # the loops are loaded for this anyway
        guided = self.favouring if favour else self.foreseeing if foresight else None
        if self.player.is_packed:
            player, starts = self.player, rows
        else:
            starts = self.coding.plain(rows)
            player = self._player_from(starts)
            if guided and player is self.player:
                return self._goals(guided.each(starts, seed, max_plies, until, favour))
        return self._goals(player.each(starts, seed, max_plies, until))


_NOBODY = np.zeros((0, 0), dtype=np.int32)
_SLICE = 1 << 18
"""Cases between two looks for compiled code, and at interrupts."""
