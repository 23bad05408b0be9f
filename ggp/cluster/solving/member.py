"""An actor that has one part of the positions of a game. Imported where Ray is there alone."""

from __future__ import annotations

import pickle
import signal
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import ray
from numpy.typing import NDArray

from ggp.cluster.solving.actors import ANSWERS
from ggp.cluster.task import edition
from ggp.limits import Budget
from ggp.machine import Rows
from ggp.solver.layers.division import Division, Expanded, Traffic
from ggp.solver.layers.part import Part
from ggp.solver.layers.plan import Plan
from ggp.solver.layers.shelf import InFolder
from ggp.solver.layers.tablebase import Notes, write_part
from ggp.solver.layers.workers import Workers

FLYING = 1 << 28
"""Bytes of keys that a part has on their way to others."""

PIECE = 1 << 16
"""Bytes of what an actor is made from that are given together."""


@dataclass(frozen=True)
class ActorPlace:
    """Which part an actor has, and where: actors of `family` are found by its name and their
    numbers. `folder` is made on the actor's machine, unless machines share it."""

    family: str
    number: int
    bits: int
    threads: int
    folder: str
    about: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What the actor is called."""
        return name_of(self.family, self.number)

    @property
    def path(self) -> Path:
        """The folder of this part."""
        return Path(self.folder) / f"part-{self.number:05d}-of-{1 << self.bits:05d}"


def name_of(family: str, number: int) -> str:
    """What the actor with a part of that number is called."""
    return f"ggp-{family}-{number}"


def packed(plan: Plan, rows: Rows) -> list[bytes]:
    """What an actor is made from, in pieces so small that Ray keeps them with the actor: what it
    keeps apart from it can be lost before the actor is made anew."""
    data = pickle.dumps((plan, rows))
    return [data[i : i + PIECE] for i in range(0, len(data), PIECE)]


class Others:
    """The other actors, as one of them sees them."""

    def __init__(self, place: ActorPlace) -> None:
        self._place = place
        self._known: dict[int, Any] = {}
        self._flying: list[tuple[Any, int]] = []

    def _actor(self, part: int) -> Any:  # noqa: ANN401 - Ray says nothing of its types
        if part not in self._known:
            self._known[part] = ray.get_actor(name_of(self._place.family, part))
        return self._known[part]

    def enter(self, part: int, to: int, source: int, keys: Rows) -> None:
        """See `Peers`."""
        enter = self._actor(part).enter.options(concurrency_group=ANSWERS)
        entered = enter.remote(to, source, self._place.number, keys)
        self._flying.append((entered, keys.nbytes))
        while sum(size for _, size in self._flying) > FLYING and len(self._flying) > 1:
            ray.get(self._flying.pop(0)[0])

    def arrived(self) -> None:
        """See `Peers`."""
        while self._flying:
            ray.get(self._flying.pop(0)[0])

    def codes(self, wanted: Sequence[tuple[int, int, Rows]]) -> list[NDArray[np.uint8]]:
        """See `Peers`."""
        found: list[NDArray[np.uint8]] = ray.get(
            [
                self._actor(part).codes.options(concurrency_group=ANSWERS).remote(rank, keys)
                for part, rank, keys in wanted
            ]
        )
        return found


class Member:
    """One part. What it is asked it can be asked again, by itself or after it was made anew.

    `given`: the plan and the rows that play starts from, as `packed` makes pieces of them; `top` is
    the highest rank of these.
    """

    def __init__(self, place: ActorPlace, top: int, *given: bytes) -> None:
        if threading.current_thread() is threading.main_thread():
            # Ctrl-C in the terminal that a cluster was started in is for others to hear.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        plan, rows = pickle.loads(b"".join(given))
        self._plan, self._place = plan, place
        self._told = (0, 0)
        shelf = InFolder(place.path, place.about)
        self._part = Part(
            plan.moving(),
            shelf,
            Budget(plan.limits),
            top,
            Workers(place.threads).__enter__(),
            number=place.number,
            division=Division(place.bits),
            peers=Others(place),
            swapped=plan.swapped,
            tell=self._hear,
        )
        self._part.begin(rows)

    def _hear(self, found: int, done: int) -> None:
        self._told = found, done

    def _within(self, seconds: float) -> None:
        self._part.budget = Budget(replace(self._plan.limits, seconds=seconds))

    def edition(self) -> str:
        """Which version of this package is here."""
        return edition()

    def next_rank(self, below: int | None) -> int | None:
        """See `Parts`."""
        return self._part.next_rank(below)

    def expand(self, rank: int, seconds: float) -> Expanded:
        """See `Part`."""
        self._within(seconds)
        return self._part.expand(rank)

    def turned(self) -> None:
        """See `Part`."""
        self._part.turned()

    def value(self, rank: int, scores: NDArray[np.int64], seconds: float) -> int:
        """See `Part`."""
        self._within(seconds)
        return self._part.value(rank, scores)

    def write(self, folder: str, ranks: Sequence[int], notes: Notes, seconds: float) -> int:
        """Write the positions of this part to its file of a table; see `write_part`."""
        self._within(seconds)
        layers = {rank: self._part.layer(rank) for rank in ranks}
        part = self._part
        return write_part(
            Path(folder), layers, part.moving, part.division, part.number, notes, part.budget
        )

    def traffic(self) -> Traffic:
        """What was sent to other parts, and asked of them, since this process began."""
        return self._part.traffic

    def told(self) -> tuple[int, int]:
        """How many positions were found, and how many of these are done."""
        return self._told

    def enter(self, to: int, source: int, by: int, keys: Rows) -> None:
        """See `Part`."""
        self._part.enter(to, source, by, keys)

    def found(self, rank: int, keys: Rows) -> NDArray[np.uint8]:
        """The codes of keys of this part, `MISSING` for those that are not there."""
        return self._part.layer(rank).look_up(keys)[0]

    def codes(self, rank: int, keys: Rows) -> NDArray[np.uint8]:
        """See `Part`."""
        return self._part.codes(rank, keys)
