"""Gates in compact arrays: every alternative of every gate one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ggp.arrays import distinct, runs

Ints = NDArray[np.int64]

Bodies = tuple[tuple[int, ...], ...]
"""The alternatives of a gate."""


@dataclass(frozen=True, eq=False)
class Gates:
    """Gates 0 … n-1: gate `i` has the bodies `first_body[i]` to `first_body[i + 1]`, and body `j`
    the literals `first_literal[j]` to `first_literal[j + 1]` (exclusive)."""

    first_body: Ints
    first_literal: Ints
    literals: Ints

    def __len__(self) -> int:
        return len(self.first_body) - 1

    @cached_property
    def spans(self) -> Ints:
        """Gate `i` has the literals `spans[i]` to `spans[i + 1]` (exclusive)."""
        return np.asarray(self.first_literal[self.first_body])

    @cached_property
    def bodies(self) -> tuple[Bodies, ...]:
        """The bodies of each gate as tuples, made when they are first asked for."""
        flat = self.literals.tolist()
        ends = self.first_literal.tolist()
        bodies = [tuple(flat[a:b]) for a, b in pairwise(ends)]
        ends = self.first_body.tolist()
        return tuple(tuple(bodies[a:b]) for a, b in pairwise(ends))


def spread(
    seeds: Ints, found: NDArray[np.bool_], first: int, spans: Ints, targets: Ints
) -> NDArray[np.bool_]:
    """Which nodes can be reached from some, these among them, without those `found` (nodes,).

    Node `first + i` leads to the absolute values of `targets[spans[i]:spans[i + 1]]`, those below
    `first` to nothing. Breadth first, a level at a time.
    """
    before, found = found, found.copy()
    fresh = seeds[~found[seeds]]
    while len(fresh):
        found[fresh] = True
        fresh = distinct(fresh)
        own = fresh[fresh >= first] - first
        nodes = np.abs(targets[runs(spans[own], spans[own + 1] - spans[own])])
        fresh = nodes[~found[nodes]]
    return found & ~before
