"""Batches of descents, and several of them under way at once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.machine import Rows
from ggp.play.search.leaves import Opened
from ggp.play.search.tree import Paths

HELPING = 1.5
"""So many times as long as the way down and up the tree are a batch's plays where its thread
helps with them."""


class Batch(NamedTuple):
    """Descents of a tree of this generation that ended at leaves: those that are to be opened, with
    their rows (at least so many of them); the numbers of the descents that are to be played on,
    with the rows of their leaves; and what each role gets in leaves that are decided."""

    generation: int
    paths: Paths
    opened: NDArray[np.int32]
    parents: Rows
    at_least: int
    going: NDArray[np.intp]
    rows: Rows
    seed: int
    decided: NDArray[np.int32]
    goals: NDArray[np.float64]

    def given_up(self) -> Played:
        """What comes of it where nothing is made or played: as if there had been no descent."""
        return Played(None, np.full((len(self.paths.length), self.goals.shape[1]), -1.0), set())


class Played(NamedTuple):
    """What the opened leaves lead to, what each role gets by each descent, and what the players had
    together at ends."""

    children: Opened | None
    reward: NDArray[np.float64]
    sums: set[int]


class Together:
    """Batches of one tree by several threads. One alone, which calls `run`, looks at the tree, so
    that it stays in the memory next to one core (where two walked it by turns, one of them took
    up to 2.6 times as long for a descent); the others make and play what its
    descents ask for, and that one helps where they are what takes long.

    `prepare` descends, `play` is what others may do, `finish` enters what came of it.
    """

    def __init__(
        self,
        threads: int,
        prepare: Callable[[], Batch],
        play: Callable[[Batch], Played],
        finish: Callable[[Batch, Played], None],
    ) -> None:
        self._threads = threads
        self._prepare, self._play, self._finish = prepare, play, finish
        self._flying: deque[tuple[Batch, Future[Played]]] = deque()
        self._walking = self._playing = 0.0

    def run(self, goes_on: Callable[[], bool], look: Callable[[], None]) -> None:
        """Batches as long as it `goes_on`; `look` may end all by raising, and leaves no descent
        under way."""
        flying = self._flying
        with ThreadPoolExecutor(self._threads - 1) as pool:
            try:
                while goes_on():
                    begun = time.perf_counter()
                    batch = self._prepare()
                    self._walking += time.perf_counter() - begun
                    flying.append((batch, pool.submit(self._played, batch)))
                    if len(flying) >= self._threads + self._helps:
                        self._land()
                    look()
                while flying:
                    self._land()
            finally:
                for batch, coming in flying:
                    coming.cancel()
                    self._finish(batch, batch.given_up())
                flying.clear()

    @property
    def _helps(self) -> bool:
        """Whether the others have more to do than the thread with the tree."""
        return self._playing > HELPING * self._walking * (self._threads - 1)

    def _played(self, batch: Batch) -> Played:
        begun = time.perf_counter()
        found = self._play(batch)
        self._playing += time.perf_counter() - begun
        return found

    def _land(self) -> None:
        """Enter the batch that is done first; where none is, perhaps play one that nobody has
        begun."""
        flying = self._flying
        done = next((i for i, (_, coming) in enumerate(flying) if coming.done()), None)
        is_own = done is None and self._helps and flying[-1][1].cancel()
        flying.rotate(1 if is_own else -(done or 0))
        batch, coming = flying[0]
        played = self._played(batch) if is_own else coming.result()
        flying.popleft()
        begun = time.perf_counter()
        self._finish(batch, played)
        self._walking += time.perf_counter() - begun
