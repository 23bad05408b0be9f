"""Which constants of a rule sheet can mean the same kind of thing."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping

from ggp.graphs import Joined
from ggp.kif import Term
from ggp.rules import Rule, RuleSet, Signature, signature

Place = tuple[Signature, int]
"""An argument of a relation or function."""

HEADS = {"init", "next", "base", "legal", "input"}
WHOLE: set[Signature] = {("true", 1), ("does", 2), ("init", 1), ("next", 1), ("base", 1)}
WHOLE |= {("legal", 2), ("input", 2)}
"""Relations that tell of fluents and moves; and those whose last argument is one as a whole."""


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


class SizesIn:
    """How many sizes an atom speaks of: of its arguments, and of theirs, those that can be one."""

    def __init__(self, rules: RuleSet, sorts: Sorts, kinds: Collection[Hashable]) -> None:
        self._sorts, self._kinds = sorts, kinds
        # Where terms stand that are made of others: a variable there may hide sizes.
        self._made = {
            sorts.sort((signature(term), n))
            for rule in rules.rules
            for term in terms_of(rule)
            for n, arg in enumerate(term.args)
            if arg.args
        }
        heads = (rule.head for rule in rules.rules if rule.head.name in HEADS)
        # A variable may stand for a whole fluent or move.
        self._most = 0
        self._most = max(map(self, heads), default=0)

    def __call__(self, atom: Term) -> int:
        """How many."""
        return sum(self._of(signature(atom), n, arg) for n, arg in enumerate(atom.args))

    def of_variable(self, rule: int, variable: Term) -> int:
        """How many a variable of a rule, given by its number, can be, or have in it."""
        sort = self._sorts.sort((rule, variable))
        return max(self._most if sort in self._made else 0, int(sort in self._kinds))

    def _of(self, whole: Signature, place: int, arg: Term) -> int:
        is_size = self._sorts.sort((whole, place)) in self._kinds
        is_whole = whole in WHOLE and place == whole[1] - 1
        if arg.is_variable and (is_whole or self._sorts.sort((whole, place)) in self._made):
            return max(self._most, is_size)
        return self(arg) if arg.args else int(is_size)


def last_named(
    rules: RuleSet,
    relation: Signature,
    rank: Mapping[Term, int],
    starts: Collection[Term],
    sorts: Sorts,
) -> int | None:
    """The last place on a chain that rules name, but for facts about the `starts`; 0 if they name
    none, and None where what they say of it may be about another, longer chain too. `rank`: the
    places of its elements."""
    if any(element.args for element in rank):
        return None  # constants alone are looked for below
    if sorts.sort((("goal", 2), 1)) in {sorts.sort((relation, n)) for n in (0, 1)}:
        return None  # another chain has other goals
    named = 0
    ends = (relation, 0), (relation, 1)
    for number, (rule, inside) in enumerate(
        zip(rules.rules, sorts.constants_like(*ends), strict=True)
    ):
        if signature(rule.head) == relation:
            if not rule.is_fact:
                return None
        elif rule.head.name == "init" and rule.is_fact and rule.head.args[0] in starts:
            if sorts.count_like(number, *ends) > 1:
                return None  # a name, of a heap or a row, which may be a size as well
        else:
            # What is said of sizes beyond this chain would be said of those of a longer one.
            is_table = rule.is_fact and rule.head.name != "init"
            if inside and (is_table or not inside <= rank.keys()):
                return None
            named = max([named, *(rank[term] for term in inside)])
    return named


def terms_of(rule: Rule) -> Iterator[Term]:
    """All atoms and terms in a rule, and those that they are made of."""
    pairs = (term for pairs in rule.distinct for pair in pairs for term in pair)
    todo = [rule.head, *rule.positive, *rule.negative, *pairs]
    while todo:
        term = todo.pop()
        todo += term.args
        yield term
