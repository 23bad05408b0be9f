"""What either player can move to from states of random play, and where enumeration shows it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.memo import once
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.limits import Budget, time_left
from ggp.machine import Space, joint_moves

SCOPE = "moves of either player in any order"
"""Of enumerations of boards."""

FEW = 60
"""States all of whose moves are looked at at once."""

MAX_OPTIONS = 200_000
"""Moves after which no more states are looked at."""

Options = dict[int, str]
"""Boards that a player can move to, each with a move that leads there."""


@once
def options(samples: Sampled) -> list[tuple[Options, Options]]:
    """For each state (of `few`; no more where there are many moves) what either can move to."""
    found: list[tuple[Options, Options]] = []
    for start in range(0, len(samples.some_states), FEW):
        if sum(len(own) for pair in found for own in pair) > MAX_OPTIONS or time_left() <= 0:
            break
        states = samples.some_states[start : start + FEW]
        first, second = (_options_of(samples, states, role) for role in (0, 1))
        found += zip(first, second, strict=True)
    return found


def _options_of(samples: Sampled, states: list[int], role: int) -> list[Options]:
    game, marker, machine = samples.game, samples.marker, samples.game.machine
    rows = samples.placed(states, role)
    found: list[Options] = [{} for _ in states]
    for lanes, joint in joint_moves(machine, samples.view(rows), Budget(game.limits)):
        after = machine.states(machine.next(rows, joint, lanes))
        for lane, moves, state in zip(lanes.tolist(), joint.tolist(), after, strict=True):
            move = str(game.evaluator.move(role, moves[role]))
            found[lane].setdefault(marker.board(state), move)
    return found


def nearest(positions: Positions, space: Space, edges: NDArray[np.int64]) -> int:
    """An edge that leaves a position of legal play if there is one, close to the start."""
    order = edges[np.argsort(space.depth[space.source[edges]], kind="stable")]
    for edge in order[:1000]:
        if positions.reachable.position(space.state(int(space.source[edge]))) is not None:
            return int(edge)
    return int(order[0])
