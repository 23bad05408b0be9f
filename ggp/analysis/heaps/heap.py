"""Heaps: groups of fluents whose values lie on a chain, and what moves take from them.

Everything is read off the behaviour of `legal` and `next` together, position by position: names
and the order of arguments play no part, nor whether a move names the new size or the amount taken.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ggp.analysis.relations.chains import chains
from ggp.ground import Net
from ggp.kif import Term
from ggp.theory import SubtractionGame, mex

HOLE = Term("?")
"""Stands for the size in the shape of a heap's fluents."""

DIGITS = 1_000
"""Of a size that is written as a number."""

NAMED = 4
"""Elements of a chain that are named where they are no sizes."""


def numeral(term: Term) -> int | None:
    """The number that a constant is, written as numbers are and not longer than `DIGITS`."""
    text = str(term)
    is_number = len(text) <= DIGITS and text.isascii() and text.isdigit()
    return int(text) if is_number and (text == "0" or text[0] != "0") else None


@dataclass(frozen=True, eq=False)
class Heap:
    """One heap. Sizes are places on the chain, counted from 0 at the end that play runs towards.

    `pattern`: the fluent with `?` for the size, `shape` the same as a term; `elements`: the chain,
    in order of size; `fluents[n]`: index of the fluent of size n, or
    None; `size`: at the start of play; `takes[n]`: the amounts that can be taken from a heap of n,
    for every size that arises. `subtraction_set` and `floor` say the same for these sizes at once,
    where such a set exists. `scope`: `table`, of these sizes alone, or `any size`, where the same
    is proved of the rules with a longer chain. `game` is the subtraction game with that set.
    """

    shape: Term
    elements: tuple[Term, ...]
    fluents: tuple[int | None, ...]
    size: int
    takes: dict[int, tuple[int, ...]]
    scope: str = "table"

    @property
    def pattern(self) -> str:
        """The fluent with `?` for the size."""
        return str(self.shape)

    def at(self, element: Term) -> Term:
        """The fluent for an element of the chain."""
        return Term(self.shape.name, tuple(element if a == HOLE else a for a in self.shape.args))

    @cached_property
    def reading(self) -> str | None:
        """How its size is told from what stands for the `?` of its pattern; None where that is the
        size, in numerals."""
        texts = list(map(str, self.elements))
        numbers = list(map(numeral, self.elements))
        first = numbers[0] if numbers else 0
        if first is not None and numbers == list(range(first, first + len(texts))):
            return f"? - {first}" if first else None
        if first is not None and numbers == list(range(first, first - len(texts), -1)):
            return f"{first} - ?"
        shown = [*texts[:NAMED], "…"] if len(texts) > NAMED else texts
        return f"the place of ? in {', '.join(shown)}, from 0 on"

    @cached_property
    def floor(self) -> int:
        """The least size that arises."""
        landings = [n - d for n, amounts in self.takes.items() for d in amounts]
        return min([*landings, *self.takes])

    @cached_property
    def subtraction_set(self) -> tuple[int, ...] | None:
        """The amounts that can be taken from every heap that does not fall below the floor."""
        amounts = sorted({d for takes in self.takes.values() for d in takes})
        for n, takes in self.takes.items():
            if takes != tuple(d for d in amounts if n - d >= self.floor):
                return None
        return tuple(amounts) or None

    @property
    def game(self) -> SubtractionGame | None:
        """The subtraction game that the heap follows as far as its table goes."""
        return SubtractionGame(self.subtraction_set, self.floor) if self.subtraction_set else None

    @property
    def divisor(self) -> int:
        """What all amounts are multiples of: the sizes that play comes to differ by these."""
        return math.gcd(*(amount for takes in self.takes.values() for amount in takes)) or 1

    @cached_property
    def has_gaps(self) -> bool:
        """Whether some size from the floor up to the starting size does not arise, and nothing is
        proved of every size: it may have another floor."""
        sizes = range(self.floor, self.size + 1)
        return self.scope == "table" and any(n not in self.takes for n in sizes)

    def nim_value(self, size: int) -> int:
        """The nim-value of a size that arises; raises `KeyError` for another."""
        return self._nim_values[size]

    @cached_property
    def _nim_values(self) -> dict[int, int]:
        values: dict[int, int] = {}
        for n in sorted(self.takes):
            values[n] = mex(values[n - d] for d in self.takes[n])
        return values

    @property
    def nim_values(self) -> list[int | None]:
        """Nim-values from the floor up to the starting size; None for a size that cannot arise
        where no subtraction set tells of every size: it may have another floor."""
        game = self.game
        if game and self.divisor == 1:
            known = enumerate(game.nim_values(self.size), self.floor)
            return [v if not self.has_gaps or n in self.takes else None for n, v in known]
        return [self._nim_values.get(n) for n in range(self.floor, self.size + 1)]

    def as_json(self) -> dict[str, Any]:
        """The heap in the shape of `ggp analyse --format json`."""
        return {
            "heap": self.pattern,
            "size": self.size,
            "reading": self.reading,
            "subtraction_set": list(self.subtraction_set) if self.subtraction_set else None,
            "floor": self.floor,
            "scope": self.scope,
            "nim_values": self.nim_values,
            "period": self.game.period if self.game else None,
            "preperiod": self.game.preperiod if self.game else None,
        }


@dataclass(frozen=True, eq=False)
class FreeHeap(Heap):
    """One of which on a longer chain more may be taken than on this: any number from some on."""

    @property
    def subtraction_set(self) -> None:
        """No set is that of all sizes."""
        return


def in_order(heaps: Iterable[Heap]) -> tuple[Heap, ...]:
    """Heaps by their patterns, numbers in these by size."""
    return tuple(sorted(heaps, key=lambda heap: _by_numbers(heap.pattern)))


def _by_numbers(text: str) -> list[tuple[int, str]]:
    """What texts are sorted by: their digits by the number that these are, where they have as many
    as a numeral may have."""
    parts = re.findall("[0-9]+|[^0-9]+", text)
    return [(int(p) if p[0] in "0123456789" and len(p) <= DIGITS else -1, p) for p in parts]


def arising(size: int, options: Callable[[int], Iterable[int]]) -> set[int]:
    """The sizes that a heap of one size comes to, itself among them; `options`: those, from 0 on,
    that one move leads to from a size."""
    found = {size}
    for n in range(size, -1, -1):
        if n in found:
            found.update(options(n))
    return found


@dataclass(frozen=True)
class HeapCandidate:
    """Fluents that differ in one argument only; `fluents[n]` has the chain's element n there."""

    shape: Term
    elements: tuple[Term, ...]
    fluents: tuple[int | None, ...]

    @property
    def sizes(self) -> list[int]:
        """The places on the chain for which there is a fluent."""
        return [n for n, i in enumerate(self.fluents) if i is not None]

    @property
    def members(self) -> list[int]:
        """Its fluents, by size."""
        return [i for i in self.fluents if i is not None]


def heap_candidates(net: Net) -> dict[frozenset[int], list[HeapCandidate]]:
    """Heap-like fluents: of each family, of which just one holds at first, all ways to read it.

    On each chain that its arguments lie on, in both directions; heaps of one game may lie on
    several chains, and run up one while another runs down.
    """
    found: dict[frozenset[int], list[HeapCandidate]] = {}
    for chain in chains(net):
        for elements in (chain.elements, chain.elements[::-1]):
            for family in families(net, elements):
                if len(net.initial.intersection(family.members)) == 1:
                    found.setdefault(frozenset(family.members), []).append(family)
    return found


def simplest(readings: Sequence[Heap]) -> Heap:
    """Of one heap read on several chains the reading with the smallest sizes."""
    return min(readings, key=lambda heap: (heap.size, sorted(heap.takes.items())))


def families(net: Net, elements: tuple[Term, ...]) -> list[HeapCandidate]:
    """Fluents grouped by relation and other arguments where one argument runs over the chain.

    Each family is the whole of that argument.
    """
    rank = {term: n for n, term in enumerate(elements)}
    known: dict[Term, dict[int, int]] = {}
    broken: set[Term] = set()
    for i, fluent in enumerate(net.fluents):
        for j, arg in enumerate(fluent.args):
            pattern = Term(fluent.name, (*fluent.args[:j], HOLE, *fluent.args[j + 1 :]))
            if arg in rank:
                known.setdefault(pattern, {})[rank[arg]] = i
            else:
                broken.add(pattern)
    places = range(len(elements))
    return [
        HeapCandidate(pattern, elements, tuple(map(sizes.get, places)))
        for pattern, sizes in sorted(known.items(), key=lambda item: str(item[0]))
        if pattern not in broken and len(sizes) > 1
    ]
