"""Impartial games under misère play, solved by misère quotients or by genera that are all tame.

See `ggp.theory.quotient` and `ggp.theory.tame_heaps`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property

from ggp.analysis import Heap
from ggp.errors import LimitReached
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import look
from ggp.solver.impartial import ImpartialSolution, ProvedHeaps, SplitSolution, SumOfHeaps
from ggp.solver.solution import Solution
from ggp.theory import (
    HeapQuotient,
    MisereQuotient,
    NoQuotient,
    SubtractionGame,
    TameHeaps,
    WildHeap,
)
from ggp.theory.heap_quotient import HeapGame

MAX_SUMS = 500_000
"""Sums whose outcomes are worked out, to learn a quotient."""


WIDE = 16
"""Amounts up to which a quotient is looked for first: that of Nim has two elements more than there
are nim-values, and what it takes to find it grows with the cube of these."""


@contextmanager
def found_or_limit() -> Iterator[None]:
    """`LimitReached` in place of `NoQuotient`."""
    try:
        yield
    except NoQuotient as error:
        raise LimitReached(error.limit, error.value, "of a misère quotient") from None


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
        self.floor, self.most, self.parts = heap.floor, len(heap.elements), 1
        self._takes = heap.takes

    def options(self, size: int) -> list[tuple[int, ...]]:
        """One heap, each time."""
        return [(size - amount,) for amount in self._takes.get(size, ())]


def kinds_of(heaps: Sequence[Heap]) -> tuple[list[HeapGame | SubtractionGame], list[int]]:
    """The different games that heaps follow, and for each heap the number of its own."""
    kinds: dict[Hashable, int] = {}
    games: list[HeapGame | SubtractionGame] = []
    numbers = []
    for heap in heaps:
        game = heap.game
        key = (game.subtraction_set, game.floor) if game else frozenset(heap.takes.items())
        if key not in kinds:
            kinds[key] = len(games)
            games.append(game or HeapTable(heap))
        numbers.append(kinds[key])
    return games, numbers


def misere_heaps(
    game: Game,
    heaps: Sequence[Heap],
    search: Callable[[], Solution[State, Term]],
    *,
    misere: bool,
    proved: ProvedHeaps | None = None,
) -> MisereHeaps:
    """A sum of heaps under misère play: by genera where much can be taken and all heaps are tame,
    else by a quotient; raises `LimitReached` where none is found."""
    if any(max(map(len, heap.takes.values())) > WIDE for heap in heaps):
        with suppress(WildHeap):
            return TameHeapSolution(game, heaps, search, misere=misere, proved=proved)
    return MisereHeapSolution(game, heaps, search, misere=misere, proved=proved)


class MisereHeaps(SumOfHeaps):
    """A sum of heaps under misère play, by something that tells of sums who wins them."""

    def __init__(
        self,
        game: Game,
        heaps: Sequence[Heap],
        search: Callable[[], Solution[State, Term]],
        *,
        misere: bool,
        proved: ProvedHeaps | None = None,
    ) -> None:
        super().__init__(game, heaps, search, misere=misere, proved=proved)
        games, self._kinds = kinds_of(heaps)
        self._heaps = self._learned(games)

    @abstractmethod
    def _learned(self, games: Sequence[HeapGame | SubtractionGame]) -> HeapQuotient | TameHeaps:
        """What tells of sums of these kinds of heaps."""

    def is_lost(self, position: State) -> bool | None:
        """Whether the role to move loses; None where heaps cannot arise from the start."""
        sizes = self._sizes_in(position)
        if sizes is None:
            return None
        return self._heaps.outcome(zip(self._kinds, sizes, strict=True)) == "P"


class TameHeapSolution(MisereHeaps):
    """By genera; raises `WildHeap` where a heap is not tame."""

    engine = "genera"
    method = "sum of heaps by genera, all tame"

    def _learned(self, games: Sequence[HeapGame | SubtractionGame]) -> TameHeaps:
        most = [0] * len(games)
        for kind, heap in zip(self._kinds, self.heaps, strict=True):
            most[kind] = max(most[kind], self._sizes.largest(heap))
        return TameHeaps(games, most, look)


class MisereHeapSolution(MisereHeaps, QuotientSolution):
    """By a quotient; raises `LimitReached` where none is found."""

    _heaps: HeapQuotient

    def _learned(self, games: Sequence[HeapGame | SubtractionGame]) -> HeapQuotient:
        found = HeapQuotient(games, max_sums=MAX_SUMS, look=look)
        with found_or_limit():
            for kind, heap in zip(self._kinds, self.heaps, strict=True):
                found.part(kind, max(heap.takes))
        return found

    @property
    def quotient(self) -> MisereQuotient:
        """The quotient of the heaps that arise, and of smaller ones."""
        return self._heaps.monoid

    @property
    def method(self) -> str:  # type: ignore[override]
        """The quotient, and of what."""
        return self._named("heaps")


class MisereSummandSolution(SplitSolution, QuotientSolution):
    """A game that falls into pieces; asking raises `LimitReached` where no quotient is found."""

    def _value(self, options: list[list[list[int]]]) -> int:
        with found_or_limit():
            return self.quotient.add(map(tuple, options[0]))

    @cached_property
    def quotient(self) -> MisereQuotient:
        """The quotient of the pieces that were worked out."""
        return MisereQuotient(max_sums=MAX_SUMS, look=look)

    @property
    def method(self) -> str:  # type: ignore[override]
        """The quotient, and of what."""
        return self._named("summands")

    def is_lost(self, position: State) -> bool | None:
        """Whether the role to move loses; None where what proofs rest on does not hold.

        Raises `LimitReached`.
        """
        parts = self._values(position)
        return None if parts is None else self.quotient.outcome(parts) == "P"
