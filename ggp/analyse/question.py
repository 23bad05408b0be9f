"""Whether some board satisfies what hashing leaves open: circuits asked of clingo."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

import clingo

from ggp.errors import LimitReached
from ggp.ground import SOLVER_OPTIONS, Group
from ggp.machine.circuit import FALSE, Builder


class Question:
    """Boards that satisfy proved groups; what is asked about are literals of one builder.

    `inputs`: for each fluent of the board its literal. Groups with other fluents are left out,
    which makes for more boards and never for a wrong proof.
    """

    def __init__(self, builder: Builder, inputs: dict[int, int], groups: Iterable[Group]) -> None:
        self.builder = builder
        self._control = clingo.Control(list(SOLVER_OPTIONS), logger=lambda code, text: None)
        self._atom: dict[int, int] = {}
        with self._control.backend() as backend:
            for literal in inputs.values():
                self._atom[literal >> 1] = backend.add_atom()
            backend.add_rule(list(self._atom.values()), choice=True)
            self._atom[0] = backend.add_atom()
            for group in groups:
                if all(i in inputs for i in group.fluents):
                    own = [(self._atom[inputs[i] >> 1], 1) for i in group.fluents]
                    many = backend.add_atom()
                    backend.add_weight_rule([many], 2, own)
                    backend.add_rule([], [many])
                    if group.exact:
                        backend.add_rule([], [-atom for atom, _ in own])

    def is_impossible(self, literals: Sequence[int], seconds: float) -> bool:
        """Whether it is proved within `seconds` that no board satisfies all of `literals`."""
        if FALSE in literals:
            return True
        if seconds <= 0:
            return False
        self._add(x >> 1 for x in literals)
        try:
            return self._solve([self._program(x) for x in literals], seconds) is None
        except LimitReached:
            return False

    def heavy(
        self,
        cases: Iterable[tuple[int, int, Sequence[tuple[int, int]], Sequence[int]]],
        seconds: float,
    ) -> Iterator[tuple[int, list[bool]]]:
        """For each case a board on which its literal holds and its weights reach its bound.

        A case is a literal, a bound, literals with integer weights, and literals to be shown. Gives
        the number of each case for which there is such a board, and whether those to be shown hold
        there. Raises `LimitReached` when time is up.
        """
        until = time.monotonic() + seconds
        listed = list(cases)
        for literal, _, terms, shown in listed:
            self._add(x >> 1 for x in (literal, *(t for t, _ in terms), *shown))
        hits = []
        with self._control.backend() as backend:
            for literal, bound, terms, _ in listed:
                # w * x is w less w * not-x: clingo wants positive weights.
                at_least = bound - sum(w for _, w in terms if w < 0)
                positive = [(self._program(x ^ (w < 0)), abs(w)) for x, w in terms if w]
                hits.append(backend.add_atom())
                heavy = backend.add_atom()
                if at_least > 0:
                    backend.add_weight_rule([heavy], at_least, positive)
                else:
                    backend.add_rule([heavy])
                backend.add_rule([hits[-1]], [self._program(literal), heavy])
        for i, atom in enumerate(hits):
            holds = self._solve([atom], until - time.monotonic(), listed[i][3])
            if holds is not None:
                yield i, holds

    def _solve(
        self, assumed: Sequence[int], seconds: float, shown: Iterable[int] = ()
    ) -> list[bool] | None:
        """Which of some literals hold on some board on which the assumed atoms do; None if there is
        no such board."""
        with self._control.solve(assumptions=list(assumed), yield_=True, async_=True) as handle:
            if not handle.wait(max(0.0, seconds)):
                handle.cancel()
                raise LimitReached("seconds", seconds, "solver")
            model = handle.model()
            if model is None:
                return None
            return [model.is_true(self._atom[x >> 1]) != bool(x & 1) for x in shown]

    def _program(self, literal: int) -> int:
        atom = self._atom[literal >> 1]
        return -atom if literal & 1 else atom

    def _add(self, nodes: Iterable[int]) -> None:
        """Tell clingo of the gates below some nodes that it does not know yet."""
        first, second = self.builder.first, self.builder.second
        with self._control.backend() as backend:
            todo = list(nodes)
            while todo:
                node = todo[-1]
                if node in self._atom:
                    todo.pop()
                    continue
                a, b = first[node], second[node]
                missing = [x >> 1 for x in (a, b) if x >> 1 not in self._atom]
                if missing:
                    todo.extend(missing)
                    continue
                atom = self._atom[node] = backend.add_atom()
                x, y = self._program(a), self._program(b)
                if a < b:
                    backend.add_rule([atom], [x, y])
                else:
                    backend.add_rule([atom], [x, -y])
                    backend.add_rule([atom], [-x, y])
                todo.pop()
