"""What a move is worth by a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from ggp.game import State
from ggp.kif import Term
from ggp.solver import SimultaneousSolution, Solution


def joint_moves(state: State, role: str, move: Term) -> list[dict[str, Term]]:
    """The joint moves with this move of the only role that has a choice, chance apart: one for each
    move of chance."""
    game = state.game
    quiet = {other: state.legal(other)[0] for other in game.roles} | {role: move}
    if game.chance is None or game.roles[game.chance] == role:
        return [quiet]
    chance = game.roles[game.chance]
    return [quiet | {chance: drawn} for drawn in state.legal(chance)]


def worth(
    solution: Solution[State, Term], state: State, role: str, move: Term, mover: str | None = None
) -> float | None:
    """The goal of a role under best play after its move, or that of a `mover`, on average over what
    chance does with it; None where that is not known. Play without end is a draw between two
    opposed roles. Raises what `Solution.value` does."""
    joints = joint_moves(state, mover or role, move)
    return _mean(solution, state, role, [(joint, 1.0) for joint in joints])


def worths_at_once(
    solution: SimultaneousSolution, state: State, role: str, heed: Callable[[], None]
) -> dict[Term, float]:
    """The goal of a role that comes of each of its moves on average, where the others move at the
    same time as best strategies do; without those of which it is not known, and empty where the
    role has no choice. `heed` is called for each move, and ends it by raising. Raises what
    `SimultaneousSolution.mixed` does."""
    mixed = solution.mixed(state)
    if role not in mixed:
        return {}
    others = [other for other in state.game.roles if other != role]
    # Who has no choice is not among them, nor is chance.
    chances = [
        mixed.get(other) or dict.fromkeys(moves, Fraction(1, len(moves)))
        for other, moves in ((other, state.legal(other)) for other in others)
    ]
    drawn = [
        (
            dict(zip(others, joint, strict=True)),
            float(prod(p[own] for p, own in zip(chances, joint, strict=True))),
        )
        for joint in product(*chances)
    ]
    found = {}
    for move in state.legal(role):
        heed()
        value = _mean(solution, state, role, [(joint | {role: move}, p) for joint, p in drawn])
        if value is not None:
            found[move] = value
    return found


def _mean(
    solution: Solution[State, Term],
    state: State,
    role: str,
    joints: Sequence[tuple[Mapping[str, Term], float]],
) -> float | None:
    """The mean goal of a role after joint moves, each with its weight."""
    total = 0.0
    for joint, weight in joints:
        value = solution.worth(state.play(joint))
        if value is None or role not in value:
            return None
        total += weight * value[role]
    return total / sum(weight for _, weight in joints)
