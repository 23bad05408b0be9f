"""Misère quotients of sums of heaps, of any size where the elements of heaps repeat for ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from ggp.theory.periodic import proved_period
from ggp.theory.quotient import MisereQuotient, NoQuotient
from ggp.theory.subtraction import SubtractionGame


class HeapGame(Protocol):
    """A game of heaps: what a heap can be left as, and from which size on heaps are."""

    @property
    def floor(self) -> int:
        """The least size."""

    @property
    def most(self) -> int:
        """How much is taken at the most."""

    @property
    def parts(self) -> int:
        """How many heaps are left of one at the most."""

    def options(self, size: int) -> Iterable[tuple[int, ...]]:
        """The heaps that may be left of one of this size."""


class _Takes:
    """A subtraction game as one of heaps that leave heaps."""

    def __init__(self, game: SubtractionGame) -> None:
        self.floor, self.most, self.parts = game.floor, game.subtraction_set[-1], 1
        self._game = game

    def options(self, size: int) -> list[tuple[int, ...]]:
        """A heap, or none."""
        return [(left,) for left in self._game.options(size)]


def as_heaps(game: HeapGame | SubtractionGame) -> HeapGame:
    """A game of heaps whose moves leave sums of heaps."""
    return _Takes(game) if isinstance(game, SubtractionGame) else game


class HeapQuotient:
    """Sums of heaps of some games under misère play, of any size where the elements of heaps are
    seen to repeat for ever.

    `games`: kinds of heaps. Further arguments as of `MisereQuotient`.

    >>> heaps = HeapQuotient([SubtractionGame({1, 2, 5})])
    >>> heaps.outcome([(0, 1), (0, 3)]), heaps.outcome([(0, 10**18), (0, 10**18 + 1)])
    ('P', 'N')
    """

    def __init__(
        self,
        games: Sequence[HeapGame | SubtractionGame],
        *,
        max_size: int = 2_000,
        **limits: Any,  # noqa: ANN401
    ) -> None:
        self.games = tuple(map(as_heaps, games))
        self.monoid = MisereQuotient(**limits)
        self._max_size = max_size
        self._size = -1
        self._part: dict[tuple[int, int], int] = {}
        self._periods: tuple[int, list[tuple[int, int]] | None] = -1, None

    def outcome(self, heaps: Iterable[tuple[int, int]]) -> str:
        """`N` if the player to move wins the sum of these heaps (kind and size), else `P`.

        Raises `NoQuotient`, and `ValueError` for a size below the floor.
        """
        return self.monoid.outcome([self.part(*heap) for heap in heaps])

    def part(self, kind: int, size: int) -> int:
        """The part of the monoid that a heap is, or that it is the same as."""
        floor = self.games[kind].floor
        if size < floor:
            raise ValueError(f"a heap of {size} lies below the floor {floor}")
        while size > self._size:
            if self._size % 8 == 7 and (periods := self.periods()):
                start, period = periods[kind]
                return self._part[kind, start + (size - start) % period]
            self._grow()
        return self._part[kind, size]

    def _grow(self) -> None:
        """One size more, of all kinds."""
        if self._size >= self._max_size:
            raise NoQuotient("heaps", self._max_size)
        size = self._size + 1
        for kind, game in enumerate(self.games):
            if size >= game.floor:
                options = [
                    tuple(self._part[kind, left] for left in option)
                    for option in game.options(size)
                ]
                self._part[kind, size] = self.monoid.add(options)
        self._size = size

    def periods(self) -> list[tuple[int, int]] | None:
        """For each kind, size and length from which and after which its elements repeat for ever,
        if that is proved: what a heap is hangs on the elements of its options alone."""
        if self._periods[0] != self._size:
            self._periods = self._size, self._find_periods()
        return self._periods[1]

    def _find_periods(self) -> list[tuple[int, int]] | None:
        found = []
        for kind, game in enumerate(self.games):
            parts = [self._part[kind, size] for size in range(game.floor, self._size + 1)]
            elements = list(map(self.monoid.element, parts))
            one = proved_period(elements, game.most, max(game.parts, 1))
            if one is None:
                return None
            found.append((one[0] + game.floor, one[1]))
        return found
