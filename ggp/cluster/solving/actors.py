"""The actors of a cluster as the parts of a game: led from layer to layer, made anew when lost."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.cluster.task import edition
from ggp.errors import InputError, LimitReached
from ggp.limits import Budget
from ggp.machine import Progress, Rows
from ggp.solver.layers.division import Division, Expanded, Traffic
from ggp.solver.layers.induction import Induction, Layers
from ggp.solver.layers.plan import Plan
from ggp.solver.layers.tablebase import Notes

MOST_PARTS = 1 << 12
"""Parts that positions are divided into."""

LIVES = 100
"""Times that an actor is made anew where its process or its machine was lost."""

SHARE = 0.01
"""Processors that an actor asks for: so few that those of a machine that is gone find room on the
others, which have actors of their own."""

ANSWERS, HELPERS = "answers", 4
"""What others ask is answered beside the part's own work: so many questions at once."""

GLANCE = 0.5
"""Seconds between two looks at the account, and at how far the actors are."""


class Actors:
    """Solves games on a cluster: `ray` is connected to it; `parts` is a power of two.

    By default one part for each processor of the cluster, or as many more as make a power of two.
    Raises `InputError` for another number.
    """

    def __init__(self, ray: Any, parts: int | None = None) -> None:  # noqa: ANN401
        self._ray = ray
        self._cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.parts = parts or 1 << (self._cores - 1).bit_length()
        if self.parts & (self.parts - 1) or not 1 <= self.parts <= MOST_PARTS:
            raise InputError(f"parts of a game: a power of two, at most {MOST_PARTS:,}")

    @property
    def is_here(self) -> bool:
        """Whether the machines of the cluster are all this one."""
        alive = [node for node in self._ray.nodes() if node["Alive"]]
        return {node["NodeManagerHostname"] for node in alive} == {socket.gethostname()}

    def solve(
        self,
        plan: Plan,
        rows: Rows,
        folder: Path,
        about: Mapping[str, Any],
        budget: Budget,
        progress: Progress | None,
    ) -> Layers:
        """See `Elsewhere`. Raises what solving raises, `LimitReached` for parts that are lost."""
        troop = _Troop(self._ray, self._cores, self.parts, plan, budget, progress)
        try:
            troop.muster(rows, folder, about)
            return Induction(troop, len(plan.game.players), budget).run(rows)
        except BaseException:
            troop.dismiss()
            raise


class _Troop:
    """The actors that work on one game."""

    def __init__(
        self,
        ray: Any,  # noqa: ANN401
        cores: int,
        parts: int,
        plan: Plan,
        budget: Budget,
        progress: Progress | None,
    ) -> None:
        self._ray, self._plan, self._budget, self._progress = ray, plan, budget, progress
        self.division = Division(parts.bit_length() - 1)
        self._threads = max(1, cores // parts)
        self.members: list[Any] = []

    def muster(self, rows: Rows, folder: Path, about: Mapping[str, Any]) -> None:
        """Make the actors, each with its part of the rows."""
        from ggp.cluster.solving.member import ActorPlace, Member, packed

        family = secrets.token_hex(8)
        limits = replace(self._plan.limits, seconds=float("inf"))
        given = packed(replace(self._plan, limits=limits), rows)
        top = int(self._plan.moving().ranks(rows).max())
        kind = self._ray.remote(concurrency_groups={ANSWERS: HELPERS})(Member)
        for number in range(self.division.parts):
            place = ActorPlace(
                family,
                number,
                self.division.bits,
                self._threads,
                str(folder.absolute()),
                {**about, "part": number, "parts": self.division.parts},
            )
            options = kind.options(
                name=place.name,
                num_cpus=SHARE,
                max_restarts=LIVES,
                max_task_retries=-1,
                scheduling_strategy="SPREAD",
            )
            self.members.append(options.remote(place, top, *given))

    def dismiss(self) -> None:
        """End the actors; their files stay, whole."""
        for member in self.members:
            self._ray.kill(member)
        self.members = []

    def ask(self, method: str, *args: object, timed: bool = False) -> list[Any]:
        """What each actor answers, the account and its own progress being looked at meanwhile."""
        given = (*args, self._left()) if timed else args
        waiting = [getattr(member, method).remote(*given) for member in self.members]
        left = waiting
        while left:
            _, left = self._ray.wait(left, num_returns=len(left), timeout=GLANCE)
            if left:
                self._look()
        return self._taken(waiting)

    def _aside(self, method: Any, *args: object) -> Any:  # noqa: ANN401
        """Ask what an actor answers beside its own work."""
        return method.options(concurrency_group=ANSWERS).remote(*args)

    def _taken(self, waiting: Sequence[Any]) -> list[Any]:
        """The answers; what was raised there is raised here."""
        errors = self._ray.exceptions
        try:
            found: list[Any] = self._ray.get(list(waiting))
        except errors.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, Exception) else error
            if isinstance(cause, errors.RayError):
                raise _lost(cause) from None
            raise cause from None
        except errors.RayError as error:
            raise _lost(error) from None
        return found

    def _left(self) -> float:
        return max(0.0, self._budget.limits.seconds - self._budget.seconds)

    def _look(self) -> None:
        self._budget.check("on a cluster")
        if self._progress:
            asked = [self._aside(member.told) for member in self.members]
            heard, _ = self._ray.wait(asked, num_returns=len(asked), timeout=GLANCE)
            if len(heard) == len(asked):
                told = np.array(self._taken(asked)).sum(axis=0).tolist()
                self._progress(*told)

    # As `Parts` of an induction

    def begin(self, rows: Rows) -> None:
        """The rows were given to the actors when they were made; wait until all are there."""
        if set(self.ask("edition")) != {edition()}:
            raise InputError("the cluster's machines have another version of ggp than this program")

    def next_rank(self, below: int | None) -> int | None:
        """See `Parts`."""
        return max((r for r in self.ask("next_rank", below) if r is not None), default=None)

    def expand(self, rank: int) -> list[Expanded]:
        """See `Parts`."""
        return self.ask("expand", rank, timed=True)

    def turned(self) -> None:
        """See `Parts`."""
        self.ask("turned")

    def value(self, rank: int, scores: NDArray[np.int64]) -> None:
        """See `Parts`."""
        self.ask("value", rank, scores, timed=True)

    def layers(self, sizes: Mapping[int, int]) -> RemoteLayers:
        """See `Parts`."""
        return RemoteLayers(self, sizes)

    def look_up(self, rank: int, wanted: Rows) -> tuple[NDArray[np.uint8], int]:
        """See `Valued`."""
        from ggp.solver.layers.kernels import MISSING

        found = np.full(len(wanted), MISSING, dtype=np.uint8)
        of = self.division.of(wanted)
        for part in np.unique(of).tolist():
            at = np.flatnonzero(of == part)
            keys = self.division.inside(wanted[at])
            found[at] = self._taken([self._aside(self.members[part].found, rank, keys)])[0]
        return found, int((found == MISSING).sum())


def _lost(error: object) -> LimitReached:
    return LimitReached(
        "lives of an actor", LIVES, f"a part was lost and not made anew ({type(error).__name__})"
    )


class RemoteLayer:
    """The positions of a rank, of which actors have the parts."""

    def __init__(self, troop: _Troop, rank: int, size: int) -> None:
        self._troop, self._rank, self._size = troop, rank, size

    def __len__(self) -> int:
        return self._size

    def look_up(self, wanted: Rows) -> tuple[NDArray[np.uint8], int]:
        """See `Valued`."""
        return self._troop.look_up(self._rank, wanted)


class RemoteLayers(Mapping[int, RemoteLayer]):
    """The layers that actors have, while the cluster is there."""

    def __init__(self, troop: _Troop, sizes: Mapping[int, int]) -> None:
        self._troop, self._sizes = troop, sizes

    def __getitem__(self, rank: int) -> RemoteLayer:
        return RemoteLayer(self._troop, rank, self._sizes[rank])

    def __iter__(self) -> Iterator[int]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)

    def write(self, folder: Path, notes: Notes) -> int:
        """Have each actor write its file of a table; how many positions there are in all."""
        ranks = list(self._sizes)
        return sum(self._troop.ask("write", str(folder.absolute()), ranks, notes, timed=True))

    @property
    def traffic(self) -> Traffic:
        """What was sent between the parts."""
        return sum(self._troop.ask("traffic"), Traffic())
