"""Nets to running code: circuits, interpreters, machine code, the graph of positions."""

from ggp.machine.coding import Coding, Rows
from ggp.machine.evaluator import Evaluator
from ggp.machine.index import RowIndex
from ggp.machine.interpreter import Interpreter
from ggp.machine.machine import MANY_GOALS, NO_GOAL, Machine, View
from ggp.machine.playouts import Playouts
from ggp.machine.single import LARGE, SingleStates
from ggp.machine.space import Progress, Space, explore, joint_moves, perft
from ggp.machine.unit import chosen_engine

__all__ = [
    "LARGE",
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
    "SingleStates",
    "Space",
    "View",
    "chosen_engine",
    "explore",
    "joint_moves",
    "perft",
]
