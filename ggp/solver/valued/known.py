"""Values of small pieces of positions as they come up in play, a few steps at a time."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.analysis.proofs import Proofs
from ggp.solver.pieces.frames import UNNAMED
from ggp.solver.pieces.pieces import groups_hold
from ggp.solver.pieces.program import PieceProgram
from ggp.solver.pieces.store import PieceStore
from ggp.solver.splitting import Splitter
from ggp.solver.valued.pieces import value_of
from ggp.theory import GameLimit, ShortGame, limited

FIRST_SIZE, TRIED_SIZE = 16, 24
"""Fluents of the pieces that are valued at first; up to so many without knowing how long it takes.
"""

NEAR = 3
"""Fluents by which pieces of a round may be smaller and still tell how long it takes."""

MISSES = 64
"""Boards that fall into larger pieces before larger ones are tried."""

FEW, MANY = 300, 1_500
"""New pieces in a round below which larger ones are valued, and beyond which not even those."""

AN_OPTION, A_COMPARISON = 5_000, 1_000
"""Steps that an option of a piece that is valued counts for, and a comparison of games."""

MOST_GAMES, MOST_COMPARISONS = 500, 5_000
"""New games and comparisons that one value may take; pieces that need more have none."""

MOST_PIECES = 1_000_000
"""Pieces beyond which no more are valued."""


class KnownValues:
    """Values of the pieces of boards, where they are small, and of all that these can become.

    Rounds alternate: boards are split, and their pieces named; then moves are made on all that has
    a name, until nothing new is found, and all is valued. What is larger than `size` (fluents that
    can still change) is never named, so that a round ends; `size` grows where rounds are short.
    """

    def __init__(self, proofs: Proofs) -> None:
        assert proofs.boards is not None
        self._groups = proofs.assumed
        self._store = PieceStore(PieceProgram(Splitter(proofs.boards)))
        self._values: list[ShortGame | None] = []
        self._order: list[int] = []
        self._done = self._largest = self._misses = 0
        self.size = FIRST_SIZE

    def __len__(self) -> int:
        """The pieces that are valued, or were too hard."""
        return self._done

    @property
    def is_idle(self) -> bool:
        """Whether all that was asked about is worked out."""
        return self._done == len(self._store)

    def may_arise(self, state: int) -> bool:
        """Whether what the proofs rest on holds of a state."""
        return groups_hold(self._groups, state)

    def parts(self, boards: Sequence[int], steps: int) -> list[list[ShortGame] | None]:
        """The values of the pieces of some boards, or of the first of them, as many as take so many
        steps; None where one is not known, or not yet."""
        store, is_idle = self._store, self.is_idle
        size = self.size if is_idle and self._done < MOST_PIECES else 0
        found = [self._known(names) for names in store.each(boards, size, steps)]
        if is_idle and not self.is_idle:
            self._largest = max(map(store.size, range(self._done, len(store))))
            self._misses = 0
        elif is_idle and self.size < TRIED_SIZE:
            self._misses += found.count(None)
            self.size += self._misses // MISSES
            self._misses %= MISSES
        return found

    def work(self, steps: int) -> None:
        """Work out more of what was asked about, with about so many steps: gates and vertices that
        are looked at, or what takes as long."""
        store = self._store
        while steps > 0 and not self.is_idle:
            before = store.steps
            if store.expanded < len(store):
                store.expand(steps)
                steps -= max(1, store.steps - before)
                continue
            if not self._order:
                self._order = store.upward(self._done)[::-1]
                self._values += [None] * (len(store) - self._done)
            while self._order and steps > 0:
                name = self._order.pop()
                self._values[name], spent = self._value(name)
                steps -= spent
            if not self._order:
                self._end_round()

    def _end_round(self) -> None:
        new = len(self._values) - self._done
        if new > MANY:
            self.size = max(FIRST_SIZE, min(self.size, self._largest - 1))
        elif new <= FEW and self._largest + NEAR >= self.size:
            self.size += 1
        self._done = len(self._values)

    def _value(self, name: int) -> tuple[ShortGame | None, int]:
        """The value of a piece, all that it can become being known, and the steps it took; None if
        that is too hard."""
        sides: tuple[set[tuple[int, ...]], set[tuple[int, ...]]] = (set(), set())
        for side, left in self._store.made(name):
            sides[side].add(tuple(sorted(left)))
        spent = AN_OPTION * (1 + sum(map(len, sides)))
        options: list[list[list[ShortGame]]] = []
        for own in sides:
            options.append([])
            for names in sorted(own):
                parts = self._known(names)
                if parts is None:
                    return None, spent
                options[-1].append(parts)
        with limited(games=MOST_GAMES, steps=MOST_COMPARISONS) as meter:
            try:
                found = value_of(options)
            except GameLimit:
                found = None
        return found, spent + A_COMPARISON * int(MOST_COMPARISONS - meter.steps)

    def _known(self, names: Sequence[int]) -> list[ShortGame] | None:
        found = []
        for name in names:
            value = self._values[name] if UNNAMED < name < len(self._values) else None
            if value is None:
                return None
            found.append(value)
        return found
