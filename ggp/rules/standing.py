"""What may stand where in facts: of which the rules could say anything at all."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ggp.kif import Term
from ggp.rules.chains import chains_of_facts
from ggp.rules.rule import is_numeral, signature
from ggp.rules.ruleset import RuleSet
from ggp.rules.sorts import Place, Sorts


class Standing:
    """The constants that rules name where one argument's values can be, by places of one sort.

    A number greater than all of the chains of numbers that a sort has is none of it, even where
    rules name it for another reason, as an amount or a heap's name: on a longer chain it would mean
    something else.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._sorts = Sorts(rules)
        self._named: dict[Hashable, set[Term]] = {}
        for place, constant in self._sorts.constants:
            self._named.setdefault(self._sorts.sort(place), set()).add(constant)
        self._most: dict[Hashable, _Size] = {}
        for relation, elements in chains_of_facts(rules).items():
            if all(map(is_numeral, elements)):
                sort = self._sorts.sort((relation, 0))
                largest = max(map(_size, elements))
                self._most[sort] = max(largest, self._most.get(sort, largest))

    def misplaced(self, fact: Term) -> Term | None:
        """The first constant of a ground fact that cannot stand where it does; None without any."""
        return next((term for place, term in _constants(fact) if not self._may(place, term)), None)

    def _may(self, place: Place, constant: Term) -> bool:
        sort = self._sorts.sort(place)
        if sort in self._most and is_numeral(constant) and _size(constant) > self._most[sort]:
            return False
        return constant in self._named.get(sort, ())


def _constants(term: Term) -> Iterator[tuple[Place, Term]]:
    for n, arg in enumerate(term.args):
        if arg.args:
            yield from _constants(arg)
        else:
            yield (signature(term), n), arg


_Size = tuple[int, str]


def _size(number: Term) -> _Size:
    """What numerals of any length are compared by."""
    digits = number.name.lstrip("0")
    return len(digits), digits
