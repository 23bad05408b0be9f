"""Claims about turns: who can have a choice, where the marker goes, whether a move is a pass."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from ggp.checker.basis import Basis
from ggp.checker.encoding import Copy


class Turns(Basis):
    """Checks them; each method says what is wrong with a claim, or nothing."""

    def turns(self, claim: Mapping[str, Any]) -> str:
        """That the marker goes round, whatever is played; without one, who can have a choice."""
        if claim["value"] != "alternating":
            return "only alternating turns are proved"
        if not self.certificate.marker:
            return self._choice_at_once() or self._choice_twice_running()
        following = []
        for role in self._sides():
            program = self._program(board_only=True)
            copy = self._side(program, role)
            self._moving(program, copy)
            after = self._marked(program, copy.after)
            can = [other for other, atom in enumerate(after) if program.is_possible(atom)]
            if not can:
                # Nobody ever moves then, so that it does not matter where the marker would go.
                program = self._program(board_only=True)
                after = self._marked(program, self._side(program, role).after)
                can = [other for other, atom in enumerate(after) if program.is_possible(atom)]
            if len(can) != 1:
                return "the marker goes to more than one role"
            following.append(can[0])
        seen, place = set(), 0
        while place not in seen:
            seen.add(place)
            place = following[place]
        return "" if place == 0 and len(seen) == len(following) else "the marker goes not round"

    def passes(self, claim: Mapping[str, Any]) -> str:
        """That every move of the marked role changes the board."""
        if claim["value"] is not False:
            return "that there are passes needs a witness"
        marks = self.certificate.marker_fluents
        for role in self._sides():
            program = self._program(board_only=True)
            copy = self._side(program, role)
            self._moving(program, copy)
            differ = []
            for i in range(len(self.net.fluents)):
                if i not in marks:
                    now, after = program.fluents[i], copy.after(i)
                    differ += [[now, -after], [-now, after]]
            if program.is_possible_by_cases([-program.some(differ)], self._cases(copy)):
                return "a move can leave the board as it is"
        return ""

    def _choice_at_once(self) -> str:
        """Whether two players may have a choice in one state."""
        if self.certificate.marker:
            return ""
        program = self._program(board_only=False)
        copy = Copy(program)
        two = [program.at_least(2, copy.legal(role)) for role in self._players()]
        if any(program.is_possible(-copy.terminal, *pair) for pair in combinations(two, 2)):
            return "two players can have a choice at once"
        return ""

    def _choice_twice_running(self) -> str:
        """Whether a player may have a choice in one state and in the next."""
        program = self._program(board_only=False)
        before = Copy(program)
        self._moving(program, before)
        fluents = [before.after(i) for i in range(len(self.net.fluents))]
        after = Copy(program, fluents=fluents)
        for role in self._players():
            both = (program.at_least(2, copy.legal(role)) for copy in (before, after))
            if program.is_possible(-after.terminal, *both):
                return "a player can have a choice twice running"
        return ""
