"""Sums of tame heaps under misère play, by their genera: as quickly as sums by nim-values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ggp.theory.genus import Genus
from ggp.theory.heap_quotient import HeapGame, as_heaps
from ggp.theory.subtraction import SubtractionGame


class WildHeap(ValueError):
    """Of a heap, or of what can come of it, the genus is none of Nim."""


class TameHeaps:
    """Sums of heaps of some games, none of which is larger than `sizes` has for its kind.

    >>> heaps = TameHeaps([SubtractionGame({1, 2, 5})], [20])
    >>> heaps.outcome([(0, 1), (0, 3)]), heaps.outcome([(0, 2), (0, 20)]), str(heaps.genus(0, 20))
    ('P', 'P', '2^{20}')

    Where all that can come of a heap is tame, as of heaps of Nim, sums are lost as in Nim
    (`Genus.__add__`; Winning Ways, chapter 13): the work grows with the options of all sizes, not
    with sums. Raises `WildHeap` where there is another heap; `look` is called for each size, and
    may raise.
    """

    def __init__(
        self,
        games: Sequence[HeapGame | SubtractionGame],
        sizes: Sequence[int],
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self._genera: dict[tuple[int, int], Genus] = {}
        for kind, (game, most) in enumerate(zip(map(as_heaps, games), sizes, strict=True)):
            for size in range(game.floor, most + 1):
                look()
                options = {
                    self._sum((kind, left) for left in option) for option in game.options(size)
                }
                genus = Genus.after(options)
                if not genus.is_tame:
                    raise WildHeap(f"a heap of {size} has the genus {genus}")
                self._genera[kind, size] = genus

    def genus(self, kind: int, size: int) -> Genus:
        """The genus of a heap."""
        return self._genera[kind, size]

    def outcome(self, heaps: Iterable[tuple[int, int]]) -> str:
        """`N` if the player to move wins the sum of these heaps (kind and size), else `P`.

        Raises `KeyError` for a heap that is none, or larger than any that was asked for.
        """
        total, is_firm = 0, False
        for heap in heaps:
            genus = self._genera[heap]
            total ^= genus.nim_value
            is_firm = is_firm or not genus.is_fickle
        return "N" if is_firm == bool(total) else "P"

    def _sum(self, heaps: Iterable[tuple[int, int]]) -> Genus:
        found = Genus.of_heap(0)
        for heap in heaps:
            found += self._genera[heap]
        return found
