"""Impartial games in turn whose outcomes theory tells, of the states that its proofs are about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from operator import or_

from ggp.analysis import Heap
from ggp.game import Game, State
from ggp.ground import Group
from ggp.kif import Term
from ggp.limits import account
from ggp.solver.gdl import GdlSolution, GdlTree
from ggp.solver.pieces import Pieces
from ggp.solver.solution import Solution
from ggp.solver.splitting import Splitter

NORMAL, MISERE = "normal", "misère"


def all_care(game: Game) -> bool:
    """Whether the rules give each role more than one goal: of one that has the same in every end
    theory does not say what it does."""
    return all(len(goals) > 1 for goals in game.net.goals)


def under(form: object, *, misere: bool) -> str | None:
    """Whether play of a form is normal or misère play, if goals are exchanged at the end or not;
    None of another form."""
    if form not in (NORMAL, MISERE):
        return None
    return NORMAL if (form == MISERE) == misere else MISERE


class ImpartialSolution(GdlSolution):
    """A game that ends just where the role to move has no move, of which outcomes are known.

    Other states than those that the proofs are about are searched, by what `search` makes;
    `seconds` is what the proofs took. `misere`: the goals are exchanged at the end of play.
    `proved`: the game that proofs are about, where that is another one (see `ProvedHeaps`).
    """

    certainty = "proved"

    def __init__(
        self,
        game: Game,
        search: Callable[[], Solution[State, Term]],
        seconds: float,
        *,
        misere: bool = False,
        proved: ProvedHeaps | None = None,
    ) -> None:
        super().__init__(game, misere=misere)
        self._tree = GdlTree(game, misere=misere, turn=self.to_move)
        self._proved = proved
        self._make_search = search
        self._misere = misere
        self.seconds = seconds

    @abstractmethod
    def is_lost(self, position: State) -> bool | None:
        """Whether the role to move loses; None where nothing is proved about a position."""

    @cached_property
    def _search(self) -> Solution[State, Term]:
        return self._make_search()

    def told_by(self, position: State) -> Solution[State, Term]:
        """A search, of states that are none of those that proofs are about."""
        is_known = self.is_lost(position) is not None and self.to_move(position) is not None
        return self if is_known else self._search

    def to_move(self, position: State) -> str | None:
        """The marked role."""
        own = self._own(position)
        state = self._proved.state(own) if self._proved else own
        marker = state and state.game.marker
        index = marker.role(state.bits) if state and marker else None
        return None if index is None else self.players[index]

    def mover(self, position: State) -> str | None:
        """The role to move, or None at the end of play."""
        return None if self._own(position).terminal else self.to_move(position)

    def value(self, position: State) -> dict[str, float] | None:
        """Every role's goal under best play."""
        is_lost, mover = self.is_lost(position), self.to_move(position)
        if is_lost is None or mover is None:
            return self._search.value(position)
        known = (self._proved.game if self._proved else self.game).net.goals
        known = known[::-1] if self._misere else known
        goals = dict(zip(self.players, known, strict=True))
        wins = {role: (role == mover) != is_lost for role in self.players}
        return {role: goals[role][-1 if wins[role] else 0][0] for role in self.players}

    def best(self, position: State) -> tuple[Term, ...]:
        """All moves after which the other role loses; every move where there is none."""
        state = self._own(position)
        if state.terminal:
            return ()
        if self.is_lost(state):
            # What moves lead to need not be looked at, which for thousands takes long.
            return tuple(sorted(self._tree.legal(state)))
        options = self._tree.moves(state)
        lost = {move: self.is_lost(after) for move, after in options.items()}
        if None in lost.values():
            return self._search.best(position)
        return tuple(sorted(m for m, is_lost in lost.items() if is_lost)) or tuple(sorted(options))

    def progress(self, position: State) -> Term:
        """A best move; play is acyclic, so that any brings the end nearer. Raises `IllegalMove`
        where it is over."""
        return self.best(self._going(position))[0]


class ProvedHeaps(ABC):
    """The heaps that proofs are about, and `game`, of which the proofs are."""

    game: Game

    @abstractmethod
    def sizes(self, state: State) -> list[int] | None:
        """How large they are; None where nothing is proved of a state."""

    @abstractmethod
    def state(self, state: State) -> State | None:
        """The state of `game` with the same turn; None where nothing is proved of a state."""

    def largest(self, heap: Heap) -> int:
        """The largest size of a heap that something is proved of."""
        return max(heap.takes)


class HeapSizes(ProvedHeaps):
    """How large the heaps of a game are in a state."""

    def __init__(self, game: Game, heaps: Sequence[Heap]) -> None:
        assert game.marker is not None
        self.game = game
        self.heaps = tuple(heaps)
        self._initial = game.initial.bits
        self._size_of = [
            {1 << i: n for n, i in enumerate(heap.fluents) if i is not None and n in heap.takes}
            for heap in heaps
        ]
        self._masks = [
            reduce(or_, (1 << i for i in heap.fluents if i is not None)) for heap in heaps
        ]
        everything = (1 << len(game.net.fluents)) - 1
        self._fixed = everything & ~game.marker.mask & ~reduce(or_, self._masks, 0)

    def state(self, state: State) -> State | None:
        """The state itself."""
        return state

    def sizes(self, state: State) -> list[int] | None:
        """The size of each heap; None where one cannot arise, or anything beside the heaps and the
        turn differs from how it always is."""
        bits = state.bits
        if (bits ^ self._initial) & self._fixed:
            return None
        found = []
        for mask, size_of in zip(self._masks, self._size_of, strict=True):
            size = size_of.get(bits & mask)
            if size is None:
                return None
            found.append(size)
        return found


class SumOfHeaps(ImpartialSolution):
    """A game that is proved to be a sum of `heaps`; `proved` where proofs are about those of
    another game."""

    def __init__(
        self,
        game: Game,
        heaps: Sequence[Heap],
        search: Callable[[], Solution[State, Term]],
        *,
        misere: bool = False,
        proved: ProvedHeaps | None = None,
    ) -> None:
        super().__init__(game, search, 0.0, misere=misere, proved=proved)
        self.heaps = tuple(heaps)
        self._sizes = proved or HeapSizes(game, heaps)
        self.positions = sum(len(heap.takes) for heap in heaps)

    def _sizes_in(self, position: State) -> list[int] | None:
        """The size of each heap; None where heaps cannot arise from the start."""
        sizes = self._sizes.sizes(self._own(position))
        return None if self.to_move(position) is None else sizes


class SplitSolution(ImpartialSolution):
    """A game whose positions are split into pieces as it is played.

    What is searched is the pieces that differ, not the positions. `groups` are what the proofs that
    the game is impartial, acyclic and of normal or misère form rest on.
    """

    def __init__(
        self,
        game: Game,
        splitter: Splitter,
        groups: Sequence[Group],
        search: Callable[[], Solution[State, Term]],
        seconds: float,
        *,
        misere: bool = False,
    ) -> None:
        super().__init__(game, search, seconds, misere=misere)
        self.pieces: Pieces[int] = Pieces(splitter, groups, self._value)

    @abstractmethod
    def _value(self, options: list[list[list[int]]]) -> int:
        """The value of a piece, from those of the pieces that its options fall into; of one side,
        as both have the same."""

    @property
    def positions(self) -> int:  # type: ignore[override]
        """The pieces that are known."""
        return len(self.pieces)

    def _values(self, position: State) -> list[int] | None:
        """The values of the pieces of a position, or None where what proofs rest on does not hold.

        Raises `LimitReached`.
        """
        board = self._own(position).bits
        if self.to_move(position) is None or not self.pieces.may_arise(board):
            return None
        return self.pieces.of_board(board, account(self.game.limits))
