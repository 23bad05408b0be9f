"""Heaps proved for every board: each move is looked at with all sizes of one heap side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.analyse.heaps import Heap, HeapCandidate, heap_choices
from ggp.analyse.parts import Part, Parts, Split, Step, bits_of

Takes = dict[int, set[int]]


def proved_heaps(parts: Parts, split: Split, initial: frozenset[int]) -> tuple[Heap, ...]:
    """The heaps of a game that is a sum of heaps and nothing else, if that holds on every board.

    Each move changes just one heap, by an amount that its size alone decides, as it decides whether
    the move is legal; other fluents never change. `initial`: the fluents of the start. Empty where
    there is no proof.
    """
    known = {frozenset(part.fluents): part for part in split}
    for candidates in heap_choices(parts.boards.net):
        chosen = [known.get(frozenset(c.members)) for c in candidates]
        found = [(c, p) for c, p in zip(candidates, chosen, strict=True) if p and p.exact]
        if not found or not _is_all(parts, [p for _, p in found]):
            continue
        tables = _tables(parts, [(c, p, split[p]) for c, p in found])
        if tables:
            return tuple(
                _heap(c, table, initial) for (c, _), table in zip(found, tables, strict=True)
            )
    return ()


def _is_all(parts: Parts, heaps: Sequence[Part]) -> bool:
    """Whether nothing but the heaps changes."""
    inside = {f for part in heaps for f in part.fluents}
    return all(f in inside or not parts.may_change(f) for f in parts.boards.inputs)


def _tables(
    parts: Parts, heaps: Sequence[tuple[HeapCandidate, Part, Sequence[Step]]]
) -> list[Takes] | None:
    """For each heap what can be taken from each size, by either player; None if that is not all
    that moves do."""
    roles = range(len(parts.boards.sides))
    tables: list[list[Takes]] = [[{} for _ in roles] for _ in heaps]
    touched = set()
    dead = {step.option for _, _, steps in heaps for step in steps if not step.legal}
    for own, (candidate, part, steps) in zip(tables, heaps, strict=True):
        size_of = {candidate.fluents[n]: n for n in candidate.sizes}
        sizes = [size_of[f] for f in part.fluents]
        for step in steps:
            if not step.pairs or step.option in dead:
                continue
            if step.option in touched or step.kept or step.always != step.legal:
                return None
            touched.add(step.option)
            table = own[step.option[0]]
            for values, after in step.pairs:
                for before in bits_of(values):
                    amount = sizes[before] - sizes[after]
                    if amount <= 0:
                        return None
                    table.setdefault(sizes[before], set()).add(amount)
    everything = {key for key, _ in parts.options} - dead
    if touched != everything or any(any(t != own[0] for t in own) for own in tables):
        return None
    return [own[0] for own in tables]


def _heap(candidate: HeapCandidate, table: Mapping[int, set[int]], initial: frozenset[int]) -> Heap:
    """The heap with the sizes that can arise from its first one."""
    size = next(n for n in candidate.sizes if candidate.fluents[n] in initial)
    arising = {size}
    for n in range(size, -1, -1):
        if n in arising:
            arising.update(n - d for d in table.get(n, ()))
    takes = {n: tuple(sorted(table.get(n, ()))) for n in sorted(arising)}
    return Heap(candidate.shape, candidate.elements, candidate.fluents, size, takes)
