"""Random plays that show whose turn it is: states in which the role to move has a choice."""

from __future__ import annotations

import random

from ggp.ground import Net, Turns
from ggp.limits import look
from ggp.state import State

PLIES = 200
"""Moves of one play."""

WORK, LEAST = 4_000_000, 300
"""Literals evaluated in all plays, for a state all of the net; and states at the least."""

Play = tuple[tuple[str, ...], ...]
"""Joint moves from the initial state."""


def shown_choices(net: Net, initial: State, turns: Turns) -> tuple[dict[int, Play], bool]:
    """For settings of `turns` a play to a state with that setting in which the role has a choice,
    or else a move that does something to the board; and whether these are all that it takes to
    tell whose turn it is.

    Raises `BudgetSpent` where an account that is in force is overdrawn.
    """
    roles, unsure, shown = initial.game.roles, set(turns.unsure), dict[int, Play]()
    acting = net.cone(x for i, x in enumerate(net.next) if not turns.mask >> i & 1)
    left = {setting for setting, _ in turns.settings}
    states = max(LEAST, WORK // (net.literals + 1_000))
    seed = 0
    while left and states > 0:
        look("whose turn it is")
        seed, states = seed + 1, states - 1
        choose, state = random.Random(seed).choice, initial
        path: list[tuple[str, ...]] = []
        while left and states > 0 and len(path) < PLIES and not state.terminal:
            states -= 1
            legal = [state.legal(name) for name in roles]
            if not all(legal):
                break
            setting, role = state.bits & turns.mask, turns.role(state.bits)
            if setting in left and role is not None:
                index = net.move_index[role]
                acts = any(net.first_move + index[move] in acting for move in legal[role])
                if len(legal[role]) > 1 or (acts and setting not in unsure):
                    shown[setting] = tuple(path)
                    left.discard(setting)
            joint = dict(zip(roles, map(choose, legal), strict=True))
            path.append(tuple(map(str, joint.values())))
            state = state.play(joint)
    return shown, not left & unsure
