"""Sums of heaps under normal play: nim-values instead of search.

The nim-value of a sum is the exclusive or of the nim-values of its parts (Sprague, Grundy), and the
player to move wins exactly if it is not zero. Misère play has no such rule and is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from ggp.analyse import Heap
from ggp.game import Game, State
from ggp.kif import Term
from ggp.solve.gdl import GameSolution, GdlTree
from ggp.solve.solution import Solution
from ggp.solve.tree import GameTree
from ggp.theory import nim_sum


class HeapSolution(Solution[State, Term]):
    """A sum of heaps solved by nim-values.

    States with heap sizes that cannot arise from the start are searched instead, by what `search`
    makes; `seconds` is what finding the heaps took.
    """

    engine = "nim-values"
    method = "sum of heaps by nim-values"

    def __init__(
        self, game: Game, heaps: Sequence[Heap], search: Callable[[], GameSolution], seconds: float
    ) -> None:
        self.game = game
        self.players = game.roles
        self.initial: State = game.initial
        self.heaps = tuple(heaps)
        self._make_search = search
        self._tree = GdlTree(game)
        assert game.marker is not None
        varying = {i for heap in heaps for i in heap.fluents if i is not None}
        everything = (1 << len(game.net.fluents)) - 1
        self._fixed = everything & ~game.marker.mask & ~sum(1 << i for i in varying)
        self.positions = sum(len(heap.takes) for heap in heaps)
        self.seconds = seconds

    @cached_property
    def _search(self) -> GameSolution:
        return self._make_search()

    def _own(self, position: State) -> State:
        return position if position.game is self.game else self.game.state(position.facts)

    def sizes(self, position: State) -> list[int] | None:
        """The size of each heap; None where one cannot arise, or anything beside the heaps and the
        turn differs from how it always is."""
        found = []
        bits = self._own(position).bits
        if (bits ^ self.initial.bits) & self._fixed:
            return None
        for heap in self.heaps:
            own = [n for n, i in enumerate(heap.fluents) if i is not None and bits >> i & 1]
            if len(own) != 1 or own[0] not in heap.takes:
                return None
            found.append(own[0])
        return found

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None where its heaps cannot arise from the start."""
        sizes = self.sizes(position)
        if sizes is None:
            return None
        return nim_sum(heap.nim_value(n) for heap, n in zip(self.heaps, sizes, strict=True))

    def tree(self) -> GameTree[State, Term]:
        """The game as a tree over its states."""
        return self._tree

    def to_move(self, position: State) -> str | None:
        """The marked role."""
        marker = self.game.marker
        index = marker.role(self._own(position).bits) if marker else None
        return None if index is None else self.players[index]

    def mover(self, position: State) -> str | None:
        """The role to move, or None at the end of play."""
        return None if self._own(position).terminal else self.to_move(position)

    def value(self, position: State) -> dict[str, float] | None:
        """Every role's goal under best play."""
        nim_value, mover = self.nim_value(position), self.to_move(position)
        if nim_value is None or mover is None:
            return self._search.value(position)
        goals = dict(zip(self.players, self.game.net.goals, strict=True))
        wins = {role: (role == mover) == (nim_value != 0) for role in self.players}
        return {role: goals[role][-1 if wins[role] else 0][0] for role in self.players}

    def best(self, position: State) -> tuple[Term, ...]:
        """All moves to nim-value 0; every move where there is none."""
        if self._own(position).terminal:
            return ()
        options = self._tree.moves(self._own(position))
        values = {move: self.nim_value(after) for move, after in options.items()}
        if None in values.values():
            return self._search.best(position)
        winning = tuple(sorted(move for move, value in values.items() if value == 0))
        return winning or tuple(sorted(options))

    def progress(self, position: State) -> Term:
        """A best move; every move takes something away, so that any brings the end nearer."""
        return self.best(position)[0]
