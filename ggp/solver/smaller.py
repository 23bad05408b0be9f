"""Sheets with a long chain of sizes or many heaps, solved by a smaller one.

See `ggp.analysis.heaps.shorter` and `ggp.analysis.heaps.fewer`: of a smaller sheet it is proved
that it is a sum of heaps, and what is proved holds of the large one as well. The rules of this one
are asked for moves alone, of which they need not be ground.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import gcd
from typing import Any

from ggp.analysis import Heap
from ggp.analysis.heaps.fewer import Fewer, fewer
from ggp.analysis.heaps.heap import HOLE, FreeHeap, arising
from ggp.analysis.heaps.shorter import Shorter, shorter
from ggp.errors import LimitReached, NotSolvable, RulesError, UnknownName
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.rules import RuleSet
from ggp.solver.any_heap import AnyHeaps, any_heaps
from ggp.solver.impartial import MISERE, HeapSizes, ProvedHeaps, SumOfHeaps, all_care
from ggp.solver.layers.packed import Keeping
from ggp.solver.long_heaps import LongHeapSolution, MisereLongHeaps
from ggp.solver.nim import HeapSolution
from ggp.solver.positions import PositionSolver
from ggp.solver.proved import play_of, proved_heaps
from ggp.solver.quotient import misere_heaps
from ggp.solver.solution import Solution
from ggp.theory import NimHeap, SubtractionGame

MOST_FACTS = 100_000
"""Facts of which it is noted what they say."""

LONGER = "proved to be a sum of heaps however long the chain, by a shorter one"
MORE = "proved to be a sum of heaps however many there are, by fewer of them"


def by_smaller_sheet(search: PositionSolver) -> SumOfHeaps:
    """The solution of a game whose rules have a long chain, or many heaps.

    Raises `NotSolvable` where they have not, or it is not proved by the smaller sheet that the game
    is a sum of heaps; `LimitReached` under misère play, where no quotient is found.
    """
    game = search.game
    for small, play, reason in _proved(game, search.budget, misere=search.misere):
        if all(small.sizes(state) is not None for state in search.starts):
            others = search if game.is_ground else _refuse
            found: SumOfHeaps
            if isinstance(small, _Shorter) and not small.has_tables:
                known = MisereLongHeaps if play == MISERE else LongHeapSolution
                found = known(
                    game,
                    small.shown,
                    others,
                    misere=search.misere,
                    proved=small,
                    elements=small.elements,
                )
            elif play == MISERE:
                found = misere_heaps(game, small.heaps, others, misere=search.misere, proved=small)
            else:
                found = HeapSolution(game, small.heaps, others, misere=search.misere, proved=small)
            found.reason = reason
            return found
    raise NotSolvable("not proved to be a sum of heaps by a sheet that is smaller")


def _refuse() -> Solution[State, Term]:
    raise NotSolvable("of this state nothing is proved by the smaller sheet")


def solved_by_smaller_sheet(
    rules: RuleSet, budget: Budget, *, misere: bool = False
) -> SumOfHeaps | None:
    """The same of rules that are not ground for it, from the initial state; None where it does not
    apply."""
    if not (any(True for _ in shorter(rules, positive=True)) or any(True for _ in fewer(rules))):
        return None
    game = Game(rules, budget.limits, grounded=False)
    search = PositionSolver(game, budget, misere, None, (game.initial,), Keeping())
    with suppress(NotSolvable, LimitReached), game.within(budget):
        found = by_smaller_sheet(search)
        found.seconds = budget.seconds
        return found
    return None


def _proved(game: Game, budget: Budget, *, misere: bool) -> Iterator[tuple[_Small, str, str]]:
    """What is proved by smaller sheets: their heaps, the form of play, and by what."""
    for short in shorter(game.rules, positive=True):
        with suppress(NotSolvable, RulesError):
            cut = Game(short.rules, game.limits)
            proved = any_heaps(cut, budget, misere=misere, length=len(short.elements))
            if short.has_all(proved.heaps):
                yield _Shorter(short, proved), proved.play, LONGER
    for few in fewer(game.rules):
        try:
            smaller = Game(few.rules, game.limits)
        except RulesError:
            continue
        is_apt = smaller.is_ground and len(smaller.roles) == 2 and smaller.chance is None
        is_apt = is_apt and all_care(smaller)
        known = proved_heaps(smaller, budget) if is_apt else None
        play = play_of(known, misere=misere) if known else None
        if known and play and _are_alike(few, known.heaps):
            yield _Fewer(few, smaller, known.heaps), play, MORE


class _Small(ProvedHeaps):
    """The heaps of a large sheet, by those of a smaller one.

    `heaps` of the large sheet; `game` and `proved` are the smaller one and its heaps.
    """

    def __init__(
        self,
        heaps: Sequence[Heap],
        game: Game,
        proved: Sequence[Heap],
        elements: Sequence[Term],
    ) -> None:
        self.heaps = tuple(heaps)
        self.game = game
        self._rank = {element: n for n, element in enumerate(elements)}
        self._place = {heap.shape: place for place, heap in enumerate(heaps)}
        self._small = HeapSizes(game, proved)
        self._tops = [heap.at(heap.elements[heap.size]) for heap in proved]
        # Thousands of moves lead to states that are made of the same facts.
        self._read_before: dict[Term, tuple[int, int] | None] = {}
        self._beside: dict[tuple[Term, ...], State | None] = {}

    def sizes(self, state: State) -> list[int] | None:
        """The places of heaps on the chain; None of another state than the sheet's, or where a heap
        is of a size that nothing is proved of."""
        found = self._read(state)
        if found is None:
            return None
        sizes, small = found
        known = small is not None and self._small.sizes(small) is not None
        return sizes if known and all(map(self._has_size, self.heaps, sizes)) else None

    @abstractmethod
    def _has_size(self, heap: Heap, size: int) -> bool:
        """Whether something is proved of a size of a heap."""

    def state(self, state: State) -> State | None:
        """The state of the smaller sheet in which all heaps are of its largest size."""
        found = self._read(state)
        return found and found[1]

    def _read(self, state: State) -> tuple[list[int], State | None] | None:
        """The size of each heap, and the state with the largest heaps of the smaller sheet, if that
        is one."""
        sizes: dict[int, int] = {}
        others = []
        for fact in state.facts:
            if fact not in self._read_before:
                _note(self._read_before, fact, self._heap(fact))
            read = self._read_before[fact]
            if read is None:
                others.append(fact)
            elif sizes.setdefault(*read) != read[1]:
                return None
        if len(sizes) != len(self.heaps):
            return None
        beside = tuple(others)
        if beside not in self._beside:
            small = None
            with suppress(UnknownName):
                small = self.game.state([*others, *self._tops])
            _note(self._beside, beside, small)
        return [sizes[place] for place in range(len(self.heaps))], self._beside[beside]

    def _heap(self, fact: Term) -> tuple[int, int] | None:
        """Which heap a fact is about, and its size."""
        for n, arg in enumerate(fact.args):
            shape = Term(fact.name, (*fact.args[:n], HOLE, *fact.args[n + 1 :]))
            if arg in self._rank and shape in self._place:
                return self._place[shape], self._rank[arg]
        return None


def _note(known: dict[Any, Any], key: Hashable, value: object) -> None:
    """Note a thing, and forget others where there are too many."""
    if len(known) >= MOST_FACTS:
        known.clear()
    known[key] = value


class _Shorter(_Small):
    """The heaps on a long chain, by those on a shorter one; `shown`: what is proved of these."""

    def __init__(self, short: Shorter, shown: AnyHeaps) -> None:
        scope = "table" if short.has_positive else "any size"
        heaps = [
            (FreeHeap if isinstance(own, NimHeap) else Heap)(
                heap.shape, heap.elements, heap.fluents, heap.size, heap.takes, scope
            )
            for heap, own in zip(shown.heaps, shown.games, strict=True)
        ]
        super().__init__(heaps, shown.game, shown.proved, short.elements)
        self.shown, self.elements = replace(shown, heaps=self.heaps), short.elements
        self._top = len(short.elements) - 1
        self._arising = {
            heap: arising(self._top, own.options)
            if self.has_tables
            else range(own.floor, self._top + 1)
            for heap, own in zip(self.heaps, shown.games, strict=True)
        }

    @property
    def has_tables(self) -> bool:
        """Whether the heaps of the shorter chain tell of all sizes: not where any number may be
        taken, nor of other residues than theirs."""
        return all(
            isinstance(own, SubtractionGame) and gcd(*own.subtraction_set) == 1
            for own in self.shown.games
        )

    def _has_size(self, heap: Heap, size: int) -> bool:
        """What is proved of a chain is proved of the sizes that the largest comes to."""
        return size in self._arising[heap]

    def largest(self, heap: Heap) -> int:
        """The largest that comes to be on the long chain."""
        return max(self._arising[heap])


class _Fewer(_Small):
    """Many heaps, by few of them, which are all alike."""

    def __init__(self, few: Fewer, game: Game, proved: Sequence[Heap]) -> None:
        one, rank = proved[0], {element: n for n, element in enumerate(few.elements)}
        heaps = []
        for fact in few.starts.values():
            size = rank[fact.args[few.size]]
            sizes = arising(size, lambda n: (n - amount for amount in one.takes[n]))
            takes = {n: one.takes[n] for n in sizes}
            heaps.append(replace(one, shape=few.shape(fact.args[few.name]), size=size, takes=takes))
        super().__init__(heaps, game, proved, one.elements)

    def _has_size(self, heap: Heap, size: int) -> bool:
        """One that its first size comes to."""
        return size in heap.takes


def _are_alike(few: Fewer, heaps: Sequence[Heap]) -> bool:
    """Whether heaps are those that were kept, from all of which the same can be taken, on the whole
    chain from its far end."""
    if not heaps:
        return False
    one = heaps[0]
    rank = {element: n for n, element in enumerate(few.elements)}
    known = all(rank[fact.args[few.size]] in one.takes for fact in few.starts.values())
    alike = all(h.takes == one.takes and h.elements == few.elements for h in heaps)
    return known and alike and few.kept_shapes == {heap.shape for heap in heaps}
