"""The states that a certificate speaks of, as programs for the solver."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cached_property

from ggp.checker.certificate import Certificate
from ggp.checker.clock import runs_by_itself
from ggp.checker.encoding import Copy, EncodedProgram
from ggp.errors import LimitReached


class States:
    """States of play, and boards, of one certificate.

    A *side* is one setting of what tells whose turn it is. Where the turn can be given away, what
    must hold is asked of all boards with each side, so that it holds whoever is to move; otherwise
    of the states of play.
    """

    def __init__(self, certificate: Certificate, seconds: float) -> None:
        self.certificate = certificate
        self.net = certificate.net
        self.seconds = seconds
        self.until = time.monotonic() + seconds

    def _look(self) -> None:
        """Raises `LimitReached` when time is up."""
        if time.monotonic() > self.until:
            raise LimitReached("time", self.seconds, "checking a certificate")

    @cached_property
    def _order(self) -> list[int] | None:
        """The order of sides in which they follow each other by themselves, whatever is played."""
        return self._clock[0] if self._clock else None

    @cached_property
    def _clock(self) -> tuple[list[int], int | None] | None:
        """That order, and the side that comes after the last, if it is one of them."""
        return runs_by_itself(self.net, [held for _, held in self.certificate.settings])

    @property
    def _is_handed(self) -> bool:
        """Whether one fluent of its own marks each role, so that the turn can be given away."""
        held = [own for _, own in self.certificate.settings]
        is_one_each = len(held) == len(self.net.roles) and all(len(own) == 1 for own in held)
        return self.certificate.flips and is_one_each

    @property
    def _is_round(self) -> bool:
        """Whether sides follow each other by themselves, and their roles in one circle of all."""
        count = len(self.net.roles)
        order = self._order
        if order is None:
            return False
        roles = [self._role(side) for side in order]
        if self._clock and self._clock[1] is not None:
            roles.append(self._role(self._clock[1]))
        is_circle = all(role == roles[place % count] for place, role in enumerate(roles))
        return is_circle and len(set(roles[:count])) == count

    @property
    def _is_told_by_part(self) -> bool:
        """Whether the fluents that are the same after each round of the roles tell turns alone."""
        count, held = len(self.net.roles), [own for _, own in self.certificate.settings]
        ordered = [held[side] for side in self._order or ()]
        pairs = zip(ordered, ordered[count:], strict=False)
        changing = frozenset().union(*(a ^ b for a, b in pairs))
        return len({own - changing for own in ordered[:count]}) == count

    def _in_play(self) -> EncodedProgram:
        """All of `_program` but the states that play does not reach."""
        program = self._program()
        for cube in self.certificate.excluded:
            program.require(
                *(-program.fluents[i] if holds else program.fluents[i] for i, holds in cube)
            )
        for weights, most in self.certificate.bounds:
            program.require(-program.weighs(most + 1, self._together(program, weights)))
        return program

    def _together(
        self, program: EncodedProgram, weights: Mapping[int, int]
    ) -> list[tuple[int, int]]:
        """Atoms with weights: for each group one that some of its fluents of equal weight holds,
        of which no two do."""
        rest = dict(weights)
        terms = []
        for fluents, _ in sorted(self.certificate.groups, key=lambda group: -len(group[0])):
            for weight in {rest[i] for i in fluents if i in rest}:
                own = [i for i in fluents if rest.get(i) == weight]
                terms.append((program.some([[program.fluents[i]] for i in own]), weight))
                for i in own:
                    del rest[i]
        return [*terms, *((program.fluents[i], weight) for i, weight in rest.items())]

    def _program(self, *, board_only: bool = False) -> EncodedProgram:
        """All states in which groups and sums hold, and some side is to move; with `board_only` of
        groups those without fluents that tell whose turn it is, and any of these fluents."""
        program = EncodedProgram(self.net, self.until, self.seconds)
        marks = self.certificate.turn_fluents
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
        if not board_only and self.certificate.settings:
            program.require(*self._sides_of(program, lambda i: program.fluents[i]))
        return program

    def _sides_of(self, program: EncodedProgram, atom: Callable[[int], int]) -> list[int]:
        """For each side that it is to move; `atom`: that a fluent holds."""
        marks = sorted(self.certificate.turn_fluents)
        return [
            program.some([[atom(i) if i in held else -atom(i) for i in marks]])
            for _, held in self.certificate.settings
        ]

    def _turn_of(self, program: EncodedProgram, atom: Callable[[int], int]) -> list[int]:
        """For each role that it is its turn."""
        sides = list(enumerate(self._sides_of(program, atom)))
        return [
            program.some([[x] for side, x in sides if self._role(side) == role])
            for role in range(len(self.net.roles))
        ]

    def _side(self, side: int) -> tuple[EncodedProgram, Copy]:
        """All boards with a side to move; where the turn cannot be given away, all such states."""
        _, held = self.certificate.settings[side]
        marks = self.certificate.turn_fluents
        program = self._program(board_only=self.certificate.flips)
        if self.certificate.flips:
            return program, self._copy(program, side)
        for i in marks:
            program.require(program.fluents[i] if i in held else -program.fluents[i])
        return program, Copy(program)

    def _copy(self, program: EncodedProgram, side: int) -> Copy:
        """The rules with a side to move, on the board of a program."""
        _, held = self.certificate.settings[side]
        return Copy(program, {i: i in held for i in self.certificate.turn_fluents})

    @property
    def _sides(self) -> range:
        return range(len(self.certificate.settings))

    def _role(self, side: int) -> int:
        """The role that a side is of."""
        return self.certificate.settings[side][0]

    def _of_role(self, role: int) -> list[int]:
        return [side for side in self._sides if self._role(side) == role]

    def _moving(self, program: EncodedProgram, copy: Copy) -> None:
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

    def _held(self, copy: Copy) -> Callable[[int], int]:
        """That a fluent holds in the state of a copy."""
        return lambda i: copy.of(self.net.first_fluent + i)
