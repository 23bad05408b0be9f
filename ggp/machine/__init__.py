"""Nets to running code: circuits, interpreters, machine code, the graph of positions."""

from ggp.machine.coding import Coding, Field, Rows
from ggp.machine.engine.by_definition import ByDefinition
from ggp.machine.engine.unit import chosen_engine, is_compiling
from ggp.machine.machine import Machine
from ggp.machine.playouts.playouts import BLOCK, Playouts
from ggp.machine.single.evaluator import Evaluator
from ggp.machine.single.large import LARGE, SingleStates
from ggp.machine.space.incoming import by_target
from ggp.machine.space.index import RowIndex
from ggp.machine.space.space import Progress, Space, explore, joint_moves, perft
from ggp.machine.view import MANY_GOALS, NO_GOAL, View

__all__ = [
    "BLOCK",
    "LARGE",
    "MANY_GOALS",
    "NO_GOAL",
    "ByDefinition",
    "Coding",
    "Evaluator",
    "Field",
    "Machine",
    "Playouts",
    "Progress",
    "RowIndex",
    "Rows",
    "SingleStates",
    "Space",
    "View",
    "by_target",
    "chosen_engine",
    "explore",
    "is_compiling",
    "joint_moves",
    "perft",
]
