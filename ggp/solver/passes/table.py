"""All positions of a game that was solved by passes as a Parquet file, to be looked up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError
from ggp.limits import Budget
from ggp.machine import Rows
from ggp.solver.columns import pyarrow_or_error
from ggp.solver.layers.keys import mixed, unmixed
from ggp.solver.layers.leading import MoveTexts
from ggp.solver.layers.moving import Looking
from ggp.solver.layers.tablebase import (
    BEST,
    GROUP,
    MOVES,
    Shape,
    file_name,
    notes_of,
    require_place,
    write_groups,
)
from ggp.solver.passes.fixpoint import FAR, Valued


def write_table(
    folder: Path, looking: Looking, valued: Valued, budget: Budget, *, swapped: bool
) -> int:
    """Write all positions to a folder that is new, empty or has this table; how many there are.

    As those of layers, all of rank 0, with `moves` besides: in how many somebody can force what
    they get, if it is not a draw, and best moves. Raises `InputError`, `LimitReached`.
    """
    arrow, levels = pyarrow_or_error(), valued.levels
    is_alone = levels.total is None
    # A draw that is no result of play is of positions that have no goals.
    scores = [max(0, doubled) // 2 for doubled in levels.doubled]
    told = {**notes_of(looking, {}, scores, levels.total, swapped), MOVES: True, BEST: True}
    notes = {**json.loads(json.dumps(told))}
    require_place(folder, notes)
    shape, texts = Shape(arrow, looking, notes), MoveTexts(arrow, looking)

    def best(here: slice, codes: NDArray[np.uint8]) -> Any:  # noqa: ANN401 - an array of texts
        own = valued.moves[here]

        def choose(part: slice, source: NDArray[np.int64], after: Rows) -> NDArray[np.bool_]:
            budget.check("best moves for a table")
            places, missing = valued.layer.find(mixed(after))
            if missing:
                raise InputError("positions that were kept are gone: begin anew")
            good: NDArray[np.bool_] = valued.codes[places] == codes[part][source]
            # One role alone goes a shortest way.
            return good & (valued.moves[places] < own[part][source]) if is_alone else good

        return texts(unmixed(valued.layer.keys[here]), choose)

    def groups() -> Iterator[list[Any]]:
        for start in range(0, len(valued), GROUP):
            here = slice(start, start + GROUP)
            codes = valued.codes[here]
            moves = valued.moves[here].astype(np.int32)
            moves[(moves == FAR) | (codes == levels.start)] = -1
            ranks = np.zeros(len(codes), dtype=np.int32)
            endless = valued.are_endless(here)
            more = [best(here, codes)]
            yield shape.arrays(ranks, valued.layer.keys[here], codes, endless, moves, more)

    path = folder / file_name(0, 1)
    return write_groups(path, shape.fields, groups(), {**notes, "part": 0, "parts": 1}, budget)
