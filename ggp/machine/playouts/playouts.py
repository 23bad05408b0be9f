"""Random playouts by the thousand: 512 at a time, interpreted until compiled code is there.

The result depends on the net, the state, the number and the seed alone. Playouts come in blocks,
each with random numbers of its own, so that neither the number of threads nor the engine matters;
within a block the first so many playouts that were begun are all played to their end, so that
short ones are not preferred.
"""

from __future__ import annotations

import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ggp.displayed import Displayed
from ggp.ground import Net
from ggp.machine.engine.frames import LANES, LEFT, LONG, PLIES, STUCK, WORDS, Tally, Words
from ggp.machine.engine.unit import Unit

BLOCK = 32 * LANES
"""Playouts of one block, but for the last."""

MAX_PLIES = 10_000
"""Moves after which a playout is given up, unless told otherwise."""


@dataclass(frozen=True, eq=False)
class Playouts(Displayed):
    """What random playouts came to.

    `goals`: for each role how often it ended with each goal value. `lengths[n]`: how many ended
    after `n` moves of every role. `stuck`: playouts that ended because a role had no legal move;
    `unfinished`: those that were given up. These count in `count`, `goals` and `lengths` do not
    have them. `moves`: joint moves made in all.
    """

    count: int
    goals: dict[str, dict[int, int]]
    lengths: NDArray[np.int64]
    stuck: int
    unfinished: int
    moves: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Playouts):
            return NotImplemented
        same = np.array_equal(self.lengths, other.lengths) and self.goals == other.goals
        mine = (self.count, self.stuck, self.unfinished, self.moves)
        return same and mine == (other.count, other.stuck, other.unfinished, other.moves)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Playouts) -> Playouts:
        """What both came to together; of the same net."""
        lengths = np.zeros(max(len(self.lengths), len(other.lengths)), dtype=np.int64)
        lengths[: len(self.lengths)] += self.lengths
        lengths[: len(other.lengths)] += other.lengths
        goals = {
            role: {value: times + other.goals[role][value] for value, times in own.items()}
            for role, own in self.goals.items()
        }
        return Playouts(
            self.count + other.count, goals, lengths, self.stuck + other.stuck,
            self.unfinished + other.unfinished, self.moves + other.moves,
        )  # fmt: skip

    @property
    def finished(self) -> int:
        """Playouts that came to a terminal state."""
        return self.count - self.stuck - self.unfinished

    @property
    def mean_length(self) -> float:
        """Moves of a finished playout on average; 0 without any."""
        total = int(self.lengths @ np.arange(len(self.lengths)))
        return total / self.finished if self.finished else 0.0

    def mean_goal(self, role: str) -> float:
        """The average goal of a role over finished playouts; 0 without any."""
        total = sum(value * times for value, times in self.goals[role].items())
        return total / self.finished if self.finished else 0.0


def ended(net: Net, held: Sequence[Sequence[int]], count: int) -> Playouts:
    """The playouts from a terminal state in which these goals of each role hold."""
    goals = {
        str(role): {value: count * (value in values) for value, _ in own}
        for role, own, values in zip(net.roles, net.goals, held, strict=True)
    }
    return Playouts(count, goals, np.array([count], dtype=np.int64), 0, 0, 0)


@dataclass(frozen=True, eq=False)
class Favour:
    """Moves that roles favour in random play, and which they make.

    `lanes` (moves, 8): for each of `Net.legal` the lanes in which it is favoured, by the role in
    its turn and over all of a play. `made`: for each 512 plays an array of that shape, appended
    when they are over: the lanes in which it was made in turn, if the play came to an end.
    """

    lanes: Words
    made: list[Words] = field(default_factory=list)


class PlayoutPlayer(ABC):
    """Runs playouts of one net.

    States that it starts from are rows of words with a bit for each fluent, or those of the
    machine if it `is_packed`.
    """

    is_packed = False

    def __init__(self, net: Net) -> None:
        self.net = net

    @property
    def units(self) -> tuple[Unit, ...]:
        """The circuits that it runs."""
        return ()

    def run(
        self,
        start: Words,
        count: int,
        seed: int,
        *,
        threads: int = 1,
        first: int = 0,
        max_plies: int = MAX_PLIES,
        until: float = math.inf,
    ) -> Playouts:
        """`count` playouts from a state that is not terminal, of shape (words,).

        They are those of the block `first` and of the following ones.
        When the clock (`time.monotonic`) passes `until` all stops: `count` is then what had been
        played to an end, short playouts rather than long ones.
        """
        work = _PlayoutWork(self, start, count, seed, first, max_plies, until)
        with ThreadPoolExecutor(threads) as pool:
            try:
                for done in [pool.submit(work.run) for _ in range(threads)]:
                    done.result()
            finally:
                work.until = 0.0
        return self._playouts(work.tally)

    def each(
        self,
        starts: Words,
        seed: int,
        max_plies: int,
        until: float,
        favour: Favour | None = None,
    ) -> NDArray[np.bool_]:
        """One playout from each state (n, words): the goals that held at its end (n, goals).

        Goals of one role after the other, as in `Net.goals`. Of a playout that did not end before
        `until` none holds. `favour` is for who heeds it, see `Machine.guided`.
        """
        parts = [np.zeros((0, sum(map(len, self.net.goals))), dtype=np.bool_)]
        for start in range(0, len(starts), LANES):
            part = starts[start : start + LANES]
            tally = _no_tally(self.net, max_plies, by_lane=True)
            self.play(part, (seed, start), tally, lambda: until, favour)
            bits = np.unpackbits(tally.reached.view(np.uint8), axis=1, bitorder="little")
            parts.append(bits[:, : len(part)].T.astype(np.bool_))
        return np.concatenate(parts)

    @abstractmethod
    def play(
        self,
        starts: Words,
        seed: tuple[int, int],
        tally: Tally,
        until: Callable[[], float],
        favour: Favour | None = None,
    ) -> None:
        """Play in as many lanes as there are states to start from, and go on as `tally` says."""

    def _playouts(self, tally: Tally) -> Playouts:
        used = np.flatnonzero(tally.lengths)
        counts = iter(tally.values.tolist())
        goals = {
            str(role): {value: next(counts) for value, _ in own}
            for role, own in zip(self.net.roles, self.net.goals, strict=True)
        }
        stuck, unfinished = tally.counters[[STUCK, LONG]].tolist()
        return Playouts(
            count=int(tally.lengths.sum()) + stuck + unfinished,
            goals=goals,
            lengths=tally.lengths[: used[-1] + 1] if len(used) else tally.lengths[:0],
            stuck=stuck,
            unfinished=unfinished,
            moves=int(tally.counters[PLIES]),
        )


def _no_tally(net: Net, longest: int, *, by_lane: bool = False) -> Tally:
    goals = sum(map(len, net.goals))
    return Tally(
        np.zeros(7, dtype=np.int64),
        np.zeros(goals, dtype=np.int64),
        np.zeros((goals if by_lane else 0, WORDS), dtype=np.uint64),
        np.zeros(longest + 1, dtype=np.int64),
    )


class _PlayoutWork:
    """The blocks of a number of playouts, shared out among threads as they come for them."""

    def __init__(
        self,
        player: PlayoutPlayer,
        start: Words,
        count: int,
        seed: int,
        first: int,
        longest: int,
        until: float,
    ) -> None:
        self.player, self.start, self.seed = player, start, seed
        self.longest, self.until = longest, until
        self.tally = _no_tally(player.net, longest)
        self._left = count
        self._next = first
        self._lock = threading.Lock()

    def run(self) -> None:
        """Play blocks until there are none left, or time is over."""
        while time.monotonic() < self.until:
            with self._lock:
                count, number = min(self._left, BLOCK), self._next
                self._left -= count
                self._next += 1
            if not count:
                return
            tally = self._block(count, number)
            with self._lock:
                for total, part in zip(self.tally, tally, strict=True):
                    total += part

    def _block(self, count: int, number: int) -> Tally:
        lanes = min(count, LANES)
        starts = np.repeat(self.start[None], lanes, axis=0)
        tally = _no_tally(self.player.net, self.longest)
        tally.counters[LEFT] = count - lanes
        self.player.play(starts, (self.seed, number), tally, lambda: self.until)
        return tally
