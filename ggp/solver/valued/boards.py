"""Values of all boards, from the ends upward."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.positions import Positions
from ggp.game import Game
from ggp.limits import look
from ggp.machine import Space
from ggp.solver.valued.legitimacy import require_legitimate
from ggp.solver.valued.moves import LEFT, RIGHT, NoValue, ValuedMove, valued
from ggp.theory import ShortGame


class ComesAgain(NoValue):
    """All conditions hold but the fifth. `boards` has what moves lead to, and the values of those
    boards from which every play ends."""

    def __init__(self, why: str, facts: tuple[str, ...], boards: BoardValues) -> None:
        super().__init__(why, facts)
        self.boards = boards


class BoardValues:
    """The values of all boards that moves of either role lead to, each worked out once.

    Boards are numbered from 0, in the order in which they were found. Raises `NoValue` where one of
    the conditions fails on some board; where that is the fifth alone, boards from which some play
    goes on for ever have no value (`ComesAgain`).
    """

    unit = "boards"

    def __init__(self, game: Game, positions: Positions) -> None:
        self.game = game
        self._positions = positions
        self._space: Space = positions.either
        self._board, self.count = positions.boards
        self._games: list[ShortGame | None] = [None] * self.count
        require_legitimate(game, positions, self._facts)
        self._compute()

    @cached_property
    def _state_of(self) -> NDArray[np.int64]:
        """The position of each board with each role to move: shape (boards, 2)."""
        found = np.full((self.count, 2), -1, dtype=np.int64)
        found[self._board, self._positions.marked(self._space)] = np.arange(len(self._space))
        return found

    def options(self, board: int, role: int) -> Iterator[tuple[str, int]]:
        """The moves of a role (0 is Left), each with the board that it leads to."""
        place = int(self._state_of[board, role])
        for edge in self._space.edges(place):
            move = self._positions.joint(self._space, edge)[role]
            yield move, int(self._board[self._space.target[edge]])

    def after(self, board: int, role: int) -> list[int]:
        """The boards that moves of a role lead to, ascending."""
        edges = self._space.edges(int(self._state_of[board, role]))
        targets = self._space.target[edges.start : edges.stop]
        return sorted(set(self._board[targets].tolist()))

    def _compute(self) -> None:
        """The values of all boards, those that nothing leads from first."""
        order = self._upward()
        for number, board in enumerate(order):
            if number % 256 == 0:
                look("values of boards")
            left, right = (
                [self.value(other) for other in self.after(board, role)] for role in (LEFT, RIGHT)
            )
            self._games[board] = ShortGame(left, right)
        if len(order) < self.count:
            place = int(self._state_of[self._again(), LEFT])
            why = "condition 5: a board comes up again when either role may move"
            raise ComesAgain(why, self._facts(place), self)

    def _upward(self) -> list[int]:
        """The boards from which every play ends, each after those that moves lead to from it."""
        space, board = self._space, self._board
        pairs = np.unique(np.stack([board[space.source], board[space.target]]), axis=1)
        order = np.argsort(pairs[1], kind="stable")
        sources = pairs[0][order]
        first = np.searchsorted(pairs[1][order], np.arange(self.count + 1))
        left = np.bincount(pairs[0], minlength=self.count)
        ready = np.flatnonzero(left == 0).tolist()
        found = []
        while ready:
            one = ready.pop()
            found.append(one)
            before = sources[first[one] : first[one + 1]]
            left[before] -= 1
            ready.extend(before[left[before] == 0].tolist())
        return found

    def _again(self) -> int:
        """A board that moves lead back to, of those from which some can go on for ever."""
        board, seen = self._games.index(None), set[int]()
        while board not in seen:
            seen.add(board)
            after = [b for role in (LEFT, RIGHT) for b in self.after(board, role)]
            board = next(b for b in after if self._games[b] is None)
        return board

    def _facts(self, place: int) -> tuple[str, ...]:
        return tuple(map(str, self.game.evaluator.facts(self._space.state(place))))

    @cached_property
    def start(self) -> int:
        """The number of the board that was asked about."""
        place = self._space.position(self._positions.roots[0])
        return int(self._board[place or 0])

    @property
    def whole(self) -> ShortGame:
        """The value of the board that was asked about."""
        return self.value(self.start)

    def value(self, board: int) -> ShortGame:
        """The value of a board that has one."""
        found = self._games[board]
        assert found is not None
        return found

    def bits(self, board: int) -> int:
        """The fluents of a board as bits, but for those that tell whose turn it is."""
        place = int(self._state_of[board, LEFT])
        return self._positions.require_marker().board(self._space.state(place))

    def facts(self, board: int) -> tuple[str, ...]:
        """The same fluents by their names."""
        return tuple(map(str, self.game.evaluator.facts(self.bits(board))))

    def moves(self) -> list[ValuedMove]:
        """The moves of both roles on the board that was asked about, Left's first."""
        board, found = self.start, []
        for role, name in enumerate(self.game.roles):
            listed = [(move, self.value(after)) for move, after in self.options(board, role)]
            found += valued(role, name, listed, self.value(board))
        return found

    def listed(
        self, boards: Iterable[int] | None = None
    ) -> Iterator[tuple[tuple[str, ...], ShortGame]]:
        """The facts of each board that has a value, and this: of all boards, or of some."""
        for board in range(self.count) if boards is None else boards:
            value = self._games[board]
            if value is not None:
                yield self.facts(board), value

    def by_value(self) -> Counter[ShortGame]:
        """How many boards have each value."""
        return Counter(value for value in self._games if value is not None)

    def unvalued(
        self, boards: Iterable[int] | None = None
    ) -> Iterator[tuple[tuple[str, ...], list[str], list[str]]]:
        """The facts of each board that has no value, and what Left and Right can move to: values,
        and for boards without one their facts."""
        for board in range(self.count) if boards is None else boards:
            if self._games[board] is None:
                left, right = (self._told(board, role) for role in (LEFT, RIGHT))
                yield self.facts(board), left, right

    def _told(self, board: int, role: int) -> list[str]:
        """What a role can move to, equal values once."""
        found = []
        for other in self.after(board, role):
            value = self._games[other]
            found.append(" ".join(self.facts(other)) if value is None else str(value))
        return list(dict.fromkeys(found))
