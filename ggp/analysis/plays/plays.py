"""Random plays, many side by side: the states that come up, and how they were come by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.game import Game
from ggp.limits import time_left
from ggp.machine import NO_GOAL, Machine, RowIndex, Rows, View

LANES = 256
"""Plays side by side."""

MAX_PLIES = 400
"""Moves after which a play is broken off."""

MAX_EVALUATED, MAX_GATES = 500_000, 8_000_000_000
"""States that are evaluated, those met again as well; and gates of all these together."""

FRUITLESS = 5
"""Rounds of plays in a row that meet no new state, after which no more are made."""


@dataclass(eq=False)
class Plays:
    """Different states in the order in which they were met; the first is the initial one.

    `rows` (n, words), `terminal` (n,), `goals` and `counts` (n, roles) as in `View`. State `i` was
    first met after `before[i]` (-1 for none) by the joint move `joint[i]`, indices into
    `Net.legal`. `loop`: states and joint moves of a play in which the first state came up again
    after the last move, if one did.
    """

    rows: Rows
    terminal: NDArray[np.bool_]
    goals: NDArray[np.int16]
    counts: NDArray[np.int32]
    before: NDArray[np.int64]
    joint: NDArray[np.int32]
    loop: list[tuple[int, NDArray[np.int32]]]

    def __len__(self) -> int:
        return len(self.rows)

    def path(self, place: int) -> list[NDArray[np.int32]]:
        """The joint moves of a play that leads to a state."""
        moves = []
        while self.before[place] >= 0:
            moves.append(self.joint[place])
            place = int(self.before[place])
        return moves[::-1]


def faulty(view: View | Plays, players: Sequence[int]) -> NDArray[np.bool_]:
    """For each state whether some role cannot move before the end, or `players` have no one goal
    each at the end."""
    stuck = ~view.terminal & (view.counts == 0).any(axis=1)
    scored = (view.goals[:, players] > NO_GOAL).all(axis=1)
    return np.asarray(stuck | (view.terminal & ~scored))


def random_plays(game: Game, most: int, seed: int = 1) -> Plays:
    """Plays in which every role moves uniformly at random.

    Up to `most` states, or as far as the account of time that is in force lasts.
    """
    machine = game.machine
    rng = np.random.default_rng(seed)
    start = machine.rows([game.initial.bits])
    known = RowIndex(machine.coding.words)
    known.add(start)
    first = machine.view(start)
    terminal, goals, counts = [first.terminal], [first.goals], [first.counts]
    roles = len(game.roles)
    before = [np.array([-1])]
    joints = [np.full((1, roles), -1, dtype=np.int32)]
    loop: list[tuple[int, NDArray[np.int32]]] = []
    fruitless, left = 0, min(MAX_EVALUATED, MAX_GATES // game.net.size)

    def goes_on() -> bool:
        return len(known) < most and left > 0 and time_left() > 0

    while goes_on() and fruitless < FRUITLESS:
        met = len(known)
        rows, view = np.repeat(start, LANES, axis=0), _repeated(first, LANES)
        places = np.zeros(LANES, dtype=np.int64)
        walks = _Walks(roles)
        for _ in range(MAX_PLIES):
            going = np.flatnonzero(~view.terminal & (view.counts > 0).all(axis=1))
            if not len(going) or not goes_on():
                break
            joint = chosen(view, going, rng)
            walks.go_on(going, places, joint)
            rows = machine.next(rows[going], joint)
            left -= len(rows)
            count = len(known)
            places, came_from = known.add(rows).astype(np.int64), places[going]
            view = machine.view(rows)
            new, lanes = np.unique(places, return_index=True)
            lanes = lanes[new >= count]
            terminal.append(view.terminal[lanes])
            goals.append(view.goals[lanes])
            counts.append(view.counts[lanes])
            before.append(came_from[lanes])
            joints.append(joint[lanes])
            if not loop:
                loop = walks.loop(places)
        fruitless = fruitless + 1 if len(known) == met else 0
    return Plays(
        known.rows.copy(),
        np.concatenate(terminal),
        np.concatenate(goals),
        np.concatenate(counts),
        np.concatenate(before),
        np.concatenate(joints),
        loop,
    )


def _repeated(view: View, count: int) -> View:
    """One state's view, so many times."""
    return View(
        np.repeat(view.terminal, count),
        np.repeat(view.goals, count, axis=0),
        np.repeat(view.counts, count, axis=0),
        np.arange(count + 1) * len(view.legal),
        np.tile(view.legal, count),
    )


def chosen(view: View, lanes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
    """A random joint move in some of the states."""
    counts = view.counts[lanes].astype(np.int64)
    start = view.first[lanes][:, None] + np.cumsum(counts, axis=1) - counts
    return np.asarray(view.legal[start + (rng.random(counts.shape) * counts).astype(np.int64)])


class _Walks:
    """Plays side by side: the places they went through and the moves made there, by step."""

    def __init__(self, roles: int) -> None:
        self._steps = 0
        self._lanes = np.arange(LANES)
        self._places = np.empty((MAX_PLIES, LANES), dtype=np.int64)
        self._joints = np.empty((MAX_PLIES, LANES, roles), dtype=np.int32)

    def go_on(
        self, going: NDArray[np.int64], places: NDArray[np.int64], joint: NDArray[np.int32]
    ) -> None:
        """Those of the plays that go on make a move each; the others have ended."""
        self._lanes = self._lanes[going]
        self._places[self._steps, self._lanes] = places[going]
        self._joints[self._steps, self._lanes] = joint
        self._steps += 1

    def loop(self, places: NDArray[np.int64]) -> list[tuple[int, NDArray[np.int32]]]:
        """The part of a play since it was where it is now, of the play for which that is shortest;
        empty where none was there before."""
        met = self._places[: self._steps, self._lanes][::-1] == places
        if not met.any():
            return []
        steps = np.where(met.any(axis=0), met.argmax(axis=0), self._steps)
        lane = self._lanes[steps.argmin()]
        since = slice(self._steps - 1 - int(steps.min()), self._steps)
        return list(zip(self._places[since, lane].tolist(), self._joints[since, lane], strict=True))


def way_back(
    machine: Machine, start: Rows, count: int, plies: int, rng: np.random.Generator
) -> list[NDArray[np.int32]] | None:
    """Joint moves of a short random play from a state (shape (1, words)) back to it, or None."""
    rows = np.repeat(start, count, axis=0)
    walks: list[list[NDArray[np.int32]]] = [[] for _ in range(count)]
    for _ in range(plies):
        view = machine.view(rows)
        going = np.flatnonzero(~view.terminal & (view.counts > 0).all(axis=1))
        if not len(going):
            return None
        joint = chosen(view, going, rng)
        walks = [[*walks[i], moves] for i, moves in zip(going.tolist(), joint, strict=True)]
        rows = machine.next(rows[going], joint)
        back = np.flatnonzero((rows == start).all(axis=1))
        if len(back):
            return walks[int(back[0])]
    return None
