"""Moves drawn by mixed strategies."""

from __future__ import annotations

import numpy as np

from ggp.game import State
from ggp.kif import Term
from ggp.solver import SimultaneousSolution


def drawn(
    solution: SimultaneousSolution, state: State, role: str, random: np.random.Generator
) -> Term | None:
    """A move drawn by a best strategy, where that makes sure of the value."""
    chances = solution.mixed(state).get(role) if solution.is_opposed else None
    if not chances:
        return None
    moves = sorted(chances)
    return moves[int(random.choice(len(moves), p=[float(chances[m]) for m in moves]))]
