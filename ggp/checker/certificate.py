"""Certificates: the rules, what was assumed, and what was claimed, as one JSON object.

Certificates come from strangers like rule sheets do. Every part is looked at before it is used, and
nothing of it is more than data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from ggp.checker.shape import Shape, read_shape
from ggp.errors import InputError, UnknownName
from ggp.ground import Net, ground
from ggp.kif import Source, Term, read_term
from ggp.limits import DEFAULT, Limits
from ggp.rules import RuleSet, read_rules

MAX_WEIGHT = 1 << 30
"""More than twice all weights of a sum together, without their signs: the solver has 32 bits."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """A certificate whose rules are read and grounded and whose fluents exist.

    `settings`: for each way to tell whose turn it is the role and the fluents (indices) that hold,
    of all those that tell it (`turn_fluents`); empty for none. `flips`: whether the turn can be
    given to another role. `groups`: sets of fluents of which just one (True) or at most one holds.
    `sums`: weights of fluents, and what those that hold sum to. `excluded`: fluents with whether
    they hold; no state of play agrees with all of them. `bounds`: weights of fluents, and what
    those that hold sum to at most. `claims` are plain data of the right shape, what they name still
    to be looked up.
    """

    shape: Shape
    rules: RuleSet
    net: Net
    settings: tuple[tuple[int, frozenset[int]], ...]
    groups: tuple[tuple[tuple[int, ...], bool], ...]
    sums: tuple[tuple[Mapping[int, int], int], ...]
    excluded: tuple[tuple[tuple[int, bool], ...], ...]
    bounds: tuple[tuple[Mapping[int, int], int], ...]
    claims: tuple[Mapping[str, Any], ...]

    @property
    def name(self) -> str:
        """The sheet's name, as the certificate says it."""
        return self.shape.sheet.name

    @property
    def flips(self) -> bool:
        """Whether claims may be about boards with the turn given to either role."""
        return self.shape.turns is not None and self.shape.turns.flips

    @cached_property
    def turn_fluents(self) -> frozenset[int]:
        """All fluents that tell whose turn it is."""
        return frozenset().union(*(held for _, held in self.settings))

    @cached_property
    def players(self) -> list[int]:
        """The roles but for that of chance, which is named `random`."""
        chance = self.rules.symbols.lookup("random")
        return [i for i, role in enumerate(self.net.roles) if str(role) != chance]

    @cached_property
    def goals(self) -> list[tuple[int, ...]]:
        """For each role its goal values of the rules, ascending: those that a head gives it by
        name, or an instance of a rule."""
        found = [{value for value, _ in known} for known in self.net.goals]
        for rule in self.rules.rules:
            head = [str(part) for part in (rule.head.name, *rule.head.args)]
            if head[0] == "goal" and head[2].isdigit():
                for role, own in zip(self.net.roles, found, strict=True):
                    own |= {int(head[2])} if head[1] == str(role) else set()
        return [tuple(sorted(own)) for own in found]

    def role_to_move(self, state: frozenset[int]) -> int | None:
        """Whose turn it is in a state, if its setting is one of those that tell."""
        shown = state & self.turn_fluents
        return next((role for role, held in self.settings if held == shown), None)

    def role(self, name: str) -> int:
        """The place of a role; raises `InputError` where there is none."""
        return _role(self.net, name)

    def weights(self, value: Mapping[str, int]) -> dict[int, int]:
        """Fluents with integer weights, whose sum the solver can hold.

        Raises `InputError` for anything else.
        """
        return _weights(self.net, self.rules, value)

    def move(self, role: int, text: str) -> int:
        """The place of a role's move among all moves; raises `InputError` where there is none."""
        index = self.net.move_index[role].get(_term(self.rules, text))
        if index is None:
            raise InputError(f"certificate: no move {_short(text)} of {self.net.roles[role]}")
        return index


def read_certificate(text: str, limits: Limits = DEFAULT) -> Certificate:
    """The certificate in a text, its rules grounded.

    Raises `InputError` for anything that is no certificate, or is not about the rules in it;
    `RulesError` for rules with faults, `LimitReached` where they are too large.
    """
    shape = read_shape(text)
    sheet = shape.sheet
    source = Source(sheet.name, shape.rules, declared=sheet.syntax)
    rules = read_rules(source, strict_case=sheet.strict_case, limits=limits)
    if rules.digest != sheet.sha256:
        raise InputError("certificate: the rules in it are not those that its digest is of")
    rules.require_valid()
    net = ground(rules, limits)
    try:
        listed = shape.turns.settings if shape.turns else []
        settings = tuple(
            (_role(net, one.role), frozenset(_fluent(net, rules, f) for f in one.holds))
            for one in listed
        )
        groups = tuple(
            (tuple(sorted({_fluent(net, rules, f) for f in group.fluents})), group.exact)
            for group in shape.groups
        )
        sums = tuple((_weights(net, rules, one.weights), one.value) for one in shape.sums)
        excluded = tuple(
            (
                *((_fluent(net, rules, f), True) for f in one.holds),
                *((_fluent(net, rules, f), False) for f in one.lacks),
            )
            for one in shape.excluded
        )
        bounds = tuple((_weights(net, rules, one.weights), one.most) for one in shape.bounds)
    except UnknownName as error:
        raise InputError(f"certificate: {error}") from None
    if any(abs(value) > MAX_WEIGHT for _, value in (*sums, *bounds)):
        raise InputError("certificate: a sum is too large to be checked")
    claims = tuple(msgspec.to_builtins(claim) for claim in shape.claims)
    return Certificate(shape, rules, net, settings, groups, sums, excluded, bounds, claims)


def _short(value: str) -> str:
    return repr(value)[:60]


def _term(rules: RuleSet, text: str) -> Term:
    return rules.symbols.fold(read_term(text))


def _role(net: Net, name: str) -> int:
    for i, role in enumerate(net.roles):
        if str(role) == name:
            return i
    raise InputError(f"certificate: there is no role {_short(name)}")


def _fluent(net: Net, rules: RuleSet, text: str) -> int:
    """The place of a fluent that a text names; raises `InputError` where there is none."""
    index = net.fluent_index.get(_term(rules, text))
    if index is None:
        raise InputError(f"certificate: there is no fluent {_short(text)}")
    return index


def _weights(net: Net, rules: RuleSet, value: Mapping[str, int]) -> dict[int, int]:
    found = {_fluent(net, rules, text): weight for text, weight in value.items()}
    if len(found) < len(value):
        raise InputError("certificate: a fluent has two weights")
    if sum(map(abs, found.values())) * 2 >= MAX_WEIGHT:
        raise InputError("certificate: the weights are too large to be checked")
    return found
