"""Combinatorial game theory on its own: it knows nothing of GDL."""

from ggp.theory.genus import Genus
from ggp.theory.heap_genera import HeapGenera
from ggp.theory.heap_quotient import HeapQuotient
from ggp.theory.impartial import ImpartialGame
from ggp.theory.loopy import LoopyGame, NotStopperSided
from ggp.theory.misere import misere_outcome
from ggp.theory.nim_heap import NimHeap
from ggp.theory.nimbers import mex, nim_product, nim_sum
from ggp.theory.octal import HexadecimalGame, OctalGame
from ggp.theory.quotient import MisereQuotient, NoQuotient
from ggp.theory.quotient_table import QuotientTable
from ggp.theory.short import GameLimit, NotationError, ShortGame, Thermograph, limited
from ggp.theory.short.strategies import hotstrat, sentestrat, sum_outcome, thermostrat, wins_sum
from ggp.theory.subtraction import SubtractionGame
from ggp.theory.tame_heaps import TameHeaps, WildHeap

__all__ = [
    "GameLimit",
    "Genus",
    "HeapGenera",
    "HeapQuotient",
    "HexadecimalGame",
    "ImpartialGame",
    "LoopyGame",
    "MisereQuotient",
    "NimHeap",
    "NoQuotient",
    "NotStopperSided",
    "NotationError",
    "OctalGame",
    "QuotientTable",
    "ShortGame",
    "SubtractionGame",
    "TameHeaps",
    "Thermograph",
    "WildHeap",
    "hotstrat",
    "limited",
    "mex",
    "misere_outcome",
    "nim_product",
    "nim_sum",
    "sentestrat",
    "sum_outcome",
    "thermostrat",
    "wins_sum",
]
