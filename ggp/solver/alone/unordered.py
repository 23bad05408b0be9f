"""Ways whose moves can be made in some order: puzzles in which places are filled one by one.

Not a play is asked for, but the state that it ends in, and a set of moves that explains how it
differs from the first: a plan of one step, in which all moves are made, in an order that is found
afterwards (Rintanen, Heljanko and Niemelä, "Planning as satisfiability: parallel plans and
algorithms for plan search", Artificial Intelligence 170, 2006). So the size of what a SAT solver is
asked does not grow with the length of the play, and orders that come to the same are not told
apart. What is asked says less than the rules: the order is made move by move, by the rules
themselves, and where there is none the solver is asked for another set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.boards.boards import Boards, NotApplicable
from ggp.analysis.questions.sat import CircuitSolver
from ggp.circuits.circuit import FALSE, TRUE
from ggp.errors import GoalError
from ggp.game import State
from ggp.kif import Term

TRIES = 20
"""Sets of moves for which an order is looked for, for each question."""

PIECE = 500
"""Conflicts between two looks at the account."""

MAX_COUNTED = 4_000
"""Moves up to which it is looked at which of them exclude each other."""

MAX_ARGUMENTS = 6
"""Of moves, up to which these are told apart by each of them."""

MAX_GATES = 2_000_000
"""Gates that say where moves are legal, of all moves together; and so many changes that they make,
and literals that count them."""

OFTEN = 64
"""Moves that are written out between two looks at the account."""

MAX_TICKS = 1_000
"""Moves up to which what passes with each move is followed."""

T = TypeVar("T")


@dataclass(frozen=True)
class _Filling:
    """A move that sets fluents (to true or false), whatever the state: those that it `reads` say
    by the literal `rule` whether it is legal."""

    move: int
    rule: int
    reads: frozenset[int]
    sets: Mapping[int, bool]


class UnorderedPlanner:
    """Sets of moves of a game of one role from a state that is not terminal.

    `spend` is called with the work that each question took, and ends all by raising. Raises
    `NotApplicable` where no moves are of the kind that this is about: such as set fluents to
    constants, beside what passes with each move by itself (a counter of steps).
    """

    def __init__(self, boards: Boards, state: State, spend: Callable[[int], None]) -> None:
        self._boards, self._state, self._spend = boards, state, spend
        self._side = boards.sides[0]
        self._fluent_of = {literal >> 1: f for f, literal in boards.inputs.items()}
        self._circuit = boards.builder.circuit((), ())
        self._clock, fillings = self._fillings()
        self._solver = CircuitSolver(boards.builder, spend)
        self._asked: set[int] = set()
        try:
            self._chosen = {filling.move: self._solver.new() for filling in fillings}
            self._setting = self._explain(fillings)
            self._require_legal(fillings)
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
        better = builder.disj_all(x for goal, x in side.goals[0] if goal > above)
        wanted = builder.conj(side.terminal, better)
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
            found, left = self._ordered(moves, above)
            if found is not None:
                return found
            # What is left over cannot be made after the others alone.
            others = [x for x in self._chosen.values() if x not in true]
            solver.require(*(-self._chosen[move] for move in left), *others)
        return None

    def _ordered(self, moves: list[int], above: int) -> tuple[list[int] | None, list[int]]:
        """The moves in an order in which they come to such an end, or None and what is left over
        where no more can be made."""
        state, made, left = self._state, list[int](), list(moves)
        role = state.game.players[0]
        while True:
            self._spend(1)
            legal = set(state.legal_indices()[0])
            for move in left:
                after = state.after([move]) if move in legal else state
                if move in legal and not after.terminal:
                    break
                if move in legal and _goal(after, role) > above:
                    return [*made, move], []
            else:
                return None, left
            made.append(move)
            left.remove(move)
            state = after

    # What the moves do

    def _fillings(self) -> tuple[dict[int, int], list[_Filling]]:
        """What passes with each move by itself (a literal for each fluent), and the moves that do
        just that and set fluents."""
        inputs = self._boards.inputs
        if self._boards.size > MAX_GATES:
            raise NotApplicable("moves change too much")
        changes = [option.after(inputs) for option in self._side.options]
        passing = [
            tuple(sorted((f, x) for f, x in own.items() if x not in (FALSE, TRUE)))
            for own in changes
        ]
        if not passing:
            raise NotApplicable("no move is ever legal")
        most, _ = Counter(passing).most_common(1)[0]
        alike = [own for own, rest in zip(changes, passing, strict=True) if rest == most]
        clock = dict(most)
        for f in self._reads(clock.values()) - clock.keys():
            # What the clock reads, and every move sets, is a part of it: its first tick.
            if len({own.get(f) for own in alike}) > 1 or f not in alike[0]:
                raise NotApplicable("what moves do depends on the state")
            clock[f] = alike[0][f]
        found, gates = [], 0
        for option, own, rest in self._written(
            zip(self._side.options, changes, passing, strict=True)
        ):
            reads = self._reads([option.rule])
            if rest == most and not reads & clock.keys():
                sets = {f: x == TRUE for f, x in own.items() if f not in clock}
                found.append(_Filling(option.move, option.rule, reads, sets))
                gates += len(self._circuit.cone([option.rule]))
            if gates > MAX_GATES:
                raise NotApplicable("moves depend on too much")
        if not found:
            raise NotApplicable("when moves are legal is a question of time")
        return clock, found

    def _written(self, moves: Iterable[T]) -> Iterator[T]:
        """Some moves, with a look at the account now and then."""
        for number, move in enumerate(moves):
            if number % OFTEN == 0:
                self._spend(1)
            yield move

    def _reads(self, literals: Iterable[int]) -> frozenset[int]:
        """The fluents that some literals depend on."""
        of = self._fluent_of
        return frozenset(of[node] for node in self._circuit.cone(literals) if node in of)

    def _is_first(self, fluent: int, holds: bool) -> bool:
        """Whether a fluent is in the first state what it is said to be."""
        return bool(self._state.bits >> fluent & 1) == holds

    def _last(self, fluent: int) -> int:
        """The solver's literal that a fluent holds at the end."""
        return self._solver.literal(self._boards.inputs[fluent])

    def _explain(self, fillings: list[_Filling]) -> dict[int, list[int]]:
        """A fluent is at the end what moves set it to, and else what it was; for each the moves
        that change it, by the solver's literals."""
        solver = self._solver
        setting: dict[int, list[_Filling]] = {f: [] for f in self._boards.inputs}
        found: dict[int, list[int]] = {}
        for filling in self._written(fillings):
            chosen = self._chosen[filling.move]
            for f, holds in filling.sets.items():
                solver.require(-chosen, self._last(f) if holds else -self._last(f))
                if not self._is_first(f, holds):
                    setting[f].append(filling)
        for f, own in setting.items():
            if f in self._clock:
                continue
            found[f] = made = [self._chosen[filling.move] for filling in own]
            solver.require(self._last(f) if self._is_first(f, True) else -self._last(f), *made)
            if any(f in filling.reads for filling in own):
                # Whoever comes second finds it changed.
                solver.at_most_one(made)
        return found

    def _require_legal(self, fillings: list[_Filling]) -> None:
        """A move is legal at the end, but for what it sets itself.

        So it is at any time where rules only forbid what is there, or ask for it.
        """
        inputs = self._boards.inputs
        for filling in self._written(fillings):
            before = {
                inputs[f] >> 1: FALSE if holds else TRUE
                for f, holds in filling.sets.items()
                if not self._is_first(f, holds)
            }
            legal = self._with(filling.rule, before)
            self._solver.require(-self._chosen[filling.move], self._solver.literal(legal))

    def _with(self, literal: int, values: Mapping[int, int]) -> int:
        """The literal where some inputs (nodes) are constants: a cofactor."""
        builder = self._boards.builder
        known: dict[int, int] = {0: FALSE}
        for node in sorted(self._circuit.cone([literal])):
            a, b = builder.first[node], builder.second[node]
            if a == b:
                known[node] = FALSE if node == 0 else values.get(node, 2 * node)
                continue
            x, y = known[a >> 1] ^ (a & 1), known[b >> 1] ^ (b & 1)
            known[node] = builder.conj(x, y) if a < b else builder.xor(x, y)
        return known[literal >> 1] ^ (literal & 1)

    # What passes by itself

    def _keep_time(self) -> list[int]:
        """What passes by itself has at the end passed as often as moves were made; see `_count`."""
        if not self._clock:
            return []
        inputs, solver = self._boards.inputs, self._solver
        now = {f: self._is_first(f, True) for f in self._clock}
        ticks = [now]
        most = min(MAX_TICKS, len(self._chosen))
        while len(ticks) <= most and ticks[-2:] != [now, now]:
            values = {inputs[f] >> 1: TRUE if holds else FALSE for f, holds in now.items()}
            now = {f: self._with(x, values) == TRUE for f, x in self._clock.items()}
            ticks.append(now)
        if len(ticks) * len(self._chosen) > MAX_GATES:
            raise NotApplicable("too much to be counted")
        counted = self._count(len(ticks) - 1, is_all=ticks[-2:] != [now, now])
        for number, tick in enumerate(ticks):
            at_least = counted[number - 1] if number else None
            more = counted[number] if number < len(counted) else None
            not_here = [] if at_least is None else [-at_least]
            not_here += [] if more is None else [more]
            for f, holds in tick.items():
                solver.require(*not_here, self._last(f) if holds else -self._last(f))
        return counted

    def _count(self, most: int, *, is_all: bool) -> list[int]:
        """For each number from 1 to `most` the solver's literal that so many moves are chosen at
        the least; with `is_all` no more are (sequential counter: Sinz, CP 2005, both ways)."""
        solver = self._solver
        before: list[int] = []
        for x in self._written(self._chosen.values()):
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
        some arguments, as moves into a row do, or those with a number.
        """
        solver = self._solver
        if len(self._chosen) > MAX_COUNTED:
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
