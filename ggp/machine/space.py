"""The graph of positions: all states that can be reached, with every joint move between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ggp.errors import LimitReached
from ggp.limits import Budget
from ggp.machine.bulk import BulkEngine, Rows, View

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

    engine: BulkEngine
    rows: Rows
    depth: NDArray[np.int32]
    terminal: NDArray[np.bool_]
    goals: NDArray[np.int16]
    legal_counts: NDArray[np.int32]
    first_edge: NDArray[np.int64]
    target: NDArray[np.int32]
    joint: NDArray[np.int32]
    index: dict[bytes, int]

    def __len__(self) -> int:
        return len(self.rows)

    def state(self, position: int) -> int:
        """The state at a position, as an integer of fluent bits."""
        return int.from_bytes(self.rows[position].tobytes(), "little")

    def position(self, state: int) -> int | None:
        """The position of a state, or None where it was not reached."""
        return self.index.get(state.to_bytes(self.engine.row_bytes, "little"))

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
    def reverse(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Edges by target: `first[i]` to `first[i + 1]` index into the second array."""
        order = np.argsort(self.target, kind="stable")
        counts = np.bincount(self.target, minlength=len(self))
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), order


def explore(
    engine: BulkEngine,
    roots: Iterable[int],
    budget: Budget | None = None,
    *,
    also: Callable[[Rows], Rows] | None = None,
    progress: Progress | None = None,
) -> Space:
    """All positions that can be reached from `roots`, breadth first.

    `also` gives, for each batch of positions found, further states to include. Raises
    `LimitReached` where the budget is spent.
    """
    return _Exploration(engine, budget or Budget(), also, progress).run(list(roots))


class _Exploration:
    def __init__(
        self,
        engine: BulkEngine,
        budget: Budget,
        also: Callable[[Rows], Rows] | None,
        progress: Progress | None,
    ) -> None:
        self.engine = engine
        self.budget = budget
        self.also = also
        self.progress = progress
        self.index: dict[bytes, int] = {}
        self.found: list[Rows] = []
        self.views: list[View] = []
        self.counts: list[NDArray[np.int32]] = []
        self.depths: list[NDArray[np.int32]] = []
        self.degrees: list[NDArray[np.int64]] = []
        self.targets: list[NDArray[np.int32]] = []
        self.joints: list[NDArray[np.int32]] = []

    def run(self, roots: list[int]) -> Space:
        frontier = self._new(self.engine.rows(roots))[1]
        depth = 0
        while len(frontier):
            new = []
            for start in range(0, len(frontier), self.engine.batch):
                new.append(self._expand(frontier[start : start + self.engine.batch], depth))
                if self.progress:
                    self.progress(len(self.index), sum(map(len, self.found)))
            frontier = np.concatenate(new)
            depth += 1
        return self._space()

    def _new(self, rows: Rows) -> tuple[NDArray[np.int32], Rows]:
        """The position of every row, and the rows that were not known, in order."""
        index = self.index
        keys = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").ravel().tolist()
        known = len(index)
        positions = np.fromiter(
            (index.setdefault(key, len(index)) for key in keys), dtype=np.int32, count=len(keys)
        )
        fresh = [key for key in _last(index, len(index) - known)]
        new = np.frombuffer(b"".join(fresh), dtype=np.uint8).reshape(-1, self.engine.row_bytes)
        return positions, new

    def _expand(self, rows: Rows, depth: int) -> Rows:
        """Record a batch of positions with their edges; returns the new positions behind them."""
        view = self.engine.view(rows)
        counts = legal_counts(self.engine, view)
        self.found.append(rows)
        self.views.append(View(view.legal[:0], view.terminal, view.goals))
        self.counts.append(counts)
        self.depths.append(np.full(len(rows), depth, dtype=np.int32))
        new = [self._new(self.also(rows))[1]] if self.also else []
        degrees = np.zeros(len(rows), dtype=np.int64)
        for lanes, joint in joint_moves(self.engine, view, counts, self.budget):
            degrees += np.bincount(lanes, minlength=len(rows))
            positions, fresh = self._new(self.engine.next(rows[lanes], joint))
            self.targets.append(positions)
            self.joints.append(joint)
            new.append(fresh)
            self.budget.spend(len(self.index))
        self.degrees.append(degrees)
        return np.concatenate(new) if new else rows[:0]

    def _space(self) -> Space:
        roles = len(self.engine.net.roles)
        none = np.zeros(0, dtype=np.int32)
        degrees = np.concatenate([np.zeros(1, dtype=np.int64), *self.degrees])
        return Space(
            engine=self.engine,
            rows=np.concatenate(self.found),
            depth=np.concatenate(self.depths),
            terminal=np.concatenate([view.terminal for view in self.views]),
            goals=np.concatenate([view.goals for view in self.views]),
            legal_counts=np.concatenate(self.counts),
            first_edge=np.cumsum(degrees),
            target=np.concatenate([none, *self.targets]),
            joint=np.concatenate([none.reshape(0, roles), *self.joints]),
            index=self.index,
        )


def _last(index: dict[bytes, int], count: int) -> list[bytes]:
    """The `count` keys that were added last, in order of addition."""
    newest = reversed(index)
    return [next(newest) for _ in range(count)][::-1]


def legal_counts(engine: BulkEngine, view: View) -> NDArray[np.int32]:
    """The number of legal moves of each role in each state: shape (states, roles)."""
    bounds = zip(engine.net.move_offset, engine.net.moves, strict=True)
    counts = [view.legal[:, first : first + len(own)].sum(axis=1) for first, own in bounds]
    return np.stack(counts, axis=1).astype(np.int32)


def joint_moves(
    engine: BulkEngine, view: View, counts: NDArray[np.int32], budget: Budget
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
    """All joint moves of the states in `view` that are not terminal, some batches at a time.

    Each part has the row of each joint move (ascending) and the joint moves (n, roles). Raises
    `LimitReached` for a state with more joint moves than the limits allow.
    """
    products = np.where(view.terminal, 0.0, counts.astype(np.float64).prod(axis=1))
    if len(products) and products.max() > budget.limits.joint_moves:
        raise LimitReached("joint_moves", budget.limits.joint_moves, "in one state")
    ends = np.cumsum(products)
    start = 0
    while start < len(products):
        used = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, used + engine.batch, side="right")))
        here = slice(start, stop)
        lanes, joint = _product(engine, view.legal[here], counts[here], view.terminal[here])
        if len(lanes):
            yield lanes + start, joint
        start = stop


def _product(
    engine: BulkEngine,
    legal: NDArray[np.bool_],
    counts: NDArray[np.int32],
    terminal: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The joint moves of a few states: one role after the other multiplies them."""
    lanes = np.flatnonzero(~terminal & (counts > 0).all(axis=1))
    joint = np.zeros((len(lanes), 0), dtype=np.int32)
    bounds = zip(engine.net.move_offset, engine.net.moves, strict=True)
    for role, (offset, moves) in enumerate(bounds):
        which = np.nonzero(legal[:, offset : offset + len(moves)])[1]
        first = np.concatenate([[0], np.cumsum(counts[:, role])])
        times = counts[lanes, role]
        picks = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        picks += np.repeat(first[lanes], times)
        joint = np.column_stack([np.repeat(joint, times, axis=0), offset + which[picks]])
        lanes = np.repeat(lanes, times)
    return lanes, joint.astype(np.int32)


def perft(
    engine: BulkEngine, root: int, plies: int, budget: Budget | None = None
) -> Iterator[tuple[int, int, int]]:
    """For each ply from 0: distinct positions after exactly that many moves, joint moves that
    leave them, and how many of them are terminal."""
    budget = budget or Budget()
    rows = engine.rows([root])
    for _ in range(plies + 1):
        view = engine.view(rows)
        moves = 0
        known: dict[bytes, None] = {}
        for lanes, joint in joint_moves(engine, view, legal_counts(engine, view), budget):
            moves += len(lanes)
            following = engine.next(rows[lanes], joint)
            keys = np.ascontiguousarray(following).view(f"V{following.shape[1]}").ravel().tolist()
            known.update(dict.fromkeys(keys))
            budget.spend(len(known))
        yield len(rows), moves, int(view.terminal.sum())
        if not moves:
            return
        rows = np.frombuffer(b"".join(known), dtype=np.uint8).reshape(-1, engine.row_bytes)
