"""Impartial games under normal play, solved by nim-values without a search of all positions.

The nim-value of a sum is the exclusive or of the nim-values of its parts (Sprague, Grundy), and the
player to move wins exactly if it is not zero. Misère play has no such rule: see `quotient`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from ggp.analysis.claims.any_length import Row
from ggp.game import Game, State
from ggp.ground import Group
from ggp.kif import Term
from ggp.limits import look
from ggp.solver.impartial import ImpartialSolution, SplitSolution, SumOfHeaps
from ggp.solver.pieces.pieces import groups_hold
from ggp.solver.solution import Solution
from ggp.theory import OctalGame, mex, nim_sum


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

    def has_last_move(self, position: State, player: str) -> bool:
        """Whether a player is sure of the better of their two ends, as far as it is proved; that
        need not be who has more of the goals, which may be the same in both."""
        nim_value = self.nim_value(position)
        return nim_value is not None and (self.to_move(position) == player) == (nim_value != 0)


class HeapSolution(SumOfHeaps, NimSolution):
    """A sum of heaps under normal play."""

    method = "sum of heaps by nim-values"

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None where its heaps cannot arise from the start."""
        sizes = self._sizes_in(position)
        return None if sizes is None else nim_sum(map(self._nim_value, range(len(sizes)), sizes))

    def _nim_value(self, place: int, size: int) -> int:
        """That of a heap, by its table, or of a size beyond it."""
        heap = self.heaps[place]
        game = heap.game
        return game.nim_value(size) if game and size not in heap.takes else heap.nim_value(size)


class RowSolution(NimSolution):
    """A row of tokens under normal play, each run of which is a heap of an octal game, by proof."""

    method = "runs of tokens by nim-values"

    def __init__(
        self,
        game: Game,
        row: Row,
        groups: Sequence[Group],
        search: Callable[[], Solution[State, Term]],
        *,
        misere: bool,
    ) -> None:
        super().__init__(game, search, 0.0, misere=misere)
        assert game.marker is not None
        self.method += f" (octal code {row.code})"
        self.positions = len(row.family.members)
        pairs = {frozenset(pair) for pair in row.opposite.items()}
        # That one of each pair holds is asked of every arrangement anyway.
        self._row = row
        self._groups = [group for group in groups if frozenset(group.fluents) not in pairs]
        self.heap = OctalGame(row.code, look)
        own = sum(1 << f for f in {*row.family.members, *row.opposite.values()})
        self._fixed = ~(own | game.marker.mask)

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None of one that is no arrangement of tokens."""
        bits = self._own(position).bits
        text = f"{bits:0{len(self.game.net.fluents)}b}"[::-1]
        is_row = not any(text[one] == text[other] for one, other in self._row.opposite.items())
        is_same = not (bits ^ self.game.initial.bits) & self._fixed
        if not (is_row and is_same and groups_hold(self._groups, bits)):
            return None
        if self.to_move(position) is None:
            return None
        # Of each length by itself: not every code has a known period.
        values = self.heap.nim_values(self.positions)
        return nim_sum(values[run] for run in self._row.runs(bits))


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
