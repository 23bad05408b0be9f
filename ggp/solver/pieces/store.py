"""Tables of pieces that grow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.later import Later
from ggp.solver.pieces.frames import CHILDREN, LOCALS, NAMES, OPTIONS, STEPS, TOKENS, PieceTables
from ggp.solver.pieces.program import PieceProgram, as_words

if TYPE_CHECKING:
    from ggp.solver.pieces import kernels
else:
    kernels = Later("ggp.solver.pieces.kernels")

MOST_STEPS = 2_000_000
"""Gates and vertices that one call looks at, so that a stop signal is soon heard."""

SLOTS = 1 << 12
"""Of the hash tables, at first."""


class PieceStore:
    """The pieces that boards fall into and what moves make of them, by names from 0."""

    def __init__(self, program: PieceProgram) -> None:
        self._program = program
        width = program.option_words + program.words

        def empty(size: int, dtype: type) -> NDArray[Any]:
            return np.zeros(size, dtype=dtype)

        self._tables = PieceTables(
            keys=np.zeros((0, width), dtype=np.uint64),
            name_of=empty(0, np.int32),
            tokens=empty(0, np.int32),
            token_start=empty(1, np.int64),
            local_of=empty(0, np.int32),
            size_of=empty(0, np.int32),
            local_slot=np.full(SLOTS, -1, dtype=np.int32),
            name_slot=np.full(SLOTS, -1, dtype=np.int32),
            option_start=empty(1, np.int64),
            side=empty(0, np.uint8),
            child_start=empty(1, np.int64),
            children=empty(0, np.int32),
            counts=empty(6, np.int64),
        )
        self._expanded = 0

    def __len__(self) -> int:
        """The names that there are."""
        return int(self._tables.counts[NAMES])

    @property
    def expanded(self) -> int:
        """Up to which name it is known what moves lead to."""
        return self._expanded

    @property
    def steps(self) -> int:
        """The gates and vertices that were looked at."""
        return int(self._tables.counts[STEPS])

    def pieces(self, board: int, largest: int | None = None) -> list[int]:
        """The names of the pieces of a board, its fluents as bits; just `UNNAMED` where one that
        has no name yet has more than `largest` fluents."""
        self._make_room()
        tables, program = self._tables, self._program
        before = int(tables.counts[CHILDREN])
        words = as_words(board, program.words)
        largest = program.rules.fluents if largest is None else largest
        kernels.fall(program.rules, program.scratch, tables, words, largest)
        found: list[int] = tables.children[before : int(tables.counts[CHILDREN])].tolist()
        tables.counts[CHILDREN] = before
        return found

    def each(self, boards: Sequence[int], largest: int, steps: int) -> list[list[int]]:
        """The same for some boards, or the first of them: as many as take so many steps. Once
        something new has a name, nothing else gets one."""
        self._make_room()
        tables, program = self._tables, self._program
        before = int(tables.counts[CHILDREN])
        words = np.array([as_words(board, program.words) for board in boards])
        ends = np.empty(len(boards), dtype=np.int64)
        done = kernels.fall_each(
            program.rules,
            program.scratch,
            tables,
            words.reshape(len(boards), program.words),
            largest,
            steps,
            program.pieces,
            program.longest,
            ends,
        )
        found: list[int] = tables.children[before : int(tables.counts[CHILDREN])].tolist()
        tables.counts[CHILDREN] = before
        bounds = [0, *(ends[:done] - before).tolist()]
        return [found[i:j] for i, j in pairwise(bounds)]

    def expand(self, steps: int = MOST_STEPS) -> None:
        """Make the moves of some more names; all are made when `expanded` is the length."""
        self._make_room()
        program = self._program
        self._expanded = int(
            kernels.expand(
                program.rules,
                program.scratch,
                self._tables,
                self._expanded,
                steps,
                program.pieces,
                program.longest,
            )
        )

    def upward(self, start: int) -> list[int]:
        """The names from `start` on, each after those that moves lead to."""
        order = np.empty(len(self), dtype=np.int32)
        count = int(kernels.upward(self._tables, start, order))
        if count < len(self) - start:
            raise AssertionError("play of pieces goes in circles")
        found: list[int] = order[:count].tolist()
        return found

    def options(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """Where the options of each name begin (`options[n]` to `options[n + 1]`); of each its
        side, where its children begin, and all children."""
        tables = self._tables
        options = int(tables.counts[OPTIONS])
        return (
            tables.option_start[: len(self) + 1].tolist(),
            tables.side[:options].tolist(),
            tables.child_start[: options + 1].tolist(),
            tables.children[: int(tables.counts[CHILDREN])].tolist(),
        )

    def size(self, name: int) -> int:
        """How many fluents of a name can still change."""
        return int(self._tables.size_of[name])

    def made(self, name: int) -> list[tuple[int, list[int]]]:
        """The options of one name: of each its side, and the names that it leaves."""
        tables = self._tables
        start, stop = tables.option_start[name : name + 2].tolist()
        ends = tables.child_start[start : stop + 1].tolist()
        children = tables.children[ends[0] : ends[-1]].tolist()
        return [
            (side, children[ends[i] - ends[0] : ends[i + 1] - ends[0]])
            for i, side in enumerate(tables.side[start:stop].tolist())
        ]

    def _make_room(self) -> None:
        """Let tables grow where there is no room for what one more move may lead to."""
        program = self._program
        if not kernels.has_room(self._tables, program.pieces, program.longest):
            self._grow(program.pieces, program.longest)

    def _grow(self, pieces: int, longest: int) -> None:
        tables = self._tables
        counts = tables.counts
        locals_, names = int(counts[LOCALS]) + pieces, int(counts[NAMES]) + pieces + 2
        options = int(counts[OPTIONS]) + 3
        longer = {
            "keys": locals_,
            "name_of": locals_,
            "local_of": names,
            "size_of": names,
            "token_start": names,
            "option_start": names,
            "tokens": int(counts[TOKENS]) + longest,
            "side": options,
            "child_start": options,
            "children": int(counts[CHILDREN]) + pieces,
        }
        made = {}
        for name, needed in longer.items():
            old = getattr(tables, name)
            if len(old) < needed:
                new = np.zeros((2 * needed, *old.shape[1:]), dtype=old.dtype)
                new[: len(old)] = old
                made[name] = new
        for name, needed in (("local_slot", locals_), ("name_slot", names)):
            size = len(getattr(tables, name))
            while size < 2 * needed:
                size *= 2
            if size > len(getattr(tables, name)):
                made[name] = np.full(size, -1, dtype=np.int32)
        self._tables = tables._replace(**made)
        if "local_slot" in made or "name_slot" in made:
            kernels.rehash(self._tables)
