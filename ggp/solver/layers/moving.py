"""What packed positions lead to, made again whenever it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import GoalError, NoLegalMove
from ggp.game import Game, State
from ggp.later import Later
from ggp.machine import Rows
from ggp.solver.gdl import GdlTree
from ggp.solver.layers.images import Images
from ggp.solver.layers.ranks import Ranks

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
else:
    kernels = Later("ggp.solver.layers.kernels")

EDGES = 1 << 19
"""Joint moves that are made together, unless one position has more."""


class NotRanked(Exception):
    """A move after which the sum is no less."""


@dataclass(frozen=True, eq=False)
class Looked:
    """What holds in n positions, of which each leads to `degree` (n,) others.

    `mover` (n,): the role that has a choice, or `FORCED`, or `OVER`; `goals` (n, roles) are those
    of the ends, and mean nothing elsewhere.
    """

    mover: NDArray[np.int16]
    goals: NDArray[np.int16]
    degree: NDArray[np.int64]


class Looking:
    """What holds in positions, given as rows of the packed machine.

    Of a game without chance, in which at most one role has a choice at a time. With `images` one
    position stands for all that symmetries map it to.
    """

    def __init__(self, game: Game, images: Images | None = None) -> None:
        self.game, self.images = game, images
        self.machine = game.packed_machine
        net = game.net
        moves = len(net.legal)
        self._terminal = moves
        self._bounds = np.array([*net.move_offset, moves], dtype=np.int64)
        sizes = [moves + 1, *map(len, net.goals)]
        self._goal_bounds = np.array(list(accumulate(sizes)), dtype=np.int64)
        values = [value for role in net.goals for value, _ in role]
        self._goal_values = np.array(values or [0], dtype=np.int16)

    def look(self, rows: Rows) -> tuple[Rows, Looked]:
        """The packed views of some rows, and what they say.

        Raises `NoLegalMove` and `GoalError` for faults of the rules, `SimultaneousMoves` where
        several roles have a choice at once.
        """
        packed = self.machine.packed_view(rows)
        mover = np.empty(len(rows), dtype=np.int16)
        goals = np.zeros((len(rows), len(self.game.roles)), dtype=np.int16)
        degree = np.empty(len(rows), dtype=np.int64)
        fault = kernels.look(
            packed, self._bounds, self._terminal, self._goal_bounds, self._goal_values,
            mover, goals, degree,
        )  # fmt: skip
        if fault >= 0:
            self._refuse(rows[fault >> 3 : (fault >> 3) + 1], fault & 7)
        return packed, Looked(mover, goals, degree)

    def _refuse(self, row: Rows, fault: int) -> None:
        state = State(self.game, self.machine.states(row)[0])
        if fault == kernels.STUCK:
            role = next(role for role in self.game.roles if not state.legal(role))
            raise NoLegalMove(f"{role} has no legal move in {state}")
        if fault == kernels.GOALS:
            state.goals  # noqa: B018 - raises with the details
            raise GoalError("a terminal state without exactly one goal value for each role")
        GdlTree(self.game).mover(state)

    def standing(self, rows: Rows) -> Rows:
        """The rows that stand for some rows, which are lost."""
        return rows if self.images is None else self.images(rows)

    def after(self, rows: Rows, packed: Rows, looked: Looked) -> Iterator[tuple[slice, Rows]]:
        """The rows that some rows lead to, slice by slice of these.

        Those of one row after the other, in the order of `Net.legal`.
        """
        for here, _, after in self.made(rows, packed, looked):
            yield here, after

    def made(
        self, rows: Rows, packed: Rows, looked: Looked
    ) -> Iterator[tuple[slice, NDArray[np.int32], Rows]]:
        """The same with the joint moves (n, roles) that lead there, as indices into `Net.legal`."""
        ends = np.cumsum(looked.degree)
        start, roles = 0, len(self.game.roles)
        while start < len(rows):
            used = int(ends[start - 1]) if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, used + EDGES, side="right")))
            edges = int(ends[stop - 1]) - used
            lanes = np.empty(edges, dtype=np.int64)
            joint = np.empty((edges, roles), dtype=np.int32)
            kernels.list_moves(packed, self._bounds, looked.mover, start, stop, lanes, joint)
            after = self.standing(self.machine.next(rows[start:stop], joint, lanes))
            yield slice(start, stop), joint, after
            start = stop


class Moving(Looking):
    """The moves of such a game, of which `ranks` is to fall with every one.

    It is the same for what symmetries map to each other.
    """

    def __init__(self, game: Game, ranks: Ranks, images: Images | None = None) -> None:
        super().__init__(game, images)
        self.ranks = ranks

    def children(
        self, rows: Rows, packed: Rows, looked: Looked, rank: int
    ) -> Iterator[tuple[slice, Rows, NDArray[np.int32]]]:
        """What some rows of one rank lead to, as `after`, with its ranks. Raises `NotRanked`."""
        for here, after in self.after(rows, packed, looked):
            ranks = self.ranks(after)
            if len(ranks) and ranks.max() >= rank:
                raise NotRanked
            yield here, after, ranks


def by_rank(keys: Rows, ranks: NDArray[Any]) -> Iterator[tuple[int, Rows, NDArray[np.intp]]]:
    """For each rank, a number of any kind, its keys, and where they stand among all."""
    if not len(keys):
        return
    low, high = int(ranks.min()), int(ranks.max())
    if low == high:
        yield low, keys, np.arange(len(keys))
        return
    small = high - low < 1 << 16
    order = np.argsort((ranks - low).astype(np.uint16) if small else ranks, kind="stable")
    held = ranks[order]
    bounds = np.flatnonzero(np.concatenate([[True], held[1:] != held[:-1], [True]]))
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        places = order[start:stop]
        yield int(held[start]), keys[places], places
