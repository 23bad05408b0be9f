"""Ways to the end for one role that plays alone, as questions to a SAT solver.

The rules of a state and of the next one are written out for one step after the other, from the
state that play begins with, which is known, so that much of it is constant; whether there is a play
of so many moves with such a goal is one question (Kautz and Selman, "Planning as satisfiability",
ECAI 1992; for games of one player, by answer sets: Thielscher, ICLP 2009).
"""

from __future__ import annotations

from collections.abc import Callable

from ggp.analysis.questions.sat import CircuitSolver
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.circuits.lowering import Lowering
from ggp.game import Game, State

PIECE = 500
"""Conflicts between two looks at the account."""


class Planner:
    """All plays of a game of one role from a state that is not terminal, step by step.

    `spend` is called with the work that each question took (a thousand propagations are one), and
    ends all by raising. `last`: the number of moves after which every play is over, once that many
    steps are written out, else None.
    """

    def __init__(self, game: Game, state: State, spend: Callable[[int], None]) -> None:
        self.last: int | None = None
        self._net = game.net
        self._builder = Builder()
        self._solver = CircuitSolver(self._builder, spend)
        bits = state.bits
        self._fluents = [TRUE if bits >> i & 1 else FALSE for i in range(len(self._net.fluents))]
        self._moves: list[dict[int, int]] = []
        """For each step the solver's literals of the moves that are legal in some play."""
        self._going: list[int] = []
        """For each step the solver's literal that assumes that play goes on there."""
        self._ends: list[tuple[int, dict[int, int]]] = []
        """For each number of moves the circuit's literals: play is over, and with which goal."""
        self._refuted: dict[int, int] = {}
        """For a number of moves the goal above which none is had by just so many."""
        self._look()

    @property
    def gates(self) -> int:
        """Of the circuit that is written out."""
        return len(self._builder)

    @property
    def steps(self) -> int:
        """Moves that are written out."""
        return len(self._moves)

    def close(self) -> None:
        """Let go of the solver."""
        self._solver.close()

    def step(self) -> None:
        """Write out one more move; there is to be one (`last`)."""
        solver, builder, net = self._solver, self._builder, self._net
        over, _ = self._ends[-1]
        going = solver.new()
        moves = [builder.input() if x != FALSE else FALSE for x in self._legal]
        own = {i: solver.literal(x) for i, x in enumerate(moves) if x != FALSE}
        for i, literal in own.items():
            solver.require(-literal, solver.literal(self._legal[i]))
        # Asked about a shorter play the solver is free to make no move here.
        solver.require(-going, -solver.literal(over))
        solver.require(-going, *own.values())
        solver.at_most_one(list(own.values()))
        self._going.append(going)
        self._moves.append(own)
        after = Lowering(net, builder, self._fluents, moves, is_unrolled=True)
        self._fluents = after.literals(net.next)
        self._look()

    def _look(self) -> None:
        """Write out what is said of the states after the moves so far."""
        net = self._net
        here = Lowering(net, self._builder, self._fluents, is_unrolled=True)
        goals = net.goals[0]
        over, *told = here.literals([net.terminal, *(literal for _, literal in goals)])
        values = {value: literal for (value, _), literal in zip(goals, told, strict=True)}
        self._ends.append((over, values))
        self._legal = [] if over == TRUE else here.literals(net.legal)
        if over == TRUE:
            self.last = self.steps

    def is_refuted(self, length: int, above: int) -> bool:
        """Whether it is known already that no play of so many moves has a goal above another."""
        return self._refuted.get(length, above + 1) <= above

    def way(self, length: int, above: int, conflicts: int) -> list[int] | None:
        """The moves (indices into `Net.legal`) of a play of so many of them to an end with a goal
        above another, or None if there is none; of no more moves than are written out.

        Raises `TooHard` where it takes more conflicts.
        """
        if self.is_refuted(length, above):
            return None
        over, goals = self._ends[length]
        builder, solver = self._builder, self._solver
        better = builder.disj_all(x for goal, x in goals.items() if goal > above)
        several = builder.at_least_two(goals.values())
        wanted = builder.conj_all([over, better, several ^ 1])
        assumed = [*self._going[:length], solver.literal(wanted)]
        if wanted == FALSE or not solver.is_possible(assumed, conflicts, PIECE):
            self._refuted[length] = above
            return None
        true = {x for x in solver.model() if x > 0}
        return [next(i for i, x in own.items() if x in true) for own in self._moves[:length]]
