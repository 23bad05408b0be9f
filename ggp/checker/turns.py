"""Claims about turns: who can have a choice, who is next, whether a move is a pass."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from ggp.checker.basis import Basis
from ggp.checker.clock import goes_round
from ggp.checker.encoding import Copy, EncodedProgram


class TurnsBasis(Basis):
    """Checks them; each method says what is wrong with a claim, or nothing."""

    def turns(self, claim: Mapping[str, Any]) -> str:
        """That roles follow each other in one fixed circle, whatever is played."""
        if claim["value"] != "alternating":
            return "only alternating turns are proved"
        if not self.certificate.settings:
            return "nothing tells whose turn it is"
        steps = set()
        for role in range(len(self.net.roles)):
            program = self._in_play()
            copy = Copy(program)
            program.require(self._turn_of(program, self._held(copy))[role])
            self._moving(program, copy)
            after = self._turn_of(program, copy.after)
            steps |= {(role, other) for other, x in enumerate(after) if program.is_possible(x)}
        return "" if goes_round(steps, len(self.net.roles)) else "turns do not go round"

    def passes(self, claim: Mapping[str, Any]) -> str:
        """That every move of the role to move changes the board."""
        if claim["value"] is not False:
            return "that there are passes needs a witness"
        for side in self._sides:
            program, copy = self._side(side)
            self._moving(program, copy)
            same = -program.some(self._changes(copy))
            if program.is_any_possible([same], self._cases(copy)):
                return "a move can leave the board as it is"
        return ""

    def _changes(self, copy: Copy) -> list[list[int]]:
        """For each fluent of the board both ways in which a move may change it."""
        held, found = self._held(copy), []
        for i in range(len(self.net.fluents)):
            if i not in self.certificate.turn_fluents:
                now, after = held(i), copy.after(i)
                found += [[now, -after], [-now, after]]
        return found

    def _choice_at_once(self) -> str:
        """Whether two players may have a choice in one state."""
        if self.certificate.settings:
            return ""

        def at_once(program: EncodedProgram, copy: Copy) -> list[int]:
            two = [program.at_least(2, copy.legal(role)) for role in self.certificate.players]
            return [program.some([[-copy.terminal, *pair]]) for pair in combinations(two, 2)]

        return "two players can have a choice at once" if self._can_be(at_once) else ""
