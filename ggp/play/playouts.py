"""Random playouts of many states at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.game import Game
from ggp.machine import NO_GOAL, Rows

MAX_PLIES = 2_000
"""A play that lasts longer counts as an even score."""


def random_moves(
    game: Game, legal: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.int32]:
    """A uniformly random legal move of each role in each state: shape (states, roles).

    `legal` is (states, moves), as in `View.legal`; every role must have a legal move.
    """
    columns = []
    for offset, moves in zip(game.net.move_offset, game.net.moves, strict=True):
        own = legal[:, offset : offset + len(moves)]
        nth = (rng.random(len(own)) * own.sum(axis=1)).astype(np.int64)
        # The column at which the count of legal moves so far first passes `nth`.
        columns.append(offset + (np.cumsum(own, axis=1) <= nth[:, None]).sum(axis=1))
    return np.stack(columns, axis=1).astype(np.int32)


def playouts(game: Game, rows: Rows, rng: np.random.Generator) -> NDArray[np.float64]:
    """The goals (states, roles) at the end of one random play from each state.

    A play that meets a fault of the rules, or lasts too long, scores 50 for everybody.
    """
    goals = np.full((len(rows), len(game.roles)), 50.0)
    alive = np.arange(len(rows))
    for _ in range(MAX_PLIES):
        view = game.engine.view(rows)
        ended = view.terminal & (view.goals > NO_GOAL).all(axis=1)
        goals[alive[ended]] = view.goals[ended]
        able = np.ones(len(rows), dtype=np.bool_)
        for offset, moves in zip(game.net.move_offset, game.net.moves, strict=True):
            able &= view.legal[:, offset : offset + len(moves)].any(axis=1)
        going = ~view.terminal & able
        alive, rows = alive[going], rows[going]
        if not len(rows):
            break
        rows = game.engine.next(rows, random_moves(game, view.legal[going], rng))
    return goals
