"""Successor relations that rules give by facts: of two arguments, one finite chain."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.kif import Term
from ggp.rules.rule import Signature, signature
from ggp.rules.ruleset import RuleSet

MIN_PAIRS = 3

KEYWORDS = ("legal", "goal", "does", "input", "sees")
"""Of two arguments."""


def chain_of(pairs: Iterable[tuple[Term, Term]]) -> tuple[Term, ...] | None:
    """The elements in order if `pairs` is one chain, else None.

    One start, one end, unique neighbours, at least three pairs, and all of them connected: a chain
    beside a circle has the first three properties, too.
    """
    after: dict[Term, Term] = {}
    before: dict[Term, Term] = {}
    count = 0
    for left, right in pairs:
        count += 1
        after[left] = right
        before[right] = left
    if count < MIN_PAIRS or not (len(after) == len(before) == count):
        return None
    starts = [term for term in after if term not in before]
    if len(starts) != 1:
        return None
    elements = [starts[0]]
    while elements[-1] in after:
        elements.append(after[elements[-1]])
    return tuple(elements) if len(elements) == count + 1 else None


def chains_of_facts(rules: RuleSet) -> dict[Signature, tuple[Term, ...]]:
    """The successor relations that are given by facts alone, with their elements: of rules that are
    not ground."""
    pairs: dict[Signature, dict[tuple[Term, Term], None]] = {}
    derived: set[Signature] = set()
    for rule in rules.rules:
        own = signature(rule.head)
        if own[1] == 2 and own[0] not in KEYWORDS:
            if rule.is_fact and rule.head.is_ground:
                pairs.setdefault(own, {})[rule.head.args[0], rule.head.args[1]] = None
            else:
                derived.add(own)
    found = {own: chain_of(pairs[own]) for own in pairs if own not in derived}
    return {own: elements for own, elements in found.items() if elements}
