"""Counts over all positions of a game that was solved by passes: once more through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError
from ggp.later import Later
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.layers.census import DRAWN, tally
from ggp.solver.layers.keys import mixed, unmixed
from ggp.solver.layers.moving import Looking
from ggp.solver.layers.turning import Turning
from ggp.solver.layers.workers import Workers
from ggp.solver.passes.fixpoint import Valued

if TYPE_CHECKING:
    from ggp.solver.passes import kernels
else:
    kernels = Later("ggp.solver.passes.kernels")


@dataclass(frozen=True, eq=False)
class Census:
    """What was counted.

    `positions` and `moves` (players + 1, 3): by whose turn it is (nobody's last), and who wins, or
    wins after the move (`DRAWN`: nobody). `codes`: how many positions have which of the levels,
    and come to an end under best play; of `endless` ones that play does not. `ends` of play.
    """

    positions: NDArray[np.int64]
    moves: NDArray[np.int64]
    codes: NDArray[np.int64]
    endless: int
    ends: int


def census(
    looking: Looking,
    valued: Valued,
    budget: Budget,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Census:
    """Counts over positions that were valued, not up to symmetry. Raises `LimitReached`."""
    game, layer, levels = looking.game, valued.layer, valued.levels
    turning, size = Turning(game), looking.machine.batch
    winner = np.full(len(levels.doubled), DRAWN, dtype=np.int64)
    if levels.total is not None:
        winner[: levels.start], winner[levels.start + 1 :] = 1, 0

    def counted(start: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        stop = min(start + size, len(layer))
        shape = (len(game.players) + 1, 3)
        own, made = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        rows = unmixed(layer.keys[start:stop])
        packed, looked = looking.look(rows)
        turn = turning(rows, looked.mover)
        tally(own, turn, winner[layer.values[start:stop]])
        for here, after in looking.after(rows, packed, looked):
            led, missing = layer.find(mixed(after))
            if missing:
                raise InputError("positions that were kept are gone: begin anew")
            source = np.repeat(turn[here], looked.degree[here])
            tally(made, source, winner[layer.values[led]])
        return own, made

    positions, moves = [], []
    with Workers(threads) as workers:
        for own, made in workers.in_order(counted, range(0, len(layer), size)):
            positions.append(own)
            moves.append(made)
            done = min(len(layer), size * len(positions))
            budget.check(f"{done:,} positions counted")
            if progress:
                progress(len(layer), done)
    endless = valued.are_endless()
    return Census(
        np.sum(positions, axis=0),
        np.sum(moves, axis=0),
        np.bincount(layer.values[~endless], minlength=len(levels.doubled)),
        int(endless.sum()),
        int((valued.marks & kernels.END != 0).sum()),
    )
