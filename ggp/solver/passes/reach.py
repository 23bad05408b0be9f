"""All positions that some lead to, packed, ply by ply, whatever comes back.

Those of a ply that were not met before are sorted, each once (delayed duplicate detection; Korf,
"Linear-time disk-based implicit graph search", Journal of the ACM 55, 2008); those of earlier plies
are held in few sorted runs, each of which is at least twice as long as the next, so that no key is
moved more often than there are doublings.

All is kept on a shelf, run by run, for whoever goes on with it: `keys` of a ply, `moved` what was
counted of it, `run` the plies from one to another in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ggp.errors import InputError, LimitReached
from ggp.later import Later
from ggp.limits import Budget, memory_in_use
from ggp.machine import Progress, Rows
from ggp.solver.layers.keys import Layer, mixed, sorted_set, unmixed
from ggp.solver.layers.merging import made_one
from ggp.solver.layers.moving import Looking
from ggp.solver.layers.payoffs import Payoffs
from ggp.solver.layers.shelf import Shelf, require_kind
from ggp.solver.layers.workers import Workers

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
    from ggp.solver.passes import kernels as own_kernels
else:
    kernels = Later("ggp.solver.layers.kernels")
    own_kernels = Later("ggp.solver.passes.kernels")

LOOSE = 8
"""This part of the memory that is free may be taken by positions that are not sorted yet."""

FEW = 1 << 20
"""Keys that are held without being sorted, however little memory there is."""

MOST = (1 << 32) - 1
"""Positions, at the most: a place has 32 bits."""

_NONE = np.empty(0, dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Reached:
    """All positions, as sorted keys; `plies`: how many are so many moves from the start at the
    least; `moves` between them; `results` of play; `shortest` play in moves, None without ends."""

    keys: Rows
    plies: tuple[int, ...]
    moves: int
    results: frozenset[int]
    shortest: int | None


@dataclass(frozen=True, eq=False)
class _Run:
    """The positions of the plies from `first` to `last`."""

    first: int
    last: int
    layer: Layer

    @property
    def name(self) -> str:
        """What they are called on the shelf."""
        return _name(self.first) if self.first == self.last else _name(self.first, self.last)


def _name(first: int, last: int | None = None, piece: int | None = None) -> str:
    name = f"keys-{first:010d}" if last is None else f"run-{first:010d}-{last:010d}"
    return name if piece is None else f"{name}-{piece:05d}"


class Reach:
    """Enumerates what rows lead to. `require` is shown all results as they come up, and raises
    what there is to say against them; `tell` is told how many positions were found."""

    def __init__(
        self,
        looking: Looking,
        shelf: Shelf,
        budget: Budget,
        workers: Workers,
        payoffs: Payoffs,
        require: Callable[[frozenset[int]], object],
        tell: Progress | None = None,
    ) -> None:
        self._looking, self._shelf, self._budget = looking, shelf, budget
        self._workers, self._payoffs, self._require = workers, payoffs, require
        self._tell = tell
        self._words = looking.machine.coding.words
        self._runs: list[_Run] = []
        self._found = 0
        self._taken = memory_in_use()

    def run(self, rows: Rows) -> Reached:
        """All positions; raises `LimitReached`."""
        ply = self._resume(rows)
        counted = [self._counted(known) for known in range(ply)]
        results = frozenset[int]().union(*(ends for *_, ends in counted))
        self._require(results)
        while True:
            frontier = self._runs.pop()
            if not len(frontier.layer):
                break
            counted.append(self._expand(frontier, results))
            results |= counted[-1][2]
        plies = tuple(size for size, *_ in counted)
        moves = sum(own for _, own, _ in counted)
        shortest = next((ply for ply, (*_, ends) in enumerate(counted) if ends), None)
        return Reached(self._whole(), plies, moves, results, shortest)

    def _resume(self, rows: Rows) -> int:
        """Take up the runs that are on the shelf, the last of which is to be expanded; its ply."""
        if not any(name.startswith("keys-") for name in self._shelf.names()):
            self._shelf.put(_name(0), sorted_set([mixed(rows.copy())], self._words))
        spans = []
        for name in self._shelf.names():
            kind, *plies = name.split("-")
            if len(plies) > 2:
                # A piece of a ply that was not finished.
                self._shelf.drop(name)
            elif kind in ("run", "keys"):
                spans.append((int(plies[0]), -int(plies[-1]), name))
        ply = -1
        for first, less, name in sorted(spans):
            keys = self._shelf.get(name)
            if -less <= ply or keys is None:
                # It is part of a run that was made, and was not dropped any more.
                self._shelf.drop(name)
                continue
            if first != ply + 1:
                raise InputError(f"{name}: positions that were kept are gone: begin anew")
            require_kind(name, keys, np.uint64, None, self._words)
            ply = -less
            self._runs.append(_Run(first, ply, Layer.of(keys, _NONE)))
        if self._runs[-1].first != ply:
            raise InputError(f"{self._runs[-1].name}: what was kept is not whole: begin anew")
        self._found = sum(len(run.layer) for run in self._runs)
        return ply

    def _counted(self, ply: int) -> tuple[int, int, frozenset[int]]:
        """What was counted of a ply: positions, moves, and results at the ends."""
        name = f"moved-{ply:010d}"
        kept = self._shelf.get(name)
        if kept is None or not len(require_kind(name, kept, np.int64, None)) > 1:
            raise InputError(f"{name}: positions that were kept are gone: begin anew")
        return int(kept[0]), int(kept[1]), frozenset(kept[2:].tolist())

    def _expand(self, frontier: _Run, results: frozenset[int]) -> tuple[int, int, frozenset[int]]:
        """Find what those of a ply lead to that was not met before."""
        keys, ply = frontier.layer.keys, frontier.last
        moves, ends = 0, set[int]()
        loose: list[Rows] = []
        held = done = 0
        limits = self._budget.limits
        most = min(self._most, max(FEW, 2 * limits.positions))
        pieces: list[str] = []
        known = [frontier, *self._runs]
        for count, own, groups in self._workers.in_order(
            lambda chunk: self._moved(chunk, known), self._chunks(keys)
        ):
            moves += count
            if own - ends:
                ends |= own
                self._require(results | ends)
            loose += groups
            held += sum(map(len, groups))
            done += count
            if held > most:
                self._plan(held)
                new = self._sorted(loose)
                self._spend(len(new))
                if self._shelf.in_files:
                    pieces.append(_name(ply + 1, ply + 1, len(pieces)))
                    self._shelf.put(pieces[-1], new)
                    loose.clear()
                    held = 0
                    continue
                loose, held = [new], len(new)
                # Sorting again and again would be for nothing where most are different.
                most = max(most, 2 * held)
            self._budget.check(f"{self._found:,} positions so far")
            self._say(held)
        self._plan(held)
        new = self._sorted(loose)
        loose.clear()
        self._spend(len(new))
        counted = np.array([len(keys), moves, *sorted(ends)], dtype=np.int64)
        self._shelf.put(f"moved-{ply:010d}", counted)
        if pieces:
            pieces.append(_name(ply + 1, ply + 1, len(pieces)))
            self._shelf.put(pieces[-1], new)
            new = self._one(_name(ply + 1), pieces)
            self._spend(len(new))
            for piece in pieces:
                self._shelf.drop(piece)
        else:
            new = self._shelf.put(_name(ply + 1), new)
        self._found += len(new)
        self._runs.append(frontier)
        self._join()
        self._runs.append(_Run(ply + 1, ply + 1, Layer.of(new, _NONE)))
        return len(keys), moves, frozenset(ends)

    def _moved(self, keys: Rows, known: list[_Run]) -> tuple[int, set[int], list[Rows]]:
        """Joint moves, results at the ends, and keys of what some positions lead to, but for those
        that are known."""
        rows = unmixed(keys)
        packed, looked = self._looking.look(rows)
        groups = []
        for _, after in self._looking.after(rows, packed, looked):
            new = mixed(after)
            for run in known:
                if len(new):
                    places, missing = run.layer.find(new)
                    new = new[places < 0] if missing < len(new) else new
            if len(new):
                groups.append(new)
        ends = looked.mover == kernels.OVER
        return int(looked.degree.sum()), self._payoffs.results(looked.goals[ends]), groups

    def _chunks(self, keys: Rows) -> Iterator[Rows]:
        size = self._looking.machine.batch
        return (keys[i : i + size] for i in range(0, len(keys), size))

    def _join(self, at_least: float = 2.0) -> None:
        """Make one of the last two runs as long as the one is not so many times the other."""
        while len(self._runs) > 1 and (
            len(self._runs[-2].layer) < at_least * len(self._runs[-1].layer)
        ):
            below, last = self._runs[-2:]
            count = len(below.layer) + len(last.layer)
            name = _name(below.first, last.last)
            if self._shelf.in_files and count > self._most:
                keys = self._one(name, [below.name, last.name])
            else:
                self._budget.check(f"{self._found:,} positions so far", 8 * self._words * count)
                keys = np.empty((count, self._words), dtype=np.uint64)
                own_kernels.merge(below.layer.keys, last.layer.keys, keys)
                keys = self._shelf.put(name, keys)
            for one in (below, last):
                self._shelf.drop(one.name)
            self._runs[-2:] = [_Run(below.first, last.last, Layer.of(keys, _NONE))]

    def _whole(self) -> Rows:
        """All positions, in one run."""
        while len(self._runs) > 1:
            self._join(float("inf"))
        return self._runs[0].layer.keys

    @property
    def _most(self) -> int:
        """Keys that may be held without being sorted; what was there before is not for them."""
        room = max(0, self._budget.limits.memory - self._taken)
        return room // (8 * self._words * LOOSE)

    def _one(self, name: str, names: list[str]) -> Rows:
        """Put runs of some names on the shelf as one."""
        each = self._workers.each
        return made_one(self._shelf, name, names, self._words, self._most, each, self._plan)

    def _sorted(self, groups: list[Rows]) -> Rows:
        return sorted_set(groups, self._words, self._workers.each)

    def _plan(self, more: int) -> None:
        """Raise `LimitReached` where so many keys to be sorted would not fit the memory."""
        self._budget.check(f"{self._found:,} positions so far", 16 * self._words * more)

    def _spend(self, more: int) -> None:
        if self._found + more > MOST:
            raise LimitReached("positions", MOST, "a place has 32 bits")
        self._budget.spend(self._found + more)

    def _say(self, more: int) -> None:
        if self._tell:
            self._tell(self._found + more, self._found)
