"""Solving games: values, outcomes, best moves and strategies, each exact."""

from ggp.solve.gdl import GameSolution, GdlTree
from ggp.solve.graph import PositionGraph, Values, evaluate
from ggp.solve.heaps import HeapSolution
from ggp.solve.methods import solve
from ggp.solve.solution import Solution, TreeSolution
from ggp.solve.strategy import Strategy, Verification, verify
from ggp.solve.tree import GameTree

__all__ = [
    "GameSolution",
    "GameTree",
    "GdlTree",
    "HeapSolution",
    "PositionGraph",
    "Solution",
    "Strategy",
    "TreeSolution",
    "Values",
    "Verification",
    "evaluate",
    "solve",
    "verify",
]
