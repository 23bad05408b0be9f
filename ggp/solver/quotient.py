"""Impartial games under misère play, solved by misère quotients: see `ggp.theory.quotient`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf

from ggp.analysis import Heap
from ggp.errors import LimitReached
from ggp.game import Game, State
from ggp.ground import Group
from ggp.kif import Term
from ggp.limits import Budget, look
from ggp.machine import Progress
from ggp.solver.impartial import HeapSizes, ImpartialSolution, Pieces
from ggp.solver.solution import Solution
from ggp.solver.splitting import Splitter
from ggp.theory import HeapQuotient, MisereQuotient, NoQuotient, SubtractionGame
from ggp.theory.quotient import HeapGame

MAX_SUMS = 500_000
"""Sums whose outcomes are worked out, to learn a quotient."""


@contextmanager
def found_or_limit() -> Iterator[None]:
    """`LimitReached` in place of `NoQuotient`."""
    try:
        yield
    except NoQuotient as error:
        raise LimitReached("work", MAX_SUMS, f"misère quotient: {error}") from None


class QuotientSolution(ImpartialSolution):
    """A game of which a finite misère quotient is known, for the states its proofs are about."""

    engine = "misère quotient"

    @property
    @abstractmethod
    def quotient(self) -> MisereQuotient:
        """The quotient as far as it was needed."""

    def _named(self, parts: str) -> str:
        order, lost = self.quotient.order, len(self.quotient.lost)
        return f"misère quotient of {parts}: order {order}, {lost} of them lost"


class HeapTable:
    """A heap of a sheet, by what can be taken from each size that arises."""

    def __init__(self, heap: Heap) -> None:
        self.floor, self.most = heap.floor, len(heap.elements)
        self._takes = heap.takes

    def options(self, size: int) -> list[tuple[int, ...]]:
        """One heap, each time."""
        return [(size - amount,) for amount in self._takes.get(size, ())]


class MisereHeapSolution(QuotientSolution):
    """A sum of heaps under misère play; raises `LimitReached` where no quotient is found."""

    def __init__(
        self,
        game: Game,
        heaps: Sequence[Heap],
        search: Callable[[], Solution[State, Term]],
        seconds: float,
        *,
        misere: bool,
    ) -> None:
        super().__init__(game, search, seconds, misere=misere)
        self._sizes = HeapSizes(game, heaps)
        kinds: dict[object, int] = {}
        games: list[HeapGame | SubtractionGame] = []
        self._kinds = []
        for heap in heaps:
            key = heap.floor, heap.subtraction_set, frozenset(heap.takes.items())
            if key not in kinds:
                kinds[key] = len(games)
                games.append(heap.game or HeapTable(heap))
            self._kinds.append(kinds[key])
        self._heaps = HeapQuotient(games, max_sums=MAX_SUMS, look=look)
        with found_or_limit():
            for kind, heap in zip(self._kinds, heaps, strict=True):
                self._heaps.part(kind, max(heap.takes))
        self.positions = sum(len(heap.takes) for heap in heaps)

    @property
    def quotient(self) -> MisereQuotient:
        """The quotient of the heaps that arise, and of smaller ones."""
        return self._heaps.monoid

    @property
    def method(self) -> str:  # type: ignore[override]
        """The quotient, and of what."""
        return self._named("heaps")

    def is_lost(self, position: State) -> bool | None:
        """Whether the role to move loses; None where heaps cannot arise from the start."""
        sizes = self._sizes(self._own(position).bits)
        if sizes is None or self.to_move(position) is None:
            return None
        return self._heaps.outcome(zip(self._kinds, sizes, strict=True)) == "P"


class MisereSummandSolution(QuotientSolution):
    """A game under misère play whose positions are split into summands as it is played.

    `groups` are what the proofs that the game is impartial, of normal or misère form and acyclic
    rest on.
    """

    def __init__(
        self,
        game: Game,
        splitter: Splitter,
        groups: Sequence[Group],
        search: Callable[[], Solution[State, Term]],
        seconds: float,
        *,
        misere: bool,
    ) -> None:
        super().__init__(game, search, seconds, misere=misere)
        self._quotient = MisereQuotient(max_sums=MAX_SUMS, look=look)
        self._pieces: Pieces[int] = Pieces(splitter, groups, self._part)

    def _part(self, options: list[list[int]]) -> int:
        with found_or_limit():
            return self._quotient.add(map(tuple, options))

    @property
    def quotient(self) -> MisereQuotient:
        """The quotient of the pieces that were worked out."""
        return self._quotient

    @property
    def method(self) -> str:  # type: ignore[override]
        """The quotient, and of what."""
        return self._named("summands")

    @property
    def positions(self) -> int:  # type: ignore[override]
        """The pieces that were worked out."""
        return len(self._pieces)

    def is_lost(self, position: State) -> bool | None:
        """Whether the role to move loses; None where what proofs rest on does not hold.

        Raises `LimitReached`.
        """
        board = self._own(position).bits
        if self.to_move(position) is None or not self._pieces.may_arise(board):
            return None
        return self.of_board(board, Budget(self.game.limits)) == "P"

    def of_board(
        self,
        board: int,
        budget: Budget,
        progress: Progress | None = None,
        work: float = inf,
    ) -> str:
        """The outcome of a board, its fluents as bits; see `Pieces.of_board`."""
        return self._quotient.outcome(self._pieces.of_board(board, budget, progress, work))
