"""Sheets with many heaps, made smaller before they are ground.

A hundred heaps that rules tell apart by nothing but their sizes need not be ground one by one: what
is proved of a few on every board holds of any number, if rules look at other heaps in one way only,
that there are some of a kind.

Let what rules say be made of atoms about heaps, their names variables, by *and*, *or* and *there is
a heap*; of inequalities; and of *not* before what speaks of no heap or is a closed sentence of this
kind (`(not matches)`). What such a formula says of some heaps on a board is true just if it is true
on a part of the board that has these heaps and, for every *there is*, one that makes it true: more
heaps take nothing away. For a board of many heaps and any question about one of them there is so a
part of a few, on which all sentences in the rules are as true as on the whole, and what is proved
of every board of few heaps answers it. As many heaps are kept as make one atom of each kind true,
and every sentence that is denied, all at once, and two. Names are no compound terms, whose parts
rules could speak of, and stand in nothing but these facts, moves, and variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ggp.analysis.heaps.heap import HOLE
from ggp.kif import Term
from ggp.rules import Rule, RuleSet, Signature, signature
from ggp.rules.chains import chains_of_facts
from ggp.rules.keywords import WRAPPERS
from ggp.rules.sorts import Sorts

MANY, TIMES = 20, 2
"""Heaps from which on some are left out, and how many times as many there are to be as are kept."""

ROOTS: tuple[Signature, ...] = (("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2))
"""Relations that are asked for what happens."""


@dataclass(frozen=True)
class Fewer:
    """A sheet with a few of its heaps. `rules`: with the heaps `kept` alone, all of one size, from
    which on the chain `elements` those of the others can be come to; `starts`: the facts of the
    large sheet by the names of its heaps; `name`, `size`: which arguments of these are what.

    Whether these are heaps is not asked here.
    """

    rules: RuleSet
    kept: tuple[Term, ...]
    elements: tuple[Term, ...]
    starts: dict[Term, Term]
    name: int
    size: int

    def shape(self, name: Term) -> Term:
        """The fluent of a heap, with a hole for its size."""
        fact = self.starts[name]
        return Term(fact.name, (*fact.args[: self.size], HOLE, *fact.args[self.size + 1 :]))

    @property
    def kept_shapes(self) -> set[Term]:
        """Those of the heaps that are kept."""
        return set(map(self.shape, self.kept))


def fewer(rules: RuleSet, many: int | None = None, times: int | None = None) -> Iterator[Fewer]:
    """The ways to leave out heaps of a sheet, if its rules are such as is said above, and it has so
    many, and so many times as are kept; by default `MANY` and `TIMES`."""
    times = TIMES if times is None else times
    for family, facts in _families(rules, MANY if many is None else many).items():
        for name in range(family[1]):
            names = [fact.args[name] for fact in facts.values()]
            if len(set(names)) < len(names) or any(named.args for named in names):
                continue
            wanted = _heaps_that_tell_all(rules, family, name, facts)
            if wanted is None or max(times * wanted, wanted + 1) > len(facts):
                continue
            for size in range(family[1]):
                yield from _ways(rules, facts, name, size, wanted)


def _families(rules: RuleSet, many: int) -> dict[Signature, dict[int, Term]]:
    """Fluents of which many hold at first, by facts: with the numbers of these rules."""
    found: dict[Signature, dict[int, Term]] = {}
    for number, rule in enumerate(rules.rules):
        if rule.head.name == "init" and rule.is_fact:
            fact = rule.head.args[0]
            found.setdefault(signature(fact), {})[number] = fact
    return {family: facts for family, facts in found.items() if len(facts) >= many}


def _ways(
    rules: RuleSet, facts: dict[int, Term], name: int, size: int, wanted: int
) -> Iterator[Fewer]:
    """The sheets with so many heaps, of the size that is last among theirs on a chain, from either
    end."""
    one, *others = facts.values()
    fixed = [n for n in range(len(one.args)) if n not in (name, size)]
    if name == size or any(f.args[n] != one.args[n] for f in others for n in fixed):
        return
    sizes = {fact.args[size] for fact in facts.values()}
    for elements in chains_of_facts(rules).values():
        if not sizes.issubset(elements):
            continue
        for ordered in (elements, elements[::-1]):
            top = max(sizes, key=ordered.index)
            kept = list(facts)[:wanted]
            changed = []
            for number, rule in enumerate(rules.rules):
                if number in kept:
                    args = list(facts[number].args)
                    args[size] = top
                    fluent = Term(one.name, tuple(args))
                    changed.append(replace(rule, head=Term("init", (fluent,))))
                elif number not in facts:
                    changed.append(rule)
            yield Fewer(
                replace(rules, rules=tuple(changed)),
                tuple(facts[number].args[name] for number in kept),
                ordered,
                {fact.args[name]: fact for fact in facts.values()},
                name,
                size,
            )


def _heaps_that_tell_all(
    rules: RuleSet, family: Signature, name: int, facts: dict[int, Term]
) -> int | None:
    """How many heaps tell what holds of any number; None where rules say other things of them."""
    speech = _Speech(rules, (family, name))
    if any(own for number, own in enumerate(speech.constants) if number not in facts):
        return None
    if not all(map(speech.is_plain, range(len(rules.rules)))):
        return None
    if any(map(rules.graph.is_recursive, speech.about)):
        return None
    denied = {signature(a) for rule in rules.rules for a in rule.negative} & speech.about
    return sum(map(speech.witnesses, [*ROOTS, *denied])) + 2


class _Speech:
    """How the rules of a sheet speak of heaps, whose names are values of one place of a fluent."""

    def __init__(self, rules: RuleSet, place: tuple[Signature, int]) -> None:
        self._rules = rules.rules
        self._place = place
        self._sorts = Sorts(rules)
        self._name = self._sorts.sort(place)
        self.constants = self._sorts.constants_like(place)
        # Where terms stand that have a name within: a variable there would hide it.
        self._hiding = {
            self._sorts.sort((signature(term), n))
            for rule in rules.rules
            for term in _within(rule)
            for n, arg in enumerate(term.args)
            if arg.args and self._has_name(arg)
        }
        self._by_head: dict[Signature, list[int]] = {}
        for number, rule in enumerate(rules.rules):
            self._by_head.setdefault(signature(rule.head), []).append(number)
        direct = [
            signature(rule.head)
            for number, rule in enumerate(rules.rules)
            if self._names(number) or any(map(self._has_name, _atoms(rule)))
        ]
        self.about = {*direct, *rules.graph.depending_on(direct)} - {("true", 1), ("does", 2)}
        """Relations that say something of heaps."""
        self._witnesses: dict[Signature, int] = {}

    def _has_name(self, term: Term) -> bool:
        """Whether a name may stand somewhere in a term."""
        own = signature(term)
        return any(
            self._sorts.sort((own, n)) == self._name or (arg.args and self._has_name(arg))
            for n, arg in enumerate(term.args)
        )

    def _names(self, number: int) -> set[Term]:
        """The variables of a rule that stand for names."""
        return {v for v in _variables(self._rules[number]) if self._is_name(number, v)}

    def _is_name(self, number: int, variable: Term) -> bool:
        return self._sorts.sort((number, variable)) == self._name

    def is_plain(self, number: int) -> bool:
        """Whether a rule says of heaps nothing but what is said above."""
        rule = self._rules[number]
        if any(self._sorts.sort((number, v)) in self._hiding for v in _variables(rule)):
            return False
        sides = (term for pairs in rule.distinct for pair in pairs for term in pair)
        if any(term.args and self._has_name(term) for term in sides):
            return False
        for atom in _atoms(rule):
            if atom.name in WRAPPERS and len(atom.args) == 1 and not self._is_one(atom.args[0]):
                return False
        return all(map(self._may_be_denied, rule.negative))

    def _is_one(self, fluent: Term) -> bool:
        """Whether a fluent is a heap with one name, or has none."""
        if not self._has_name(fluent):
            return True
        own = signature(fluent)
        return own == self._place[0] and not any(
            (arg.args and self._has_name(arg))
            or (n != self._place[1] and self._sorts.sort((own, n)) == self._name)
            for n, arg in enumerate(fluent.args)
        )

    def _may_be_denied(self, atom: Term) -> bool:
        """Whether an atom speaks of no heap, or is a sentence without variables."""
        if self._has_name(atom):
            return False
        return signature(atom) not in self.about or not atom.args

    def witnesses(self, relation: Signature) -> int:
        """How many heaps at the most make an atom of a relation true, its own ones among them,
        where closed sentences that are denied are as on the whole board."""
        if relation not in self.about:
            return 0
        if relation not in self._witnesses:
            self._witnesses[relation] = max(
                len(self._names(number))
                + sum(self.witnesses(signature(atom)) for atom in self._rules[number].positive)
                for number in self._by_head[relation]
            )
        return self._witnesses[relation]


def _atoms(rule: Rule) -> list[Term]:
    return [rule.head, *rule.positive, *rule.negative]


def _within(rule: Rule) -> Iterator[Term]:
    """All atoms of a rule, terms that are compared, and all terms within these."""
    todo = [*_atoms(rule), *(t for pairs in rule.distinct for pair in pairs for t in pair)]
    while todo:
        term = todo.pop()
        todo += term.args
        yield term


def _variables(rule: Rule) -> set[Term]:
    return {term for term in _within(rule) if term.is_variable}
