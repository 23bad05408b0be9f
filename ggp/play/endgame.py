"""Moves in positions that are sums of small pieces, by the values of the pieces."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ggp.game import Game, State
from ggp.kif import Term
from ggp.machine import Rows
from ggp.play.search.sums import ValuedSums
from ggp.theory import GameLimit, ShortGame, limited, sentestrat

MOST_STEPS = 20_000
"""Positions of a sum that are looked at for a position that is to be played."""

A_STEP = 2e-4
"""Seconds that one of them takes at the most, mostly."""

WORK = 1_000_000
"""Steps of valuing between two looks at the clock."""


@dataclass(frozen=True)
class Ending:
    """A move, with what it comes to for its role, None where that is not known."""

    move: Term
    goal: int | None
    why: str


class Endgame:
    """Chooses where all pieces are valued: a move that wins; where none does, one that leaves the
    other few good answers; where a sum is too large to tell, by sentestrat."""

    def __init__(self, game: Game, role: int, sums: ValuedSums) -> None:
        self.game, self.role, self.sums = game, role, sums
        self._ambient: Fraction | None = None
        self._left: Counter[ShortGame] = Counter()

    def choose(self, state: State, until: float, heed: Callable[[], None]) -> Ending | None:
        """A move; None where pieces are too large, or not valued by `until`."""
        if self.sums.mover(state.bits) != self.role:
            return None
        parts = self._parts(state.bits)
        while parts is None and not self.sums.known.is_idle and time.monotonic() < until:
            heed()
            self.sums.work(WORK)
            parts = self._parts(state.bits)
        if parts is None:
            return None
        if self._goals(state.bits, until) is None:
            return self._by_temperature(state, parts)
        return self._exact(state, until, heed)

    def _parts(self, state: int) -> list[ShortGame] | None:
        return self.sums.parts([state])[0]

    def _goals(self, state: int, until: float) -> tuple[int, ...] | None:
        """What each role gets from a state on, if that is found until then."""
        steps = max(0.0, until - time.monotonic()) / A_STEP
        return self.sums.goals(state, int(min(MOST_STEPS, steps)))

    def _goal(self, state: int, until: float) -> int | None:
        found = self._goals(state, until)
        return None if found is None else found[self.role]

    def _exact(self, state: State, until: float, heed: Callable[[], None]) -> Ending | None:
        """A best move, where the outcome is known."""
        after = self._after(state)
        goals = {}
        for move, there in after.items():
            if time.monotonic() > until:
                break
            goals[move] = self._goal(there, until)
        best = self._goal(state.bits, until)
        moves = [move for move, goal in goals.items() if goal == best]
        if not moves or best is None:
            return None
        if best == self._most:
            move = min(moves, key=lambda move: self._size(after[move]))
            return Ending(self._name(move), best, "wins by the values of the pieces")
        # What is lost anyway may be lost slowly.
        chosen, least = moves[0], 2.0
        for move in moves:
            heed()
            if time.monotonic() > until:
                break
            share = self._answers(after[move], until)
            if share < least:
                chosen, least = move, share
        return Ending(self._name(chosen), best, "loses by the values of the pieces")

    @property
    def _most(self) -> int:
        """What the role has if it wins."""
        return self.sums.lost[1 - self.role][self.role]

    def _size(self, state: int) -> int:
        """How long play in a position may last, about."""
        return sum(g.birthday for g in self._parts(state) or ())

    def _answers(self, state: int, until: float) -> float:
        """The share of the other's moves after which we do not win, of those looked at by then."""
        good = count = 0
        for there in self.game.machine.states(self._rows(state)[1]):
            if time.monotonic() > until:
                break
            good += self._goal(there, until) == self._most
            count += 1
        return 1 - good / max(1, count)

    def _rows(self, state: int) -> tuple[list[int], Rows]:
        """The moves of the role that is to move, and the states that they lead to."""
        machine = self.game.machine
        found = machine.children(machine.rows([state])[0])
        return found.joint[:, self.sums.mover(state)].tolist(), found.rows

    def _after(self, state: State) -> dict[int, int]:
        """Our moves, with the states that they lead to."""
        moves, rows = self._rows(state.bits)
        return dict(zip(moves, self.game.machine.states(rows), strict=True))

    def _name(self, move: int) -> Term:
        return self.game.evaluator.move(self.role, move)

    def _by_temperature(self, state: State, parts: list[ShortGame]) -> Ending | None:
        """The move of sentestrat, as it can be made here."""
        before, now = self._left, Counter(parts)
        new = list((now - before).elements()) if before else []
        ordered = [*new, *(now - Counter(new)).elements()]
        last = max(range(len(new)), key=lambda i: new[i].temperature) if new else None
        ambient = self._ambient
        if ambient is None:
            ambient = max(g.temperature for g in parts)
        left = self.role == 0
        choice = sentestrat(ordered, left, ambient, last)
        if choice is None:
            return None
        best: tuple[Fraction, int, Counter[ShortGame]] | None = None
        for move, there in self._after(state).items():
            following = Counter(self._parts(there) or ())
            gone = now - following
            if following and ordered[choice.part] not in gone and gone:
                continue
            worth = self._wall(list((following - now).elements()), choice.ambient)
            if best is None or worth > best[0]:
                best = worth, move, following
        if best is None:
            return None
        self._ambient, self._left = choice.ambient, best[2]
        return Ending(self._name(best[1]), None, "sentestrat")

    def _wall(self, parts: list[ShortGame], t: Fraction) -> Fraction:
        """What some parts are worth to us at a temperature, the other being to move."""
        try:
            with limited(games=MOST_STEPS, steps=MOST_STEPS):
                graph = sum(parts, ShortGame.integer(0)).thermograph
        except GameLimit:
            mean = sum((g.mean for g in parts), Fraction(0))
            return mean if self.role == 0 else -mean
        return graph.right_wall(t) if self.role == 0 else -graph.left_wall(t)
