"""Heaps of any size whose rules compare sizes, as those of Nim do.

Where all that rules say of a chain is by successors and comparisons (`order`), a formula that they
make of some sizes speaks of no more than which distances between these, and from the ends of the
chain, are how small: a variable x with l + c ≤ x and x ≤ u - d for sizes l and u goes as
l + c + d ≤ u, whole numbers being as they are (Presburger 1929, for this fragment). So numbers do
not grow by more than what is put together, and in a chain that is long enough every arrangement of
sizes occurs that differs in what can be told. What holds of all sizes there holds in every longer
chain: as in `any_size`, where sizes are near by alone, and resting on the same proof of heaps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from ggp.analysis.heaps.amounts import Plain, without_sums
from ggp.analysis.heaps.any_size import (
    LENGTHS,
    MAX_FLUENTS,
    MAX_SIZES,
    any_size,
    chains_of,
    count_atoms,
    heaps_on_longer,
    listed_by_rules,
    moves_below,
    variables,
)
from ggp.analysis.heaps.heap import HOLE, Heap
from ggp.analysis.heaps.order import orders
from ggp.analysis.heaps.sorts import SizesIn, last_named
from ggp.analysis.heaps.tables import tables_of_all
from ggp.analysis.relations.chains import Chain
from ggp.game import Game
from ggp.kif import Term
from ggp.rules import Rule, RuleSet, Signature, signature
from ggp.rules.sorts import Sorts
from ggp.theory import NimHeap, SubtractionGame
from ggp.work import work_done

AnyGame = SubtractionGame | NimHeap


def games_by_order(
    game: Game,
    heaps: Sequence[Heap],
    work: float,
    also: Callable[[Game], bool] | None = None,
    length: int = 0,
) -> tuple[AnyGame, ...] | None:
    """The game that each heap follows whatever its size, where that is proved for every chain that
    is long enough: of rules that compare sizes, with moves that name what is left, or taken.

    Of all heaps on one chain, read in one direction. `also`: what is to be proved of each longer
    sheet besides, about moves, ends and goals of every board. `length`: of a chain for which it is
    to be proved as well: none that is shorter than it takes.
    """
    until = work_done() + work
    for chain in chains_of(game, heaps):
        found = _on(game, heaps, chain, until, also, length)
        if found is not None:
            return found
    return None


class Amounts(NamedTuple):
    """What may be taken from heaps of any size: what their tables say (`are_of_table`), or any
    number; a `text` says so, and what is taken for granted of a longer chain."""

    are_of_table: bool
    text: str


def amounts_at_any_size(game: Game, heaps: Sequence[Heap], work: float) -> Amounts | None:
    """What may be taken from heaps, on every chain that is long enough; None where that is not
    proved, or is not the same of all."""
    until = work_done() + work
    listed = " and ".join(tables_of_all(game.rules, heaps[0].elements))
    about = f", of which {listed} is to list all sizes as here" if listed else ""
    if any_size(game, heaps, work):
        return Amounts(are_of_table=True, text=about)
    games = games_by_order(game, heaps, until - work_done())
    least = {own.least for own in games or () if isinstance(own, NimHeap)}
    if games and len(least) == 1 and all(isinstance(own, NimHeap) for own in games):
        more = f" of {least.pop()} and more" if least != {1} else ""
        text = f"{about}, where any number{more} may be taken"
        return Amounts(are_of_table=False, text=text)
    is_known = games and all(
        own == heap.game and heap.divisor == 1 for heap, own in zip(heaps, games, strict=True)
    )
    return Amounts(are_of_table=True, text=about) if is_known else None


def _on(
    game: Game,
    heaps: Sequence[Heap],
    chain: Chain,
    until: float,
    also: Callable[[Game], bool] | None,
    length: int,
) -> tuple[AnyGame, ...] | None:
    """The games on one chain."""
    elements = heaps[0].elements
    is_down = chain.elements != elements
    rules = listed_by_rules(game.rules, chain, heaps)
    # What is named from the end at which the chain is made longer is another size each time.
    meant = orders(rules, chain.relation, () if is_down else elements)
    if not meant:
        return None
    plain = without_sums(rules, chain.relation, chain.elements, meant)
    # A sum of places that are counted from the other end is none of sizes.
    if plain is None or (
        plain.families and (is_down or not _are_heaps(plain.families, game, heaps))
    ):
        return None
    starts = {heap.at(elements[heap.size]) for heap in heaps}
    least = min(heap.floor for heap in heaps)
    wanted = length_by_order(plain, chain.relation, elements, starts, len(heaps), least)
    if wanted is None or wanted > MAX_SIZES:
        return None
    if len(elements) < length < wanted:
        return None
    wanted = max(wanted, len(elements) + 1)
    if (wanted + LENGTHS) * len(heaps) > MAX_FLUENTS:
        return None
    if any(moves_below(game, chain, heaps, n) for n in range(max(h.floor for h in heaps))):
        return None
    found: tuple[AnyGame, ...] | None = None
    for more in range(LENGTHS):
        work = until - work_done()
        longer = heaps_on_longer(game, plain.rules, chain, heaps, wanted + more, work, also)
        games = tuple(own for heap in longer or () if (own := _game(heap)))
        if len(games) < len(heaps) or found not in (None, games):
            return None
        found = games
    if found is None or any(
        tuple(n - m for m in own.options(n)) != heap.takes[n]
        for heap, own in zip(heaps, found, strict=True)
        for n in heap.takes
    ):
        return None
    return found


def _are_heaps(
    families: Collection[tuple[str, int, int]], game: Game, heaps: Sequence[Heap]
) -> bool:
    """Whether all fluents of some families (names, arguments, and which of them is a size) are
    those of heaps, of each of which just one holds."""
    shapes = {heap.shape for heap in heaps}
    for name, arity, place in families:
        for fluent in game.net.fluents:
            if signature(fluent) == (name, arity):
                args = (*fluent.args[:place], HOLE, *fluent.args[place + 1 :])
                if Term(name, args) not in shapes:
                    return False
    return True


def _game(heap: Heap) -> AnyGame | None:
    """What a heap follows on the whole of its chain: an amount of more than half of the sizes is
    one of all that are as large, or more."""
    amounts = sorted({d for own in heap.takes.values() for d in own})
    if not amounts:
        return None
    floor = min(n - d for n, own in heap.takes.items() for d in own)
    if amounts[-1] > len(heap.takes) // 2:
        own: AnyGame = NimHeap(amounts[0], floor)
    else:
        own = SubtractionGame(amounts, floor)
    options = ((n, own.options(n) if n >= floor else ()) for n in heap.takes)
    is_so = all(heap.takes[n] == tuple(n - m for m in left) for n, left in options)
    return own if is_so else None


def length_by_order(
    plain: Plain,
    name: str,
    elements: Sequence[Term],
    starts: Collection[Term],
    heaps: int,
    least: int,
) -> int | None:
    """How many sizes a chain needs for every arrangement to occur; None for other rules.

    For what rules say of `legal`, `next`, `terminal`, `init` and `goal`, each by itself and after a
    move, of a size for each of so many heaps, and of those that moves and fluents name. `name`,
    `elements`, `starts` and `least`: as of `any_size.length_for`.
    """
    rules, known = plain.rules, plain.known
    relation = (name, 2)
    sorts, graph = Sorts(rules), rules.graph
    if any(graph.is_recursive(own) and own not in known for own in graph.edges):
        return None
    rank = {term: n for n, term in enumerate(elements)}
    named = last_named(rules, relation, rank, starts, sorts)
    if named is None or named > least:
        return None  # a shorter chain would lack that size
    kinds = {sorts.sort((relation, n)) for n in (0, 1)}
    sizes_in = SizesIn(rules, sorts, kinds)
    gaps = {own: max(1, comparison.gap) for own, comparison in known.items()}
    told = _Constants(rules, sizes_in, {relation: 1, **gaps})
    # What is told after a move is put together from what it leads to, or does not.
    after = [("legal", 2), ("terminal", 0), ("goal", 2)]
    most = (told(("next", 1)) + 1) * max(map(told, after))
    most = max(most, told(("init", 1)))
    leaves = {("true", 1), ("does", 2), *known}

    def weigh(atom: Term) -> int:
        return 0 if signature(atom) in known else sizes_in(atom)

    roots = [("next", 1), ("init", 1), *after]
    spoken = sum(count_atoms(rules, root, leaves, weigh) for root in roots)
    heads = 0
    for head in ("legal", "next", "init"):
        own = (r for r in rules.rules if r.head.name == head)
        made = (r.head for r in own if head != "init" or not r.is_fact)
        heads += max(map(sizes_in, made), default=0)
    together = max(spoken, heaps) + heads
    return named + (together + 2) * (most + 2)


class _Constants:
    """The greatest number that a relation compares distances with, once variables are gone."""

    def __init__(self, rules: RuleSet, sizes_in: SizesIn, known: Mapping[Signature, int]) -> None:
        self._by_head: dict[Signature, list[tuple[int, Rule]]] = {}
        for number, rule in enumerate(rules.rules):
            self._by_head.setdefault(signature(rule.head), []).append((number, rule))
        self._sizes_in = sizes_in
        self._known = {("true", 1): 1, ("does", 2): 1, **known}

    def __call__(self, relation: Signature) -> int:
        """That of a relation."""
        if relation not in self._known:
            own = self._by_head.get(relation, ())
            self._known[relation] = max((self._of(number, rule) for number, rule in own), default=1)
        return self._known[relation]

    def _of(self, number: int, rule: Rule) -> int:
        atoms = (*rule.positive, *rule.negative)
        most = max((self(signature(atom)) for atom in atoms), default=1)
        # Each variable that goes puts two numbers together; what does not hold is one more off.
        gone = variables(*atoms) - variables(rule.head)
        sizes = sum(self._sizes_in.of_variable(number, variable) for variable in gone)
        return (sizes + 1) * (most + bool(rule.negative))
