"""Random playouts: of many states at once on a net, or one by one without."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from ggp.errors import GoalError
from ggp.game import Game, State
from ggp.machine import NO_GOAL, Rows

MAX_PLIES = 2_000
"""A play that lasts longer counts as an even score."""

_EVEN = 50.0


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
    own = [i for i in range(len(game.roles)) if i != game.chance]
    goals = np.full((len(rows), len(game.roles)), _EVEN)
    alive = np.arange(len(rows))
    for _ in range(MAX_PLIES):
        view = game.engine.view(rows)
        ended = view.terminal & (view.goals[:, own] > NO_GOAL).all(axis=1)
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


def sample_bulk(
    state: State, role: int, rng: np.random.Generator, width: int
) -> NDArray[np.float64]:
    """The sum of a role's goals over `width` random plays after each of its legal moves."""
    game, legal = state.game, state.legal_indices()
    own = legal[role]
    joint = np.empty((len(own) * width, len(legal)), dtype=np.int32)
    for other, moves in enumerate(legal):
        joint[:, other] = rng.choice(moves, size=len(joint))
    joint[:, role] = np.repeat(own, width)
    rows = np.repeat(game.engine.rows([state.bits]), len(joint), axis=0)
    goals = playouts(game, game.engine.next(rows, joint), rng)
    total: NDArray[np.float64] = goals[:, role].reshape(len(own), width).sum(axis=1)
    return total


def sample_one(state: State, role: int, rng: np.random.Generator, move: int, until: float) -> float:
    """A role's goal after one of its legal moves, by its number, and random play.

    50 where the rules go wrong, the play lasts too long, or the clock passes `until`.
    """
    for _ in range(MAX_PLIES):
        legal = state.legal_indices()
        if state.terminal or not all(legal) or time.monotonic() > until:
            break
        joint = [int(rng.choice(own)) for own in legal]
        joint[role] = move if move >= 0 else joint[role]
        move = -1
        state = state.after(joint)
    try:
        return float(state.goals[state.game.roles[role]]) if state.terminal else _EVEN
    except GoalError:
        return _EVEN
