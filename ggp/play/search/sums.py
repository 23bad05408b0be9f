"""Positions that are sums of small pieces: who wins them, by the values of the pieces.

Of games whose positions have values by proof (`ggp.solver.valued`). What is known grows with the
search: pieces of positions that it comes to are valued between batches, a few steps at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.outcomes import goals_of_form, goals_of_the_rules
from ggp.analysis.positions import Positions
from ggp.errors import GgpError
from ggp.game import Game
from ggp.limits import Budget, Limits
from ggp.machine import Rows
from ggp.solver.valued.known import KnownValues
from ggp.solver.valued.legitimacy import is_proved, require_two
from ggp.theory import GameLimit, ShortGame, limited, wins_sum

MOST_STEPS, ALL_STEPS = 200, 2_000
"""Positions of a sum that are looked at for one of the tree, and for all of a batch."""

WORK = 120_000
"""Steps of valuing after a batch."""

ASKING = 1_000_000
"""Steps of splitting after a batch."""

SHARE, NEW_SHARE, EVERY, RECENT = 0.04, 0.25, 16, 512
"""Leaves about to be opened are asked about if this share of the last ones at their depth was
decided, others (to which fewer descents come) if this one; besides one of so many, whatever the
share, so that it is known. The last ones: about so many."""


@dataclass
class _Share:
    """At one depth: leaves about to be opened, those asked about, and those that were decided."""

    seen: int = 0
    asked: float = 0.0
    told: float = 0.0

    def is_likely(self, least: float) -> bool:
        """Whether at least such a share was decided."""
        return self.told >= least * self.asked > 0

    def take(self, opens: np.bool_) -> bool:
        """Whether a leaf is asked about: it is likely to be decided, or it is time to try one."""
        self.seen += bool(opens)
        if opens and not self.is_likely(SHARE) and self.seen % EVERY:
            return False
        self.asked += 1
        if self.asked > RECENT:
            self.asked, self.told = self.asked / 2, self.told / 2
        return True


class ValuedSums:
    """Who wins positions of a game whose conditions are proved, as far as pieces are valued.

    `lost`: what each role gets where a role has lost.
    """

    def __init__(self, game: Game, known: KnownValues, lost: Sequence[tuple[int, ...]]) -> None:
        assert game.marker is not None
        self.game, self.known, self._marker, self.lost = game, known, game.marker, lost
        self._lock = threading.Lock()
        self._shares: list[_Share] = []

    @classmethod
    def of(cls, game: Game, limits: Limits) -> ValuedSums | None:
        """None where the conditions are not proved within some limits."""
        budget = Budget(limits)
        try:
            with game.within(budget):
                require_two(game)
                proofs = Positions(game, budget, None, [game.initial.bits]).proofs
                if not is_proved(proofs):
                    return None
                rules = goals_of_the_rules(game)
                lost = [goals_of_form(rules, role, loses=True) for role in (0, 1)]
                known = KnownValues(proofs)
        except GgpError:
            return None
        found = [goals for goals in lost if goals is not None]
        return cls(game, known, found) if len(found) == 2 else None

    def may_arise(self, state: int) -> bool:
        """Whether what the proofs rest on holds of a state."""
        return self.known.may_arise(state)

    def parts(self, states: Sequence[int], steps: int = 0) -> list[list[ShortGame] | None]:
        """The values of the pieces of some states, or of the first, as many as take so many steps
        (but of one at least); None where they are not known."""
        with self._lock:
            return self.known.parts([self._marker.board(state) for state in states], steps)

    def mover(self, state: int) -> int:
        """The role that is to move."""
        role = self._marker.role(state)
        assert role is not None
        return role

    def goals(self, state: int, steps: int = MOST_STEPS) -> tuple[int, ...] | None:
        """What each role gets under best play; None where that is not known."""
        (parts,) = self.parts([state])
        return self._goals(state, parts, steps)

    def _goals(
        self, state: int, parts: list[ShortGame] | None, steps: int
    ) -> tuple[int, ...] | None:
        if parts is None:
            return None
        mover = self.mover(state)
        try:
            with limited(steps=steps):
                wins = wins_sum(parts, left=mover == 0)
        except GameLimit:
            return None
        return self.lost[1 - mover if wins else mover]

    def begin(self) -> None:
        """Depths are those from another position from now on."""
        self._shares = []

    def decided(
        self,
        nodes: NDArray[np.int32],
        rows: Rows,
        depths: NDArray[np.int32],
        opening: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Which of some leaves are decided, and what each role gets there; of some it is not asked,
        of more of those that are not about to be opened."""
        told: list[int] = []
        goals = []
        while depths.max(initial=0) >= len(self._shares):
            self._shares.append(_Share())
        likely = np.array([share.is_likely(NEW_SHARE) for share in self._shares])
        chosen = [
            i
            for i in np.flatnonzero(opening | likely[depths]).tolist()
            if self._shares[depths[i]].take(opening[i])
        ]
        states = self.game.machine.states(rows[chosen])
        # Where boards are large there is time for the first of them only.
        known = self.parts(states, ASKING) if states else []
        with limited(steps=ALL_STEPS):
            for i, state, parts in zip(chosen, states, known, strict=False):
                found = self._goals(state, parts, MOST_STEPS)
                if found is not None:
                    told.append(i)
                    goals.append(found)
                    self._shares[int(depths[i])].told += 1
        return nodes[told], np.array(goals, dtype=np.float64).reshape(-1, len(self.lost))

    def work(self, steps: int = WORK) -> None:
        """Value pieces that were come to, unless another thread does."""
        if self._lock.acquire(blocking=False):
            try:
                self.known.work(steps)
            finally:
                self._lock.release()
