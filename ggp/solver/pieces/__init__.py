"""The pieces that positions fall into, and what moves make of them, by names."""

from ggp.solver.pieces.pieces import Pieces

__all__ = ["Pieces"]
