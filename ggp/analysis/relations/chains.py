"""Successor relations: static binary relations that are one finite chain."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ggp.analysis.evidence import Evidence
from ggp.analysis.finding import Finding
from ggp.deduce import Prover
from ggp.game import Game
from ggp.ground import Net
from ggp.kif import Term
from ggp.rules import RuleSet, Signature, signature

MIN_PAIRS = 3

KEYWORDS = ("legal", "goal", "does", "input", "sees")
"""Of two arguments."""


@dataclass(frozen=True)
class Chain:
    """The elements of a successor relation from its start to its end."""

    relation: str
    elements: tuple[Term, ...]


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


def chains(net: Net) -> list[Chain]:
    """The successor relations that a game's rules use, by name."""
    return _chains(net.statics)


def _chains(statics: Mapping[Signature, Collection[tuple[Term, Term]]]) -> list[Chain]:
    found = []
    for (name, _), pairs in sorted(statics.items()):
        elements = chain_of(pairs)
        if elements:
            found.append(Chain(name, elements))
    return found


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


def static_relations(game: Game) -> dict[Signature, frozenset[tuple[Term, Term]]]:
    """All binary relations that depend neither on the state nor on the moves, and are not empty.

    Those that nothing uses as well. Raises `LimitReached` where one is too large to be evaluated.
    """
    found = dict(game.net.statics)
    graph = game.rules.graph
    changing = graph.depending_on([("true", 1), ("does", 2)])
    prover = Prover(game.rules, game.limits)
    for relation in graph.first:
        name, arity = relation
        if arity == 2 and relation not in {*changing, *found} and name not in KEYWORDS:
            rows = frozenset((row[0], row[1]) for row in prover.domain(name, arity))
            if rows:
                found[relation] = rows
    return found


def successor_chains(game: Game) -> Finding:
    """The static relations that are successor relations, under whatever name."""
    statics = static_relations(game)
    found = _chains(statics)
    value = [
        {"relation": c.relation, "elements": [str(term) for term in c.elements]} for c in found
    ]
    why = f"{len(found)} of {len(statics)} static binary relations are one chain"
    return Finding("successor_chains", value, "proved", Evidence(why))
