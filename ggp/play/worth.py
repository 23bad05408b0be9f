"""What a move is worth by a solution."""

from __future__ import annotations

from collections.abc import Mapping
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


def worth(solution: Solution[State, Term], state: State, role: str, move: Term) -> float | None:
    """The goal of a role under best play after its move, on average over what chance does with it;
    None where that is not known. Raises what `Solution.value` does."""
    values = [solution.value(state.play(joint)) for joint in joint_moves(state, role, move)]
    known = [value[role] for value in values if value is not None and role in value]
    return sum(known) / len(known) if len(known) == len(values) else None


def worth_at_once(
    solution: SimultaneousSolution, state: State, role: str, move: Term
) -> float | None:
    """The goal of a role that comes of its move on average, where others move at the same time as
    best strategies do; None where that is not known. Raises what `Solution.value` does."""
    mixed: Mapping[str, Mapping[Term, Fraction]] = solution.mixed(state)
    chances = [
        {move: Fraction(1)}
        if other == role
        else mixed.get(other) or dict.fromkeys(moves, Fraction(1, len(moves)))
        for other, moves in ((other, state.legal(other)) for other in state.game.roles)
    ]
    found = 0.0
    for joint in product(*chances):
        value = solution.value(state.play(dict(zip(state.game.roles, joint, strict=True))))
        if value is None or role not in value:
            return None
        found += value[role] * float(prod(p[own] for p, own in zip(chances, joint, strict=True)))
    return found
