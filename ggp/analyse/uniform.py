"""Subtraction sets for heaps of any size: rules that look at sizes only from near by.

A rule sheet has a chain of a certain length. Where its rules mention the chain by its successor
relation alone, without recursion, and every size that a rule speaks of is tied by a few successors
to a heap or a move, what they say of sizes is a local first-order formula: it tells two chains
apart only by the neighbourhoods of the sizes up to a radius, and by constants that the rules name
(Gaifman, Proc. Herbrand Symposium 1981). In a chain that is long enough for every arrangement of
neighbourhoods to occur, what holds of all boards therefore holds in every longer chain. So the
sheet is made longer, and the heaps are proved again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ggp.analyse.boards import Boards, NotApplicable
from ggp.analyse.chains import Chain, chains
from ggp.analyse.heap_proof import proved_heaps
from ggp.analyse.heaps import Heap
from ggp.analyse.parts import Parts, split
from ggp.errors import LimitReached
from ggp.game import Game
from ggp.ground import candidates
from ggp.kif import Term
from ggp.rules import Rule, RuleSet, Signature, signature

MAX_SIZES, MAX_FLUENTS = 400, 6_000
"""Sizes of the chain that a sheet is made longer to, and of all heaps together."""


def any_size(game: Game, heaps: Sequence[Heap], seconds: float) -> bool:
    """Whether each heap's subtraction set and floor are proved for every length of the chain."""
    chain = next((c for c in chains(game.net) if _fits(c, heaps[0])), None)
    if chain is None or any(not _fits(chain, heap) for heap in heaps):
        return False
    if any(heap.subtraction_set is None for heap in heaps):
        return False
    upwards = chain.elements == heaps[0].elements
    wanted = _length(game.rules, chain, heaps)
    if wanted is None or wanted > MAX_SIZES:
        return False
    if len(chain.elements) >= wanted and all(h.size + 1 == len(h.elements) for h in heaps):
        return True
    if wanted * len(heaps) > MAX_FLUENTS:
        return False
    longer = _longer(game.rules, chain, heaps, wanted, upwards=upwards)
    if longer is None:
        return False
    try:
        limits = replace(game.limits, ground_seconds=min(seconds, game.limits.ground_seconds))
        found = _heaps(Game(longer, limits), seconds)
    except (LimitReached, NotApplicable):
        return False
    known = {heap.pattern: (heap.subtraction_set, heap.floor) for heap in found}
    return known == {heap.pattern: (heap.subtraction_set, heap.floor) for heap in heaps}


def _fits(chain: Chain, heap: Heap) -> bool:
    return heap.elements in (chain.elements, chain.elements[::-1])


def _heaps(game: Game, seconds: float) -> tuple[Heap, ...]:
    marker = game.marker
    if not game.is_ground or marker is None:
        return ()
    boards = Boards(game.net, marker, seconds)
    parts = Parts(boards, lambda: None)
    groups = [g for g in candidates(game.net) if not any(marker.mask >> i & 1 for i in g.fluents)]
    return proved_heaps(parts, split(parts, groups), game.net.initial)


def _length(rules: RuleSet, chain: Chain, heaps: Sequence[Heap]) -> int | None:
    """How many sizes a chain needs for every arrangement to occur; None for other rules."""
    relation, elements = (chain.relation, 2), heaps[0].elements
    starts = {heap.at(heap.elements[heap.size]) for heap in heaps}
    rank = {term: n for n, term in enumerate(elements)}
    graph = rules.graph
    if any(len(c) > 1 or c[0] in graph.edges.get(c[0], ()) for c in graph.components):
        return None
    named = 0
    for rule in rules.rules:
        inside = [rank[t] for t in _constants(rule) if t in rank]
        if signature(rule.head) == relation and not rule.is_fact:
            return None
        if rule.is_fact and rule.head.name == "init":
            inside = [] if rule.head.args[0] in starts else inside
        elif rule.is_fact:
            if inside and signature(rule.head) != relation:
                return None
            continue
        named = max(named, *inside) if inside else named
    changing = graph.depending_on([("true", 1), ("does", 2)])
    if not all(rule.is_fact or _is_tied(rule, changing) for rule in rules.rules):
        return None
    roots = [("legal", 2), ("next", 1), ("terminal", 0)]
    radius = sum(_count(rules, root, {relation}) for root in roots)
    states = sum(_count(rules, root, {("true", 1), ("does", 2)}) for root in roots)
    states += max(len(_variables(r.head)) for r in rules.rules if r.head.name == "legal")
    return named + (states + 2) * (2 * radius + 2)


def _constants(rule: Rule) -> Iterable[Term]:
    """All terms without arguments in a rule, variables apart."""
    pairs = (term for pairs in rule.distinct for pair in pairs for term in pair)
    todo = [rule.head, *rule.positive, *rule.negative, *pairs]
    while todo:
        term = todo.pop()
        todo += term.args
        if not term.args:
            yield term


def _variables(*terms: Term) -> set[Term]:
    found, todo = set(), list(terms)
    while todo:
        term = todo.pop()
        todo += term.args
        if term.is_variable:
            found.add(term)
    return found


def _is_tied(rule: Rule, changing: frozenset[Signature]) -> bool:
    """Whether static atoms tie each of their variables to the head or to an atom of the state."""
    tied = _variables(rule.head)
    static = []
    for atom in rule.positive:
        if signature(atom) in changing:
            tied |= _variables(atom)
        else:
            static.append(_variables(atom))
    while True:
        near = [own for own in static if not own or not own.isdisjoint(tied)]
        if not near:
            return not static
        static = [own for own in static if own not in near]
        tied = tied.union(*near)


def _count(rules: RuleSet, root: Signature, leaves: set[Signature]) -> int:
    """How many atoms of some relations a relation unfolds to, in the largest of its rules."""
    by_head: dict[Signature, list[Rule]] = {}
    for rule in rules.rules:
        by_head.setdefault(signature(rule.head), []).append(rule)
    known: dict[Signature, int] = {}

    def count(relation: Signature) -> int:
        if relation in leaves:
            return 1
        if relation not in known:
            known[relation] = max(
                (
                    sum(count(signature(atom)) for atom in (*rule.positive, *rule.negative))
                    for rule in by_head.get(relation, ())
                ),
                default=0,
            )
        return known[relation]

    return count(root)


def _longer(
    rules: RuleSet, chain: Chain, heaps: Sequence[Heap], wanted: int, *, upwards: bool
) -> RuleSet | None:
    """The rules with a chain of so many sizes at least, and all heaps at the largest."""
    names = {t.name for rule in rules.rules for t in _constants(rule)}
    prefix = "size"
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    sizes = list(heaps[0].elements)
    span = rules.rules[0].span
    facts = []
    while len(sizes) < wanted:
        new = Term(f"{prefix}{len(sizes)}")
        pair = (sizes[-1], new) if upwards else (new, sizes[-1])
        facts.append(Rule(Term(chain.relation, pair), (), (), (), span))
        sizes.append(new)
    starts = {heap.at(heap.elements[heap.size]): heap.at(sizes[-1]) for heap in heaps}
    changed = []
    for rule in rules.rules:
        if rule.head.name == "init" and rule.is_fact:
            fluent = starts.pop(rule.head.args[0], rule.head.args[0])
            rule = replace(rule, head=Term("init", (fluent,)))
        changed.append(rule)
    if starts:
        return None
    return replace(rules, rules=(*changed, *facts))
