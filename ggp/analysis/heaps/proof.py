"""Heaps proved for every board: each move is looked at with all sizes of one heap side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.analysis.boards.parts import BoardPart, PartSimulation, PartStep, Split
from ggp.analysis.heaps.heap import (
    Heap,
    HeapCandidate,
    arising,
    heap_candidates,
    in_order,
    simplest,
)
from ggp.bits import bits_of

Takes = dict[int, set[int]]


def proved_heaps(
    parts: PartSimulation, split: Split, initial: frozenset[int], *, whole: bool = False
) -> tuple[Heap, ...]:
    """The heaps of a game that is a sum of heaps and nothing else, if that holds on every board.

    Each move changes just one heap, by an amount that its size alone decides, as it decides whether
    the move is legal; other fluents never change. `initial`: the fluents of the start. `whole`:
    what can be taken is told of all sizes, not only of those that the first one comes to. Empty
    where there is no proof.
    """
    candidates = heap_candidates(parts.boards.net)
    known = {frozenset(part.fluents): part for part in split if part.exact}
    changing = [part for part in known.values() if any(map(parts.may_change, part.fluents))]
    heaps = [part for part in changing if frozenset(part.fluents) in candidates]
    if not heaps or not _is_all(parts, heaps):
        return ()
    dead = {step.option for part in heaps for step in split[part] if not step.legal}
    touched: set[tuple[int, int]] = set()
    found = []
    for part in heaps:
        steps = [step for step in split[part] if step.pairs and step.option not in dead]
        own = {step.option for step in steps}
        if not own or not touched.isdisjoint(own):
            return ()
        touched |= own
        tables = (
            (candidate, _table(parts, candidate, part, steps))
            for candidate in candidates[frozenset(part.fluents)]
        )
        readings = [
            _heap(c, table, initial, whole=whole) for c, table in tables if table is not None
        ]
        if not readings:
            return ()
        found.append(simplest(readings))
    if touched != {key for key, _ in parts.options} - dead:
        return ()
    return in_order(found)


def _is_all(parts: PartSimulation, heaps: Sequence[BoardPart]) -> bool:
    """Whether nothing but the heaps changes."""
    inside = {f for part in heaps for f in part.fluents}
    return all(f in inside or not parts.may_change(f) for f in parts.boards.inputs)


def _table(
    parts: PartSimulation, candidate: HeapCandidate, part: BoardPart, steps: Sequence[PartStep]
) -> Takes | None:
    """What can be taken from each size of a heap, by either player; None if that is not all that
    moves do to it, or not the same for both."""
    tables: list[Takes] = [{} for _ in parts.boards.sides]
    size_of = {candidate.fluents[n]: n for n in candidate.sizes}
    sizes = [size_of[f] for f in part.fluents]
    for step in steps:
        if step.kept or step.always != step.legal:
            return None
        for values, after in step.pairs:
            for before in bits_of(values):
                amount = sizes[before] - sizes[after]
                if amount <= 0:
                    return None
                tables[step.option[0]].setdefault(sizes[before], set()).add(amount)
    return tables[0] if all(table == tables[0] for table in tables) else None


def _heap(
    candidate: HeapCandidate,
    table: Mapping[int, set[int]],
    initial: frozenset[int],
    *,
    whole: bool,
) -> Heap:
    """The heap with the sizes that can arise from its first one, or the whole of the chain."""
    size = next(n for n in candidate.sizes if candidate.fluents[n] in initial)
    sizes = sorted(arising(size, lambda n: (n - amount for amount in table.get(n, ()))))
    if whole:
        sizes = candidate.sizes
    takes = {n: tuple(sorted(table.get(n, ()))) for n in sizes}
    return Heap(candidate.shape, candidate.elements, candidate.fluents, size, takes)
