"""Values of boards that come up again, as loopy games."""

from __future__ import annotations

from collections.abc import Hashable

from ggp.solver.valued.boards import BoardValues
from ggp.solver.valued.moves import LEFT, RIGHT
from ggp.theory import GameLimit, LoopyGame, NotStopperSided


class LoopyValue:
    """The value of the board that was asked about where all conditions hold but the fifth.

    Play without end is a draw. `sides`: the onside and the offside (Conway 1978; Siegel 2013, ch.
    VI), None where none were found, or a limit was reached; `why` says so then.
    """

    def __init__(self, boards: BoardValues) -> None:
        self.boards = boards
        self.outcome: str | None = None
        self.text: str | None = None
        self.sides: tuple[LoopyGame, LoopyGame] | None = None
        self.why: str | None = None
        try:
            self._find()
        except (GameLimit, NotStopperSided) as error:
            self.why = str(error)

    def _find(self) -> None:
        boards = self.boards
        seen, todo = {boards.start}, [boards.start]
        graph: dict[Hashable, tuple[list[Hashable], list[Hashable]]] = {}
        while todo:
            board = todo.pop()
            left, right = boards.after(board, LEFT), boards.after(board, RIGHT)
            # A number by itself would be taken for an integer.
            graph["board", board] = [("board", b) for b in left], [("board", b) for b in right]
            new = {*left, *right} - seen
            seen |= new
            todo += new
        whole = LoopyGame(graph, ("board", boards.start))
        self.outcome = whole.outcome
        self.text = str(whole)
        self.sides = whole.onside, whole.offside
