"""Sums of heaps on a long chain by what is proved of every size.

Under misère play subtraction games and nim-heaps are tame, all of them, so that genera add (see
`ggp.theory.genus`); of subtraction games alone there is a misère quotient.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from ggp.game import Game, State
from ggp.kif import Term
from ggp.solver.any_heap import AnyHeaps
from ggp.solver.impartial import ProvedHeaps, SumOfHeaps
from ggp.solver.nim import HeapSolution
from ggp.solver.solution import Solution
from ggp.theory import NimHeap


class LongHeaps(SumOfHeaps):
    """A sum of heaps by what is proved of every size (`shown`), of which no table is made.

    A heap of thousands has as many moves; those that win are told by how much they take, and looked
    for among the moves that name this, or what is left. Under misère play it raises `LimitReached`
    where no quotient is found, and `NotSolvable` where the period of a genus is not known.
    """

    def __init__(
        self,
        game: Game,
        shown: AnyHeaps,
        search: Callable[[], Solution[State, Term]],
        *,
        misere: bool,
        proved: ProvedHeaps,
        elements: Sequence[Term],
    ) -> None:
        super().__init__(game, shown.heaps, search, misere=misere, proved=proved)
        self._shown, self._elements = shown, elements
        self._is_lost([proved.largest(heap) for heap in self.heaps], None)

    def _is_lost(self, sizes: Sequence[int], mover: str | None) -> bool:
        """Whether who is to move loses with heaps of these sizes."""
        return self._shown.of(sizes, mover).is_lost

    @property
    def is_nim(self) -> bool:
        """Whether the nim-value of each heap is its size."""
        return all(own == NimHeap() for own in self._shown.games)

    def best(self, position: State) -> tuple[Term, ...]:
        """All moves after which the other role loses; every move where there is none."""
        state = self._own(position)
        sizes, mover = self._sizes_in(state), self.to_move(state)
        if state.terminal or sizes is None or mover is None or self.is_lost(state):
            return super().best(position)
        named: dict[tuple[str, int, Term], list[int]] = defaultdict(list)
        legal, role = state.legal_indices(), self.game.roles.index(mover)
        terms = {number: self.game.evaluator.move(role, number) for number in legal[role]}
        for number, move in terms.items():
            for place, arg in enumerate(move.args):
                named[move.name, place, arg].append(number)
        joint = [moves[0] for moves in legal]
        # Each move takes some amount from one heap, and each amount is taken by some move: where
        # they are as many, by just one.
        pairs = zip(self._shown.games, sizes, strict=True)
        if len(terms) != sum(len(own.options(size)) for own, size in pairs):
            return super().best(position)
        found = set()
        for heap, amount in self._shown.of(sizes, mover).best:
            wanted = [n - amount if i == heap else n for i, n in enumerate(sizes)]
            told = {self._elements[n] for n in (wanted[heap], amount - 1, amount)}
            # What few moves have in common tells more of them apart.
            ways = sorted((own for key, own in named.items() if key[2] in told), key=len)
            tried = (number for own in ways for number in own if terms[number] not in found)
            for number in tried:
                after = state.after((*joint[:role], number, *joint[role + 1 :]))
                if self._sizes_in(after) == wanted:
                    found.add(terms[number])
                    break
            else:
                return super().best(position)
        return tuple(sorted(found))


class LongHeapSolution(LongHeaps, HeapSolution):
    """Under normal play."""

    def _nim_value(self, place: int, size: int) -> int:
        return self._shown.games[place].nim_value(size)


class MisereLongHeaps(LongHeaps):
    """Under misère play."""

    @property
    def engine(self) -> str:  # type: ignore[override]
        """What tells of sums."""
        return "genera" if self._shown.quotient is None else "misère quotient"

    @property
    def method(self) -> str:  # type: ignore[override]
        """By genera where there are nim-heaps, else by a quotient."""
        if self._shown.quotient is None:
            return "sum of heaps by genera, all tame"
        monoid = self._shown.quotient[0].monoid
        lost = len(monoid.lost)
        return f"misère quotient of heaps: order {monoid.order}, {lost} of them lost"

    def is_lost(self, position: State) -> bool | None:
        """Whether the role to move loses; None where heaps cannot arise from the start."""
        sizes, mover = self._sizes_in(position), self.to_move(position)
        return None if sizes is None else self._is_lost(sizes, mover)
