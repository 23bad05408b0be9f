"""A sentence on how to play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ggp.analysis import Heap
from ggp.errors import NotSolvable
from ggp.solver.heap_words import lost_sizes
from ggp.theory.expressions import among


@dataclass(frozen=True)
class Sentence:
    """One way to keep a promise.

    `kind`: `nim-sum`, `residues`, `symmetry`, `pairing` or `band`. `certainty`: `proved`, or
    `verified` by play against every reply, over `positions` positions, a band by the outcome of
    each position. `first` and `answers`, of symmetries and pairings: the move to begin with, if it
    is theirs to begin, and what answers which move of the other. `heaps`: those that a sentence is
    about, and `value` the nim-value that is to be left of one alone.
    """

    kind: str
    text: str
    certainty: str
    positions: int = 0
    first: str | None = None
    answers: Mapping[str, str] | None = None
    heaps: tuple[Heap, ...] = field(default=(), repr=False)
    value: int = field(default=0, repr=False)

    def sympy(self) -> Any:  # noqa: ANN401 - sympy is imported when it is asked for
        """What a sentence about `residues` says of a size n, as a condition of sympy.

        It holds where who is to move loses, so that it is what is to be left. The symbol is the
        integer `n`. Raises `NotSolvable` for other sentences, which are no formulas, and
        `InputError` where sympy is not installed.
        """
        if self.kind != "residues":
            raise NotSolvable(f"a sentence of the kind {self.kind} is no formula of one size")
        early, late, begin, period = lost_sizes(self.heaps[0], self.value)
        return among(early, late, period, begin)

    def as_json(self) -> dict[str, Any]:
        """The sentence as plain data."""
        return {
            "kind": self.kind,
            "text": self.text,
            "certainty": self.certainty,
            "positions": self.positions,
            "first": self.first,
            "answers": None if self.answers is None else dict(self.answers),
        }
