"""One part of the positions of all layers: what is done with those of one rank, forward and back.

Positions are divided by the first bits of their keys (`Division`). Where there is one part, it is
all of them; where there are several, each may be in a process or on a machine of its own: what one
comes to forward it has entered by whose part it is, sorted and each once (delayed duplicate
detection; Korf, "Linear-time disk-based implicit graph search", Journal of the ACM 55, 2008), and
asks for values back in batches (Romein and Bal, "Solving Awari with parallel retrograde analysis",
IEEE Computer 36, 2003).

All that is known is on the part's shelf. Each step may be asked for again: what was done is found
there, what was half done is done once more, and comes out the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError
from ggp.later import Later
from ggp.limits import Budget, memory_in_use
from ggp.machine import Rows
from ggp.solver.layers.division import Division, Expanded, Peers, Traffic
from ggp.solver.layers.keys import Layer, mixed, sorted_set, unmixed
from ggp.solver.layers.merging import made_one
from ggp.solver.layers.moving import Moving, by_rank
from ggp.solver.layers.payoffs import Payoffs
from ggp.solver.layers.shelf import Shelf, require_kind
from ggp.solver.layers.workers import Workers

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
else:
    kernels = Later("ggp.solver.layers.kernels")

FEW = 1 << 20
"""Keys that are held without being sorted, however few positions are allowed."""

LOOSE = 8
"""This part of the memory that is free may be taken by positions that are not sorted yet."""

RUNS = 8
"""This part of the memory may be taken by sorted runs for layers to come, before those for one
layer are made one: a position may come up from each of many layers."""

MANY = 8
"""Such runs in files of one layer, at the least."""

ALL = Division()
"""One part, of all positions."""

START = "start"
"""In place of the rank that a run comes from, of positions to start from."""


@dataclass
class Part:
    """The positions of one part, of which `peers` have the others.

    `top` is the highest rank that any part has. `swapped`: each of the two players gets the goals
    of the other. `tell` is told how many positions were found, and how many of these are done.
    """

    moving: Moving
    shelf: Shelf
    budget: Budget
    top: int
    workers: Workers
    number: int = 0
    division: Division = ALL
    peers: Peers | None = None
    swapped: bool = False
    tell: Callable[[int, int], None] | None = None
    traffic: Traffic = field(default_factory=Traffic)
    _found: int = 0
    _done: int = 0

    def __post_init__(self) -> None:
        self._words = self.moving.machine.coding.words
        self._payoffs = Payoffs(self.moving.game, self.swapped)
        self._layers: dict[int, Layer] = {}
        self._taken = memory_in_use()
        self._lock = threading.Lock()

    # Names on the shelf

    def _name(self, kind: str, rank: int, source: int | None = None, by: int | None = None) -> str:
        """Names sort as play goes: the highest rank first. A run from a rank is `by` a part, where
        there are several, and else one of some pieces."""
        name = f"{kind}-{self.top - rank:010d}"
        if kind != "run":
            return name
        if source is None:
            return f"{name}-{START}"
        told = f"{name}-{self.top - source:010d}"
        return told if by is None or not (by or self.division.bits) else f"{told}-{by:05d}"

    def next_rank(self, below: int | None = None) -> int | None:
        """The highest rank that positions are known of, of those below the one that is given."""
        last = -1 if below is None else self.top - below
        named = (name.split("-") for name in self.shelf.names())
        numbers = (int(numbers[0]) for kind, *numbers in named if kind in ("run", "keys"))
        left = [number for number in numbers if number > last]
        return self.top - min(left) if left else None

    # Forward

    def begin(self, rows: Rows) -> None:
        """Enter those of some rows, which play starts from, that are of this part."""
        self._sweep()
        for rank, keys, _ in by_rank(mixed(rows.copy()), self.moving.ranks(rows)):
            own = keys[self.division.of(keys) == self.number]
            if len(own):
                own = self._sorted([self.division.inside(own)])
                self._put_run(self._name("run", rank), rank, own)

    def _sweep(self) -> None:
        """Forget what a run that was ended did not finish.

        What other parts have entered stays: they enter it again, or have done with it.
        """
        names = set(self.shelf.names())
        for name in sorted(names):
            kind, *numbers = name.split("-")
            if kind == "run":
                is_own = not self.division.bits and numbers[1] != START
                is_half = is_own and f"moved-{numbers[1]}" not in names
                if is_half or f"keys-{numbers[0]}" in names:
                    self.shelf.drop(name)

    def expand(self, rank: int) -> Expanded:
        """Enter what the positions of a rank lead to, all of which are known by now."""
        self._join_runs(rank)
        keys = self._settled(rank)
        name = self._name("moved", rank)
        known = self.shelf.get(name)
        if known is None:
            known = self._expand(rank, keys)
        if not len(require_kind(name, known, np.int64, None)):
            raise InputError(f"{name}: not what was written there")
        self._done += len(keys)
        self._tell()
        return Expanded(len(keys), int(known[0]), frozenset(known[1:].tolist()))

    def _settled(self, rank: int) -> Rows:
        """The positions of a rank, of which all are known by now."""
        name = self._name("keys", rank)
        prefix = self._name("run", rank)[: -len(START)]
        names = [n for n in self.shelf.names() if n.startswith(prefix)]
        keys = self.shelf.get(name)
        if keys is None:
            keys = self._one(name, names)
        for n in names:
            self.shelf.drop(n)
        require_kind(name, keys, np.uint64, None, self._words)
        self._found += len(keys)
        self.budget.spend(self._found)
        return keys

    def _join_runs(self, rank: int) -> None:
        """Make one of the runs for each layer, where all together are large.

        Of those that come from layers above `rank`, so that each is whole: the newest takes the
        place of the others, which may be there as well if the work is ended in between.
        """
        by_layer: dict[str, list[str]] = {}
        sizes: dict[str, int] = {}
        for name in self.shelf.names():
            kind, *numbers = name.split("-")
            run = self.shelf.get(name) if kind == "run" else None
            if run is None or (numbers[1] != START and int(numbers[1]) >= self.top - rank):
                continue
            sizes[name] = len(run)
            by_layer.setdefault(numbers[0], []).append(name)
        if 8 * self._words * sum(sizes.values()) * RUNS <= self.budget.limits.memory:
            return
        for names in by_layer.values():
            last = max(names, key=lambda name: (not name.endswith(START), name))
            if len(names) < (MANY if self.shelf.in_files else 2):
                continue
            self._one(last, names)
            for name in names:
                if name != last:
                    self.shelf.drop(name)

    @property
    def _most(self) -> int:
        """Keys that may be held without being sorted; what was there before is not for them."""
        room = max(0, self.budget.limits.memory - self._taken)
        return room // (8 * self._words * LOOSE)

    def _one(self, name: str, names: list[str]) -> Rows:
        """Put runs of some names on the shelf as one."""
        each = self.workers.each
        return made_one(self.shelf, name, names, self._words, self._most, each, self._plan)

    def _plan(self, more: int) -> None:
        """Raise `LimitReached` where so many keys to be sorted would not fit the memory."""
        self.budget.check(f"{self._found:,} positions so far", 16 * self._words * more)

    def _expand(self, rank: int, keys: Rows) -> NDArray[np.int64]:
        """Enter what the positions of a rank lead to; the number of moves, and results of play."""
        moves = 0
        results: set[int] = set()
        loose: dict[int, list[Rows]] = {}
        held = 0
        limits = self.budget.limits
        most = min(self._most, max(FEW, 2 * limits.positions))
        spills = self.shelf.in_files and not self.division.bits
        pieces = 0
        for count, ends, groups in self.workers.in_order(self._moved, self._chunks(rank, keys)):
            moves += count
            results |= ends
            for place, group in groups:
                loose.setdefault(place, []).append(group)
                held += len(group)
            if held > most:
                self._plan(held)
                if spills:
                    for place in sorted(loose):
                        run = self._sorted(loose.pop(place))
                        self.budget.spend(self._found + len(run))
                        self.enter(place, rank, pieces, run)
                    pieces, held = pieces + 1, 0
                    continue
                loose = {place: [self._sorted(own)] for place, own in loose.items()}
                held = sum(len(own[0]) for own in loose.values())
                # Of these none was counted yet: they are of ranks to come.
                self.budget.spend(self._found + held)
                # Sorting again and again would be for nothing where most are different.
                most = max(most, 2 * held)
            self.budget.check(f"{self._found:,} positions so far")
            self._tell(len(keys))
        self._plan(held)
        for place in sorted(loose):
            self._deliver(place, rank, self._sorted(loose.pop(place)), pieces)
        if self.peers:
            self.peers.arrived()
        done = np.array([moves, *sorted(results)], dtype=np.int64)
        return self.shelf.put(self._name("moved", rank), done)

    def _deliver(self, place: int, source: int, keys: Rows, piece: int) -> None:
        """Enter keys of a rank and a part, or have them entered."""
        to, part = place >> self.division.bits, place & (self.division.parts - 1)
        if part == self.number:
            self.enter(to, source, self.number or piece, keys)
            return
        assert self.peers is not None
        self.traffic += Traffic(keys=keys.nbytes, messages=1)
        self.peers.enter(part, to, source, keys)

    def enter(self, to: int, source: int, by: int, keys: Rows) -> None:
        """Keep the keys, sorted and each once, that part `by` comes to in a rank from another; of
        one part alone, piece `by`."""
        self._put_run(self._name("run", to, source, by), to, keys)

    def _put_run(self, name: str, rank: int, keys: Rows) -> None:
        if self.shelf.get(self._name("keys", rank)) is None:
            self.shelf.put(name, keys)

    def _sorted(self, groups: list[Rows]) -> Rows:
        return sorted_set(groups, self._words, self.workers.each)

    def _chunks(self, rank: int, keys: Rows) -> Iterator[tuple[int, Rows]]:
        batch = self.moving.machine.batch
        return ((rank, keys[i : i + batch]) for i in range(0, len(keys), batch))

    def _rows(self, keys: Rows) -> Rows:
        """The positions of keys of this part."""
        return unmixed(self.division.whole(keys, self.number) if self.division.bits else keys)

    def _by_place(
        self, after: Rows, ranks: NDArray[np.int32]
    ) -> Iterator[tuple[int, Rows, NDArray[np.intp]]]:
        """Rows, which are lost, by rank and part: the number of the two, the keys within the part,
        and where they stand among all."""
        keys = mixed(after)
        places: NDArray[Any] = ranks
        if self.division.bits:
            places = (ranks.astype(np.int64) << self.division.bits) | self.division.of(keys)
        for place, group, at in by_rank(keys, places):
            yield place, self.division.inside(group), at

    def _moved(self, case: tuple[int, Rows]) -> tuple[int, set[int], list[tuple[int, Rows]]]:
        """Joint moves, results at the ends, and keys by rank and part of what some positions lead
        to."""
        rank, keys = case
        rows = self._rows(keys)
        packed, looked = self.moving.look(rows)
        ends = looked.mover == kernels.OVER
        groups = [
            (place, group)
            for _, after, ranks in self.moving.children(rows, packed, looked, rank)
            for place, group, _ in self._by_place(after, ranks)
        ]
        return int(looked.degree.sum()), self._payoffs.results(looked.goals[ends]), groups

    # Backward

    def value(self, rank: int, scores: NDArray[np.int64]) -> int:
        """Value the positions of a rank, all that they lead to being valued; how many they are.

        A code is the place of the first player's payoff among the `scores`.
        """
        keys = self.shelf.get(self._name("keys", rank))
        if keys is None:
            raise InputError("positions that were kept are gone: begin anew")
        values = self.shelf.get(self._name("values", rank))
        if values is None:
            self.budget.check(f"{self._done:,} positions valued", 2 * len(keys))
            values = np.full(len(keys), kernels.MISSING, dtype=np.uint8)

            def value(case: tuple[int, Rows]) -> NDArray[np.uint8]:
                return self._value(*case, scores)

            start = 0
            for codes in self.workers.in_order(value, self._chunks(rank, keys)):
                values[start : start + len(codes)] = codes
                start += len(codes)
                self.budget.check(f"{self._done + start:,} positions valued")
                if self.tell:
                    self.tell(self._found, self._done + start)
            self.shelf.put(self._name("values", rank), values)
        self._done += len(keys)
        return len(keys)

    def turned(self) -> None:
        """All positions are known; from now on they are valued."""
        self._done = 0

    def layer(self, rank: int) -> Layer:
        """The positions of a rank, valued; of none where this part has none."""
        with self._lock:
            if rank not in self._layers:
                name = self._name("values", rank)
                keys, values = self.shelf.get(self._name("keys", rank)), self.shelf.get(name)
                if keys is None or values is None:
                    raise InputError("positions that were kept are gone: begin anew")
                require_kind(name, values, np.uint8, len(keys))
                self._layers[rank] = Layer.of(keys, values)
            return self._layers[rank]

    def codes(self, rank: int, keys: Rows) -> NDArray[np.uint8]:
        """The codes of keys of this part; raises `InputError` where one is not there."""
        codes, missing = self.layer(rank).look_up(keys)
        if missing:
            raise InputError("positions that were kept are gone: begin anew")
        return codes

    def _value(self, rank: int, keys: Rows, scores: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The codes of the values of some positions, all that they lead to being known."""
        rows = self._rows(keys)
        packed, looked = self.moving.look(rows)
        ends = looked.mover == kernels.OVER
        codes = np.full(len(keys), kernels.MISSING, dtype=np.uint8)
        codes[ends] = self._payoffs.codes(looked.goals[ends], scores)
        is_low = self._payoffs.is_low(looked.mover)
        for here, after, ranks in self.moving.children(rows, packed, looked, rank):
            found = self._ask(after, ranks)
            kernels.choose(looked.degree[here], is_low[here], found, codes[here])
        return codes

    def _ask(self, after: Rows, ranks: NDArray[np.int32]) -> NDArray[np.uint8]:
        """The codes of rows, which are lost."""
        found = np.empty(len(after), dtype=np.uint8)
        asked: list[tuple[int, int, Rows]] = []
        where: list[NDArray[np.intp]] = []
        for place, keys, at in self._by_place(after, ranks):
            rank, part = place >> self.division.bits, place & (self.division.parts - 1)
            if part == self.number:
                found[at] = self.codes(rank, keys)
            else:
                asked.append((part, rank, keys))
                where.append(at)
        if asked:
            assert self.peers is not None
            sizes = Traffic(sum(k.nbytes for *_, k in asked), sum(map(len, where)), 2 * len(asked))
            with self._lock:
                self.traffic += sizes
            for at, codes in zip(where, self.peers.codes(asked), strict=True):
                found[at] = codes
        return found

    def _tell(self, more: int = 0) -> None:
        if self.tell:
            self.tell(self._found, self._done + more)
