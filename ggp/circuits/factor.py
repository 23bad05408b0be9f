"""OR-of-ANDs to few gates: literals that many alternatives share are taken out.

Greedy algebraic factoring, the most frequent literal first (Brayton and McMullen, ISCAS 1982;
"quick factor" of Brayton et al., MIS, IEEE TCAD 1987). What is left of a set of moves of one role
is asked the other way round where that is shorter, because just one move of a role is made.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

from ggp.circuits.circuit import FALSE, TRUE, Builder

Cube = frozenset[int]

_NOTHING: Cube = frozenset()
_TRUE: Cube = frozenset([TRUE])


def _is_possible(cube: Cube) -> bool:
    """Whether no two of the literals contradict each other, and none is false."""
    return FALSE not in cube and (len(cube) < 2 or cube.isdisjoint([x ^ 1 for x in cube]))


class Factoring:
    """Builds disjunctions in `builder`.

    `choices`: sets of literals of which just one holds in every case that matters. With
    `is_plain` nothing is factored.
    """

    def __init__(
        self, builder: Builder, choices: Sequence[Sequence[int]] = (), *, is_plain: bool = False
    ) -> None:
        self.builder = builder
        self.is_plain = is_plain
        self.choices = [frozenset(choice) for choice in choices]
        self.choice_of: Mapping[int, int] = {
            literal: i for i, choice in enumerate(self.choices) for literal in choice
        }

    def disjunction(self, cubes: Iterable[Iterable[int]]) -> int:
        """A literal that holds where all literals of one of `cubes` do."""
        wanted = dict.fromkeys(frozenset(cube) - _TRUE for cube in cubes)
        if _NOTHING in wanted:
            return TRUE
        possible = list(filter(_is_possible, wanted))
        self.builder.asked += sum(map(len, possible))
        if self.is_plain:
            return self.builder.disj_all(map(self.builder.conj_all, possible))
        return self._disjunction(possible) if possible else FALSE

    def _disjunction(self, cubes: list[Cube]) -> int:
        if len(cubes) == 1:
            return self.builder.conj_all(cubes[0])
        if max(map(len, cubes)) == 1:  # as most quotients are: nothing is shared
            return self.builder.disj_all(self._any([literal for (literal,) in cubes]))
        parts: list[int] = []
        singles: list[int] = []
        for literal, quotient in self._divide(cubes):
            if literal is not None:
                rest = [cube - {literal} for cube in quotient]
                inner = TRUE if _NOTHING in rest else self._disjunction(rest)
                parts.append(self.builder.conj(literal, inner))
            else:
                for cube in quotient:
                    if len(cube) == 1:
                        singles.extend(cube)
                    else:
                        parts.append(self.builder.conj_all(cube))
        return self.builder.disj_all([*parts, *self._any(singles)])

    def _divide(self, cubes: list[Cube]) -> Iterable[tuple[int | None, list[Cube]]]:
        """The cubes in parts: those that share a literal, and (None) those that share none."""
        where: dict[int, set[int]] = {}
        for i, cube in enumerate(cubes):
            for literal in cube:
                where.setdefault(literal, set()).add(i)
        heap = [(-len(places), literal) for literal, places in where.items() if len(places) > 1]
        heapq.heapify(heap)
        left = dict(enumerate(cubes))
        while heap:
            count, literal = heapq.heappop(heap)
            places = where[literal]
            if len(places) != -count:
                if len(places) > 1:
                    heapq.heappush(heap, (-len(places), literal))
                continue
            taken = sorted(places)
            yield literal, [left[i] for i in taken]
            for i in taken:
                for other in left.pop(i):
                    where[other].discard(i)
        yield None, list(left.values())

    def _any(self, literals: Sequence[int]) -> list[int]:
        """A few literals whose disjunction is that of `literals`."""
        if not self.choices:
            return list(literals)
        found: list[int] = []
        of_choice: dict[int, set[int]] = {}
        for literal in literals:
            choice = self.choice_of.get(literal)
            if choice is None:
                found.append(literal)
            else:
                of_choice.setdefault(choice, set()).add(literal)
        for choice, chosen in of_choice.items():
            if len(self.choices[choice]) < 2 * len(chosen):
                found.append(self.builder.disj_all(self.choices[choice] - chosen) ^ 1)
            else:
                found.append(self.builder.disj_all(chosen))
        return found
