"""Counts over all positions of a game that was solved in layers: once more forward through them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError, NotSolvable
from ggp.later import Later
from ggp.limits import Budget
from ggp.machine import Progress, Rows
from ggp.solver.layers.induction import Layers, Near
from ggp.solver.layers.keys import mixed, unmixed
from ggp.solver.layers.moving import Moving, by_rank
from ggp.solver.layers.turning import Turning
from ggp.solver.layers.workers import Workers

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
else:
    kernels = Later("ggp.solver.layers.kernels")

DRAWN = 2
"""In place of the player who wins, where nobody does."""

_NOWHERE = np.empty(0, dtype=np.int64)

MAX_RANKS = 65_000
"""Ranks of a game whose plays are counted: each move makes the rank less."""


@dataclass(eq=False)
class Census:
    """What was counted.

    `positions` and `moves` (players + 1, 3): by whose turn it is (nobody's last), and who wins, or
    wins after the move (`DRAWN`: nobody). `plies`: positions by the least number of moves from the
    start; `longest` and `shortest` play in moves (None: no end). `codes`: how many positions have
    which of the layers' scores.
    """

    positions: NDArray[np.int64]
    moves: NDArray[np.int64]
    plies: Counter[int]
    codes: NDArray[np.int64]
    ends: int = 0
    shortest: int | None = None
    longest: int | None = None


@dataclass(frozen=True, eq=False)
class _Part:
    """What positions at some places of a layer come to: whose turn it is, which are ends, and by
    rank the places that moves lead to, with the number of the position that each leaves."""

    places: NDArray[np.int64]
    turn: NDArray[np.int8]
    is_end: NDArray[np.bool_]
    led: list[tuple[int, NDArray[np.int64], NDArray[np.int64]]]


def census(
    moving: Moving,
    layers: Layers,
    roots: Rows,
    budget: Budget,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Census:
    """Counts over all positions of some layers, which the rows `roots` lead to.

    Of layers that were not made up to symmetry. Raises `LimitReached`, and `NotSolvable` for games
    with more than `MAX_RANKS` ranks.
    """
    if len(layers.ranks) > MAX_RANKS:
        raise NotSolvable(f"plays of more than {MAX_RANKS:,} moves are not counted in layers")
    return _Counting(moving, layers, budget, progress).run(roots, threads)


class _Counting:
    def __init__(
        self, moving: Moving, layers: Layers, budget: Budget, progress: Progress | None
    ) -> None:
        self._moving, self._layers, self._budget = moving, layers, budget
        self._own = layers.near
        self._progress = progress
        game = moving.game
        self._turning = Turning(game)
        self._count = len(game.players)
        self._winner = np.array([self._who_wins(score) for score in layers.scores], dtype=np.int64)
        self._ply: dict[int, NDArray[np.uint16]] = {}
        self._far: dict[int, NDArray[np.uint16]] = {}

    def _who_wins(self, score: int) -> int:
        total = self._layers.total
        if total is None or 2 * score == total:
            return DRAWN
        return 0 if 2 * score > total else 1

    def run(self, roots: Rows, threads: int) -> Census:
        """Count, the highest rank first: what leads to a position is counted before it."""
        layers, shape = self._own, (self._count + 1, 3)
        found = Census(
            np.zeros(shape, dtype=np.int64),
            np.zeros(shape, dtype=np.int64),
            Counter(),
            np.zeros(len(self._layers.scores), dtype=np.int64),
        )
        self._budget.check("counting positions", 4 * sum(x.places for x in layers.values()))
        for rank, layer in layers.items():
            self._ply[rank] = np.full(layer.places, np.iinfo(np.uint16).max, dtype=np.uint16)
            self._far[rank] = np.zeros(layer.places, dtype=np.uint16)
        starts = self._moving.ranks(roots)
        for rank, keys, _ in by_rank(mixed(roots.copy()), starts):
            places = self._places(layers.get(rank), keys)
            self._ply[rank][places] = 0
        done = 0
        with Workers(threads) as workers:
            for rank in sorted(layers, reverse=True):
                pieces = layers[rank].pieces(self._moving.machine.batch)
                for part in workers.in_order(self._part, ((rank, *piece) for piece in pieces)):
                    self._add(found, rank, part)
                    done += len(part.turn)
                    self._budget.check(f"{done:,} positions counted")
                    if self._progress:
                        self._progress(len(self._layers), done)
                del self._ply[rank], self._far[rank]
        return found

    def _places(self, layer: Near | None, keys: Rows) -> NDArray[np.int64]:
        places, missing = layer.find(keys) if layer else (_NOWHERE, len(keys))
        if missing:
            raise InputError("positions that were kept are gone: begin anew")
        return places

    def _part(self, case: tuple[int, NDArray[np.int64], Rows]) -> _Part:
        rank, places, keys = case
        rows = unmixed(keys)
        packed, looked = self._moving.look(rows)
        is_end = looked.mover == kernels.OVER
        turn = self._turning(rows, looked.mover)
        led = []
        for here, after, ranks in self._moving.children(rows, packed, looked, rank):
            source = np.repeat(np.arange(here.start, here.stop), looked.degree[here])
            for to, part, edges in by_rank(mixed(after), ranks):
                led.append((to, self._places(self._own.get(to), part), source[edges]))
        return _Part(places, turn, is_end, led)

    def _add(self, found: Census, rank: int, part: _Part) -> None:
        layers = self._own
        codes = layers[rank].codes(part.places)
        ply, far = self._ply[rank][part.places], self._far[rank][part.places]
        found.codes += np.bincount(codes, minlength=len(found.codes))
        tally(found.positions, part.turn, self._winner[codes])
        counted = np.bincount(ply)
        for length in np.flatnonzero(counted).tolist():
            found.plies[length] += int(counted[length])
        if part.is_end.any():
            found.ends += int(part.is_end.sum())
            shortest, longest = int(ply[part.is_end].min()), int(far[part.is_end].max())
            known = found.shortest
            found.shortest = shortest if known is None else min(known, shortest)
            found.longest = max(found.longest or 0, longest)
        for to, places, source in part.led:
            tally(found.moves, part.turn[source], self._winner[layers[to].codes(places)])
            kernels.come_by(places, ply[source], far[source], self._ply[to], self._far[to])


def tally(counts: NDArray[np.int64], turn: NDArray[np.int8], winner: NDArray[np.int64]) -> None:
    """Add to the counts by whose turn it is (-1: the last row) and who wins."""
    row = np.where(turn < 0, len(counts) - 1, turn).astype(np.int64)
    counts += np.bincount(3 * row + winner, minlength=counts.size).reshape(counts.shape)
