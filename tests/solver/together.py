"""Parts of the positions of a game, all in this process: what they would do on many machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from ggp.solver.layers.division import Division, Traffic
from ggp.solver.layers.induction import Induction, Layers
from ggp.solver.layers.keys import Layer
from ggp.solver.layers.part import Part
from ggp.solver.layers.shelf import InFolder, Shelf
from ggp.solver.layers.tablebase import write_part
from ggp.solver.layers.workers import Workers


class Others:
    """The other parts, as part `own` sees them."""

    def __init__(self, together: Together, own: int) -> None:
        self._together, self._own = together, own

    def enter(self, part, to, source, keys) -> None:
        self._together.members[part].enter(to, source, self._own, keys)

    def arrived(self) -> None:
        pass

    def codes(self, wanted):
        return [self._together.members[part].codes(rank, keys) for part, rank, keys in wanted]


class Together:
    """So many parts; `shelf` makes the shelf of each."""

    is_here = True

    def __init__(self, parts: int, shelf: Callable[..., Shelf] = InFolder) -> None:
        self.parts, self._shelf = parts, shelf
        self.members: list[Part] = []

    def solve(self, plan, rows, folder, about, budget, progress) -> Layers:
        division = Division(self.parts.bit_length() - 1)
        top = int(plan.moving().ranks(rows).max())
        shelves = [
            self._shelf(folder / str(n), {**about, "part": n, "parts": self.parts})
            for n in range(self.parts)
        ]
        self.members = [
            Part(
                plan.moving(), shelves[n], budget, top, Workers(1), n, division,
                Others(self, n) if division.bits else None, plan.swapped, progress,
            )
            for n in range(self.parts)
        ]  # fmt: skip
        try:
            return Induction(self, len(plan.game.players), budget).run(rows)
        finally:
            for shelf in shelves:
                shelf.close()

    def begin(self, rows) -> None:
        for member in self.members:
            member.begin(rows)

    def next_rank(self, below):
        return max((r for m in self.members if (r := m.next_rank(below)) is not None), default=None)

    def expand(self, rank):
        return [member.expand(rank) for member in self.members]

    def turned(self) -> None:
        for member in self.members:
            member.turned()

    def value(self, rank, scores) -> None:
        for member in self.members:
            member.value(rank, scores)

    def layers(self, sizes):
        return Joined(self, {rank: self._joined(rank) for rank in sizes})

    def _joined(self, rank: int) -> Layer:
        """A layer of all parts, in the order of their numbers."""
        layers = [member.layer(rank) for member in self.members]
        keys = [
            m.division.whole(own.keys, m.number)
            for m, own in zip(self.members, layers, strict=True)
        ]
        return Layer.of(np.concatenate(keys), np.concatenate([own.values for own in layers]))

    @property
    def traffic(self) -> Traffic:
        return sum((member.traffic for member in self.members), Traffic())


class Joined(Mapping[int, Layer]):
    """Layers that each part writes by itself."""

    def __init__(self, together: Together, layers: dict[int, Layer]) -> None:
        self._together, self._layers = together, layers

    def __getitem__(self, rank: int) -> Layer:
        return self._layers[rank]

    def __iter__(self):
        return iter(self._layers)

    def __len__(self) -> int:
        return len(self._layers)

    @property
    def traffic(self) -> Traffic:
        return self._together.traffic

    def write(self, folder: Path, notes) -> int:
        return sum(
            write_part(
                folder, {rank: m.layer(rank) for rank in self}, m.moving, m.division, m.number,
                notes, m.budget,
            )
            for m in self._together.members
        )  # fmt: skip
