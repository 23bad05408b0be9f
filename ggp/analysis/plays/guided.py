"""Plays that look for a fault: a role that is stuck, or an end without one goal for each player.

Random play ends long before a board is full, or a player has lost all but one piece. So many plays
go on side by side, none into an end if there is another way (beam search: Lowerre, "The HARPY
speech recognition system", 1976): any of them, or those in which one role has least to choose from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.plays.plays import MAX_PLIES, chosen, faulty
from ggp.game import Game
from ggp.limits import look
from ggp.machine import View

WIDTH, TRIED = 128, 16
"""Plays side by side, and joint moves that are tried in each; in fewer plays more."""

SEEDS = 3
"""Searches of each kind."""

MAX_GATES = 20_000_000_000
"""Gates of all states together that are evaluated."""

SPREAD = 2.0
"""Moves more or less by which one state is not preferred to another."""


@dataclass(frozen=True)
class FaultyPlay:
    """A joint move for each step from the initial state, the last into a state with a fault.

    `stuck`: a role that cannot move there; otherwise play is over without one goal for each player.
    """

    joints: tuple[NDArray[np.int32], ...]
    stuck: int | None


def find_fault(game: Game) -> FaultyPlay | None:
    """A play into a fault, if one is found; the same for the same game on any machine."""
    left = MAX_GATES // game.net.size
    for seed in range(SEEDS):
        for role in (None, *range(len(game.roles))):
            search = _GuidedSearch(game, role, np.random.default_rng(seed))
            for tried in search.run():
                look("plays that look for faults")
                left -= tried
                if left <= 0:
                    return None
            if search.found is not None:
                return search.found
    return None


class _GuidedSearch:
    """One search; `role`: who is to have few moves, if anybody."""

    def __init__(self, game: Game, role: int | None, rng: np.random.Generator) -> None:
        self.game, self.role, self.rng = game, role, rng
        self.found: FaultyPlay | None = None
        self._steps: list[tuple[NDArray[np.int64], NDArray[np.int32]]] = []
        """For each step the place of each state's predecessor, and the joint move."""

    def run(self) -> Iterator[int]:
        """Go on step by step; how many states each of them tried."""
        machine = self.game.machine
        rows = machine.rows([self.game.initial.bits])
        view = machine.view(rows)
        choice = np.full(1, np.inf)
        if view.terminal[0] or faulty(view, self.game.player_indices)[0]:
            return  # there is no play to be made
        while len(self._steps) < MAX_PLIES and len(rows):
            lanes = np.repeat(np.arange(len(rows)), WIDTH * TRIED // len(rows))
            joint = chosen(view, lanes, self.rng)
            rows = machine.next(rows[lanes], joint)
            yield len(rows)
            _, first = np.unique(rows, axis=0, return_index=True)
            rows, lanes, joint = rows[first], lanes[first], joint[first]
            view = machine.view(rows)
            self._steps.append((lanes, joint))
            self._look_for_fault(view)
            if self.found is not None:
                return
            going = np.flatnonzero(~view.terminal)
            choice = self._choice(view, choice[lanes])
            kept = going[self._best(choice[going])]
            self._steps[-1] = lanes[kept], joint[kept]
            rows, choice = rows[kept], choice[kept]
            view = machine.view(rows)

    def _look_for_fault(self, view: View) -> None:
        for place in np.flatnonzero(faulty(view, self.game.player_indices))[:1].tolist():
            stuck = [] if view.terminal[place] else np.flatnonzero(view.counts[place] == 0).tolist()
            self.found = FaultyPlay(self._path(place), stuck[0] if stuck else None)

    def _path(self, place: int) -> tuple[NDArray[np.int32], ...]:
        joints = []
        for before, joint in reversed(self._steps):
            joints.append(joint[place])
            place = int(before[place])
        return tuple(reversed(joints))

    def _choice(self, view: View, before: NDArray[np.float64]) -> NDArray[np.float64]:
        """How many moves the role had when it last had a choice."""
        if self.role is None:
            return before
        count = view.counts[:, self.role]
        return np.where(count > 1, count, before)

    def _best(self, choice: NDArray[np.float64]) -> NDArray[np.int64]:
        """Places of the states that are gone on from: those with least choice, and some others."""
        if self.role is None:
            return self.rng.permutation(len(choice))[:WIDTH]
        order = np.argsort(choice + SPREAD * self.rng.random(len(choice)), kind="stable")
        best, others = order[: WIDTH * 3 // 4], order[WIDTH * 3 // 4 :]
        return np.concatenate([best, self.rng.permutation(others)[: WIDTH // 4]])
