"""Tables that list all sizes of a chain, taken for rules that say so of chains of any length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ggp.kif import Term
from ggp.rules import Rule, RuleSet, Signature, signature

KEYWORDS = {("role", 1), ("init", 1), ("base", 1)}
"""Of one argument, and not about sizes alone."""


def without_tables(
    rules: RuleSet, relation: str, elements: Sequence[Term], *, is_down: bool = False
) -> RuleSet:
    """The same rules where a relation is given by facts for all sizes of a chain, or for all but
    the least: it holds of what has one before or after it, or just one that is less.

    `elements`: the chain of the `relation` by size, which is the order of the relation, or if it
    `is_down` the other one. On this chain that says the same, and a longer one is meant to have
    longer tables.
    """
    listed: dict[Signature, set[Term]] = defaultdict(set)
    others: set[Signature] = set(KEYWORDS)
    for rule in rules.rules:
        own = signature(rule.head)
        if own[1] == 1 and rule.is_fact:
            listed[own].add(rule.head.args[0])
        else:
            others.add(own)
    every = frozenset(elements)
    ways = {every: (0, 1), every - {elements[0]}: (0,) if is_down else (1,)}
    tables = {
        own: ways[frozenset(terms)]
        for own, terms in listed.items()
        if own not in others and frozenset(terms) in ways
    }
    if not tables:
        return rules
    kept = [rule for rule in rules.rules if signature(rule.head) not in tables]
    pair = Term("?size"), Term("?next")
    step = Term(relation, pair)
    span = rules.rules[0].span
    kept += [
        Rule(Term(name, (pair[place],)), (step,), (), (), span)
        for (name, _), places in tables.items()
        for place in places
    ]
    return replace(rules, rules=tuple(kept))
