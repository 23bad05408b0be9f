"""Whether some board satisfies what hashing leaves open: circuits asked of clingo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ggp.circuits.circuit import FALSE, Builder
from ggp.errors import LimitReached
from ggp.ground import Answer, Group, Program, Rules
from ggp.work import work_done


class Question:
    """Boards that satisfy proved groups; what is asked about are literals of one builder.

    `inputs`: for each fluent of the board its literal. Groups with other fluents are left out,
    which makes for more boards and never for a wrong proof.
    """

    def __init__(self, builder: Builder, inputs: dict[int, int], groups: Iterable[Group]) -> None:
        self.builder = builder
        self._program = Program()
        self._atom: dict[int, int] = {}
        self._assumed: list[int] = []
        self._refuted: set[frozenset[int]] = set()
        self.relied: set[int] = set()
        """Atoms of `assume` that proofs used."""
        with self._program.rules() as rules:
            for literal in inputs.values():
                self._atom[literal >> 1] = rules.atom()
            rules.add(list(self._atom.values()), choice=True)
            self._atom[0] = rules.atom()
            for group in groups:
                if all(i in inputs for i in group.fluents):
                    own = [(self._atom[inputs[i] >> 1], 1) for i in group.fluents]
                    many = rules.atom()
                    rules.add_weighted(many, 2, own)
                    rules.add([], [many])
                    if group.exact:
                        rules.add([], [-atom for atom, _ in own])

    @property
    def size(self) -> int:
        """Literals of rules that the solver was told of so far."""
        return self._program.size

    def is_impossible(self, literals: Sequence[int], work: float) -> bool:
        """Whether it is proved within so much `work` that no board satisfies all of `literals`."""
        if FALSE in literals:
            return True
        key = frozenset(literals)
        if key in self._refuted:
            return True
        if work <= 0:
            return False
        self._add(x >> 1 for x in literals)
        atoms = [*(self._literal(x) for x in literals), *self._assumed]
        core = self.ask(atoms, work).core
        if core is None:
            return False
        self._refuted.add(key)
        self.relied.update(core.intersection(self._assumed))
        return True

    def assume(self, atoms: Iterable[int]) -> None:
        """Ask from now on only of boards on which these hold, but for `ask` itself."""
        self._assumed += atoms

    def equals(self, terms: Iterable[tuple[int, int]], value: int) -> int:
        """An atom that holds where those literals that do have weights of this sum."""
        listed = list(terms)
        self._add(x >> 1 for x, _ in listed)
        # w * x is w less w * not-x: clingo wants positive weights.
        positive = [(self._literal(x ^ (w < 0)), abs(w)) for x, w in listed]
        least = value - sum(w for _, w in listed if w < 0)
        most = sum(w for _, w in positive) - least
        with self._program.rules() as rules:
            equal, *bounds = (rules.atom() for _ in range(3))
            both = (positive, least), ([(-x, w) for x, w in positive], most)
            for atom, (weighted, bound) in zip(bounds, both, strict=True):
                if bound > 0:
                    rules.add_weighted(atom, bound, weighted)
                else:
                    rules.add([atom])
            rules.add([equal], bounds)
        return int(equal)

    def at_least(self, terms: Iterable[tuple[int, int]], bound: int) -> int:
        """An atom that holds where those literals that do have weights of this sum or more."""
        listed = list(terms)
        self._add(x >> 1 for x, _ in listed)
        with self._program.rules() as rules:
            return self._reaches(rules, listed, bound)

    def _reaches(self, rules: Rules, terms: Iterable[tuple[int, int]], bound: int) -> int:
        listed = list(terms)
        # w * x is w less w * not-x: clingo wants positive weights.
        bound -= sum(w for _, w in listed if w < 0)
        atom = rules.atom()
        if bound > 0:
            positive = [(self._literal(x ^ (w < 0)), abs(w)) for x, w in listed if w]
            rules.add_weighted(atom, bound, positive)
        else:
            rules.add([atom])
        return int(atom)

    def require_one(self, literals: Sequence[int], *, exact: bool) -> None:
        """Ask from now on only of boards on which at most one of some literals holds, just one if
        `exact`, as is known to be so."""
        two = self.at_least([(x, 1) for x in literals], 2)
        with self._program.rules() as rules:
            rules.add([], [two])
            if exact:
                rules.add([], [-self._literal(x) for x in literals])

    def some(self, atoms: Sequence[int]) -> int:
        """An atom that holds where one of some atoms does."""
        if len(atoms) == 1:
            return atoms[0]
        with self._program.rules() as rules:
            found = rules.atom()
            for atom in atoms:
                rules.add([found], [atom])
        return int(found)

    def require(self, literal: int) -> None:
        """Ask from now on only of boards on which a literal holds that is known to hold."""
        atom = self.atom(literal)
        with self._program.rules() as rules:
            rules.add([], [-atom])

    def atom(self, literal: int) -> int:
        """The atom of a literal, negative where it is negated."""
        self._add([literal >> 1])
        return self._literal(literal)

    def ask(
        self,
        atoms: Sequence[int],
        work: float,
        conflicts: int | None = None,
        shown: Sequence[int] = (),
    ) -> Answer:
        """Whether there is a board on which all atoms hold, and which literals hold there.

        Within so much work, and conflicts of the solver.
        """
        self._add(x >> 1 for x in shown)
        return self._program.ask(
            atoms, work, shown=[self._literal(x) for x in shown], conflicts=conflicts
        )

    def possible(self, atom: int, work: float, shown: Sequence[int]) -> tuple[bool, ...] | None:
        """Which literals hold on some board on which an atom does; None if there is none.

        Raises `LimitReached` when the work is spent.
        """
        answer = self.ask([atom, *self._assumed], work, shown=shown)
        if answer.core is not None:
            self.relied.update(answer.core.intersection(self._assumed))
        elif answer.holds is None:
            raise LimitReached("work", work, "solver")
        return answer.holds

    def heavy(
        self,
        cases: Iterable[tuple[int, int, Sequence[tuple[int, int]], Sequence[int]]],
        work: float,
    ) -> Iterator[tuple[int, tuple[bool, ...]]]:
        """For each case a board on which its literal holds and its weights reach its bound.

        A case is a literal, a bound, literals with integer weights, and literals to be shown. Gives
        the number of each case for which there is such a board, and whether those to be shown hold
        there. Raises `LimitReached` when the work is spent.
        """
        until = work_done() + work
        listed = list(cases)
        for literal, _, terms, shown in listed:
            self._add(x >> 1 for x in (literal, *(t for t, _ in terms), *shown))
        hits = []
        with self._program.rules() as rules:
            for literal, bound, terms, _ in listed:
                hits.append(rules.atom())
                heavy = self._reaches(rules, terms, bound)
                rules.add([hits[-1]], [self._literal(literal), heavy])
        for i, atom in enumerate(hits):
            holds = self.possible(atom, until - work_done(), listed[i][3])
            if holds is not None:
                yield i, holds

    def _literal(self, literal: int) -> int:
        atom = self._atom[literal >> 1]
        return -atom if literal & 1 else atom

    def _add(self, nodes: Iterable[int]) -> None:
        """Tell clingo of the gates below some nodes that it does not know yet."""
        todo = [node for node in nodes if node not in self._atom]
        if not todo:
            return
        first, second = self.builder.first, self.builder.second
        with self._program.rules() as rules:
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
                atom = self._atom[node] = rules.atom()
                x, y = self._literal(a), self._literal(b)
                if a < b:
                    rules.add([atom], [x, y])
                else:
                    rules.add([atom], [x, -y])
                    rules.add([atom], [-x, y])
                todo.pop()
