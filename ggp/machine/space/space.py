"""The graph of positions: all states that can be reached, with every joint move between them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ggp.arrays import distinct, runs
from ggp.errors import LimitReached
from ggp.limits import Budget, look
from ggp.machine.coding import JointMoves, Rows
from ggp.machine.machine import Machine
from ggp.machine.space.incoming import by_target
from ggp.machine.space.index import RowIndex
from ggp.machine.space.network import MOST, network
from ggp.machine.view import Lanes, View, combinations

Number = TypeVar("Number", bound=np.number)

SHORT = 1 << 15
"""Moves that 16 bits can tell apart."""

FEW = 16
"""Positions that are looked at together at the beginning."""

Progress = Callable[[int, int], None]
"""Called now and then with the positions found and the positions expanded."""


@dataclass(frozen=True, eq=False)
class Space:
    """Positions in order of discovery, and joint moves sorted by the position they leave.

    `depth`: plies from the nearest root. `goals` and `legal_counts` are (positions, roles).
    `first_edge[i]` to `first_edge[i + 1]` are the edges that leave position `i`; `target` (edges,)
    and `joint` (edges, roles) say where each leads and by which moves (indices into `net.legal`).
    Terminal positions have no edges; neither have those where a role has no legal move.
    """

    machine: Machine
    rows: Rows
    depth: NDArray[np.int32]
    terminal: NDArray[np.bool_]
    goals: NDArray[np.int16]
    legal_counts: NDArray[np.int32]
    first_edge: NDArray[np.int64]
    target: NDArray[np.int32]
    joint: JointMoves
    index: RowIndex

    def __len__(self) -> int:
        return len(self.rows)

    def state(self, position: int) -> int:
        """The state at a position, as an integer of fluent bits."""
        return self.machine.states(self.rows[position : position + 1])[0]

    def position(self, state: int) -> int | None:
        """The position of a state, or None where it was not reached."""
        return self.index.find(self.machine.rows([state])[0])

    def edges(self, position: int) -> range:
        """The edges that leave a position."""
        return range(int(self.first_edge[position]), int(self.first_edge[position + 1]))

    @cached_property
    def out_degree(self) -> NDArray[np.int64]:
        """Number of edges that leave each position."""
        return np.diff(self.first_edge)

    @cached_property
    def source(self) -> NDArray[np.int32]:
        """The position that each edge leaves."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.out_degree)

    @cached_property
    def stuck(self) -> NDArray[np.int64]:
        """Positions that are not terminal although a role has no legal move there."""
        return np.flatnonzero(~self.terminal & (self.legal_counts == 0).any(axis=1))

    @cached_property
    def reverse(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Edges by target: `first[i]` to `first[i + 1]` index into the second array."""
        return by_target(self.target, len(self))

    def edges_into(self, positions: NDArray[np.int64]) -> NDArray[np.int32]:
        """The edges that lead to some positions, those into one after those into the other."""
        first, order = self.reverse
        return order[runs(first[positions], first[positions + 1] - first[positions])]

    def leading_to(self, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """For each position whether play from it can come to one of these."""
        found = np.zeros(len(self), dtype=np.bool_)
        frontier = positions
        while len(frontier):
            look("positions that lead to others")
            found[frontier] = True
            sources = distinct(self.source[self.edges_into(frontier)])
            frontier = sources[~found[sources]].astype(np.int64)
        return found

    def networkx(
        self, *, attributes: Collection[str] = ("terminal", "goals"), most: int = MOST
    ) -> Any:  # noqa: ANN401 - networkx says nothing of its types
        """The positions as a `networkx.MultiDiGraph`.

        Nodes are the numbers of positions; `attributes` says what they tell: `depth`, `terminal`,
        `goals` (role → value, at the end of play), `facts` (their texts, sorted). An edge has
        `moves`, role → move; `graph.graph["roles"]` are the roles in order.

        Raises `InputError` where networkx is not installed and for other attributes,
        `LimitReached` where there are more than `most` nodes and edges.
        """
        return network(self, attributes, most)


def explore(
    machine: Machine,
    roots: Iterable[int],
    budget: Budget | None = None,
    *,
    also: Callable[[Rows], Rows] | None = None,
    fold: Callable[[Rows], Rows] | None = None,
    progress: Progress | None = None,
) -> Space:
    """All positions that can be reached from `roots`, breadth first.

    `also` gives, for each batch of positions found, further states to include; `fold` the states
    that stand for those found, as if these were equal. Raises `LimitReached` where the budget is
    spent.
    """
    return _Exploration(machine, budget or Budget(), also, fold, progress).run(list(roots))


class _Exploration:
    def __init__(
        self,
        machine: Machine,
        budget: Budget,
        also: Callable[[Rows], Rows] | None,
        fold: Callable[[Rows], Rows] | None,
        progress: Progress | None,
    ) -> None:
        self.machine = machine
        self.budget = budget
        self.also = also
        self.fold = fold
        self.progress = progress
        self.index = RowIndex(machine.coding.words)
        self.expanded = 0
        self.views: list[View] = []
        self.depths: list[NDArray[np.int32]] = []
        self.degrees: list[NDArray[np.int64]] = []
        self.targets: list[NDArray[np.int32]] = []
        self.joints: list[JointMoves] = []
        self.is_short = len(machine.net.legal) <= SHORT

    def run(self, roots: list[int]) -> Space:
        rows = self.machine.rows(roots)
        self.index.add(self.fold(rows) if self.fold else rows)
        depth, stop = 0, len(self.index)
        while self.expanded < stop:
            while self.expanded < stop:
                # Little at first, so that an account of some milliseconds is kept as well.
                count = min(self.machine.batch, max(FEW, self.expanded))
                self._expand(min(stop, self.expanded + count), depth)
                if self.progress:
                    self.progress(len(self.index), self.expanded)
            depth, stop = depth + 1, len(self.index)
        return self._space()

    def _expand(self, stop: int, depth: int) -> None:
        """Look at the positions that were not expanded yet, up to `stop`, and enter their moves."""
        # A copy: the table may move its rows when it grows.
        rows = self.index.rows[self.expanded : stop].copy()
        view = self.machine.view(rows)
        # Copies: what is a part of a larger array holds all of it.
        none = {name: getattr(view, name)[:0].copy() for name in ("legal", "first")}
        self.views.append(replace(view, terminal=view.terminal.copy(), **none))
        self.depths.append(np.full(len(rows), depth, dtype=np.int32))
        if self.also:
            self.index.add(self.also(rows))
        degrees = np.zeros(len(rows), dtype=np.int64)
        for lanes, joint in joint_moves(self.machine, view, self.budget):
            degrees += np.bincount(lanes, minlength=len(rows))
            after = self.machine.next(rows, joint, lanes)
            after = self.fold(after) if self.fold else after
            found = f"{len(self.index):,} positions so far"
            self.budget.check(found, self.index.growth(len(after)))
            self.targets.append(self.index.add(after))
            self.joints.append(joint.astype(np.int16) if self.is_short else joint)
            self.budget.spend(len(self.index))
        self.degrees.append(degrees)
        self.expanded = stop

    def _space(self) -> Space:
        roles = len(self.machine.net.roles)
        none = np.zeros(0, dtype=np.int32)
        no_move = np.zeros((0, roles), dtype=np.int16 if self.is_short else np.int32)
        moves = sum(map(len, self.targets))
        self.budget.check("for all positions", moves * max(roles * no_move.itemsize, none.itemsize))
        # The largest first, so that no other is held twice while it is.
        joint = _joined(self.joints, no_move)
        target = _joined(self.targets, none)
        degrees = _joined(self.degrees, np.zeros(1, dtype=np.int64))
        return Space(
            machine=self.machine,
            rows=self.index.rows,
            depth=_joined(self.depths, none),
            terminal=np.concatenate([view.terminal for view in self.views]),
            goals=np.concatenate([view.goals for view in self.views]),
            legal_counts=np.concatenate([view.counts for view in self.views]),
            first_edge=np.cumsum(degrees),
            target=target,
            joint=joint,
            index=self.index,
        )


def _joined(parts: list[NDArray[Number]], first: NDArray[Number]) -> NDArray[Number]:
    """`first` and all parts one after the other; the parts are let go."""
    whole = np.concatenate([first, *parts])
    parts.clear()
    return whole


def joint_moves(
    machine: Machine, view: View, budget: Budget
) -> Iterator[tuple[Lanes, NDArray[np.int32]]]:
    """All joint moves of the states in `view` that are not terminal, some batches at a time.

    Each part has the number of the state of each joint move (ascending) and the joint moves (n,
    roles). Raises `LimitReached` for a state with more joint moves than the limits allow.
    """
    products = np.where(view.terminal, 0.0, view.counts.astype(np.float64).prod(axis=1))
    if len(products) and products.max() > budget.limits.joint_moves:
        raise LimitReached("joint_moves", budget.limits.joint_moves, "in one state")
    ends = np.cumsum(products)
    start = 0
    while start < len(products):
        used = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, used + 4 * machine.batch, side="right")))
        lanes, joint = combinations(view, start, stop)
        if len(lanes):
            yield lanes, joint
        start = stop


PACKED, SLICE = 50_000, 1 << 14
"""Positions of one ply from which on packing them pays; and those that are packed at once."""


def perft(
    machine: Machine,
    root: int,
    plies: int,
    budget: Budget | None = None,
    packed: Callable[[], Machine] | None = None,
) -> Iterator[tuple[int, int, int]]:
    """For each ply from 0: distinct positions after exactly that many moves, joint moves that
    leave them, and how many of them are terminal.

    `packed`: gives a machine with rows of fewer bits, asked for when there are many positions.
    Raises `LimitReached` where the budget is spent, of which `positions` bounds one ply.
    """
    budget = budget or Budget()
    rows = machine.rows([root])
    for _ in range(plies + 1):
        if packed and len(rows) > PACKED:
            plain, machine, packed = machine, packed(), None
            parts = []
            for start in range(0, len(rows), SLICE):
                budget.check(f"{len(rows):,} positions of one ply")
                held = plain.coding.held(rows[start : start + SLICE])
                parts.append(machine.coding.pack(held))
            rows = np.concatenate(parts)
        known = RowIndex(machine.coding.words)
        moves = ends = 0
        for start in range(0, len(rows), machine.batch):
            part = rows[start : start + machine.batch]
            view = machine.view(part)
            ends += int(view.terminal.sum())
            for lanes, joint in joint_moves(machine, view, budget):
                moves += len(lanes)
                known.add(machine.next(part, joint, lanes))
                budget.spend(len(known))
        yield len(rows), moves, ends
        if not moves:
            return
        rows = known.rows
