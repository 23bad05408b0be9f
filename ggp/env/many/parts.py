"""What the loops over many games take: where things lie, and what is known of the games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.machine.engine.frames import Int32s, Int64s, Words

Bytes = NDArray[np.int8]
Floats = NDArray[np.float32]

FINE, ILLEGAL, SEVERAL, STUCK, NO_GOAL = range(5)
"""What became of a step: all is well; an action that is not legal; one action where several players
have a choice; a player without a legal move; an end without just one goal of a player."""


class FrameRows(NamedTuple):
    """Where the rows of a frame begin.

    Inputs: `state` and `moves` (as in `net.legal`). Outputs: `following`, the fluents of the next
    state; `legal` there; for each role whether its move is `forced`; the `end`; whether somebody is
    `stuck`; all `goals`, role by role; and what roles see (`percepts`). The rows from `following`
    to `end` tell of a state what the next step asks, and are kept.
    """

    state: int
    moves: int
    following: int
    legal: int
    forced: int
    end: int
    stuck: int
    goals: int
    percepts: int


class Seats(NamedTuple):
    """Who moves: the roles of the `players`, and perhaps chance as the last one.

    `bounds` (roles + 1,): the first move of each role. `actions`: of each player, by which legal
    moves are spaced; those of chance follow.
    """

    roles: Int32s
    bounds: Int32s
    players: int
    actions: int


class StartRows(NamedTuple):
    """The initial state: the rows that are kept, as bytes; observed bits, and legal moves."""

    kept: Bytes
    observed: Words
    legal: Words


class GoalRows(NamedTuple):
    """For each row of goals what it is worth; `bounds` (players, 2): which rows are whose."""

    reward: Floats
    bounds: Int32s


class Games(NamedTuple):
    """What is known of n games.

    `kept` (blocks, rows, 8): their states, see `FrameRows`; `legal` (n, words): their legal moves,
    a bit each, seat after seat; `since` (n,): how many moves ago they began.
    """

    kept: Words
    legal: Words
    since: Int32s


class StepTarget(NamedTuple):
    """Where a step is written: addresses of observations and masks, and how many bytes they are
    for each game; rewards (n, players); the numbers of the games that ended, and what was
    observed there; addresses of the player to move, and of whether games ended or were given up."""

    observed: int
    width: int
    masks: int
    mask_width: int
    rewards: Floats
    ended: Int64s
    final: Words
    to_move: int
    terminated: int
    truncated: int


class BlockScratch(NamedTuple):
    """Room for one block: rows to be turned over, what is observed, and which games are over."""

    block: Words
    seen: Words
    over: Words
