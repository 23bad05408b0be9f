"""Questions about all states at once: a net given to a solver as ground rules.

Every fluent may hold or not and every role makes one legal move; what is asked is added as atoms.
UNSAT is a proof over all states that satisfy what was assumed, reachable or not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from ggp.errors import LimitReached
from ggp.ground.asking import Program, Rules
from ggp.ground.clauses import ClarkCompletion, Clauses
from ggp.ground.gates import Bodies
from ggp.ground.net import FALSE, TRUE, Net
from ggp.limits import look
from ggp.work import work_done

MANY = 4
"""Alternatives from which on it pays to write them as one."""

LOOKING = 4_096
"""Rules that are written between two looks at the account."""


class Query:
    """An incremental question about one net, within so much `work` altogether.

    With `nodes` only about these, which must hold all that their gates depend on. With `moving`
    each role makes one legal move; among moves that the question leaves out there is always one
    more. Otherwise nobody moves.
    """

    def __init__(
        self,
        net: Net,
        work: float,
        nodes: Iterable[int] | None = None,
        *,
        moving: bool = False,
    ) -> None:
        self.net = net
        self.work = work
        self._until = work_done() + work
        self._atom = [0] * (net.size + 1)
        inside = sorted({TRUE, *(range(1, net.size + 1) if nodes is None else nodes)})
        # Least fixpoints are for clingo.
        recursive = any(
            bisect_left(inside, first) < bisect_left(inside, stop) for first, stop in net.recursive
        )
        self._program: Program | Clauses = Program() if recursive else Clauses()
        with self._program.rules() as rules:
            for node in inside:
                self._atom[node] = rules.atom()
            rules.add([self._atom[TRUE]])
            inputs = [self._atom[n] for n in inside if net.first_fluent <= n < net.first_gate]
            rules.add(inputs, choice=True)
            factors = _Factors(net, rules, self._atom) if moving else None
            written = 0
            for node in inside:
                bodies = net.bodies(node)
                for body in factors.bodies(bodies) if factors else map(self._body, bodies):
                    rules.add([self._atom[node]], body)
                    written += 1
                    if written % LOOKING == 0:
                        look("a question about all states")
        if moving:
            self._require_joint_move()
        else:
            for i in range(len(net.legal)):
                if self._atom[net.first_move + i]:
                    self.require(-(net.first_move + i))

    def _body(self, literals: Sequence[int]) -> list[int]:
        return [self._literal(x) for x in literals]

    def _literal(self, literal: int) -> int:
        return self._atom[literal] if literal > 0 else -self._atom[-literal]

    def add(self, bodies: Iterable[Sequence[int]]) -> int:
        """A new node that holds if all literals of one of `bodies` do; returns it."""
        with self._program.rules() as rules:
            atom = rules.atom()
            for body in bodies:
                rules.add([atom], self._body(body))
        return self._new(atom)

    def at_least(self, count: int, literals: Iterable[int]) -> int:
        """A new node that holds if at least `count` of `literals` do; returns it."""
        with self._program.rules() as rules:
            atom = rules.atom()
            weighted = [(self._literal(x), 1) for x in literals if x != FALSE]
            rules.add_weighted(atom, count, weighted)
        return self._new(atom)

    def group(self, literals: Sequence[int], *, exact: bool) -> int:
        """A new node that may be assumed to hold, and says that at most one of `literals` does, or
        just one where they are `exact`; returns it."""
        with self._program.rules() as rules:
            atom = rules.atom()
            if isinstance(rules, ClarkCompletion):
                rules.add_group(atom, [self._literal(x) for x in literals], exact=exact)
            else:
                two, none = rules.atom(), rules.atom()
                rules.add_weighted(two, 2, [(self._literal(x), 1) for x in literals])
                rules.add([none], [-self._literal(x) for x in literals] if exact else [two])
                rules.add([atom], [-two, -none])
        return self._new(atom)

    def _new(self, atom: int) -> int:
        self._atom.append(atom)
        return len(self._atom) - 1

    def require(self, *clause: int) -> None:
        """Demand that one of the literals of `clause` holds."""
        with self._program.rules() as rules:
            rules.add([], [-self._literal(x) for x in clause])

    def _require_joint_move(self) -> None:
        net = self.net
        for offset, moves in zip(net.move_offset, net.moves, strict=True):
            nodes = [net.first_move + offset + i for i in range(len(moves))]
            inside = [node for node in nodes if self._atom[node]]
            if len(inside) == len(nodes):
                self.require(self.at_least(1, nodes))
            if len(inside) > 1:
                self.require(self.group(inside, exact=False))
            for node in inside:
                self.require(-node, net.legal[node - net.first_move])

    def refute(
        self, assumptions: Sequence[int], work: float | None = None
    ) -> frozenset[int] | None:
        """Those of the assumed literals that together are impossible, or None if all can hold.

        Raises `LimitReached` where the work of all questions, or `work` for this one, is spent
        before the answer is known.
        """
        left = self._until - work_done()
        chosen = {self._literal(x): x for x in assumptions}
        answer = self._program.ask(list(chosen), left if work is None else min(left, work))
        if answer.holds is not None:
            return None
        if answer.core is None:
            raise LimitReached("work", self.work, "solver")
        return frozenset(chosen[x] for x in answer.core)


class _Factors:
    """Alternatives that differ in one move only, written as one.

    `(and x m1)` or `(and x m2)` … becomes `x` and one of a set of moves. Since exactly one move of
    each role is made, a set of most moves is the negation of the rest, so that a fluent that most
    moves leave alone takes a few rules instead of one for each move.
    """

    def __init__(self, net: Net, rules: Rules | ClarkCompletion, atoms: Sequence[int]) -> None:
        self.net = net
        self.rules = rules
        self.atoms = atoms
        self.moves = range(net.first_move, net.first_gate)
        self.role_of: list[int] = []
        self.all: list[frozenset[int]] = []
        for role, (offset, moves) in enumerate(zip(net.move_offset, net.moves, strict=True)):
            nodes = frozenset(range(net.first_move + offset, net.first_move + offset + len(moves)))
            self.role_of += [role] * len(moves)
            self.all.append(nodes)
        self.is_whole = [all(atoms[node] for node in nodes) for nodes in self.all]
        self.known: dict[frozenset[int], int] = {}

    def bodies(self, bodies: Bodies) -> Iterator[list[int]]:
        """The bodies of an equivalent gate, as literals of the program."""
        if len(bodies) < MANY:
            yield from (self._body(body) for body in bodies)
            return
        sets: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for body in bodies:
            made = [x for x in body if x in self.moves]
            if len(made) == 1:
                role = self.role_of[made[0] - self.net.first_move]
                rest = tuple(x for x in body if x != made[0])
                sets.setdefault((role, rest), []).append(made[0])
            else:
                yield self._body(body)
        for (role, rest), made in sets.items():
            if len(made) < MANY:
                yield from (self._body((*rest, move)) for move in made)
            else:
                yield [*self._body(rest), self._one_of(role, frozenset(made))]

    def _body(self, literals: Sequence[int]) -> list[int]:
        return [self.atoms[x] if x > 0 else -self.atoms[-x] for x in literals]

    def _one_of(self, role: int, made: frozenset[int]) -> int:
        """A literal that holds if one of a role's moves is made."""
        others = self.all[role] - made
        negate = self.is_whole[role] and len(others) < len(made)
        chosen = others if negate else made
        if chosen not in self.known:
            self.known[chosen] = self.rules.atom()
            for node in sorted(chosen):
                self.rules.add([self.known[chosen]], [self.atoms[node]])
        return -self.known[chosen] if negate else self.known[chosen]
