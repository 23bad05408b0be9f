"""The order of the names that an argument can have: by chains, as numbers, or as written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from ggp.deduce import Prover
from ggp.kif import Term
from ggp.rules import RuleSet, Signature
from ggp.rules.chains import KEYWORDS, chain_of

MAX_ROWS = 5_000
"""Of a static relation of three arguments that is looked at."""

Pairs = frozenset[tuple[Term, Term]]


@dataclass(frozen=True)
class Orders:
    """What the rules say of the order of names.

    `chains`: successor relations, the shortest first. `relations`: all static binary relations.
    `written`: each name's place in the text. `parts`: two arguments each of static relations of
    three.
    """

    chains: tuple[tuple[Term, ...], ...]
    relations: dict[Signature, Pairs]
    written: dict[str, int]
    parts: tuple[Pairs, ...] = ()
    _places: list[dict[Term, int]] = field(default_factory=list)

    def ordered(self, values: Collection[Term]) -> tuple[Term, ...]:
        """Some names in order: numerals by size, or by a chain that has them, or as written."""
        ranks = self._ranks(values)
        if ranks is not None:
            return tuple(sorted(values, key=lambda term: ranks[term]))
        return tuple(sorted(values, key=self._first))

    def all_up_to(self, values: Collection[Term]) -> tuple[Term, ...]:
        """Some names in order, with those of their chain that come before them."""
        ranks = self._ranks(values)
        if ranks is None:
            return self.ordered(values)
        last = max(ranks[value] for value in values)
        return tuple(sorted((v for v in ranks if ranks[v] <= last), key=lambda v: ranks[v]))

    def has_order(self, values: Collection[Term]) -> bool:
        """Whether numbers or a chain order some names, two at the least."""
        return len(values) > 1 and self._ranks(values) is not None

    def first(self, relation: Signature) -> int:
        """Where in the text a relation comes first, among all names."""
        return self.written.get(relation[0], len(self.written))

    def _ranks(self, values: Collection[Term]) -> dict[Term, int] | None:
        if all(is_numeral(value) for value in values):
            return {value: int(value.name) for value in values}
        if not self._places:
            self._places.extend({t: i for i, t in enumerate(chain)} for chain in self.chains)
        return next((ranks for ranks in self._places if all(v in ranks for v in values)), None)

    def _first(self, term: Term) -> tuple[int, str]:
        places = (self.written.get(name, len(self.written)) for name in term.symbols())
        return min(places), str(term)


def is_numeral(term: Term) -> bool:
    """Whether a term is a number of a length that is worth reading."""
    return not term.args and term.name.isdecimal() and len(term.name) < 10


def orders_of(rules: RuleSet, prover: Prover) -> Orders:
    """The chains among the static binary relations of a game, and where each name is written."""
    written: dict[str, int] = {}
    for rule in rules.rules:
        for atom in (rule.head, *rule.positive, *rule.negative):
            for name in atom.symbols():
                written.setdefault(name, len(written))
    changing = rules.graph.depending_on([("true", 1), ("does", 2)])
    found: dict[Signature, Pairs] = {}
    parts: list[Pairs] = []
    for relation in rules.graph.first:
        name, arity = relation
        if arity in (2, 3) and relation not in changing and name not in KEYWORDS:
            rows = prover.domain(name, arity)
            if arity == 2:
                found[relation] = frozenset((row[0], row[1]) for row in rows)
            elif len(rows) <= MAX_ROWS:
                sides = combinations(range(3), 2)
                parts += [frozenset((row[i], row[j]) for row in rows) for i, j in sides]
    chains = map(_upward, filter(None, map(chain_of, found.values())))
    return Orders(tuple(sorted(chains, key=len)), found, written, tuple(parts))


def _upward(chain: tuple[Term, ...]) -> tuple[Term, ...]:
    """A chain from its lower end on, where numerals at the end of its names tell which that is."""
    ends = [re.search(r"[0-9]{1,9}$", term.name) for term in chain]
    numbers = [int(end.group()) for end in ends if end]
    falling = len(numbers) == len(chain) and all(a > b for a, b in pairwise(numbers))
    return chain[::-1] if falling else chain


def joined(sets: Iterable[Collection[Term]]) -> set[Term]:
    """All that is in some collection."""
    return {term for own in sets for term in own}
