"""Combinatorial game theory on its own: it knows nothing of GDL."""

from ggp.theory.misere import misere_outcome
from ggp.theory.nimbers import mex, nim_sum
from ggp.theory.subtraction import SubtractionGame

__all__ = ["SubtractionGame", "mex", "misere_outcome", "nim_sum"]
