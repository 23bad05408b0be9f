"""Claims of certificates, each asked as one or a few questions that must have no model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.checker.certificate import Certificate
from ggp.checker.encoding import Copy, EncodedProgram
from ggp.checker.turns import TurnsBasis
from ggp.checker.witness import WITNESSED, Witnesses, goals_of_form, is_decided
from ggp.errors import LimitReached


@dataclass(frozen=True)
class Checked:
    """One claim: whether it holds, and why not. `is_known` is false where time ran out."""

    property: str
    value: Any
    holds: bool
    why: str
    is_known: bool = True

    def as_json(self) -> dict[str, Any]:
        """The claim as plain data."""
        return {
            "property": self.property,
            "value": self.value,
            "holds": self.holds if self.is_known else None,
            "why": self.why,
        }


def check_certificate(certificate: Certificate, seconds: float) -> list[Checked]:
    """All claims of a certificate, checked one after the other within `seconds`.

    A claim holds if it follows from the rules for every reachable state (and for those of the sides
    of a game, for every state that arises if either player may move at each turn), or if its
    witness shows it. Raises `InputError` for claims that name what is not there.
    """
    checker = Checker(certificate, seconds)
    return [checker.check(claim) for claim in certificate.claims]


class Checker(TurnsBasis):
    """Checks the claims of one certificate."""

    def check(self, claim: Mapping[str, Any]) -> Checked:
        """One claim."""
        name, value = claim["property"], claim["value"]
        try:
            fault = self._fault(name, claim)
        except LimitReached as error:
            return Checked(name, value, holds=False, why=str(error), is_known=False)
        return Checked(name, value, holds=not fault, why=fault or "checked")

    def _fault(self, name: str, claim: Mapping[str, Any]) -> str:
        """What is wrong with a claim, or nothing."""
        foreign = claim.keys() - {"property", "value"} - PARTS[name]
        if foreign:
            return f"{min(foreign)} is no part of such a claim"
        if name == "turns" and len(self.certificate.players) < 2:
            return "a claim about turns of a single player"
        if name in OF_TURNS and (not self.certificate.settings or len(self.net.roles) != 2):
            return "a claim about two players' turns without what tells them"
        if name in OF_SIDES and not self.certificate.flips:
            return "a claim about boards with either player to move, where the turn is kept"
        if "witness" not in claim:
            return self.basis or self._of_sides(name) or PROVED[name](self, claim)
        needs_basis = name in OF_TURNS or (name == "turns" and self.certificate.settings)
        fault = self.basis if needs_basis or claim["value"] == "with extra turns" else ""
        fault = fault or WITNESSED[name](self.certificate, claim["value"], claim)
        if claim["value"] == "with extra turns":
            fault = fault or self._choice_at_once()
        return fault

    def _of_sides(self, name: str) -> str:
        """Whether on each side the other role can make a move, so that there is just one."""
        if name not in OF_SIDES:
            return ""
        for side in self._sides:
            program, copy = self._side(side)
            program.require(-copy.terminal)
            for role in range(len(self.net.roles)):
                able = program.at_least(1, copy.legal(role))
                if role != self._role(side) and program.is_possible(-able):
                    return "a role whose turn it is not may be without a move"
        return ""

    def cyclic(self, claim: Mapping[str, Any]) -> str:
        """That the weights of a ranking fall."""
        if claim["value"] is not False:
            return "a ranking proves only that play is acyclic"
        if "weights" not in claim:
            return "there is neither a ranking nor a witness"
        weights = self.certificate.weights(claim["weights"])
        strict, passes = claim.get("strict"), claim.get("passes", False)
        if passes:
            fault = self._all_pass(strict or ())
            if fault:
                return fault
        if strict is None:
            program = self._in_play()
            return self._falls(program, Copy(program), weights, is_strict=True)
        if not self.certificate.settings:
            return "roles that lower the sum are told apart by whose turn it is"
        roles = {self.certificate.role(name) for name in strict}
        if len(roles) < len(self.net.roles) and self.turns({"value": "alternating"}):
            return "turns do not go round, so that all moves must lower the sum"
        if not roles or not self.certificate.turn_fluents.isdisjoint(weights):
            return "nobody's moves lower the sum, or weights of what tells whose turn it is"
        for side in self._sides:
            program, copy = self._side(side)
            if passes:
                program.require(program.some(self._changes(copy)))
            fault = self._falls(program, copy, weights, is_strict=self._role(side) in roles)
            if fault:
                return fault
        return ""

    def _all_pass(self, strict: Sequence[str]) -> str:
        """Whether all roles can pass one after the other; what else is wrong with passes that need
        not lower a sum."""
        one_each = sorted(map(self._role, self._sides)) == list(range(len(self.net.roles)))
        if not self.certificate.flips or not one_each or {*strict} != {*map(str, self.net.roles)}:
            return "passes are of games in which the turn can be given to each role"
        if self.turns({"value": "alternating"}):
            return "turns do not go round, so that all moves must lower the sum"
        program = self._program(board_only=True)
        for side in self._sides:
            copy = self._copy(program, side)
            self._moving(program, copy)
            program.require(-program.some(self._changes(copy)))
        return "all roles can pass one after the other" if program.is_possible() else ""

    def _falls(
        self, program: EncodedProgram, copy: Copy, weights: Mapping[int, int], *, is_strict: bool
    ) -> str:
        self._moving(program, copy)
        terms = self._change(program, copy, weights)
        fault = program.weighs(0 if is_strict else 1, terms)
        if program.is_any_possible([fault], self._cases(copy)):
            return "a move need not lower the sum" if is_strict else "a move can raise the sum"
        return ""

    def terminating(self, claim: Mapping[str, Any]) -> str:
        """That no state comes up twice, and that play never gets stuck."""
        if claim["value"] is not True:
            return "that it does not terminate is not proved"
        return self.cyclic({**claim, "value": False}) or self._stuck()

    def playable(self, claim: Mapping[str, Any]) -> str:
        """That roles can always move, and have one goal at every end."""
        if claim["value"] is not True:
            return "that play gets stuck needs a witness"
        if self._can_be(self._unplayable):
            return "a role can be without a move, or an end without one goal for each"
        return ""

    def goals(self, claim: Mapping[str, Any]) -> str:
        """That some play ends, and the goals at every end are among those that are listed."""
        roles = self.certificate.players
        rows = [tuple(row) for row in claim.get("goals", ())]
        if not roles or not rows or any(len(row) != len(roles) for row in rows):
            return "goals are a list of numbers, one for each player"
        fault = self.playable({"value": True}) or self._ends(claim.get("ends", {}))
        if fault:
            return fault

        def others(program: EncodedProgram, copy: Copy) -> list[int]:
            known = [dict(copy.goal(role)) for role in roles]
            named = [
                [own[g] for g, own in zip(row, known, strict=True)]
                for row in rows
                if all(g in own for g, own in zip(row, known, strict=True))
            ]
            return [
                program.some([[copy.terminal, -program.some(named)]]),
                *self._unplayable(program, copy),
            ]

        if self._can_be(others):
            return "an end can have other goals"
        return self._says(claim, rows)

    def _says(self, claim: Mapping[str, Any], rows: Sequence[tuple[int, ...]]) -> str:
        """Whether a claim follows from what the goals at the end are among."""
        name, value = claim["property"], claim["value"]
        of_rules = [self.certificate.goals[role] for role in self.certificate.players]
        if name == "winnable":
            short = any(
                own and all(row[i] < own[-1] for row in rows) for i, own in enumerate(of_rules)
            )
            return "" if value is False and short else "all may win"
        if name == "zero_sum":
            return "" if value is True and len(set(map(sum, rows))) == 1 else "sums differ"
        decided = [row for row in rows if is_decided(row, of_rules)]
        drawn = [row for row in rows if row not in decided and len(row) > 1 and len(set(row)) == 1]
        if value == "win-lose" and len(decided) == len(rows):
            return ""
        if value == "win-lose-draw" and len(decided) + len(drawn) == len(rows) and len(drawn) == 1:
            played = Witnesses(self.certificate, claim.get("drawn", []))
            return "" if drawn[0] in played.goals() else "no play ends in a draw"
        return "these goals do not say it"

    def all_small(self, claim: Mapping[str, Any]) -> str:
        """That on no board just one player can move."""
        if claim["value"] is not True:
            return "that it is not needs a witness"
        for first, second in self._pairs():
            program = self._program(board_only=True)
            able = []
            for side in (first, second):
                copy = self._copy(program, side)
                some = program.at_least(1, copy.legal(self._role(side)))
                able.append(program.some([[some, -copy.terminal]]))
            if program.is_possible(able[0], -able[1]) or program.is_possible(-able[0], able[1]):
                return "on some board just one player may be able to move"
        return ""

    def _pairs(self) -> list[tuple[int, int]]:
        """Pairs of sides of the two roles that are alike if all are: each side with the first one
        of the other role."""
        first, second = self._of_role(0), self._of_role(1)
        return [*((side, second[0]) for side in first), *((first[0], side) for side in second[1:])]

    def form(self, claim: Mapping[str, Any]) -> str:
        """That play ends just where the player to move cannot, who loses then (or wins)."""
        value, goals = claim["value"], self.certificate.goals
        if value not in ("normal", "misère"):
            return "only normal and misère play are proved"

        def faults(program: EncodedProgram, copy: Copy) -> list[int]:
            able = [program.at_least(1, copy.legal(role)) for role in (0, 1)]
            turn = self._turn_of(program, self._held(copy))
            found = [program.some([[-copy.terminal, -x] for x in able])]
            for role in (0, 1):
                found.append(program.some([[copy.terminal, turn[role], able[role]]]))
                wanted = goals_of_form(goals, role, loses=value == "normal")
                over = program.some([[copy.terminal, turn[role]]])
                for other in (0, 1):
                    known = copy.goal(other) if wanted else []
                    wrong = [-x if wanted and g == wanted[other] else x for g, x in known]
                    can_be = wanted is not None and wanted[other] in [g for g, _ in known]
                    found.append(program.some([[over, x] for x in wrong]) if can_be else over)
            return found

        fault = self._ends(claim.get("ends", {}))
        if fault:
            return fault
        return "play may end otherwise" if self._can_be(faults) else ""

    def _ends(self, ends: Mapping[str, Any]) -> str:
        """Whether some play ends: because it cannot go on for ever, nor be stuck, or because one
        did."""
        if "weights" in ends:
            return self.cyclic({**ends, "value": False}) or self._stuck()
        return WITNESSED["end"](self.certificate, True, ends)

    def _stuck(self) -> str:
        def stuck(program: EncodedProgram, copy: Copy) -> list[int]:
            roles = range(len(self.net.roles))
            able = [program.at_least(1, copy.legal(role)) for role in roles]
            return [program.some([[-copy.terminal, -x] for x in able])]

        return "play may be stuck" if self._can_be(stuck) else ""

    def impartial(self, claim: Mapping[str, Any]) -> str:
        """That each player can match each move of the other, by what the certificate says."""
        if claim["value"] is not True:
            return "only that it is impartial is proved"
        matches = claim.get("matches", {})
        known = []
        for role in (0, 1):
            own = matches.get(str(self.net.roles[role]), {})
            known.append(
                {
                    self.certificate.move(role, move): [
                        self.certificate.move(1 - role, answer) for answer in answers
                    ]
                    for move, answers in own.items()
                }
            )
        for first, second in self._pairs():
            fault = self._matched(first, second, known[0]) or self._matched(second, first, known[1])
            if fault:
                return fault
        return ""

    def _matched(self, side: int, other: int, matches: Mapping[int, list[int]]) -> str:
        """Whether every legal move of one side is matched by one of the other's, on every board."""
        net, program = self.net, self._program(board_only=True)
        role = self._role(side)
        mine = self._copy(program, side)
        self._moving(program, mine)
        offset, other_offset = net.move_offset[role], net.move_offset[1 - role]
        made = mine.made(role)
        for place, atom in enumerate(made):
            if offset + place not in matches:
                if program.is_possible(atom):
                    return "a move that can be legal has no match"
                program.require(-atom)
        faults = []
        for number in range(max((len(answers) for answers in matches.values()), default=0)):
            copy = self._copy(program, other)
            theirs, legal = copy.made(1 - role), copy.legal(1 - role)
            with program.control.backend() as backend:
                for move, answers in matches.items():
                    answer = answers[min(number, len(answers) - 1)] - other_offset
                    backend.add_rule([theirs[answer]], [made[move - offset]])
            copy.choose(role)
            illegal = program.some(
                [[t, -is_legal] for t, is_legal in zip(theirs, legal, strict=True)]
            )
            stuck = -program.at_least(1, copy.legal(role))
            differ = []
            for i in range(len(net.fluents)):
                if i not in self.certificate.turn_fluents:
                    x, y = mine.after(i), copy.after(i)
                    differ += [[x, -y], [-x, y]]
            faults.append(program.some([*differ, [copy.terminal], [illegal], [stuck]]))
        fault = program.some([faults])
        if program.is_any_possible([fault], [made]):
            return "a move need not be matched"
        return ""


OF_TURNS = ("form", "passes", "impartial", "all_small")
"""Claims about two players that take turns."""

OF_SIDES = ("passes", "impartial", "all_small")
"""Claims about what each of the two can do on a board."""

PARTS: Mapping[str, frozenset[str]] = {
    "turns": frozenset({"witness"}),
    "cyclic": frozenset({"witness", "weights", "strict", "passes"}),
    "playable": frozenset({"witness"}),
    "outcome_kind": frozenset({"witness", "goals", "drawn", "ends"}),
    "zero_sum": frozenset({"witness", "goals", "ends"}),
    "winnable": frozenset({"witness", "goals", "ends"}),
    "terminating": frozenset({"weights", "strict", "passes"}),
    "form": frozenset({"witness", "ends"}),
    "impartial": frozenset({"witness", "matches"}),
    "all_small": frozenset({"witness"}),
    "passes": frozenset({"witness"}),
}
"""What a claim may hold besides its property and value."""

PROVED: Mapping[str, Callable[[Checker, Mapping[str, Any]], str]] = {
    "turns": Checker.turns,
    "cyclic": Checker.cyclic,
    "playable": Checker.playable,
    "outcome_kind": Checker.goals,
    "zero_sum": Checker.goals,
    "winnable": Checker.goals,
    "terminating": Checker.terminating,
    "form": Checker.form,
    "impartial": Checker.impartial,
    "all_small": Checker.all_small,
    "passes": Checker.passes,
}
"""What checks a claim: gives what is wrong with it, or nothing."""
