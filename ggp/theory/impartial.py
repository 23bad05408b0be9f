"""Impartial games that are given by their rule: heaps, taken from and broken, or any positions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import reduce
from operator import add
from typing import Generic, TypeVar

from ggp.theory.genus import Genus
from ggp.theory.nimbers import mex, nim_sum
from ggp.theory.short.meter import GameLimit

Part = TypeVar("Part", bound=Hashable)

Sum = tuple[int, ...]
"""Trees by their numbers, sorted."""

STAR = 0
"""The number of the tree with one move, to nothing."""


class ImpartialGame(Generic[Part]):
    """Sums of parts (heaps, positions) under a rule: `options(part)` are the sums of parts that it
    may be left as by a move, `()` being nothing.

    >>> grundy = ImpartialGame(lambda n: ((a, n - a) for a in range(1, (n + 1) // 2)))
    >>> [grundy.nim_value(n) for n in range(12)]
    [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2]
    >>> print(grundy.genus(5), grundy.misere_outcome(5), grundy.misere_outcome(3, 3))
    2^{20} N N

    Questions are asked of sums: `grundy.nim_value(5, 8)`. A period is not claimed, as nothing is
    known of parts that were not asked for. Play has to end: `ValueError` is raised where a part
    can come of itself, and `GameLimit` past so many parts or sums.
    """

    def __init__(
        self, options: Callable[[Part], Iterable[Iterable[Part]]], *, max_sums: int = 1_000_000
    ) -> None:
        self._rule, self._max_sums = options, max_sums
        self._written: dict[Part, Sum] = {}
        self._options: list[frozenset[Sum]] = [frozenset({()})]
        self._numbers = {self._options[STAR]: STAR}
        """Trees by their options: parts that play alike are one."""
        self._nim_values = [1]
        self._lost: dict[Sum, bool] = {(): False}
        self._genera: dict[Sum, tuple[Genus, bool]] = {(): (Genus.of_heap(0), True)}
        """With each, whether all that can come of the sum has a tame one."""

    def nim_value(self, *parts: Part) -> int:
        """The nim-value of a sum."""
        return self._nim(self._sum(parts))

    def outcome(self, *parts: Part) -> str:
        """`N` if the player to move wins the sum under normal play, else `P`."""
        return "N" if self.nim_value(*parts) else "P"

    def misere_outcome(self, *parts: Part) -> str:
        """`N` if the player to move wins under misère play, else `P`; by complete search."""
        return "P" if self._is_lost(self._sum(parts)) else "N"

    def genus(self, *parts: Part) -> Genus:
        """The genus of a sum: by those of its parts where all that can come of them is tame, else
        by those of all sums that can come of it."""
        return self._genus(self._sum(parts))[0]

    def is_tame(self, *parts: Part) -> bool:
        """Whether the genus of the sum is that of a Nim position, and so of all that can come of
        it (hereditarily tame in CGSuite, which has weaker kinds besides). Genera of such games
        add (`Genus.__add__`)."""
        return self._genus(self._sum(parts))[1]

    def _nim(self, position: Sum) -> int:
        return nim_sum(map(self._nim_values.__getitem__, position))

    def _sum(self, parts: Iterable[Part]) -> Sum:
        """A sum of parts in trees, without those that have no moves."""
        found: list[int] = []
        for part in parts:
            if part not in self._written:
                self._write(part)
            found += self._written[part]
        return _sorted(found)

    def _write(self, part: Part) -> None:
        """Number the tree of a part, after those of all that it can be left as."""
        opened: dict[Part, list[tuple[Part, ...]]] = {}
        todo = [part]
        while todo:
            one = todo[-1]
            if one in self._written:
                todo.pop()
                continue
            if one not in opened:
                opened[one] = [tuple(option) for option in self._rule(one)]
                self._count(len(opened) + len(self._written))
            missing = {p for option in opened[one] for p in option if p not in self._written}
            if any(p in opened for p in missing):
                raise ValueError(f"play does not end: {one} can come of itself")
            todo += missing
            if not missing:
                self._written[one] = self._number(frozenset(map(self._sum, opened.pop(one))))

    def _number(self, options: frozenset[Sum]) -> Sum:
        if not options:
            return ()
        if options not in self._numbers:
            self._numbers[options] = len(self._options)
            self._options.append(options)
            self._nim_values.append(mex(map(self._nim, options)))
        return (self._numbers[options],)

    def _count(self, count: int) -> None:
        if count > self._max_sums:
            raise GameLimit(f"the limit of {self._max_sums:,} sums is reached")

    def _moves(self, position: Sum) -> set[Sum]:
        """The sums that a sum may be left as."""
        return {
            _sorted([*rest, *option])
            for number, rest in _each(position)
            for option in self._options[number]
        }

    def _is_lost(self, position: Sum) -> bool:
        """Whether the player to move loses under misère play."""
        known = self._lost
        todo = [position]
        while todo:
            one = todo[-1]
            moves = self._moves(one)
            missing = [move for move in moves if move not in known]
            if missing and not any(known.get(move) for move in moves):
                # The smaller first: what is lost is often there.
                todo.append(min(missing, key=lambda move: (len(move), move)))
                continue
            known[one] = bool(one) and not any(known.get(move) for move in moves)
            self._count(len(known))
            todo.pop()
        return known[position]

    def _genus(self, position: Sum) -> tuple[Genus, bool]:
        known = self._genera
        todo = [position]
        while todo:
            one = todo[-1]
            parts: set[Sum] = {(number,) for number in one} if len(one) > 1 else set()
            needed = [part for part in parts if part not in known]
            if not needed and not (parts and all(known[part][1] for part in parts)):
                parts = set()
                needed = [move for move in self._moves(one) if move not in known]
            if needed:
                todo += needed
                continue
            if one not in known:
                known[one] = self._added(one) if parts else self._after(one)
                self._count(len(known))
            todo.pop()
        return known[position]

    def _added(self, position: Sum) -> tuple[Genus, bool]:
        """Of a sum of parts that are tame, with all that can come of them."""
        return reduce(add, (self._genera[number,][0] for number in position)), True

    def _after(self, position: Sum) -> tuple[Genus, bool]:
        """By those of all moves."""
        after = [self._genera[move] for move in self._moves(position)]
        genus = Genus.after(option for option, _ in after)
        return genus, genus.is_tame and all(is_tame for _, is_tame in after)


def _sorted(numbers: Iterable[int]) -> Sum:
    """A sum, without pairs of *1, which change no outcome: who wins without them moves as before,
    answers a move in one by one in the other, and where nothing else is left wins with them too.
    """
    found = sorted(numbers)
    stars = found.count(STAR)
    return tuple(found[stars - stars % 2 :])


def _each(position: Sum) -> Iterator[tuple[int, Sum]]:
    """Each different part of a sum, and the others."""
    for i, number in enumerate(position):
        if not i or position[i - 1] != number:
            yield number, position[:i] + position[i + 1 :]
