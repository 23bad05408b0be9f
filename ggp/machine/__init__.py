"""Nets to running code: circuits, interpreters, machine code, the graph of positions."""

from ggp.machine.coding import Coding, Rows
from ggp.machine.evaluator import Evaluator
from ggp.machine.index import RowIndex
from ggp.machine.interpreter import Interpreter
from ggp.machine.machine import MANY_GOALS, NO_GOAL, Machine, View
from ggp.machine.playouts import Playouts
from ggp.machine.space import Progress, Space, explore, joint_moves, perft

__all__ = [
    "MANY_GOALS",
    "NO_GOAL",
    "Coding",
    "Evaluator",
    "Interpreter",
    "Machine",
    "Playouts",
    "Progress",
    "RowIndex",
    "Rows",
    "Space",
    "View",
    "explore",
    "joint_moves",
    "perft",
]
