"""Solving games: values, outcomes, best moves and strategies, each exact."""

from ggp.solve.gdl import GameSolution, GdlTree
from ggp.solve.graph import PositionGraph, Values, evaluate
from ggp.solve.methods import may_have_nim_values, solve
from ggp.solve.nim import HeapSolution, NimSolution, SummandSolution
from ggp.solve.solution import Solution, TreeSolution
from ggp.solve.strategy import Strategy, Verification, verify
from ggp.solve.tree import GameTree

__all__ = [
    "GameSolution",
    "GameTree",
    "GdlTree",
    "HeapSolution",
    "NimSolution",
    "PositionGraph",
    "Solution",
    "Strategy",
    "SummandSolution",
    "TreeSolution",
    "Values",
    "Verification",
    "evaluate",
    "may_have_nim_values",
    "solve",
    "verify",
]
