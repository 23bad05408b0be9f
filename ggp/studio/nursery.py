"""Imported once by the process that all others of the studio are forked from: it loads everything.

What only some questions need (pictures, tables) is imported by them.
"""

from ggp import analysis, solver
from ggp.match import nursery
from ggp.show import board, notebook
from ggp.studio.work import sheets, table

__all__ = ["analysis", "board", "notebook", "nursery", "sheets", "solver", "table"]
