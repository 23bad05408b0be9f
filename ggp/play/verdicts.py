"""What a move was worth: by the exact solution where there is one, else by search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ggp.errors import GgpError
from ggp.game import Game, State
from ggp.kif import Term
from ggp.play.search.by_states import StateSearch
from ggp.play.search.search import TreeSearch
from ggp.play.worth import joint_moves, worth
from ggp.solver import SimultaneousSolution, Solution, solve

POSITIONS = 2_000_000
"""Positions of a game that is solved to judge moves."""

FEW = 50
"""Descents below which a search says nothing of a move that it is not sure of."""

BLUNDER, SLIP = 50.0, 15.0
"""Of 100, what a search must say that a move gives away to be marked `??` or `?`."""


@dataclass(frozen=True)
class Verdict:
    """On one move: `mark` is `!` (the only best move), `?` (gives goals away), `??` (from a win to
    a loss, or half of all there is) or nothing; `exact` says whether it is known, or a guess of a
    search. `lost`: goals that were given away; `best`: what was best."""

    mark: str
    exact: bool
    lost: float
    best: tuple[str, ...]
    why: str

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "best": list(self.best)}


def _came_to(end: State, role: str) -> float:
    """What a role had at the end of play; 0 where that is not told."""
    try:
        return end.goals.get(role, 0) if end.terminal else 0
    except GgpError:
        return 0


class Judge:
    """Judges moves of one game; solving may take `seconds`, and then each search."""

    def __init__(self, game: Game, seconds: float, seed: int = 1) -> None:
        self.game, self.seconds, self.seed = game, seconds, seed
        self._solution: Solution[State, Term] | None = None
        self._searches: dict[int, TreeSearch | StateSearch] = {}
        if game.is_ground and not game.has_percepts:
            try:
                found = solve(game, time=seconds, positions=POSITIONS)
            except GgpError:
                found = None
            if not isinstance(found, SimultaneousSolution):
                self._solution = found

    def verdicts(
        self, state: State, joint: Sequence[str], end: State | None = None
    ) -> dict[str, Verdict]:
        """Of each role that had a choice, what its move was worth; of none where several had: what
        is best there hangs on what the others mix, which no single move tells. `end`: what play
        came to from there; who plays alone had that at least after each move."""
        found: dict[str, Verdict] = {}
        choosing = [len(state.legal(role)) > 1 for role in self.game.players]
        if sum(choosing) > 1:
            return found
        for index, (role, text) in enumerate(zip(self.game.roles, joint, strict=True)):
            if index == self.game.chance or len(state.legal(role)) < 2:
                continue
            move = self.game.term(text)
            had = _came_to(end, role) if end and len(joint) == 1 else 0
            verdict = self._exact(state, role, move)
            if verdict is None:
                after = state.play(dict(zip(self.game.roles, joint, strict=True)))
                verdict = self._searched(state, index, move, had, after)
            if verdict:
                found[role] = verdict
        return found

    def _exact(self, state: State, role: str, move: Term) -> Verdict | None:
        solution = self._solution
        if solution is None:
            return None
        try:
            if solution.mover(state) != role:
                return None
            solution.limit(self.seconds)
            best, value = solution.best(state), solution.worth(state)
            there = worth(solution, state, role, move)
            after = [state.play(joint) for joint in joint_moves(state, role, move)]
            if len(self.game.roles) == 1 and there is None:
                there = 0.0  # no end can come any more
            is_sure = all(map(solution.unique, [state, *after]))
            is_only = move in best and len(best) == 1 and self._are_sure(state, role)
        except GgpError:
            return None
        # What hangs on somebody who is indifferent is given away by nobody for sure.
        if value is None or there is None or not is_sure:
            return None
        names = tuple(map(str, best))
        if move in best:
            return Verdict("!" if is_only else "", True, 0.0, names, "")
        lost = value[role] - there
        if lost <= 0:
            # As good in the end, if on a longer way.
            return Verdict("", True, 0.0, names, "")
        worst = lost >= BLUNDER
        why = f"{role} had {value[role]:g}, has {there:g}: {' or '.join(names[:3])} was best"
        return Verdict("??" if worst else "?", True, lost, names, why)

    def _are_sure(self, state: State, role: str) -> bool:
        """Whether a role has other moves, and what each is worth hangs on nobody's whim."""
        assert self._solution is not None
        moves = state.legal(role)
        joints = [joint for move in moves for joint in joint_moves(state, role, move)]
        return len(moves) > 1 and all(self._solution.unique(state.play(joint)) for joint in joints)

    def _searched(
        self, state: State, role: int, move: Term, had: float, after: State
    ) -> Verdict | None:
        game = self.game
        if game.has_percepts:
            return None
        search = self._searches.get(role)
        if search is None:
            search = self._searches[role] = self._search(role)
        best = search.think(state, self.seconds)
        number = game.evaluator.number(role, move)
        own = next((report for report in search.reports() if report.move == number), None)
        if best is None or own is None:
            return None
        value = own.value
        if own.move != best.move and own.low < own.high and own.tried < FEW:
            # A search that is sure of a move looks at no others: what this one leads to is asked.
            found = self._after(search, role, after)
            if found is None:
                return None
            value = found
        lost = max(0.0, best.value - max(value, had))
        name = str(game.evaluator.move(role, best.move))
        if own.move == best.move or lost < SLIP:
            return Verdict("", False, lost, (name,), "")
        why = f"search: {max(value, had):.0f}, where {name} has {best.value:.0f}"
        return Verdict("??" if lost >= BLUNDER else "?", False, lost, (name,), why)

    def _search(self, role: int) -> TreeSearch | StateSearch:
        """A search for a role, of rules as they are where there is no net."""
        if self.game.is_ground:
            return TreeSearch(self.game, role, seed=self.seed)
        return StateSearch(self.game, role, np.random.default_rng(self.seed))

    def _after(self, search: TreeSearch | StateSearch, role: int, after: State) -> float | None:
        """What a state is worth to a role, as far as a search says; chance has had its say."""
        if after.terminal:
            return float(_came_to(after, self.game.roles[role]))
        if not all(map(after.legal, self.game.roles)):
            return None
        found = search.think(after, self.seconds)
        return None if found is None else found.value
