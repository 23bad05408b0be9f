"""Solving games: values, outcomes, best moves and strategies, each exact."""

from ggp.solver.alone.solution import WaySolution
from ggp.solver.counted import Statistics
from ggp.solver.counts import statistics
from ggp.solver.enumerated import GameSolution
from ggp.solver.gdl import GdlTree
from ggp.solver.graph import Values, evaluate
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.lookup import Tablebase, tablebase
from ggp.solver.methods import may_go_by_theory, solve
from ggp.solver.nim import HeapSolution, NimSolution, SummandSolution
from ggp.solver.position_graph import PositionGraph
from ggp.solver.search.solution import SearchSolution
from ggp.solver.simultaneous import SimultaneousSolution
from ggp.solver.solution import Solution, TreeSolution
from ggp.solver.spiel import SpielPosition, SpielTree
from ggp.solver.splitting import Summand, summands
from ggp.solver.strategy import PlayGraph, Strategy, Verification, verify
from ggp.solver.tables import write_table
from ggp.solver.tree import GameTree

__all__ = [
    "GameSolution",
    "GameTree",
    "GdlTree",
    "HeapSolution",
    "Keeping",
    "LayerSolution",
    "NimSolution",
    "PlayGraph",
    "PositionGraph",
    "SearchSolution",
    "SimultaneousSolution",
    "Solution",
    "SpielPosition",
    "SpielTree",
    "Statistics",
    "Strategy",
    "Summand",
    "SummandSolution",
    "Tablebase",
    "TreeSolution",
    "Values",
    "Verification",
    "WaySolution",
    "evaluate",
    "may_go_by_theory",
    "solve",
    "statistics",
    "summands",
    "tablebase",
    "verify",
    "write_table",
]
