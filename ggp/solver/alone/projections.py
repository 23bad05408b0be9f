"""Parts of a puzzle that go their own way, and how far a few of them together are from an end.

What becomes of some fluents often hangs on nothing but these fluents and the move: where a piece of
a puzzle is and how it is turned, say. Such a part has few states. Several of them together, all
else left out, are a projection of the puzzle (pattern database: Culberson and Schaeffer,
Computational Intelligence 14, 1998; of pieces of Rubik's cube: Korf, AAAI 1997; of any planning
task: Edelkamp, ECP 2001), whose distances from where the highest goal is possible lead a beam
(Furcy and Koenig, IJCAI 2005). No one of them is more than the whole way; their squares are
summed up, which is no bound, but tells positions with a few parts far off from those where all are
near.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.ground import FALSE, TRUE, Net
from ggp.later import Later
from ggp.machine import Machine, Rows

if TYPE_CHECKING:
    from ggp.machine.space import hashing
    from ggp.solver.alone import distances
else:
    hashing = Later("ggp.machine.space.hashing")
    distances = Later("ggp.solver.alone.distances")

FLUENTS, LITERALS = 2_000, 500_000
"""Of a game in which parts are looked for."""

STATES, STEPS = 512, 1 << 17
"""States of a part, and moves from all of them."""

SEARCH = 1 << 33
"""Literals of all rules, times the moves that are made to find parts."""

PROJECTIONS, MOST, CASES = 15, 64, 1 << 19
"""Projections that are made at least, and at the most, and cases of each, a byte for each: states
of its parts, all combinations."""

WORK = 1 << 26
"""Moves of cases that are looked at to find the distances of one projection."""

TOGETHER = 1 << 12
"""Cases, moves or gates that are looked at between two looks at the clock."""

LOOK = 1 << 6
"""The same, of what takes long by itself."""

Heed = Callable[[], None]


@dataclass(frozen=True)
class Part:
    """Fluents (a `mask`) whose next values depend on them and the moves alone.

    `states`: as masks; of each `steps` (states, moves) says the number of the next one, -1 where
    the move cannot be legal, and `right` (states,) whether there can be an end with the goal.
    """

    mask: int
    states: tuple[int, ...]
    steps: NDArray[np.int32]
    right: NDArray[np.bool_]

    def come_to(self) -> Part:
        """The same with those states alone that moves lead to from the first one."""
        order, number = [0], {0: 0}
        for state in order:
            for after in self.steps[state].tolist():
                if after >= 0 and after not in number:
                    number[after] = len(order)
                    order.append(after)
        steps = [[number.get(after, -1) for after in self.steps[s].tolist()] for s in order]
        states = tuple(self.states[s] for s in order)
        return Part(self.mask, states, np.array(steps, dtype=np.int32), self.right[order])

    @property
    def comes_back(self) -> bool:
        """Whether there are several states, and moves lead from each to the first one."""
        back = np.zeros(len(self.states), dtype=np.bool_)
        back[0], before = True, 0
        while before < (before := int(back.sum())):
            back |= (back[self.steps] & (self.steps >= 0)).any(axis=1)
        return len(back) > 1 and bool(back.all())


class Projections:
    """Distances of some parts together, for positions of a puzzle (rows of `words`): projections
    have no more than so many `cases`, one for each of the states of their parts."""

    def __init__(
        self, parts: Sequence[Part], words: int, cases: int, seed: int, heed: Heed
    ) -> None:
        self.cases = cases
        self._places(parts, words)
        random = np.random.default_rng(seed)
        chosen: list[list[int]] = []
        while len(chosen) < PROJECTIONS:
            order = random.permutation(len(parts)).tolist()
            chosen += _cut(order, parts, min(cases, CASES))
        chosen = chosen[:MOST]
        width = max(map(len, chosen))
        self._members = np.full((len(chosen), width), -1, dtype=np.int64)
        self._times = np.zeros((len(chosen), width), dtype=np.int64)
        found = []
        for k, members in enumerate(chosen):
            sizes = np.array([len(parts[p].states) for p in members], dtype=np.int64)
            self._members[k, : len(members)] = members
            self._times[k, : len(members)] = np.cumprod([1, *sizes[:-1]])
            found.append(_distances([parts[p] for p in members], sizes, heed))
        self._begin = np.cumsum([0, *map(len, found)])[:-1].astype(np.int64)
        self._distance = np.concatenate(found)

    def _places(self, parts: Sequence[Part], words: int) -> None:
        """Tables by which the states of parts are found in rows of words."""
        own = [[w for w in range(words) if part.mask >> 64 * w & _WORD] for part in parts]
        most, slots = max(map(len, own)), 1 << (2 * max(len(p.states) for p in parts)).bit_length()
        self._word = np.zeros((len(parts), most), dtype=np.int64)
        self._mask = np.zeros((len(parts), most), dtype=np.uint64)
        self._first = np.cumsum([0, *(len(part.states) for part in parts)]).astype(np.int64)
        self._kept = np.zeros((int(self._first[-1]), most), dtype=np.uint64)
        self._numbers = np.full((len(parts), slots), -1, dtype=np.int32)
        for p, (part, places) in enumerate(zip(parts, own, strict=True)):
            self._word[p, : len(places)] = places
            self._mask[p, : len(places)] = [part.mask >> 64 * w & _WORD for w in places]
            kept = self._kept[self._first[p] : self._first[p + 1]]
            kept[:, : len(places)] = [[s >> 64 * w & _WORD for w in places] for s in part.states]
            hashing.refill(kept, len(kept), self._numbers[p])

    def worth(self, rows: Rows) -> NDArray[np.int64]:
        """The sum of the squares of all distances of each position (n,); the less the nearer."""
        worth = np.zeros(len(rows), dtype=np.int64)
        distances.add_squares(
            np.ascontiguousarray(rows), self._word, self._mask, self._kept, self._first,
            self._numbers, self._members, self._times, self._begin, self._distance, worth,
        )  # fmt: skip
        return worth


_WORD = (1 << 64) - 1


def _cut(order: Sequence[int], parts: Sequence[Part], most: int) -> list[list[int]]:
    """Parts in an order, in runs that have no more than so many cases."""
    runs: list[list[int]] = [[]]
    cases = 1
    for p in order:
        size = len(parts[p].states)
        if runs[-1] and cases * size > most:
            runs.append([])
            cases = 1
        runs[-1].append(p)
        cases *= size
    return runs


def _distances(parts: Sequence[Part], sizes: NDArray[np.int64], heed: Heed) -> NDArray[np.uint8]:
    """The distance of each case of some parts: the state of the first one counts once, that of the
    next one as often as the first has states, and so on."""
    moves = parts[0].steps.shape[1]
    steps = np.full((len(parts), int(sizes.max()), moves), -1, dtype=np.int32)
    found = np.full(int(sizes.prod()), distances.UNSEEN, dtype=np.uint8)
    for p, part in enumerate(parts):
        steps[p, : len(part.states)] = part.steps
    # Play begins where each part is in its first state.
    order = np.zeros(len(found), dtype=np.int32)
    found[0], done, count = distances.FAR, 0, 1
    while done < count:
        heed()
        done, count = distances.reach(steps, sizes, order, done, count, TOGETHER, found)
    right = np.ones(1, dtype=np.bool_)
    for part in parts:
        right = (part.right[:, None] & right).ravel()
    found[right & (found == distances.FAR)] = 0
    far, work = 0, 0
    while count and work < WORK and far < distances.FAR - 1:
        far += 1
        work += count * moves
        before, kept = count, 0
        # In pieces; those that are left of one are moved to those that are left before it.
        for begin in range(0, before, TOGETHER):
            heed()
            own = order[begin : min(before, begin + TOGETHER)]
            left = distances.come_nearer(steps, sizes, own, len(own), far, found)
            order[kept : kept + left] = own[:left].copy()
            kept += left
        count = kept
        if count == before:
            return found
    # What is farther than was looked is at least that far.
    found[found == distances.FAR] = far + 1
    return found


def find_parts(machine: Machine, start: int, goal: int, heed: Heed) -> list[Part]:
    """The parts of a puzzle of one role that tell something of ends with a goal: largest ones, of
    those that have few states when play begins at `start`, and come back to how they are then. What
    is said of a part is so whatever becomes of all else.

    Of a part that does not come back, such as a square that is filled, its states themselves tell
    as much as distances.
    """
    net = machine.net
    is_large = len(net.fluents) > FLUENTS or net.literals > LITERALS
    if is_large or not net.legal or not machine.coding.is_plain:
        return []
    known: list[_Steps] = []
    looked: list[int] = []
    work = 0
    for mask in sorted(set(_closed(net, heed)), key=lambda m: (-m.bit_count(), m)):
        heed()
        if work > SEARCH or any(mask & other == mask for other in looked):
            continue
        steps = _Steps(machine, mask, start & mask)
        is_whole = steps.run(heed)
        work += len(steps.targets) * len(net.legal) * net.literals
        if is_whole:
            looked.append(mask)
            known.append(steps)
    parts = _told(net, known, goal, heed)
    return [part for part in parts if part.comes_back and not part.right.all()]


def _closed(net: Net, heed: Heed) -> list[int]:
    """For each fluent all those that its later values depend on, as a mask."""
    told: dict[int, int] = {net.first_fluent + i: 1 << i for i in range(len(net.fluents))}
    loops = dict(net.recursive)
    for place, node in enumerate(sorted(net.cone(net.next))):
        if not place % TOGETHER:
            heed()
        if node < net.first_gate or node in told:
            continue
        stop = loops.get(node, node + 1)
        literals = (x for n in range(node, stop) for body in net.bodies(n) for x in body)
        mask = 0
        for x in literals:
            mask |= told.get(abs(x), 0)
        for n in range(node, stop):
            told[n] = mask
    masks = [told.get(abs(x), 0) | 1 << i for i, x in enumerate(net.next)]
    while True:
        wider = []
        for place, mask in enumerate(masks):
            if not place % LOOK:
                heed()
            more = mask
            for i in _bits(mask):
                more |= masks[i]
            wider.append(more)
        if wider == masks:
            return masks
        masks = wider


class _Steps:
    """What all moves do to some fluents, from how they are when play begins."""

    def __init__(self, machine: Machine, mask: int, start: int) -> None:
        self._machine, self.mask = machine, mask
        self._moves = np.arange(len(machine.net.legal), dtype=np.int32)
        self.states, self._numbers = [start], {start: 0}
        self.targets: list[list[int]] = []

    def run(self, heed: Heed) -> bool:
        """Whether these are all states, which they are not where there are too many."""
        machine, moves, states = self._machine, self._moves, self.states
        while len(self.targets) < len(states):
            heed()
            if len(states) > STATES or len(states) * len(moves) > STEPS:
                return False
            done = len(self.targets)
            own = machine.rows(states[done : done + max(1, TOGETHER // len(moves))])
            lanes = np.repeat(np.arange(len(own), dtype=np.int64), len(moves))
            joint = np.tile(moves, len(own))[:, None]
            reached = machine.states(machine.next(own, joint, lanes))
            for begin in range(0, len(reached), len(moves)):
                self.targets.append(list(map(self._number, reached[begin : begin + len(moves)])))
        return True

    def _number(self, state: int) -> int:
        number = self._numbers.setdefault(state & self.mask, len(self.states))
        if number == len(self.states):
            self.states.append(state & self.mask)
        return number


def _told(net: Net, known: Sequence[_Steps], goal: int, heed: Heed) -> list[Part]:
    """The parts that some fluents each are, with those of their states that legal moves lead to.

    What can be is worked out gate by gate, where all but the state of a part is open: for all
    states of all parts together, a bit each. Of gates in a loop nothing is told.
    """
    firsts = [0, *accumulate(len(steps.states) for steps in known)]
    every = (1 << firsts[-1]) - 1
    can: dict[int, int] = {TRUE: every, FALSE: 0}
    for first, steps in zip(firsts, known, strict=False):
        own = ((1 << len(steps.states)) - 1) << first
        for i in _bits(steps.mask):
            held = sum(1 << first + n for n, state in enumerate(steps.states) if state >> i & 1)
            node = net.first_fluent + i
            can[node] = can.get(node, every) & ~own | held
            can[-node] = can.get(-node, every) & ~held
    ends = [net.terminal, dict(net.goals[0]).get(goal, FALSE)]
    loops = {node for start, stop in net.recursive for node in range(start, stop)}
    for place, node in enumerate(sorted(net.cone([*net.legal, *ends]))):
        if not place % LOOK:
            heed()
        if node < net.first_gate or node in loops:
            continue
        holds, fails = 0, every
        for body in net.bodies(node):
            all_hold, some_fails = every, 0
            for x in body:
                all_hold &= can.get(x, every)
                some_fails |= can.get(-x, every)
            holds |= all_hold
            fails &= some_fails
        can[node], can[-node] = holds, fails
    over, pays = (can.get(x, every) for x in ends)
    parts = []
    for first, steps in zip(firsts, known, strict=False):
        heed()
        lanes = range(first, first + len(steps.states))
        moved = np.array(steps.targets, dtype=np.int32)
        for move, x in enumerate(net.legal):
            moved[[not can.get(x, every) >> n & 1 for n in lanes], move] = -1
        right = np.array([bool((over & pays) >> n & 1) for n in lanes])
        parts.append(Part(steps.mask, tuple(steps.states), moved, right).come_to())
    return parts


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]
