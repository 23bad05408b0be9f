"""Sheets with a long chain of sizes, solved by a shorter one.

See `ggp.analysis.heaps.shorter`: of the shorter sheet it is proved that it is a sum of heaps, alike
on every longer chain, and so on that of the long sheet. The rules of this one are asked for moves
alone, of which they need not be ground.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from ggp.analysis.heaps.heap import HOLE
from ggp.analysis.heaps.shorter import Shorter, shorter
from ggp.errors import LimitReached, NotSolvable, UnknownName
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.rules import RuleSet
from ggp.solver.any_heap import AnyHeaps, any_heaps
from ggp.solver.impartial import MISERE, HeapSizes, ProvedHeaps
from ggp.solver.layers.solution import Keeping
from ggp.solver.nim import HeapSolution
from ggp.solver.positions import PositionSolver
from ggp.solver.quotient import MisereHeapSolution

REASON = "proved to be a sum of heaps however long the chain, by a shorter one"


def by_shorter_chain(search: PositionSolver) -> HeapSolution | MisereHeapSolution:
    """The solution of a game whose rules have a long chain.

    Raises `NotSolvable` where there is none, or it is not proved that the game is a sum of heaps on
    every longer chain; `LimitReached` under misère play, where no quotient is found.
    """
    game = search.game
    for short in shorter(game.rules):
        proved = _proved(short, game, search.budget, misere=search.misere)
        if proved is None:
            continue
        kind = MisereHeapSolution if proved.play == MISERE else HeapSolution
        about = LongHeaps(game, short, proved)
        found = kind(game, about.heaps, search, 0.0, misere=search.misere, proved=about)
        found.reason = REASON
        if all(about.sizes(state) is not None for state in search.starts):
            return found
    raise NotSolvable("no long chain of sizes: not proved to be a sum of heaps by a shorter one")


def solved_by_shorter_chain(
    rules: RuleSet, budget: Budget, *, misere: bool = False
) -> HeapSolution | MisereHeapSolution | None:
    """The same of rules that are not ground for it, from the initial state; None where it does not
    apply."""
    if not any(True for _ in shorter(rules)):
        return None
    game = Game(rules, budget.limits, grounded=False)
    search = PositionSolver(game, budget, misere, None, (game.initial,), Keeping())
    with suppress(NotSolvable, LimitReached), game.within(budget):
        found = by_shorter_chain(search)
        found.seconds = budget.seconds
        return found
    return None


def _proved(short: Shorter, game: Game, budget: Budget, *, misere: bool) -> AnyHeaps | None:
    """What is proved of a shorter sheet, if its heaps are what was made smaller."""
    try:
        smaller = Game(short.rules, game.limits)
        proved = any_heaps(smaller, budget, misere=misere)
    except NotSolvable:
        return None
    at_first = {heap.at(heap.elements[heap.size]) for heap in proved.heaps}
    runs_down = all(heap.elements[0] == short.elements[0] for heap in proved.heaps)
    return proved if runs_down and at_first == short.starts.keys() else None


class LongHeaps(ProvedHeaps):
    """The heaps of a sheet with a long chain, by those of a shorter one."""

    def __init__(self, long: Game, short: Shorter, proved: AnyHeaps) -> None:
        self.game = proved.game
        self.heaps = tuple(replace(heap, scope="any size") for heap in proved.heaps)
        self._rank = {element: n for n, element in enumerate(short.elements)}
        self._place = {heap.shape: place for place, heap in enumerate(proved.heaps)}
        self._small = HeapSizes(proved.game, proved.heaps)

    def sizes(self, state: State) -> list[int] | None:
        """The places on the long chain; None of another state than the sheet's, or below floors."""
        found = self._read(state)
        if found is None or self._small.sizes(found[1]) is None:
            return None
        sizes = found[0]
        return (
            sizes
            if all(n >= heap.floor for n, heap in zip(sizes, self.heaps, strict=True))
            else None
        )

    def state(self, state: State) -> State | None:
        """The state of the shorter sheet in which all heaps are of its largest size."""
        found = self._read(state)
        return None if found is None else found[1]

    def _read(self, state: State) -> tuple[list[int], State] | None:
        """The size of each heap, and the state with the largest heaps of the shorter sheet."""
        sizes: dict[int, int] = {}
        facts = []
        for fact in state.facts:
            read = self._as_heap(fact)
            if read is None:
                facts.append(fact)
            elif sizes.setdefault(*read) != read[1]:
                return None
        if len(sizes) != len(self.heaps):
            return None
        tops = [heap.at(heap.elements[heap.size]) for heap in self.heaps]
        try:
            small = self.game.state([*facts, *tops])
        except UnknownName:
            return None
        return [sizes[place] for place in range(len(self.heaps))], small

    def _as_heap(self, fact: Term) -> tuple[int, int] | None:
        """Which heap a fact is about, and its size."""
        for n, arg in enumerate(fact.args):
            shape = Term(fact.name, (*fact.args[:n], HOLE, *fact.args[n + 1 :]))
            if arg in self._rank and shape in self._place:
                return self._place[shape], self._rank[arg]
        return None
