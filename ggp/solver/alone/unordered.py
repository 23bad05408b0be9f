"""Ways whose moves can be made in some order: puzzles in which places are filled one by one.

Not a play is asked for, but the state that it ends in, and a set of moves that explains how it
differs from the first: a plan of one step, in which all moves are made, in an order that is found
afterwards (Rintanen, Heljanko and Niemelä, "Planning as satisfiability: parallel plans and
algorithms for plan search", Artificial Intelligence 170, 2006). So the size of what a SAT solver is
asked does not grow with the length of the play, and orders that come to the same are not told
apart. What is asked says less than the rules: the order is made move by move, by the rules
themselves, and where none of a few is one the solver is asked for another set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.boards.boards import Boards, NotApplicable
from ggp.analysis.questions.sat import CircuitSolver
from ggp.circuits.circuit import FALSE
from ggp.errors import GoalError
from ggp.game import State
from ggp.kif import Term
from ggp.solver.alone.fillings import Filling, Fillings

TRIES, ORDERS = 20, 4
"""Sets of moves for which an order is looked for, for each question; and orders of each."""

PIECE = 500
"""Conflicts between two looks at the account."""

MAX_TICKS = 1_000
"""Moves up to which what passes with each move is followed."""

MAX_COUNTED = 500_000
"""Literals that count moves."""

MAX_COMPARED = 4_000
"""Moves up to which it is looked at which of them exclude each other."""

MAX_ARGUMENTS = 6
"""Of moves, up to which these are told apart by each of them."""


class UnorderedPlanner:
    """Sets of moves of a game of one role from a state that is not terminal.

    `spend` is called with the work that each question took, and ends all by raising. Raises
    `NotApplicable` where no moves are of the kind that this is about: such as set fluents to
    constants, beside what passes with each move by itself (a counter of steps).
    """

    def __init__(self, boards: Boards, state: State, spend: Callable[[int], None]) -> None:
        self._boards, self._state, self._spend = boards, state, spend
        self._side = boards.sides[0]
        self._fillings = Fillings(boards, spend)
        self._solver = CircuitSolver(boards.builder, spend)
        self._asked: set[int] = set()
        try:
            self._chosen = {filling.move: self._solver.new() for filling in self._fillings.moves}
            self._idle: int | None = None
            self._waiting: list[int] = []
            """That the idle move is made once more, and again."""
            self._setting = self._explain()
            self._require_legal()
            self._counted = self._keep_time()
        except BaseException:
            self._solver.close()
            raise

    def close(self) -> None:
        """Let go of the solver."""
        self._solver.close()

    def way(self, above: int, conflicts: int) -> list[int] | None:
        """The moves (indices into `Net.legal`) of a play to an end with a goal above another; None
        where none was found, which says nothing about whether there is one.

        Raises `TooHard` where it takes more conflicts.
        """
        side, builder, solver = self._side, self._boards.builder, self._solver
        goals = [x for _, x in side.goals[0]]
        better = builder.disj_all(x for goal, x in side.goals[0] if goal > above)
        wanted = builder.conj_all([side.terminal, better, builder.at_least_two(goals) ^ 1])
        if wanted == FALSE:
            return None
        assumed = [solver.literal(wanted)]
        if assumed[0] not in self._asked:
            self._asked.add(assumed[0])
            self._count_on(assumed[0])
        for _ in range(TRIES):
            if not solver.is_possible(assumed, conflicts, PIECE):
                return None
            true = {x for x in solver.model() if x > 0}
            moves = [move for move, x in self._chosen.items() if x in true]
            if self._idle is not None:
                moves += [self._idle] * len(true.intersection(self._waiting))
            for _ in range(ORDERS):
                found, left = self._ordered(moves, above)
                if found is not None:
                    return found
                # What was left over goes first the next time.
                others = Counter(moves) - Counter(left)
                again = [*left, *others.elements()]
                if again == moves or not left:
                    break
                moves = again
            # Another set, or one in which more moves help those that were left over.
            more = [x for x in (*self._chosen.values(), *self._waiting) if x not in true]
            solver.require(*(-self._chosen[move] for move in left or moves), *more)
        return None

    def _ordered(self, moves: list[int], above: int) -> tuple[list[int] | None, list[int]]:
        """The moves in an order in which they come to such an end, the first that is legal always
        being made; or None, and what is left over where no more can be made."""
        state, made, left = self._state, list[int](), list(moves)
        role = state.game.players[0]
        while True:
            legal = set(state.legal_indices()[0])
            for move in left:
                if move not in legal:
                    continue
                self._spend(1)
                after = state.after([move])
                if not after.terminal:
                    break
                if _goal(after, role) > above:
                    return [*made, move], []
            else:
                return None, left
            made.append(move)
            left.remove(move)
            state = after

    # What the moves do

    def _is_first(self, fluent: int, holds: bool) -> bool:
        """Whether a fluent is in the first state what it is said to be."""
        return bool(self._state.bits >> fluent & 1) == holds

    def _last(self, fluent: int) -> int:
        """The solver's literal that a fluent holds at the end."""
        return self._solver.literal(self._boards.inputs[fluent])

    def _explain(self) -> dict[int, list[int]]:
        """A fluent is at the end what moves set it to, and else what it was; for each the moves
        that change it, by the solver's literals."""
        solver = self._solver
        setting: dict[int, list[Filling]] = {f: [] for f in self._boards.inputs}
        found: dict[int, list[int]] = {}
        for filling in self._fillings.often(self._fillings.moves):
            chosen = self._chosen[filling.move]
            for f, holds in filling.sets.items():
                solver.require(-chosen, self._last(f) if holds else -self._last(f))
                if not self._is_first(f, holds):
                    setting[f].append(filling)
        for f, own in self._fillings.often(setting.items()):
            if f in self._fillings.clock:
                continue
            found[f] = made = [self._chosen[filling.move] for filling in own]
            solver.require(self._last(f) if self._is_first(f, True) else -self._last(f), *made)
            if any(f in filling.reads for filling in own):
                # Whoever comes second finds it changed.
                solver.at_most_one(made)
        return found

    def _require_legal(self) -> None:
        """A move is legal at the end, but for what it sets itself.

        So it is at any time where rules only forbid what is there, or ask for it.
        """
        for filling in self._fillings.often(self._fillings.moves):
            before = {
                f: not holds for f, holds in filling.sets.items() if self._is_first(f, not holds)
            }
            legal = self._fillings.cofactor(filling.rule, before)
            self._solver.require(-self._chosen[filling.move], self._solver.literal(legal))

    # What passes by itself

    def _keep_time(self) -> list[int]:
        """What passes by itself has at the end passed as often as moves were made; see `_count`."""
        if not self._fillings.clock:
            return []
        ticks, is_all = self._ticks()
        if self._idle is not None:
            times = [self._chosen[self._idle], *(self._solver.new() for _ in ticks[2:])]
            for once, more in pairwise(times):
                self._solver.require(-more, once)
            self._waiting = times[1:]
        counted = self._count(len(ticks) - 1, is_all=is_all)
        for number, tick in enumerate(ticks):
            not_here = [-x for x in counted[number - 1 : number] if number]
            not_here += counted[number : number + 1]
            for f, holds in tick.items():
                self._solver.require(*not_here, self._last(f) if holds else -self._last(f))
        return counted

    def _ticks(self) -> tuple[list[dict[int, bool]], bool]:
        """As `Fillings.ticks`; a move that changes nothing is `_idle`, if that is not too much."""
        fillings, bits = self._fillings, self._state.bits
        moves = fillings.moves
        idle = [m.move for m in moves if all(self._is_first(f, x) for f, x in m.sets.items())]
        if idle:
            with suppress(NotApplicable):
                told = fillings.ticks(bits, MAX_TICKS)
                if len(told[0]) * (len(moves) + len(told[0])) <= MAX_COUNTED:
                    self._idle = idle[0]
                    return told
        told = fillings.ticks(bits, min(MAX_TICKS, len(moves)))
        if len(told[0]) * len(moves) > MAX_COUNTED:
            raise NotApplicable("too much to be counted")
        return told

    def _count(self, most: int, *, is_all: bool) -> list[int]:
        """For each number from 1 to `most` the solver's literal that so many moves are chosen at
        the least; with `is_all` no more are (sequential counter: Sinz, CP 2005, both ways)."""
        solver = self._solver
        before: list[int] = []
        for x in self._fillings.often([*self._chosen.values(), *self._waiting]):
            now = [solver.new() for _ in range(min(len(before) + 1, most))]
            for j, own in enumerate(now):
                held = before[j] if j < len(before) else None
                below = before[j - 1] if j else None
                # own = held or (x and below)
                if held is not None:
                    solver.require(-held, own)
                solver.require(*([] if below is None else [-below]), -x, own)
                kept = [] if held is None else [held]
                solver.require(-own, x, *kept)
                if below is not None:
                    solver.require(-own, below, *kept)
            if is_all and len(before) == most:
                solver.require(-x, -before[-1])
            before = now
        return before

    # How many moves there are

    def _count_on(self, wanted: int) -> None:
        """Tell the solver what it does not find by itself, which cannot count (pigeonholes).

        If as many moves are made at the least as there are parts that all moves fall into, of each
        of which one is made at the most, one of each is made. The parts are moves that agree in
        some arguments, as moves into a row do, or those with a number. Not where one may wait.
        """
        solver = self._solver
        if len(self._chosen) > MAX_COMPARED or self._waiting:
            return
        changed = {
            f: -self._last(f) if self._is_first(f, True) else self._last(f) for f in self._setting
        }
        implied = solver.implied([wanted], {*changed.values(), *self._counted})
        if implied is None:
            return
        least, grouped = 0, set[int]()
        for f, made in self._setting.items():
            if changed[f] in implied and grouped.isdisjoint(made):
                least += 1
                grouped.update(made)
        least = max(least, sum(x in implied for x in self._counted))
        if not least:
            return
        literals, excluded = self._excluded(wanted)
        move_of = {x: move for move, x in self._chosen.items()}
        terms = [self._state.game.evaluator.move(0, move_of[x]) for x in literals]
        for parts in _alike(terms):
            self._spend(1)
            if len(parts) <= least and all(excluded[np.ix_(own, own)].all() for own in parts):
                # With fewer parts than moves there is no such end.
                for own in parts if len(parts) == least else [[]]:
                    solver.require(-wanted, *(literals[i] for i in own))

    def _excluded(self, wanted: int) -> tuple[list[int], NDArray[np.bool_]]:
        """Moves that may be made, and which two of them are one or never both made, (n, n): as far
        as unit propagation tells."""
        not_made = {-x for x in self._chosen.values()}
        after: dict[int, set[int]] = {}
        for x in self._chosen.values():
            implied = self._solver.implied([wanted, x], not_made)
            if implied is not None:
                after[x] = implied
            self._spend(1)
        place = {x: i for i, x in enumerate(after)}
        found = np.zeros((len(place), len(place)), dtype=np.bool_)
        for x, i in place.items():
            found[i, [place[-y] for y in after[x] if -y in place]] = True
        np.fill_diagonal(found, True)
        return list(place), found | found.T


def _alike(terms: Sequence[Term]) -> Iterator[list[list[int]]]:
    """Partitions of moves by what they are called and by some of their arguments."""
    widest = max((len(term.args) for term in terms), default=0)
    for size in range(1, widest + 1 if widest <= MAX_ARGUMENTS else 1):
        for positions in combinations(range(widest), size):
            found: dict[tuple[object, ...], list[int]] = {}
            for i, term in enumerate(terms):
                key = [term.args[p] if p < len(term.args) else None for p in positions]
                found.setdefault((term.name, *key), []).append(i)
            yield list(found.values())


def _goal(state: State, role: str) -> int:
    try:
        return state.goals[role]
    except GoalError:
        return -1
