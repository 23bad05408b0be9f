"""That no play ever reaches some states: sets of states that no move leads into, by IC3.

From states that must not be reached the search goes backwards. For each state that it comes upon it
finds a *cube*, the states that agree with it in a few fluents, that play of so many moves never
enters. When no move at all leads from outside all cubes into one of them, they are an invariant
(Bradley, VMCAI 2011; Eén, Mishchenko and Brayton, FMCAD 2011). Whoever uses it asks another solver
once more.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.questions.sat import CircuitSolver, Spend, TooHard
from ggp.analysis.states.guesses import Cube
from ggp.circuits.circuit import Builder
from ggp.ground import Group

MAX_DEPTH = 1
MAX_EXCLUDED = 3
MAX_JOINED = 3
"""How far, and how often, one cube's generalization excludes others and gives up literals."""


@dataclass(frozen=True)
class LegalStep:
    """A legal step of play as a circuit.

    `next` are the fluents after `moves` are made on `fluents`, legal where all of `legal` hold.
    `groups`, of fluents and moves by their places in the two lists together, and the literals
    `invariants` hold in every state of play.
    """

    builder: Builder
    fluents: Sequence[int]
    moves: Sequence[int]
    next: Sequence[int]
    legal: Sequence[int]
    groups: Sequence[Group]
    invariants: Sequence[int]
    guesses: Sequence[Cube] = ()


@dataclass(order=True)
class _Obligation:
    level: int
    number: int
    cube: Cube = field(compare=False)


def outside_of(builder: Builder, cubes: Iterable[Cube], fluents: Sequence[int]) -> int:
    """A literal of the circuit that holds of states in none of some cubes."""
    return builder.conj_all(
        builder.conj_all(fluents[abs(x) - 1] ^ (x < 0) for x in sorted(cube, key=abs)) ^ 1
        for cube in cubes
    )


class Reachability:
    """Play by steps from the first of some states, all of which play reaches: a row for each, with
    whether each fluent holds.

    What contains one of them is no cube: so much that play of a few moves never enters is entered
    later, and states of random plays tell most of it.
    """

    def __init__(self, step: LegalStep, reached: NDArray[np.bool_], spend: Spend) -> None:
        self._step = step
        self._questions = CircuitSolver(step.builder, spend)
        questions = self._questions
        self._now = [questions.literal(x) for x in step.fluents]
        moves = [questions.literal(x) for x in step.moves]
        self._next = [questions.literal(x) for x in step.next]
        places = [*self._now, *moves]
        for group in step.groups:
            own = [places[i] for i in group.fluents]
            questions.at_most_one(own)
            if group.exact:
                questions.require(*own)
        for literal in step.invariants:
            questions.require(questions.literal(literal))
        self._moves = moves
        self._legal = [questions.literal(x) for x in step.legal]
        self._go = questions.new()
        for x in self._legal:
            questions.require(-self._go, x)
        self._always = questions.new()
        self._levels = [questions.new(), questions.new()]
        for f, now in enumerate(self._now):
            questions.require(-self._levels[0], now if reached[0, f] else -now)
        self._all = (1 << len(reached)) - 1
        columns = np.packbits(reached, axis=0, bitorder="little")
        self._with = [int.from_bytes(own.tobytes(), "little") for own in columns.T]
        """For each fluent the reached states in which it holds, as bits."""
        self._blocked: list[set[Cube]] = [set(), set()]
        self._exact = {f for g in step.groups if g.exact for f in g.fluents}
        self._numbers = itertools.count()

    def close(self) -> None:
        """Let go of the solver."""
        self._questions.close()

    def invariant(self, bad: int, bad_next: int) -> tuple[list[Cube], list[Cube]] | None:
        """Cubes that no play reaches, and without which no play reaches a bad state: those that
        it takes, and all that were found.

        `bad` and `bad_next`: literals of the circuit that hold where a state and the one after it
        are bad. By induction over both: no legal move leads from a state that is not bad, outside
        all cubes, to a bad one or into a cube. None where there are none or none were found.
        """
        questions = self._questions
        now, after = questions.literal(bad), questions.literal(bad_next)
        try:
            if questions.is_possible([self._levels[0], now]):
                return None
            questions.require(-now)
            self._guessed = self._kept(self._step.guesses)
            found = self._invariant(after)
            return None if found is None else (self._needed(found, after), found)
        except TooHard:
            return None

    def _kept(self, guesses: Iterable[Cube]) -> list[Cube]:
        """Those of some cubes that no move leads into from outside all of them; excluded then.

        The largest such set (Houdini; Flanagan and Leino, FME 2001).
        """
        questions = self._questions
        outside: dict[int, Cube] = {}
        into: dict[int, int] = {}
        after: dict[int, list[int]] = {}
        for cube in guesses:
            own = self._assumed(cube, self._now)
            if not self._reached(cube) and questions.is_possible(list(own)):
                chosen = self._excluded(cube)
                outside[chosen] = cube
                into[chosen] = questions.new()
                after[chosen] = list(self._assumed(cube, self._next))
                for x in after[chosen]:
                    questions.require(-into[chosen], x)
        while outside:
            some = questions.new()
            questions.require(-some, *(into[chosen] for chosen in outside))
            possible = questions.is_possible([*outside, self._go, some])
            questions.require(-some)
            if not possible:
                break
            holds = set(questions.model())
            for chosen in [chosen for chosen in outside if holds.issuperset(after[chosen])]:
                del outside[chosen]
                questions.require(-chosen)
        for chosen in outside:
            questions.require(-self._always, chosen)
        return list(outside.values())

    def _invariant(self, bad: int) -> list[Cube] | None:
        questions = self._questions
        while True:
            top = len(self._levels) - 1
            while questions.is_possible([*self._frame(top), self._go, bad]):
                cube = self._before(questions.model(), [bad])
                if not self._block(cube, top):
                    return None
            self._levels.append(questions.new())
            self._blocked.append(set())
            for level in range(1, top + 1):
                for cube in sorted(self._blocked[level], key=len):
                    if cube in self._blocked[level] and not self._follows(cube, level):
                        self._add(cube, level + 1)
                if not self._blocked[level]:
                    cubes = [cube for known in self._blocked[level + 1 :] for cube in known]
                    return sorted([*cubes, *self._guessed], key=sorted)

    def _needed(self, cubes: Sequence[Cube], bad: int) -> list[Cube]:
        """Those of an invariant's cubes that it takes to exclude what is bad, and each other."""
        questions = self._questions
        outside = {self._excluded(cube): cube for cube in cubes}
        needed: dict[Cube, None] = {}
        todo: list[list[int]] = [[self._go, bad]]
        while todo:
            if questions.is_possible([*outside, *todo.pop()]):
                raise TooHard
            for chosen in sorted(questions.core() & outside.keys()):
                if outside[chosen] not in needed:
                    needed[outside[chosen]] = None
                    todo.append([self._go, *self._assumed(outside[chosen], self._next)])
        return list(needed)

    def _frame(self, level: int) -> list[int]:
        """What to assume of states that so many moves may reach: that they are in no cube that is
        kept out for ever, nor in one that so many moves do not enter."""
        return [self._always, *(self._levels[level:] if level else self._levels[:1])]

    def _state(self, model: Sequence[int]) -> list[int]:
        """The fluents of a model, those that hold first."""
        holds = [model[abs(x) - 1] == x for x in self._now]
        return [f + 1 for f, h in enumerate(holds) if h] + [
            -(f + 1) for f, h in enumerate(holds) if not h
        ]

    def _assumed(self, cube: Iterable[int], side: Sequence[int]) -> dict[int, int]:
        """The solver's literals of a cube, each with what it stands for."""
        return {side[abs(x) - 1] * (1 if x > 0 else -1): x for x in cube}

    def _lifted(self, state: Sequence[int], others: Sequence[int]) -> Cube:
        """What of a state suffices for `others` to be impossible with it."""
        # Where just one fluent of a group holds, the others need not be told.
        short = [x for x in state if x > 0 or -x - 1 not in self._exact]
        for tried in (short, state):
            assumed = self._assumed(tried, self._now)
            if not self._questions.is_possible([*assumed, *others]):
                core = self._questions.core()
                return frozenset(assumed[x] for x in core if x in assumed)
        raise TooHard

    def _excluded(self, cube: Iterable[int]) -> int:
        """A new variable under which a state is not in a cube."""
        chosen = self._questions.new()
        self._questions.require(-chosen, *(-x for x in self._assumed(cube, self._now)))
        return chosen

    def _reached(self, cube: Iterable[int]) -> int:
        """The states that are known to be reached and are in a cube, as bits."""
        found = self._all
        for x in cube:
            found &= self._with[x - 1] if x > 0 else ~self._with[-x - 1]
        return found

    def _follows(self, cube: Cube, level: int) -> bool:
        """Whether a move may lead from a frame, and not from the cube, into the cube."""
        after = self._assumed(cube, self._next)
        outside = self._excluded(cube)
        asked = [*self._frame(level), self._go, outside, *after]
        found = self._questions.is_possible(asked)
        if found:
            self._found = self._questions.model()
        else:
            core = self._questions.core()
            self._core = frozenset(after[x] for x in core if x in after)
        self._questions.require(-outside)
        return found

    def _before(self, model: Sequence[int], into: Iterable[int]) -> Cube:
        """States from which the move in a model is legal and leads to where all of `into` hold,
        the one in the model among them."""
        questions = self._questions
        made = [x if model[abs(x) - 1] == x else -x for x in self._moves]
        wrong = questions.new()
        questions.require(-wrong, *(-x for x in (*self._legal, *into)))
        lifted = self._lifted(self._state(model), [*made, wrong])
        questions.require(-wrong)
        return lifted

    def _reduced(self, cube: Cube, core: Cube) -> Cube:
        """The part of a cube in a core, with enough more that no reached state is in it."""
        left = self._reached(core)
        while left:
            more = min(sorted(cube - core), key=lambda x: (left & self._reached([x])).bit_count())
            core |= {more}
            left &= self._reached([more])
        return core

    def _block(self, cube: Cube, top: int) -> bool:
        """Exclude a cube from all frames up to `top`; False if play reaches it."""
        queue = [_Obligation(top, next(self._numbers), cube)]
        while queue:
            now = queue[0]
            cube = now.cube
            if now.level == 0 or self._reached(cube):
                return False
            if any(known <= cube for level in self._blocked[now.level :] for known in level):
                heapq.heappop(queue)
                continue
            if self._follows(cube, now.level - 1):
                before = self._before(self._found, self._assumed(cube, self._next))
                heapq.heappush(queue, _Obligation(now.level - 1, next(self._numbers), before))
                continue
            level = now.level
            cube = self._general(self._reduced(cube, self._core), level - 1)
            while level < top and not self._follows(cube, level):
                level += 1
            self._add(cube, level)
            heapq.heappop(queue)
            if level < top:
                heapq.heappush(queue, _Obligation(level + 1, next(self._numbers), now.cube))
        return True

    def _general(self, cube: Cube, level: int, depth: int = 0) -> Cube:
        """A cube with as few literals as will do, of those that no move from a frame leads into."""
        for x in sorted(cube, key=lambda x: (x > 0, abs(x))):
            if x in cube and len(cube) > 1:
                cube = self._down(cube - {x}, level, depth) or cube
        return cube

    def _down(self, cube: Cube, level: int, depth: int) -> Cube | None:
        """A part of a cube that no move from a frame leads into, or None.

        Where a move does, from a state that can itself be excluded from the frame, that is done
        first (Hassan, Bradley and Somenzi, FMCAD 2013); otherwise what that state lacks goes.
        """
        excluded = joined = 0
        try:
            while cube and not self._reached(cube):
                if not self._follows(cube, level):
                    return self._reduced(cube, self._core)
                model = self._found
                before = self._before(model, self._assumed(cube, self._next))
                if (
                    depth < MAX_DEPTH
                    and excluded < MAX_EXCLUDED
                    and level > 0
                    and not self._reached(before)
                    and not self._follows(before, level - 1)
                ):
                    excluded += 1
                    found, up = self._reduced(before, self._core), level
                    while up < len(self._levels) - 1 and not self._follows(found, up):
                        up += 1
                    self._add(self._general(found, up - 1, depth + 1), up)
                elif joined < MAX_JOINED:
                    joined += 1
                    excluded = 0
                    now = self._assumed(cube, self._now)
                    cube = frozenset(x for own, x in now.items() if model[abs(own) - 1] == own)
                else:
                    return None
        except TooHard:
            pass
        return None

    def _add(self, cube: Cube, level: int) -> None:
        """Exclude a cube from the frames up to a level, in place of those that it contains."""
        for known in self._blocked[1 : level + 1]:
            known -= {other for other in known if cube <= other}
        self._blocked[level].add(cube)
        negated = (-x for x in self._assumed(cube, self._now))
        self._questions.require(-self._levels[level], *negated)
