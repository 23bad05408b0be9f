"""What a role may believe: the states that agree with all that it did and saw (GDL-II)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod

from ggp.errors import IllegalMove
from ggp.game import Game, State
from ggp.kif import Term

STATES = 200
"""States that are kept at the most: a random part of all that are possible."""

JOINT = 2_000
"""Joint moves of one state that are looked at, at random where there are more."""


class Beliefs:
    """The states that are possible for one role, some of them where there are many.

    `states` is never empty. Where nothing kept agrees with what is seen, so that the right state
    was among those left out, what is seen is set aside for once.
    """

    def __init__(self, game: Game, role: str, seed: int | None = None) -> None:
        self.game = game
        self.role = role
        self.states = [game.initial]
        self._index = game.role_index(role)
        self._random = random.Random(seed)

    def update(self, move: Term | str | None, seen: Sequence[str]) -> None:
        """Take in the role's own move (None where it is not known, because the manager chose it)
        and what it saw: its percepts, or the whole joint move.

        Raises `IllegalMove` where the move was legal in none of the states.
        """
        own = None if move is None else self.game.term(move)
        percepts = tuple(sorted(self.game.term(percept) for percept in seen))
        possible: dict[State, bool] = {}
        for state in self.states:
            if not state.terminal and (own is None or own in state.legal(self.role)):
                for joint in self._joint_moves(state, own):
                    after = state.after(joint)
                    agrees = self._percepts(state, joint) == percepts
                    possible[after] = possible.get(after, False) or agrees
        if not possible:
            raise IllegalMove(f"{own} is not legal for {self.role} in any possible state")
        kept = [state for state, agrees in possible.items() if agrees]
        kept = kept or self._told(seen) or list(possible)
        self.states = self._random.sample(kept, STATES) if len(kept) > STATES else kept

    @property
    def open(self) -> list[State]:
        """The possible states in which the role has a move, as whoever asks for one shows; all
        where there are none."""
        found = [s for s in self.states if not s.terminal and s.legal(self.role)]
        return found or self.states

    def legal(self) -> tuple[Term, ...]:
        """The moves that are legal in every state that is `open`; in the first one if there is
        none."""
        own = [state.legal(self.role) for state in self.open]
        common = set(own[0]).intersection(*own)
        return tuple(move for move in own[0] if move in common) or own[0]

    def _percepts(self, state: State, joint: Sequence[int]) -> tuple[Term, ...]:
        return self.game.evaluator.percepts(state.position, joint)[self._index]

    def _joint_moves(self, state: State, own: Term | None) -> Iterator[Sequence[int]]:
        """All joint moves in which the role makes its own, or random ones where there are many."""
        legal = list(state.legal_indices())
        if not all(legal):
            return iter(())
        if own is not None:
            number = self.game.evaluator.number(self._index, own)
            assert number is not None
            legal[self._index] = [number]
        if prod(map(len, legal)) <= JOINT:
            return product(*legal)
        choose = self._random.choice
        return islice(iter(lambda: [choose(moves) for moves in legal], None), JOINT)

    def _told(self, seen: Sequence[str]) -> list[State]:
        """The states after a whole joint move, which some managers send all the same."""
        if len(seen) != len(self.game.roles):
            return []
        found = []
        for state in self.states:
            try:
                found.append(state.play(dict(zip(self.game.roles, seen, strict=True))))
            except IllegalMove:
                continue
        return list(dict.fromkeys(found))
