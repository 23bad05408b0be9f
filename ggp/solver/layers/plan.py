"""What the parts of a game are made from, wherever they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ggp.game import Game
from ggp.limits import Budget, Limits
from ggp.machine import Machine, Progress, Rows
from ggp.solver.layers.images import Images
from ggp.solver.layers.induction import Layers
from ggp.solver.layers.moving import Moving
from ggp.solver.layers.ranks import Ranks


@dataclass(frozen=True)
class Plan:
    """How a game is solved in layers, in whatever process.

    `machine` is the game's packed machine: how positions are packed must not be found anew.
    `weights` of fluents, whose sum is the rank; `permutations` of fluents, of a group without the
    identity, up to which positions are kept. `swapped`: the two players exchange their goals.
    """

    game: Game
    machine: Machine
    weights: Mapping[int, int]
    permutations: Sequence[Sequence[int]]
    swapped: bool
    limits: Limits

    def moving(self) -> Moving:
        """The moves of the game."""
        self.game.packed_machine = self.machine
        images = Images(self.machine.coding, self.permutations) if self.permutations else None
        return Moving(self.game, Ranks(self.machine.coding, self.weights), images)


class Elsewhere(Protocol):
    """Other processes that solve games in layers."""

    @property
    def parts(self) -> int:
        """How many parts the positions are divided into."""

    @property
    def is_here(self) -> bool:
        """Whether all of them are processes of this machine."""

    def solve(
        self,
        plan: Plan,
        rows: Rows,
        folder: Path,
        about: Mapping[str, Any],
        budget: Budget,
        progress: Progress | None,
    ) -> Layers:
        """What the rows lead to, solved.

        `folder`: where files are kept that say what they are `about`, for whoever goes on with
        them.
        """
