"""Positions up to symmetry: of all images of a position one stands for them.

A symmetry of the rules that keeps the roles maps plays to plays, and with them values and best
moves; so that of each orbit one position is enough (symmetry reduction of transition systems:
Clarke, Enders, Filkorn, Jha, Formal Methods in System Design 9, 1996).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from ggp.analysis.relations.symmetries import (
    NO_IGRAPH,
    Permutation,
    elements,
    igraph_or_none,
    symmetries,
)
from ggp.errors import NotSolvable
from ggp.game import Game
from ggp.limits import look
from ggp.machine import Rows
from ggp.solver.layers.images import Images

SLICE = 1 << 22
"""Fluents of states whose images are made between two looks at the account."""

WIDTH = 8
"""Bits that tables of images are entered with: some megabytes for boards of hundreds of fluents."""

MAX_ELEMENTS = 64
"""Symmetries under which images are compared; of larger groups a subgroup is used."""


class Folding:
    """The symmetries `group` (permutations of nodes of the net) of a game, the identity first."""

    def __init__(self, game: Game, group: Sequence[Permutation]) -> None:
        net = game.net
        self.game = game
        self.group = list(group)
        first = net.first_fluent
        images = [[g[first + i] - first for i in range(len(net.fluents))] for g in self.group]
        # Fluent i of the image is fluent `_source[i]` of the position.
        self._source = np.argsort(np.array(images, dtype=np.int64), axis=1)

    @cached_property
    def _least(self) -> Images:
        coding = self.game.machine.coding
        return Images(coding, self.permutations, width=WIDTH)

    @property
    def permutations(self) -> list[list[int]]:
        """Where each symmetry takes every fluent."""
        return [np.argsort(source).tolist() for source in self._source]

    @classmethod
    def of(cls, game: Game) -> Folding | None:
        """That of a game in which no role sees less than all; None without symmetries."""
        if game.has_percepts or not game.is_ground or not game.machine.coding.is_plain:
            return None
        found = symmetries(game.net)
        if found is None or found.order == 1:
            return None
        group = elements(found.generators, MAX_ELEMENTS)
        return cls(game, group) if len(group) > 1 else None

    @classmethod
    def required(cls, game: Game) -> Folding:
        """The same; raises `NotSolvable` where there is none."""
        found = cls.of(game)
        if found is None:
            why = "" if igraph_or_none() else f" ({NO_IGRAPH})"
            raise NotSolvable(
                f"symmetry: no symmetry of the rules is known that keeps the roles{why}"
            )
        return found

    def __call__(self, rows: Rows) -> Rows:
        """For each state the image that stands for it; shape (n, words) as given.

        Raises `BudgetSpent` where an account that is in force is overdrawn.
        """
        best = rows.copy()
        step = max(1, SLICE // max(1, self._source.size))
        for start in range(0, len(rows), step):
            look("positions up to symmetry")
            self._least(best[start : start + step])
        return best

    def standing(self, state: int) -> int:
        """The state that stands for another, as bits of fluents."""
        machine = self.game.machine
        return machine.states(self(machine.rows([state])))[0]

    def element(self, state: int) -> int:
        """The number of a symmetry that maps a state to the one that stands for it."""
        row = self.game.machine.rows([state])
        # As `Images` orders them: the last word first.
        images = [row[0, ::-1].tolist(), *(i[0, ::-1].tolist() for i in self._images(row))]
        return images.index(min(images))

    def back(self, number: int, moves: Sequence[int]) -> list[int]:
        """The moves (indices in `Net.legal`) that a symmetry maps to some moves."""
        first, images = self.game.net.first_move, self.group[number]
        origin = {images[n]: n for n in range(first, self.game.net.first_gate)}
        return [origin[first + move] - first for move in moves]

    def _images(self, rows: Rows) -> Iterator[Rows]:
        """The images of some states by each symmetry but the identity."""
        held = self.game.machine.coding.held(rows)
        padding = np.zeros((len(rows), 64 * rows.shape[1] - held.shape[1]), dtype=np.bool_)
        for source in self._source[1:]:
            bits = np.concatenate([held[:, source], padding], axis=1)
            words = np.ascontiguousarray(np.packbits(bits, axis=1, bitorder="little")).view("<u8")
            yield words.astype(np.uint64)
