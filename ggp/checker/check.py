"""Claims of certificates, each asked as one or a few questions that must have no model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.checker.certificate import Certificate, listed, mapped
from ggp.checker.encoding import Copy, Program
from ggp.checker.turns import Turns
from ggp.checker.witness import WITNESSED, Witnesses
from ggp.errors import InputError, LimitReached

MAX_MATCHES = 16
"""Moves of the other player that together match one move."""


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
    witness shows it. Raises `InputError` for claims that cannot be read.
    """
    checker = Checker(certificate, seconds)
    return [checker.check(claim) for claim in certificate.claims]


class Checker(Turns):
    """Checks the claims of one certificate."""

    def check(self, claim: Mapping[str, Any]) -> Checked:
        """One claim."""
        name, value = claim.get("property"), claim.get("value")
        if not isinstance(name, str):
            raise InputError("certificate: a claim without a property")
        if not isinstance(value, str | bool | int | None):
            raise InputError(f"certificate: the value of {name[:60]!r} is no single value")
        try:
            fault = self._fault(name, {**claim, "value": value})
        except LimitReached as error:
            return Checked(name, value, holds=False, why=str(error), is_known=False)
        return Checked(name, value, holds=not fault, why=fault or "checked")

    def _fault(self, name: str, claim: Mapping[str, Any]) -> str:
        """What is wrong with a claim, or nothing."""
        if name in OF_SIDES and not self.certificate.marker:
            return "a claim about players' turns without a marker"
        if "witness" not in claim:
            method = PROVED.get(name)
            return self.basis() or (method(self, claim) if method else "of no known kind")
        test = WITNESSED.get(name)
        fault = test(self.certificate, claim["value"], claim) if test else "of no known kind"
        if name in OF_SIDES:
            fault = fault or self.basis()
        if claim["value"] == "with extra turns":
            fault = fault or self.basis() or self._choice_at_once()
        return fault

    def cyclic(self, claim: Mapping[str, Any]) -> str:
        """That the weights of a ranking fall."""
        if claim["value"] is not False:
            return "a ranking proves only that play is acyclic"
        weights = self.certificate.weights(claim.get("weights"))
        strict = claim.get("strict")
        if strict is not None and not self.certificate.marker:
            return "roles that lower the sum are told apart by a marker"
        if strict is None:
            program = self._program(board_only=False)
            copy = Copy(program)
            return self._falls(program, copy, weights, is_strict=True)
        roles = {self.certificate.role(name) for name in listed(strict, "the strict roles")}
        if len(roles) < len(self.net.roles) and self.turns({"value": "alternating"}):
            return "turns do not go round, so that all moves must lower the sum"
        if not roles or not self.certificate.marker_fluents.isdisjoint(weights):
            return "nobody's moves lower the sum, or weights of the marker"
        for role in self._sides():
            program = self._program(board_only=True)
            fault = self._falls(
                program, self._side(program, role), weights, is_strict=role in roles
            )
            if fault:
                return fault
        return ""

    def _falls(
        self, program: Program, copy: Copy, weights: Mapping[int, int], *, is_strict: bool
    ) -> str:
        self._moving(program, copy)
        terms = self._change(program, copy, weights)
        fault = program.weighs(0 if is_strict else 1, terms)
        if program.is_possible_by_cases([fault], self._cases(copy)):
            return "a move need not lower the sum" if is_strict else "a move can raise the sum"
        return ""

    def terminating(self, claim: Mapping[str, Any]) -> str:
        """That no state comes up twice, and that play never gets stuck."""
        if claim["value"] is not True:
            return "that it does not terminate needs a witness"
        return self.cyclic({**claim, "value": False}) or self.playable({"value": True})

    def playable(self, claim: Mapping[str, Any]) -> str:
        """That roles can always move, and have one goal at every end."""
        if claim["value"] is not True:
            return "that play gets stuck needs a witness"
        program = self._program(board_only=False)
        faults = self._faults(program, Copy(program))
        open_ = [i for i, fault in enumerate(faults) if program.is_possible(fault)]
        if not open_:
            return ""
        program, after = self._second_state()
        later = self._faults(program, after)
        if not self._starts_well() or any(program.is_possible(later[i]) for i in open_):
            return "a role can be without a move, or an end without one goal for each"
        return ""

    def goals(self, claim: Mapping[str, Any]) -> str:
        """That the goals at every end are among those that are listed, and what that says."""
        roles = self._players()
        if not roles:
            return "there is nobody who has goals"
        rows = [tuple(listed(row, "goals")) for row in listed(claim.get("goals"), "the goals")]
        if not all(len(row) == len(roles) and all(type(g) is int for g in row) for row in rows):
            raise InputError("certificate: goals are a list of numbers, one for each player")
        program = self._program(board_only=False)
        if self._is_other(program, Copy(program), roles, rows):
            program, after = self._second_state()
            playable = not self.playable({"value": True})
            if (
                not playable
                or not self._starts_well()
                or self._is_other(program, after, roles, rows)
            ):
                return "an end can have other goals"
        if claim["property"] == "winnable":
            best = self.certificate.best_goals
            short = any(all(row[i] < best[r] for row in rows) for i, r in enumerate(roles))
            return "" if claim["value"] is False and rows and short else "all may win"
        if claim["property"] == "zero_sum":
            return "" if claim["value"] is True and len(set(map(sum, rows))) == 1 else "sums differ"
        if claim["value"] == "win-lose" and _is_decided(rows):
            return ""
        if claim["value"] == "win-lose-draw" and _has_draw(rows):
            draw = next(row for row in rows if len(set(row)) == 1)
            played = Witnesses(self.certificate, {"witness": claim.get("drawn")})
            return "" if draw in played.goals() else "no play ends in a draw"
        return "these goals do not say it"

    def _is_other(
        self, program: Program, copy: Copy, roles: Sequence[int], rows: Sequence[tuple[int, ...]]
    ) -> bool:
        """Whether an end can have goals that are not listed."""
        goals = [dict(copy.goal(role)) for role in roles]
        named = [
            [known[g] for g, known in zip(row, goals, strict=True)]
            for row in rows
            if all(g in known for g, known in zip(row, goals, strict=True))
        ]
        return program.is_possible(copy.terminal, -program.some(named))

    def all_small(self, claim: Mapping[str, Any]) -> str:
        """That on no board just one player can move."""
        if claim["value"] is not True:
            return "that it is not needs a witness"
        for first, second in ((0, 1), (1, 0)):
            program = self._program(board_only=True)
            able = []
            for role in (first, second):
                copy = self._side(program, self._sides()[role])
                some = program.at_least(1, copy.legal(role))
                able.append(program.some([[some, -copy.terminal]]))
            if program.is_possible(able[0], -able[1]):
                return "on some board just one player may be able to move"
        return ""

    def form(self, claim: Mapping[str, Any]) -> str:
        """That play ends just where the player to move cannot, who loses then (or wins)."""
        if claim["value"] not in ("normal", "misère") or len(self.net.roles) != 2:
            return "only normal and misère play are proved, of two players"
        ends = mapped(claim.get("ends"), "what shows that play ends")
        fault = self._ends(ends)
        if fault:
            return fault
        for role in self._sides():
            program = self._program(board_only=True)
            copy = self._side(program, role)
            able = program.at_least(1, copy.legal(role))
            if program.is_possible(copy.terminal, able) or program.is_possible(
                -copy.terminal, -able
            ):
                return "play need not end where the player to move cannot"
            for other in self._sides():
                known = copy.goal(other)
                if not known and program.is_possible(copy.terminal):
                    return "a player has no goal"
                values = [value for value, _ in known] or [0]
                loses = (other == role) == (claim["value"] == "normal")
                wanted = min(values) if loses else max(values)
                for value, atom in known:
                    if (value != wanted and program.is_possible(copy.terminal, atom)) or (
                        value == wanted and program.is_possible(copy.terminal, -atom)
                    ):
                        return "goals at an end may be others"
        return ""

    def _ends(self, ends: Mapping[str, Any]) -> str:
        """Whether some play ends: because it cannot go on for ever, or because one did."""
        if "weights" in ends:
            return self.cyclic({**ends, "value": False})
        return WITNESSED["end"](self.certificate, True, ends)

    def impartial(self, claim: Mapping[str, Any]) -> str:
        """That each player can match each move of the other, by what the certificate says."""
        if claim["value"] is not True or len(self.net.roles) != 2:
            return "only that it is impartial is proved, of two players"
        matches = mapped(claim.get("matches"), "the matches")
        for role in self._sides():
            name = str(self.net.roles[role])
            own = {}
            for move, others in mapped(matches.get(name), "the matches of a role").items():
                answers = listed(others, "matching moves")
                if not 0 < len(answers) <= MAX_MATCHES:
                    return f"a move is matched by none, or by more than {MAX_MATCHES}"
                own[self.certificate.move(role, move)] = [
                    self.certificate.move(1 - role, answer) for answer in answers
                ]
            fault = self._matched(role, own)
            if fault:
                return fault
        return ""

    def _matched(self, role: int, matches: Mapping[int, list[int]]) -> str:
        """Whether every legal move of a role is matched by one of the other's, on every board."""
        net, program = self.net, self._program(board_only=True)
        mine = self._side(program, role)
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
            copy = self._side(program, 1 - role)
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
            marks = self.certificate.marker_fluents
            differ = []
            for i in range(len(net.fluents)):
                if i not in marks:
                    x, y = mine.after(i), copy.after(i)
                    differ += [[x, -y], [-x, y]]
            again = self._marked(program, mine.after)[role]
            again_there = self._marked(program, copy.after)[1 - role]
            differ += [[again, -again_there], [-again, again_there]]
            faults.append(program.some([*differ, [copy.terminal], [illegal], [stuck]]))
        fault = program.some([faults])
        if program.is_possible_by_cases([fault], [made]):
            return "a move need not be matched"
        return ""


def _is_decided(rows: Sequence[tuple[int, ...]]) -> bool:
    """Whether one player wins and all others lose, at each end and so with any of these ends."""
    if any(len(row) == 1 for row in rows):
        return all(row[0] in (0, 100) for row in rows)
    ordered = {tuple(sorted(row)) for row in rows}
    return len(ordered) == 1 and all(
        row[-1] > row[-2] and len(set(row[:-1])) == 1 for row in ordered
    )


OF_SIDES = ("form", "impartial", "all_small", "passes")
"""Claims about what each of two players can do, which a marker tells."""


def _has_draw(rows: Sequence[tuple[int, ...]]) -> bool:
    """Whether just one of these ends is a draw, which is between losing and winning at the others,
    if there are others."""
    level = {row for row in rows if len(set(row)) == 1}
    others = [row for row in rows if row not in level]
    if len(level) != 1 or any(len(row) == 1 for row in rows):
        return False
    [draw] = level
    return not others or (_is_decided(others) and min(others[0]) <= draw[0] <= max(others[0]))


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
