"""A number for each packed position that falls with every move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.evidence import Ranking
from ggp.game import Game
from ggp.later import Later
from ggp.machine import Coding, Rows
from ggp.solver.layers.windows import windows

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
else:
    kernels = Later("ggp.solver.layers.kernels")


def weights_of(game: Game, ranking: Ranking) -> dict[int, int] | None:
    """Weights of fluents (by index) whose sum falls with every move, from a ranking.

    Where it falls with the moves of one role alone, and these come in turn with those of another,
    twice the sum and one more while the other is to move falls with every move. None where the
    turn is not told by fluents, or roles may pass.
    """
    if ranking.passes:
        return None
    place = {str(fluent): i for i, fluent in enumerate(game.net.fluents)}
    weights = {place[fluent]: weight for fluent, weight in ranking.weights.items()}
    if ranking.strict is None or set(ranking.strict) == set(game.roles):
        return weights
    marker = game.marker
    if marker is None or not marker.alternating or len(game.roles) != 2:
        return None
    weights = {fluent: 2 * weight for fluent, weight in weights.items()}
    for role, bits in zip(game.roles, marker.bits, strict=True):
        if role not in ranking.strict:
            for fluent in range(len(game.net.fluents)):
                if bits >> fluent & 1:
                    weights[fluent] = weights.get(fluent, 0) + 1
    return weights


class Ranks:
    """Sums of `weights` of fluents of packed positions."""

    def __init__(self, coding: Coding, weights: Mapping[int, int]) -> None:
        self.weights = dict(weights)
        weighing = [
            number
            for number, field in enumerate(coding.fields)
            if any(weights.get(fluent) for fluent, _ in field.codes)
        ]
        self._windows = windows(coding, weighing)
        tables = [np.zeros(0, dtype=np.int64)]
        for first, width, _ in self._windows.tolist():
            values = np.arange(1 << width)
            table = np.zeros(1 << width, dtype=np.int64)
            for number in weighing:
                field = coding.fields[number]
                if first <= field.first < first + width:
                    own = values >> (field.first - first) & ((1 << field.width) - 1)
                    for fluent, code in field.codes:
                        table[own == code] += weights.get(fluent, 0)
            tables.append(table)
        self._table = np.concatenate(tables).astype(np.int32)

    def __call__(self, rows: Rows) -> NDArray[np.int32]:
        """The rank of each row."""
        ranks = np.empty(len(rows), dtype=np.int32)
        kernels.weigh(rows, self._windows, self._table, ranks)
        return ranks
