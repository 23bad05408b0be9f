"""Best moves of packed positions as texts, and in how many moves best play ends."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError, NotSolvable
from ggp.later import Later
from ggp.limits import Budget, memory_in_use
from ggp.machine import Rows
from ggp.solver.layers.induction import Near
from ggp.solver.layers.keys import mixed, unmixed
from ggp.solver.layers.moving import Looking, Moving, by_rank
from ggp.solver.layers.turning import Turning

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
else:
    kernels = Later("ggp.solver.layers.kernels")

NARROW = 1 << 16
"""Ranks of a game whose plays are counted in sixteen bits: each move makes the rank less."""

Choose = Callable[[slice, NDArray[np.int64], Rows], NDArray[np.bool_]]
"""Which moves are best: of positions in a row, given the number of the position that each leaves,
counted from the first, and the rows that they lead to, which are lost."""


class MoveTexts:
    """The best moves of some positions as one text for each, as in a table: sorted, with `; `
    between them; empty where nobody is known to be to move."""

    def __init__(self, arrow: Any, looking: Looking) -> None:  # noqa: ANN401
        import pyarrow.compute

        self._arrow, self._join = arrow, pyarrow.compute.binary_join
        self._looking = looking
        game = looking.game
        texts = [str(move) for own in game.net.moves for move in own]
        order = sorted({*texts})
        places = {text: i for i, text in enumerate(order)}
        self._texts = arrow.array(order, arrow.string())
        self._place = np.array([places[text] for text in texts], dtype=np.int64)
        self._roles = np.array(game.player_indices, dtype=np.int64)
        try:
            self._turning: Turning | None = Turning(game)
        except NotSolvable:
            self._turning = None

    def __call__(self, rows: Rows, choose: Choose) -> Any:  # noqa: ANN401 - an array of texts
        """The texts of some positions, of whose moves `choose` tells the best."""
        packed, looked = self._looking.look(rows)
        turn = np.full(len(rows), -1, dtype=np.int8)
        if self._turning:
            turn = self._turning(rows, looked.mover)
        sources: list[NDArray[np.int64]] = []
        moves: list[NDArray[np.int64]] = []
        for here, joint, after in self._looking.made(rows, packed, looked):
            source = np.repeat(np.arange(here.stop - here.start), looked.degree[here])
            is_best = choose(here, source, after)
            own = turn[here][source]
            told = np.flatnonzero(is_best & (own >= 0))
            made = joint[told, self._roles[own[told]]]
            sources.append(source[told] + here.start)
            moves.append(self._place[made])
        return self._joined(len(rows), _all(sources), _all(moves))

    def _joined(self, count: int, source: NDArray[np.int64], move: NDArray[np.int64]) -> Any:  # noqa: ANN401
        arrow = self._arrow
        order = np.argsort(source * len(self._texts) + move, kind="stable")
        bounds = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=count))])
        texts = self._texts.take(arrow.array(move[order]))
        lists = arrow.ListArray.from_arrays(arrow.array(bounds.astype(np.int32)), texts)
        return self._join(lists, "; ")


def _all(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([*parts, np.empty(0, dtype=np.int64)])


class Leading:
    """Best moves and the distance of positions in layers, which are asked for rank by rank, the
    lowest first, and of each rank in the order of keys.

    The distance is the number of moves to the end that best play comes to, who has more than the
    mean of all goals being as quick as possible and everybody else as slow; one role alone is
    quick, and of its moves those on a shortest way are best. What is known of a position takes two
    bytes, in a file in `folder` where they do not fit the memory.
    """

    def __init__(
        self,
        arrow: Any,  # noqa: ANN401
        moving: Moving,
        layers: Mapping[int, Near],
        scores: Sequence[int],
        total: int | None,
        budget: Budget,
        folder: Path,
    ) -> None:
        self._moving, self._layers, self._budget = moving, layers, budget
        self._texts = MoveTexts(arrow, moving)
        # By code: whether the first player has more than the mean, or the second.
        doubled = 2 * np.array(scores, dtype=np.int64)
        halves = [doubled >= 0] if total is None else [doubled > total, doubled < total]
        self._is_alone = total is None
        players = moving.game.player_indices
        self._is_quick = np.zeros((len(moving.game.roles), max(1, len(scores))), dtype=np.bool_)
        for player, quick in zip(players, halves, strict=True):
            self._is_quick[player, : len(scores)] = quick
        self._kind = np.uint16 if len(layers) < NARROW else np.int32
        starts = np.cumsum([0, *(layers[rank].places for rank in sorted(layers))])
        self._start = dict(zip(sorted(layers), starts.tolist(), strict=False))
        self._far = self._room(int(starts[-1]), budget, folder)

    def _room(self, count: int, budget: Budget, folder: Path) -> NDArray[Any]:
        if memory_in_use() + np.dtype(self._kind).itemsize * count <= budget.limits.memory:
            return np.zeros(count, dtype=self._kind)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.truncate(np.dtype(self._kind).itemsize * count)
            return np.memmap(file, dtype=self._kind, mode="r+", shape=(count,))

    def __call__(
        self, rank: int, keys: Rows, codes: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int32], Any]:
        """The distances (n,) of some positions of a rank, and their best moves as texts."""
        rows = unmixed(keys)
        mover = self._moving.look(rows)[1].mover
        far = np.zeros(len(rows), dtype=np.int32)

        def choose(here: slice, source: NDArray[np.int64], after: Rows) -> NDArray[np.bool_]:
            self._budget.check("best moves for a table")
            found, distance = self._known(after)
            is_best: NDArray[np.bool_] = found == codes[here][source]
            is_quick = self._is_quick[np.maximum(mover[here], 0), codes[here]]
            kernels.lead(source, is_best, is_quick, distance, far[here])
            if self._is_alone:
                is_best &= distance < far[here][source]
            return is_best

        best = self._texts(rows, choose)
        places, missing = self._layers[rank].find(keys)
        _require(not missing)
        self._far[self._start[rank] + places] = far
        return far, best

    def _known(self, after: Rows) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """The codes and the distances of rows, which are lost."""
        codes = np.empty(len(after), dtype=np.uint8)
        distance = np.empty(len(after), dtype=np.int32)
        ranks = self._moving.ranks(after)
        for rank, keys, at in by_rank(mixed(after), ranks):
            layer = self._layers.get(rank)
            _require(layer is not None)
            assert layer is not None
            places, missing = layer.find(keys)
            _require(not missing)
            codes[at] = layer.codes(places)
            distance[at] = self._far[self._start[rank] + places]
        return codes, distance


def _require(is_there: bool) -> None:
    if not is_there:
        raise InputError("positions that were kept are gone: begin anew")
