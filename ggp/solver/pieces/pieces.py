"""Values of pieces, each worked out once, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from typing import Generic, TypeVar

from ggp.errors import LimitReached
from ggp.ground import Group
from ggp.limits import Budget, look
from ggp.machine import Progress
from ggp.solver.pieces.program import PieceProgram
from ggp.solver.pieces.store import PieceStore
from ggp.solver.splitting import Splitter
from ggp.work import count_work, work_done

Value = TypeVar("Value")

SPLIT = 3e-9
"""Work for a gate or a vertex that is looked at."""


def groups_hold(groups: Sequence[Group], board: int) -> bool:
    """Whether some groups hold of a board, its fluents as bits."""
    for group in groups:
        held = (board & group.mask).bit_count()
        if held > 1 or (group.exact and not held):
            return False
    return True


class Pieces(Generic[Value]):
    """The pieces that boards fall into, each of which is valued once, wherever it stands.

    Pieces that are written alike, whatever their fluents and moves are called, are one. `value` is
    given for each side of the splitter, and each option that it has on a piece, the values of the
    pieces that it falls into. `groups` are what is proved of boards that play comes to.
    """

    def __init__(
        self,
        splitter: Splitter,
        groups: Sequence[Group],
        value: Callable[[list[list[list[Value]]]], Value],
    ) -> None:
        self._groups = list(groups)
        self._splitter = splitter
        self._value = value
        self._values: dict[int, Value] = {}
        self._done = 0

    def __len__(self) -> int:
        """The pieces that are known."""
        return len(self._store)

    @cached_property
    def _store(self) -> PieceStore:
        return PieceStore(PieceProgram(self._splitter))

    def may_arise(self, board: int) -> bool:
        """Whether what the proofs rest on holds of a board."""
        return groups_hold(self._groups, board)

    def of_board(
        self,
        board: int,
        budget: Budget,
        progress: Progress | None = None,
        work: float = inf,
    ) -> list[Value]:
        """The values of the pieces of a board, its fluents as bits.

        Raises `LimitReached`, as well where it takes more than `work`. What was worked out until
        then is kept. `progress` is told how many pieces there are, and how many are done.
        """
        store, until = self._store, work_done() + work
        wanted = store.pieces(board)
        while store.expanded < len(store):
            before = store.steps
            store.expand()
            count_work(SPLIT * (store.steps - before))
            budget.spend(len(store))
            if progress:
                progress(len(store), store.expanded)
            if work_done() > until:
                raise LimitReached("work", work, "splitting positions into summands")
        if self._done < len(store):
            self._work_out(progress)
        return [self._values[name] for name in wanted]

    def _work_out(self, progress: Progress | None) -> None:
        """The values of all names that are new, those that nothing leads from first."""
        store, values = self._store, self._values
        options_of, side, child_start, children = store.options()
        sides = len(self._splitter.sides)
        for count, name in enumerate(store.upward(self._done)):
            if name in values:
                continue
            if count % 256 == 0:
                look("values of pieces")
                if progress:
                    progress(len(store), len(values))
            made: list[set[tuple[int, ...]]] = [set() for _ in range(sides)]
            for option in range(options_of[name], options_of[name + 1]):
                left = children[child_start[option] : child_start[option + 1]]
                made[side[option]].add(tuple(sorted(left)))
            values[name] = self._value(
                [[[values[own] for own in left] for left in sorted(own)] for own in made]
            )
        self._done = len(store)
