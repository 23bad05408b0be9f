"""Subtraction sets for heaps of any size: rules that look at sizes only from near by.

A rule sheet has a chain of a certain length. Where its rules mention the chain by its successor
relation alone, without recursion, and every size that a rule speaks of is tied by a few successors
to a heap or a move, what they say of sizes is a local first-order formula: it tells two chains
apart only by the neighbourhoods of the sizes up to a radius, and by constants that the rules name
(Gaifman, Proc. Herbrand Symposium 1981). In a chain that is long enough for every arrangement of
neighbourhoods to occur, what holds of all boards therefore holds in every longer chain. So the
sheet is made longer, and the heaps are proved again, of all sizes of the chain: those that play
comes to from the end of one are not all that it comes to from that of another. Of chains that are
not as long nothing is said, unless they are looked at themselves. Constants that the rules compare
with sizes must lie on the chain: what is said of a size that is not there yet would be said of one
of a longer chain.

That as many sizes are enough as `_length` says rests on the proof of heaps (`proved_heaps`), which
looks at one heap with nothing known of all others: a sentence about all heaps at once, which tells
more sizes apart than it has atoms, is nothing that it proves anything from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from ggp.analysis.boards.boards import Boards, NotApplicable
from ggp.analysis.boards.parts import PartSimulation, split
from ggp.analysis.heaps.heap import Heap
from ggp.analysis.heaps.proof import proved_heaps
from ggp.analysis.heaps.sorts import SizesIn, last_named, terms_of
from ggp.analysis.heaps.tables import without_tables
from ggp.analysis.relations.chains import Chain, chains
from ggp.errors import LimitReached, RulesError
from ggp.game import Game
from ggp.ground import candidates, find_marker
from ggp.kif import Term
from ggp.rules import Rule, RuleSet, Signature, signature
from ggp.rules.sorts import Sorts
from ggp.theory import SubtractionGame
from ggp.work import work_done

MAX_SIZES, MAX_FLUENTS = 3_000, 6_000
"""Sizes of the chain that a sheet is made longer to, and of all heaps together."""

MAX_RULES = 300_000
"""Ground rules of a longer sheet."""

LENGTHS = 2
"""Of chains that are tried, one more than is needed."""


def any_size(
    game: Game,
    heaps: Sequence[Heap],
    work: float,
    also: Callable[[Game], bool] | None = None,
) -> bool:
    """Whether each heap's subtraction set and floor are proved for every length of the chain.

    A set whose amounts have a common divisor leaves other floors from sizes of other residues, so
    that one floor is none for any size: see `games_of_any_size`, also for `also`.
    """
    found = games_of_any_size(game, heaps, work, also)
    return found is not None and all(
        math.gcd(*own.subtraction_set) == 1 and own.floor == heap.floor
        for own, heap in zip(found, heaps, strict=True)
    )


def games_of_any_size(
    game: Game,
    heaps: Sequence[Heap],
    work: float,
    also: Callable[[Game], bool] | None = None,
    length: int = 0,
) -> tuple[SubtractionGame, ...] | None:
    """The game that each heap follows whatever its size, where that is proved for every chain that
    is long enough: the amounts of the heap, and the size that none falls below.

    Of all heaps on one chain, read in one direction. Where its amounts have a common divisor a heap
    of the sheet comes to one residue alone; the others are on the longer chains, of which all sizes
    are looked at. `also`: what is to be proved of each longer sheet besides, about moves, ends and
    goals of every board. `length`: of a chain for which it is to be proved as well, though it be
    shorter.
    """
    if any(heap.subtraction_set is None for heap in heaps):
        return None
    until = work_done() + work
    for chain in chains_of(game, heaps):
        floors = _on_longer(game, heaps, chain, until, also, length)
        if floors is not None:
            return tuple(
                SubtractionGame(heap.subtraction_set or (), floor)
                for heap, floor in zip(heaps, floors, strict=True)
            )
    return None


def chains_of(game: Game, heaps: Sequence[Heap]) -> list[Chain]:
    """The chains that all of some heaps lie on, read in one direction; none where they do not.

    A relation that is made of the chain's own is a chain as well, and cannot be made longer.
    """
    elements = heaps[0].elements
    if any(heap.elements != elements for heap in heaps):
        return []
    return [own for own in chains(game.net) if elements in (own.elements, own.elements[::-1])]


def _on_longer(
    game: Game,
    heaps: Sequence[Heap],
    chain: Chain,
    until: float,
    also: Callable[[Game], bool] | None,
    length: int,
) -> list[int] | None:
    """The floors for any size, of one chain."""
    starts = {heap.at(heap.elements[heap.size]) for heap in heaps}
    about = [("goal", 2)] if also else []
    rules = listed_by_rules(game.rules, chain, heaps)
    asked = rules, chain.relation, heaps[0].elements, starts, about
    wanted = length_for(*asked, min(heap.floor for heap in heaps))
    if wanted is None or wanted > MAX_SIZES:
        return None
    if any(moves_below(game, chain, heaps, n) for n in range(max(h.floor for h in heaps))):
        return None
    wanted = max(wanted, len(chain.elements) + 1)
    if (wanted + LENGTHS) * len(heaps) > MAX_FLUENTS:
        return None
    floors: list[int] | None = None
    tried = [wanted + more for more in range(LENGTHS)]
    if len(chain.elements) < length < wanted:
        tried.append(length)
    for size in tried:
        found = _alike(game, rules, chain, heaps, size, until - work_done(), also)
        if found is None or (floors is not None and floors != found):
            return None
        floors = found
    # No size above a floor is named by rules, though this heap come to none below it.
    if floors is None or length_for(*asked, min(floors)) is None:
        return None
    return floors if all(map(_is_as_on_longer, heaps, floors)) else None


def _is_as_on_longer(heap: Heap, least: int) -> bool:
    """Whether a heap of the sheet is what longer chains have, down to sizes that it may not come
    to."""
    of, takes = heap.subtraction_set or (), heap.takes.items()
    return all(own == tuple(d for d in of if n - d >= least) for n, own in takes)


def listed_by_rules(rules: RuleSet, chain: Chain, heaps: Sequence[Heap]) -> RuleSet:
    """The rules of some heaps without tables of sizes, see `without_tables`."""
    return without_tables(rules, chain.relation, heaps[0].elements)


def moves_below(game: Game, chain: Chain, heaps: Sequence[Heap], size: int) -> bool:
    """Whether there may be a move where all heaps are of some size below their floors, if that is
    below them, and else at these."""
    sizes = [min(size, heap.floor) for heap in heaps]
    below = longer_sheet(game.rules, chain, heaps, 0, sizes)
    if below is None:
        return True
    try:
        start = Game(below, game.limits).initial
    except RulesError:
        return True
    moves = [start.legal(role) for role in game.roles]
    # Who is to move can do nothing if there is no move, or the game is over.
    return not start.terminal and all(moves)


def _alike(
    game: Game,
    rules: RuleSet,
    chain: Chain,
    heaps: Sequence[Heap],
    wanted: int,
    work: float,
    also: Callable[[Game], bool] | None,
) -> list[int] | None:
    """The least sizes that are left of heaps on a longer chain, where from each size on it just
    those amounts can be taken that the heaps have and that leave so much."""
    found = heaps_on_longer(game, rules, chain, heaps, wanted, work, also)
    if found is None:
        return None
    floors = []
    for heap, longer in zip(heaps, found, strict=True):
        takes, amounts = longer.takes, heap.subtraction_set or ()
        least = min((n - d for n, own in takes.items() for d in own), default=0)
        if any(own != tuple(d for d in amounts if n - d >= least) for n, own in takes.items()):
            return None
        floors.append(least)
    return floors


def heaps_on_longer(
    game: Game,
    rules: RuleSet,
    chain: Chain,
    heaps: Sequence[Heap],
    wanted: int,
    work: float,
    also: Callable[[Game], bool] | None,
) -> list[Heap] | None:
    """Some heaps on a chain of so many sizes at least, by the rules given, in their order and with
    what can be taken from all of its sizes; None where it is not proved of them all, or `also` does
    not hold."""
    longer = longer_sheet(rules, chain, heaps, wanted)
    if longer is None or work <= 0:
        return None
    sizes, _ = lengthened(rules, chain, heaps[0].elements, wanted)
    # Also of sizes that nothing comes to from the end of this chain.
    every = sorted(heap.at(element) for heap in heaps for element in sizes)
    try:
        larger = Game(longer, replace(game.limits, ground_rules=MAX_RULES), also=every)
        known = {heap.pattern: heap for heap in _heaps_of(larger, work)}
    except (LimitReached, NotApplicable, RulesError):
        return None
    if known.keys() != {heap.pattern for heap in heaps}:
        return None
    if also is not None and not also(larger):
        return None
    found = [known[heap.pattern] for heap in heaps]
    return found if all(len(heap.takes) == len(sizes) for heap in found) else None


def _heaps_of(game: Game, work: float) -> tuple[Heap, ...]:
    # That no other role ever has a choice is enough here; each need not be seen to have one.
    marker = find_marker(game.net) if game.is_ground else None
    if marker is None:
        return ()
    boards = Boards(game.net, marker, work)
    parts = PartSimulation(boards, work)
    groups = [g for g in candidates(game.net) if not any(marker.mask >> i & 1 for i in g.fluents)]
    return proved_heaps(parts, split(parts, groups), game.net.initial, whole=True)


def length_for(
    rules: RuleSet,
    name: str,
    elements: Sequence[Term],
    starts: Collection[Term],
    more: Sequence[Signature] = (),
    least: float = math.inf,
) -> int | None:
    """How many sizes a chain needs for every arrangement to occur; None for other rules.

    For what rules say of `legal`, `next`, `terminal`, and of `more`. `name` and `elements`: the
    chain, from the end at which it is not made longer; `starts`: what holds at first and is about
    it. Rules name no size above `least` but these.
    """
    relation = (name, 2)
    rank = {term: n for n, term in enumerate(elements)}
    graph, sorts = rules.graph, Sorts(rules)
    if any(map(graph.is_recursive, graph.edges)):
        return None
    named = last_named(rules, relation, rank, starts, sorts)
    if named is None or named > least:
        return None  # a shorter chain would lack that size
    changing = graph.depending_on([("true", 1), ("does", 2)])
    if not all(rule.is_fact or _is_tied(rule, changing) for rule in rules.rules):
        return None
    kinds = {sorts.sort((relation, n)) for n in (0, 1)}
    for number, rule in enumerate(rules.rules):
        own = {v for v in variables(rule.head) if sorts.sort((number, v)) in kinds}
        is_static = not rule.is_fact and signature(rule.head) not in changing
        # It is to tie its sizes to each other, since it ties what it is asked of.
        if own and is_static and not own <= _near(rule, changing, {min(own)}):
            return None
    # What holds at first may hang on the length of the chain, too.
    roots = [("legal", 2), ("next", 1), ("terminal", 0), ("init", 1), *more]
    radius = sum(count_atoms(rules, root, {relation}) for root in roots)
    sizes_in = SizesIn(rules, sorts, kinds)
    state = {("true", 1), ("does", 2)}
    states = sum(count_atoms(rules, root, state, sizes_in) for root in roots)
    # A move and what holds afterwards are asked for by their own sizes.
    for name in ("legal", "next", "init"):
        asked = (r for r in rules.rules if r.head.name == name)
        heads = (r.head for r in asked if name != "init" or not r.is_fact)
        states += max(map(sizes_in, heads), default=0)
    return named + (states + 2) * (2 * radius + 2)


def variables(*terms: Term) -> set[Term]:
    """All variables in some terms."""
    found, todo = set(), list(terms)
    while todo:
        term = todo.pop()
        todo += term.args
        if term.is_variable:
            found.add(term)
    return found


def _is_tied(rule: Rule, changing: frozenset[Signature]) -> bool:
    """Whether static atoms tie each of their variables to the head or to an atom of the state."""
    static = [variables(atom) for atom in rule.positive if signature(atom) not in changing]
    near = _near(rule, changing, variables(rule.head))
    return all(own <= near for own in static)


def _near(rule: Rule, changing: frozenset[Signature], tied: set[Term]) -> set[Term]:
    """The variables that static atoms tie to some variables or to atoms of the state."""
    static = []
    for atom in rule.positive:
        if signature(atom) in changing:
            tied = tied | variables(atom)
        else:
            static.append(variables(atom))
    while True:
        near = [own for own in static if not own.isdisjoint(tied)]
        if not near:
            return tied
        static = [own for own in static if own not in near]
        tied = tied.union(*near)


def count_atoms(
    rules: RuleSet,
    root: Signature,
    leaves: set[Signature],
    weigh: Callable[[Term], int] = lambda _: 1,
) -> int:
    """How many atoms of some relations a relation unfolds to, each as `weigh` says, in the largest
    of its rules."""
    by_head: dict[Signature, list[Rule]] = {}
    for rule in rules.rules:
        by_head.setdefault(signature(rule.head), []).append(rule)
    known: dict[Signature, int] = {}

    def count(atom: Term) -> int:
        return weigh(atom) if signature(atom) in leaves else unfolded(signature(atom))

    def unfolded(relation: Signature) -> int:
        if relation not in known:
            known[relation] = max(
                (
                    sum(map(count, (*rule.positive, *rule.negative)))
                    for rule in by_head.get(relation, ())
                ),
                default=0,
            )
        return known[relation]

    return 1 if root in leaves else unfolded(root)


def _names(rule: Rule) -> Iterator[Term]:
    """All terms without arguments in a rule."""
    return (term for term in terms_of(rule) if not term.args)


def lengthened(
    rules: RuleSet, chain: Chain, elements: Sequence[Term], wanted: int
) -> tuple[list[Term], list[Rule]]:
    """The elements of a chain of so many at least, made longer at the end of `elements`, and the
    facts that make it so."""
    upwards = chain.elements == tuple(elements)
    names = {t.name for rule in rules.rules for t in _names(rule)}
    prefix = "size"
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    sizes = list(elements)
    span = rules.rules[0].span
    facts = []
    while len(sizes) < wanted:
        new = Term(f"{prefix}{len(sizes)}")
        pair = (sizes[-1], new) if upwards else (new, sizes[-1])
        facts.append(Rule(Term(chain.relation, pair), (), (), (), span))
        sizes.append(new)
    return sizes, facts


def longer_sheet(
    rules: RuleSet,
    chain: Chain,
    heaps: Sequence[Heap],
    wanted: int,
    begin: Sequence[int] | None = None,
) -> RuleSet | None:
    """The rules with a chain of so many sizes at least, and heaps of the sizes `begin` at first; by
    default all of the largest. None where the rules do not list the heaps at the start."""
    sizes, facts = lengthened(rules, chain, heaps[0].elements, wanted)
    first = begin or [len(sizes) - 1] * len(heaps)
    starts = {
        heap.at(heap.elements[heap.size]): heap.at(sizes[n])
        for heap, n in zip(heaps, first, strict=True)
    }
    changed = []
    for rule in rules.rules:
        if rule.head.name == "init" and rule.is_fact:
            fluent = starts.pop(rule.head.args[0], rule.head.args[0])
            rule = replace(rule, head=Term("init", (fluent,)))
        changed.append(rule)
    if starts:
        return None
    return replace(rules, rules=(*changed, *facts))
