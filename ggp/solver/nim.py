"""Impartial games under normal play, solved by nim-values without a search of all positions.

The nim-value of a sum is the exclusive or of the nim-values of its parts (Sprague, Grundy), and the
player to move wins exactly if it is not zero. Misère play has no such rule: see `quotient`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from math import inf

from ggp.analysis import Heap
from ggp.game import Game, State
from ggp.ground import Group
from ggp.kif import Term
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.impartial import HeapSizes, ImpartialSolution, Pieces
from ggp.solver.solution import Solution
from ggp.solver.splitting import Splitter
from ggp.theory import mex, nim_sum


class NimSolution(ImpartialSolution):
    """A game whose nim-values are known of the states that its proofs are about."""

    engine = "nim-values"

    @abstractmethod
    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None where nothing is proved about it."""

    def is_lost(self, position: State) -> bool | None:
        """Whether the nim-value is 0."""
        nim_value = self.nim_value(position)
        return None if nim_value is None else nim_value == 0


class HeapSolution(NimSolution):
    """A sum of heaps."""

    method = "sum of heaps by nim-values"

    def __init__(
        self,
        game: Game,
        heaps: Sequence[Heap],
        search: Callable[[], Solution[State, Term]],
        seconds: float,
        *,
        misere: bool = False,
    ) -> None:
        super().__init__(game, search, seconds, misere=misere)
        self.heaps = tuple(heaps)
        self._sizes = HeapSizes(game, heaps)
        self.positions = sum(len(heap.takes) for heap in heaps)

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None where its heaps cannot arise from the start."""
        sizes = self._sizes(self._own(position).bits)
        if sizes is None or self.to_move(position) is None:
            return None
        return nim_sum(heap.nim_value(n) for heap, n in zip(self.heaps, sizes, strict=True))


class SummandSolution(NimSolution):
    """A game whose positions are split into summands as it is played.

    What is searched is the pieces that differ, not the positions. `groups` are what the proofs that
    the game is impartial, of normal form and acyclic rest on.
    """

    method = "Sprague-Grundy theory on summands"

    def __init__(
        self,
        game: Game,
        splitter: Splitter,
        groups: Sequence[Group],
        search: Callable[[], Solution[State, Term]],
        seconds: float,
        *,
        misere: bool = False,
    ) -> None:
        super().__init__(game, search, seconds, misere=misere)
        self._pieces: Pieces[int] = Pieces(splitter, groups, _nim_value)

    @property
    def positions(self) -> int:  # type: ignore[override]
        """The pieces that were worked out."""
        return len(self._pieces)

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None where what proofs rest on does not hold.

        Raises `LimitReached`.
        """
        board = self._own(position).bits
        if self.to_move(position) is None or not self._pieces.may_arise(board):
            return None
        return self.of_board(board, Budget(self.game.limits))

    def of_board(
        self,
        board: int,
        budget: Budget,
        progress: Progress | None = None,
        work: float = inf,
    ) -> int:
        """The nim-value of a board, its fluents as bits; see `Pieces.of_board`."""
        return nim_sum(self._pieces.of_board(board, budget, progress, work))


def _nim_value(options: list[list[int]]) -> int:
    """Of a piece, from those that its options fall into."""
    return mex(map(nim_sum, options))
