"""What a move is worth by a solution."""

from __future__ import annotations

from ggp.game import State
from ggp.kif import Term
from ggp.solver import Solution


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
