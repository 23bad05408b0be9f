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
    rules: RuleSet, relation: str, elements: Sequence[Term], *, positive: bool = False
) -> RuleSet:
    """The same rules where a relation is given by facts for all sizes of a chain, or where it is
    asked for the `positive` ones, for all but the least: it holds of what has one before or after
    it, or just one that is less.

    `elements`: the chain of the `relation`, in its order. On this chain that says the same. A
    table of all sizes says what a size is, and is meant to be as long as a longer chain; one of the
    positive sizes may also list amounts, which would be the same on that.
    """
    tables: dict[Signature, tuple[int, ...]] = dict.fromkeys(_listing(rules, elements), (0, 1))
    if positive:
        tables |= dict.fromkeys(_listing(rules, elements[1:]), (1,))
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


def tables_of_all(rules: RuleSet, elements: Sequence[Term]) -> list[str]:
    """The names of the tables that list all sizes of a chain."""
    return sorted(name for name, _ in _listing(rules, elements))


def _listing(rules: RuleSet, elements: Sequence[Term]) -> list[Signature]:
    """The relations that are given by a fact for each of some terms and by nothing else."""
    listed: dict[Signature, set[Term]] = defaultdict(set)
    others: set[Signature] = set(KEYWORDS)
    for rule in rules.rules:
        own = signature(rule.head)
        if own[1] == 1 and rule.is_fact:
            listed[own].add(rule.head.args[0])
        else:
            others.add(own)
    wanted = set(elements)
    return [own for own, terms in listed.items() if own not in others and terms == wanted]
