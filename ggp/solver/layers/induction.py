"""Backward induction on layers of packed positions: forward once for the positions, and back for
their values, the moves being made again.

A layer holds the positions of one rank, a weighted sum of fluents that falls with every move; that
it does is looked at with each move that is made, so that nothing hangs on how the weights were
found. Each layer is sorted once (`keys`). Two passes of moves and no edges: Romein and Bal,
"Solving Awari with parallel retrograde analysis", IEEE Computer 36, 2003; Edelkamp and Kissmann,
"On the complexity of BDDs for state space search: a case study in Connect Four", AAAI 2011, for
general games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError, NotSolvable
from ggp.later import Later
from ggp.limits import Budget
from ggp.machine import Progress, Rows
from ggp.solver.layers.keys import Layer, mixed, sorted_set, unmixed
from ggp.solver.layers.moving import Moving, by_rank
from ggp.solver.layers.shelf import Shelf, require_kind
from ggp.solver.layers.workers import Workers

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
else:
    kernels = Later("ggp.solver.layers.kernels")

LOOSE = 8
"""This part of the memory may be taken by positions that are not sorted yet."""

RUNS = 8
"""This part of the memory may be taken by sorted runs for layers to come, before those for one
layer are made one: a position may come up from each of many layers."""

MAX_SCORES = 250
"""Different results of play, of which a byte holds the number."""


@dataclass(frozen=True, eq=False)
class Layers:
    """A game solved: for each rank that positions have the layer of them.

    `scores`: payoffs of the first player, ascending, of which the codes are numbers; `total`: what
    two players have together, None for a single one. `moves`: joint moves between the positions.
    """

    ranks: tuple[int, ...]
    layers: dict[int, Layer]
    scores: tuple[int, ...]
    total: int | None
    moves: int

    def __len__(self) -> int:
        return sum(map(len, self.layers.values()))


class Induction:
    """Solves what some rows lead to.

    `swapped`: each of the two players gets the goals of the other. `threads` work at once; the
    outcome does not hang on how many. Raises `LimitReached`.
    """

    def __init__(
        self,
        moving: Moving,
        shelf: Shelf,
        budget: Budget,
        *,
        swapped: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> None:
        self._moving, self._shelf, self._budget = moving, shelf, budget
        self._swapped, self._progress = swapped, progress
        self._workers = Workers(threads)
        self._words = moving.machine.coding.words
        self._top = 0
        self._found = self._done = 0

    def run(self, rows: Rows) -> Layers:
        """All positions that the rows lead to, solved."""
        with self._workers:
            ranks, results, moves = self._forward(rows)
            scores, total = self._scores(results)
            return Layers(
                tuple(ranks), self._backward(ranks, scores), tuple(scores.tolist()), total, moves
            )

    # Forward

    def _forward(self, rows: Rows) -> tuple[list[int], set[int], int]:
        """Ranks of positions, falling; results of play; and how many joint moves there are."""
        shelf = self._shelf
        starts = self._moving.ranks(rows)
        self._top = int(starts.max())
        self._sweep()
        for start, own, _ in by_rank(mixed(rows.copy()), starts):
            self._put_run(start, None, [own])
        ranks: list[int] = []
        results: set[int] = set()
        moves = 0
        while (rank := self._next_rank(ranks)) is not None:
            ranks.append(rank)
            keys = self._settled(rank)
            name = self._name("moved", rank)
            known = shelf.get(name)
            if known is None:
                known = self._expand(rank, keys)
                self._join_runs(rank)
            if not len(require_kind(name, known, np.int64, None)):
                raise InputError(f"{name}: not what was written there")
            moves += int(known[0])
            results.update(known[1:].tolist())
            self._done += len(keys)
            self._tell()
        return ranks, results, moves

    def _name(self, kind: str, rank: int, source: int | None = None) -> str:
        """Names sort as play goes: the highest rank first."""
        name = f"{kind}-{self._top - rank:010d}"
        if source is None:
            return name if kind != "run" else f"{name}-start"
        return f"{name}-{self._top - source:010d}"

    def _sweep(self) -> None:
        """Forget what a run that was ended did not finish."""
        names = set(self._shelf.names())
        for name in sorted(names):
            kind, *numbers = name.split("-")
            if kind == "run":
                is_whole = numbers[1] == "start" or f"moved-{numbers[1]}" in names
                if not is_whole or f"keys-{numbers[0]}" in names:
                    self._shelf.drop(name)

    def _next_rank(self, ranks: list[int]) -> int | None:
        """The highest rank with positions below those that are done."""
        below = self._top - ranks[-1] if ranks else -1
        named = (name.split("-") for name in self._shelf.names())
        numbers = (int(numbers[0]) for kind, *numbers in named if kind in ("run", "keys"))
        left = [number for number in numbers if number > below]
        return self._top - min(left) if left else None

    def _settled(self, rank: int) -> Rows:
        """The positions of a rank, of which all are known by now."""
        name = self._name("keys", rank)
        keys = self._shelf.get(name)
        if keys is None:
            prefix = self._name("run", rank)[: -len("start")]
            names = [n for n in self._shelf.names() if n.startswith(prefix)]
            kept = ((n, self._shelf.get(n)) for n in names)
            runs = [
                require_kind(n, run, np.uint64, None, self._words)
                for n, run in kept
                if run is not None
            ]
            self._plan(sum(map(len, runs)) if len(runs) > 1 else 0)
            settled = (
                runs[0] if len(runs) == 1 else sorted_set(runs, self._words, self._workers.each)
            )
            keys = self._shelf.put(name, settled)
            for n in names:
                self._shelf.drop(n)
        require_kind(name, keys, np.uint64, None, self._words)
        self._found += len(keys)
        self._budget.spend(self._found)
        return keys

    def _join_runs(self, rank: int) -> None:
        """Make one of the runs for each layer, where all together are large.

        Done when a layer is, so that each is whole: the newest takes the place of the others, which
        may be there as well if the work is ended in between.
        """
        by_layer: dict[str, list[str]] = {}
        for name in self._shelf.names():
            kind, *numbers = name.split("-")
            if kind == "run":
                by_layer.setdefault(numbers[0], []).append(name)
        sizes = {
            name: len(run)
            for names in by_layer.values()
            for name in names
            if (run := self._shelf.get(name)) is not None
        }
        if 8 * self._words * sum(sizes.values()) * RUNS <= self._budget.limits.memory:
            return
        newest = f"-{self._top - rank:010d}"
        for names in by_layer.values():
            last = next((name for name in names if name.endswith(newest)), None)
            if last is None or len(names) < 2:
                continue
            self._plan(sum(sizes[name] for name in names))
            runs = [run for name in names if (run := self._shelf.get(name)) is not None]
            self._shelf.put(last, self._sorted(runs))
            for name in names:
                if name != last:
                    self._shelf.drop(name)

    def _plan(self, more: int) -> None:
        """Raise `LimitReached` where so many keys to be sorted would not fit the memory."""
        self._budget.check(f"{self._found:,} positions so far", 16 * self._words * more)

    def _expand(self, rank: int, keys: Rows) -> NDArray[np.int64]:
        """Enter what the positions of a rank lead to; the number of moves, and results of play."""
        moves = 0
        results: set[int] = set()
        loose: dict[int, list[Rows]] = {}
        held = 0
        most = self._budget.limits.memory // (8 * self._words * LOOSE)
        for count, ends, parts in self._workers.in_order(self._moved, self._chunks(rank, keys)):
            moves += count
            results |= ends
            for to, part in parts:
                loose.setdefault(to, []).append(part)
                held += len(part)
            if held > most:
                self._plan(held)
                loose = {to: [self._sorted(own)] for to, own in loose.items()}
                held = sum(len(own[0]) for own in loose.values())
                # Sorting again and again would be for nothing where most are different.
                most = max(most, 2 * held)
            self._budget.check(f"{self._found:,} positions so far")
            self._tell(len(keys))
        self._plan(held)
        for to in sorted(loose):
            self._put_run(to, rank, loose.pop(to))
        done = np.array([moves, *sorted(results)], dtype=np.int64)
        return self._shelf.put(self._name("moved", rank), done)

    def _sorted(self, parts: list[Rows]) -> Rows:
        return sorted_set(parts, self._words, self._workers.each)

    def _put_run(self, rank: int, source: int | None, parts: list[Rows]) -> None:
        if self._shelf.get(self._name("keys", rank)) is None:
            self._shelf.put(self._name("run", rank, source), self._sorted(parts))

    def _chunks(self, rank: int, keys: Rows) -> Iterator[tuple[int, Rows]]:
        batch = self._moving.machine.batch
        return ((rank, keys[i : i + batch]) for i in range(0, len(keys), batch))

    def _moved(self, case: tuple[int, Rows]) -> tuple[int, set[int], list[tuple[int, Rows]]]:
        """Joint moves, results at the ends, and keys by rank of what some positions lead to."""
        rank, keys = case
        rows = unmixed(keys)
        packed, looked = self._moving.look(rows)
        ends = looked.mover == kernels.OVER
        parts = [
            (to, part)
            for _, after, ranks in self._moving.children(rows, packed, looked, rank)
            for to, part, _ in by_rank(mixed(after), ranks)
        ]
        return int(looked.degree.sum()), set(self._results(looked.goals[ends])), parts

    # Results

    def _payoffs(self, goals: NDArray[np.int16]) -> NDArray[np.int64]:
        """What the players get, in their order."""
        own = goals[:, list(self._moving.game.player_indices)]
        return (own[:, ::-1] if self._swapped else own).astype(np.int64)

    def _results(self, goals: NDArray[np.int16]) -> list[int]:
        """Different results, each as a number: of two players' payoffs, or of one's."""
        payoff = self._payoffs(goals)
        numbers = payoff[:, 0] << 32
        if payoff.shape[1] == 2:
            numbers = numbers + payoff[:, 1]
        found: list[int] = np.unique(numbers).tolist()
        return found

    def _scores(self, results: set[int]) -> tuple[NDArray[np.int64], int | None]:
        """Payoffs of the first player, and the sum of both."""
        first = sorted({result >> 32 for result in results})
        if len(first) > MAX_SCORES:
            raise NotSolvable(f"layers: more than {MAX_SCORES} different results of play")
        if len(self._moving.game.players) == 1:
            return np.array(first, dtype=np.int64), None
        totals = {(result >> 32) + (result & 0xFFFFFFFF) for result in results}
        if len(totals) != 1:
            raise NotSolvable("layers: the interests of the two roles are not opposed")
        return np.array(first, dtype=np.int64), totals.pop()

    # Backward

    def _backward(self, ranks: Sequence[int], scores: NDArray[np.int64]) -> dict[int, Layer]:
        """Value the layers, the last one first."""
        layers: dict[int, Layer] = {}
        self._done = 0
        for rank in reversed(ranks):
            keys = self._shelf.get(self._name("keys", rank))
            assert keys is not None
            values = self._shelf.get(self._name("values", rank))
            if values is None:
                self._budget.check(f"{self._done:,} positions valued", 2 * len(keys))
                values = np.full(len(keys), kernels.MISSING, dtype=np.uint8)

                def value(case: tuple[int, Rows]) -> NDArray[np.uint8]:
                    return self._value(*case, layers, scores)

                start = 0
                for codes in self._workers.in_order(value, self._chunks(rank, keys)):
                    values[start : start + len(codes)] = codes
                    start += len(codes)
                    self._budget.check(f"{self._done + start:,} positions valued")
                    if self._progress:
                        self._progress(self._found, self._done + start)
                values = self._shelf.put(self._name("values", rank), values)
            require_kind(self._name("values", rank), values, np.uint8, len(keys))
            self._done += len(keys)
            layers[rank] = Layer.of(keys, values)
        return layers

    def _value(
        self, rank: int, keys: Rows, layers: dict[int, Layer], scores: NDArray[np.int64]
    ) -> NDArray[np.uint8]:
        """The codes of the values of some positions, all that they lead to being known."""
        rows = unmixed(keys)
        packed, looked = self._moving.look(rows)
        ends = looked.mover == kernels.OVER
        codes = np.full(len(keys), kernels.MISSING, dtype=np.uint8)
        codes[ends] = np.searchsorted(scores, self._payoffs(looked.goals[ends])[:, 0])
        players = self._moving.game.player_indices
        # Codes are of the first player's payoffs, which the second keeps low.
        is_low = (looked.mover == players[-1]).astype(np.uint8) * np.uint8(len(players) > 1)
        for here, after, ranks in self._moving.children(rows, packed, looked, rank):
            found = np.empty(len(after), dtype=np.uint8)
            for to, part, places in by_rank(mixed(after), ranks):
                layer = layers.get(to)
                found[places], missing = layer.look_up(part) if layer else (0, len(part))
                if missing:
                    raise InputError("positions that were kept are gone: begin anew")
            kernels.choose(looked.degree[here], is_low[here], found, codes[here])
        return codes

    def _tell(self, more: int = 0) -> None:
        if self._progress:
            self._progress(self._found, self._done + more)
