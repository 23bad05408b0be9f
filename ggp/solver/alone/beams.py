"""Ways to the end for one role that plays alone: beams that grow wider.

All positions of a step are looked at together; where they are too many, those go on from which
random plays come to the highest goals on average (beam search, with random plays for an evaluation
as in nested Monte-Carlo search; Cazenave, IJCAI 2009), in beams four times as wide each time. Every
other beam is one of those in which the fewest moves lead on, which else will soon be dead ends (the
rule by which H. von Warnsdorff, 1823, leads a knight over all squares). What is found is a way that
can be gone; that there is no better one is said where nothing was left out.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ggp.game import Game, State
from ggp.ground.clock import find_clocks
from ggp.machine import Rows
from ggp.machine.space.index import RowIndex
from ggp.machine.view import combinations
from ggp.solver.alone.projections import Part, Projections, find_parts

NARROW, WIDER = 64, 4
"""Positions of the first beam, and how many times as many each next one has."""

CASES = 1 << 8
"""Cases of projections for each position of a beam."""

NEAREST = 16
"""How many times as wide as others a beam is that is led by projections, which takes little."""

MOST_SEEN = 2_000_000
"""Positions of one beam, all steps together."""

TOGETHER, CELLS = 1 << 12, 1 << 24
"""Positions that are made between two looks at the clock, fewer where they have many fluents: so
many of all of them. With more moves than `TOGETHER` in one position there is no beam."""

PLIES = 1_000
"""A random play that lasts longer counts for nothing."""

PLAYS = 2
"""Random plays from each position of a step that has too many."""


Outcome = Literal["whole", "cut", "large"]

FREE = 32
"""Moves of a position, on average, up to which those are counted that lead on."""

Choosing = Callable[[Rows, int, float, Callable[[], None]], NDArray[np.int64] | None]
"""Which of some rows go on, so many of them; None where that is too much to find out."""


class _TimeIsUp(Exception):
    """The clock came to where it is to end."""


@dataclass(frozen=True)
class LineStep:
    """The next move of a way to the end (an index into `Net.legal`), and the goal there."""

    move: int
    goal: int


class LineSearch:
    """Looks for ways to the end in a game of one role that has a net.

    The same for the same seed, but for how far it comes in the time that it has. `most`: a goal
    that no end is above, at first the highest of the rules.
    """

    def __init__(self, game: Game, *, seed: int = 0) -> None:
        self.game, self._seed = game, seed
        self._machine = game.machine
        self._random = np.random.default_rng(seed)
        self.ends: Counter[int] = Counter()
        """How often an end was come to after so many moves, seen from where a search began."""
        self.positions = 0
        """How many were looked at, some of them in several beams."""
        self._ways: dict[int, LineStep] = {}
        self._parts: list[Part] | None = None
        self._projections: Projections | None = None
        values = [value for value, _ in game.net.goals[0]] or [0]
        self.least, self.most = min(values), max(values)
        told = 0
        for clock in find_clocks(game.net):
            told |= 0 if clock.is_circle else clock.mask
        every = range(len(game.net.fluents))
        # What a step counter says does not make a position another one at first: what came earlier
        # has more time. Where all was looked at so, and there may be better, it does.
        self._apart = [[i for i in every if not told >> i & 1], *([list(every)] if told else [])]
        self._together = max(16, min(TOGETHER, CELLS // max(1, len(every))))

    def expect_at_most(self, goal: int) -> None:
        """Take it for known that no end has a higher goal."""
        if goal != self.most:
            self._parts = self._projections = None
        self.most = goal

    def way(self, state: State) -> LineStep | None:
        """The best way from a state that was found."""
        return self._ways.get(state.bits)

    def line(self, state: State, most: int) -> list[int]:
        """The moves of that way, so many at the most."""
        moves: list[int] = []
        while len(moves) < most and (way := self.way(state)):
            moves.append(way.move)
            state = state.after([way.move])
        return moves

    def search(
        self, state: State, until: float, heed: Callable[[], None], widest: float = inf
    ) -> bool:
        """Look for better ways from a state that is not terminal until the clock
        (`time.monotonic`) comes to `until`, there is no better goal, all was looked at, or a beam
        would be wider than `widest`. `heed` is called now and then, and ends all by raising.

        Whether all was looked at: then there is no better way than the one that is known.
        """
        for own in self._apart:
            width = NARROW
            found: Outcome = "cut"
            by_parts: Outcome = "cut"
            other: Outcome = "cut"
            while found == "cut" and width <= widest and time.monotonic() < until:
                if self.is_best(state):
                    return False
                if by_parts == "cut" and self._tell_parts(state, width, until, heed):
                    wide = NEAREST * width
                    by_parts = self._beam(state, own, wide, self._nearest, until, heed)
                    if by_parts == "whole" or self.is_best(state):
                        found = by_parts
                        break
                found = self._beam(state, own, width, self._promising, until, heed)
                if found == other == "cut" and not self.is_best(state):
                    other = self._beam(state, own, width, self._least_free, until, heed)
                width *= WIDER
            if found != "whole":
                return False
        return True

    def is_best(self, state: State) -> bool:
        """Whether a way is known from a state to the highest goal that there can be."""
        way = self.way(state)
        return way is not None and way.goal == self.most

    def _beam(
        self,
        state: State,
        own: list[int],
        width: int,
        choose: Choosing,
        until: float,
        heed: Callable[[], None],
    ) -> Outcome:
        """One beam, positions told apart by the fluents `own`: `whole` if nothing was left out,
        `large` if no wider one can be had."""
        machine = self._machine
        outcome: Outcome = "whole"
        rows = machine.rows([state.bits])
        first_key = self._keys(rows, own)
        seen = RowIndex(first_key.shape[1])
        seen.add(first_key)
        steps: list[tuple[NDArray[np.int64], NDArray[np.int32]]] = []
        while len(rows):
            parents, moves, after = [], [], []
            for lanes, joint, is_all in self._choices(rows):
                heed()
                if time.monotonic() > until:
                    return "cut"
                if len(seen) > MOST_SEEN or not is_all:
                    return "large"
                following = machine.next(rows, joint, lanes)
                self.positions += len(following)
                there = machine.view(following)
                over = np.flatnonzero(there.terminal)
                if len(over):
                    self.ends[len(steps) + 1] += len(over)
                    best = over[int(there.goals[over, 0].argmax())]
                    goal = int(there.goals[best, 0])
                    self._keep(state, steps, int(lanes[best]), int(joint[best, 0]), goal, heed)
                    if self.is_best(state):
                        return "cut"
                before = len(seen)
                numbers, first = np.unique(seen.add(self._keys(following, own)), return_index=True)
                new = first[(numbers >= before) & ~there.terminal[first]]
                parents.append(lanes[new])
                moves.append(joint[new, 0])
                after.append(following[new])
            parent, move, rows = (np.concatenate(part) for part in (parents, moves, after))
            if len(rows) > width:
                outcome = "cut"
                chosen = choose(rows, width, until, heed)
                if chosen is None:
                    return "large"
                parent, move, rows = parent[chosen], move[chosen], rows[chosen]
            steps.append((parent, move))
        return outcome

    def _choices(self, rows: Rows) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32], bool]]:
        """The moves in some positions, a part at a time: the number of the position of each, the
        move (n, 1), and whether these are all, which they are not where one has too many."""
        for begin in range(0, len(rows), self._together):
            view = self._machine.view(rows[begin : begin + self._together])
            ends = np.cumsum(view.counts[:, 0], dtype=np.int64)
            start, count = 0, len(ends)
            while start < count:
                base = int(ends[start - 1]) if start else 0
                stop = int(np.searchsorted(ends, base + self._together, side="right"))
                if stop == start and int(ends[start]) - base > TOGETHER:
                    yield np.zeros(0, dtype=np.int64), np.zeros((0, 1), dtype=np.int32), False
                    return
                stop = max(stop, start + 1)
                lanes, joint = combinations(view, start, stop)
                yield lanes + begin, joint, True
                start = stop

    def _keys(self, rows: Rows, own: list[int]) -> Rows:
        """What some fluents say in each position, as packed rows."""
        held = self._machine.coding.held(rows)[:, own]
        packed = np.packbits(held, axis=1)
        words = -(-packed.shape[1] // 8) or 1
        keys = np.zeros((len(rows), 8 * words), dtype=np.uint8)
        keys[:, : packed.shape[1]] = packed
        return keys.view(np.uint64)

    def _promising(
        self, rows: Rows, width: int, until: float, heed: Callable[[], None]
    ) -> NDArray[np.int64]:
        """Which rows go on: those with the best random plays, by chance among equals."""
        goals = np.zeros(PLAYS * len(rows), dtype=np.int16)
        for start in range(0, len(rows), self._together):
            heed()
            part = np.repeat(rows[start : start + self._together], PLAYS, axis=0)
            seed = int(self._random.integers(1 << 62))
            found = self._machine.play_on(part, seed, max_plies=PLIES, until=until)
            goals[PLAYS * start : PLAYS * start + len(part)] = found[:, 0]
        worth = np.maximum(goals, 0).reshape(len(rows), PLAYS).sum(axis=1)
        order = np.lexsort((self._random.random(len(rows)), -worth))
        return np.sort(order[:width])

    def _least_free(
        self, rows: Rows, width: int, until: float, heed: Callable[[], None]
    ) -> NDArray[np.int64] | None:
        """Which rows go on: those with the fewest moves after which play goes on, if there are any;
        by chance among equals."""
        free = np.zeros(len(rows), dtype=np.int64)
        made = 0
        for lanes, joint, is_all in self._choices(rows):
            heed()
            made += len(lanes)
            if not is_all or made > FREE * len(rows):
                return None
            if time.monotonic() > until:
                break
            there = self._machine.view(self._machine.next(rows, joint, lanes))
            free += np.bincount(lanes[~there.terminal], minlength=len(rows))
        free[free == 0] = np.iinfo(np.int64).max
        order = np.lexsort((self._random.random(len(rows)), free))
        return np.sort(order[:width])

    def _tell_parts(self, state: State, width: int, until: float, heed: Callable[[], None]) -> bool:
        """Whether there are parts of the puzzle that tell how far an end with the highest goal is,
        more exactly for a wider beam, and time enough to find out; they are those of the first
        state that is asked of."""

        def look() -> None:
            heed()
            if time.monotonic() > until:
                raise _TimeIsUp

        try:
            if self._parts is None:
                self._parts = find_parts(self._machine, state.bits, self.most, look)
            if len(self._parts) < 2:
                return False
            cases, words = CASES * width, self._machine.coding.words
            if self._projections is None or self._projections.cases < cases:
                self._projections = Projections(self._parts, words, cases, self._seed, look)
        except _TimeIsUp:
            return False
        return True

    def _nearest(
        self, rows: Rows, width: int, until: float, heed: Callable[[], None]
    ) -> NDArray[np.int64]:
        """Which rows go on: those whose parts are nearest to where they belong, by chance among
        equals."""
        assert self._projections is not None
        worth = np.full(len(rows), np.iinfo(np.int64).max)
        for start in range(0, len(rows), self._together):
            heed()
            if time.monotonic() > until:
                break
            here = slice(start, start + self._together)
            worth[here] = self._projections.worth(rows[here])
        order = np.lexsort((self._random.random(len(rows)), worth))
        return np.sort(order[:width])

    def _keep(
        self,
        state: State,
        steps: list[tuple[NDArray[np.int64], NDArray[np.int32]]],
        parent: int,
        move: int,
        goal: int,
        heed: Callable[[], None],
    ) -> None:
        """Remember a way, if it is better than what is known from its beginning."""
        known = self.way(state)
        if goal < 0 or (known is not None and known.goal >= goal):
            return
        line = [move]
        for parents, moves in reversed(steps):
            line.append(int(moves[parent]))
            parent = int(parents[parent])
        self.keep(state, line[::-1], goal, heed)

    def keep(
        self, state: State, line: Sequence[int], goal: int, heed: Callable[[], None] | None = None
    ) -> None:
        """Remember moves that lead from a state to an end with a goal, where they are better than
        what is known. A line may come by a state twice: what is gone from there last counts."""
        exits: dict[int, tuple[State, int]] = {}
        for number in line:
            if heed:
                heed()
            exits.pop(state.bits, None)
            exits[state.bits] = state, number
            state = state.after([number])
        for state, number in exits.values():
            here = self.way(state)
            # A better one that leads on from here is gone; so following comes to an end.
            if here is None or here.goal < goal:
                self._ways[state.bits] = LineStep(number, goal)
