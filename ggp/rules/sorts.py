"""Which constants of a rule sheet can mean the same kind of thing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ggp.graphs import Joined
from ggp.kif import Term
from ggp.rules.rule import Signature, signature
from ggp.rules.ruleset import RuleSet

Place = tuple[Signature, int]
"""An argument of a relation or function."""


class Sorts:
    """Which arguments can have values in common: those that some rule's variable links.

    Constants of one rule sheet mean different things in different places: a heap's name, a size.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._joined = Joined()
        self._constants: list[list[tuple[Hashable, Term]]] = []
        for keyword in ("init", "next", "base"):
            self._joined.join([((keyword, 1), 0), (("true", 1), 0)])
        for keyword in ("legal", "input"):
            for place in (0, 1):
                self._joined.join([((keyword, 2), place), (("does", 2), place)])
        for number, rule in enumerate(rules.rules):
            self._constants.append([])
            for atom in (rule.head, *rule.positive, *rule.negative):
                self._read(atom, number)
            for pairs in rule.distinct:
                for a, b in pairs:
                    self._same(a, b, number)

    @property
    def constants(self) -> Iterator[tuple[Hashable, Term]]:
        """All constants of the rules, with where they stand."""
        return (pair for own in self._constants for pair in own)

    def constants_like(self, *places: Place) -> list[set[Term]]:
        """For each rule its constants that stand where values of some places can."""
        wanted = {self._joined.find(place) for place in places}
        return [
            {term for place, term in own if self._joined.find(place) in wanted}
            for own in self._constants
        ]

    def count_like(self, rule: int, *places: Place) -> int:
        """How many constants a rule, given by its number, has where values of some places can
        stand, the same one as often as it does."""
        wanted = {self._joined.find(place) for place in places}
        return sum(self._joined.find(place) in wanted for place, _ in self._constants[rule])

    def sort(self, place: Hashable) -> Hashable:
        """What a place has in common with all others that values can go to or come from; `place`
        may be the number of a rule with one of its variables, too."""
        found: Hashable = self._joined.find(place)
        return found

    def places_like(self, term: Term, *places: Place) -> list[int]:
        """The arguments of a term that can have values of some places."""
        wanted = {self._joined.find(place) for place in places}
        own = signature(term)
        return [n for n in range(own[1]) if self._joined.find((own, n)) in wanted]

    def _read(self, term: Term, rule: int) -> None:
        for place, arg in enumerate(term.args):
            self._put((signature(term), place), arg, rule)

    def _put(self, place: Hashable, term: Term, rule: int) -> None:
        """Say that a term stands somewhere."""
        if term.is_variable:
            self._joined.join([place, (rule, term)])
        elif term.args:
            self._read(term, rule)
        else:
            self._constants[rule].append((place, term))

    def _same(self, a: Term, b: Term, rule: int) -> None:
        """Say that two terms are compared."""
        if a.is_variable or b.is_variable:
            variable, other = (a, b) if a.is_variable else (b, a)
            self._put((rule, variable), other, rule)
        elif a.args and b.args and signature(a) == signature(b):
            for x, y in zip(a.args, b.args, strict=True):
                self._same(x, y, rule)
