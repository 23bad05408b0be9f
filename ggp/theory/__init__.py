"""Combinatorial game theory on its own: it knows nothing of GDL."""

from ggp.theory.heap_quotient import HeapQuotient
from ggp.theory.loopy import LoopyGame, NotStopperSided
from ggp.theory.misere import misere_outcome
from ggp.theory.nimbers import mex, nim_product, nim_sum
from ggp.theory.octal import OctalGame
from ggp.theory.quotient import MisereQuotient, NoQuotient
from ggp.theory.short import GameLimit, NotationError, ShortGame, Thermograph, limited
from ggp.theory.subtraction import SubtractionGame

__all__ = [
    "GameLimit",
    "HeapQuotient",
    "LoopyGame",
    "MisereQuotient",
    "NoQuotient",
    "NotStopperSided",
    "NotationError",
    "OctalGame",
    "ShortGame",
    "SubtractionGame",
    "Thermograph",
    "limited",
    "mex",
    "misere_outcome",
    "nim_product",
    "nim_sum",
]
