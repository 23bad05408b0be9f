"""What all claims of a certificate rest on: groups, sums, excluded states, bounds, and turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from msgspec import UNSET

from ggp.checker.clock import is_accompanied
from ggp.checker.encoding import Copy, EncodedProgram
from ggp.checker.states import States
from ggp.checker.values import Partition, partitions
from ggp.checker.witness import Witnesses

Faults = Callable[[EncodedProgram, Copy], list[int]]
"""For a program and a copy of the rules in it literals each of which is a fault of the state."""


class Basis(States):
    """What all claims rest on, checked once."""

    @cached_property
    def basis(self) -> str:
        """What is wrong with groups, sums, turns, what is excluded and bounds; empty if nothing
        is."""
        return self._shapes() or self._kept() or self._told() or self._entered()

    # -- what must hold --------------------------------------------------------------------------

    def _shapes(self) -> str:
        """What is wrong at the start, or with what groups, sums and sides are made of."""
        certificate, initial = self.certificate, self.net.initial
        marks, settings = certificate.turn_fluents, certificate.settings
        for fluents, exact in certificate.groups:
            count = len(initial.intersection(fluents))
            if count > 1 or (exact and count != 1):
                return "a group does not hold at the start"
        for weights, value in certificate.sums:
            if sum(weight for i, weight in weights.items() if i in initial) != value:
                return "a sum is another one at the start"
        if not settings:
            return ""
        if initial & marks not in [held for _, held in settings]:
            return "it is nobody's turn at the start"
        if len({held for _, held in settings}) < len(settings):
            return "one setting tells that it is the turn of two"
        if {role for role, _ in settings} != set(range(len(self.net.roles))):
            return "it is never the turn of some role"
        if self._order is None and not self._is_handed:
            return "what tells whose turn it is is neither a clock nor one fluent for each role"
        if not certificate.flips:
            return ""
        if len(settings) > len(self.net.roles):
            if not self._is_round:
                return "a clock with several settings for a role does not go round"
            if self._is_told_by_part:
                return "a part of what tells whose turn it is would do"
        for fluents, exact in certificate.groups:
            inside = marks.intersection(fluents)
            if inside and len(inside) < len(fluents):
                return "a group has fluents that tell whose turn it is, and others"
            counts = [len(held.intersection(fluents)) for _, held in settings]
            if inside and (max(counts) > 1 or (exact and min(counts) < 1)):
                return "a group does not hold whoever is to move"
        if any(not marks.isdisjoint(weights) for weights, _ in certificate.sums):
            return "a sum has fluents that tell whose turn it is"
        if is_accompanied(self.net, marks, len(settings)):
            return "other fluents go with the turn, and are taken for a part of the board"
        return ""

    def _kept(self) -> str:
        """Whether every legal move keeps groups, sums, and that it is somebody's turn."""
        if self.certificate.flips:
            asked = [self._side(side) for side in self._sides]
        else:
            program = self._program()
            asked = [(program, Copy(program))]
        for program, copy in asked:
            self._moving(program, copy)
            faults = self._broken(program, copy)
            cases = self._cases(copy)
            if program.is_any_possible(faults, cases):
                return "a move can break a group, change a sum, or leave it nobody's turn"
        return ""

    def _entered(self) -> str:
        """Whether play begins in no excluded state, within all bounds and without a fault, and no
        legal move leads from such a state to one that is not, or raises the sum of a bound."""
        excluded, bounds, initial = (
            self.certificate.excluded,
            self.certificate.bounds,
            self.net.initial,
        )
        if not excluded and not bounds:
            return ""
        if any(all((i in initial) == holds for i, holds in cube) for cube in excluded):
            return "an excluded state is the one in which play begins"
        for weights, most in bounds:
            if sum(weight for i, weight in weights.items() if i in initial) > most:
                return "a bound does not hold at the start"
        if self._begins_with(self._unplayable):
            return "states are excluded, and the one in which play begins is not playable"
        program, before, after = self._two_states(self._unplayable)
        entered = [
            program.some([[before.after(i) if holds else -before.after(i) for i, holds in cube]])
            for cube in excluded
        ]
        if program.is_any_possible(entered, self._cases(before)):
            return "a move can lead into an excluded state"
        raised = [
            program.weighs(1, self._change(program, before, weights)) for weights, _ in bounds
        ]
        if program.is_any_possible(raised, self._cases(before)):
            return "a move can raise the sum of a bound"
        self._tell_values(program, after)
        if any(program.is_possible(fault) for fault in self._unplayable(program, after)):
            return "states are excluded, and a move can lead to one that is not playable"
        return ""

    def _broken(self, program: EncodedProgram, copy: Copy) -> list[int]:
        """Literals each of which is something that a move breaks."""
        faults = []
        for fluents, exact in self.certificate.groups:
            after = [copy.after(i) for i in fluents]
            faults.append(program.at_least(2, after))
            if exact:
                faults.append(-program.at_least(1, after))
        for weights, _ in self.certificate.sums:
            change = self._change(program, copy, weights)
            faults += [program.weighs(1, [(x, sign * w) for x, w in change]) for sign in (1, -1)]
        if self.certificate.settings:
            faults.append(-program.at_least(1, self._sides_of(program, copy.after)))
        return faults

    def _change(
        self, program: EncodedProgram, copy: Copy, weights: Mapping[int, int]
    ) -> list[tuple[int, int]]:
        """By how much a move changes a sum: atoms with weights.

        What comes and goes, not what is there before and after: of all that a move leaves alone
        neither can hold, which the solver soon learns. A fluent that holds where another one did
        takes its weight from that, so that what all of a row hand on to the next cancels out.
        """
        terms: dict[int, int] = {}
        now_of = self._held(copy)
        fluents = set(map(now_of, range(len(self.net.fluents))))
        for i, weight in weights.items():
            now, after = now_of(i), copy.after(i)
            pair = after, now
            if after not in fluents:
                pair = program.some([[after, -now]]), program.some([[now, -after]])
            for atom, change in zip(pair, (weight, -weight), strict=True):
                terms[atom] = terms.get(atom, 0) + change
        return list(terms.items())

    def _told(self) -> str:
        """Whether only the role whose turn it is said to be has a choice, on every side.

        Where no play shows that it has one, no other role may have a move that does anything. A
        side on which no play shows that its role can do anything is idle: whose turn it is then
        must follow from the others.
        """
        idle: list[int] = []
        acting = self._acting()
        for side in self._sides:
            role = self._role(side)
            program, copy = self._side(side)
            program.require(-copy.terminal)
            choice = [program.at_least(2, copy.legal(r)) for r in range(len(self.net.roles))]
            if any(program.is_possible(x) for r, x in enumerate(choice) if r != role):
                return "a role whose turn it is not can have a choice"
            two, acts = self._shown(side, acting)
            if not two and not acts:
                idle.append(side)
            if two:
                continue
            others = [r for r in range(len(self.net.roles)) if r != role]
            if any(program.is_possible(self._acts(program, copy, r, acting)) for r in others):
                return "a role whose turn it is not can have the only move that does anything"
        if self.certificate.flips and len(self._sides) > len(self.net.roles) and self._differ():
            return "in two settings of one role the rules do not say the same"
        if self._order is None:
            if len(idle) > 1 or any(self._waiting(side) for side in self._sides):
                return "a role whose turn it is not need not have just one move"
            return ""
        return self._idle(idle) if idle else ""

    def _differ(self) -> bool:
        """Whether the rules may say different things of a board in two settings of one role."""
        net, marks = self.net, self.certificate.turn_fluents
        goals = [x for known in net.goals for _, x in known]
        board = [x for i, x in enumerate(net.next) if i not in marks]
        for role in range(len(net.roles)):
            first, *others = self._of_role(role)
            for other in others:
                program = self._program(board_only=True)
                one, two = self._copy(program, first), self._copy(program, other)
                with program.control.backend() as backend:
                    for mover in range(len(net.roles)):
                        backend.add_rule(one.made(mover), choice=True)
                        for x, y in zip(one.made(mover), two.made(mover), strict=True):
                            backend.add_rule([y], [x])
                pairs = [(one.of(x), two.of(x)) for x in (net.terminal, *net.legal, *goals, *board)]
                differ = [[a, -b] for a, b in pairs] + [[-a, b] for a, b in pairs]
                if program.is_possible(program.some(differ)):
                    return True
        return False

    def _shown(self, side: int, acting: frozenset[int]) -> tuple[bool, bool]:
        """Whether a play shows that the role of a side can have two moves there, and one that does
        anything. That it *may*, as far as the rules tell, shows nothing."""
        assert self.certificate.shape.turns is not None
        choice = self.certificate.shape.turns.settings[side].choice
        if choice is UNSET:
            return False, False
        found = Witnesses(self.certificate, [choice])
        role, held = self.certificate.settings[side]
        [state] = found.states
        is_there = state & self.certificate.turn_fluents == held
        if not is_there or found.replay.is_terminal(state):
            return False, False
        own = found.replay.legal(state)[role]
        return len(own) > 1, any(self.net.first_move + move in acting for move in own)

    def _acting(self) -> frozenset[int]:
        """The moves (nodes) that the next value of some fluent depends on, those apart that tell
        whose turn it is."""
        marks = self.certificate.turn_fluents
        return self.net.cone(x for i, x in enumerate(self.net.next) if i not in marks)

    def _acts(self, program: EncodedProgram, copy: Copy, role: int, acting: frozenset[int]) -> int:
        first = self.net.first_move + self.net.move_offset[role]
        legal = copy.legal(role)
        return program.at_least(1, [x for i, x in enumerate(legal) if first + i in acting])

    def _idle(self, idle: Sequence[int]) -> str:
        """Whether it is clear whose turn it is on sides on which nobody can do anything."""
        count = len(self.net.roles)
        if len(self._sides) == count and len(idle) == 1:
            return self._waiting(idle[0])
        busy = {self._role(side) for side in self._sides if side not in idle}
        if not self._is_round:
            return "turns do not go round where nobody can do anything"
        if len(busy) < count - self.certificate.flips:
            return "roles are not told apart where nobody can do anything"
        return ""

    def _waiting(self, side: int) -> str:
        """Whether on a side all roles but one have just one move, play being over or not."""
        program, copy = self._side(side)
        for role in range(len(self.net.roles)):
            legal = copy.legal(role)
            one, two = program.at_least(1, legal), program.at_least(2, legal)
            if role != self._role(side) and (program.is_possible(-one) or program.is_possible(two)):
                return "nothing tells whose turn it is where nobody can do anything"
        return ""

    # -- induction -------------------------------------------------------------------------------

    def _can_be(self, faults: Faults) -> bool:
        """Whether some state of play may have one of some faults.

        Those that some state with the groups and sums has are asked about once more: of states that
        a legal move leads to, from states without a fault; none at the start.
        """
        program = self._in_play()
        now = Copy(program)
        self._tell_values(program, now)
        asked = faults(program, now)
        open_ = [i for i, fault in enumerate(asked) if program.is_possible(fault)]
        if not open_:
            return False
        if self._begins_with(faults):
            return True
        program, _, after = self._two_states(faults)
        self._tell_values(program, after)
        again = faults(program, after)
        return any(program.is_possible(again[i]) for i in open_)

    def _tell_values(self, program: EncodedProgram, copy: Copy) -> None:
        """Leave out what cannot be: that of gates of a partition more than one holds, or none."""
        for literals, is_full in self._partitions:
            atoms = [copy.of(x) for x in sorted(literals)]
            program.require(-program.at_least(2, atoms))
            if is_full:
                program.require(*atoms)

    @cached_property
    def _partitions(self) -> list[Partition]:
        net = self.net
        roots = [net.terminal, *(x for known in net.goals for _, x in known)]
        return partitions(net, roots, self.certificate.groups, self._look)

    def _begins_with(self, faults: Faults) -> bool:
        """Whether the state in which play begins has one of some faults."""
        start = self._program()
        for i in range(len(self.net.fluents)):
            start.require(start.fluents[i] if i in self.net.initial else -start.fluents[i])
        return any(start.is_possible(fault) for fault in faults(start, Copy(start)))

    def _two_states(self, faults: Faults) -> tuple[EncodedProgram, Copy, Copy]:
        """A state of play without faults, and the one that some legal move leads to."""
        program = self._in_play()
        before = Copy(program)
        self._moving(program, before)
        for fault in faults(program, before):
            program.require(-fault)
        fluents = [before.after(i) for i in range(len(self.net.fluents))]
        return program, before, Copy(program, fluents=fluents)

    def _unplayable(self, program: EncodedProgram, copy: Copy) -> list[int]:
        """Faults: a role that cannot move, or has not just one goal at the end."""
        faults = []
        for role in range(len(self.net.roles)):
            able = program.at_least(1, copy.legal(role))
            faults.append(program.some([[-copy.terminal, -able]]))
        for role in self.certificate.players:
            values = [atom for _, atom in copy.goal(role)]
            one, two = program.at_least(1, values), program.at_least(2, values)
            faults.append(program.some([[copy.terminal, -one], [copy.terminal, two]]))
        return faults
