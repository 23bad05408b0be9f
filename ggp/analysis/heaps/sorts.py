"""How many sizes an atom speaks of, and the last of a chain that rules name."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping

from ggp.kif import Term
from ggp.rules import Rule, RuleSet, Signature, signature
from ggp.rules.sorts import Sorts

HEADS = {"init", "next", "base", "legal", "input"}
WHOLE: set[Signature] = {("true", 1), ("does", 2), ("init", 1), ("next", 1), ("base", 1)}
WHOLE |= {("legal", 2), ("input", 2)}
"""Relations that tell of fluents and moves; and those whose last argument is one as a whole."""


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
