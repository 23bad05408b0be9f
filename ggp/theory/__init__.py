"""Combinatorial game theory on its own: it knows nothing of GDL."""

from ggp.theory.heap_quotient import HeapQuotient
from ggp.theory.misere import misere_outcome
from ggp.theory.nimbers import mex, nim_sum
from ggp.theory.octal import OctalGame
from ggp.theory.quotient import MisereQuotient, NoQuotient
from ggp.theory.subtraction import SubtractionGame

__all__ = [
    "HeapQuotient",
    "MisereQuotient",
    "NoQuotient",
    "OctalGame",
    "SubtractionGame",
    "mex",
    "misere_outcome",
    "nim_sum",
]
