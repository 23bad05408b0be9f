"""Impartial games under normal play, solved by nim-values without a search of all positions.

The nim-value of a sum is the exclusive or of the nim-values of its parts (Sprague, Grundy), and the
player to move wins exactly if it is not zero. Misère play has no such rule and is searched.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf

from ggp.analysis import Heap
from ggp.errors import LimitReached
from ggp.game import Game, State
from ggp.ground import Group
from ggp.kif import Term
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.gdl import GdlSolution
from ggp.solver.solution import Solution
from ggp.solver.splitting import Piece, Shape, Splitter
from ggp.theory import mex, nim_sum
from ggp.work import work_done


class NimSolution(GdlSolution):
    """A game whose nim-values are known of the states that its proofs are about.

    Other states are searched instead, by what `search` makes; `seconds` is what the proofs took.
    """

    engine = "nim-values"

    def __init__(
        self, game: Game, search: Callable[[], Solution[State, Term]], seconds: float
    ) -> None:
        super().__init__(game)
        self._make_search = search
        self.seconds = seconds

    @abstractmethod
    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None where nothing is proved about it."""

    @cached_property
    def _search(self) -> Solution[State, Term]:
        return self._make_search()

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
        """A best move; play is acyclic, so that any brings the end nearer."""
        return self.best(position)[0]


class HeapSolution(NimSolution):
    """A sum of heaps."""

    method = "sum of heaps by nim-values"

    def __init__(
        self,
        game: Game,
        heaps: Sequence[Heap],
        search: Callable[[], Solution[State, Term]],
        seconds: float,
    ) -> None:
        super().__init__(game, search, seconds)
        self.heaps = tuple(heaps)
        assert game.marker is not None
        varying = {i for heap in heaps for i in heap.fluents if i is not None}
        everything = (1 << len(game.net.fluents)) - 1
        self._fixed = everything & ~game.marker.mask & ~sum(1 << i for i in varying)
        self.positions = sum(len(heap.takes) for heap in heaps)

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
        if sizes is None or self.to_move(position) is None:
            return None
        return nim_sum(heap.nim_value(n) for heap, n in zip(self.heaps, sizes, strict=True))


class SummandSolution(NimSolution):
    """A game whose positions are split into summands as it is played.

    Pieces that are written alike, whatever their fluents and moves are called, are worked out once,
    so that what is searched is the pieces that differ, not the positions. `groups` are what the
    proofs that the game is impartial, of normal form and acyclic rest on.
    """

    method = "Sprague-Grundy theory on summands"

    def __init__(
        self,
        game: Game,
        splitter: Splitter,
        groups: Sequence[Group],
        search: Callable[[], Solution[State, Term]],
        seconds: float,
    ) -> None:
        super().__init__(game, search, seconds)
        self._groups = [(sum(1 << i for i in g.fluents), g.exact) for g in groups]
        self._splitter = splitter
        self._local: dict[tuple[int, int], int] = {}
        self._written: dict[Shape, int] = {}
        self._canonical: dict[Shape, int] = {}
        self._values: dict[int, int] = {}

    @property
    def positions(self) -> int:  # type: ignore[override]
        """The pieces that were worked out."""
        return len(self._values)

    def nim_value(self, position: State) -> int | None:
        """The nim-value of a position, or None where what proofs rest on does not hold.

        Raises `LimitReached`.
        """
        state = self._own(position).bits
        if self.to_move(position) is None:
            return None
        for mask, exact in self._groups:
            held = (state & mask).bit_count()
            if held > 1 or (exact and not held):
                return None
        return self.of_board(state, Budget(self.game.limits))

    def of_board(
        self,
        board: int,
        budget: Budget,
        progress: Progress | None = None,
        work: float = inf,
    ) -> int:
        """The nim-value of a board, its fluents as bits; raises `LimitReached`, as well where it
        takes more than `work`.

        What was worked out until then is kept. `progress` is told how many pieces there are, and
        how many are done.
        """
        found = self._pieces(board, None)
        wanted = [name for name, _ in found]
        open_, todo, values = dict(found), list(wanted), self._values
        options: dict[int, list[list[int]]] = {}
        until = work_done() + work
        while todo:
            budget.spend(len(values))
            if work_done() > until:
                raise LimitReached("work", work, "splitting positions into summands")
            if progress and not len(todo) % 64:
                progress(len(self._canonical), len(values))
            name = todo[-1]
            if name in values:
                todo.pop()
                continue
            if name not in options:
                options[name] = []
                at, piece = open_.pop(name)
                for after in self._splitter.after(at, piece):
                    found = self._pieces(after, piece.options)
                    options[name].append([own for own, _ in found])
                    open_.update((own, place) for own, place in found if own not in values)
            missing = {own for sum_ in options[name] for own in sum_ if own not in values}
            if missing:
                todo += missing
                continue
            todo.pop()
            values[name] = mex(nim_sum(map(values.__getitem__, sum_)) for sum_ in options.pop(name))
        return nim_sum(map(values.__getitem__, wanted))

    def _pieces(self, board: int, options: int | None) -> list[tuple[int, tuple[int, Piece]]]:
        """The pieces of a board, each as a number that equal ones share, and where one is."""
        return [
            (self._name(board, piece), (board, piece))
            for piece in self._splitter.pieces(board, options)
        ]

    def _name(self, board: int, piece: Piece) -> int:
        local = self._splitter.local(board, piece)
        name = self._local.get(local)
        if name is None:
            shape = self._splitter.shape(board, piece)
            name = self._written.get(shape)
            if name is None:
                canonical = shape.canonical()
                name = self._canonical.setdefault(canonical, len(self._canonical))
                self._written[shape] = name
            self._local[local] = name
        return name
