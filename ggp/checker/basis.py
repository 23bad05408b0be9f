"""What all claims of a certificate rest on: groups, sums and a marker, and states with them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from ggp.checker.certificate import Certificate
from ggp.checker.encoding import Copy, Program
from ggp.checker.replay import Replay


class Basis:
    """The states that a certificate speaks of, as programs; checked once."""

    def __init__(self, certificate: Certificate, seconds: float) -> None:
        self.certificate = certificate
        self.net = certificate.net
        self.seconds = seconds
        self.until = time.monotonic() + seconds
        self._basis: str | None = None
        self._basis_known = False

    def basis(self) -> str:
        """What is wrong with groups, sums and marker; empty if they hold in every reachable
        state."""
        if not self._basis_known:
            self._basis = self._groups() or self._marks()
            self._basis_known = True
        return self._basis or ""

    def _program(self, *, board_only: bool) -> Program:
        """All states in which groups and sums hold; with `board_only` of groups those without
        fluents of the marker, else just one role is marked as well."""
        program = Program(self.net, self.until, self.seconds)
        marks = self.certificate.marker_fluents
        for fluents, exact in self.certificate.groups:
            if board_only and not marks.isdisjoint(fluents):
                continue
            atoms = [program.fluents[i] for i in fluents]
            program.require(-program.at_least(2, atoms))
            if exact:
                program.require(*atoms)
        for weights, value in self.certificate.sums:
            terms = [(program.fluents[i], weight) for i, weight in weights.items()]
            program.require(program.weighs(value, terms))
            program.require(-program.weighs(value + 1, terms))
        if not board_only and self.certificate.marker:
            program.require(*self._marked(program, lambda i: program.fluents[i]))
        return program

    def _marked(self, program: Program, atom: Callable[[int], int]) -> list[int]:
        """For each role that it is marked, and nobody else is; `atom`: that a fluent holds."""
        marks = sorted(self.certificate.marker_fluents)
        return [
            program.some([[atom(i) if i in own else -atom(i) for i in marks]])
            for own in self.certificate.marker
        ]

    def _side(self, program: Program, role: int) -> Copy:
        """The rules with the marker on a role."""
        own = self.certificate.marker[role]
        return Copy(program, {i: i in own for i in self.certificate.marker_fluents})

    def _sides(self) -> range:
        return range(len(self.net.roles))

    def _moving(self, program: Program, copy: Copy) -> None:
        """Let every role make a legal move, as long as play goes on.

        Where a role has none play is stuck, and leads nowhere.
        """
        program.require(-copy.terminal)
        for role in range(len(self.net.roles)):
            program.require(*copy.legal(role))
            copy.choose(role)

    def _cases(self, copy: Copy) -> list[list[int]]:
        """For each role its moves, of which it always makes one; most moves first."""
        made = (copy.made(role) for role in range(len(self.net.roles)))
        return sorted(filter(None, made), key=len, reverse=True)

    def _groups(self) -> str:
        initial = self.net.initial
        for fluents, exact in self.certificate.groups:
            held = len(initial.intersection(fluents))
            if held > 1 or (exact and held != 1):
                return "a group does not hold at the start"
        marks = self.certificate.marker_fluents
        if marks and initial & marks not in self.certificate.marker:
            return "no role is marked at the start"
        if len(set(self.certificate.marker)) != len(self.certificate.marker):
            return "the marker does not tell the roles apart"
        for fluents, _ in self.certificate.groups:
            if not marks.isdisjoint(fluents) and not marks.issuperset(fluents):
                return "a group has fluents of the marker and others"
        for weights, value in self.certificate.sums:
            if sum(weight for i, weight in weights.items() if i in initial) != value:
                return "a sum is another one at the start"
            if not marks.isdisjoint(weights):
                return "a sum has fluents of the marker"
        program = self._program(board_only=False)
        copy = Copy(program)
        self._moving(program, copy)
        faults = []
        for fluents, exact in self.certificate.groups:
            after = [copy.after(i) for i in fluents]
            faults.append(program.at_least(2, after))
            if exact:
                faults.append(-program.at_least(1, after))
        for weights, _ in self.certificate.sums:
            change = self._change(program, copy, weights)
            faults += [program.weighs(1, [(x, sign * w) for x, w in change]) for sign in (1, -1)]
        if marks:
            after_marks = self._marked(program, copy.after)
            faults.append(-program.at_least(1, after_marks))
        cases = self._cases(copy)
        if any(program.is_possible_by_cases([fault], cases) for fault in faults):
            return "a move can break a group, change a sum, or break the marker"
        return ""

    def _change(
        self, program: Program, copy: Copy, weights: Mapping[int, int]
    ) -> list[tuple[int, int]]:
        """By how much a move changes a sum: atoms with weights.

        What comes and goes, not what is there before and after: of all that a move leaves alone
        neither can hold, which the solver soon learns.
        """
        terms = []
        for i, weight in weights.items():
            now, after = program.fluents[i], copy.after(i)
            terms.append((program.some([[after, -now]]), weight))
            terms.append((program.some([[now, -after]]), -weight))
        return terms

    def _marks(self) -> str:
        """Whether only the marked role has a choice, whatever the board."""
        for role in range(len(self.certificate.marker)):
            program = self._program(board_only=True)
            copy = self._side(program, role)
            program.require(-copy.terminal)
            for other in range(len(self.net.roles)):
                if other != role and program.is_possible(program.at_least(2, copy.legal(other))):
                    return "a role that is not marked can have a choice"
        return ""

    def _faults(self, program: Program, copy: Copy) -> list[int]:
        """Literals each of which is a role that cannot move, or has not just one goal."""
        faults = []
        for role in range(len(self.net.roles)):
            able = program.at_least(1, copy.legal(role))
            faults.append(program.some([[-copy.terminal, -able]]))
        for role in self._players():
            values = [atom for _, atom in copy.goal(role)]
            one, two = program.at_least(1, values), program.at_least(2, values)
            faults.append(program.some([[copy.terminal, -one], [copy.terminal, two]]))
        return faults

    def _second_state(self) -> tuple[Program, Copy]:
        """A state that a legal move leads to, from one with nothing wrong where play goes on."""
        program = self._program(board_only=False)
        before = Copy(program)
        self._moving(program, before)
        for fault in self._faults(program, before):
            program.require(-fault)
        fluents = [before.after(i) for i in range(len(self.net.fluents))]
        return program, Copy(program, fluents=fluents)

    def _starts_well(self) -> bool:
        """Whether play goes on at the start, where every role can move."""
        replay = Replay(self.net)
        start = self.net.initial
        return not replay.is_terminal(start) and all(replay.legal(start))

    def _players(self) -> list[int]:
        return [i for i, role in enumerate(self.net.roles) if str(role).lower() != "random"]
