"""What the loops over the games of one sheet take, made once."""

from __future__ import annotations

import numpy as np

from ggp.env.many import parts
from ggp.env.many.arrays import words
from ggp.env.many.stepping import Order
from ggp.env.spaces import Spaces


def seats_of(spaces: Spaces) -> parts.Seats:
    """Who moves: the players, and chance after them."""
    net, chance = spaces.net, spaces.game.chance
    roles = [*spaces.roles, *(() if chance is None else [chance])]
    bounds = np.array([*net.move_offset, len(net.legal)], dtype=np.int32)
    return parts.Seats(np.array(roles, dtype=np.int32), bounds, len(spaces.roles), spaces.actions)


def goals_of(spaces: Spaces) -> parts.GoalRows:
    """What the goals are worth, and whose they are."""
    goals = spaces.net.goals
    rewards = [spaces.reward(value) for role in goals for value, _ in role]
    firsts = np.cumsum([0, *map(len, goals)])
    bounds = [(firsts[role], firsts[role + 1]) for role in spaces.roles]
    return parts.GoalRows(np.array(rewards, dtype=np.float32), np.array(bounds, dtype=np.int32))


def start_of(
    spaces: Spaces, rows: parts.FrameRows, observed: Order, masked: Order
) -> parts.StartRows:
    """The initial state; raises `NoLegalMove` where a role has no move there."""
    state, bits = spaces.game.initial, spaces.game.initial.bits
    legal = state.legal_indices()
    for role in spaces.game.roles:
        state.require_legal(role)
    kept = np.zeros(rows.end, dtype=np.int8)
    fluents = range(len(spaces.net.fluents))
    kept[[rows.following + i for i in fluents if bits >> i & 1]] = 1
    kept[[rows.legal + i for own in legal for i in own]] = 1
    kept[[rows.forced + role for role, own in enumerate(legal) if len(own) == 1]] = 1
    seen = np.zeros(len(observed), dtype=np.int8) if spaces.is_private else kept[observed]
    return parts.StartRows(kept[rows.following :], words(seen), words(kept[masked]))


def most_bytes(rows: parts.FrameRows, observed: Order, masked: Order) -> int:
    """About how many bytes a game takes: its bits, and two of each array of a step."""
    return 2 * (len(observed) + len(masked)) + (rows.end - rows.state) // 8 + 64
