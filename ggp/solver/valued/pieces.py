"""Values of positions by the pieces that they fall into, each worked out once."""

from __future__ import annotations

from functools import reduce

from ggp.analysis.proofs import Proofs
from ggp.game import Game
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.pieces import Pieces
from ggp.solver.splitting import Splitter
from ggp.solver.valued.moves import ValuedMove, valued
from ggp.theory import ShortGame

NOTHING = ShortGame.integer(0)


def total(parts: list[ShortGame]) -> ShortGame:
    """The sum of games."""
    return reduce(ShortGame.__add__, parts) if parts else NOTHING


class PieceValues:
    """The value of a board as the sum of those of its pieces.

    Of a game whose conditions are proved, and a board on which the groups hold that the proofs rest
    on. Raises `LimitReached`.
    """

    unit = "pieces"

    def __init__(
        self, game: Game, proofs: Proofs, start: int, budget: Budget, progress: Progress | None
    ) -> None:
        assert proofs.boards is not None
        self.game = game
        self.start = start
        self.groups = proofs.groups
        self._budget = budget
        self._progress = progress
        self.splitter = Splitter(proofs.boards)
        self._pieces: Pieces[ShortGame] = Pieces(self.splitter, proofs.assumed, value_of)
        self.may_arise = self._pieces.may_arise(start)
        self.whole = self.value(start) if self.may_arise else NOTHING

    def value(self, board: int) -> ShortGame:
        """The value of a board, its fluents as bits."""
        return total(self._pieces.of_board(board, self._budget, self._progress))

    @property
    def count(self) -> int:
        """The pieces that were worked out."""
        return len(self._pieces)

    def moves(self) -> list[ValuedMove]:
        """The moves of both roles on the board that was asked about, Left's first."""
        found = []
        made = list(self.splitter.made(self.start))
        for role, name in enumerate(self.game.roles):
            listed = [
                (str(self.game.evaluator.move(role, move)), self.value(after))
                for (own, move), after in made
                if own == role
            ]
            found += valued(role, name, listed, self.whole)
        return found


def value_of(options: list[list[list[ShortGame]]]) -> ShortGame:
    """The value of a piece, from those of the pieces that either side's options fall into."""
    left, right = ([total(parts) for parts in side] for side in options)
    return ShortGame(left, right)
