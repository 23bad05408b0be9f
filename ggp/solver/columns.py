"""Columns of tables of positions: what holds there, under names that say it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.heaps.heap import HOLE
from ggp.errors import InputError
from ggp.game import Game
from ggp.ground import Group
from ggp.kif import Term

NUMBERED = re.compile(r" #\d+$")
"""What tells columns of one name apart."""


@dataclass(frozen=True)
class Column:
    """The fluents of one column: `fluents` (indices) with the `texts` that tell them apart.

    `name` has a hole for each argument in which they differ. A fluent by itself has the text `1`.
    """

    name: str
    fluents: tuple[int, ...]
    texts: tuple[str, ...]

    def values(self, held: NDArray[np.bool_]) -> NDArray[Any]:
        """The text for each state, given which fluents hold there (n, fluents)."""
        own = held[:, list(self.fluents)]
        if len(self.fluents) == 1:
            return own[:, 0].astype(np.int8)
        texts = np.array([*self.texts, None], dtype=object)
        return np.asarray(texts[np.where(own.any(axis=1), own.argmax(axis=1), len(self.texts))])


def column_of(fluents: Sequence[int], terms: Sequence[Term]) -> Column:
    """The column of some fluents, given by their indices and as terms."""
    first = terms[0]
    if len(terms) == 1:
        return Column(str(first), tuple(fluents), ("1",))
    if any((t.name, t.arity) != (first.name, first.arity) for t in terms):
        return Column(str(HOLE), tuple(fluents), tuple(map(str, terms)))
    places = [i for i in range(first.arity) if len({t.args[i] for t in terms}) > 1]
    pattern = Term(first.name, tuple(HOLE if i in places else a for i, a in enumerate(first.args)))
    texts = (" ".join(str(t.args[i]) for i in places) for t in terms)
    return Column(str(pattern), tuple(fluents), tuple(texts))


def states_as_columns(game: Game, held: NDArray[np.bool_]) -> list[Column]:
    """The columns of some states: proved groups of which in each no more than one fluent holds,
    and the other fluents; named by what they have in common."""
    fluents = game.net.fluents
    groups = [g for g in game.groups if (held[:, list(g.fluents)].sum(axis=1) <= 1).all()]
    inside = {f for group in groups for f in group.fluents}
    single = [Group((f,), exact=False) for f in range(len(fluents)) if f not in inside]
    found = [column_of(g.fluents, [fluents[f] for f in g.fluents]) for g in [*groups, *single]]
    return sorted(found, key=lambda column: column.fluents)


def distinct_names(names: Sequence[str], reserved: Collection[str]) -> list[str]:
    """The names, with a number where two are alike or one is reserved."""
    found: list[str] = []
    for name in names:
        count = sum(NUMBERED.sub("", other) == name for other in found)
        found.append(f"{name} #{count + 1}" if count or name in reserved else name)
    return found


def pyarrow_or_error() -> Any:  # noqa: ANN401 - a module that says nothing of its types
    """The library for Parquet; raises `InputError` where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError("Parquet needs pyarrow: pip install 'ggp[table]'") from None
    return pyarrow


def polars_or_error() -> Any:  # noqa: ANN401 - a module that mypy is told to skip
    """The library for frames; raises `InputError` where it is not installed."""
    try:
        import polars
    except ImportError:
        raise InputError("frames need polars: pip install 'ggp[exchange]'") from None
    return polars
