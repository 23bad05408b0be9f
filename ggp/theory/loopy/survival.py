"""Who survives a difference of two games, H − G, in which Left is not the first to move.

The two are positions of one graph. An endless play is counted in one of two ways:

* `SURVIVES`: Left has survived. If H is any game and G a stopper, this decides G ≤ H with draws
  counted for Left: G ≤⁺ H (Siegel 2013, section VI.2: play on a sum X + G is continued as one on
  X + H; a stopper cannot swallow the replies for ever).
* `RETURNS`: Left has survived if there were moves in H without end. If Left then survives, G ≤⁺ H
  for any two games, for the same reason; nothing is said if he does not.
"""

from __future__ import annotations

from collections.abc import Iterable

from ggp.theory.loopy.graph import Graph
from ggp.theory.short import GameLimit
from ggp.theory.short.meter import METER

MOST_STATES = 500_000

Pair = tuple[int, int]
State = tuple[int, int, bool]
"""Positions G and H, and whether it is Left's turn."""


class Survival:
    """The answers for some pairs (G, H) of positions of a graph, and all that they lead to.

    `graph` gives the options; `returns` says how endless play counts. Raises `GameLimit` if there
    are too many pairs.
    """

    def __init__(self, graph: Graph, pairs: Iterable[Pair], returns: bool = False) -> None:
        self._graph = graph
        self._number: dict[State, int] = {}
        self._states: list[State] = []
        self._staying: list[list[int]] = []
        self._moving: list[list[int]] = []
        self._lost: list[bool] = []
        for g, h in pairs:
            self._enter((g, h, False))
            self._enter((g, h, True))
        self._explore()
        self._predecessors()
        self._lose([n for n, open_moves in enumerate(self._open) if self._stuck(n, open_moves)])
        while returns and (trapped := self._trapped()):
            self._lose(trapped)

    def holds(self, g: int, h: int, left_moves: bool = False) -> bool:
        """Whether Left survives H − G; Right moves first unless `left_moves`."""
        return not self._lost[self._number[g, h, left_moves]]

    def _enter(self, state: State) -> int:
        found = self._number.get(state)
        if found is None:
            if len(self._states) >= MOST_STATES:
                raise GameLimit(f"a comparison of loopy games has over {MOST_STATES:,} positions")
            found = self._number[state] = len(self._states)
            self._states.append(state)
            self._lost.append(False)
        return found

    def _explore(self) -> None:
        """Enter all that is led to: moves in G (`_staying`) and moves in H (`_moving`)."""
        meter, values = METER.get(), self._graph.values
        left, right = self._graph.left, self._graph.right
        for g, h, left_moves in self._states:
            meter.step()
            mine, yours = values[g], values[h]
            if mine is not None and yours is not None:
                wins = not yours <= mine if left_moves else mine <= yours
                self._staying.append([])
                self._moving.append([])
                self._lost[len(self._staying) - 1] = not wins
                continue
            in_g, in_h = (right[g], left[h]) if left_moves else (left[g], right[h])
            self._staying.append([self._enter((x, h, not left_moves)) for x in in_g])
            self._moving.append([self._enter((g, y, not left_moves)) for y in in_h])

    def _predecessors(self) -> None:
        self._before: list[list[int]] = [[] for _ in self._states]
        self._open = [0] * len(self._states)
        for n, (staying, moving) in enumerate(zip(self._staying, self._moving, strict=True)):
            self._open[n] = len(staying) + len(moving)
            for other in (*staying, *moving):
                self._before[other].append(n)

    def _settled(self, n: int) -> bool:
        """Whether a state was decided by the values of its games."""
        g, h, _ = self._states[n]
        return self._graph.values[g] is not None and self._graph.values[h] is not None

    def _stuck(self, n: int, open_moves: int) -> bool:
        if self._settled(n):
            return self._lost[n]
        return not open_moves and self._states[n][2]

    def _lose(self, lost: list[int]) -> None:
        """Mark states as lost for Left, and those from which Right can bring them about."""
        meter = METER.get()
        for n in lost:
            self._lost[n] = True
        for n in lost:
            meter.step()
            for other in self._before[n]:
                self._open[other] -= 1
                if not self._lost[other] and not (self._states[other][2] and self._open[other]):
                    self._lost[other] = True
                    lost.append(other)

    def _trapped(self) -> list[int]:
        """The states, not lost as yet, where Left can neither win nor bring about a move in H."""
        meter = METER.get()
        free = [False] * len(self._states)
        closed = [0] * len(self._states)
        ready = []
        for n, (_, _, left_moves) in enumerate(self._states):
            closed[n] = len(self._staying[n])
            if self._lost[n]:
                continue
            moves = any(not self._lost[other] for other in self._moving[n])
            if self._settled(n) or (moves if left_moves else not closed[n]):
                free[n] = True
                ready.append(n)
        staying_before: list[list[int]] = [[] for _ in self._states]
        for n, staying in enumerate(self._staying):
            for other in staying:
                staying_before[other].append(n)
        for n in ready:
            meter.step()
            for other in staying_before[n]:
                closed[other] -= 1
                if (
                    not free[other]
                    and not self._lost[other]
                    and (self._states[other][2] or not closed[other])
                ):
                    free[other] = True
                    ready.append(other)
        return [n for n, is_free in enumerate(free) if not is_free and not self._lost[n]]
