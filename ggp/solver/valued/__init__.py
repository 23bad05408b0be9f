"""Values of positions as short games (Conway 1976; Siegel, Combinatorial Game Theory, 2013).

A game of two roles has values if, on all boards that arise when either role may be the one to
move at any time, five conditions hold: the turn alternates whatever is played (1); every move
changes the board (2); who is to move is read only as that (3), as what tells it can be given to
either; play ends just where the role to move cannot move, or is told that it has lost (4); and no
board comes up twice (5). The first role of the sheet is Left.
"""

from ggp.solver.valued.atlas import AnyBoards, SomeBoards
from ggp.solver.valued.boards import BoardValues, ComesAgain
from ggp.solver.valued.ended import EndedBoard
from ggp.solver.valued.loopy import LoopyValue
from ggp.solver.valued.moves import NoValue, ValuedMove
from ggp.solver.valued.pieces import PieceValues
from ggp.solver.valued.values import any_boards, values

__all__ = [
    "AnyBoards",
    "BoardValues",
    "ComesAgain",
    "EndedBoard",
    "LoopyValue",
    "NoValue",
    "PieceValues",
    "SomeBoards",
    "ValuedMove",
    "any_boards",
    "values",
]
