"""Impartial games under normal play, solved by nim-values without a search of all positions.

The nim-value of a sum is the exclusive or of the nim-values of its parts (Sprague, Grundy), and the
player to move wins exactly if it is not zero. Misère play has no such rule: see `quotient`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from ggp.analysis import Heap
from ggp.game import Game, State
from ggp.kif import Term
from ggp.solver.impartial import HeapSizes, ImpartialSolution, ProvedHeaps, SplitSolution
from ggp.solver.solution import Solution
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
    """A sum of heaps; `proved` where proofs are about those of another game."""

    method = "sum of heaps by nim-values"

    def __init__(
        self,
        game: Game,
        heaps: Sequence[Heap],
        search: Callable[[], Solution[State, Term]],
        seconds: float,
        *,
        misere: bool = False,
        proved: ProvedHeaps | None = None,
    ) -> None:
        super().__init__(game, search, seconds, misere=misere, proved=proved)
        self.heaps = tuple(heaps)
        self._games = [heap.game for heap in heaps]
        self._sizes = proved or HeapSizes(game, heaps)
        self.positions = sum(len(heap.takes) for heap in heaps)

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None where its heaps cannot arise from the start."""
        sizes = self._sizes.sizes(self._own(position))
        if sizes is None or self.to_move(position) is None:
            return None
        return nim_sum(map(self._nim_value, range(len(sizes)), sizes))

    def _nim_value(self, place: int, size: int) -> int:
        """That of a heap, by its table, or of a size beyond it."""
        heap, game = self.heaps[place], self._games[place]
        return game.nim_value(size) if game and size not in heap.takes else heap.nim_value(size)


class SummandSolution(SplitSolution, NimSolution):
    """A game that falls into pieces, each with a nim-value."""

    method = "Sprague-Grundy theory on summands"

    def _value(self, options: list[list[list[int]]]) -> int:
        return mex(map(nim_sum, options[0]))

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None where what proofs rest on does not hold.

        Raises `LimitReached`.
        """
        values = self._values(position)
        return None if values is None else nim_sum(values)
