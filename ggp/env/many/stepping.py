"""One step of many games as a circuit: a joint move, and what can be said of the state after it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import FALSE, Builder
from ggp.circuits.lowering import Lowering
from ggp.env.many.parts import FrameRows
from ggp.env.spaces import Spaces
from ggp.ground import Net
from ggp.machine.engine.frames import FIRST, ZERO
from ggp.machine.engine.unit import Unit

Order = NDArray[np.int32]
"""Rows of a frame, in the order in which their bits are written out."""


def rows_of(net: Net) -> FrameRows:
    """The rows of the step of a net."""
    fluents, moves = len(net.fluents), len(net.legal)
    following = FIRST + fluents + moves
    legal = following + fluents
    forced = legal + moves
    end = forced + len(net.roles)
    goals = end + 2
    percepts = goals + sum(map(len, net.goals))
    return FrameRows(
        FIRST, FIRST + fluents, following, legal, forced, end, end + 1, goals, percepts
    )


def unit_of(spaces: Spaces) -> Unit:
    """The circuit of a step, with rows as `rows_of` says."""
    net, builder = spaces.net, Builder()
    state, moves = builder.inputs(len(net.fluents)), builder.inputs(len(net.legal))
    moving = Lowering(net, builder, state, moves)
    following = moving.literals(net.next)
    seen = moving.literals(x for role in net.sees for _, x in role) if spaces.is_private else []
    after = Lowering(net, builder, following)
    legal, (end,) = after.literals(net.legal), after.literals([net.terminal])
    goals = after.literals(x for role in net.goals for _, x in role)
    forced, stuck = [], FALSE
    for first, stop in pairwise([*net.move_offset, len(legal)]):
        own = legal[first:stop]
        forced.append(builder.at_least_two(own) ^ 1)
        stuck = builder.disj(stuck, builder.disj_all(own) ^ 1)
    stuck = builder.conj(stuck, end ^ 1)
    outputs = [*following, *legal, *forced, end, stuck, *goals, *seen]
    machine = spaces.game.machine
    return Unit(
        builder.circuit([*state, *moves], outputs), choice=machine.choice, store=machine.store
    )


def mask_order(spaces: Spaces, rows: FrameRows) -> Order:
    """Legal moves of each player as masks of equal length; those of chance follow them."""
    net, chance = spaces.net, spaces.game.chance
    order = np.full((len(spaces.roles), spaces.actions), ZERO, dtype=np.int32)
    for player, role in enumerate(spaces.roles):
        count = len(net.moves[role])
        order[player, :count] = rows.legal + net.move_offset[role] + np.arange(count)
    flat = order.reshape(-1)
    if chance is None:
        return flat
    own = rows.legal + net.move_offset[chance] + np.arange(len(net.moves[chance]))
    return np.concatenate([flat, own]).astype(np.int32)


def observation_order(spaces: Spaces, rows: FrameRows) -> Order:
    """What is observed, one player after the other where each sees something else."""
    if not spaces.is_private:
        order = spaces.order
        return np.where(order < 0, ZERO, rows.following + order).astype(np.int32)
    net = spaces.net
    found = np.full((len(spaces.roles), *spaces.shape), ZERO, dtype=np.int32)
    firsts = np.cumsum([0, *map(len, net.sees)])
    for player, role in enumerate(spaces.roles):
        seen, count = len(net.sees[role]), len(net.moves[role])
        found[player, :seen] = rows.percepts + firsts[role] + np.arange(seen)
        own = spaces.shape[0] - spaces.actions
        found[player, own : own + count] = rows.moves + net.move_offset[role] + np.arange(count)
    return found.reshape(-1)
