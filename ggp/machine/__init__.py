"""Nets to running code: the reference interpreter, bulk evaluation, the graph of positions."""

from ggp.machine.bulk import MANY_GOALS, NO_GOAL, BulkEngine, Rows, View
from ggp.machine.evaluator import Evaluator
from ggp.machine.interpreter import Interpreter
from ggp.machine.space import Progress, Space, explore, perft

__all__ = [
    "MANY_GOALS",
    "NO_GOAL",
    "BulkEngine",
    "Evaluator",
    "Interpreter",
    "Progress",
    "Rows",
    "Space",
    "View",
    "explore",
    "perft",
]
