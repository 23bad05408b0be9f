"""What positions are worth, by passes over all of them until nothing changes.

After pass `n` a position has the value of play that is broken off after `n` moves, as a draw
between two opposed players, or as worse than any end for one alone. A value that is better than a
draw for somebody is one that they can force within so many moves, so that it only ever gets
better for them, and what is left when nothing changes any more is what can be forced in any number
of moves (attractors; retrograde analysis, Thompson 1986, without going from a position to those
before it). The pass that a value comes with is the least number of moves that it takes.

Where the last pass leaves a draw, more passes say whether an end of play can be forced that is one.

The moves of a position are made again in each pass, of those alone whose value may still change;
as many as fit a part of the memory are kept, which changes no answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError, LimitReached
from ggp.later import Later
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.layers.keys import Layer, mixed, unmixed
from ggp.solver.layers.moving import Looking
from ggp.solver.layers.payoffs import Payoffs
from ggp.solver.layers.shelf import InFolder, Shelf, require_kind
from ggp.solver.layers.workers import Workers
from ggp.solver.passes.levels import Levels

if TYPE_CHECKING:
    from ggp.solver.layers import kernels as layer_kernels
    from ggp.solver.passes import kernels
else:
    layer_kernels = Later("ggp.solver.layers.kernels")
    kernels = Later("ggp.solver.passes.kernels")

SHARE = 4
"""This part of the memory may be taken by moves that are kept."""

MAX_PASSES = (1 << 16) - 2
"""Passes, at the most: their number has 16 bits."""

FAR = (1 << 16) - 1
"""The number of moves to what cannot be forced."""


@dataclass(frozen=True, eq=False)
class Edges:
    """What positions at some `places` lead to: position `i` to those at
    `targets[first[i]:first[i + 1]]`. `is_low` (n,): its mover keeps the first player's payoff low.
    """

    places: NDArray[np.uint32]
    first: NDArray[np.int64]
    is_low: NDArray[np.uint8]
    targets: NDArray[np.uint32]

    @property
    def nbytes(self) -> int:
        """The memory that they take."""
        return sum(x.nbytes for x in (self.places, self.first, self.is_low, self.targets))

    def only(self, wanted: NDArray[np.bool_]) -> Edges:
        """Those of some positions."""
        if wanted.all():
            return self
        sizes = np.diff(self.first)
        kept = sizes[wanted]
        first = np.concatenate([[0], np.cumsum(kept)])
        targets = self.targets[np.repeat(wanted, sizes)]
        return Edges(self.places[wanted], first, self.is_low[wanted], targets)


@dataclass(eq=False)
class Valued:
    """All positions, with the code of what each is worth, `marks` (see `kernels`), and the moves in
    which that can be forced by whom it is good for: of draws, by the first player in `moves`, and
    by the second in `others` (None: there are no draws, or play ends anyway). The order of all is
    that of the keys in `layer`.
    """

    layer: Layer
    levels: Levels
    marks: NDArray[np.uint8]
    moves: NDArray[np.uint16]
    others: NDArray[np.uint16] | None = None
    passes: int = 0

    def __len__(self) -> int:
        return len(self.layer)

    @property
    def codes(self) -> NDArray[np.uint8]:
        """What each is worth."""
        return self.layer.values

    def are_endless(self, places: slice = slice(None)) -> NDArray[np.bool_]:
        """Whether best play never ends, by position."""
        both = kernels.FIRST | kernels.SECOND
        marks = self.marks[places]
        found: NDArray[np.bool_] = self.codes[places] == self.levels.start
        found &= marks & kernels.SETTLED == 0
        return found if self.levels.total is None else found & (marks & both != both)


@dataclass(eq=False)
class _Chunk:
    """Positions at places in a row; `edges`, if they are kept, of those that are still open."""

    start: int
    stop: int
    edges: Edges | None = None
    is_done: bool = False


class Passes:
    """Values positions; see above. `tell` is told how many there are, and have their last value."""

    def __init__(
        self,
        looking: Looking,
        shelf: Shelf,
        budget: Budget,
        workers: Workers,
        payoffs: Payoffs,
        tell: Progress | None = None,
    ) -> None:
        self._looking, self._shelf, self._budget = looking, shelf, budget
        self._workers, self._payoffs, self._tell = workers, payoffs, tell
        self._kept = 0
        self._lock = threading.Lock()
        self._is_open_at = self._is_unsettled
        self._settled = 0

    def run(self, layer: Layer, levels: Levels) -> Valued:
        """The values of all keys of a layer, whose codes are written; raises `LimitReached`."""
        count = len(layer)
        self._budget.check(f"values of {count:,} positions", 5 * count)
        layer.values[:] = levels.start
        marks, moves = np.zeros(count, np.uint8), np.full(count, FAR, np.uint16)
        self._valued = found = Valued(layer, levels, marks, moves)
        self._chunks = self._cut(count)
        for places, codes in self._workers.in_order(self._ends, self._chunks):
            layer.values[places] = codes
            marks[places] = kernels.END | kernels.SETTLED
            moves[places] = 0
            self._look()
            self._settled += len(places)
        self._tell_of(np.flatnonzero(marks))
        self._repeat(0, self._improve, self._apply)
        self._draws()
        self._chunks = []
        return found

    def _cut(self, count: int) -> list[_Chunk]:
        size = self._looking.machine.batch
        return [_Chunk(i, min(i + size, count)) for i in range(0, count, size)]

    def longest(self, valued: Valued, starts: NDArray[np.int64]) -> int | None:
        """The longest play from some of the positions that were valued, in moves; None where it
        can go on for ever. Raises `LimitReached`."""
        self._valued, self._is_open_at = valued, self._may_go_on
        self._chunks = self._cut(len(valued))
        marks = valued.marks
        marks[marks & kernels.END != 0] |= np.uint8(kernels.EVERY)
        self._budget.check(f"plays from {len(valued):,} positions", 2 * len(valued))
        moves = np.zeros(len(valued), dtype=np.uint16)
        self._attract(4, kernels.EVERY, moves, np.ones_like)
        self._chunks = []
        ends = (marks[starts] & kernels.EVERY != 0).all()
        return int(moves[starts].max()) if ends else None

    # One pass

    def _repeat(
        self,
        phase: int,
        look: Callable[[_Chunk], NDArray[np.int64]],
        apply: Callable[[NDArray[np.int64], int], None],
    ) -> None:
        """Passes until one changes nothing; those that are on the shelf are not made again."""
        number, is_kept = 0, True
        while True:
            number += 1
            if number > MAX_PASSES:
                raise LimitReached("passes", MAX_PASSES, "so long is the way to an end")
            name = f"values-{phase}{number:09d}"
            changes = self._shelf.get(name) if is_kept else None
            if changes is None:
                is_kept = False
                open_ = [chunk for chunk in self._chunks if not chunk.is_done]
                parts = []
                for part in self._workers.in_order(look, open_):
                    parts.append(part)
                    self._look()
                changes = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
                if isinstance(self._shelf, InFolder):
                    self._shelf.put(name, changes)
            require_kind(name, changes, np.int64, None)
            if not len(changes):
                return
            places = changes >> kernels.CHANGED_BITS
            if not 0 <= int(places.min()) <= int(places.max()) < len(self._valued):
                raise InputError(f"{name}: not what was written there")
            apply(changes, number)
            self._tell_of(places)
            self._valued.passes += 1
            self._look()

    def _tell_of(self, places: NDArray[np.int64]) -> None:
        """Note which positions are another than before the last pass: those that lead to none of
        them need not be looked at in the next."""
        self._news = np.zeros((len(self._valued) + 63) // 64, dtype=np.uint64)
        kernels.flag(places, self._news)

    def _look(self) -> None:
        found = self._valued
        detail = f"pass {found.passes + 1:,} over {len(found):,} positions"
        self._budget.check(detail)

    def _ends(self, chunk: _Chunk) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
        """The places where play is over, and the codes of the results."""
        found = self._valued
        _, looked = self._looking.look(unmixed(found.layer.keys[chunk.start : chunk.stop]))
        ends = np.flatnonzero(looked.mover == layer_kernels.OVER)
        payoffs = self._payoffs.of(looked.goals[ends])[:, 0]
        return chunk.start + ends, found.levels.codes(payoffs)

    def _edges(self, chunk: _Chunk) -> Edges:
        """What the open positions of a chunk lead to, and maybe some that are open no more."""
        if chunk.edges is not None:
            edges, is_open = chunk.edges, self._is_open_at(chunk.edges.places)
            if 2 * int(is_open.sum()) > len(is_open):
                return edges
            fewer = edges.only(is_open)
            with self._lock:
                self._kept += fewer.nbytes - edges.nbytes
            chunk.edges = fewer
            return fewer
        places = np.arange(chunk.start, chunk.stop, dtype=np.uint32)
        places = places[self._is_open_at(places)]
        layer, targets = self._valued.layer, [np.empty(0, dtype=np.uint32)]
        rows = unmixed(layer.keys[places])
        packed, looked = self._looking.look(rows)
        for _, after in self._looking.after(rows, packed, looked):
            led, missing = layer.find(mixed(after))
            if missing:
                raise InputError("positions that were kept are gone: begin anew")
            targets.append(led.astype(np.uint32))
        first = np.concatenate([[0], np.cumsum(looked.degree)])
        is_low = self._payoffs.is_low(looked.mover)
        edges = Edges(places, first, is_low, np.concatenate(targets))
        with self._lock:
            if self._kept + edges.nbytes <= self._budget.limits.memory // SHARE:
                self._kept += edges.nbytes
                chunk.edges = edges
        return edges

    def _is_unsettled(self, places: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Whether the value of positions may still change."""
        found: NDArray[np.bool_] = self._valued.marks[places] & kernels.SETTLED == 0
        return found

    def _is_undecided(self, places: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Whether positions are a draw, and play may go on for ever."""
        found = self._valued
        is_draw: NDArray[np.bool_] = found.codes[places] == found.levels.start
        return is_draw & self._is_unsettled(places)

    def _may_go_on(self, places: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Whether it is not known that every play from positions ends."""
        found: NDArray[np.bool_] = self._valued.marks[places] & kernels.EVERY == 0
        return found

    # Values

    def _improve(self, chunk: _Chunk) -> NDArray[np.int64]:
        """What changes in a chunk, from what was known before this pass."""
        found, edges = self._valued, self._edges(chunk)
        chunk.is_done = not len(edges.places)
        changes = np.empty(len(edges.places), dtype=np.int64)
        count = kernels.improve(
            edges.places,
            edges.first,
            edges.is_low,
            edges.targets,
            self._news,
            found.codes,
            found.marks,
            changes,
        )
        return changes[:count]

    def _apply(self, changes: NDArray[np.int64], number: int) -> None:
        found = self._valued
        places = changes >> kernels.CHANGED_BITS
        codes = (changes & 255).astype(np.uint8)
        found.moves[places[codes != found.codes[places]]] = number
        found.codes[places] = codes
        is_final = (changes & 256 != 0) | found.levels.is_final(codes)
        found.marks[places[is_final]] |= np.uint8(kernels.SETTLED)
        self._settled += int(is_final.sum())
        self._say()

    def _say(self) -> None:
        if self._tell:
            self._tell(len(self._valued), self._settled)

    # Draws

    def _draws(self) -> None:
        """Mark, of positions that are a draw and from which play need not end, those from which a
        player can force an end that is one (or better), and those from which play can end."""
        found, start = self._valued, self._valued.levels.start
        codes, marks = found.codes, found.marks
        is_settled = marks & kernels.SETTLED != 0
        is_draw = codes == start
        if found.levels.total is None or not (is_draw & ~is_settled).any():
            return
        self._is_open_at = self._is_undecided
        # Where all that may follow is final play ends, whoever moves how.
        marks[is_draw & is_settled] |= np.uint8(kernels.FIRST | kernels.SECOND | kernels.ANY)
        marks[~is_draw] |= np.uint8(kernels.ANY)
        self._budget.check(f"draws among {len(found):,} positions", 2 * len(found))
        found.others = np.full(len(found), FAR, dtype=np.uint16)
        marks[codes > start] |= np.uint8(kernels.FIRST)
        marks[codes < start] |= np.uint8(kernels.SECOND)
        self._attract(1, kernels.FIRST, found.moves, lambda is_low: is_low)
        self._attract(2, kernels.SECOND, found.others, lambda is_low: 1 - is_low)
        either = marks & np.uint8(kernels.FIRST | kernels.SECOND) != 0
        marks[either] |= np.uint8(kernels.ANY)
        self._attract(3, kernels.ANY, None, np.zeros_like)

    def _attract(
        self,
        phase: int,
        mark: int,
        moves: NDArray[np.uint16] | None,
        needs_all: Callable[[NDArray[np.uint8]], NDArray[np.uint8]],
    ) -> None:
        """Spread a mark to positions that lead to one with it, some only if all are that they lead
        to; with the number of the pass as the moves that it takes."""
        marks = self._valued.marks

        def look(chunk: _Chunk) -> NDArray[np.int64]:
            edges = self._edges(chunk)
            places = np.empty(len(edges.places), dtype=np.int64)
            every = needs_all(edges.is_low)
            count = kernels.attract(
                edges.places, edges.first, every, edges.targets, self._news, marks, mark, places
            )
            return places[:count] << kernels.CHANGED_BITS

        def apply(changes: NDArray[np.int64], number: int) -> None:
            places = changes >> kernels.CHANGED_BITS
            marks[places] |= np.uint8(mark)
            if moves is not None:
                moves[places] = number

        self._tell_of(np.flatnonzero(marks & mark))
        self._repeat(phase, look, apply)
