"""Successor relations: static binary relations that are one finite chain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ggp.analyse.evidence import Evidence
from ggp.analyse.finding import Finding
from ggp.game import Game
from ggp.ground import Net
from ggp.kif import Term

MIN_PAIRS = 3


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
    """The successor relations of a game, by name."""
    found = []
    for (name, _), pairs in sorted(net.statics.items()):
        elements = chain_of(pairs)
        if elements:
            found.append(Chain(name, elements))
    return found


def successor_chains(game: Game) -> Finding:
    """The static relations that are successor relations, under whatever name."""
    found = chains(game.net)
    value = [
        {"relation": c.relation, "elements": [str(term) for term in c.elements]} for c in found
    ]
    why = f"{len(found)} of {len(game.net.statics)} static binary relations are one chain"
    return Finding("successor_chains", value, "proved", Evidence(why))
