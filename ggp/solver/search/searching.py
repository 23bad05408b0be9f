"""Questions about one position: whether the first player can have at least so much.

By alpha-beta search with a null window (Knuth and Moore, Artificial Intelligence 6, 1975), a table
of positions, moves that cut before first (killers and history; Schaeffer, IEEE PAMI 11, 1989),
deeper and deeper; and by depth-first proof-number search (Nagai 2002) with weak proof numbers
(Ueda, Hashimoto, Hashimoto and Iida, CG 2008) and wide thresholds (Pawlewicz and Lew, CG 2006).
Positions that symmetries map to each other are one.
"""

from __future__ import annotations

import mmap
from contextlib import suppress
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import LimitReached, NotSolvable
from ggp.game import Game
from ggp.later import Later
from ggp.limits import Budget, Limits
from ggp.machine import Progress, Rows
from ggp.machine.engine.frames import new_frame
from ggp.machine.engine.unit import Unit, running
from ggp.machine.winning import Wins
from ggp.solver.layers.images import Images
from ggp.solver.layers.keys import mixed
from ggp.solver.layers.moving import Looking
from ggp.solver.search.data import (
    COUNT,
    CUT,
    FAULT,
    FULL,
    INFINITE,
    MADE,
    PAUSED,
    PLACE,
    QUESTION,
    ROOM,
    SPENT,
    WAYS,
    CircuitRules,
    Frames,
    Nodes,
    TranspositionTable,
)
from ggp.solver.search.traits import Traits

if TYPE_CHECKING:
    from ggp.solver.layers import kernels
    from ggp.solver.search import alpha_beta, proof_numbers, table
else:
    kernels = Later("ggp.solver.layers.kernels")
    alpha_beta = Later("ggp.solver.search.alpha_beta")
    proof_numbers = Later("ggp.solver.search.proof_numbers")
    table = Later("ggp.solver.search.table")

LINES, PLIES = 1 << 20, 1 << 16
"""Positions of one line of play with the children of each, and its length."""

SLICE = 300_000
"""Work between two looks at the account, about so many microseconds."""

GATES, IMAGES = 500, 16
"""Gates of a pass, and words of images of a position, that count as one unit of it."""

MANY = 1 << 62
"""More positions than are ever looked at."""

SHARE = 4
"""This part of the memory is for the table."""

MOST_ENTRIES = 1 << 28
"""Positions that the table can hold at the most."""

EACH = 8
"""Places of the table for each position that is looked at, where these are few."""

MOST_OF_WINS = 16
"""Gates that say who wins by the next move, for each of the circuit without them."""

FIRST_DEPTH, FIRST_POSITIONS = 8, 100_000
"""Moves to which alpha-beta looks at first, and the positions after which it looks deeper all the
same; then twice as many of both, and so on."""


def scattered(shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """An array of zeros of which few places may ever be looked at, here and there.

    Of large pages each would be cleared as a whole for one entry: seconds, and gigabytes, for a
    search of some thousands of positions.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    if not hasattr(mmap, "MADV_NOHUGEPAGE"):
        return np.zeros(shape, dtype=dtype)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # of a kernel that knows no large pages
        memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, dtype=dtype).reshape(shape)


class Searching:
    """A table of positions of one game, and the searches that fill it.

    `scores`: payoffs that the first player may have, ascending. `swapped`: the two players' goals
    are exchanged. `total`: what these sum to at every end; with that the circuit tells who wins by
    the next move (a decisive one, see `ggp.machine.foresight`), if few gates do. With `traits`
    positions are told apart by these, moves than which others are at least as good are left out,
    and neither `images` nor `total` is used. `limit`: positions of all questions that are looked at
    at first, which the table is made for.
    """

    def __init__(
        self,
        game: Game,
        images: Images | None,
        budget: Budget,
        *,
        traits: Traits | None = None,
        swapped: bool = False,
        total: int | None = None,
        progress: Progress | None = None,
        limit: int = MANY,
    ) -> None:
        self.game, self.budget, self._progress = game, budget, progress
        self._machine, self._swapped, self._total = game.packed_machine, swapped, total
        self._images = images or Images(self._machine.coding, [])
        self._traits = traits
        self._traits_of = self._machine.functions_of(traits.literals) if traits else None
        net, coding = game.net, self._machine.coding
        players = game.player_indices
        paid = players[1] if swapped else players[0]
        self.scores = [value for value, _ in net.goals[paid]]
        if not self.scores or len(self.scores) > 250 or self.scores[0] < 0:
            raise NotSolvable("search: no goals, or more than 250")
        code = np.full(self.scores[-1] + 1, 0, dtype=np.uint8)
        code[self.scores] = np.arange(len(self.scores))
        moves, words = len(net.legal), coding.words
        sizes = [moves + 1, *map(len, net.goals)]
        if traits:
            unit, is_told = self._machine.child_unit_with(traits.literals), False
        else:
            unit, is_told = self._unit_with_wins()
        self._unit = unit
        results = len(unit.circuit.outputs)
        if unit.is_compiled_soon:
            unit.compile()
        self._running = running(unit.program, unit.native)
        # Not before: compiled code may want more rows.
        frame = new_frame(unit.rows)
        windows, images_of = self._images.arrays
        width, masks = words, np.zeros((0, 1), dtype=np.uint64)
        if traits:
            windows, images_of = traits.windows, traits.tables
            width, masks = traits.words, traits.masks
        values = [value for role in net.goals for value, _ in role]
        self._rules = CircuitRules(
            frame,
            frame.ctypes.data,
            coding.bits,
            moves,
            results,
            np.array([*net.move_offset, moves], dtype=np.int64),
            np.array(list(accumulate(sizes)), dtype=np.int64),
            np.array(values, dtype=np.int16),
            players[0],
            paid,
            code,
            windows,
            images_of,
            masks,
            np.array(self._won if is_told else [], dtype=np.int16),
            1 + len(unit.circuit.first) // GATES,
            1 + len(images_of) * len(windows) * width // IMAGES,
        )
        packed = max(1, -(-sum(sizes) // 64))
        self._nodes = Nodes(
            np.zeros((LINES, words), dtype=np.uint64),
            np.zeros((LINES, packed), dtype=np.uint64),
            np.zeros((LINES, width), dtype=np.uint64),
            np.zeros(LINES, dtype=np.int16),
            np.zeros((LINES, len(game.roles)), dtype=np.int16),
            np.zeros(LINES, dtype=np.uint8),
            np.zeros(LINES, dtype=np.int64),
            np.zeros(LINES, dtype=np.int32),
            np.zeros(LINES, dtype=np.int64),
            np.zeros(LINES, dtype=np.int64),
        )
        self._frames = Frames(*(np.zeros(PLIES, dtype=np.int64) for _ in range(9)))
        self._history = np.zeros(max(1, moves), dtype=np.int64)
        self._killers = np.full(PLIES, -1, dtype=np.int32)
        entries = max(1 << 10, budget.limits.memory // SHARE // (8 * width + 13))
        # A short search looks at places all over a large table, each of which costs a page.
        entries = min(MOST_ENTRIES, entries, max(1 << 10, EACH * limit))
        size = 1 << (entries.bit_length() - 1)
        self._table = TranspositionTable(
            scattered((size, width), np.uint64),
            scattered((size,), np.uint8),
            scattered((size,), np.uint8),
            scattered((size,), np.uint8),
            scattered((size,), np.uint32),
            scattered((size,), np.uint32),
            scattered((size,), np.uint16),
            64 - (size // WAYS).bit_length() + 1,
        )
        self._looking = Looking(game)
        self._question = 0
        self.positions = 0
        self.limit = limit
        """Positions of all questions beyond which `LimitReached` is raised."""

    @cached_property
    def _won(self) -> list[int]:
        """For each role what the first player has where that role has the most that it can; empty
        where that is not known."""
        if self._total is None or self._swapped:
            return []
        left = self._total - self.game.net.goals[1][-1][0]
        return [self.scores[-1], left] if left in self.scores else []

    def _unit_with_wins(self) -> tuple[Unit, bool]:
        """The circuit of children, and whether it says of each role that it wins there at once."""
        plain = self._machine.child_unit
        if not self._won:
            return plain, False
        most = MOST_OF_WINS * len(plain.circuit.first)
        wins = Wins(self._machine, most, threats=True)
        unit = self._machine.child_unit_with(wins)
        return (unit, True) if wins.is_told else (plain, False)

    def __reduce__(self) -> tuple[Any, ...]:
        # Addresses mean nothing in another process, and what is known is found again there.
        limits = self.budget.limits
        known = self._traits, self._swapped, self._total
        return _again, (self.game, self._images, limits, *known)

    def row(self, state: int) -> Rows:
        """A state (bits of fluents) as a row; raises `NotSolvable` for one out of play."""
        try:
            return self._machine.rows([state])
        except ValueError:
            raise NotSolvable("search: a state that play cannot come to") from None

    def at_least(self, row: Rows, score: int, *, by_numbers: bool = False) -> bool:
        """Whether the first player can have at least `scores[score]` from a position that is not
        terminal (a row (1, words) of the packed machine); raises `LimitReached`, also after
        `limit` positions of all questions, after which the same question goes on from the table.
        """
        answer = self._known(row, score)
        if answer != CUT:
            return bool(answer)
        self._question = self._question % 65_535 + 1
        if self._question == 1:
            self._table.asked[:] = 0
        if by_numbers:
            return bool(self._run(row, score, 0, None))
        self._history[:] = 0
        depth, most = FIRST_DEPTH, FIRST_POSITIONS
        while True:
            is_last = depth >= PLIES
            answer = self._run(row, score, depth, None if is_last else most)
            if answer < CUT:
                return bool(answer)
            depth, most = 2 * depth, 2 * most

    def _known(self, row: Rows, score: int) -> int:
        self._enter(row)
        return int(table.known(self._rules, self._nodes, self._table, score, 0))

    def _standing(self, row: Rows) -> Rows:
        """What stands for a position and all that are like it, as a new row."""
        if self._traits_of is None:
            return self._images(row.copy())
        traits: Rows = self._traits_of(row)
        kernels.least_images(traits, self._rules.windows, self._rules.tables)
        return traits

    def _enter(self, row: Rows) -> None:
        """Put a position at the beginning of the line."""
        nodes = self._nodes
        packed, looked = self._looking.look(row)
        nodes.rows[0] = row[0]
        nodes.packed[0] = packed[0]
        nodes.keys[0] = mixed(self._standing(row))[0]
        nodes.mover[0], nodes.degree[0] = looked.mover[0], looked.degree[0]
        nodes.goals[0] = looked.goals[0]
        frames = self._frames
        frames.at[:] = 0
        frames.at[QUESTION] = self._question
        frames.node[0], frames.start[0] = 0, 1
        frames.proof[0] = frames.disproof[0] = INFINITE

    def _run(
        self,
        row: Rows,
        score: int,
        depth: int,
        most_positions: int | None,
    ) -> int:
        """One search: by proof numbers where there is no depth; left after so many positions."""
        self._enter(row)
        frames, top = self._frames, len(self.scores) - 1
        before, most = self.positions, MANY if most_positions is None else most_positions
        frames.at[ROOM] = self.limit - before
        while True:
            frames.at[SPENT] = 0
            common = (self._rules, self._running, self._nodes, self._table, frames)
            if not depth:
                answer = proof_numbers.proof_numbers(*common, score, top, most, SLICE)
            else:
                answer = alpha_beta.alpha_beta(
                    *common, self._history, self._killers, score, top, depth, most, SLICE
                )
            self.positions = before + int(frames.at[MADE])
            if answer == FULL:
                raise LimitReached("plies", PLIES, "a line of play too long to be searched")
            if answer == FAULT:
                place = int(frames.at[PLACE])
                self._looking.look(self._nodes.rows[place : place + 1].copy())
                raise AssertionError("a fault that is none")
            if answer == PAUSED and self.positions > self.limit:
                raise LimitReached("positions", self.limit, f"{self.positions:,} searched")
            if answer != PAUSED or frames.at[COUNT] >= most:
                return int(answer)
            self.budget.check(f"{self.positions:,} positions searched")
            if self._progress:
                self._progress(self.positions, self.positions)


def _again(
    game: Game,
    images: Images,
    limits: Limits,
    traits: Traits | None,
    swapped: bool,
    total: int | None,
) -> Searching:
    own = Budget(limits)
    return Searching(game, images, own, traits=traits, swapped=swapped, total=total)
