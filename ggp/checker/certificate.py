"""Certificates: the rules, what was assumed, and what was claimed, as one JSON object.

Certificates come from strangers like rule sheets do. Every part is looked at before it is used, and
nothing of it is more than data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ggp.errors import InputError, UnknownName
from ggp.ground import Net, ground
from ggp.kif import Source, read_term
from ggp.limits import DEFAULT, Limits
from ggp.rules import RuleSet, read_rules

FORMAT = "ggp-certificate-1"

MAX_CHARACTERS = 64_000_000
"""Of a certificate."""

MAX_WEIGHT = 1 << 30
"""Of all weights together, without their signs: the solver has 32 bits for a sum."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """A certificate whose rules are read and grounded and whose fluents and moves exist.

    `marker`: for each role the fluents (indices) that hold where it is to move, of all those that
    mark somebody; empty for none. `groups`: sets of fluents of which just one (True) or at most
    one holds. `sums`: weights of fluents, and what those that hold sum to. `claims` are plain data,
    still to be looked at.
    """

    name: str
    rules: RuleSet
    net: Net
    marker: tuple[frozenset[int], ...]
    groups: tuple[tuple[tuple[int, ...], bool], ...]
    sums: tuple[tuple[Mapping[int, int], int], ...]
    claims: tuple[Mapping[str, Any], ...]

    @property
    def marker_fluents(self) -> frozenset[int]:
        """All fluents of the marker."""
        return frozenset().union(*self.marker)

    @property
    def best_goals(self) -> list[int]:
        """For each role the best goal that its rules name, whether some state has it or not."""
        best = [max([0, *(value for value, _ in known)]) for known in self.net.goals]
        for rule in self.rules.rules:
            if rule.head.name != "goal":
                continue
            whose, value = map(str, rule.head.args)
            if value.isdigit():
                for i, role in enumerate(map(str, self.net.roles)):
                    if whose == role or whose.startswith("?"):
                        best[i] = max(best[i], int(value))
        return best

    def role(self, name: object) -> int:
        """The place of a role; raises `InputError` where there is none."""
        for i, role in enumerate(self.net.roles):
            if str(role) == name:
                return i
        raise InputError(f"certificate: there is no role {_short(name)}")

    def fluent(self, text: object) -> int:
        """The place of a fluent; raises `InputError` where there is none."""
        return fluent_of(self.net, self.rules, text)

    def weights(self, value: object) -> dict[int, int]:
        """Fluents with integer weights, whose sum the solver can hold.

        Raises `InputError` for anything else.
        """
        return weights_of(self.net, self.rules, value)

    def move(self, role: int, text: object) -> int:
        """The place of a role's move among all moves; raises `InputError` where there is none."""
        index = self.net.move_index[role].get(_term(self.rules, text))
        if index is None:
            raise InputError(f"certificate: no move {_short(text)} of {self.net.roles[role]}")
        return index


def _short(value: object) -> str:
    return repr(value)[:60]


def _term(rules: RuleSet, text: object) -> Any:  # noqa: ANN401
    if not isinstance(text, str):
        raise InputError(f"certificate: {_short(text)} is no term")
    return rules.symbols.fold(read_term(text))


def fluent_of(net: Net, rules: RuleSet, text: object) -> int:
    """The place of a fluent that a text names; raises `InputError` where there is none."""
    index = net.fluent_index.get(_term(rules, text))
    if index is None:
        raise InputError(f"certificate: there is no fluent {_short(text)}")
    return index


def weights_of(net: Net, rules: RuleSet, value: object) -> dict[int, int]:
    """Weights of fluents that are named; raises `InputError` if they are none or too large."""
    found = {}
    for text, weight in mapped(value, "weights").items():
        if type(weight) is not int:
            raise InputError("certificate: a weight is no integer")
        found[fluent_of(net, rules, text)] = weight
    if sum(map(abs, found.values())) * 2 > MAX_WEIGHT:
        raise InputError("certificate: the weights are too large to be checked")
    return found


def listed(value: object, what: str) -> list[Any]:
    """`value` as a list; raises `InputError` if it is none."""
    if not isinstance(value, list):
        raise InputError(f"certificate: {what} is no list")
    return value


def mapped(value: object, what: str) -> dict[str, Any]:
    """`value` as an object; raises `InputError` if it is none."""
    if not isinstance(value, dict):
        raise InputError(f"certificate: {what} is no object")
    return value


def read_certificate(text: str, limits: Limits = DEFAULT) -> Certificate:
    """The certificate in a text, its rules grounded.

    Raises `InputError` for anything that is no certificate, `RulesError` for rules with faults,
    `LimitReached` where they are too large.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"certificate: more than {MAX_CHARACTERS:,} characters")
    try:
        data = mapped(json.loads(text), "all of it")
    except (ValueError, RecursionError) as error:
        raise InputError(f"certificate: no JSON ({str(error)[:80]})") from None
    if data.get("format") != FORMAT:
        raise InputError(f"certificate: its format is not {FORMAT}")
    sheet, name = data.get("rules"), data.get("game")
    if not isinstance(sheet, str) or not isinstance(name, str):
        raise InputError("certificate: it lacks the rules or their name")
    strict = data.get("strict_case") is True
    rules = read_rules(Source(name, sheet), strict_case=strict, limits=limits)
    rules.require_valid()
    net = ground(rules, limits)
    try:
        marker = listed(data.get("marker", []), "the marker")
        if marker and len(marker) != len(net.roles):
            raise InputError("certificate: a marker says of each role what marks it")
        marks = tuple(
            frozenset(fluent_of(net, rules, f) for f in listed(own, "a mark")) for own in marker
        )
        groups = []
        for group in listed(data.get("groups", []), "the groups"):
            own = mapped(group, "a group")
            fluents = [fluent_of(net, rules, f) for f in listed(own.get("fluents"), "a group")]
            groups.append((tuple(sorted(set(fluents))), own.get("exact") is True))
        sums = []
        for one in listed(data.get("sums", []), "the sums"):
            own = mapped(one, "a sum")
            if type(own.get("value")) is not int or abs(own["value"]) > MAX_WEIGHT:
                raise InputError("certificate: a sum is no integer, or too large")
            sums.append((weights_of(net, rules, own.get("weights")), own["value"]))
    except UnknownName as error:
        raise InputError(f"certificate: {error}") from None
    claims = tuple(mapped(c, "a claim") for c in listed(data.get("claims", []), "the claims"))
    return Certificate(name, rules, net, marks, tuple(groups), tuple(sums), claims)
