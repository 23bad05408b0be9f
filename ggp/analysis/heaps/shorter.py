"""Sheets with a long chain of sizes, made shorter before they are ground.

Heaps of 20,000 need not be ground size by size where the same is proved of every length of the
chain (`any_size`): a sheet with fewer sizes and smaller heaps, proved for all longer ones, is about
the long one as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ggp.analysis.heaps.heap import Heap
from ggp.analysis.heaps.tables import without_tables
from ggp.kif import Term
from ggp.rules import RuleSet, Signature, signature
from ggp.rules.chains import chains_of_facts
from ggp.rules.sorts import Sorts

LONG = 500
"""Sizes of a chain from which on it is made shorter."""

LEAST, MOST, TOGETHER = 20, 100, 3_000
"""Sizes that are kept: so many at least and at most, and so many of all heaps together."""


@dataclass(frozen=True)
class Shorter:
    """A sheet made shorter. `rules`: with the sizes that are nearest to one end of the chain alone;
    `elements`: all sizes of the long one, counted from that end; `starts`: the facts about sizes
    that hold at first, each in the shorter sheet, where all are of the largest size, and as it was.
    `has_positive`: a table of positive sizes is taken for one, as on this chain, and on no longer.

    Whether these are heaps, and whether play runs towards that end, is not asked here.
    """

    rules: RuleSet
    elements: tuple[Term, ...]
    starts: dict[Term, Term]
    has_positive: bool = False

    def has_all(self, heaps: Iterable[Heap]) -> bool:
        """Whether heaps of the shorter sheet are all that is of a size at first, and play runs
        towards the end that is kept."""
        at_first = {heap.at(heap.elements[heap.size]) for heap in heaps}
        runs_down = all(heap.elements[0] == self.elements[0] for heap in heaps)
        return runs_down and at_first == self.starts.keys()


def shorter(rules: RuleSet, *, positive: bool = False) -> Iterator[Shorter]:
    """The ways to make a sheet shorter that has one long chain, given by facts: from either end.

    Tables of all sizes are no longer than the chain, see `without_tables`; of `positive` ones that
    is asked for where nothing is to be said of a longer chain than this.

    There are none where other rules than those about the start name a size that would be left out;
    see `any_size` for what else is asked of the rules.
    """
    long = [pair for pair in chains_of_facts(rules).items() if len(pair[1]) >= LONG]
    if len(long) != 1:
        return
    [(relation, elements)] = long
    whole = without_tables(rules, relation[0], elements)
    rules = without_tables(whole, relation[0], elements, positive=positive)
    if any(element.args for element in elements):
        return
    ends = (relation, 0), (relation, 1)
    sorts, sizes = Sorts(rules), set(elements)
    named: set[Term] = set()
    first: dict[int, int] = {}
    for number, (rule, own) in enumerate(
        zip(rules.rules, sorts.constants_like(*ends), strict=True)
    ):
        if not own or signature(rule.head) == relation:
            continue
        if rule.head.name == "init" and rule.is_fact:
            fact = rule.head.args[0]
            places = sorts.places_like(fact, *ends)
            if len(places) != 1 or not own <= sizes or any(arg.args for arg in fact.args):
                return
            first[number] = places[0]
        else:
            named |= own
    if not first:
        return
    kept = max(LEAST, min(MOST, TOGETHER // len(first)))
    for ordered in (elements, elements[::-1]):
        if named.issubset(ordered[:kept]):
            made = _cut(rules, relation, ordered, set(ordered[:kept]), first)
            if len(made.starts) == len(first):
                yield replace(made, has_positive=rules != whole)


def _cut(
    rules: RuleSet,
    relation: Signature,
    elements: tuple[Term, ...],
    kept: set[Term],
    first: dict[int, int],
) -> Shorter:
    """The sheet with the sizes `kept` alone; `first`: of rules about the start, by their number,
    the argument that is a size."""
    top = elements[len(kept) - 1]
    starts: dict[Term, Term] = {}
    changed = []
    for number, rule in enumerate(rules.rules):
        if signature(rule.head) == relation and not kept.issuperset(rule.head.args):
            continue
        if number in first:
            fact, place = rule.head.args[0], first[number]
            made = Term(fact.name, (*fact.args[:place], top, *fact.args[place + 1 :]))
            rule = replace(rule, head=Term("init", (made,)))
            starts[made] = fact
        changed.append(rule)
    return Shorter(replace(rules, rules=tuple(changed)), elements, starts)
