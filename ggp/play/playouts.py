"""Random playouts: of many states at once on a net, or one by one without."""

from __future__ import annotations

import random
import time

import numpy as np
from numpy.typing import NDArray

from ggp.deduce import Prover
from ggp.deduce.lowered.warm import warm_up as warm_up_rules
from ggp.game import Game, State
from ggp.machine.warm import warm_up

MAX_PLIES = 2_000
"""A play that lasts longer counts as an even score."""

_EVEN = 50.0


def hasten(game: Game) -> None:
    """Have a game without a net answer by compiled loops, where that can be."""
    if isinstance(game.evaluator, Prover):
        game.evaluator.hasten()


def load_loops(game: Game) -> None:
    """Load the compiled loops of random play, or compile them where that has not been done."""
    if game.is_ground:
        warm_up()
    else:
        warm_up_rules()


def sample_bulk(
    state: State, role: int, rng: np.random.Generator, width: int, until: float
) -> NDArray[np.float64]:
    """The sum of a role's goals over `width` random plays after each of its legal moves.

    A play that meets a fault of the rules, lasts too long or past `until`, scores 50.
    """
    game, legal = state.game, state.legal_indices()
    own = legal[role]
    if not all(legal):
        return np.full(len(own), _EVEN * width)
    joint = np.empty((len(own) * width, len(legal)), dtype=np.int32)
    for other, moves in enumerate(legal):
        joint[:, other] = rng.choice(moves, size=len(joint))
    joint[:, role] = np.repeat(own, width)
    rows = np.repeat(game.machine.rows([state.bits]), len(joint), axis=0)
    after = game.machine.next(rows, joint)
    goals = game.machine.play_each(
        after, int(rng.integers(1 << 62)), max_plies=MAX_PLIES, until=until
    )[:, role]
    scores = np.where(goals >= 0, goals, _EVEN)
    total: NDArray[np.float64] = scores.reshape(len(own), width).sum(axis=1)
    return total


def sample_one(state: State, role: int, rng: np.random.Generator, move: int, until: float) -> float:
    """A role's goal after one of its legal moves, by its number, and random play.

    50 where the rules go wrong, the play lasts too long, or the clock passes `until`.
    """
    legal = state.legal_indices()
    if state.terminal or not all(legal) or time.monotonic() > until:
        return _EVEN
    joint = [int(rng.choice(own)) for own in legal]
    joint[role] = move
    return 100 * played(state.after(joint), rng, until, MAX_PLIES - 1)[role]


def played(
    state: State, rng: np.random.Generator, until: float, plies: int, *, lazy: bool = False
) -> tuple[float, ...]:
    """What each role gets, parts of 100, at the end of random play from a state, one move after the
    other; half where the rules go wrong, it lasts longer, or the clock passes `until`.
    `lazy`, where there is no net: no more is found out about a state than whether it is an end, and
    one legal move of each role, of which not each is equally likely."""
    evaluator = state.game.evaluator
    if isinstance(evaluator, Prover) and evaluator.is_hastened:
        seed = int(rng.integers(1 << 62))
        found = evaluator.played(state.position, seed, plies, until, uniform=not lazy)
        if found is not None:
            is_end, position, _ = found
            if not is_end:
                return (_EVEN / 100,) * len(state.game.roles)
            return reached(State(state.game, position))
    if lazy:
        return _played_by_rules(state, random.Random(int(rng.integers(1 << 62))), until, plies)
    for _ in range(plies):
        legal = state.legal_indices()
        if state.terminal or not all(legal) or time.monotonic() > until:
            break
        state = state.after([int(rng.choice(own)) for own in legal])
    return reached(state) if state.terminal else (_EVEN / 100,) * len(state.game.roles)


def _played_by_rules(
    state: State, rng: random.Random, until: float, plies: int
) -> tuple[float, ...]:
    prover, position = state.game.evaluator, state.position
    assert isinstance(prover, Prover)
    for _ in range(plies):
        if time.monotonic() > until or prover.ends(position, rng.random):
            break
        roles = range(len(state.game.roles))
        some = [prover.some_move(position, role, rng.random) for role in roles]
        joint = [move for move in some if move is not None]
        if len(joint) < len(some):
            break
        position = prover.next(position, joint)
    if prover.ends(position, rng.random):
        return reached(State(state.game, position))
    return (_EVEN / 100,) * len(state.game.roles)


def is_over(state: State, *, lazy: bool) -> bool:
    """Whether play ends in a state; `lazy`: no more is found out than that takes."""
    return state.is_over if lazy else state.terminal


def reached(state: State) -> tuple[float, ...]:
    """What each role has where play is over, parts of 100; half where the rules do not say."""
    held = state.game.evaluator.goals(state.position)
    return tuple(own[0] / 100 if len(own) == 1 else _EVEN / 100 for own in held)
