"""Moves by a solution, drawn by lot where best play is mixed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from ggp.errors import GgpError
from ggp.game import State
from ggp.kif import Term
from ggp.solver import SimultaneousSolution, Solution


def drawn(
    solution: SimultaneousSolution, state: State, role: str, random: np.random.Generator
) -> Term | None:
    """A move drawn by a best strategy, where that makes sure of the value."""
    chances = solution.mixed(state).get(role) if solution.is_opposed else None
    return draw(chances, random) if chances else None


def draw(chances: Mapping[Term, Fraction], random: np.random.Generator) -> Term:
    """A move drawn by its probability."""
    moves = sorted(chances)
    return moves[int(random.choice(len(moves), p=[float(chances[m]) for m in moves]))]


def move_by(
    solution: Solution[State, Term],
    state: State,
    role: str,
    random: np.random.Generator,
    seconds: float,
) -> Term | None:
    """A best move of a role; None where it is not to move, or what is best is not known within so
    many seconds."""
    try:
        if isinstance(solution, SimultaneousSolution):
            return drawn(solution, state, role, random)
        if solution.mover(state) != role:
            return None
        solution.limit(seconds)
        return solution.progress(state)
    except GgpError:
        return None
