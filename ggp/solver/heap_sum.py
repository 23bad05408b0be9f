"""A position of heaps of any size, solved by what is proved of each heap on every longer chain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, reduce
from itertools import islice
from operator import add
from typing import Any

from ggp.analysis import Heap
from ggp.analysis.heaps.by_order import AnyGame
from ggp.errors import NotSolvable
from ggp.solver.quotient import found_or_limit
from ggp.solver.sides import Sides
from ggp.theory import Genus, HeapGenera, HeapQuotient, NimHeap, SubtractionGame, nim_sum

MOST_MOVES = 1_000
"""Moves that are listed."""


@dataclass(frozen=True)
class HeapSum:
    """The position of a sheet with heaps of other sizes, solved.

    `sizes` are in the order of `heaps`, and so are `games`, what each heap follows. `quotient`:
    under misère play, with the kind of each heap in it; without one where some heap is a nim-heap.
    `listed`: tables that are taken to list all sizes of a longer chain, too.
    """

    heaps: tuple[Heap, ...]
    games: tuple[AnyGame, ...]
    sizes: tuple[int, ...]
    sides: Sides
    is_misere: bool = False
    quotient: HeapQuotient | None = None
    kinds: tuple[int, ...] = ()
    listed: tuple[str, ...] = ()

    @property
    def nim_values(self) -> tuple[int, ...] | None:
        """The nim-value of each heap, under normal play."""
        if self.is_misere:
            return None
        return tuple(g.nim_value(n) for g, n in zip(self.games, self.sizes, strict=True))

    @property
    def nim_value(self) -> int | None:
        """That of the position, under normal play."""
        return None if self.nim_values is None else nim_sum(self.nim_values)

    @property
    def genera(self) -> tuple[Genus, ...] | None:
        """The genus of each heap, under misère play; None where a period of one is not known."""
        return self._genera(self.sizes) if self.is_misere else None

    def _genera(self, sizes: Sequence[int]) -> tuple[Genus, ...] | None:
        try:
            return tuple(map(_genus, self.games, sizes))
        except ValueError:
            return None

    @property
    def outcome(self) -> str:
        """`N` where who is to move wins, `P` where the other does, or `draw`, as goals tell."""
        return self.sides.told(self._last(self.sizes)).outcome

    @property
    def winner(self) -> str:
        """The role that wins under best play, or `draw`."""
        return self.sides.told(self._last(self.sizes)).result

    @property
    def is_lost(self) -> bool:
        """Whether who is to move has the worse of their two ends; raises as `outcome` does
        `LimitReached`, and `NotSolvable` where the period of a genus is not known."""
        return self._last(self.sizes) == "P"

    def _last(self, sizes: Sequence[int]) -> str:
        """`N` where of heaps of these sizes who is to move has the better of their two ends, else
        `P`. Raises `LimitReached`, and `NotSolvable` where the period of a genus is not known."""
        if self.quotient:
            with found_or_limit():
                return self.quotient.outcome(zip(self.kinds, sizes, strict=True))
        if self.is_misere:
            genera = self._genera(sizes)
            if genera is None:
                raise NotSolvable("heaps of any size: the period of a genus is not known")
            # Nim-heaps and subtraction games are tame, all of them, so that genera add.
            return reduce(add, genera).misere_outcome
        values = [game.nim_value(n) for game, n in zip(self.games, sizes, strict=True)]
        return "N" if nim_sum(values) else "P"

    @property
    def periods(self) -> list[tuple[int, int] | None] | None:
        """For each heap, in sizes, from where and after how many its values, or under misère play
        its elements, repeat for ever, None for a nim-heap; None where sizes were so small that it
        was not asked."""
        if self.quotient is None:
            return [
                None if isinstance(game, NimHeap) else (game.floor + game.preperiod, game.period)
                for game in self.games
            ]
        found = self.quotient.periods()
        return None if found is None else [found[kind] for kind in self.kinds]

    @property
    def goals(self) -> dict[str, int]:
        """What each role gets under best play."""
        return self.sides.told(self._last(self.sizes)).goals

    @property
    def best(self) -> list[tuple[int, int]]:
        """All moves after which the other role loses, or where there is none all moves, of both the
        first `MOST_MOVES`: the number of the heap, and how much is taken from it."""
        won = (
            (i, size - to)
            for i, size in enumerate(self.sizes)
            for to in self._may_win(i)
            if self._last((*self.sizes[:i], to, *self.sizes[i + 1 :])) == "P"
        )
        moves = (
            (i, size - to)
            for i, (game, size) in enumerate(zip(self.games, self.sizes, strict=True))
            for to in game.options(size)
        )
        return list(islice(won, MOST_MOVES)) or list(islice(moves, MOST_MOVES))

    def _may_win(self, number: int) -> Iterable[int]:
        """The sizes that a heap is to be left with by a move that wins, and perhaps others."""
        game, size = self.games[number], self.sizes[number]
        if not isinstance(game, NimHeap):
            return game.options(size)
        values = [own.nim_value(n) for own, n in zip(self.games, self.sizes, strict=True)]
        rest = nim_sum(values) ^ values[number]
        # Under misère play a sum of single tokens is lost where it is 1.
        wanted = sorted({rest, rest ^ self.is_misere}, reverse=True)
        return (to for value in wanted for to in game.leaving(size, value))

    def as_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        best, values, periods, genera = self.best, self.nim_values, self.periods, self.genera
        monoid = self.quotient and self.quotient.monoid
        each = periods or [None for _ in self.games]
        return {
            **asdict(self.sides.told(self._last(self.sizes))),
            "to_move": self.sides.mover,
            "nim_value": self.nim_value,
            "genus": genera and str(reduce(add, genera)),
            "quotient": monoid and {"order": monoid.order, "lost": len(monoid.lost)},
            "heaps": [
                {
                    "heap": heap.pattern,
                    "size": size,
                    "reading": heap.reading,
                    "nim_value": values and values[i],
                    "genus": genera and str(genera[i]),
                    "subtraction_set": _amounts(game),
                    "least_amount": game.least if isinstance(game, NimHeap) else None,
                    "floor": game.floor,
                    "preperiod": own and own[0] - game.floor,
                    "period": own and own[1],
                }
                for i, (heap, game, size, own) in enumerate(
                    zip(self.heaps, self.games, self.sizes, each, strict=True)
                )
            ],
            "listed": [*self.listed],
            "best": [{"heap": self.heaps[i].pattern, "take": amount} for i, amount in best],
        }


def _genus(game: AnyGame, size: int) -> Genus:
    """That of a heap; raises `ValueError` where a period is not known."""
    if isinstance(game, NimHeap):
        return Genus.of_heap(game.nim_value(size))
    return _genera_of(game).genus(size)


@lru_cache(16)
def _genera_of(game: SubtractionGame) -> HeapGenera:
    return HeapGenera(game)


def _amounts(game: AnyGame) -> list[int]:
    return [] if isinstance(game, NimHeap) else list(game.subtraction_set)
