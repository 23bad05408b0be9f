"""Random plays that show something: whose turn it is, and what no group of fluents can be."""

from __future__ import annotations

import random

from ggp.deduce import Prover
from ggp.ground import Net, Turns
from ggp.kif import Term
from ggp.limits import look
from ggp.state import State

PLIES = 200
"""Moves of one play."""

WORK, LEAST = 4_000_000, 300
"""Literals evaluated in all plays, for a state all of the net; and states at the least."""

MAX_STATES, MAX_STEPS, MAX_FRUITLESS = 500, 2_000_000, 500
"""States of plays from the rules, steps of evaluating them, and moves in a row that lead to known
states, after which no more are made."""

Play = tuple[tuple[str, ...], ...]
"""Joint moves from the initial state."""


def states_of_play(prover: Prover) -> list[tuple[Term, ...]]:
    """The facts of different states that random plays come to, the initial one first.

    From the rules: on large nets that is far quicker than the interpreter.
    """
    choose = random.Random(1).choice
    found = {prover.initial: None}
    state, fruitless = prover.initial, 0
    while prover.steps < MAX_STEPS and len(found) < MAX_STATES and fruitless < MAX_FRUITLESS:
        legal = [] if prover.terminal(state) else prover.legal(state)
        if not legal or not all(legal):
            if len(found) == 1:
                break
            state = prover.initial
            continue
        state = prover.next(state, [choose(own) for own in legal])
        fruitless = fruitless + 1 if state in found else 0
        found[state] = None
    return list(map(prover.facts, found))


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
