"""Successor relations: static binary relations that are one finite chain."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ggp.analysis.evidence import Evidence
from ggp.analysis.finding import Finding
from ggp.deduce import Prover
from ggp.game import Game
from ggp.ground import Net
from ggp.kif import Term
from ggp.rules import Signature
from ggp.rules.chains import KEYWORDS, chain_of


@dataclass(frozen=True)
class Chain:
    """The elements of a successor relation from its start to its end."""

    relation: str
    elements: tuple[Term, ...]


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
