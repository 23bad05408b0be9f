"""Values of all boards that the rules admit, whether moves lead there or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from ggp.errors import LimitReached
from ggp.ground import Group
from ggp.limits import Budget
from ggp.solver.valued.boards import BoardValues
from ggp.solver.valued.ended import EndedBoard
from ggp.solver.valued.pieces import PieceValues
from ggp.theory import GameLimit, ShortGame


class AnyBoards:
    """Every board on which the groups hold that are proved of a start (of some fluents one, or at
    most one), with its value: of a game whose conditions are proved for all of them.

    What no move changes is as it is on the board that was asked about. `few`: at most so many
    fluents of a set, given as bits, hold on each board. Where a limit is reached, `reached` is
    that, and the boards are those that were looked at before.
    """

    unit = "boards"

    def __init__(
        self, values: PieceValues, budget: Budget, few: tuple[int, int] | None = None
    ) -> None:
        self._values = values
        self._counted, self._most = few or (0, 0)
        moving = {f for o in values.splitter.options for f in o.changes}
        self._moving = sum(1 << f for f in moving)
        self._fixed = values.start & ~self._moving
        self._choices = _choices(moving, values.groups, self._fixed)
        self._found: dict[int, ShortGame] = {}
        self.reached: LimitReached | GameLimit | None = None
        try:
            for board in self._boards():
                if len(self._found) % 256 == 0:
                    budget.spend(len(self._found))
                self._found[board] = values.value(board)
            budget.spend(len(self._found))
        except (LimitReached, GameLimit) as error:
            self.reached = error

    def unvalued(self) -> Iterator[tuple[tuple[str, ...], list[str], list[str]]]:
        """None: all boards have values."""
        yield from ()

    def _boards(self) -> Iterator[int]:
        """The boards, each once, by an odometer over the choices."""
        stack = [(self._fixed, 0, 0)]
        while stack:
            board, decided, place = stack.pop()
            if (board & self._counted).bit_count() > self._most:
                continue
            if place == len(self._choices):
                yield board
                continue
            mask, exact, members = self._choices[place]
            on, free = board & mask & decided, mask & ~decided
            if on.bit_count() > 1:
                continue
            following = []
            if not on:
                following = [(board | 1 << f, decided | mask) for f in members if free >> f & 1]
            if on or not exact:
                following.append((board, decided | mask))
            stack.extend((one, done, place + 1) for one, done in reversed(following))

    @property
    def count(self) -> int:
        """How many boards there are."""
        return len(self._found)

    def by_value(self) -> Counter[ShortGame]:
        """How many boards have each value."""
        return Counter(self._found.values())

    def listed(self) -> Iterator[tuple[tuple[str, ...], ShortGame]]:
        """The fluents of each board that moves can change, and its value."""
        evaluator = self._values.game.evaluator
        for board, value in self._found.items():
            yield tuple(map(str, evaluator.facts(board & self._moving))), value


class SomeBoards:
    """Those of all boards on which at most so many fluents of a set, given as bits, hold."""

    unit = "boards"

    def __init__(self, boards: BoardValues | EndedBoard, few: tuple[int, int]) -> None:
        counted, most = few
        self._boards = boards
        self._chosen = [
            board
            for board in range(boards.count)
            if (boards.bits(board) & counted).bit_count() <= most
        ]

    @property
    def count(self) -> int:
        """How many boards there are."""
        return len(self._chosen)

    def by_value(self) -> Counter[ShortGame]:
        """How many boards have each value."""
        return Counter(value for _, value in self.listed())

    def listed(self) -> Iterator[tuple[tuple[str, ...], ShortGame]]:
        """The facts of each board that has a value, and this."""
        return self._boards.listed(self._chosen)

    def unvalued(self) -> Iterator[tuple[tuple[str, ...], list[str], list[str]]]:
        """See `BoardValues.unvalued`."""
        return self._boards.unvalued(self._chosen)


def _choices(
    moving: Set[int], groups: Sequence[Group], fixed: int
) -> list[tuple[int, bool, tuple[int, ...]]]:
    """Sets of fluents of which at most one holds (or just one), that every moving one is in."""
    held = [any(fixed >> f & 1 for f in group.fluents) for group in groups]
    told = list(zip(groups, held, strict=True))
    barred = {f for group, is_held in told if is_held for f in group.fluents}
    found, alone = [], set(moving)
    for group, is_held in told:
        members = tuple(f for f in group.fluents if f in moving)
        if not members:
            continue
        alone.difference_update(members)
        mask = sum(1 << f for f in members)
        free = tuple(f for f in members if f not in barred)
        found.append((mask, group.exact and not is_held, free))
    return found + [(1 << f, False, (f,)) for f in sorted(alone)]
