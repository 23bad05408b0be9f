"""States of random legal play, each with the moves that led to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.evidence import Witness
from ggp.analysis.plays.guided import FaultyPlay, find_fault
from ggp.analysis.plays.plays import Plays, faulty, random_plays
from ggp.game import Game
from ggp.ground import Group, Marker, Turns
from ggp.limits import Budget, time_left
from ggp.machine import NO_GOAL, RowIndex, Rows, View, joint_moves

MAX_MANY, MAX_STATES = 100_000, 600
MAX_REACHED = 8_192
"""States of random plays, and those of them all of whose moves are looked at."""

MANY = 20_000
"""States of random plays from which on others are made that look for faults."""

MAX_BOARDS, MAX_CHANGES, MAX_MADE = 300, 20_000, 400_000
"""Boards made at random all of whose moves are looked at for what they change, changes, and
moves."""

Path = tuple[tuple[str, ...], ...]


def marked_roles(game: Game, turns: Turns, rows: Rows) -> NDArray[np.int16]:
    """The index of the role whose turn it is in each state, -1 where nothing tells."""
    mask, *shown = game.machine.rows([turns.mask, *(bits for bits, _ in turns.settings)])
    result = np.full(len(rows), -1, dtype=np.int16)
    for (_, role), bits in zip(turns.settings, shown, strict=True):
        result[((rows & mask) == bits).all(axis=1)] = role
    return result


class Sampled:
    """The states of one game that were met, made within a budget when they are first asked for."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self.memo: dict[Any, Any] = {}

    @cached_property
    def plays(self) -> Plays:
        """Random plays."""
        return random_plays(self.game, MAX_MANY)

    @cached_property
    def few(self) -> list[int]:
        """Some of the states: the first ones, and ends of play and others from all over."""
        count = len(self.plays)
        if count <= MAX_STATES:
            return list(range(count))
        ends = np.flatnonzero(self.plays.terminal)[: MAX_STATES // 4].tolist()
        spread = np.linspace(0, count - 1, MAX_STATES // 2).astype(int).tolist()
        return sorted({*range(MAX_STATES // 4), *ends, *spread})

    @property
    def reached(self) -> NDArray[np.bool_]:
        """States that were met, the initial one first, with which fluents hold: shape (n, fluents).

        From all over where they are many.
        """
        step = -(-len(self.plays) // MAX_REACHED)
        return self.game.machine.coding.held(self.plays.rows[::step])

    @cached_property
    def some_states(self) -> list[int]:
        """The states of `few`, as bits of fluents: those first met, and others from all over."""
        return self.game.machine.states(self.plays.rows[self.few])

    def path(self, place: int) -> Path:
        """A play that leads to one of all states."""
        return tuple(map(self.joint, self.plays.path(place)))

    def joint(self, moves: NDArray[np.int32]) -> tuple[str, ...]:
        """A joint move as text."""
        move = self.game.evaluator.move
        return tuple(str(move(role, int(index))) for role, index in enumerate(moves))

    @property
    def marker(self) -> Marker:
        """The turn marker; of a game of one role that of every state."""
        assert self.game.marker is not None or len(self.game.roles) == 1
        return self.game.marker or Marker.of((0,), alternating=True)

    def witness(self, i: int, note: str = "") -> Witness:
        """One of the states, with the play that led to it."""
        return Witness(self.facts(self.plays.rows[[i]]), self.path(i), note)

    @cached_property
    def fault(self) -> tuple[FaultyPlay, Witness] | None:
        """A fault that plays which look for one met, with the state; not looked for where random
        plays met few states."""
        found = find_fault(self.game) if len(self.plays) >= MANY else None
        if found is None:
            return None
        machine = self.game.machine
        row = machine.rows([self.game.initial.bits])
        for joint in found.joints:
            row = machine.next(row, joint[None, :])
        return found, Witness(self.facts(row), tuple(map(self.joint, found.joints)))

    def facts(self, row: Rows) -> tuple[str, ...]:
        """The fluents that hold in a state, given as one row."""
        [state] = self.game.machine.states(row)
        return tuple(map(str, self.game.evaluator.facts(state)))

    def view(self, rows: Rows) -> View:
        """What holds in some states."""
        return self.game.machine.view(rows)

    def rows(self, role: int) -> Rows:
        """The states of `few` with the marker on one role."""
        return self.placed(self.some_states, role)

    def placed(self, states: Iterable[int], role: int) -> Rows:
        """Some states with the marker on one role."""
        marker = self.marker
        return self.game.machine.rows(marker.place(marker.board(s), role) for s in states)

    @cached_property
    def marked(self) -> NDArray[np.int16]:
        """The role whose turn it is in each state; there must be something that tells."""
        assert self.game.turns is not None
        return marked_roles(self.game, self.game.turns, self.plays.rows)

    def step_to(self, i: int) -> tuple[Witness, Witness]:
        """The state before one that was met, and that one, after the move between them."""
        first = self.witness(int(self.plays.before[i]))
        path = (*(first.path or ()), self.joint(self.plays.joint[i]))
        return first, Witness(self.facts(self.plays.rows[[i]]), path)

    @cached_property
    def met_a_fault(self) -> bool:
        """Whether some role could not move before the end, or an end had no one goal for each."""
        return bool(faulty(self.plays, self.game.player_indices).any())

    @property
    def goals(self) -> set[tuple[int, ...]]:
        """The goals of the players at the ends of play that were met."""
        rows = self.plays.goals[self.plays.terminal][:, self.game.player_indices]
        return {tuple(row) for row in rows.tolist() if min(row) > NO_GOAL}

    def end_with(self, goals: tuple[int, ...]) -> Path | None:
        """A play that ends with these goals of the players, if one did."""
        ends = self.plays.terminal & (self.plays.goals[:, self.game.player_indices] == goals).all(
            axis=1
        )
        places = np.flatnonzero(ends)[:1].tolist()
        return self.path(places[0]) if places else None

    @property
    def met_an_end(self) -> bool:
        """Whether some play came to its end."""
        return bool(self.plays.terminal.any())

    @property
    def shortest_to_an_end(self) -> Path:
        """The shortest play that came to its end; there must be one."""
        ends = np.flatnonzero(self.plays.terminal).tolist()
        return min(map(self.path, ends[:MAX_STATES]), key=len)

    def changes(self, groups: Iterable[Group]) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
        """What moves do to the fluents of the board, each change once.

        On boards that were met and on others made of them at random, which satisfy `groups` as
        well. Each change with its player; fluents by index, +1 if they come and -1 if they go.
        """
        machine = self.game.machine
        on_board = ~np.array(
            [self.marker.mask >> i & 1 for i in range(len(self.game.net.fluents))], dtype=np.bool_
        )
        for role in range(len(self.game.roles)):
            rows = self._shuffled(self.rows(role), groups)
            known = RowIndex(2 * machine.coding.words)
            made = 0
            for lanes, joint in joint_moves(machine, self.view(rows), Budget(self.game.limits)):
                after = machine.next(rows, joint, lanes)
                known.add(np.concatenate([rows[lanes] & ~after, after & ~rows[lanes]], axis=1))
                made += len(lanes)
                if len(known) > MAX_CHANGES or made > MAX_MADE or time_left() <= 0:
                    break
            gone, come = np.split(known.rows, 2, axis=1)
            held = machine.coding.held(come).astype(np.int8) - machine.coding.held(gone)
            for row in held * on_board:
                yield role, tuple((int(f), int(row[f])) for f in np.flatnonzero(row))

    def joint_changes(self) -> Iterator[tuple[tuple[int, int], ...]]:
        """What joint moves of random play did to the fluents, each change once.

        Fluents by index, ascending, +1 if they came and -1 if they went.
        """
        plays, held = self.plays, self.game.machine.coding.held
        known: set[bytes] = set()
        for place in np.flatnonzero(plays.before >= 0)[:MAX_CHANGES].tolist():
            before, after = held(plays.rows[[int(plays.before[place]), place]]).astype(np.int8)
            row = after - before
            if row.tobytes() not in known:
                known.add(row.tobytes())
                yield tuple((int(f), int(row[f])) for f in np.flatnonzero(row))

    def _shuffled(self, rows: Rows, groups: Iterable[Group]) -> Rows:
        """Boards that take each group, and each fluent in none, from some board of `rows`."""
        held = self.game.machine.coding.held(rows)
        rng = np.random.default_rng(1)
        mixed = np.repeat(held, -(-MAX_BOARDS // len(held)), axis=0)[:MAX_BOARDS]
        for group in groups:
            if not any(self.marker.mask >> i & 1 for i in group.fluents):
                own = list(group.fluents)
                chosen = rng.integers(len(own) + (not group.exact), size=len(mixed))
                mixed[:, own] = chosen[:, None] == np.arange(len(own))
        return self.game.machine.coding.pack(np.concatenate([held, mixed]))
