"""What the machine does for a search: leaves are played out at random, and opened."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.game import Game
from ggp.limits import Budget
from ggp.machine import Rows, View
from ggp.machine.engine.unit import one_by_one
from ggp.machine.view import combinations
from ggp.machine.winning import who_wins
from ggp.play.search.habits import Habits
from ggp.play.search.tree import NOBODY

MAX_PLIES = 2_000
"""A random play that lasts longer counts as an even score."""

MOST_CHILDREN, TOGETHER = 1 << 13, 1 << 14
"""Joint moves of a position beyond which it is not opened; and of all that are opened together."""

MANY = 12
"""Joint moves of a position from which on it is asked of each whether it lets another win in one:
where there are few, that is found out soon, and what it costs tells of the danger (measured)."""

SAMPLE = 512
"""Random plays that are to say whether the interests of two players are opposed."""


@dataclass(frozen=True)
class Settings:
    """How a search is done.

    `batch`: descents at once; `plays`: random plays from each leaf at the least, more where all of
    a batch together are less than `lanes`; `explore`, `trust`, `expand_at`, `wide`: see `Style`;
    `nodes`: positions at the most; `foresight`: roles look ahead in random play, see
    `Machine.foreseeing`; `habits`: who does not may get habits (`Machine.favouring`) instead.
    """

    batch: int = 256
    plays: int = 4
    explore: float = 0.2
    trust: float = 1.0
    expand_at: int = 2
    wide: int = 16
    lanes: int = 512
    nodes: int = 1_000_000
    foresight: bool = False
    habits: bool = True


class Opened(NamedTuple):
    """What leaves lead to, as `growing.attach` takes it."""

    counts: NDArray[np.int32]
    first: NDArray[np.int64]
    legal: NDArray[np.int32]
    bounds: NDArray[np.int64]
    rows: Rows
    terminal: NDArray[np.uint8]
    goals: NDArray[np.int16]
    bias: NDArray[np.float64]
    winner: NDArray[np.int16]


class Leaves:
    """Leaves of a tree for one game."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self._game, self._settings = game, settings
        self._machine = game.machine
        self._players = np.array(game.player_indices, dtype=np.intp)
        self._pace = 0.0
        self.foresight = settings.foresight
        self._winner = who_wins(game.machine) if settings.foresight else None
        self.foreseeing: threading.Thread | None = None
        self.habits: Habits | None = None

    def foresee_soon(self) -> None:
        """Begin to find out, in the background, how roles can look ahead in random play; they do
        so once machine code for it is there, if it is ever made."""
        if self.foreseeing is None:
            self.foreseeing = threading.Thread(target=self._foresee, daemon=True)
            self.foreseeing.start()

    def _foresee(self) -> None:
        # Whatever goes wrong, memory that runs out for one, plays are as they were.
        # Ctrl-C is for the thread that is waited for.
        with (
            suppress(Exception, KeyboardInterrupt),
            Budget(self._game.limits).in_force(),
        ):
            machine = self._machine
            with one_by_one:
                winner = who_wins(machine)
                if winner:
                    winner(machine.rows([self._game.initial.bits]))  # it may compile its circuit
            self._winner = winner
            with one_by_one:
                player = machine.foreseeing
            if player:
                self.foresight = all(unit.finish() for unit in player.units)
                return
            if self._settings.habits:
                with one_by_one:
                    player = machine.favouring
                if player and all(unit.finish() for unit in player.units):
                    self.habits = Habits(self._game.net)

    def go_on(self) -> None:
        """Another state is thought about from now on."""
        if self.habits:
            self.habits.fade()

    def both(self, row: Rows) -> int | None:
        """What two players have together at the ends of random plays from a state, if that is
        always the same. No proof that their interests are opposed."""
        if len(self._game.players) == 2:
            again = np.repeat(row[None], SAMPLE, axis=0)
            sums = self.sums(self._machine.play_on(again, 1, max_plies=MAX_PLIES))
            if len(sums) == 1 and self._may_share(both := sums.pop()):
                return both
        return None

    def _may_share(self, both: int) -> bool:
        """Whether for each goal of one player there is one of the other that makes up this sum."""
        first, second = (
            {value for value, _ in self._game.net.goals[role]} for role in self._game.player_indices
        )
        return first == {both - value for value in second}

    def sums(self, goals: NDArray[np.int16]) -> set[int]:
        """What the players have together at some ends (n, roles) that the rules leave no doubt
        about."""
        own = goals[:, self._players]
        if own.min(initial=0) < 0:
            own = own[(own >= 0).all(axis=1)]
        together = own.sum(axis=1, dtype=np.int64)
        # Mostly it is always the same, which is told without sorting.
        if len(together) and together.min() == together.max():
            return {int(together[0])}
        return set(map(int, np.unique(together)))

    def played(self, rows: Rows, seed: int, until: float) -> tuple[NDArray[np.float64], set[int]]:
        """What each role gets on an average of random plays from some states, parts of 100, less
        than 0 where the time was over before the plays were; and what the players had together at
        the ends."""
        plays = max(self._settings.plays, self._settings.lanes // len(rows))
        again = np.repeat(rows, plays, axis=0)
        habits = self.habits
        favour = habits.favour(seed) if habits else None
        goals = self._machine.play_on(
            again, seed, max_plies=MAX_PLIES, until=until, foresight=self.foresight, favour=favour
        )
        parts = np.where(goals >= 0, goals, 50) * 0.01
        means: NDArray[np.float64] = parts.reshape(len(rows), plays, -1).sum(axis=1) / plays
        if time.monotonic() > until:
            means[(goals < 0).any(axis=1).reshape(len(rows), plays).any(axis=1)] = -1.0
        elif habits and favour:
            habits.learn(favour, parts, plays)
        return means, self.sums(goals)

    def bias(self, rows: Rows, view: View, count: int) -> NDArray[np.float64]:
        """How keen a search is to try each move of the first `count` of some states, in the order
        of `view.legal`, beside one that nothing is known of."""
        return np.ones(view.first[count])

    def opened(self, rows: Rows, until: float, at_least: int) -> Opened | None:
        """All that some states lead to, or the first of them, `at_least` so many, where it is too
        much for once, or for the time that is left; None where it is nothing."""
        began = time.monotonic()
        machine = self._machine
        view = machine.view(rows)
        many = view.counts.astype(np.float64).prod(axis=1) > MOST_CHILDREN
        if many.any():
            # A position without joint moves is closed.
            view.counts[many, 0] = 0
        sizes = view.counts.astype(np.int64).prod(axis=1).cumsum()
        most = min(TOGETHER, max(0.0, until - began) / self._pace) if self._pace else TOGETHER
        count = int(np.searchsorted(sizes, most, side="right"))
        count = max(count, at_least)
        if not count:
            # Once the loops are compiled it takes much less.
            self._pace /= 2
            return None
        lanes, joint = combinations(view, 0, count)
        after = machine.next(rows, joint, lanes)
        there = machine.view(after)
        bounds = np.searchsorted(lanes, np.arange(count + 1)).astype(np.int64)
        terminal = there.terminal.astype(np.uint8)
        winner = np.full(len(after), NOBODY, dtype=np.int16)
        asked = np.flatnonzero(~there.terminal & (np.diff(bounds) >= MANY)[lanes])
        if self._winner and len(asked):
            winner[asked] = self._winner(after[asked])
        taken = (time.monotonic() - began) / max(1, len(after))
        self._pace = (self._pace + taken) / 2 if self._pace else taken
        return Opened(
            view.counts[:count], view.first, view.legal, bounds, after, terminal, there.goals,
            self.bias(rows, view, count), winner,
        )  # fmt: skip
